"""Enumerations of Ascend C that no instruction has as an operand. Those of the instruction table are in asc.language.basic.types."""

from enum import IntEnum


class TPosition(IntEnum):
    """Where a tensor lies, in the words of the framework."""

    GM = 0
    A1 = 1
    A2 = 2
    B1 = 3
    B2 = 4
    C1 = 5
    C2 = 6
    CO1 = 7
    CO2 = 8
    VECIN = 9
    VECOUT = 10
    VECCALC = 11
    LCM = 11
    SPM = 12
    SHM = 12
    TSCM = 13
    MAX = 14


class Hardware(IntEnum):
    """Memories of a core."""

    GM = 0
    UB = 1
    L1 = 2
    L0A = 3
    L0B = 4
    L0C = 5
    BIAS = 6
    FIXBUF = 7
    MAX = 8


class MaskMode(IntEnum):
    """What a vector mask counts: lanes of each repeat, or elements of the whole call."""

    NORMAL = 0
    COUNTER = 1


class MemDsbT(IntEnum):
    """What a data barrier waits for."""

    ALL = 0
    DDR = 1
    UB = 2
    SEQ = 3


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


class LayoutMode(IntEnum):
    """Layouts of batches of matrices."""

    NONE = 0
    NORMAL = 1
    BSNGD = 2
    SBNGD = 3
    BNGS1S2 = 4


class CO2Layout(IntEnum):
    """Layouts Fixpipe writes."""

    NZ = 0
    ROW_MAJOR = 1
    COLUMN_MAJOR = 2


class DataFormat(IntEnum):
    """Layouts of tensors of several dimensions."""

    ND = 0
    NZ = 1
    NCHW = 2
    NC1HWC0 = 3
    NHWC = 4


class BatchMode(IntEnum):
    """How a batch of matrices relates to L1."""

    NONE = 0
    BATCH_LESS_THAN_L1 = 1
    BATCH_LARGE_THAN_L1 = 2
    SINGLE_LARGE_THAN_L1 = 3


class BatchOutMode(IntEnum):
    """How results of a batch come out."""

    SINGLE_BATCH = 0
    MULTI_BATCH = 1
    DYNAMIC = 2


class IterateOrder(IntEnum):
    """Which way the tiles of a product are walked first."""

    ORDER_M = 0
    ORDER_N = 1
    UNDEF = 2


class IterateMode(IntEnum):
    """How a matrix product is iterated."""

    ITERATE_MODE_NORMAL = 1
    ITERATE_MODE_ALL = 2
    ITERATE_MODE_BATCH = 4
    ITERATE_MODE_N_BATCH = 8
    ITERATE_MODE_DEFAULT = 255


class ScheduleType(IntEnum):
    """Inner or outer products."""

    INNER_PRODUCT = 0
    OUTER_PRODUCT = 1


class MatmulConfigMode(IntEnum):
    """Templates of the matrix object."""

    CONFIG_NORM = 1
    CONFIG_MDL = 2
    CONFIG_SPECIALMDL = 3
    CONFIG_IBSHARE = 4


class MatmulPolicy(IntEnum):
    """Which parts of a product are computed."""

    MatmulPolicy = 0
    TrianUpperMatmulPolicy = 1
    TrianLowerMatmulPolicy = 2
    NBuffer33MatmulPolicy = 3


class TransposeType(IntEnum):
    """Changes of the layout of four dimensions."""

    TRANSPOSE_TYPE_NONE = 0
    TRANSPOSE_NZ2ND_0213 = 1
    TRANSPOSE_NZ2NZ_0213 = 2
    TRANSPOSE_NZ2NZ_012_WITH_N = 3
    TRANSPOSE_NZ2ND_012_WITH_N = 4
    TRANSPOSE_NZ2ND_012_WITHOUT_N = 5
    TRANSPOSE_NZ2NZ_012_WITHOUT_N = 6
    TRANSPOSE_ND2ND_ONLY = 7
    TRANSPOSE_ND_UB_GM = 8
    TRANSPOSE_GRAD_ND_UB_GM = 9
    TRANSPOSE_ND2ND_B16 = 10
    TRANSPOSE_NCHW2NHWC = 11
    TRANSPOSE_NHWC2NCHW = 12


