"""What the language says about values: element types, constants, classes of values."""

from asc.language.core.constexpr import ConstExpr
from asc.language.core.data_type import DataType


class dtype(DataType):
    """An element type, such as `tl.float32`."""

    __slots__ = ()

    def __init__(self, name):
        super().__init__(_LONG.get(name, name))

    @property
    def primitive_bitwidth(self):
        """Bits of an element."""
        return self.bitwidth

    int_bitwidth = itemsize_bits = primitive_bitwidth

    @property
    def itemsize(self):
        """Bytes of an element in memory."""
        return max(self.bitwidth // 8, 1)

    @property
    def scalar(self):
        """Itself."""
        return self

    element_ty = scalar

    def is_floating(self):
        """Whether it is a floating-point type."""
        return self.is_float()

    def is_standard_floating(self):
        """Whether it is float16, bfloat16 or float32."""
        return self.name in ("float16", "bfloat16", "float32")

    def is_int(self):
        """Whether it is an integer type, truth values included."""
        return self.kind in ("int", "uint")

    def is_int_signed(self):
        """Whether it is an integer type with negative numbers."""
        return self.kind == "int" and self.name != "int1"

    def is_int_unsigned(self):
        """Whether it is an integer type without negative numbers."""
        return self.kind == "uint" or self.name == "int1"

    def is_bool(self):
        """Whether it is the type of truth values."""
        return self.name == "int1"

    def is_ptr(self):
        """Whether it is a type of pointers."""
        return False

    def is_fp8(self):
        """Whether it is a floating-point type of 8 bits."""
        return self.name.startswith("float8")

    def is_fp64(self):
        """Whether it is float64."""
        return self.name == "float64"

    def is_block(self):
        """Whether it is a type of tiles."""
        return False

    def to(self, other):
        """Not a value: there is nothing to convert."""
        raise TypeError(f"{self} is a type")

    def __repr__(self):
        return f"tl.{self.name}"

    def __reduce__(self):
        return dtype, (self.name,)


_LONG = {
    "fp16": "float16", "bf16": "bfloat16", "fp32": "float32", "i1": "int1", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
    "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64",
}  # fmt: skip
_SHORT = {long: short for short, long in _LONG.items()}


def _is(short):
    def ask(self):
        return _SHORT.get(self.name) == short

    ask.__doc__ = f"Whether it is {_LONG[short]}."
    return ask


for _short in _LONG:
    _name = f"is_{'int' + _short[1:] if _short[0] == 'i' else 'uint' + _short[1:] if _short[0] == 'u' else _short}"
    setattr(dtype, _name, _is(_short))


class pointer_type:
    """The type of pointers to elements of a type."""

    def __init__(self, element_ty):
        self.element_ty = element_ty

    @property
    def scalar(self):
        """Itself."""
        return self

    def is_ptr(self):
        """It is a type of pointers."""
        return True

    def __getattr__(self, name):
        if name.startswith("is_"):
            return lambda: False
        raise AttributeError(name)

    def __eq__(self, other):
        return isinstance(other, pointer_type) and self.element_ty == other.element_ty

    def __hash__(self):
        return hash(("pointer", self.element_ty))

    def __repr__(self):
        return f"pointer<{self.element_ty}>"


class constexpr(ConstExpr):
    """As an annotation: the parameter is a constant of the compilation. As an object, `constexpr(4)`: that constant."""

    __slots__ = ()
    __tilesmith_name__ = "triton.constexpr"

    __hash__ = ConstExpr.__hash__

    def __index__(self):
        return self.value.__index__()

    def __int__(self):
        return int(self.value)

    def __float__(self):
        return float(self.value)

    def __bool__(self):
        return bool(self.value)


def _operator(name):
    def apply(self, *others):
        result = getattr(self.value, name)(*map(ConstExpr.unwrap, others))
        return result if result is NotImplemented else constexpr(result)

    return apply


for _name in "add sub mul truediv floordiv mod pow lshift rshift and or xor".split():
    setattr(constexpr, f"__{_name}__", _operator(f"__{_name}__"))
    setattr(constexpr, f"__r{_name}__", _operator(f"__r{_name}__"))
for _name in "neg pos invert".split():
    setattr(constexpr, f"__{_name}__", _operator(f"__{_name}__"))
for _name in "lt le gt ge".split():
    setattr(
        constexpr, f"__{_name}__", lambda self, other, _name=f"__{_name}__": getattr(self.value, _name)(ConstExpr.unwrap(other))
    )


class tensor:
    """A value of the language: a tile or a number."""

    __tilesmith_name__ = "triton.tensor"


class PropagateNan:
    """What extremes do with NaN."""

    NONE = "PropagateNan.NONE"
    ALL = "PropagateNan.ALL"
