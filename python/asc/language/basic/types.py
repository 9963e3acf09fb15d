"""Enumerations and parameter structs of the instructions. Made by tools/isa.py from the instruction table (include/tilesmith/Isa)."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any, ClassVar, Union

from asc.language.core.enums import BlockMode, DataFormat, DeqScale, pad_t
from asc.language.core.ir_value import PlainValue

if TYPE_CHECKING:
    from dataclasses import dataclass as record
else:
    from asc._records import record

__all__ = [
    "PipeID", "RoundMode", "CMPMODE", "ReduceOrder", "QuantModes", "SelMode", "HardEvent", "UnaryRepeatParams",
    "BinaryRepeatParams", "CopyRepeatParams", "BrcbRepeatParams", "GatherMaskParams", "DataCopyParams",
    "DataCopyEnhancedParams", "DataCopyExtParams", "DataCopyPadParams", "DataCopyPadExtParams", "Nd2NzParams",
    "InitConstValueParams", "Nz2NdParamsFull", "TransDataTo5HDParams", "MrgSortSrcList", "MrgSort4Info", "LoadData2DParams",
    "LoadData2dTransposeParams", "LoadData2DParamsV2", "LoadData2DMxParams", "LoadData3DParamsV2", "MmadParams",
    "FixpipeParamsV220", "TransformParamsNz2Nd", "FixpipeParamsArch3510", "DataCopyCO12DstParams", "ShapeInfo", "SliceInfo",
    "TransposeParamsExt", "VdeqInfo", "LoadData3DParamsV1", "LoadData3DParamsV2Pro", "LoadData2dTransposeParamsV2",
    "LoadDataRepeatParam", "LoadImageToLocalParams", "CheckLocalMemoryIAParam", "AippPaddingParams", "AippSwapParams",
    "AippSingleLineParams", "AippDataTypeConvParams", "AippChannelPaddingParams", "AippColorSpaceConvParams", "AippParams",
]

RuntimeInt = Union[int, PlainValue]
Scalar = Union[bool, int, float, PlainValue]


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
    PIPE_MTE4 = 7
    PIPE_MTE5 = 8
    PIPE_V2 = 9


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


@record
class UnaryRepeatParams:
    """Strides of a repeat with one source, in 32-byte blocks."""

    __tilesmith_name__: ClassVar[str] = "asc.UnaryRepeatParams"
    dst_blk_stride: RuntimeInt = 1
    src_blk_stride: RuntimeInt = 1
    dst_rep_stride: RuntimeInt = 8
    src_rep_stride: RuntimeInt = 8


@record
class BinaryRepeatParams:
    """Strides of a repeat with two sources, in 32-byte blocks."""

    __tilesmith_name__: ClassVar[str] = "asc.BinaryRepeatParams"
    dst_blk_stride: RuntimeInt = 1
    src0_blk_stride: RuntimeInt = 1
    src1_blk_stride: RuntimeInt = 1
    dst_rep_stride: RuntimeInt = 8
    src0_rep_stride: RuntimeInt = 8
    src1_rep_stride: RuntimeInt = 8


@record
class CopyRepeatParams:
    """Strides of a copy inside UB, in 32-byte blocks."""

    __tilesmith_name__: ClassVar[str] = "asc.CopyRepeatParams"
    dst_stride: RuntimeInt = 0
    src_stride: RuntimeInt = 0
    dst_repeat_size: RuntimeInt = 0
    src_repeat_size: RuntimeInt = 0


@record
class BrcbRepeatParams:
    """Strides of the blocks Brcb fills."""

    __tilesmith_name__: ClassVar[str] = "asc.BrcbRepeatParams"
    dst_blk_stride: RuntimeInt = 1
    dst_rep_stride: RuntimeInt = 8


@record
class GatherMaskParams:
    """Repeats of a gather by pattern, strides in 32-byte blocks."""

    __tilesmith_name__: ClassVar[str] = "asc.GatherMaskParams"
    src0_block_stride: RuntimeInt = 1
    repeat_times: RuntimeInt = 1
    src0_repeat_stride: RuntimeInt = 0
    src1_repeat_stride: RuntimeInt = 0


@record
class DataCopyParams:
    """Blocks of a copy; lengths and gaps in 32-byte blocks."""

    __tilesmith_name__: ClassVar[str] = "asc.DataCopyParams"
    block_count: RuntimeInt = 1
    block_len: RuntimeInt = 0
    src_stride: RuntimeInt = 0
    dst_stride: RuntimeInt = 0


@record
class DataCopyEnhancedParams:
    """What a copy does with its elements on the way."""

    __tilesmith_name__: ClassVar[str] = "asc.DataCopyEnhancedParams"
    block_mode: Any = None
    deq_scale: Any = None
    deq_value_in: RuntimeInt = 0
    sid_store_mode_in: RuntimeInt = 0
    is_relu_in: bool = False
    pad_mode_in: RuntimeInt = pad_t.PAD_NONE
    pad_value_in: RuntimeInt = 0


@record
class DataCopyExtParams:
    """Blocks of a copy; lengths in bytes, gaps in bytes on the side of GM and in 32-byte blocks in UB."""

    __tilesmith_name__: ClassVar[str] = "asc.DataCopyExtParams"
    block_count: RuntimeInt = 1
    block_len: RuntimeInt = 0
    src_stride: RuntimeInt = 0
    dst_stride: RuntimeInt = 0
    rsv: RuntimeInt = 0


@record
class DataCopyPadParams:
    """Padding of each block of a copy from GM, in elements."""

    __tilesmith_name__: ClassVar[str] = "asc.DataCopyPadParams"
    is_pad: bool = False
    left_padding: RuntimeInt = 0
    right_padding: RuntimeInt = 0
    padding_value: RuntimeInt = 0


@record
class DataCopyPadExtParams:
    """Padding of each block of a copy from GM, in elements, with a value of the element type."""

    __tilesmith_name__: ClassVar[str] = "asc.DataCopyPadExtParams"
    is_pad: bool = False
    left_padding: RuntimeInt = 0
    right_padding: RuntimeInt = 0
    padding_value: Scalar = 0


@record
class Nd2NzParams:
    """Row-major matrices in GM to fractals."""

    __tilesmith_name__: ClassVar[str] = "asc.Nd2NzParams"
    nd_num: RuntimeInt = 0
    n_value: RuntimeInt = 0
    d_value: RuntimeInt = 0
    src_nd_matrix_stride: RuntimeInt = 0
    src_d_value: RuntimeInt = 0
    dst_nz_c0_stride: RuntimeInt = 0
    dst_nz_n_stride: RuntimeInt = 0
    dst_nz_matrix_stride: RuntimeInt = 0


@record
class InitConstValueParams:
    """Runs of 32-byte blocks to fill."""

    __tilesmith_name__: ClassVar[str] = "asc.InitConstValueParams"
    repeat_times: RuntimeInt = 0
    block_num: RuntimeInt = 0
    dst_gap: RuntimeInt = 0
    init_value: Scalar = 0


@record
class Nz2NdParamsFull:
    """Fractals in UB to row-major matrices in GM."""

    __tilesmith_name__: ClassVar[str] = "asc.Nz2NdParamsFull"
    nd_num: RuntimeInt = 0
    n_value: RuntimeInt = 0
    d_value: RuntimeInt = 0
    src_nd_matrix_stride: RuntimeInt = 0
    src_n_stride: RuntimeInt = 0
    dst_d_stride: RuntimeInt = 0
    dst_nd_matrix_stride: RuntimeInt = 0


@record
class TransDataTo5HDParams:
    """Halves and repeats of rows that are turned."""

    __tilesmith_name__: ClassVar[str] = "asc.TransDataTo5HDParams"
    dst_high_half: bool = False
    src_high_half: bool = False
    repeat_times: RuntimeInt = 1
    dst_rep_stride: RuntimeInt = 0
    src_rep_stride: RuntimeInt = 0


@record
class MrgSortSrcList:
    """Lists to merge."""

    __tilesmith_name__: ClassVar[str] = "asc.MrgSortSrcList"
    src1: Any = None
    src2: Any = None
    src3: Any = None
    src4: Any = None


@record
class MrgSort4Info:
    """Lengths of lists to merge, which of them count, and whether the first empty one ends it."""

    __tilesmith_name__: ClassVar[str] = "asc.MrgSort4Info"
    element_lengths: Any = None
    if_exhausted_suspension: bool = False
    valid_bit: RuntimeInt = 15
    repeat_times: RuntimeInt = 1


@record
class LoadData2DParams:
    """Fractals from L1 to L0."""

    __tilesmith_name__: ClassVar[str] = "asc.LoadData2DParams"
    start_index: RuntimeInt = 0
    repeat_times: RuntimeInt = 1
    src_stride: RuntimeInt = 0
    sid: RuntimeInt = 0
    dst_gap: RuntimeInt = 0
    if_transpose: bool = False
    addr_mode: RuntimeInt = 0


@record
class LoadData2dTransposeParams:
    """Fractals from L1 to L0, each turned."""

    __tilesmith_name__: ClassVar[str] = "asc.LoadData2dTransposeParams"
    start_index: RuntimeInt = 0
    repeat_times: RuntimeInt = 1
    src_stride: RuntimeInt = 0
    dst_gap: RuntimeInt = 0
    dst_frac_gap: RuntimeInt = 0
    addr_mode: RuntimeInt = 0


@record
class LoadData2DParamsV2:
    """A block of fractals from L1 to L0."""

    __tilesmith_name__: ClassVar[str] = "asc.LoadData2DParamsV2"
    m_start: RuntimeInt = 0
    k_start: RuntimeInt = 0
    m_step: RuntimeInt = 0
    k_step: RuntimeInt = 0
    src_stride: RuntimeInt = 0
    dst_stride: RuntimeInt = 0
    if_transpose: bool = False
    sid: RuntimeInt = 0


@record
class LoadData2DMxParams:
    """Fractals of scales from L1 to L0."""

    __tilesmith_name__: ClassVar[str] = "asc.LoadData2DMxParams"
    x_start_position: RuntimeInt = 0
    y_start_position: RuntimeInt = 0
    x_step: RuntimeInt = 0
    y_step: RuntimeInt = 0
    src_stride: RuntimeInt = 0
    dst_stride: RuntimeInt = 0


@record
class LoadData3DParamsV2:
    """A part of an image from L1 to L0, as the matrix a convolution multiplies."""

    __tilesmith_name__: ClassVar[str] = "asc.LoadData3DParamsV2"
    pad_list: Any = None
    l1_h: RuntimeInt = 0
    l1_w: RuntimeInt = 0
    channel_size: RuntimeInt = 0
    k_extension: RuntimeInt = 0
    m_extension: RuntimeInt = 0
    k_start_pt: RuntimeInt = 0
    m_start_pt: RuntimeInt = 0
    stride_w: RuntimeInt = 1
    stride_h: RuntimeInt = 1
    filter_w: RuntimeInt = 1
    filter_h: RuntimeInt = 1
    dilation_filter_w: RuntimeInt = 1
    dilation_filter_h: RuntimeInt = 1
    en_transpose: bool = False
    en_small_k: bool = False
    pad_value: Scalar = 0
    filter_size_w: bool = False
    filter_size_h: bool = False
    f_matrix_ctrl: bool = False


@record
class MmadParams:
    """Sizes of a matrix product and what its result starts from."""

    __tilesmith_name__: ClassVar[str] = "asc.MmadParams"
    m: RuntimeInt = 0
    n: RuntimeInt = 0
    k: RuntimeInt = 0
    unit_flag: RuntimeInt = 0
    cmatrix_source: bool = False
    cmatrix_init_val: bool = True
    is_bias: bool = False
    fm_offset: RuntimeInt = 0
    en_ssparse: bool = False
    en_winograd_a: bool = False
    en_winograd_b: bool = False
    k_direction_align: bool = False
    disable_gemv: bool = False


@record
class FixpipeParamsV220:
    """Writing a result out of L0C."""

    __tilesmith_name__: ClassVar[str] = "asc.FixpipeParamsV220"
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


@record
class TransformParamsNz2Nd:
    """Several matrices of one result."""

    __tilesmith_name__: ClassVar[str] = "asc.TransformParamsNz2Nd"
    nd_num: RuntimeInt = 1
    src_nd_stride: RuntimeInt = 0
    dst_nd_stride: RuntimeInt = 0


@record
class FixpipeParamsArch3510:
    """Writing a result out of L0C on the 950."""

    __tilesmith_name__: ClassVar[str] = "asc.FixpipeParamsArch3510"
    n_size: RuntimeInt = 0
    m_size: RuntimeInt = 0
    src_stride: RuntimeInt = 0
    dst_stride: RuntimeInt = 0
    quant_pre: QuantModes = QuantModes.NoQuant
    deq_scalar: RuntimeInt = 0
    relu_en: bool = False
    unit_flag: RuntimeInt = 0
    dual_dst_ctl: RuntimeInt = 0
    sub_block_id: bool = False
    is_channel_split: bool = False
    params: Any = None


@record
class DataCopyCO12DstParams:
    """The older way to write a result out of L0C."""

    __tilesmith_name__: ClassVar[str] = "asc.DataCopyCO12DstParams"
    n_size: RuntimeInt = 0
    m_size: RuntimeInt = 0
    dst_stride: RuntimeInt = 0
    src_stride: RuntimeInt = 0
    quant_pre: QuantModes = QuantModes.NoQuant
    relu_pre: RuntimeInt = 0
    channel_split: bool = False
    nz2nd_en: bool = False
    unit_flag: RuntimeInt = 0


@record
class ShapeInfo:
    """The shape of a tensor."""

    __tilesmith_name__: ClassVar[str] = "asc.ShapeInfo"
    shape: Any = None
    original_shape: Any = None
    data_format: Any = None


@record
class SliceInfo:
    """A part of one dimension."""

    __tilesmith_name__: ClassVar[str] = "asc.SliceInfo"
    start_index: RuntimeInt = 0
    end_index: RuntimeInt = 31
    stride: RuntimeInt = 0
    burst_len: RuntimeInt = 32
    shape_value: RuntimeInt = 0


@record
class TransposeParamsExt:
    """Sizes of four dimensions that are exchanged."""

    __tilesmith_name__: ClassVar[str] = "asc.TransposeParamsExt"
    n_size: RuntimeInt = 0
    c_size: RuntimeInt = 0
    h_size: RuntimeInt = 0
    w_size: RuntimeInt = 0
    transpose_type: Any = None


@record
class VdeqInfo:
    """Scales, offsets and signs of a conversion by columns."""

    __tilesmith_name__: ClassVar[str] = "asc.VdeqInfo"
    scale: Any = None
    offset: Any = None
    sign_mode: Any = None


@record
class LoadData3DParamsV1:
    """A part of an image from L1 to L0, as older chips take it."""

    __tilesmith_name__: ClassVar[str] = "asc.LoadData3DParamsV1"
    pad_list: Any = None
    l1_h: RuntimeInt = 0
    l1_w: RuntimeInt = 0
    c1_index: RuntimeInt = 0
    fetch_filter_w: RuntimeInt = 0
    fetch_filter_h: RuntimeInt = 0
    left_top_w: RuntimeInt = 0
    left_top_h: RuntimeInt = 0
    stride_w: RuntimeInt = 0
    stride_h: RuntimeInt = 0
    filter_w: RuntimeInt = 0
    filter_h: RuntimeInt = 0
    dilation_filter_w: RuntimeInt = 0
    dilation_filter_h: RuntimeInt = 0
    jump_stride: RuntimeInt = 1
    repeat_mode: RuntimeInt = 0
    repeat_time: RuntimeInt = 1
    c_size: RuntimeInt = 0
    pad_value: Scalar = 0


@record
class LoadData3DParamsV2Pro:
    """A part of an image from L1 to L0, its numbers packed."""

    __tilesmith_name__: ClassVar[str] = "asc.LoadData3DParamsV2Pro"
    channel_size: RuntimeInt = 0
    en_transpose: bool = False
    en_small_k: bool = False
    filter_size_w: bool = False
    filter_size_h: bool = False
    f_matrix_ctrl: bool = False
    ext_config: RuntimeInt = 0
    filter_config: RuntimeInt = 0x10101010101


@record
class LoadData2dTransposeParamsV2:
    """Fractals from L1 to L0, each turned, with gaps on both sides."""

    __tilesmith_name__: ClassVar[str] = "asc.LoadData2dTransposeParamsV2"
    start_index: RuntimeInt = 0
    repeat_times: RuntimeInt = 0
    src_stride: RuntimeInt = 0
    dst_gap: RuntimeInt = 0
    dst_frac_gap: RuntimeInt = 0
    src_frac_gap: RuntimeInt = 0
    addr_mode: RuntimeInt = 0


@record
class LoadDataRepeatParam:
    """Repeats of loads of an image."""

    __tilesmith_name__: ClassVar[str] = "asc.LoadDataRepeatParam"
    repeat_stride: RuntimeInt = 0
    repeat_time: RuntimeInt = 1
    repeat_mode: RuntimeInt = 0


@record
class LoadImageToLocalParams:
    """A part of an image."""

    __tilesmith_name__: ClassVar[str] = "asc.LoadImageToLocalParams"
    horiz_size: RuntimeInt = 2
    vert_size: RuntimeInt = 2
    horiz_start_pos: RuntimeInt = 0
    vert_start_pos: RuntimeInt = 0
    src_horiz_size: RuntimeInt = 2
    top_pad_size: RuntimeInt = 0
    bot_pad_size: RuntimeInt = 0
    left_pad_size: RuntimeInt = 0
    right_pad_size: RuntimeInt = 0


@record
class CheckLocalMemoryIAParam:
    """A part of a memory that accesses are checked against."""

    __tilesmith_name__: ClassVar[str] = "asc.CheckLocalMemoryIAParam"
    enable_bit: RuntimeInt = 0
    start_addr: RuntimeInt = 0
    end_addr: RuntimeInt = 0
    is_scalar_read: bool = False
    is_scalar_write: bool = False
    is_vector_read: bool = False
    is_vector_write: bool = False
    is_mte_read: bool = False
    is_mte_write: bool = False
    reserved: RuntimeInt = 0


@record
class AippPaddingParams:
    """Padding of an image."""

    __tilesmith_name__: ClassVar[str] = "asc.AippPaddingParams"
    padding_mode: RuntimeInt = 0
    padding_value_channel0: Scalar = 0
    padding_value_channel1: Scalar = 0
    padding_value_channel2: Scalar = 0
    padding_value_channel3: Scalar = 0


@record
class AippSwapParams:
    """Channels of an image that are exchanged."""

    __tilesmith_name__: ClassVar[str] = "asc.AippSwapParams"
    is_swap_r_b: bool = False
    is_swap_u_v: bool = False
    is_swap_a_x: bool = False


@record
class AippSingleLineParams:
    """Lines of an image that are copied."""

    __tilesmith_name__: ClassVar[str] = "asc.AippSingleLineParams"
    is_single_line_copy: bool = False


@record
class AippDataTypeConvParams:
    """How the numbers of an image are converted."""

    __tilesmith_name__: ClassVar[str] = "asc.AippDataTypeConvParams"
    dtc_mean_channel0: RuntimeInt = 0
    dtc_mean_channel1: RuntimeInt = 0
    dtc_mean_channel2: RuntimeInt = 0
    dtc_min_channel0: RuntimeInt = 0
    dtc_min_channel1: RuntimeInt = 0
    dtc_min_channel2: RuntimeInt = 0
    dtc_var_channel0: RuntimeInt = 0
    dtc_var_channel1: RuntimeInt = 0
    dtc_var_channel2: RuntimeInt = 0
    dtc_round_mode: RuntimeInt = 0


@record
class AippChannelPaddingParams:
    """Channels an image is filled up to."""

    __tilesmith_name__: ClassVar[str] = "asc.AippChannelPaddingParams"
    c_padding_mode: RuntimeInt = 0
    c_padding_value: Scalar = 0


@record
class AippColorSpaceConvParams:
    """Conversion between spaces of colours."""

    __tilesmith_name__: ClassVar[str] = "asc.AippColorSpaceConvParams"
    is_enable_csc: bool = False
    csc_matrix_r0_c0: RuntimeInt = 0
    csc_matrix_r0_c1: RuntimeInt = 0
    csc_matrix_r0_c2: RuntimeInt = 0
    csc_matrix_r1_c0: RuntimeInt = 0
    csc_matrix_r1_c1: RuntimeInt = 0
    csc_matrix_r1_c2: RuntimeInt = 0
    csc_matrix_r2_c0: RuntimeInt = 0
    csc_matrix_r2_c1: RuntimeInt = 0
    csc_matrix_r2_c2: RuntimeInt = 0
    csc_bias_in0: RuntimeInt = 0
    csc_bias_in1: RuntimeInt = 0
    csc_bias_in2: RuntimeInt = 0
    csc_bias_out0: RuntimeInt = 0
    csc_bias_out1: RuntimeInt = 0
    csc_bias_out2: RuntimeInt = 0


@record
class AippParams:
    """How an image is read."""

    __tilesmith_name__: ClassVar[str] = "asc.AippParams"
    padding_params: Any = None
    swap_params: Any = None
    single_line_params: Any = None
    dtc_params: Any = None
    c_padding_params: Any = None
    csc_params: Any = None
