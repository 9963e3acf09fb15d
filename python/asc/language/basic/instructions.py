"""The instructions of the chip as functions. Made by tools/isa.py from the instruction table (include/tilesmith/Isa)."""

from asc._builtin import instruction

__all__ = [
    "abs", "add", "add_deq_relu", "add_relu", "add_relu_cast", "adds", "arange", "arith_progression", "axpy", "bitwise_and",
    "bitwise_not", "bitwise_or", "block_reduce_max", "block_reduce_min", "block_reduce_sum", "brcb", "cast", "cast_deq",
    "compare", "compare_scalar", "copy", "create_vec_index", "data_copy", "data_copy_pad", "data_sync_barrier",
    "disable_dma_atomic", "div", "duplicate", "exp", "fill", "fixpipe", "fused_mul_add", "fused_mul_add_relu", "gather",
    "gatherb", "get_cmp_mask", "init_const_value", "leaky_relu", "ln", "load_data", "load_data_with_transpose", "max",
    "maxs", "min", "mins", "mmad", "mmad_mx", "mrg_sort", "mul", "mul_add_dst", "mul_cast", "muls", "neg",
    "pair_reduce_sum", "pipe_barrier", "reciprocal", "reduce_max", "reduce_min", "reduce_sum", "relu", "repeat_reduce_sum",
    "rsqrt", "scatter", "select", "set_atomic_add", "set_atomic_max", "set_atomic_min", "set_atomic_none",
    "set_atomic_type", "set_cmp_mask", "set_flag", "shift_left", "shift_right", "sort32", "sqrt", "sub", "sub_relu",
    "sub_relu_cast", "transpose", "wait_flag", "whole_reduce_max", "whole_reduce_min", "whole_reduce_sum",
]


@instruction("asc.basic.add", forms=(
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
))
def add(*args, **kwargs):
    """Element-wise sum: dst[i] = src0[i] + src1[i].

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_blk_stride, src0_blk_stride,
    src1_blk_stride, dst_rep_stride, src0_rep_stride, src1_rep_stride: 0 to 255.
    """


@instruction("asc.basic.sub", forms=(
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
))
def sub(*args, **kwargs):
    """Element-wise difference: dst[i] = src0[i] - src1[i].

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_blk_stride, src0_blk_stride,
    src1_blk_stride, dst_rep_stride, src0_rep_stride, src1_rep_stride: 0 to 255.
    """


@instruction("asc.basic.mul", forms=(
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
))
def mul(*args, **kwargs):
    """Element-wise product: dst[i] = src0[i] * src1[i].

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_blk_stride, src0_blk_stride,
    src1_blk_stride, dst_rep_stride, src0_rep_stride, src1_rep_stride: 0 to 255.
    """


@instruction("asc.basic.div", forms=(
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
))
def div(*args, **kwargs):
    """Element-wise quotient: dst[i] = src0[i] / src1[i]; integers truncate.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_blk_stride, src0_blk_stride,
    src1_blk_stride, dst_rep_stride, src0_rep_stride, src1_rep_stride: 0 to 255.
    """


@instruction("asc.basic.max", forms=(
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
))
def max(*args, **kwargs):
    """Element-wise maximum; NaN propagates.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_blk_stride, src0_blk_stride,
    src1_blk_stride, dst_rep_stride, src0_rep_stride, src1_rep_stride: 0 to 255.
    """


@instruction("asc.basic.min", forms=(
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
))
def min(*args, **kwargs):
    """Element-wise minimum; NaN propagates.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_blk_stride, src0_blk_stride,
    src1_blk_stride, dst_rep_stride, src0_rep_stride, src1_rep_stride: 0 to 255.
    """


@instruction("asc.basic.bitwise_and", forms=(
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
))
def bitwise_and(*args, **kwargs):
    """Bitwise and.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_blk_stride, src0_blk_stride,
    src1_blk_stride, dst_rep_stride, src0_rep_stride, src1_rep_stride: 0 to 255.
    """


@instruction("asc.basic.bitwise_or", forms=(
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
))
def bitwise_or(*args, **kwargs):
    """Bitwise or.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_blk_stride, src0_blk_stride,
    src1_blk_stride, dst_rep_stride, src0_rep_stride, src1_rep_stride: 0 to 255.
    """


@instruction("asc.basic.mul_add_dst", forms=(
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: RuntimeInt, repeat: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: list[int], repeat: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
))
def mul_add_dst(*args, **kwargs):
    """Fused accumulation: dst[i] = src0[i] * src1[i] + dst[i], rounded once.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_blk_stride, src0_blk_stride,
    src1_blk_stride, dst_rep_stride, src0_rep_stride, src1_rep_stride: 0 to 255.

    dst[i] = src0[i] * src1[i] + dst[i] in F32, where the factors are F16, rounded once.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat, dst_rep, src0_rep, src1_rep: 0 to 255;
    dst_blk, src0_blk, src1_blk: 0 to 65535.
    """


@instruction("asc.basic.fused_mul_add", forms=(
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
))
def fused_mul_add(*args, **kwargs):
    """Fused product and sum: dst[i] = src0[i] * dst[i] + src1[i], rounded once.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_blk_stride, src0_blk_stride,
    src1_blk_stride, dst_rep_stride, src0_rep_stride, src1_rep_stride: 0 to 255.
    """


@instruction("asc.basic.fused_mul_add_relu", forms=(
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
))
def fused_mul_add_relu(*args, **kwargs):
    """dst[i] = max(src0[i] * dst[i] + src1[i], 0).

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_blk_stride, src0_blk_stride,
    src1_blk_stride, dst_rep_stride, src0_rep_stride, src1_rep_stride: 0 to 255.
    """


@instruction("asc.basic.add_relu", forms=(
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
))
def add_relu(*args, **kwargs):
    """dst[i] = max(src0[i] + src1[i], 0).

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_blk_stride, src0_blk_stride,
    src1_blk_stride, dst_rep_stride, src0_rep_stride, src1_rep_stride: 0 to 255.
    """


