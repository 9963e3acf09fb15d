"""Types and tools of the language."""

from asc.language.core.constexpr import ConstExpr
from asc.language.core.dtype import *  # noqa: F403
from asc.language.core.dtype import __all__ as _dtypes
from asc.language.core.enums import *  # noqa: F403
from asc.language.core.enums import __all__ as _enums
from asc.language.core.ir_value import GlobalAddress, PlainValue
from asc.language.core.ops import (
    array,
    ceildiv,
    device_print,
    get_block_idx,
    get_block_num,
    inline,
    number,
    range,
    static_assert,
    static_range,
)
from asc.language.core.tensor import GlobalTensor, ListTensorDesc, LocalMemAllocator, LocalTensor, LocalTensorAuto, TensorDesc
from asc.language.core.types import CFG_NZ, CFG_ROW_MAJOR, FixpipeConfig

__all__ = [
    "CFG_NZ",
    "CFG_ROW_MAJOR",
    "ConstExpr",
    "FixpipeConfig",
    "GlobalAddress",
    "GlobalTensor",
    "ListTensorDesc",
    "LocalMemAllocator",
    "LocalTensor",
    "LocalTensorAuto",
    "PlainValue",
    "TensorDesc",
    "array",
    "ceildiv",
    "device_print",
    "get_block_idx",
    "get_block_num",
    "inline",
    "number",
    "range",
    "static_assert",
    "static_range",
    *_dtypes,
    *_enums,
]
