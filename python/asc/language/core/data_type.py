"""What an element type is; dtype.py, which is made from the instruction table, names them all."""

from __future__ import annotations

from typing import ClassVar


class DataType:
    """An element type, such as `asc.float16`. Two are equal if their names are."""

    __slots__ = ("name", "kind", "bitwidth", "cpp_name")
    known: ClassVar[dict[str, tuple[str, int, str]]] = {}  # name: (kind, bits, name in Ascend C)

    def __init__(self, name: str) -> None:
        if name not in self.known:
            raise ValueError(f"unknown dtype {name!r}; there are {', '.join(self.known)}")
        self.name = name
        self.kind, self.bitwidth, self.cpp_name = self.known[name]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DataType):
            return NotImplemented  # another language's may know what it equals
        return self.name == other.name

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
        """Whether it is not a type of values at all."""
        return self.kind == "void"

    def sizeof(self) -> int:
        """Bytes of one element."""
        if self.bitwidth == 0 or self.bitwidth % 8:
            raise ValueError(f"{self.name} does not take whole bytes")
        return self.bitwidth // 8