@instruction("asc.basic.sub_relu", forms=(
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
))
def sub_relu(*args, **kwargs):
    """dst[i] = max(src0[i] - src1[i], 0).

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_blk_stride, src0_blk_stride,
    src1_blk_stride, dst_rep_stride, src0_rep_stride, src1_rep_stride: 0 to 255.
    """


@instruction("asc.basic.abs", forms=(
    "(dst: LocalTensor, src: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
))
def abs(*args, **kwargs):
    """Absolute value.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@instruction("asc.basic.neg", forms=(
    "(dst: LocalTensor, src: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
))
def neg(*args, **kwargs):
    """Sign change.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@instruction("asc.basic.exp", forms=(
    "(dst: LocalTensor, src: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
))
def exp(*args, **kwargs):
    """Exponential, within 1 ulp.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@instruction("asc.basic.ln", forms=(
    "(dst: LocalTensor, src: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
))
def ln(*args, **kwargs):
    """Natural logarithm, within 1 ulp; ln(0) = -inf, ln(negative) = NaN.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@instruction("asc.basic.sqrt", forms=(
    "(dst: LocalTensor, src: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
))
def sqrt(*args, **kwargs):
    """Square root, correctly rounded.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@instruction("asc.basic.rsqrt", forms=(
    "(dst: LocalTensor, src: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
))
def rsqrt(*args, **kwargs):
    """Reciprocal square root: 1 / sqrt(x), both rounded.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@instruction("asc.basic.reciprocal", forms=(
    "(dst: LocalTensor, src: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
))
def reciprocal(*args, **kwargs):
    """1 / x, correctly rounded.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@instruction("asc.basic.relu", forms=(
    "(dst: LocalTensor, src: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
))
def relu(*args, **kwargs):
    """max(x, 0).

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@instruction("asc.basic.bitwise_not", forms=(
    "(dst: LocalTensor, src: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
))
def bitwise_not(*args, **kwargs):
    """Bitwise complement.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@instruction("asc.basic.adds", forms=(
    "(dst: LocalTensor, src: LocalTensor, scalar: Scalar, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
))
def adds(*args, **kwargs):
    """dst[i] = src[i] + scalar.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@instruction("asc.basic.muls", forms=(
    "(dst: LocalTensor, src: LocalTensor, scalar: Scalar, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
))
def muls(*args, **kwargs):
    """dst[i] = src[i] * scalar.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@instruction("asc.basic.maxs", forms=(
    "(dst: LocalTensor, src: LocalTensor, scalar: Scalar, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
))
def maxs(*args, **kwargs):
    """dst[i] = max(src[i], scalar).

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@instruction("asc.basic.mins", forms=(
    "(dst: LocalTensor, src: LocalTensor, scalar: Scalar, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
))
def mins(*args, **kwargs):
    """dst[i] = min(src[i], scalar).

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@instruction("asc.basic.leaky_relu", forms=(
    "(dst: LocalTensor, src: LocalTensor, scalar: Scalar, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
))
def leaky_relu(*args, **kwargs):
    """dst[i] = src[i] >= 0 ? src[i] : src[i] * scalar.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@instruction("asc.basic.axpy", forms=(
    "(dst: LocalTensor, src: LocalTensor, scalar: Scalar, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: RuntimeInt, repeat: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: list[int], repeat: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
))
def axpy(*args, **kwargs):
    """dst[i] = src[i] * scalar + dst[i], rounded once.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.

    dst[i] = src0[i] * scale + dst[i] in F32, where src0 and scale (its bits) are F16, rounded once. src1 is src0.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat, dst_rep, src0_rep, src1_rep: 0 to 255;
    dst_blk, src0_blk, src1_blk: 0 to 65535.
    """


@instruction("asc.basic.shift_left", forms=(
    "(dst: LocalTensor, src: LocalTensor, scalar: Scalar, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
))
def shift_left(*args, **kwargs):
    """dst[i] = src[i] << scalar.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@instruction("asc.basic.shift_right", forms=(
    "(dst: LocalTensor, src: LocalTensor, scalar: Scalar, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
))
def shift_right(*args, **kwargs):
    """dst[i] = src[i] >> scalar; arithmetic on signed types.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@instruction("asc.basic.duplicate", forms=(
    "(dst: LocalTensor, scalar: Scalar, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, scalar: Scalar, mask: RuntimeInt, repeat_times: RuntimeInt, dst_block_stride: RuntimeInt, dst_repeat_stride: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, scalar: Scalar, mask: list[int], repeat_times: RuntimeInt, dst_block_stride: RuntimeInt, dst_repeat_stride: RuntimeInt, is_set_mask: bool = True) -> None",
))
def duplicate(*args, **kwargs):
    """Every element becomes the scalar.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_repeat_stride: 0 to 255;
    dst_block_stride: 0 to 65535.
    """


@instruction("asc.basic.copy", forms=(
    "(dst: LocalTensor, src: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: CopyRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: CopyRepeatParams, is_set_mask: bool = True) -> None",
))
def copy(*args, **kwargs):
    """UB to UB; the count form moves whole 32-byte blocks.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times: 0 to 255; dst_stride, src_stride,
    dst_repeat_size, src_repeat_size: 0 to 65535.
    """


@instruction("asc.basic.brcb", forms=(
    "(dst: LocalTensor, src0: LocalTensor, repeat_times: RuntimeInt, repeat_params: BrcbRepeatParams, is_set_mask: bool = True) -> None",
))
def brcb(*args, **kwargs):
    """Each of 8 elements per repeat fills one 32-byte block.

    Limits: repeat_times: 0 to 255; dst_blk_stride, dst_rep_stride: 0 to 65535.
    """


@instruction("asc.basic.compare", forms=(
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, cmp_mode: CMPMODE, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, cmp_mode: CMPMODE, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, cmp_mode: CMPMODE, mask: list[int], repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
    "(src0: LocalTensor, src1: LocalTensor, cmp_mode: CMPMODE, mask: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
    "(src0: LocalTensor, src1: LocalTensor, cmp_mode: CMPMODE, mask: list[int], repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
))
def compare(*args, **kwargs):
    """Bit i of dst says whether src0[i] mode src1[i]. The count form needs a multiple of 256 bytes; in the repeat form
    inactive lanes give 0.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, src0_blk_stride, src1_blk_stride,
    src0_rep_stride, src1_rep_stride: 0 to 255.

    Bit i of the compare register says whether src0[i] mode src1[i], for the first mask lanes; others become 0.

    Limits: mask: 0 to the elements of a repeat; src0_blk, src1_blk: 0 to 255.
    """


