"""Element types, dimensions, tensors as annotations, and the enumerations programs name."""

import enum

from asc._builtin import Builtin
from asc.language.core.dtype import DataType as _Element

_ELEMENTS = {
    "DT_FP16": "float16",
    "DT_BF16": "bfloat16",
    "DT_FP32": "float32",
    "DT_DOUBLE": "float64",
    "DT_INT4": "int4",
    "DT_INT8": "int8",
    "DT_INT16": "int16",
    "DT_INT32": "int32",
    "DT_INT64": "int64",
    "DT_UINT8": "uint8",
    "DT_UINT16": "uint16",
    "DT_UINT32": "uint32",
    "DT_UINT64": "uint64",
    "DT_BOOL": "int1",
    "DT_FP8": "float8_e4m3fn",
    "DT_FP8E4M3": "float8_e4m3fn",
    "DT_FP8E5M2": "float8_e5m2",
    "DT_FP8E8M0": "float8_e8m0fnu",
    "DT_HF8": "hifloat8",
    "DT_FP4_E2M1": "float4_e2m1",
    "DT_FP4_E2M1X2": "float4_e2m1",
    "DT_FP4_E1M2": "float4_e1m2",
    "DT_FP4_E1M2X2": "float4_e1m2",
}


class DataType(enum.Enum):
    """An element type; also as `pypto.DT_FP32`."""

    DT_FP16 = "DT_FP16"
    DT_BF16 = "DT_BF16"
    DT_FP32 = "DT_FP32"
    DT_DOUBLE = "DT_DOUBLE"
    DT_INT4 = "DT_INT4"
    DT_INT8 = "DT_INT8"
    DT_INT16 = "DT_INT16"
    DT_INT32 = "DT_INT32"
    DT_INT64 = "DT_INT64"
    DT_UINT8 = "DT_UINT8"
    DT_UINT16 = "DT_UINT16"
    DT_UINT32 = "DT_UINT32"
    DT_UINT64 = "DT_UINT64"
    DT_BOOL = "DT_BOOL"
    DT_FP8 = "DT_FP8"
    DT_FP8E4M3 = "DT_FP8E4M3"
    DT_FP8E5M2 = "DT_FP8E5M2"
    DT_FP8E8M0 = "DT_FP8E8M0"
    DT_HF4 = "DT_HF4"
    DT_HF8 = "DT_HF8"
    DT_FP4_E2M1 = "DT_FP4_E2M1"
    DT_FP4_E2M1X2 = "DT_FP4_E2M1X2"
    DT_FP4_E1M2 = "DT_FP4_E1M2"
    DT_FP4_E1M2X2 = "DT_FP4_E1M2X2"
    DT_BOTTOM = "DT_BOTTOM"

    @property
    def element(self):
        """The type as the compiler knows it."""
        return _Element(_ELEMENTS[self.name])

    def __eq__(self, other):
        if isinstance(other, _Element):
            return _ELEMENTS.get(self.name) == other.name
        return self is other

    def __hash__(self):
        return hash(self.name)

    def __repr__(self):
        return f"DataType.{self.name}"


def bytes_of(dtype):
    """Bytes of one element."""
    return max(1, dtype.element.bitwidth // 8)


class StatusType(enum.Enum):
    """How a dimension of a tensor is known."""

    DYNAMIC = "DYNAMIC"
    STATIC = "STATIC"


DYNAMIC = DYN = StatusType.DYNAMIC
STATIC = StatusType.STATIC


class TileOpFormat(enum.Enum):
    """How a matrix lies in memory: row by row, or in fractals."""

    TILEOP_ND = 0
    TILEOP_NZ = 1


class CastMode(enum.Enum):
    """How a conversion rounds."""

    CAST_NONE = 0
    CAST_RINT = 1
    CAST_ROUND = 2
    CAST_FLOOR = 3
    CAST_CEIL = 4
    CAST_TRUNC = 5
    CAST_ODD = 6


class SaturationMode(enum.Enum):
    """What a conversion does with what its target cannot hold."""

    OFF = 0
    ON = 1


class PrecisionType(enum.Enum):
    """Accepted; both compute as exactly as the chip can."""

    INTRINSIC = 0
    HIGH_PRECISION = 1


class ReLuType(enum.Enum):
    """What follows a product."""

    NO_RELU = 0
    RELU = 1


class TopKAlgo(enum.Enum):
    """How the largest elements are found."""

    MERGE_SORT = 0
    RADIX_SELECT = 1


class CompStage(enum.IntEnum):
    """Where compiling stops."""

    ALL_COMPLETE = 0
    TENSOR_GRAPH = 1
    TILE_GRAPH = 2
    EXECUTE_GRAPH = 3
    CODEGEN_INSTRUCTION = 4
    CODEGEN_BINARY = 5


class RunMode(enum.IntEnum):
    """Where kernels run; here both are the model of the chip."""

    NPU = 0
    SIM = 1


class Element:
    """A number with an element type."""

    def __init__(self, dtype, value):
        self.dtype, self.value = dtype, value

    def __tilesmith_state__(self):
        return self.dtype.name, self.value


class SymbolicScalar:
    """An integer that only the launch tells; inside a kernel `pypto.SymbolicScalar(n)` is n."""

    __tilesmith_name__ = "pypto.SymbolicScalar"
    tenary = Builtin("pypto.tenary", lambda condition, a, b: a if condition else b, True, ())


class _Annotation(type):
    """Tensor[[...], dtype, format]: in any order."""

    def __getitem__(cls, given):
        given = given if isinstance(given, tuple) else (given,)
        shape, dtype, keywords, dims = None, None, {}, []
        for item in given:
            if isinstance(item, DataType):
                dtype = item
            elif isinstance(item, dict):
                keywords.update(item)
            elif isinstance(item, TileOpFormat):
                keywords["format"] = item
            elif isinstance(item, (list, tuple)):
                shape = list(item)
            else:
                dims.append(item)
        keywords.setdefault("shape", shape if shape is not None else dims or None)
        keywords.setdefault("dtype", dtype)
        return cls(**keywords)


class Tensor(metaclass=_Annotation):
    """A tensor: as the annotation of a parameter, and the values kernels compute with."""

    __tilesmith_name__ = "pypto.Tensor"

    def __init__(self, shape=None, dtype=None, name="", format=None, data=None):
        self.dims = None if shape is None or len(shape) == 0 else tuple(shape)
        self.dtype, self.name, self.format, self.data = dtype, name, format or TileOpFormat.TILEOP_ND, data

    @property
    def shape(self):
        """Its dimensions."""
        return list(self.data.shape) if self.data is not None else list(self.dims or ())

    @property
    def dim(self):
        """How many dimensions it has."""
        return len(self.shape)

    def __repr__(self):
        return f"Tensor({list(self.dims or ())}, {self.dtype})"


tensor = Tensor
