# Made by tools/stubs.py. Signatures and texts are in asc/language/basic/instructions.py, which tools/isa.py writes from the instruction table.

from typing import Literal, overload

from asc.language.basic.types import *
from asc.language.basic.types import RuntimeInt, Scalar
from asc.language.core.dtype import DataType
from asc.language.core.ir_value import PlainValue

__all__ = [
    "abs", "add", "add_relu", "adds", "axpy", "bitwise_and", "bitwise_not", "bitwise_or", "block_reduce_max",
    "block_reduce_min", "block_reduce_sum", "brcb", "cast", "compare", "compare_scalar", "copy", "data_copy",
    "data_copy_pad", "div", "duplicate", "exp", "fixpipe", "fused_mul_add", "fused_mul_add_relu", "gather", "gather_mask",
    "init_const_value", "leaky_relu", "ln", "load_data", "load_data_with_transpose", "max", "maxs", "min", "mins", "mmad",
    "mul", "mul_add_dst", "muls", "neg", "pair_reduce_sum", "pipe_barrier", "printf", "reciprocal", "reduce_max",
    "reduce_min", "reduce_sum", "relu", "rsqrt", "select", "set_atomic_add", "set_atomic_max", "set_atomic_min",
    "set_atomic_none", "set_flag", "shift_left", "shift_right", "sort32", "sqrt", "sub", "sub_relu", "transpose",
    "wait_flag", "whole_reduce_max", "whole_reduce_min", "whole_reduce_sum",
]

