//===- Vector.td - Vector instructions (pipe V) ----------------------------------------------------------------------===//
//
// Count form works on `count` consecutive elements. Repeat form works on `repeat` groups of 256 bytes: the first `mask`
// lanes of each, as 8 blocks of 32 bytes placed by block stride inside a group and repeat stride between groups.
//
//===------------------------------------------------------------------------------------------------------------------===//
#ifndef TILESMITH_ISA_VECTOR
#define TILESMITH_ISA_VECTOR

include "Instruction.td"

defvar Repeats = Byte<"repeat", "repeat_times">;
defvar RepeatTime = Byte<"repeat", "repeat_time">; // reductions and sorts call it so in Python
defvar IndexOrder = "dst: LocalTensor, src: LocalTensor, mask: RuntimeInt | list[int], repeat_time: RuntimeInt, "
                    "dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt, "
                    "order: ReduceOrder = ReduceOrder.ORDER_VALUE_INDEX";

class Vector<string irName, string cName> : Instruction<irName, cName> {
  let pipe = "V";
  let forms = ["Count", "Repeat"];
  let countOperands = [Count<"count">];
}

class VectorUnary<string irName, string cName> : Vector<irName, cName> {
  let family = "VectorUnary";
  let execute = "vector";
  let cost = "OneSource";
  let operands = [Dst<"dst">, Src<"src">];
  let repeatOperands = [Mask<"mask">, Repeats, Half<"dstBlk">, Half<"srcBlk">, Byte<"dstRep">, Byte<"srcRep">];
  let countLayout = [Lies<"dst", "elements(count)">, Lies<"src", "elements(count)">];
  let repeatLayout = [Lies<"dst", "lanes(mask, repeat, dstBlk, dstRep)">, Lies<"src", "lanes(mask, repeat, srcBlk, srcRep)">];
  let element = irName;
  let countCall = "dst, src, count";
  let repeatCall = "dst, src, mask, repeat, UnaryRepeatParams{dstBlk, srcBlk, dstRep, srcRep}";
}
class VectorBinary<string irName, string cName> : Vector<irName, cName> {
  let family = "VectorBinary";
  let execute = "vector";
  let cost = "TwoSource";
  let operands = [Dst<"dst">, Src<"src0">, Src<"src1">];
  let repeatOperands = [Mask<"mask">, Repeats, Byte<"dstBlk">, Byte<"src0Blk">, Byte<"src1Blk">, Byte<"dstRep">,
                        Byte<"src0Rep">, Byte<"src1Rep">];
  let countLayout = [Lies<"dst", "elements(count)">, Lies<"src0", "elements(count)">, Lies<"src1", "elements(count)">];
  let repeatLayout = [Lies<"dst", "lanes(mask, repeat, dstBlk, dstRep)">, Lies<"src0", "lanes(mask, repeat, src0Blk, src0Rep)">,
                      Lies<"src1", "lanes(mask, repeat, src1Blk, src1Rep)">];
  let element = irName;
  let countCall = "dst, src0, src1, count";
  let repeatCall = "dst, src0, src1, mask, repeat, BinaryRepeatParams{dstBlk, src0Blk, src1Blk, dstRep, src0Rep, src1Rep}";
}
class VectorScalar<string irName, string cName> : Vector<irName, cName> {
  let family = "VectorScalar";
  let execute = "vector";
  let cost = "OneSource";
  let operands = [Dst<"dst">, Src<"src">, Scalar<"scalar">];
  let repeatOperands = [Mask<"mask">, Repeats, Half<"dstBlk">, Half<"srcBlk">, Byte<"dstRep">, Byte<"srcRep">];
  let countLayout = [Lies<"dst", "elements(count)">, Lies<"src", "elements(count)">];
  let repeatLayout = [Lies<"dst", "lanes(mask, repeat, dstBlk, dstRep)">, Lies<"src", "lanes(mask, repeat, srcBlk, srcRep)">];
  let countCall = "dst, src, scalar, count";
  let repeatCall = "dst, src, scalar, mask, repeat, UnaryRepeatParams{dstBlk, srcBlk, dstRep, srcRep}";
}

