"""Structs that the host fills and kernels read: a tiling, a set of sizes.

    class Sizes(Struct):
        rows = Field(asc.int32, 1)
        scale = Field(asc.float32)

A kernel sees the values of the struct it is launched with as constants: other values compile it again.
"""

from __future__ import annotations

import ctypes

_CTYPES = {
    "int8": ctypes.c_int8, "int16": ctypes.c_int16, "int32": ctypes.c_int32, "int64": ctypes.c_int64,
    "uint8": ctypes.c_uint8, "uint16": ctypes.c_uint16, "uint32": ctypes.c_uint32, "uint64": ctypes.c_uint64,
    "float32": ctypes.c_float, "float64": ctypes.c_double, "int1": ctypes.c_bool,
}  # fmt: skip


class Field:
    """A field of a struct: its type, its default, its name in C++, the enumeration its values are of."""

    def __init__(self, dtype=None, default=None, name=None, enum=None):
        self.dtype, self.default, self.name, self.enum = dtype, default, name, enum

    def initial(self):
        return 0 if self.default is None else self.default

    def ctype(self):
        name = getattr(self.dtype, "name", str(self.dtype))
        if name not in _CTYPES:
            raise TypeError(f"a field of a struct cannot be of {name}: numbers of 8 to 64 bits are")
        return _CTYPES[name]


class StructField(Field):
    """A field that is a struct itself."""

    def __init__(self, struct, name=None):
        super().__init__(struct, None, name)

    def initial(self):
        return self.dtype()

    def ctype(self):
        return self.dtype._layout()


class Struct:
    """Base of structs given to kernels. `class T(Struct, pack=8)` aligns fields to at most 8 bytes."""

    _fields: dict[str, Field] = {}
    _pack = 8
    _raw: ctypes.Structure

    def __init_subclass__(cls, pack=8, **keywords):
        super().__init_subclass__(**keywords)
        own = {name: value for name, value in vars(cls).items() if isinstance(value, Field)}
        cls._fields = {**cls._fields, **own}
        cls._pack = pack
        cls._ctype = None
        for name in own:
            delattr(cls, name)

    def __init__(self, **values):
        unknown = sorted(set(values) - set(self._fields))
        if unknown:
            raise TypeError(f"{type(self).__name__} has no field {unknown[0]!r}; its fields are {', '.join(self._fields)}")
        for name, field in self._fields.items():
            setattr(self, name, values[name] if name in values else field.initial())

    def __setattr__(self, name, value):
        if name[0] != "_" and name not in self._fields:
            raise AttributeError(f"{type(self).__name__} has no field {name!r}; its fields are {', '.join(self._fields)}")
        object.__setattr__(self, name, value)

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self._fields)})"

    def __eq__(self, other):
        return type(self) is type(other) and self.__tilesmith_state__() == other.__tilesmith_state__()

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def _layout(cls):
        """The struct as C lays it out."""
        if cls.__dict__.get("_ctype") is None:
            members = [(name, field.ctype()) for name, field in cls._fields.items()]
            cls._ctype = type(f"{cls.__name__}_", (ctypes.Structure,), {"_pack_": cls._pack, "_fields_": members})
        return cls._ctype

    def _filled(self):
        raw = self._layout()()
        for name in self._fields:
            value = getattr(self, name)
            setattr(
                raw,
                name,
                value._filled() if isinstance(value, Struct) else float(value) if isinstance(value, float) else int(value),
            )
        return raw

    def pack(self) -> bytes:
        """The bytes of the struct, as C lays it out."""
        return bytes(self._filled())

    def addressof(self) -> int:
        """The address of a copy of those bytes, which lives as long as the struct."""
        object.__setattr__(self, "_raw", self._filled())
        return ctypes.addressof(self._raw)

    @property
    def __tilesmith_fields__(self):
        """What a kernel has a copy of."""
        return tuple(self._fields)

    def __tilesmith_state__(self):
        """What a compilation depends on."""
        values = [getattr(self, name) for name in self._fields]
        values = [value.__tilesmith_state__() if isinstance(value, Struct) else float(value) if isinstance(value, float) else int(value)
                  for value in values]  # fmt: skip
        return (f"{type(self).__module__}.{type(self).__qualname__}", tuple(self._fields), tuple(values))
