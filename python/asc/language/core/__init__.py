"""Types and tools of the language."""

from asc.language.core.constexpr import ConstExpr
from asc.language.core.dtype import (bfloat16, DataType, double, float16, float32, float64, float_, half, int16, int32, int64,
                                     int8, int_, uint16, uint32, uint64, uint8, void)
from asc.language.core.ir_value import GlobalAddress, PlainValue
from asc.language.core.ops import (array, ceildiv, device_print, get_block_idx, get_block_num, inline, number, range,
                                   static_assert, static_range)

property = property  # attributes of host objects are read while compiling, so Python's own does

__all__ = [
    "ConstExpr", "DataType", "GlobalAddress", "PlainValue", "array", "bfloat16", "ceildiv", "device_print", "double", "float16",
    "float32", "float64", "float_", "get_block_idx", "get_block_num", "half", "inline", "int16", "int32", "int64", "int8",
    "int_", "number", "property", "range", "static_assert", "static_range", "uint16", "uint32", "uint64", "uint8", "void",
]
