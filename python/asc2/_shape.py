"""Shapes, creation, reductions and matrix products."""

from asc._builtin import builtin


@builtin("asc2.broadcast_to")
def broadcast_to(input, *shape):
    """Repeats dimensions of size 1, aligned from the right."""


@builtin("asc2.reshape")
def reshape(input, *shape):
    """The same elements in another shape."""


@builtin("asc2.ravel")
def ravel(input):
    """The elements as one dimension."""


@builtin("asc2.expand_dims")
def expand_dims(input, *axis):
    """Inserts dimensions of size 1."""


@builtin("asc2.squeeze")
def squeeze(input, *axis):
    """Drops the given dimensions of size 1, or all of them."""


@builtin("asc2.full")
def full(shape, value, dtype=None, location=None):
    """A tile of one value: int32 or float32 by the value's type, unless a dtype is given."""


@builtin("asc2.full_like")
def full_like(input, value, location=None):
    """A tile of one value, with shape and dtype of another tile."""


@builtin("asc2.zeros")
def zeros(shape, dtype=None, location=None):
    """A tile of zeros, int32 unless a dtype is given."""


@builtin("asc2.zeros_like")
def zeros_like(input, location=None):
    """A tile of zeros, with shape and dtype of another tile."""


@builtin("asc2.concat")
def concat(*tiles):
    """Tiles joined along the first dimension."""


@builtin("asc2.reduce_sum")
def reduce_sum(input, *dims, keep_dims=False):
    """The sum over the given dimensions, as a tile; over all elements without dimensions, as a runtime number."""


@builtin("asc2.reduce_max")
def reduce_max(input, *dims, keep_dims=False):
    """The maximum over the given dimensions, as a tile; over all elements without dimensions, as a runtime number."""


@builtin("asc2.reduce_min")
def reduce_min(input, *dims, keep_dims=False):
    """The minimum over the given dimensions, as a tile; over all elements without dimensions, as a runtime number."""


@builtin("asc2.reduce_prod")
def reduce_prod(input, *dims, keep_dims=False):
    """The product over the given dimensions, as a tile."""


@builtin("asc2.zeros_acc")
def zeros_acc(shape, dtype):
    """An accumulator for `matmul_acc`: zeros in L0C, float32."""


@builtin("asc2.matmul")
def matmul(input, other, acc=None):
    """The matrix product, float32 in L0C; also `@`."""


@builtin("asc2.matmul_acc")
def matmul_acc(input, other, acc):
    """Adds the matrix product to an accumulator made by `zeros_acc`."""