@instruction("asc.basic.compare_scalar", forms=(
    "(dst: LocalTensor, src0: LocalTensor, src1_scalar: Scalar, cmp_mode: CMPMODE, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1_scalar: Scalar, cmp_mode: CMPMODE, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1_scalar: Scalar, cmp_mode: CMPMODE, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
))
def compare_scalar(*args, **kwargs):
    """Bit i of dst says whether src[i] mode scalar. The count form needs a multiple of 256 bytes; in the repeat form inactive
    lanes give 0.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, src_rep_stride: 0 to 255;
    src_blk_stride: 0 to 65535.
    """


@instruction("asc.basic.whole_reduce_sum", forms=(
    "(dst: LocalTensor, src: LocalTensor, mask: RuntimeInt, repeat_time: RuntimeInt, dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, mask: list[int], repeat_time: RuntimeInt, dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt, is_set_mask: bool = True) -> None",
))
def whole_reduce_sum(*args, **kwargs):
    """dst[r * dstRep] = sum of the first mask lanes of repeat r, a tree over neighbours; other lanes count as 0.

    Limits: mask: 0 to the elements of a repeat; repeat_time: 0 to 255; dst_rep_stride, src_blk_stride, src_rep_stride: 0 to
    65535.
    """


@instruction("asc.basic.block_reduce_sum", forms=(
    "(dst: LocalTensor, src: LocalTensor, repeat: RuntimeInt, mask: RuntimeInt, dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, repeat: RuntimeInt, mask: list[int], dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt, is_set_mask: bool = True) -> None",
))
def block_reduce_sum(*args, **kwargs):
    """One sum for each 32-byte block, 8 per repeat; dstRep counts 8 results.

    Limits: mask: 0 to the elements of a repeat; repeat_time: 0 to 255; dst_rep_stride, src_blk_stride, src_rep_stride: 0 to
    65535.
    """


@instruction("asc.basic.block_reduce_max", forms=(
    "(dst: LocalTensor, src: LocalTensor, repeat: RuntimeInt, mask: RuntimeInt, dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, repeat: RuntimeInt, mask: list[int], dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt, is_set_mask: bool = True) -> None",
))
def block_reduce_max(*args, **kwargs):
    """One maximum for each 32-byte block, 8 per repeat; dstRep counts 8 results.

    Limits: mask: 0 to the elements of a repeat; repeat_time: 0 to 255; dst_rep_stride, src_blk_stride, src_rep_stride: 0 to
    65535.
    """


@instruction("asc.basic.block_reduce_min", forms=(
    "(dst: LocalTensor, src: LocalTensor, repeat: RuntimeInt, mask: RuntimeInt, dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, repeat: RuntimeInt, mask: list[int], dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt, is_set_mask: bool = True) -> None",
))
def block_reduce_min(*args, **kwargs):
    """One minimum for each 32-byte block, 8 per repeat; dstRep counts 8 results.

    Limits: mask: 0 to the elements of a repeat; repeat_time: 0 to 255; dst_rep_stride, src_blk_stride, src_rep_stride: 0 to
    65535.
    """


@instruction("asc.basic.pair_reduce_sum", forms=(
    "(dst: LocalTensor, src: LocalTensor, repeat_time: RuntimeInt, mask: RuntimeInt, dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, repeat_time: RuntimeInt, mask: list[int], dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt, is_set_mask: bool = True) -> None",
))
def pair_reduce_sum(*args, **kwargs):
    """One sum for each pair of neighbours; dstRep counts the results of a repeat (128 bytes).

    Limits: mask: 0 to the elements of a repeat; repeat_time: 0 to 255; dst_rep_stride, src_blk_stride, src_rep_stride: 0 to
    65535.
    """


@instruction("asc.basic.reduce_sum", forms=(
    "(dst: LocalTensor, src: LocalTensor, shared_tmp_buffer: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None",
))
def reduce_sum(*args, **kwargs):
    """dst[0] = sum of count elements: a tree over the neighbours of each repeat, then the repeats one after another.

    Limits: count: 0 to 2147483648.
    """


@instruction("asc.basic.reduce_max", forms=(
    "(dst: LocalTensor, src: LocalTensor, shared_tmp_buffer: LocalTensor, count: RuntimeInt, cal_index: RuntimeInt = 0, is_set_mask: bool = True) -> None",
))
def reduce_max(*args, **kwargs):
    """dst[0] = maximum of count elements; with calIndex dst[1] is where it first is, as bits of the element's width.

    Limits: count: 0 to 2147483648; cal_index: 0 to 1.
    """


@instruction("asc.basic.reduce_min", forms=(
    "(dst: LocalTensor, src: LocalTensor, shared_tmp_buffer: LocalTensor, count: RuntimeInt, cal_index: RuntimeInt = 0, is_set_mask: bool = True) -> None",
))
def reduce_min(*args, **kwargs):
    """dst[0] = minimum of count elements; with calIndex dst[1] is where it first is, as bits of the element's width.

    Limits: count: 0 to 2147483648; cal_index: 0 to 1.
    """


@instruction("asc.basic.sort32", forms=(
    "(dst: LocalTensor, src: LocalTensor, src1: LocalTensor, repeat_time: RuntimeInt, is_set_mask: bool = True) -> None",
))
def sort32(*args, **kwargs):
    """Each repeat sorts 32 scores, largest first and equal ones in their order, into records of 8 bytes: the score, and from
    byte 4 on its index.

    Limits: repeat_time: 0 to 255.
    """


@instruction("asc.basic.transpose", forms=(
    "(dst: LocalTensor, src: LocalTensor, is_set_mask: bool = True) -> None",
))
def transpose(*args, **kwargs):
    """A square of 16 x 16 elements of 16 bits, turned."""


