"""Parameter structs on the host: what `dataclass` makes, without compiling functions for each. There are fifty, and the first launch of a
kernel that names one waits for all of them."""


class _Signature:
    """Made when somebody looks at it."""

    def __get__(self, instance, owner):
        from inspect import Parameter, Signature

        kind = Parameter.POSITIONAL_OR_KEYWORD
        notes = owner.__annotations__
        return Signature([Parameter(n, kind, default=owner.__dict__[n], annotation=notes[n]) for n in owner.__match_args__])


def _init(self, *args, **kwargs):
    names = self.__match_args__
    if len(args) > len(names):
        raise TypeError(f"{type(self).__name__} has {len(names)} members, {len(args)} were given")
    values = self.__dict__
    for name in names:
        values[name] = getattr(type(self), name)
    values.update(zip(names, args))
    for name, value in kwargs.items():
        if name not in names:
            raise TypeError(f"{type(self).__name__} has no member {name!r}")
        if name in names[: len(args)]:
            raise TypeError(f"{type(self).__name__} got two values for its member {name!r}")
        values[name] = value


def _repr(self):
    return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self.__match_args__)})"


def _eq(self, other):
    if type(self) is not type(other):
        return NotImplemented
    return all(getattr(self, name) == getattr(other, name) for name in self.__match_args__)


def record(cls):
    """Makes a class of annotated members with defaults a struct."""
    cls.__match_args__ = tuple(n for n, note in cls.__annotations__.items() if not str(note).startswith("ClassVar"))  # type: ignore[misc]
    cls.__init__, cls.__repr__, cls.__eq__, cls.__hash__ = _init, _repr, _eq, None
    cls.__signature__ = _Signature()
    return cls
