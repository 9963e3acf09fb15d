"""Struct arguments of `asc` kernels. Kernels here take scalars and arrays; a struct is refused with words, not silently."""

_ADVICE = "struct arguments are not supported: pass each field as an argument of its own, or constants as asc.ConstExpr"


class Field:
    """A field of a struct: its type and default."""

    def __init__(self, dtype, default=None, name=None):
        self.dtype, self.default, self.name = dtype, default, name


StructField = Field


class Struct:
    """Base of structs given to kernels."""

    def __init__(self, *args, **kwargs):
        raise NotImplementedError(f"{type(self).__name__}: {_ADVICE}")
