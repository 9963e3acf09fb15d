"""Types and tools of the language."""

from asc.language.core.constexpr import ConstExpr
from asc.language.core.dtype import (bfloat16, DataType, double, float16, float32, float64, float_, half, int16, int32, int64,
                                     int8, int_, uint16, uint32, uint64, uint8, void)
from asc.language.core.ir_value import GlobalAddress, PlainValue
from asc.language.core.ops import (ceildiv, get_block_idx, get_block_num, number, range, static_assert, static_range)

__all__ = [
    "ConstExpr", "DataType", "GlobalAddress", "PlainValue", "bfloat16", "ceildiv", "double", "float16", "float32", "float64",
    "float_", "get_block_idx", "get_block_num", "half", "int16", "int32", "int64", "int8", "int_", "number", "range",
    "static_assert", "static_range", "uint16", "uint32", "uint64", "uint8", "void",
]
