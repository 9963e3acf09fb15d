"""Values known while a kernel is compiled."""

from typing import Any, Generic, TypeVar

T = TypeVar("T")


class ConstExpr(Generic[T]):
    """As an annotation, `ConstExpr` or `ConstExpr[int]`: the parameter is a constant of the compilation. As an object,
    `ConstExpr(4)`: that constant; it shows and formats as its value."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = ConstExpr.unwrap(value)

    @staticmethod
    def unwrap(value: Any) -> Any:
        """The value of a ConstExpr; anything else as it is."""
        return value.value if isinstance(value, ConstExpr) else value

    def __repr__(self):
        return f"ConstExpr({self.value!r})"

    def __str__(self) -> str:
        return str(self.value)

    def __format__(self, spec: str) -> str:
        return format(self.value, spec)

    def __eq__(self, other: object) -> bool:
        return self.value == ConstExpr.unwrap(other)

    def __hash__(self) -> int:
        return hash(self.value)