// Arithmetic of two tiles.
def Add : VectorBinary<"add", "Add"> {
  let summary = "Element-wise sum: dst[i] = src0[i] + src1[i].";
  let dtypes = [OnC220<!listconcat(Floats, Ints16and32)>, OnC310<AllC310>];
  let example = "AscendC::Add(z, x, y, 1024);";
}
def Sub : VectorBinary<"sub", "Sub"> {
  let summary = "Element-wise difference: dst[i] = src0[i] - src1[i].";
  let dtypes = [OnC220<!listconcat(Floats, Ints16and32)>, OnC310<AllC310>];
  let example = "AscendC::Sub(z, x, y, 1024);";
}
def Mul : VectorBinary<"mul", "Mul"> {
  let summary = "Element-wise product: dst[i] = src0[i] * src1[i].";
  let dtypes = [OnC220<!listconcat(Floats, Ints16and32)>, OnC310<["I16", "U16", "F16", "BF16", "I32", "U32", "F32"]>];
  let example = "AscendC::Mul(z, x, y, 1024);";
}
def Div : VectorBinary<"div", "Div"> {
  let summary = "Element-wise quotient: dst[i] = src0[i] / src1[i]; integers truncate.";
  let cost = "Divide";
  let dtypes = [OnC220<Floats>, OnC310<["I16", "U16", "F16", "I32", "U32", "F32"]>];
  let example = "AscendC::Div(z, x, y, 1024);";
}
def Max : VectorBinary<"max", "Max"> {
  let summary = "Element-wise maximum; NaN propagates.";
  let dtypes = [OnC220<!listconcat(Floats, Ints16and32)>, OnC310<AllC310>];
  let example = "AscendC::Max(z, x, y, 1024);";
}
def Min : VectorBinary<"min", "Min"> {
  let summary = "Element-wise minimum; NaN propagates.";
  let dtypes = [OnC220<!listconcat(Floats, Ints16and32)>, OnC310<AllC310>];
  let example = "AscendC::Min(z, x, y, 1024);";
}
def And : VectorBinary<"and", "And"> {
  let pythonName = "bitwise_and";
  let summary = "Bitwise and.";
  let dtypes = [OnC220<["I16", "U16"]>, OnC310<["I8", "U8", "I16", "U16", "I32", "U32"]>];
  let example = "AscendC::And(z, x, y, 1024);";
}
def Or : VectorBinary<"or", "Or"> {
  let pythonName = "bitwise_or";
  let summary = "Bitwise or.";
  let dtypes = [OnC220<["I16", "U16"]>, OnC310<["I8", "U8", "I16", "U16", "I32", "U32"]>];
  let example = "AscendC::Or(z, x, y, 1024);";
}
def MulAddDst : VectorBinary<"mul_add_dst", "MulAddDst"> {
  let summary = "Fused accumulation: dst[i] = src0[i] * src1[i] + dst[i], rounded once.";
  let cost = "MultiplyAdd";
  let operands = [DstSrc<"dst">, Src<"src0">, Src<"src1">];
  let dtypes = [OnC220<Floats>, OnC310<Floats>];
  let example = "AscendC::MulAddDst(z, x, y, 1024);";
}
def FusedMulAdd : VectorBinary<"fused_mul_add", "FusedMulAdd"> {
  let inRegisters = 0;
  let summary = "Fused product and sum: dst[i] = src0[i] * dst[i] + src1[i], rounded once.";
  let cost = "MultiplyAdd";
  let operands = [DstSrc<"dst">, Src<"src0">, Src<"src1">];
  let dtypes = [OnC220<Floats>, OnC310<Floats>];
  let example = "AscendC::FusedMulAdd(z, x, y, 1024);";
}
def FusedMulAddRelu : VectorBinary<"fused_mul_add_relu", "FusedMulAddRelu"> {
  let inRegisters = 0;
  let summary = "dst[i] = max(src0[i] * dst[i] + src1[i], 0).";
  let cost = "MultiplyAdd";
  let operands = [DstSrc<"dst">, Src<"src0">, Src<"src1">];
  let dtypes = [OnC220<Floats>, OnC310<Floats>];
  let example = "AscendC::FusedMulAddRelu(z, x, y, 1024);";
}
def AddRelu : VectorBinary<"add_relu", "AddRelu"> {
  let inRegisters = 0;
  let summary = "dst[i] = max(src0[i] + src1[i], 0).";
  let dtypes = [OnC220<["F16", "F32", "I16"]>, OnC310<["F16", "F32", "I16"]>];
  let example = "AscendC::AddRelu(z, x, y, 1024);";
}
def SubRelu : VectorBinary<"sub_relu", "SubRelu"> {
  let inRegisters = 0;
  let summary = "dst[i] = max(src0[i] - src1[i], 0).";
  let dtypes = [OnC220<["F16", "F32", "I16"]>, OnC310<["F16", "F32", "I16"]>];
  let example = "AscendC::SubRelu(z, x, y, 1024);";
}

