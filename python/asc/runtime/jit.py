"""The decorator `jit` and the object it makes."""

from __future__ import annotations

import os

import _tilesmith

from .compiler import OPTION_NAMES
from .launcher import Launcher, Replaceable
from .source import source_of


def _annotations_of(fn):
    """Annotations with those given as text evaluated; one that cannot be is None, as it cannot be ConstExpr."""
    names = None
    result = {}
    for name, annotation in fn.__annotations__.items():
        if isinstance(annotation, str):
            if "ConstExpr" not in annotation:
                continue
            if names is None:
                cells = zip(fn.__code__.co_freevars, fn.__closure__ or ())
                names = dict(fn.__globals__)
                names.update((key, cell.cell_contents) for key, cell in cells)
            try:
                annotation = eval(annotation, names)
            except Exception as error:
                raise RuntimeError(f"the annotation of '{name}' in '{fn.__qualname__}' cannot be evaluated: {error}") from None
        result[name] = annotation
    return result


def _const_type(annotation):
    """(is a ConstExpr, type its value must have or None)"""
    from asc.language.core.constexpr import ConstExpr

    origin = getattr(annotation, "__origin__", annotation)
    if origin is not ConstExpr:
        return False, None
    given = getattr(annotation, "__args__", ())
    kind = getattr(given[0], "__origin__", given[0]) if given else None
    return True, kind if isinstance(kind, type) else None


def _parameters_of(fn):
    """What the extension needs to bind arguments: (name, is constant, type of the constant[, default])."""
    code = fn.__code__
    if code.co_flags & 0x0C:
        raise TypeError(
            f"'{fn.__qualname__}' takes *args or **kwargs; a kernel has named parameters only\nhelp: name each parameter; "
            "a tuple that is known while compiling can be an asc.ConstExpr"
        )
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    defaults = dict(zip(reversed(names[: code.co_argcount]), reversed(fn.__defaults__ or ())))
    defaults.update(fn.__kwdefaults__ or {})
    annotations = _annotations_of(fn)
    parameters = []
    for name in names:
        if name in OPTION_NAMES:
            raise RuntimeError(f"parameter '{name}' of '{fn.__qualname__}' has the name of a jit option; choose another")
        entry = (name, *_const_type(annotations.get(name)))
        parameters.append(entry + (defaults[name],) if name in defaults else entry)
    return tuple(parameters)


class JITFunction(_tilesmith.Kernel, metaclass=Replaceable):
    """A Python function as a kernel: `f[core_num](...)` compiles and launches it, `f(...)` runs it as plain Python.

    With a `core_num` among the options of its decorator, `f(...)` launches as well; the plain function is `f.fn`.
    """

    def __init__(self, fn, *, source=None, **options):
        self.fn = fn
        self.options = options
        found = source_of(fn, source)
        self.source, self.filename, self.first_line = found.text, found.filename, found.first_line
        if not os.path.exists(self.filename):
            _tilesmith.remember_source(self.filename, self.first_line, self.source)
        self.parameters = _parameters_of(fn)
        self.__name__, self.__qualname__, self.__module__ = fn.__name__, fn.__qualname__, fn.__module__
        self.__doc__, self.__wrapped__ = fn.__doc__, fn
        self._derived = {}
        self._set_up()

    def _set_up(self):
        source = f"{self.__module__}.{self.__qualname__}\n{self.filename}\n{self.first_line}\n{self.source}"
        self.dump_path = os.environ.get("PYASC_DUMP_PATH", "")
        super().__init__(self.__name__, self.parameters, source, self.options, self.dump_path)

    def _with_options(self, options):
        """The same kernel with other options, given as keywords of a launch."""
        key = repr(sorted(options.items()))
        if key not in self._derived:
            other = JITFunction.__new__(type(self))
            other.__dict__.update(self.__dict__)
            other.options = self.options | options
            other._derived = {}
            other._set_up()
            self._derived[key] = other
        return self._derived[key]

    def _run_compiler(self, module):
        """Stands for compiling the traced module. Replaced, a launch stops after the front end and calls the replacement."""

    def _run_launcher(self, core_num):
        """Stands for running the compiled kernel. Replaced, the replacement is called and nothing runs."""
        Launcher.run(self, core_num)

    _STEPS = {"_run_compiler": ("compiler_replaced", _run_compiler), "_run_launcher": ("launcher_replaced", _run_launcher)}

    def __repr__(self):
        return f"<{type(self).__name__} {self.__module__}.{self.__qualname__}>"


def _not_a_function(given):
    text = "jit takes a function defined with def, not "
    if not hasattr(given, "__code__"):
        return f"{text}{given!r}\nhelp: @asc2.jit stands above def kernel(...):"
    code = given.__code__
    return (
        f"{text}the lambda at {code.co_filename}:{code.co_firstlineno}\n"
        "help: give it a name and statements: @asc2.jit above def kernel(...):"
    )


def make_jit(defaults):
    """The decorator with these default options, usable with and without parentheses."""

    def jit(fn=None, *, source=None, **options):
        """Makes a kernel of a function: `@jit`, or `@jit(opt_level=1)` with options (docs/options.md).

        `source` is the text the function was compiled from, for code that is in no file and no notebook's cell.
        """
        __tracebackhide__ = True  # of pytest
        if fn is None:
            _tilesmith.check_options(options)
            return lambda function: jit(function, source=source, **options)
        if not hasattr(fn, "__code__") or fn.__name__ == "<lambda>":
            raise TypeError(_not_a_function(fn))
        return JITFunction(fn, source=source, **(defaults | options))

    return jit


jit = make_jit({})


class MockTensor:
    """Stands for an array of a dtype when a kernel is compiled but not launched."""

    def __init__(self, dtype: DataType) -> None:
        self.dtype = dtype

    @property
    def __tilesmith_mock__(self):
        return True, str(self.dtype)


class MockValue:
    """Stands for a scalar of a dtype when a kernel is compiled but not launched."""

    def __init__(self, dtype: DataType) -> None:
        self.dtype = dtype

    @property
    def __tilesmith_mock__(self):
        return False, str(self.dtype)