@overload
def add(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None: ...
@overload
def add(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def add(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None:
    """Element-wise sum: dst[i] = src0[i] + src1[i].

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_blk_stride, src0_blk_stride,
    src1_blk_stride, dst_rep_stride, src0_rep_stride, src1_rep_stride: 0 to 255.
    """


@overload
def sub(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None: ...
@overload
def sub(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def sub(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None:
    """Element-wise difference: dst[i] = src0[i] - src1[i].

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_blk_stride, src0_blk_stride,
    src1_blk_stride, dst_rep_stride, src0_rep_stride, src1_rep_stride: 0 to 255.
    """


@overload
def mul(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None: ...
@overload
def mul(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def mul(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None:
    """Element-wise product: dst[i] = src0[i] * src1[i].

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_blk_stride, src0_blk_stride,
    src1_blk_stride, dst_rep_stride, src0_rep_stride, src1_rep_stride: 0 to 255.
    """


@overload
def div(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None: ...
@overload
def div(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def div(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None:
    """Element-wise quotient: dst[i] = src0[i] / src1[i]; integers truncate.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_blk_stride, src0_blk_stride,
    src1_blk_stride, dst_rep_stride, src0_rep_stride, src1_rep_stride: 0 to 255.
    """


@overload
def max(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None: ...
@overload
def max(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def max(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None:
    """Element-wise maximum; NaN propagates.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_blk_stride, src0_blk_stride,
    src1_blk_stride, dst_rep_stride, src0_rep_stride, src1_rep_stride: 0 to 255.
    """


@overload
def min(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None: ...
@overload
def min(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def min(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None:
    """Element-wise minimum; NaN propagates.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_blk_stride, src0_blk_stride,
    src1_blk_stride, dst_rep_stride, src0_rep_stride, src1_rep_stride: 0 to 255.
    """


@overload
def bitwise_and(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None: ...
@overload
def bitwise_and(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def bitwise_and(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None:
    """Bitwise and.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_blk_stride, src0_blk_stride,
    src1_blk_stride, dst_rep_stride, src0_rep_stride, src1_rep_stride: 0 to 255.
    """


@overload
def bitwise_or(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None: ...
@overload
def bitwise_or(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def bitwise_or(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None:
    """Bitwise or.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_blk_stride, src0_blk_stride,
    src1_blk_stride, dst_rep_stride, src0_rep_stride, src1_rep_stride: 0 to 255.
    """


@overload
def mul_add_dst(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None: ...
@overload
def mul_add_dst(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def mul_add_dst(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None:
    """Fused accumulation: dst[i] = src0[i] * src1[i] + dst[i], rounded once.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_blk_stride, src0_blk_stride,
    src1_blk_stride, dst_rep_stride, src0_rep_stride, src1_rep_stride: 0 to 255.
    """


@overload
def fused_mul_add(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None: ...
@overload
def fused_mul_add(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def fused_mul_add(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None:
    """Fused product and sum: dst[i] = src0[i] * dst[i] + src1[i], rounded once.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_blk_stride, src0_blk_stride,
    src1_blk_stride, dst_rep_stride, src0_rep_stride, src1_rep_stride: 0 to 255.
    """


@overload
def fused_mul_add_relu(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None: ...
@overload
def fused_mul_add_relu(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def fused_mul_add_relu(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None:
    """dst[i] = max(src0[i] * dst[i] + src1[i], 0).

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_blk_stride, src0_blk_stride,
    src1_blk_stride, dst_rep_stride, src0_rep_stride, src1_rep_stride: 0 to 255.
    """


@overload
def add_relu(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None: ...
@overload
def add_relu(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def add_relu(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None:
    """dst[i] = max(src0[i] + src1[i], 0).

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_blk_stride, src0_blk_stride,
    src1_blk_stride, dst_rep_stride, src0_rep_stride, src1_rep_stride: 0 to 255.
    """


@overload
def sub_relu(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: RuntimeInt, is_set_mask: bool = True) -> None: ...
@overload
def sub_relu(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def sub_relu(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None:
    """dst[i] = max(src0[i] - src1[i], 0).

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_blk_stride, src0_blk_stride,
    src1_blk_stride, dst_rep_stride, src0_rep_stride, src1_rep_stride: 0 to 255.
    """


@overload
def abs(dst: LocalTensor, src: LocalTensor, count: RuntimeInt) -> None: ...
@overload
def abs(dst: LocalTensor, src: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def abs(dst: LocalTensor, src: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None:
    """Absolute value.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@overload
def neg(dst: LocalTensor, src: LocalTensor, count: RuntimeInt) -> None: ...
@overload
def neg(dst: LocalTensor, src: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def neg(dst: LocalTensor, src: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None:
    """Sign change.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@overload
def exp(dst: LocalTensor, src: LocalTensor, count: RuntimeInt) -> None: ...
@overload
def exp(dst: LocalTensor, src: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def exp(dst: LocalTensor, src: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None:
    """Exponential, within 1 ulp.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@overload
def ln(dst: LocalTensor, src: LocalTensor, count: RuntimeInt) -> None: ...
@overload
def ln(dst: LocalTensor, src: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def ln(dst: LocalTensor, src: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None:
    """Natural logarithm, within 1 ulp; ln(0) = -inf, ln(negative) = NaN.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@overload
def sqrt(dst: LocalTensor, src: LocalTensor, count: RuntimeInt) -> None: ...
@overload
def sqrt(dst: LocalTensor, src: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def sqrt(dst: LocalTensor, src: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None:
    """Square root, correctly rounded.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@overload
def rsqrt(dst: LocalTensor, src: LocalTensor, count: RuntimeInt) -> None: ...
@overload
def rsqrt(dst: LocalTensor, src: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def rsqrt(dst: LocalTensor, src: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None:
    """Reciprocal square root: 1 / sqrt(x), both rounded.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@overload
def reciprocal(dst: LocalTensor, src: LocalTensor, count: RuntimeInt) -> None: ...
@overload
def reciprocal(dst: LocalTensor, src: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def reciprocal(dst: LocalTensor, src: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None:
    """1 / x, correctly rounded.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@overload
def relu(dst: LocalTensor, src: LocalTensor, count: RuntimeInt) -> None: ...
@overload
def relu(dst: LocalTensor, src: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def relu(dst: LocalTensor, src: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None:
    """max(x, 0).

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@overload
def bitwise_not(dst: LocalTensor, src: LocalTensor, count: RuntimeInt) -> None: ...
@overload
def bitwise_not(dst: LocalTensor, src: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def bitwise_not(dst: LocalTensor, src: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None:
    """Bitwise complement.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@overload
def adds(dst: LocalTensor, src: LocalTensor, scalar: Scalar, count: RuntimeInt, is_set_mask: bool = True) -> None: ...
@overload
def adds(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def adds(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None:
    """dst[i] = src[i] + scalar.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@overload
def muls(dst: LocalTensor, src: LocalTensor, scalar: Scalar, count: RuntimeInt, is_set_mask: bool = True) -> None: ...
@overload
def muls(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def muls(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None:
    """dst[i] = src[i] * scalar.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@overload
def maxs(dst: LocalTensor, src: LocalTensor, scalar: Scalar, count: RuntimeInt, is_set_mask: bool = True) -> None: ...
@overload
def maxs(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def maxs(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None:
    """dst[i] = max(src[i], scalar).

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@overload
def mins(dst: LocalTensor, src: LocalTensor, scalar: Scalar, count: RuntimeInt, is_set_mask: bool = True) -> None: ...
@overload
def mins(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def mins(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None:
    """dst[i] = min(src[i], scalar).

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@overload
def leaky_relu(dst: LocalTensor, src: LocalTensor, scalar: Scalar, count: RuntimeInt, is_set_mask: bool = True) -> None: ...
@overload
def leaky_relu(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def leaky_relu(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None:
    """dst[i] = src[i] >= 0 ? src[i] : src[i] * scalar.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@overload
def axpy(dst: LocalTensor, src: LocalTensor, scalar: Scalar, count: RuntimeInt, is_set_mask: bool = True) -> None: ...
@overload
def axpy(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def axpy(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None:
    """dst[i] = src[i] * scalar + dst[i], rounded once.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@overload
def shift_left(dst: LocalTensor, src: LocalTensor, scalar: Scalar, count: RuntimeInt, is_set_mask: bool = True) -> None: ...
@overload
def shift_left(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def shift_left(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None:
    """dst[i] = src[i] << scalar.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@overload
def shift_right(dst: LocalTensor, src: LocalTensor, scalar: Scalar, count: RuntimeInt, is_set_mask: bool = True) -> None: ...
@overload
def shift_right(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def shift_right(dst: LocalTensor, src: LocalTensor, scalar: Scalar, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None:
    """dst[i] = src[i] >> scalar; arithmetic on signed types.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@overload
def duplicate(dst: LocalTensor, scalar: Scalar, count: RuntimeInt) -> None: ...
@overload
def duplicate(dst: LocalTensor, scalar: Scalar, mask: RuntimeInt, repeat_times: RuntimeInt, dst_block_stride: RuntimeInt, dst_repeat_stride: RuntimeInt, is_set_mask: bool = True) -> None: ...
@overload
def duplicate(dst: LocalTensor, scalar: Scalar, mask: list[int], repeat_times: RuntimeInt, dst_block_stride: RuntimeInt, dst_repeat_stride: RuntimeInt, is_set_mask: bool = True) -> None:
    """Every element becomes the scalar.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_repeat_stride: 0 to 255;
    dst_block_stride: 0 to 65535.
    """


@overload
def copy(dst: LocalTensor, src: LocalTensor, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: CopyRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def copy(dst: LocalTensor, src: LocalTensor, mask: list[int], repeat_times: RuntimeInt, repeat_params: CopyRepeatParams, is_set_mask: bool = True) -> None:
    """UB to UB; the count form moves whole 32-byte blocks.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times: 0 to 255; dst_stride, src_stride,
    dst_repeat_size, src_repeat_size: 0 to 65535.
    """


def brcb(dst: LocalTensor, src: LocalTensor, repeat_times: RuntimeInt, repeat_params: BrcbRepeatParams) -> None:
    """Each of 8 elements per repeat fills one 32-byte block.

    Limits: repeat_times: 0 to 255; dst_blk_stride, dst_rep_stride: 0 to 65535.
    """


@overload
def cast(dst: LocalTensor, src: LocalTensor, round_mode: RoundMode, count: RuntimeInt) -> None: ...
@overload
def cast(dst: LocalTensor, src: LocalTensor, round_mode: RoundMode, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def cast(dst: LocalTensor, src: LocalTensor, round_mode: RoundMode, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None:
    """Converts element types. The repeat form counts lanes and repeats of the wider type.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_rep_stride, src_rep_stride: 0 to
    255; dst_blk_stride, src_blk_stride: 0 to 65535.
    """


@overload
def compare(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, cmp_mode: CMPMODE, count: RuntimeInt) -> None: ...
@overload
def compare(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, cmp_mode: CMPMODE, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def compare(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, cmp_mode: CMPMODE, mask: list[int], repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None:
    """Bit i of dst says whether src0[i] mode src1[i]. The count form needs a multiple of 256 bytes; in the repeat form
    inactive lanes give 0.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, src0_blk_stride, src1_blk_stride,
    src0_rep_stride, src1_rep_stride: 0 to 255.
    """


@overload
def compare_scalar(dst: LocalTensor, src: LocalTensor, src1_scalar: Scalar, cmp_mode: CMPMODE, count: RuntimeInt) -> None: ...
@overload
def compare_scalar(dst: LocalTensor, src: LocalTensor, src1_scalar: Scalar, cmp_mode: CMPMODE, mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def compare_scalar(dst: LocalTensor, src: LocalTensor, src1_scalar: Scalar, cmp_mode: CMPMODE, mask: list[int], repeat_times: RuntimeInt, repeat_params: UnaryRepeatParams, is_set_mask: bool = True) -> None:
    """Bit i of dst says whether src[i] mode scalar. The count form needs a multiple of 256 bytes; in the repeat form inactive
    lanes give 0.

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, src_rep_stride: 0 to 255;
    src_blk_stride: 0 to 65535.
    """


@overload
def select(dst: LocalTensor, sel_mask: LocalTensor, src0: LocalTensor, src1: LocalTensor, sel_mode: Literal[SelMode.VSEL_TENSOR_TENSOR_MODE], count: RuntimeInt) -> None: ...
@overload
def select(dst: LocalTensor, sel_mask: LocalTensor, src0: LocalTensor, src1: LocalTensor, sel_mode: Literal[SelMode.VSEL_TENSOR_TENSOR_MODE], mask: RuntimeInt, repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None: ...
@overload
def select(dst: LocalTensor, sel_mask: LocalTensor, src0: LocalTensor, src1: LocalTensor, sel_mode: Literal[SelMode.VSEL_TENSOR_TENSOR_MODE], mask: list[int], repeat_times: RuntimeInt, repeat_params: BinaryRepeatParams, is_set_mask: bool = True) -> None:
    """dst[i] = mask bit i ? src0[i] : src1[i].

    Limits: count: 0 to 2147483648; mask: 0 to the elements of a repeat; repeat_times, dst_blk_stride, src0_blk_stride,
    src1_blk_stride, dst_rep_stride, src0_rep_stride, src1_rep_stride: 0 to 255.
    """


@overload
def whole_reduce_sum(dst: LocalTensor, src: LocalTensor, mask: RuntimeInt, repeat_time: RuntimeInt, dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt, is_set_mask: bool = True) -> None: ...
@overload
def whole_reduce_sum(dst: LocalTensor, src: LocalTensor, mask: list[int], repeat_time: RuntimeInt, dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt, is_set_mask: bool = True) -> None:
    """dst[r * dstRep] = sum of the first mask lanes of repeat r, a tree over neighbours; other lanes count as 0.

    Limits: mask: 0 to the elements of a repeat; repeat_time: 0 to 255; dst_rep_stride, src_blk_stride, src_rep_stride: 0 to
    65535.
    """


@overload
def whole_reduce_max(dst: LocalTensor, src: LocalTensor, mask: RuntimeInt, repeat_time: RuntimeInt, dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt, order: Literal[ReduceOrder.ORDER_ONLY_VALUE], is_set_mask: bool = True) -> None: ...
@overload
def whole_reduce_max(dst: LocalTensor, src: LocalTensor, mask: list[int], repeat_time: RuntimeInt, dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt, order: Literal[ReduceOrder.ORDER_ONLY_VALUE], is_set_mask: bool = True) -> None: ...
@overload
def whole_reduce_max(dst: LocalTensor, src: LocalTensor, mask: RuntimeInt | list[int], repeat_time: RuntimeInt, dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt, order: ReduceOrder = ReduceOrder.ORDER_VALUE_INDEX) -> None:
    """dst[r * dstRep] = maximum of the first mask lanes of repeat r (value only).

    Limits: mask: 0 to the elements of a repeat; repeat_time: 0 to 255; dst_rep_stride, src_blk_stride, src_rep_stride: 0 to
    65535.

    As whole_reduce_max, with the lane of the first maximum: value and index, index and value, or the index alone; the index
    is bits of the element's width (alone: 32 bits). dstRep counts results.

    Limits: mask: 0 to the elements of a repeat; repeat_time: 0 to 255; dst_rep_stride, src_blk_stride, src_rep_stride: 0 to
    65535.
    """


@overload
def whole_reduce_min(dst: LocalTensor, src: LocalTensor, mask: RuntimeInt, repeat_time: RuntimeInt, dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt, order: Literal[ReduceOrder.ORDER_ONLY_VALUE], is_set_mask: bool = True) -> None: ...
@overload
def whole_reduce_min(dst: LocalTensor, src: LocalTensor, mask: list[int], repeat_time: RuntimeInt, dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt, order: Literal[ReduceOrder.ORDER_ONLY_VALUE], is_set_mask: bool = True) -> None: ...
@overload
def whole_reduce_min(dst: LocalTensor, src: LocalTensor, mask: RuntimeInt | list[int], repeat_time: RuntimeInt, dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt, order: ReduceOrder = ReduceOrder.ORDER_VALUE_INDEX) -> None:
    """dst[r * dstRep] = minimum of the first mask lanes of repeat r (value only).

    Limits: mask: 0 to the elements of a repeat; repeat_time: 0 to 255; dst_rep_stride, src_blk_stride, src_rep_stride: 0 to
    65535.

    As whole_reduce_min, with the lane of the first minimum.

    Limits: mask: 0 to the elements of a repeat; repeat_time: 0 to 255; dst_rep_stride, src_blk_stride, src_rep_stride: 0 to
    65535.
    """


@overload
def block_reduce_sum(dst: LocalTensor, src: LocalTensor, repeat_time: RuntimeInt, mask: RuntimeInt, dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt, is_set_mask: bool = True) -> None: ...
@overload
def block_reduce_sum(dst: LocalTensor, src: LocalTensor, repeat_time: RuntimeInt, mask: list[int], dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt, is_set_mask: bool = True) -> None:
    """One sum for each 32-byte block, 8 per repeat; dstRep counts 8 results.

    Limits: mask: 0 to the elements of a repeat; repeat_time: 0 to 255; dst_rep_stride, src_blk_stride, src_rep_stride: 0 to
    65535.
    """


@overload
def block_reduce_max(dst: LocalTensor, src: LocalTensor, repeat_time: RuntimeInt, mask: RuntimeInt, dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt, is_set_mask: bool = True) -> None: ...
@overload
def block_reduce_max(dst: LocalTensor, src: LocalTensor, repeat_time: RuntimeInt, mask: list[int], dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt, is_set_mask: bool = True) -> None:
    """One maximum for each 32-byte block, 8 per repeat; dstRep counts 8 results.

    Limits: mask: 0 to the elements of a repeat; repeat_time: 0 to 255; dst_rep_stride, src_blk_stride, src_rep_stride: 0 to
    65535.
    """


@overload
def block_reduce_min(dst: LocalTensor, src: LocalTensor, repeat_time: RuntimeInt, mask: RuntimeInt, dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt, is_set_mask: bool = True) -> None: ...
@overload
def block_reduce_min(dst: LocalTensor, src: LocalTensor, repeat_time: RuntimeInt, mask: list[int], dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt, is_set_mask: bool = True) -> None:
    """One minimum for each 32-byte block, 8 per repeat; dstRep counts 8 results.

    Limits: mask: 0 to the elements of a repeat; repeat_time: 0 to 255; dst_rep_stride, src_blk_stride, src_rep_stride: 0 to
    65535.
    """


@overload
def pair_reduce_sum(dst: LocalTensor, src: LocalTensor, repeat_time: RuntimeInt, mask: RuntimeInt, dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt, is_set_mask: bool = True) -> None: ...
@overload
def pair_reduce_sum(dst: LocalTensor, src: LocalTensor, repeat_time: RuntimeInt, mask: list[int], dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt, is_set_mask: bool = True) -> None:
    """One sum for each pair of neighbours; dstRep counts the results of a repeat (128 bytes).

    Limits: mask: 0 to the elements of a repeat; repeat_time: 0 to 255; dst_rep_stride, src_blk_stride, src_rep_stride: 0 to
    65535.
    """


def reduce_sum(dst: LocalTensor, src: LocalTensor, shared_tmp_buffer: LocalTensor, count: RuntimeInt) -> None:
    """dst[0] = sum of count elements: a tree over the neighbours of each repeat, then the repeats one after another.

    Limits: count: 0 to 2147483648.
    """


def reduce_max(dst: LocalTensor, src: LocalTensor, shared_tmp_buffer: LocalTensor, count: RuntimeInt, cal_index: bool = False) -> None:
    """dst[0] = maximum of count elements; with calIndex dst[1] is where it first is, as bits of the element's width.

    Limits: count: 0 to 2147483648; cal_index: 0 to 1.
    """


def reduce_min(dst: LocalTensor, src: LocalTensor, shared_tmp_buffer: LocalTensor, count: RuntimeInt, cal_index: bool = False) -> None:
    """dst[0] = minimum of count elements; with calIndex dst[1] is where it first is, as bits of the element's width.

    Limits: count: 0 to 2147483648; cal_index: 0 to 1.
    """


def gather(dst: LocalTensor, src: LocalTensor, src_offset: LocalTensor, src_base: RuntimeInt, count: RuntimeInt) -> None:
    """dst[i] = the element of src that starts offset[i] + base bytes from its beginning. src has srcBytes bytes; an offset
    that leaves it gives 0.

    Limits: base, src_bytes: 0 to 1048576; count: 0 to 2147483648.
    """


def gather_mask(dst: LocalTensor, src0: LocalTensor, src1_pattern: int, reduce_mode: bool, mask: RuntimeInt, params: GatherMaskParams) -> PlainValue:
    """Of `elements` elements of each repeat, those the pattern names, one after the other: 1 even, 2 odd, 3 to 6 every fourth
    from 0 to 3, 7 all.

    Limits: pattern: 1 to 7; elements: 0 to 1048576; repeat_times, src_blk: 0 to 255; src_rep: 0 to 65535.
    """


def sort32(dst: LocalTensor, src: LocalTensor, src1: LocalTensor, repeat_time: RuntimeInt) -> None:
    """Each repeat sorts 32 scores, largest first and equal ones in their order, into records of 8 bytes: the score, and from
    byte 4 on its index.

    Limits: repeat_time: 0 to 255.
    """


def transpose(dst: LocalTensor, src: LocalTensor) -> None:
    """A square of 16 x 16 elements of 16 bits, turned."""


@overload
def data_copy_pad(dst: LocalTensor, src: GlobalTensor, params: DataCopyExtParams, pad_params: DataCopyPadExtParams) -> None: ...
@overload
def data_copy_pad(dst: GlobalTensor, src: LocalTensor, params: DataCopyExtParams) -> None:
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


def data_copy(dst: LocalTensor, src: GlobalTensor, params: Nd2NzParams) -> None:
    """ND to NZ: nValue rows of dValue elements, srcDValue elements per row in GM; 32-byte columns dstNzC0Stride rows apart in
    L1. The rest of a row's last 32 bytes becomes 0; other bytes stay.

    Limits: nd_num: 0 to 4095; n_value, dst_nz_c0_stride, dst_nz_nstride: 0 to 16384; d_value: 0 to 65535;
    src_nd_matrix_stride, src_dvalue: 0 to 65535 on C220; 0 to 1099511627775 on C310; dst_nz_matrix_stride: 0 to 65535 on
    C220; 0 to 4294967295 on C310.
    """


def init_const_value(dst: LocalTensor, params: InitConstValueParams) -> None:
    """repeatTimes runs of blockNum 32-byte blocks, dstGap blocks apart, become the scalar.

    Limits: repeat_times, block_num, dst_gap: 0 to 32767.
    """


@overload
def load_data(dst: LocalTensor, src: LocalTensor, params: LoadData2DParams) -> None: ...
@overload
def load_data(dst: LocalTensor, src: LocalTensor, params: LoadData2DParamsV2) -> None:
    """repeatTimes fractals of 512 bytes from L1, srcStride apart starting at startIndex, to consecutive places of L0 with
    dstGap between; ifTranspose turns each 16x16 fractal of 16-bit elements. On C310 fractals are those of one row:
    startIndex counts columns, which are srcStride apart.

    Limits: start_index, src_stride, dst_gap: 0 to 65535; repeat_times: 0 to 255.

    A block of mStep x kStep fractals from an NZ buffer in L1 to L0; ifTranspose turns fractals and their order.

    Limits: m_start_position, k_start_position, src_stride, dst_stride: 0 to 65535; m_step, k_step: 0 to 255.
    """


def load_data_with_transpose(dst: LocalTensor, src: LocalTensor, params: LoadData2dTransposeParams) -> None:
    """For 32-bit elements: each repeat turns a 16x16 square (two fractals, neighbours srcStride apart) into two L0 fractals
    dstFracGap + 1 apart; repeats are dstGap + 1 apart. Of 16 bits a repeat is one fractal, of 8 bits a square of two that
    follow each other; there startIndex and srcStride count squares.

    Limits: start_index, src_stride, dst_gap, dst_frac_gap: 0 to 65535; repeat_times: 0 to 255.
    """


def mmad(dst: LocalTensor, fm: LocalTensor, filter: LocalTensor, params: MmadParams) -> None:
    """dst[m,n] = (init ? 0 : dst) + a[m,k] * b[k,n], f32 accumulation, sequential in k. With m = 1 a is a plain vector.

    Limits: m, n, k: 0 to 4095; unit_flag: 0 to 3.
    """


@overload
def fixpipe(dst: GlobalTensor, src: LocalTensor, params: FixpipeParamsV220) -> None: ...
@overload
def fixpipe(dst: LocalTensor, src: LocalTensor, params: FixpipeParamsV220) -> None:
    """mSize x nSize of an NZ result to row-major GM, dstStride elements per row; converts, and applies relu before.

    Limits: n_size: 0 to 4095; m_size, src_stride: 0 to 65535; dst_stride: 0 to 4294967295; unit_flag: 0 to 3.

    mSize x nSize of an NZ result to NZ in L1, dstStride 32-byte blocks between columns; converts, relu before.

    Limits: n_size: 0 to 4095; m_size, src_stride: 0 to 65535; dst_stride: 0 to 4294967295; unit_flag: 0 to 3.
    """


def set_flag(event: HardEvent, event_id: RuntimeInt = 0) -> None:
    """When everything earlier on pipe `from` is complete, raises flag `id` for pipe `to`."""


def wait_flag(event: HardEvent, event_id: RuntimeInt = 0) -> None:
    """Pipe `to` waits for flag `id` of pipe `from` and lowers it."""


def pipe_barrier(pipe: PipeID) -> None:
    """Later instructions of the pipe wait for all earlier ones of it; ALL: every pipe, and the scalar unit."""


def set_atomic_add(dtype: DataType) -> None:
    """Stores to GM from here on combine by `op`; ordered with the other pipes by hardware."""


def set_atomic_max(dtype: DataType) -> None:
    """Stores to GM from here on combine by `op`; ordered with the other pipes by hardware."""


def set_atomic_min(dtype: DataType) -> None:
    """Stores to GM from here on combine by `op`; ordered with the other pipes by hardware."""


def set_atomic_none() -> None:
    """Stores to GM from here on combine by `op`; ordered with the other pipes by hardware."""


def printf(fmt: str, *values: Scalar) -> None:
    """Element `element` of value `value` of a line to print; `site` names the line in the kernel's table. Element 0 of value 0
    starts the line, and stands for nothing in a line without values.
    """
