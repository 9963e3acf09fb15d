"""Types and tools of the language."""

from asc.language.core.constexpr import ConstExpr
from asc.language.core.dtype import *  # noqa: F403
from asc.language.core.dtype import __all__ as _dtypes
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

property = property  # attributes of host objects are read while compiling, so Python's own does

__all__ = [
    "ConstExpr",
    "GlobalAddress",
    "PlainValue",
    "array",
    "ceildiv",
    "device_print",
    "get_block_idx",
    "get_block_num",
    "inline",
    "number",
    "property",
    "range",
    "static_assert",
    "static_range",
    *_dtypes,
]