class GatherMaskMode(IntEnum):
    """How a mask gathers."""

    DEFAULT = 0


class CacheMode(IntEnum):
    """How copies use L2."""

    CACHE_MODE_NORMAL = 0
    CACHE_MODE_DISABLE = 1
    CACHE_MODE_LAST = 2
    CACHE_MODE_PERSISTENT = 4


class CacheRwMode(IntEnum):
    """Which copies a hint for L2 is for."""

    READ = 1
    WRITE = 2
    RW = 3


class CacheLine(IntEnum):
    """How much of the data cache is meant."""

    SINGLE_CACHE_LINE = 0
    ENTIRE_DATA_CACHE = 1


class DcciDst(IntEnum):
    """Which data cache is meant."""

    CACHELINE_ALL = 0
    CACHELINE_UB = 1
    CACHELINE_OUT = 2
    CACHELINE_ATOMIC = 3


class BlockMode(IntEnum):
    """Shapes of blocks that a copy rearranges."""

    BLOCK_MODE_NORMAL = 0
    BLOCK_MODE_MATRIX = 1
    BLOCK_MODE_VECTOR = 2
    BLOCK_MODE_SMALL_CHANNEL = 3
    BLOCK_MODE_DEPTHWISE = 4


class DeqScale(IntEnum):
    """Scales a copy applies."""

    DEQ_NONE = 0
    DEQ = 1
    VDEQ = 2
    DEQ8 = 3
    VDEQ8 = 4
    DEQ16 = 5
    VDEQ16 = 6


class pad_t(IntEnum):
    """Values a copy pads with."""

    PAD_NONE = 0
    PAD_MODE1 = 1
    PAD_MODE2 = 2
    PAD_MODE3 = 3
    PAD_MODE4 = 4
    PAD_MODE5 = 5
    PAD_MODE6 = 6
    PAD_MODE7 = 7
    PAD_MODE8 = 8


class AtomicDtype(IntEnum):
    """Element types of atomic stores."""

    ATOMIC_NONE = 0
    ATOMIC_F32 = 1
    ATOMIC_F16 = 2
    ATOMIC_S16 = 3
    ATOMIC_S32 = 4
    ATOMIC_S8 = 5
    ATOMIC_BF16 = 6


class AtomicOp(IntEnum):
    """What atomic stores do."""

    ATOMIC_SUM = 0


class AippInputFormat(IntEnum):
    """Formats of images."""

    YUV420SP_U8 = 0
    XRGB8888_U8 = 1
    RGB888_U8 = 4
    YUV400_U8 = 9


class KernelProperty(IntEnum):
    """Numbers of the chip that `asc.property` gives."""

    DEFAULT_C0_SIZE = 0
    ONE_BLK_SIZE = 1
    TOTAL_L1_SIZE = 2
    TOTAL_L0C_SIZE = 3


DEFAULT_C0_SIZE = KernelProperty.DEFAULT_C0_SIZE
ONE_BLK_SIZE = KernelProperty.ONE_BLK_SIZE
TOTAL_L1_SIZE = KernelProperty.TOTAL_L1_SIZE
TOTAL_L0C_SIZE = KernelProperty.TOTAL_L0C_SIZE

__all__ = [
    "AippInputFormat",
    "AtomicDtype",
    "AtomicOp",
    "BatchMode",
    "BatchOutMode",
    "BlockMode",
    "CO2Layout",
    "CacheLine",
    "CacheMode",
    "CacheRwMode",
    "CubeFormat",
    "DEFAULT_C0_SIZE",
    "DataFormat",
    "DcciDst",
    "DeqScale",
    "GatherMaskMode",
    "Hardware",
    "IterateMode",
    "IterateOrder",
    "KernelProperty",
    "LayoutMode",
    "MaskMode",
    "MatmulConfigMode",
    "MatmulPolicy",
    "MemDsbT",
    "ONE_BLK_SIZE",
    "ScheduleType",
    "TOTAL_L0C_SIZE",
    "TOTAL_L1_SIZE",
    "TPosition",
    "TransposeType",
    "pad_t",
]