@instruction("asc.basic.data_copy_pad", forms=(
    "(dst: LocalTensor, src: GlobalTensor, data_copy_params: DataCopyExtParams, pad_params: DataCopyPadExtParams) -> None",
    "(dst: GlobalTensor, src: LocalTensor, data_copy_params: DataCopyExtParams) -> None",
    "(dst: LocalTensor, src: GlobalTensor, data_copy_params: DataCopyParams, pad_params: DataCopyPadParams) -> None",
    "(dst: GlobalTensor, src: LocalTensor, data_copy_params: DataCopyParams) -> None",
))
def data_copy_pad(*args, **kwargs):
    """blockCount blocks of blockLen bytes; srcStride bytes between them in GM, dstStride 32-byte blocks in UB or L1. Each
    block starts on 32 bytes; leftPad and rightPad elements (at most 32 bytes each) and the rest of the last 32 bytes become
    padValue with isPad, the block's first element without.

    Limits: block_count: 0 to 4095; block_len: 0 to 2097151, a multiple of the bytes of an element; src_stride: 0 to
    4294967295 on C220; -blockLen to 1099511627775 on C310; dst_stride: 0 to 65535; is_pad: 0 to 1; left_padding,
    right_padding: 0 to 32 / the bytes of an element.

    blockCount blocks of blockLen bytes; srcStride 32-byte blocks between them in UB, dstStride bytes in GM. Combines with
    what is in GM as the core's atomic mode says.

    Limits: block_count: 0 to 4095; block_len: 0 to 2097151, a multiple of the bytes of an element; src_stride: 0 to 65535;
    dst_stride: 0 to 4294967295 on C220; 0 to 1099511627775 on C310.
    """


@instruction("asc.basic.data_copy", forms=(
    "(dst: LocalTensor, src: GlobalTensor, intri_params: Nd2NzParams) -> None",
    "(dst: LocalTensor, src: GlobalTensor, repeat_params: DataCopyParams) -> None",
    "(dst: LocalTensor, src: GlobalTensor, repeat_params: DataCopyParams, enhanced_params: DataCopyEnhancedParams) -> None",
    "(dst: GlobalTensor, src: LocalTensor, repeat_params: DataCopyParams) -> None",
    "(dst: GlobalTensor, src: LocalTensor, repeat_params: DataCopyParams, enhanced_params: DataCopyEnhancedParams) -> None",
    "(dst: LocalTensor, src: GlobalTensor, count: RuntimeInt) -> None",
    "(dst: GlobalTensor, src: LocalTensor, count: RuntimeInt) -> None",
    "(dst: LocalTensor, src: LocalTensor, count: RuntimeInt) -> None",
    "(dst: LocalTensor, src: LocalTensor, repeat_params: DataCopyParams) -> None",
    "(dst: LocalTensor, src: LocalTensor, repeat_params: DataCopyParams, enhanced_params: DataCopyEnhancedParams) -> None",
    "(dst: GlobalTensor, src: LocalTensor, intri_params: DataCopyCO12DstParams) -> None",
    "(dst: LocalTensor, src: LocalTensor, intri_params: DataCopyCO12DstParams) -> None",
))
def data_copy(*args, **kwargs):
    """ND to NZ: nValue rows of dValue elements, srcDValue elements per row in GM; 32-byte columns dstNzC0Stride rows apart in
    L1. The rest of a row's last 32 bytes becomes 0; other bytes stay.

    Limits: nd_num: 0 to 4095; n_value, dst_nz_c0_stride, dst_nz_nstride: 0 to 16384; d_value: 0 to 65535;
    src_nd_matrix_stride, src_dvalue: 0 to 65535 on C220; 0 to 1099511627775 on C310; dst_nz_matrix_stride: 0 to 65535 on
    C220; 0 to 4294967295 on C310.

    blockCount blocks of blockLen bytes; srcStride bytes between them in GM, dstStride 32-byte blocks in UB or L1. Each
    block starts on 32 bytes; leftPad and rightPad elements (at most 32 bytes each) and the rest of the last 32 bytes become
    padValue with isPad, the block's first element without.

    Limits: block_count: 0 to 4095; block_len: 0 to 2097151, a multiple of the bytes of an element; src_stride: 0 to
    4294967295 on C220; -blockLen to 1099511627775 on C310; dst_stride: 0 to 65535; is_pad: 0 to 1; left_padding,
    right_padding: 0 to 32 / the bytes of an element.

    The same from L1, in whole 32-byte blocks: blockCount blocks of blockLen bytes; srcStride 32-byte blocks between them in
    L1, dstStride bytes in GM.

    Limits: block_count: 0 to 4095; block_len: 0 to 2097151, a multiple of the bytes of an element; src_stride: 0 to 65535;
    dst_stride: 0 to 4294967295.

    blockCount blocks of blockLen bytes; srcStride 32-byte blocks between them in UB, dstStride bytes in GM. Combines with
    what is in GM as the core's atomic mode says.

    Limits: block_count: 0 to 4095; block_len: 0 to 2097151, a multiple of the bytes of an element; src_stride: 0 to 65535;
    dst_stride: 0 to 4294967295 on C220; 0 to 1099511627775 on C310.

    blockCount blocks of blockLen elements from L1 to the bias table; srcStride and dstStride 32-byte blocks between them.
    Halves widen to F32.

    Limits: block_count: 0 to 4095; block_len, src_stride, dst_stride: 0 to 65535.

    blockCount runs of blockLen 32-byte blocks from UB to L1 of the block's cube core; srcStride and dstStride blocks
    between them.

    Limits: block_count: 1 to 4095; block_len, src_stride, dst_stride: 0 to 65535.

    UB to UB; the count form moves whole 32-byte blocks.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times: 0 to 255; dst_stride, src_stride,
    dst_repeat_size, src_repeat_size: 0 to 65535.

    As fixpipe_to_gm, ndNum matrices srcNdStride fractals apart in L0C and dstNdStride elements in GM, multiplied by the
    float with the bits of deqScalar where the mode quantises. With nz columns of 32 bytes, dstStride blocks apart.

    Limits: n_size, nd_num: 0 to 4095; m_size, src_stride, src_nd_stride, dst_nd_stride: 0 to 65535; dst_stride: 0 to
    4294967295; unit_flag: 0 to 3; nz: 0 to 1.

    mSize x nSize of an NZ result to row-major GM, dstStride elements per row; converts, and applies relu before.

    Limits: n_size: 0 to 4095; m_size, src_stride: 0 to 65535; dst_stride: 0 to 4294967295; unit_flag: 0 to 3.

    mSize x nSize of an NZ result to NZ in L1, dstStride 32-byte blocks between columns; converts, relu before.

    As fixpipe_to_l1, multiplied by the float with the bits of deqScalar.
    """


