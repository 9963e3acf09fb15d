"""Enumerations of the tilings."""

from enum import IntEnum

from asc.language.core.enums import ScheduleType as ScheduleType
from asc.language.core.enums import TPosition as TPosition


class CubeFormat(IntEnum):
    """Layouts of matrices."""

    ND = 0
    NZ = 1
    ZN = 2
    ZZ = 3
    NN = 4
    ND_ALIGN = 5
    SCALAR = 6
    VECTOR = 7
    ROW_MAJOR = 8
    COLUMN_MAJOR = 9


class DataType(IntEnum):
    """Element types, as graphs number them."""

    DT_FLOAT = 0
    DT_FLOAT16 = 1
    DT_INT8 = 2
    DT_INT32 = 3
    DT_UINT8 = 4
    DT_INT16 = 6
    DT_UINT16 = 7
    DT_UINT32 = 8
    DT_INT64 = 9
    DT_UINT64 = 10
    DT_DOUBLE = 11
    DT_BOOL = 12
    DT_BF16 = 27
    DT_BFLOAT16 = 27
    DT_INT4 = 29


class DequantType(IntEnum):
    """Scales of a product of integers: one number, or one for each column."""

    SCALAR = 0
    TENSOR = 1


class MatrixMadType(IntEnum):
    """How the unit multiplies float32."""

    NORMAL = 0
    HF32 = 1
    MXMODE = 2


class MatrixTraverse(IntEnum):
    """Which way the tiles of the result are walked first."""

    NOSET = 0
    FIRSTM = 1
    FIRSTN = 2


BITS = {
    DataType.DT_FLOAT: 32, DataType.DT_FLOAT16: 16, DataType.DT_INT8: 8, DataType.DT_INT32: 32, DataType.DT_UINT8: 8, DataType.DT_INT16: 16,
    DataType.DT_UINT16: 16, DataType.DT_UINT32: 32, DataType.DT_INT64: 64, DataType.DT_UINT64: 64, DataType.DT_DOUBLE: 64, DataType.DT_BOOL: 8,
    DataType.DT_BF16: 16, DataType.DT_INT4: 4,
}  # fmt: skip