// One tile.
def Abs : VectorUnary<"abs", "Abs"> {
  let summary = "Absolute value.";
  let dtypes = [OnC220<Floats>, OnC310<["I8", "I16", "I32", "F16", "F32"]>];
  let example = "AscendC::Abs(y, x, 1024);";
}
def Neg : VectorUnary<"neg", "Neg"> {
  let summary = "Sign change.";
  let dtypes = [OnC310<["I8", "I16", "I32", "F16", "F32"]>];
  let example = "AscendC::Neg(y, x, 1024);";
}
def Exp : VectorUnary<"exp", "Exp"> {
  let summary = "Exponential, within 1 ulp.";
  let cost = "Transcendental";
  let dtypes = [OnC220<Floats>, OnC310<Floats>];
  let example = "AscendC::Exp(y, x, 1024);";
}
def Ln : VectorUnary<"ln", "Ln"> {
  let summary = "Natural logarithm, within 1 ulp; ln(0) = -inf, ln(negative) = NaN.";
  let cost = "Transcendental";
  let dtypes = [OnC220<Floats>, OnC310<Floats>];
  let example = "AscendC::Ln(y, x, 1024);";
}
def Sqrt : VectorUnary<"sqrt", "Sqrt"> {
  let summary = "Square root, correctly rounded.";
  let cost = "Transcendental";
  let dtypes = [OnC220<Floats>, OnC310<Floats>];
  let example = "AscendC::Sqrt(y, x, 1024);";
}
def Rsqrt : VectorUnary<"rsqrt", "Rsqrt"> {
  let summary = "Reciprocal square root: 1 / sqrt(x), both rounded.";
  let cost = "Reciprocal";
  let dtypes = [OnC220<Floats>, OnC310<Floats>];
  let example = "AscendC::Rsqrt(y, x, 1024);";
}
def Reciprocal : VectorUnary<"reciprocal", "Reciprocal"> {
  let summary = "1 / x, correctly rounded.";
  let cost = "Reciprocal";
  let dtypes = [OnC220<Floats>, OnC310<Floats>];
  let example = "AscendC::Reciprocal(y, x, 1024);";
}
def Relu : VectorUnary<"relu", "Relu"> {
  let summary = "max(x, 0).";
  let dtypes = [OnC220<["F16", "F32", "I32"]>, OnC310<["F16", "F32", "I32"]>];
  let example = "AscendC::Relu(y, x, 1024);";
}
def Not : VectorUnary<"not", "Not"> {
  let pythonName = "bitwise_not";
  let summary = "Bitwise complement.";
  let dtypes = [OnC220<["I16", "U16"]>, OnC310<["I8", "U8", "I16", "U16", "I32", "U32"]>];
  let example = "AscendC::Not(y, x, 1024);";
}

