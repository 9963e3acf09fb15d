"""Layouts of tensors that are not rows of elements: torch_npu's npu_format_cast and get_npu_format.

A tensor in FRACTAL_NZ lies in memory as kernels of the cube read it: its last two dimensions are cut into fractals of 16 rows of
32 bytes, column of fractals after column, and padded to whole ones. Read by torch it is the matrix it was.
"""

from __future__ import annotations

import enum
import weakref

import torch

from . import memory


class Format(enum.IntEnum):
    """Layouts by the vendor's numbers."""

    NCHW = 0
    NHWC = 1
    ND = 2
    FRACTAL_NZ = 29


_fractal: dict[int, torch.Size] = {}  # by the address of the storage: the matrices that are in it in FRACTAL_NZ


def _address(tensor):
    return tensor.untyped_storage().data_ptr()


def get_npu_format(tensor: torch.Tensor) -> int:
    """The number of a tensor's layout: 2 for rows of elements, 29 for FRACTAL_NZ."""
    if tensor.device.type != "npu":
        raise RuntimeError(f"get_npu_format takes a tensor of an npu, not of {tensor.device}")
    return int(Format.FRACTAL_NZ if is_fractal(tensor) else Format.ND)


def _fractals(matrix):
    """The elements of the last two dimensions in the order of FRACTAL_NZ, one after another."""
    rows, columns = matrix.shape[-2:]
    width = 32 // matrix.element_size()
    padded = torch.nn.functional.pad(matrix, (0, -columns % width, 0, -rows % 16))
    high, wide = padded.shape[-2] // 16, padded.shape[-1] // width
    cut = padded.reshape(*matrix.shape[:-2], high, 16, wide, width)
    order = [*range(matrix.dim() - 2), *(matrix.dim() - 2 + axis for axis in (2, 0, 1, 3))]
    return cut.permute(order).reshape(-1)


def _rows(shape, elements):
    """Matrices in FRACTAL_NZ as rows; `elements` are those of their storage."""
    rows, columns = shape[-2:]
    width = 32 // elements.element_size()
    high, wide = -(-rows // 16), -(-columns // width)
    cut = elements.reshape(*shape[:-2], wide, high, 16, width)
    first = len(shape) - 2
    order = [*range(first), *(first + axis for axis in (1, 2, 0, 3))]
    return cut.permute(order).reshape(*shape[:-2], high * 16, wide * width)[..., :rows, :columns]


def is_fractal(tensor: torch.Tensor) -> bool:
    """Whether the bytes of a tensor are in another order than torch thinks."""
    return bool(_fractal) and _address(tensor) in _fractal


def npu_format_cast(tensor: torch.Tensor, acl_format: int, customize_dtype=None) -> torch.Tensor:
    """The tensor in another layout: 2 (ND) or 29 (FRACTAL_NZ)."""
    if tensor.device.type != "npu":
        raise RuntimeError(f"npu_format_cast takes a tensor of an npu, not of {tensor.device}")
    try:
        wanted = Format(acl_format)
    except ValueError:
        known = ", ".join(f"{each.value} ({each.name})" for each in Format)
        raise ValueError(f"format {acl_format} is not known here; known are {known}") from None
    if wanted is not Format.FRACTAL_NZ:
        return tensor.cpu().to(tensor.device) if is_fractal(tensor) else tensor
    if is_fractal(tensor):
        return tensor
    if tensor.dim() < 2:
        raise ValueError(f"FRACTAL_NZ is a layout of matrices; this tensor has {tensor.dim()} dimensions")
    elements = _fractals(tensor.detach().cpu())
    with torch.no_grad():
        whole = elements.to(tensor.device)
        cast = torch.as_strided(whole, tensor.shape, torch.empty(tensor.shape, device="meta").stride())
    address = _address(whole)
    _fractal[address] = tensor.shape
    weakref.finalize(whole.untyped_storage(), _fractal.pop, address, None).atexit = False
    return cast


def npu_format_cast_(tensor: torch.Tensor, acl_format: int) -> torch.Tensor:
    """The same in place."""
    cast = npu_format_cast(tensor, acl_format)
    if cast is not tensor:
        tensor.data = cast
    return tensor


def host_rows(tensor: torch.Tensor) -> torch.Tensor:
    """A tensor in FRACTAL_NZ as the host reads it: a copy, so that writing it would be lost; writers refuse it."""
    storage = tensor.untyped_storage()
    count = storage.nbytes() // tensor.element_size()
    whole = memory.look_again(memory.empty([0], [1], tensor.dtype, tensor.device.index), storage, 0, [count], [1])
    rows = _rows(_fractal[_address(tensor)], memory.host_view(whole, raw=True)).contiguous()
    return torch.as_strided(rows, tensor.size(), tensor.stride(), tensor.storage_offset())
