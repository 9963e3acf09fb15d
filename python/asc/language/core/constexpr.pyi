# Made by tools/stubs.py. Signatures and texts are in asc/language/core/constexpr.py.

from typing import Annotated, TypeVar

T = TypeVar("T")

ConstExpr = Annotated[T, "known while compiling"]
"""As an annotation, `ConstExpr` or `ConstExpr[int]`: the parameter is a constant of the compilation. As an object,
`ConstExpr(4)`: that constant; it shows and formats as its value."""
