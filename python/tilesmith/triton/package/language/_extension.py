"""Functions of triton-ascend's extension that are written in the language: parts of arrays by indices."""

from tilesmith.triton.package._jit import jit
from tilesmith.triton.package.language import _operations as tl
from tilesmith.triton.package.language._types import constexpr, dtype

__all__ = ["gather_out_to_ub", "index_put", "index_select_simd", "indirect_load", "indirect_store", "scatter_ub_to_out"]

int32, int1 = dtype("int32"), dtype("int1")


@jit
def counted(size: constexpr, dim: constexpr, rank: constexpr):
    """0, 1, ... along one of several dimensions."""
    tl.static_assert(rank <= 4, "indices have at most 4 dimensions here")
    if rank == 1:
        shape: constexpr = (size,)
    elif rank == 2:
        shape: constexpr = (size if dim == 0 else 1, size if dim == 1 else 1)
    elif rank == 3:
        shape: constexpr = (size if dim == 0 else 1, size if dim == 1 else 1, size if dim == 2 else 1)
    else:
        shape: constexpr = (size if dim == 0 else 1, size if dim == 1 else 1, size if dim == 2 else 1, size if dim == 3 else 1)
    return tl.reshape(tl.arange(0, size), shape)


@jit
def places(index, index_boundary, dim: constexpr, stride, end_offset, start_offset):
    """Where the elements lie whose place along `dim` an index says, and which of them exist."""
    rank: constexpr = len(index.shape)
    address = tl.cast(index, int32) * stride[dim]
    exists = (index >= 0) & (index < index_boundary)
    for d in tl.static_range(rank):
        at = counted(index.shape[d], d, rank) + start_offset[d]
        exists = exists & (at < end_offset[d])
        if d != dim:
            address = address + at * stride[d]
    return address, exists


@jit
def gather_out_to_ub(src, index, index_boundary, dim: constexpr, src_stride, end_offset, start_offset, other=None):
    """Elements of an array; `index` says where they lie along `dim`, the place in the index tile where along the others."""
    address, exists = places(index, index_boundary, dim, src_stride, end_offset, start_offset)
    if other is None:
        return tl.load(src + address, mask=exists)
    else:
        return tl.load(src + address, mask=exists, other=other)


@jit
def scatter_ub_to_out(ptr, value, index, index_boundary, dim: constexpr, dst_stride, end_offset, start_offset):
    """Writes elements; `index` says where they go along `dim`, the place in the index tile where along the others."""
    address, exists = places(index, index_boundary, dim, dst_stride, end_offset, start_offset)
    tl.store(ptr + address, value, mask=exists)


@jit
def index_put(ptr, index, value, dim: constexpr, index_boundary, end_offset, start_offset, dst_stride):
    """Writes parts of an array; an index of one dimension says where each goes along `dim`."""
    rank: constexpr = len(value.shape)
    along = tl.broadcast_to(counted(1, dim, rank) + indexed_along(index, dim, rank), value.shape)
    address, exists = places(along, index_boundary, dim, dst_stride, end_offset, start_offset)
    tl.store(ptr + address, value, mask=exists)


@jit
def indexed_along(index, dim: constexpr, rank: constexpr):
    """A tile of one dimension as one of several that goes along one of them."""
    size: constexpr = index.shape[0]
    if rank == 1:
        return index
    elif rank == 2:
        return tl.reshape(index, (size if dim == 0 else 1, size if dim == 1 else 1))
    else:
        tl.static_assert(rank == 3, "indices have at most 3 dimensions here")
        return tl.reshape(index, (size if dim == 0 else 1, size if dim == 1 else 1, size if dim == 2 else 1))


@jit
def index_select_simd(src, dim: constexpr, index, src_shape, src_offset, read_shape):
    """Parts of an array: those that an index of one dimension names along `dim`, from `src_offset` on in the others."""
    rank: constexpr = len(src_shape)
    named = indexed_along(tl.cast(index, int32), dim, rank)
    exists = (named >= 0) & (named < src_shape[dim])
    address = named * 0
    for d in tl.static_range(rank):
        stride = 1
        for inner in tl.static_range(d + 1, rank):
            stride = stride * src_shape[inner]
        if d == dim:
            address = address + named * stride
        else:
            at = counted(read_shape[d], d, rank) + src_offset[d]
            address = address + at * stride
            exists = exists & (at < src_shape[d])
    return tl.load(src + address, mask=exists, other=0)


@jit
def indirect_load(src, offsets, mask=None, other=None):
    """Elements of an array by their offsets."""
    return tl.load(src + offsets, mask, other)


@jit
def indirect_store(src, offsets, value, mask=None):
    """Writes elements of an array by their offsets."""
    tl.store(src + offsets, value, mask)
