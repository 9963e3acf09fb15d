"""Tensors, enumerations and parameter structs of the instructions. Made by tools/isa.py from the instruction table (include/tilesmith/Isa)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Union

from asc._builtin import NOT_YET
from asc.language.core.ir_value import PlainValue

__all__ = [
    "GlobalTensor", "LocalTensor", "PipeID", "RoundMode", "CMPMODE", "ReduceOrder", "QuantModes", "SelMode", "HardEvent",
    "UnaryRepeatParams", "BinaryRepeatParams", "CopyRepeatParams", "BrcbRepeatParams", "GatherMaskParams", "DataCopyParams",
    "DataCopyExtParams", "DataCopyPadParams", "DataCopyPadExtParams", "Nd2NzParams", "InitConstValueParams",
    "LoadData2DParams", "LoadData2dTransposeParams", "LoadData2DParamsV2", "MmadParams", "FixpipeParamsV220",
]

RuntimeInt = Union[int, PlainValue]
Scalar = Union[bool, int, float, PlainValue]


class GlobalTensor:
    """An array in global memory."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        raise NotImplementedError(NOT_YET.format("asc.GlobalTensor"))

    def get_value(self, offset: RuntimeInt) -> PlainValue:
        """Reads one element on the scalar pipe."""
        raise NotImplementedError(NOT_YET.format("asc.GlobalTensor.get_value"))

    def set_value(self, offset: RuntimeInt, value: Scalar) -> None:
        """Writes one element on the scalar pipe."""
        raise NotImplementedError(NOT_YET.format("asc.GlobalTensor.set_value"))