@instruction("asc.basic.load_data", forms=(
    "(dst: LocalTensor, src: LocalTensor, params: LoadData2DParams) -> None",
    "(dst: LocalTensor, src: LocalTensor, params: LoadData2DParamsV2) -> None",
    "(dst: LocalTensor, src: GlobalTensor, params: LoadData2DParams) -> None",
    "(dst: LocalTensor, src: LocalTensor, params: LoadData3DParamsV2) -> None",
))
def load_data(*args, **kwargs):
    """repeatTimes fractals of 512 bytes from L1, srcStride apart starting at startIndex, to consecutive places of L0 with
    dstGap between; ifTranspose turns each 16x16 fractal of 16-bit elements. On C310 fractals are those of one row:
    startIndex counts columns, which are srcStride apart.

    Limits: start_index, src_stride, dst_gap: 0 to 65535; repeat_times: 0 to 255.

    A block of mStep x kStep fractals from an NZ buffer in L1 to L0; ifTranspose turns fractals and their order.

    Limits: m_start_position, k_start_position, src_stride, dst_stride: 0 to 65535; m_step, k_step: 0 to 255.

    blockCount blocks of blockLen bytes; srcStride bytes between them in GM, dstStride 32-byte blocks in UB or L1. Each
    block starts on 32 bytes; leftPad and rightPad elements (at most 32 bytes each) and the rest of the last 32 bytes become
    padValue with isPad, the block's first element without.

    Limits: block_count: 0 to 4095; block_len: 0 to 2097151, a multiple of the bytes of an element; src_stride: 0 to
    4294967295 on C220; -blockLen to 1099511627775 on C310; dst_stride: 0 to 65535; is_pad: 0 to 1; left_padding,
    right_padding: 0 to 32 / the bytes of an element.

    repeatTimes fractals of 512 bytes from GM, srcStride apart starting at startIndex, to consecutive places of L0 with
    dstGap between; ifTranspose turns each 16x16 fractal of 16-bit elements.

    Limits: start_index, src_stride, dst_gap: 0 to 65535; repeat_times: 0 to 255; if_transpose: 0 to 1.

    A part of the matrix whose row is a place of the filter over an image in L1 and whose column is an element under it
    (img2col). The image is channelSize channels in groups of 32 bytes, each l1H x l1W pixels; around it lie pads pixels
    (left, right, top, bottom: 8 bits each) of padValue. Rows are places of the filter, line by line; columns run over
    groups of channels, height and width of the filter, and channels. Rows mStart ... and columns kStart ... become whole
    fractals of L0, one after the other; rows beyond the last place are zero.

    Limits: l1_h, l1_w: 1 to 32767; channel_size: 1 to 65535; k_extension, m_extension, k_start, m_start, stride, filter,
    dilation: 0 to 65535; pads: 0 to 4294967295.
    """


@instruction("asc.basic.load_data_with_transpose", forms=(
    "(dst: LocalTensor, src: LocalTensor, params: LoadData2dTransposeParams) -> None",
))
def load_data_with_transpose(*args, **kwargs):
    """For 32-bit elements: each repeat turns a 16x16 square (two fractals, neighbours srcStride apart) into two L0 fractals
    dstFracGap + 1 apart; repeats are dstGap + 1 apart. Of 16 bits a repeat is one fractal, of 8 bits a square of two that
    follow each other; there startIndex and srcStride count squares.

    Limits: start_index, src_stride, dst_gap, dst_frac_gap: 0 to 65535; repeat_times: 0 to 255.
    """


@instruction("asc.basic.fill", forms=(
    "(dst: LocalTensor, params: InitConstValueParams) -> None",
))
def fill(*args, **kwargs):
    """repeatTimes runs of blockNum fractals of 512 bytes, dstGap fractals apart, become the scalar.

    Limits: repeat_times, block_num, dst_gap: 0 to 32767.

    repeatTimes runs of blockNum 32-byte blocks, dstGap blocks apart, become the scalar.
    """


@instruction("asc.basic.init_const_value", forms=(
    "(dst: LocalTensor, params: InitConstValueParams) -> None",
))
def init_const_value(*args, **kwargs):
    """repeatTimes runs of blockNum fractals of 512 bytes, dstGap fractals apart, become the scalar.

    Limits: repeat_times, block_num, dst_gap: 0 to 32767.

    repeatTimes runs of blockNum 32-byte blocks, dstGap blocks apart, become the scalar.
    """


@instruction("asc.basic.mmad", forms=(
    "(dst: LocalTensor, fm: LocalTensor, filter: LocalTensor, params: MmadParams) -> None",
    "(dst: LocalTensor, fm: LocalTensor, filter: LocalTensor, bias: LocalTensor, params: MmadParams) -> None",
))
def mmad(*args, **kwargs):
    """As mmad for factors of 8-bit floats: e4m3 and e5m2 in any mix, or hif8 both.

    Limits: m, n, k: 0 to 4095; unit_flag: 0 to 3.

    As mmad, of F32 factors that lose the last bits of their mantissa (HF32): rounded to even, or cut off.

    Limits: m, n, k: 0 to 4095; unit_flag: 0 to 3; cut: 0 to 1.

    dst[m,n] = (init ? 0 : dst) + a[m,k] * b[k,n], f32 accumulation, sequential in k. With m = 1 a is a plain vector.

    As mmad_fp8, starting from row `bias` of n elements in every row of dst.

    As mmad_bias, of F32 factors that lose the last bits of their mantissa (HF32).

    As mmad, starting from row `bias` of n elements in every row of dst.
    """