// A tile and a scalar.
def Adds : VectorScalar<"adds", "Adds"> {
  let summary = "dst[i] = src[i] + scalar.";
  let element = "add";
  let dtypes = [OnC220<!listconcat(Floats, Ints16and32)>, OnC310<["I8", "U8", "I16", "F16", "BF16", "I32", "F32"]>];
  let example = "AscendC::Adds(y, x, 2.0f, 1024);";
}
def Muls : VectorScalar<"muls", "Muls"> {
  let summary = "dst[i] = src[i] * scalar.";
  let element = "mul";
  let dtypes = [OnC220<!listconcat(Floats, Ints16and32)>, OnC310<["I16", "F16", "BF16", "I32", "F32"]>];
  let example = "AscendC::Muls(y, x, 2.0f, 1024);";
}
def Maxs : VectorScalar<"maxs", "Maxs"> {
  let summary = "dst[i] = max(src[i], scalar).";
  let element = "max";
  let dtypes = [OnC220<!listconcat(Floats, Ints16and32)>, OnC310<["I8", "U8", "I16", "F16", "BF16", "I32", "F32"]>];
  let example = "AscendC::Maxs(y, x, 0.0f, 1024);";
}
def Mins : VectorScalar<"mins", "Mins"> {
  let summary = "dst[i] = min(src[i], scalar).";
  let element = "min";
  let dtypes = [OnC220<!listconcat(Floats, Ints16and32)>, OnC310<["I8", "U8", "I16", "F16", "BF16", "I32", "F32"]>];
  let example = "AscendC::Mins(y, x, 0.0f, 1024);";
}
def LeakyRelu : VectorScalar<"leaky_relu", "LeakyRelu"> {
  let summary = "dst[i] = src[i] >= 0 ? src[i] : src[i] * scalar.";
  let element = "leaky_relu";
  let dtypes = [OnC220<Floats>, OnC310<Floats>];
  let example = "AscendC::LeakyRelu(y, x, 0.1f, 1024);";
}
def Axpy : VectorScalar<"axpy", "Axpy"> {
  let inRegisters = 0;
  let summary = "dst[i] = src[i] * scalar + dst[i], rounded once.";
  let cost = "MultiplyAdd";
  let operands = [DstSrc<"dst">, Src<"src">, Scalar<"scalar">];
  let element = "fma";
  let dtypes = [OnC220<Floats>, OnC310<Floats>];
  let example = "AscendC::Axpy(y, x, 2.0f, 1024);";
}
def ShiftLeft : VectorScalar<"shift_left", "ShiftLeft"> {
  let summary = "dst[i] = src[i] << scalar.";
  let element = "shl";
  let dtypes = [OnC220<["I16", "U16", "I32", "U32"]>, OnC310<["I8", "U8", "I16", "U16", "I32", "U32"]>];
  let example = "AscendC::ShiftLeft(y, x, 2, 1024);";
}
def ShiftRight : VectorScalar<"shift_right", "ShiftRight"> {
  let summary = "dst[i] = src[i] >> scalar; arithmetic on signed types.";
  let element = "shr";
  let dtypes = [OnC220<["I16", "U16", "I32", "U32"]>, OnC310<["I8", "U8", "I16", "U16", "I32", "U32"]>];
  let example = "AscendC::ShiftRight(y, x, 2, 1024);";
}

