"""Arrays that are not there: a shape and a dtype, for launches that touch no data."""

from __future__ import annotations

import math
import operator
from itertools import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Each placeholder gets an address of its own where no process has memory: it overlaps nothing but itself.
_SPAN = 1 << 44
_numbers = count(1)


def _dtype_name(dtype):
    """'float16' of a name, a dtype of asc, numpy or torch, or numpy's scalar type."""
    if isinstance(dtype, type):
        return dtype.__name__
    return str(getattr(dtype, "name", dtype)).removeprefix("torch.")


class Placeholder:
    """An array of this shape and dtype without memory. It can be launched dry (`asc.profile(dry=True)`) and tuned, not run."""

    def __init__(self, shape: int | tuple[int, ...] | list[int], dtype: Any) -> None:
        from asc.language.core import dtype as types

        name = _dtype_name(dtype)
        known = getattr(types, {"bool": "bool_"}.get(name, name), None)
        if not isinstance(known, types.DataType):
            raise TypeError(f"a placeholder needs the dtype of its elements, such as 'float16', not {dtype!r}")
        try:
            self.shape = tuple(map(operator.index, shape)) if hasattr(shape, "__iter__") else (operator.index(shape),)
        except TypeError:
            raise TypeError(f"a placeholder needs a shape, such as (4096, 4096), not {shape!r}") from None
        if any(extent < 0 for extent in self.shape):
            raise ValueError(f"a placeholder cannot have a negative extent: {self.shape}")
        self.dtype = dtype if not isinstance(dtype, str) else known
        self.size = math.prod(self.shape)
        self.itemsize = max(1, known.sizeof())
        if self.nbytes >= _SPAN:
            raise ValueError(f"a placeholder of {self.nbytes} bytes is larger than any device memory")
        self._known, self._address = known, (1 << 63) + (next(_numbers) % (1 << 18)) * _SPAN

    @property
    def nbytes(self) -> int:
        """Bytes the array would have."""
        return self.size * self.itemsize

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    def numel(self) -> int:
        """The number of elements, as torch calls it."""
        return self.size

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of a placeholder without dimensions")
        return self.shape[0]

    @property
    def __tilesmith_placeholder__(self):
        return self._address, self.nbytes, str(self._known)

    def __repr__(self) -> str:
        return f"placeholder({self.shape}, {self._known})"


def placeholder(shape: int | tuple[int, ...] | list[int], dtype: Any) -> Placeholder:
    """An array that is not there: a shape and a dtype (a name, or a dtype of asc, numpy or torch), and no memory.

    Kernels can be launched dry on it, and tuned: `with asc.profile(dry=True) as p: kernel[8](asc2.placeholder((8192, 8192), "float16"), ...)`.
    """
    return Placeholder(shape, dtype)


def placeholder_like(array: Any) -> Placeholder:
    """A placeholder of the shape and dtype of an array."""
    return Placeholder(tuple(array.shape), array.dtype)