@instruction("asc.basic.mmad_mx", forms=(
    "(dst: LocalTensor, fm: LocalTensor, filter: LocalTensor, params: MmadParams) -> None",
    "(dst: LocalTensor, fm: LocalTensor, filter: LocalTensor, bias: LocalTensor, params: MmadParams) -> None",
))
def mmad_mx(*args, **kwargs):
    """As mmad for scaled factors: each 32 values along k of a row of a and of a column of b are multiplied by their scale.
    Both are 8-bit floats (e4m3 and e5m2 in any mix) or both 4-bit ones (e2m1 and e1m2); k is a multiple of 64.

    Limits: m, n, k: 0 to 4095; unit_flag: 0 to 3.

    As mmad_mx, starting from row `bias` of n elements in every row of dst.
    """


@instruction("asc.basic.fixpipe", forms=(
    "(dst: GlobalTensor, src: LocalTensor, params: FixpipeParamsV220, config: FixpipeConfig = ...) -> None",
    "(dst: GlobalTensor, src: LocalTensor, cbuf_workspace: LocalTensor, params: FixpipeParamsV220, config: FixpipeConfig = ...) -> None",
    "(dst: GlobalTensor, src: LocalTensor, params: FixpipeParamsArch3510, config: FixpipeConfig = ...) -> None",
    "(dst: GlobalTensor, src: LocalTensor, cbuf_workspace: LocalTensor, params: FixpipeParamsArch3510, config: FixpipeConfig = ...) -> None",
    "(dst: LocalTensor, src: LocalTensor, params: FixpipeParamsV220, config: FixpipeConfig = ...) -> None",
    "(dst: LocalTensor, src: LocalTensor, params: FixpipeParamsArch3510, config: FixpipeConfig = ...) -> None",
    "(dst: LocalTensor, src: LocalTensor, cbuf_workspace: LocalTensor, params: FixpipeParamsV220, config: FixpipeConfig = ...) -> None",
    "(dst: LocalTensor, src: LocalTensor, cbuf_workspace: LocalTensor, params: FixpipeParamsArch3510, config: FixpipeConfig = ...) -> None",
))
def fixpipe(*args, **kwargs):
    """mSize x nSize of an NZ result to row-major GM, dstStride elements per row; converts, and applies relu before.

    Limits: n_size: 0 to 4095; m_size, src_stride: 0 to 65535; dst_stride: 0 to 4294967295; unit_flag: 0 to 3.

    As fixpipe_to_gm, ndNum matrices srcNdStride fractals apart in L0C and dstNdStride elements in GM, multiplied by the
    float with the bits of deqScalar where the mode quantises. With nz columns of 32 bytes, dstStride blocks apart.

    Limits: n_size, nd_num: 0 to 4095; m_size, src_stride, src_nd_stride, dst_nd_stride: 0 to 65535; dst_stride: 0 to
    4294967295; unit_flag: 0 to 3; nz: 0 to 1.

    As fixpipe_quant, with a scale for each column: nSize words in L1.

    mSize x nSize of an NZ result straight into UB of a vector core of the block, converted, relu before: of number
    subBlock; with dual 1 the halves of the rows, with dual 2 those of the columns, to both, at the same address. Rows are
    dstStride elements apart; with nz 32-byte columns dstStride blocks.

    Limits: n_size: 0 to 4095; m_size, src_stride: 0 to 65535; dst_stride: 0 to 4294967295; unit_flag: 0 to 3; sub_block,
    nz: 0 to 1; dual: 0 to 2.

    mSize x nSize of an NZ result to NZ in L1, dstStride 32-byte blocks between columns; converts, relu before.

    As fixpipe_to_l1, multiplied by the float with the bits of deqScalar.

    As fixpipe_to_l1, with a scale for each column: nSize words in L1.
    """


@instruction("asc.basic.whole_reduce_max", forms=(
    "(dst: LocalTensor, src: LocalTensor, mask: RuntimeInt, repeat_time: RuntimeInt, dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt, order: ReduceOrder = ReduceOrder.ORDER_VALUE_INDEX, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, mask: list[int], repeat_time: RuntimeInt, dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt, order: ReduceOrder = ReduceOrder.ORDER_VALUE_INDEX, is_set_mask: bool = True) -> None",
))
def whole_reduce_max(*args, **kwargs):
    """dst[r * dstRep] = maximum of the first mask lanes of repeat r (value only).

    Limits: mask: 0 to the elements of a repeat; repeat_time: 0 to 255; dst_rep_stride, src_blk_stride, src_rep_stride: 0 to
    65535.

    As whole_reduce_max, with the lane of the first maximum: value and index, index and value, or the index alone; the index
    is bits of the element's width (alone: 32 bits). dstRep counts results.
    """


@instruction("asc.basic.whole_reduce_min", forms=(
    "(dst: LocalTensor, src: LocalTensor, mask: RuntimeInt, repeat_time: RuntimeInt, dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt, order: ReduceOrder = ReduceOrder.ORDER_VALUE_INDEX, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, mask: list[int], repeat_time: RuntimeInt, dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt, order: ReduceOrder = ReduceOrder.ORDER_VALUE_INDEX, is_set_mask: bool = True) -> None",
))
def whole_reduce_min(*args, **kwargs):
    """dst[r * dstRep] = minimum of the first mask lanes of repeat r (value only).

    Limits: mask: 0 to the elements of a repeat; repeat_time: 0 to 255; dst_rep_stride, src_blk_stride, src_rep_stride: 0 to
    65535.

    As whole_reduce_min, with the lane of the first minimum.
    """


@instruction("asc.basic.repeat_reduce_sum", forms=(
    "(dst: LocalTensor, src: LocalTensor, repeat_time: RuntimeInt, mask: RuntimeInt, dst_blk_stride: RuntimeInt, src_blk_stride: RuntimeInt, dst_rep_stride: RuntimeInt, src_rep_stride: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, repeat_time: RuntimeInt, mask: list[int], dst_blk_stride: RuntimeInt, src_blk_stride: RuntimeInt, dst_rep_stride: RuntimeInt, src_rep_stride: RuntimeInt, is_set_mask: bool = True) -> None",
))
def repeat_reduce_sum(*args, **kwargs):
    """dst[r * dstRep] = sum of the first mask lanes of repeat r, a tree over neighbours; other lanes count as 0.

    Limits: mask: 0 to the elements of a repeat; repeat_time: 0 to 255; dst_rep_stride, src_blk_stride, src_rep_stride: 0 to
    65535.
    """