class LocalTensor:
    """A tensor in a memory of the core."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        raise NotImplementedError(NOT_YET.format("asc.LocalTensor"))

    def get_value(self, offset: RuntimeInt) -> PlainValue:
        """Reads one element on the scalar pipe."""
        raise NotImplementedError(NOT_YET.format("asc.LocalTensor.get_value"))

    def set_value(self, offset: RuntimeInt, value: Scalar) -> None:
        """Writes one element on the scalar pipe."""
        raise NotImplementedError(NOT_YET.format("asc.LocalTensor.set_value"))


class PipeID(IntEnum):
    """In-order instruction queues of a core."""

    PIPE_S = 0
    PIPE_V = 1
    PIPE_M = 2
    PIPE_MTE1 = 3
    PIPE_MTE2 = 4
    PIPE_MTE3 = 5
    PIPE_FIX = 10
    PIPE_ALL = 6


class RoundMode(IntEnum):
    """Rounding of a cast; None is exact, and Rint where the cast is lossy."""

    CAST_NONE = 0
    CAST_RINT = 1
    CAST_FLOOR = 2
    CAST_CEIL = 3
    CAST_ROUND = 4
    CAST_TRUNC = 5
    CAST_ODD = 6


class CMPMODE(IntEnum):
    """Comparisons."""

    LT = 0
    GT = 1
    EQ = 2
    LE = 3
    GE = 4
    NE = 5


class ReduceOrder(IntEnum):
    """What a reduction with an index writes, in this order."""

    ORDER_VALUE_INDEX = 0
    ORDER_INDEX_VALUE = 1
    ORDER_ONLY_VALUE = 2
    ORDER_ONLY_INDEX = 3


class QuantModes(IntEnum):
    """Conversion inside a fixpipe."""

    NoQuant = 0
    F322F16 = 1
    F322BF16 = 2
    DEQF16 = 3
    VDEQF16 = 4
    QF322B8_PRE = 5
    VQF322B8_PRE = 6
    REQ8 = 7
    VREQ8 = 8


class SelMode(IntEnum):
    """What a select chooses between."""

    VSEL_CMPMASK_SPR = 0
    VSEL_TENSOR_SCALAR_MODE = 1
    VSEL_TENSOR_TENSOR_MODE = 2


class HardEvent(IntEnum):
    """Pairs of pipes that have flags: who sets, and who waits."""

    MTE2_MTE1 = 0
    MTE1_MTE2 = 1
    MTE1_M = 2
    M_MTE1 = 3
    MTE2_V = 4
    V_MTE2 = 5
    MTE3_V = 6
    V_MTE3 = 7
    M_V = 8
    V_M = 9
    V_V = 10
    MTE3_MTE1 = 11
    MTE1_MTE3 = 12
    MTE1_V = 13
    MTE2_M = 14
    M_MTE2 = 15
    V_MTE1 = 16
    M_FIX = 17
    FIX_M = 18
    MTE3_MTE2 = 19
    MTE2_MTE3 = 20
    S_V = 21
    V_S = 22
    S_MTE2 = 23
    MTE2_S = 24
    S_MTE3 = 25
    MTE3_S = 26
    MTE2_FIX = 27
    FIX_MTE2 = 28
    FIX_S = 29
    M_S = 30
    FIX_MTE3 = 31
    MTE1_FIX = 32
    FIX_MTE1 = 33
    FIX_FIX = 34
    MAX = 35


@dataclass
class UnaryRepeatParams:
    """Strides of a repeat with one source, in 32-byte blocks."""

    dst_blk_stride: RuntimeInt = 1
    src_blk_stride: RuntimeInt = 1
    dst_rep_stride: RuntimeInt = 8
    src_rep_stride: RuntimeInt = 8


@dataclass
class BinaryRepeatParams:
    """Strides of a repeat with two sources, in 32-byte blocks."""

    dst_blk_stride: RuntimeInt = 1
    src0_blk_stride: RuntimeInt = 1
    src1_blk_stride: RuntimeInt = 1
    dst_rep_stride: RuntimeInt = 8
    src0_rep_stride: RuntimeInt = 8
    src1_rep_stride: RuntimeInt = 8


@dataclass
class CopyRepeatParams:
    """Strides of a copy inside UB, in 32-byte blocks."""

    dst_stride: RuntimeInt = 0
    src_stride: RuntimeInt = 0
    dst_repeat_size: RuntimeInt = 0
    src_repeat_size: RuntimeInt = 0


@dataclass
class BrcbRepeatParams:
    """Strides of the blocks Brcb fills."""

    dst_blk_stride: RuntimeInt = 1
    dst_rep_stride: RuntimeInt = 8


@dataclass
class GatherMaskParams:
    """Repeats of a gather by pattern, strides in 32-byte blocks."""

    src0_block_stride: RuntimeInt = 1
    repeat_times: RuntimeInt = 1
    src0_repeat_stride: RuntimeInt = 0
    src1_repeat_stride: RuntimeInt = 0


@dataclass
class DataCopyParams:
    """Blocks of a copy; lengths and gaps in 32-byte blocks."""

    block_count: RuntimeInt = 1
    block_len: RuntimeInt = 0
    src_stride: RuntimeInt = 0
    dst_stride: RuntimeInt = 0


@dataclass
class DataCopyExtParams:
    """Blocks of a copy; lengths in bytes, gaps in bytes on the side of GM and in 32-byte blocks in UB."""

    block_count: RuntimeInt = 1
    block_len: RuntimeInt = 0
    src_stride: RuntimeInt = 0
    dst_stride: RuntimeInt = 0
    rsv: RuntimeInt = 0


@dataclass
class DataCopyPadParams:
    """Padding of each block of a copy from GM, in elements."""

    is_pad: bool = False
    left_padding: RuntimeInt = 0
    right_padding: RuntimeInt = 0
    padding_value: RuntimeInt = 0


@dataclass
class DataCopyPadExtParams:
    """Padding of each block of a copy from GM, in elements, with a value of the element type."""

    is_pad: bool = False
    left_padding: RuntimeInt = 0
    right_padding: RuntimeInt = 0
    padding_value: Scalar = 0


@dataclass
class Nd2NzParams:
    """Row-major matrices in GM to fractals."""

    nd_num: RuntimeInt = 0
    n_value: RuntimeInt = 0
    d_value: RuntimeInt = 0
    src_nd_matrix_stride: RuntimeInt = 0
    src_dvalue: RuntimeInt = 0
    dst_nz_c0_stride: RuntimeInt = 0
    dst_nz_nstride: RuntimeInt = 0
    dst_nz_matrix_stride: RuntimeInt = 0


@dataclass
class InitConstValueParams:
    """Runs of 32-byte blocks to fill."""

    repeat_times: RuntimeInt = 0
    block_num: RuntimeInt = 0
    dst_gap: RuntimeInt = 0
    init_value: Scalar = 0


@dataclass
class LoadData2DParams:
    """Fractals from L1 to L0."""

    start_index: RuntimeInt = 0
    repeat_times: RuntimeInt = 0
    src_stride: RuntimeInt = 0
    sid: RuntimeInt = 0
    dst_gap: RuntimeInt = 0
    if_transpose: bool = False
    addr_mode: RuntimeInt = 0


@dataclass
class LoadData2dTransposeParams:
    """Fractals from L1 to L0, each turned."""

    start_index: RuntimeInt = 0
    repeat_times: RuntimeInt = 0
    src_stride: RuntimeInt = 0
    dst_gap: RuntimeInt = 0
    dst_frac_gap: RuntimeInt = 0
    addr_mode: RuntimeInt = 0


@dataclass
class LoadData2DParamsV2:
    """A block of fractals from L1 to L0."""

    m_start_position: RuntimeInt = 0
    k_start_position: RuntimeInt = 0
    m_step: RuntimeInt = 0
    k_step: RuntimeInt = 0
    src_stride: RuntimeInt = 0
    dst_stride: RuntimeInt = 0
    if_transpose: bool = False
    sid: RuntimeInt = 0


@dataclass
class MmadParams:
    """Sizes of a matrix product and what its result starts from."""

    m: RuntimeInt = 0
    n: RuntimeInt = 0
    k: RuntimeInt = 0
    unit_flag: RuntimeInt = 0
    cmatrix_source: bool = False
    cmatrix_init_val: bool = True


@dataclass
class FixpipeParamsV220:
    """Writing a result out of L0C."""

    n_size: RuntimeInt = 0
    m_size: RuntimeInt = 0
    src_stride: RuntimeInt = 0
    dst_stride: RuntimeInt = 0
    quant_pre: QuantModes = QuantModes.NoQuant
    deq_scalar: RuntimeInt = 0
    nd_num: RuntimeInt = 1
    src_nd_stride: RuntimeInt = 0
    dst_nd_stride: RuntimeInt = 0
    relu_en: bool = False
    unit_flag: RuntimeInt = 0
    is_channel_split: bool = False
