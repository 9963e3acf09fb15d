"""What programs do with tensors around kernels."""

from pypto._types import DataType, Tensor, TileOpFormat
from pypto.error import fe


def from_torch(tensor, name="", *, dynamic_axis=None, tensor_format=None, dtype=None):
    """A tensor bound to the data of a torch tensor, which a kernel takes like that."""
    if not tensor.is_contiguous():
        raise fe("not all tensors are contiguous")
    text = str(tensor.dtype).removeprefix("torch.")
    known = {member.element.name: member for member in DataType if member.name not in ("DT_HF4", "DT_BOTTOM")}
    found = dtype or known.get("int1" if text == "bool" else text)
    shape = list(tensor.shape) or [1]
    return Tensor(
        shape, found, name, tensor_format or TileOpFormat.TILEOP_ND, data=tensor.reshape(shape) if not tensor.dim() else tensor
    )