@instruction("asc.basic.select", forms=(
    "(dst: LocalTensor, sel_mask: LocalTensor, src0: LocalTensor, src1: LocalTensor, sel_mode: SelMode, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, sel_mask: LocalTensor, src0: LocalTensor, src1: LocalTensor, sel_mode: SelMode, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, sel_mask: LocalTensor, src0: LocalTensor, src1: LocalTensor, sel_mode: SelMode, mask: list[int], repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, sel_mask: LocalTensor, src0: LocalTensor, src1: Scalar, sel_mode: SelMode, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, sel_mask: LocalTensor, src0: LocalTensor, src1: Scalar, sel_mode: SelMode, mask: RuntimeInt, repeat: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, sel_mask: LocalTensor, src0: LocalTensor, src1: Scalar, sel_mode: SelMode, mask: list[int], repeat: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, repeat: RuntimeInt, repeat_params: BinaryRepeatParams, sel_mode: SelMode = SelMode.VSEL_CMPMASK_SPR) -> None",
    "(dst: LocalTensor, sel_mask: LocalTensor, src0: LocalTensor, repeat: RuntimeInt, repeat_params: BinaryRepeatParams) -> None",
))
def select(*args, **kwargs):
    """dst[i] = mask bit i ? src0[i] : src1[i].

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_blk_stride, src0_blk_stride,
    src1_blk_stride, dst_rep_stride, src0_rep_stride, src1_rep_stride: 0 to 255.

    dst[i] = mask bit i ? src[i] : scalar.

    Limits: count: 0 to 2147483648; lanes: 0 to the elements of a repeat; repeat, dst_blk, src_blk, dst_rep, src_rep: 0 to
    255.

    dst[i] = bit i of the compare register ? src0[i] : src1[i], in every repeat.

    Limits: mask: 0 to the elements of a repeat; repeat, dst_blk, src0_blk, src1_blk, dst_rep, src0_rep, src1_rep: 0 to 255.

    dst[i] = bit i of bits ? src[i] : the scalar in the lowest bits of the compare register.

    Limits: lanes: 0 to the elements of a repeat; repeat, dst_blk, src_blk, dst_rep, src_rep: 0 to 255.
    """


@instruction("asc.basic.get_cmp_mask", forms=(
    "(dst: LocalTensor) -> None",
))
def get_cmp_mask(*args, **kwargs):
    """The 16 bytes of the compare register."""


@instruction("asc.basic.set_cmp_mask", forms=(
    "(src: LocalTensor) -> None",
))
def set_cmp_mask(*args, **kwargs):
    """The compare register becomes these 16 bytes."""


@instruction("asc.basic.add_deq_relu", forms=(
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: RuntimeInt, repeat: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: list[int], repeat: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
))
def add_deq_relu(*args, **kwargs):
    """dst[i] = F16(max((src0[i] + src1[i]) * scale, 0)), where the terms are I32 and scale (its bits) F16.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat, dst_rep, src0_rep, src1_rep: 0 to 255;
    dst_blk, src0_blk, src1_blk: 0 to 65535.
    """


@instruction("asc.basic.add_relu_cast", forms=(
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: RuntimeInt, repeat: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: list[int], repeat: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
))
def add_relu_cast(*args, **kwargs):
    """dst[i] = max(src0[i] + src1[i], 0), converted: F16 to I8, F32 to F16, I16 to I8.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat, dst_rep, src0_rep, src1_rep: 0 to 255;
    dst_blk, src0_blk, src1_blk: 0 to 65535.
    """


@instruction("asc.basic.sub_relu_cast", forms=(
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: RuntimeInt, repeat: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: list[int], repeat: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
))
def sub_relu_cast(*args, **kwargs):
    """dst[i] = max(src0[i] - src1[i], 0), converted: F16 to I8, F32 to F16, I16 to I8.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat, dst_rep, src0_rep, src1_rep: 0 to 255;
    dst_blk, src0_blk, src1_blk: 0 to 65535.
    """


@instruction("asc.basic.mul_cast", forms=(
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: RuntimeInt, repeat: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: list[int], repeat: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None",
))
def mul_cast(*args, **kwargs):
    """dst[i] = src0[i] * src1[i], converted from F16 to I8 or U8.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat, dst_rep, src0_rep, src1_rep: 0 to 255;
    dst_blk, src0_blk, src1_blk: 0 to 65535.
    """