// Filling, copying, converting.
def Duplicate : Vector<"duplicate", "Duplicate"> {
  let summary = "Every element becomes the scalar.";
  let family = "Duplicate";
  let execute = "duplicate";
  let cost = "OneSource";
  let operands = [Dst<"dst">, Scalar<"scalar">];
  let repeatOperands = [Mask<"mask">, Repeats, Half<"dstBlk", "dst_block_stride">,
                        Byte<"dstRep", "dst_repeat_stride">];
  let countLayout = [Lies<"dst", "elements(count)">];
  let repeatLayout = [Lies<"dst", "lanes(mask, repeat, dstBlk, dstRep)">];
  let countCall = "dst, scalar, count";
  let repeatCall = "dst, scalar, mask, repeat, dstBlk, dstRep";
  let dtypes = [OnC220<["I16", "U16", "F16", "BF16", "I32", "U32", "F32"]>, OnC310<AnyWidth>];
  let example = "AscendC::Duplicate(x, 0.0f, 1024);";
}
def Copy : Vector<"copy", "Copy"> {
  let summary = "UB to UB; the count form moves whole 32-byte blocks.";
  let family = "Copy";
  let keepsMask = 1;
  let execute = "copy";
  let cost = "OneSource";
  let operands = [Dst<"dst">, Src<"src">];
  let repeatOperands = [Mask<"mask">, Repeats, Half<"dstBlk">, Half<"srcBlk">, Half<"dstRep">, Half<"srcRep">];
  // Whole blocks: the rest of the count is dropped.
  let countLayout = [Lies<"dst", "run(count * size / blockBytes * blockBytes)">, Lies<"src", "run(count * size / blockBytes * blockBytes)">];
  let repeatLayout = [Lies<"dst", "lanes(mask, repeat, dstBlk, dstRep)">, Lies<"src", "lanes(mask, repeat, srcBlk, srcRep)">];
  let repeatCall = "dst, src, mask, repeat, CopyRepeatParams{dstBlk, srcBlk, dstRep, srcRep}";
  let dtypes = [OnC220<["I16", "U16", "F16", "BF16", "I32", "U32", "F32"]>, OnC310<AnyWidth>];
  let example = "AscendC::Copy(y, x, 64, 4, {1, 1, 8, 8});";
}
def Brcb : Vector<"brcb", "Brcb"> {
  let summary = "Each of 8 elements per repeat fills one 32-byte block.";
  let family = "Brcb";
  let execute = "brcb";
  let cost = "OneSource";
  let forms = ["Repeat"];
  let operands = [Dst<"dst">, Src<"src">];
  let repeatOperands = [Repeats, Half<"dstBlk">, Half<"dstRep">];
  let layout = [Lies<"dst", "run(blockBytes, 8, dstBlk * blockBytes, repeat, dstRep * blockBytes)">, Lies<"src", "elements(repeat * 8)">];
  let repeatCall = "dst, src, repeat, BrcbRepeatParams{dstBlk, dstRep}";
  let dtypes = [OnC220<["I16", "U16", "F16", "BF16", "I32", "U32", "F32"]>, OnC310<AnyWidth>];
  let example = "AscendC::Brcb(y, x, 2, {1, 8});";
}
def Cast : Vector<"cast", "Cast"> {
  let summary = "Converts element types. The repeat form counts lanes and repeats of the wider type.";
  let family = "Cast";
  let execute = "vector";
  let inOverload = 1;
  let cost = "Convert";
  let operands = [Dst<"dst">, Src<"src">, Attr<"round", RoundMode, "round_mode">];
  let repeatOperands = [Mask<"mask">, Repeats, Half<"dstBlk">, Half<"srcBlk">, Byte<"dstRep">, Byte<"srcRep">];
  let countLayout = [Lies<"dst", "elements(count)">, Lies<"src", "elements(count)">];
  let repeatLayout = [Lies<"dst", "lanes(mask, repeat, dstBlk, dstRep)">, Lies<"src", "lanes(mask, repeat, srcBlk, srcRep)">];
  let dtype2Of = "src";
  let countCall = "<dst, src> dst, src, round, count";
  let repeatCall = "<dst, src> dst, src, round, mask, repeat, UnaryRepeatParams{dstBlk, srcBlk, dstRep, srcRep}";
  let dtypes = [OnC220<["I8", "U8", "I16", "F16", "BF16", "I32", "F32", "I64"]>, OnC310<AnyWidth>];
  let example = "AscendC::Cast(y, x, AscendC::RoundMode::CAST_RINT, 1024);";
}

#endif // TILESMITH_ISA_VECTOR
