"""Element types."""

_KINDS = {
    "void": ("void", 0),
    "int1": ("int", 1), "int8": ("int", 8), "int16": ("int", 16), "int32": ("int", 32), "int64": ("int", 64),
    "uint8": ("uint", 8), "uint16": ("uint", 16), "uint32": ("uint", 32), "uint64": ("uint", 64),
    "float16": ("float", 16), "bfloat16": ("float", 16), "float32": ("float", 32), "float64": ("float", 64),
}


class DataType:
    """An element type, such as `asc.float16`. Two are equal if their names are."""

    __slots__ = ("name", "kind", "bitwidth")

    def __init__(self, name: str) -> None:
        if name not in _KINDS:
            raise ValueError(f"unknown dtype {name!r}; there are {', '.join(_KINDS)}")
        self.name = name
        self.kind, self.bitwidth = _KINDS[name]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DataType) and self.name == other.name

    def __hash__(self) -> int:
        return hash(("DataType", self.name))

    def __str__(self) -> str:
        return self.name

    def __repr__(self):
        return f"asc.{self.name}"

    def __reduce__(self):
        return DataType, (self.name,)

    def is_int(self) -> bool:
        """Whether it is an integer type, signed or not."""
        return self.kind in ("int", "uint")

    def is_float(self) -> bool:
        """Whether it is a floating-point type."""
        return self.kind == "float"

    def is_numeric(self) -> bool:
        """Whether it is a type of numbers."""
        return self.kind != "void"

    def is_signed(self) -> bool:
        """Whether it has negative numbers."""
        return self.kind in ("int", "float")

    def is_unsigned(self) -> bool:
        """Whether it is an integer type without negative numbers."""
        return self.kind == "uint"

    def is_void(self) -> bool:
        """Whether it is no type of values at all."""
        return self.kind == "void"

    def sizeof(self) -> int:
        """Bytes of one element."""
        if self.bitwidth == 0 or self.bitwidth % 8:
            raise ValueError(f"{self.name} does not take whole bytes")
        return self.bitwidth // 8


void = DataType("void")
int1 = bit = DataType("int1")
int8 = bool_ = DataType("int8")
int16 = DataType("int16")
int32 = int_ = DataType("int32")
int64 = DataType("int64")
uint8 = DataType("uint8")
uint16 = DataType("uint16")
uint32 = DataType("uint32")
uint64 = DataType("uint64")
float16 = half = DataType("float16")
bfloat16 = DataType("bfloat16")
float32 = float_ = DataType("float32")
float64 = double = DataType("float64")