@instruction("asc.basic.cast", forms=(
    "(dst: LocalTensor, src: LocalTensor, round_mode: RoundMode, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, round_mode: RoundMode, mask: RuntimeInt, repeat: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, round_mode: RoundMode, mask: list[int], repeat: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None",
))
def cast(*args, **kwargs):
    """dst[i] = F16(src0[i] * scale), where src0 is I32 and scale (its bits) F16. src1 is src0.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat, dst_rep, src0_rep, src1_rep: 0 to 255;
    dst_blk, src0_blk, src1_blk: 0 to 65535.

    Converts element types. The repeat form counts lanes and repeats of the wider type.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@instruction("asc.basic.cast_deq", forms=(
    "(dst: LocalTensor, src: LocalTensor, count: RuntimeInt, is_vec_deq: RuntimeInt = True, half_block: RuntimeInt = True, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_vec_deq: RuntimeInt = True, half_block: RuntimeInt = True, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_vec_deq: RuntimeInt = True, half_block: RuntimeInt = True, is_set_mask: bool = True) -> None",
))
def cast_deq(*args, **kwargs):
    """As cast_deq, with a word for each of the 16 places of a block.

    Limits: upper: 0 to 1; count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep, src_rep: 0 to
    255; dst_blk, src_blk: 0 to 65535.

    dst[i] = round(src[i] * scale) + offset, saturated: of scale, a word as SetDeqScale makes it. Results of a block lie in
    the upper or the lower half of a block.
    """


@instruction("asc.basic.arith_progression", forms=(
    "(dst: LocalTensor, first: Scalar, step: Scalar, count: RuntimeInt, is_set_mask: bool = True) -> None",
))
def arith_progression(*args, **kwargs):
    """dst[i] = first + i * step.

    Limits: count: 0 to 2147483648.
    """


@instruction("asc.basic.arange", forms=(
    "(dst: LocalTensor, first: Scalar, step: Scalar, count: RuntimeInt, is_set_mask: bool = True) -> None",
))
def arange(*args, **kwargs):
    """dst[i] = first + i * step.

    Limits: count: 0 to 2147483648.
    """


@instruction("asc.basic.create_vec_index", forms=(
    "(dst: LocalTensor, first: Scalar, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, first: Scalar, mask: RuntimeInt, repeat: RuntimeInt, dst_blk_stride: RuntimeInt, dst_rep_stride: RuntimeInt, is_set_mask: bool = True) -> None",
))
def create_vec_index(*args, **kwargs):
    """dst[i] = first + i * step.

    Limits: count: 0 to 2147483648.
    """


@instruction("asc.basic.gather", forms=(
    "(dst: LocalTensor, src: LocalTensor, src_offset: LocalTensor, src_base: RuntimeInt, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, src_offset: LocalTensor, src_base: RuntimeInt, mask: RuntimeInt, repeat: RuntimeInt, dst_rep_stride: RuntimeInt, is_set_mask: bool = True) -> None",
))
def gather(*args, **kwargs):
    """dst[i] = the element of src that starts offset[i] + base bytes from its beginning. src has srcBytes bytes; an offset
    that leaves it gives 0.

    Limits: base, src_bytes: 0 to 1048576; count: 0 to 2147483648.
    """


@instruction("asc.basic.gatherb", forms=(
    "(dst: LocalTensor, src0: LocalTensor, offset: LocalTensor, repeat: RuntimeInt, repeat_params: BrcbRepeatParams) -> None",
))
def gatherb(*args, **kwargs):
    """Each repeat gathers 8 blocks of 32 bytes that start at the next 8 offsets (bytes) of src, which has srcBytes bytes; an
    offset that leaves it gives 0.

    Limits: src_bytes: 0 to 1048576; repeat: 0 to 255; dst_blk, dst_rep: 0 to 65535.
    """


@instruction("asc.basic.scatter", forms=(
    "(dst: LocalTensor, src: LocalTensor, dst_offset: LocalTensor, dst_base: RuntimeInt, count: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, dst_offset: LocalTensor, dst_base: RuntimeInt, mask: RuntimeInt, repeat_times: RuntimeInt, src_rep_stride: RuntimeInt, is_set_mask: bool = True) -> None",
    "(dst: LocalTensor, src: LocalTensor, dst_offset: LocalTensor, dst_base: RuntimeInt, mask: list[int], repeat_times: RuntimeInt, src_rep_stride: RuntimeInt, is_set_mask: bool = True) -> None",
))
def scatter(*args, **kwargs):
    """The element of dst that starts offset[i] + base bytes from its beginning = src[i]. dst has dstBytes bytes; an offset
    that leaves it is skipped.

    Limits: base, dst_bytes: 0 to 1048576; count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times,
    src_rep: 0 to 255.
    """


@instruction("asc.basic.mrg_sort", forms=(
    "(dst: LocalTensor, src: MrgSortSrcList, params: MrgSort4Info) -> None",
))
def mrg_sort(*args, **kwargs):
    """Merges up to four lists of 8-byte records, largest score first and equal ones list by list, `repeat` times; with `stops`
    a merge ends with its first empty list. How much of each list was taken stays readable.

    Limits: count0, count1, count2, count3: 0 to 4095; repeat: 0 to 255; stops: 0 to 1.
    """


@instruction("asc.basic.set_flag", forms=(
    "(event: HardEvent, event_id: RuntimeInt = 0) -> None",
))
def set_flag(*args, **kwargs):
    """When everything earlier on pipe `from` is complete, raises flag `id` for pipe `to`."""


@instruction("asc.basic.wait_flag", forms=(
    "(event: HardEvent, event_id: RuntimeInt = 0) -> None",
))
def wait_flag(*args, **kwargs):
    """Pipe `to` waits for flag `id` of pipe `from` and lowers it."""


@instruction("asc.basic.pipe_barrier", forms=(
    "(pipe: PipeID) -> None",
))
def pipe_barrier(*args, **kwargs):
    """Later instructions of the pipe wait for all earlier ones of it; ALL: every pipe, and the scalar unit."""


@instruction("asc.basic.data_sync_barrier", forms=(
    "(arg0: MemDsbT) -> None",
))
def data_sync_barrier(*args, **kwargs):
    """Later instructions of the pipe wait for all earlier ones of it; ALL: every pipe, and the scalar unit."""


@instruction("asc.basic.set_atomic_add", forms=(
    "(dtype: DataType) -> None",
))
def set_atomic_add(*args, **kwargs):
    """Stores to GM from here on combine by `op`; ordered with the other pipes by hardware."""


@instruction("asc.basic.set_atomic_type", forms=(
    "(dtype: DataType) -> None",
))
def set_atomic_type(*args, **kwargs):
    """Stores to GM from here on combine by `op`; ordered with the other pipes by hardware."""


@instruction("asc.basic.set_atomic_max", forms=(
    "(dtype: DataType) -> None",
))
def set_atomic_max(*args, **kwargs):
    """Stores to GM from here on combine by `op`; ordered with the other pipes by hardware."""


@instruction("asc.basic.set_atomic_min", forms=(
    "(dtype: DataType) -> None",
))
def set_atomic_min(*args, **kwargs):
    """Stores to GM from here on combine by `op`; ordered with the other pipes by hardware."""


@instruction("asc.basic.set_atomic_none", forms=(
    "() -> None",
))
def set_atomic_none(*args, **kwargs):
    """Stores to GM from here on combine by `op`; ordered with the other pipes by hardware."""


@instruction("asc.basic.disable_dma_atomic", forms=(
    "() -> None",
))
def disable_dma_atomic(*args, **kwargs):
    """Stores to GM from here on combine by `op`; ordered with the other pipes by hardware."""
