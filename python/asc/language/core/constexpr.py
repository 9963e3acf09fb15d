"""Values known while a kernel is compiled."""

from typing import Generic, TypeVar

T = TypeVar("T")


class ConstExpr(Generic[T]):
    """As an annotation, `ConstExpr` or `ConstExpr[int]`: the parameter is a constant of the compilation. As an object,
    `ConstExpr(4)`: that constant; it shows and formats as its value."""

    __slots__ = ("value",)

    def __init__(self, value):
        self.value = ConstExpr.unwrap(value)

    @staticmethod
    def unwrap(value):
        """The value of a ConstExpr; anything else as it is."""
        return value.value if isinstance(value, ConstExpr) else value

    def __repr__(self):
        return f"ConstExpr({self.value!r})"

    def __str__(self):
        return str(self.value)

    def __format__(self, spec):
        return format(self.value, spec)

    def __eq__(self, other):
        return self.value == ConstExpr.unwrap(other)

    def __hash__(self):
        return hash(self.value)
