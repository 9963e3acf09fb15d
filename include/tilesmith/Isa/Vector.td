//===- Vector.td - Vector instructions (pipe V) ----------------------------------------------------------------------===//
//
// Count form works on `count` consecutive elements. Repeat form works on `repeat` groups of 256 bytes: the first `mask`
// lanes of each, as 8 blocks of 32 bytes placed by block stride inside a group and repeat stride between groups.
//
//===------------------------------------------------------------------------------------------------------------------===//
#ifndef TILESMITH_ISA_VECTOR
#define TILESMITH_ISA_VECTOR

include "Instruction.td"

defvar Repeats = Int<"repeat", "repeat_times">;
defvar RepeatTime = Int<"repeat", "repeat_time">; // reductions and sorts call it so in Python
defvar IndexOrder = "dst: LocalTensor, src: LocalTensor, mask: RuntimeInt | list[int], repeat_time: RuntimeInt, "
                    "dst_rep_stride: RuntimeInt, src_blk_stride: RuntimeInt, src_rep_stride: RuntimeInt, "
                    "order: ReduceOrder = ReduceOrder.ORDER_VALUE_INDEX";

class Vector<string irName, string cName> : Instruction<irName, cName> {
  let pipe = "V";
  let forms = ["Count", "Repeat"];
  let countOperands = [Int<"count">];
}

class VectorUnary<string irName, string cName> : Vector<irName, cName> {
  let family = "VectorUnary";
  let cost = "OneSource";
  let operands = [Dst<"dst">, Src<"src">];
  let repeatOperands = [Int<"mask">, Repeats, Int<"dstBlk">, Int<"srcBlk">, Int<"dstRep">, Int<"srcRep">];
  let element = irName;
  let countCall = "dst, src, count";
  let repeatCall = "dst, src, mask, repeat, UnaryRepeatParams{dstBlk, srcBlk, dstRep, srcRep}";
}
class VectorBinary<string irName, string cName> : Vector<irName, cName> {
  let family = "VectorBinary";
  let cost = "TwoSource";
  let operands = [Dst<"dst">, Src<"src0">, Src<"src1">];
  let repeatOperands = [Int<"mask">, Repeats, Int<"dstBlk">, Int<"src0Blk">, Int<"src1Blk">, Int<"dstRep">,
                        Int<"src0Rep">, Int<"src1Rep">];
  let element = irName;
  let countCall = "dst, src0, src1, count";
  let repeatCall = "dst, src0, src1, mask, repeat, BinaryRepeatParams{dstBlk, src0Blk, src1Blk, dstRep, src0Rep, src1Rep}";
}
class VectorScalar<string irName, string cName> : Vector<irName, cName> {
  let family = "VectorScalar";
  let cost = "OneSource";
  let operands = [Dst<"dst">, Src<"src">, Scalar<"scalar">];
  let repeatOperands = [Int<"mask">, Repeats, Int<"dstBlk">, Int<"srcBlk">, Int<"dstRep">, Int<"srcRep">];
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
  let cost = "OneSource";
  let operands = [Dst<"dst">, Scalar<"scalar">];
  let repeatOperands = [Int<"mask">, Repeats, Int<"dstBlk", "dst_block_stride">,
                        Int<"dstRep", "dst_repeat_stride">];
  let countCall = "dst, scalar, count";
  let repeatCall = "dst, scalar, mask, repeat, dstBlk, dstRep";
  let dtypes = [OnC220<["I16", "U16", "F16", "BF16", "I32", "U32", "F32"]>, OnC310<AnyWidth>];
  let example = "AscendC::Duplicate(x, 0.0f, 1024);";
}
def Copy : Vector<"copy", "Copy"> {
  let summary = "UB to UB; the count form moves whole 32-byte blocks.";
  let family = "Copy";
  let cost = "OneSource";
  let operands = [Dst<"dst">, Src<"src">];
  let repeatOperands = [Int<"mask">, Repeats, Int<"dstBlk">, Int<"srcBlk">, Int<"dstRep">, Int<"srcRep">];
  let repeatCall = "dst, src, mask, repeat, CopyRepeatParams{dstBlk, srcBlk, dstRep, srcRep}";
  let dtypes = [OnC220<["I16", "U16", "F16", "BF16", "I32", "U32", "F32"]>, OnC310<AnyWidth>];
  let example = "AscendC::Copy(y, x, 64, 4, {1, 1, 8, 8});";
}
def Brcb : Vector<"brcb", "Brcb"> {
  let summary = "Each of 8 elements per repeat fills one 32-byte block.";
  let family = "Brcb";
  let cost = "OneSource";
  let forms = ["Repeat"];
  let operands = [Dst<"dst">, Src<"src">];
  let repeatOperands = [Repeats, Int<"dstBlk">, Int<"dstRep">];
  let repeatCall = "dst, src, repeat, BrcbRepeatParams{dstBlk, dstRep}";
  let dtypes = [OnC220<["I16", "U16", "F16", "BF16", "I32", "U32", "F32"]>, OnC310<AnyWidth>];
  let example = "AscendC::Brcb(y, x, 2, {1, 8});";
}
def Cast : Vector<"cast", "Cast"> {
  let summary = "Converts element types. The repeat form counts lanes and repeats of the wider type.";
  let family = "Cast";
  let cost = "Convert";
  let operands = [Dst<"dst">, Src<"src">, Attr<"round", RoundMode, "round_mode">];
  let repeatOperands = [Int<"mask">, Repeats, Int<"dstBlk">, Int<"srcBlk">, Int<"dstRep">, Int<"srcRep">];
  let dtype2Of = "src";
  let countCall = "<dst, src> dst, src, round, count";
  let repeatCall = "<dst, src> dst, src, round, mask, repeat, UnaryRepeatParams{dstBlk, srcBlk, dstRep, srcRep}";
  let dtypes = [OnC220<["I8", "U8", "I16", "F16", "BF16", "I32", "F32", "I64"]>, OnC310<AnyWidth>];
  let example = "AscendC::Cast(y, x, AscendC::RoundMode::CAST_RINT, 1024);";
}

// Comparing and choosing. A mask is packed bits, lane 0 in bit 0 of byte 0.
def Compare : Vector<"compare", "Compare"> {
  let summary = "Bit i of dst says whether src0[i] mode src1[i]. The count form needs a multiple of 256 bytes; in the "
                "repeat form inactive lanes give 0.";
  let family = "Compare";
  let cost = "CompareSelect";
  let operands = [BitsDst<"dst">, Src<"src0">, Src<"src1">, Attr<"mode", CmpMode, "cmp_mode">];
  let repeatOperands = [Int<"mask">, Repeats, Int<"src0Blk">, Int<"src1Blk">, Int<"src0Rep">, Int<"src1Rep">];
  let countCall = "dst, src0, src1, mode, count";
  let repeatCall = "dst, src0, src1, mode, mask, repeat, BinaryRepeatParams{'1', src0Blk, src1Blk, '8', src0Rep, src1Rep}";
  let dtypeOf = "src0";
  let element = "compare";
  let dtypes = [OnC220<["F16", "F32", "I32"]>, OnC310<AllC310>];
  let example = "AscendC::Compare(m, x, y, AscendC::CMPMODE::LT, 1024);";
}
def CompareScalar : Vector<"compare_scalar", "CompareScalar"> {
  let summary = "Bit i of dst says whether src[i] mode scalar. The count form needs a multiple of 256 bytes; in the "
                "repeat form inactive lanes give 0.";
  let family = "CompareScalar";
  let cost = "CompareSelect";
  let operands = [BitsDst<"dst">, Src<"src">, Scalar<"scalar", "src1_scalar">, Attr<"mode", CmpMode, "cmp_mode">];
  let repeatOperands = [Int<"mask">, Repeats, Int<"srcBlk">, Int<"srcRep">];
  let countCall = "dst, src, scalar, mode, count";
  let repeatCall = "dst, src, scalar, mode, mask, repeat, UnaryRepeatParams{'1', srcBlk, '8', srcRep}";
  let dtypeOf = "src";
  let element = "compare";
  let dtypes = [OnC220<["F16", "F32", "I32"]>, OnC310<AllC310>];
  let example = "AscendC::CompareScalar(m, x, 0.0f, AscendC::CMPMODE::LT, 1024);";
}
def Select : Vector<"select", "Select"> {
  let summary = "dst[i] = mask bit i ? src0[i] : src1[i].";
  let family = "Select";
  let cost = "CompareSelect";
  let operands = [Dst<"dst">, Bits<"mask", "sel_mask">, Src<"src0">, Src<"src1">];
  let repeatOperands = [Int<"lanes", "mask">, Repeats, Int<"dstBlk">, Int<"src0Blk">, Int<"src1Blk">, Int<"dstRep">,
                        Int<"src0Rep">, Int<"src1Rep">];
  let countCall = "dst, mask, src0, src1, 'AscendC::SELMODE::VSEL_TENSOR_TENSOR_MODE', count";
  let repeatCall = "dst, mask, src0, src1, 'AscendC::SELMODE::VSEL_TENSOR_TENSOR_MODE', lanes, repeat, "
                   "BinaryRepeatParams{dstBlk, src0Blk, src1Blk, dstRep, src0Rep, src1Rep}";
  let element = "select";
  let dtypes = [OnC220<Floats>, OnC310<AllC310>];
  let example = "AscendC::Select(z, m, x, y, AscendC::SELMODE::VSEL_TENSOR_TENSOR_MODE, 1024);";
}

def SelectScalar : Vector<"select_scalar", "Select"> {
  let summary = "dst[i] = mask bit i ? src[i] : scalar.";
  let family = "SelectScalar";
  let cost = "CompareSelect";
  let operands = [Dst<"dst">, Bits<"mask">, Src<"src">, Scalar<"scalar">];
  let repeatOperands = [Int<"lanes">, Int<"repeat">, Int<"dstBlk">, Int<"srcBlk">, Int<"dstRep">, Int<"srcRep">];
  let dtypes = [OnC220<Floats>, OnC310<AllC310>];
  let example = "AscendC::Select(z, m, x, 0.0f, AscendC::SELMODE::VSEL_TENSOR_SCALAR_MODE, 1024);";
}

// The same through the core's compare register of 128 bits: one repeat is compared, every repeat chooses by it.
def CompareToRegister : Instruction<"compare_to_register", "Compare"> {
  let summary = "Bit i of the compare register says whether src0[i] mode src1[i], for the first mask lanes; others become 0.";
  let family = "CmpMask";
  let pipe = "V";
  let cost = "CompareSelect";
  let operands = [Src<"src0">, Src<"src1">, Attr<"mode", CmpMode>, Int<"mask">, Int<"src0Blk">, Int<"src1Blk">];
  let dtypeOf = "src0";
  let dtypes = [OnC220<Floats>, OnC310<Floats>];
  let example = "AscendC::Compare(x, y, AscendC::CMPMODE::LT, 64, {1, 1, 1, 8, 8, 8});";
}
def SelectByRegister : Instruction<"select_by_register", "Select"> {
  let summary = "dst[i] = bit i of the compare register ? src0[i] : src1[i], in every repeat.";
  let family = "CmpMask";
  let pipe = "V";
  let cost = "CompareSelect";
  let operands = [Dst<"dst">, Src<"src0">, Src<"src1">, Int<"mask">, Int<"repeat">, Int<"dstBlk">, Int<"src0Blk">, Int<"src1Blk">,
                  Int<"dstRep">, Int<"src0Rep">, Int<"src1Rep">];
  let dtypes = [OnC220<Floats>, OnC310<Floats>];
  let example = "AscendC::Select<float, AscendC::SELMODE::VSEL_CMPMASK_SPR>(z, x, y, 4, {1, 1, 1, 8, 8, 8});";
}
def GetCmpMask : Instruction<"get_cmp_mask", "GetCmpMask"> {
  let summary = "The 16 bytes of the compare register.";
  let family = "CmpMask";
  let pipe = "V";
  let cost = "OneSource";
  let operands = [Dst<"dst">];
  let dtypes = [OnC220<AnyWidth>, OnC310<AnyWidth>];
  let example = "AscendC::GetCmpMask(x);";
}
def SetCmpMask : Instruction<"set_cmp_mask", "SetCmpMask"> {
  let summary = "The compare register becomes these 16 bytes.";
  let family = "CmpMask";
  let pipe = "V";
  let cost = "OneSource";
  let operands = [Src<"src">];
  let dtypeOf = "src";
  let dtypes = [OnC220<AnyWidth>, OnC310<AnyWidth>];
  let example = "AscendC::SetCmpMask(x);";
}

// Reducing: one result per repeat, neighbours first.
class WholeReduce<string irName, string cName> : Vector<irName, cName> {
  let family = "WholeReduce";
  let forms = ["Repeat"];
  let operands = [Dst<"dst">, Src<"src">];
  let repeatOperands = [Int<"mask">, RepeatTime, Int<"dstRep", "dst_rep_stride">,
                        Int<"srcBlk", "src_blk_stride">, Int<"srcRep", "src_rep_stride">];
  let repeatCall = "dst, src, mask, repeat, dstRep, srcBlk, srcRep, 'AscendC::ReduceOrder::ORDER_ONLY_VALUE'";
  let dtypes = [OnC220<Floats>, OnC310<["F16", "F32", "I16", "I32"]>];
}
def WholeReduceSum : WholeReduce<"whole_reduce_sum", "WholeReduceSum"> {
  let summary = "dst[r * dstRep] = sum of the first mask lanes of repeat r, a tree over neighbours; other lanes count as 0.";
  let cost = "ReduceAdd";
  let element = "reduce_sum";
  let repeatCall = "dst, src, mask, repeat, dstRep, srcBlk, srcRep";
  let example = "AscendC::WholeReduceSum(y, x, 64, 4, 1, 1, 8);";
}
def WholeReduceMax : WholeReduce<"whole_reduce_max", "WholeReduceMax"> {
  let summary = "dst[r * dstRep] = maximum of the first mask lanes of repeat r (value only).";
  let cost = "ReduceMax";
  let element = "reduce_max";
  let example = "AscendC::WholeReduceMax(y, x, 64, 4, 1, 1, 8, AscendC::ReduceOrder::ORDER_ONLY_VALUE);";
}
def WholeReduceMin : WholeReduce<"whole_reduce_min", "WholeReduceMin"> {
  let summary = "dst[r * dstRep] = minimum of the first mask lanes of repeat r (value only).";
  let cost = "ReduceMax";
  let element = "reduce_min";
  let example = "AscendC::WholeReduceMin(y, x, 64, 4, 1, 1, 8, AscendC::ReduceOrder::ORDER_ONLY_VALUE);";
}

class WholeReduceIndex<string irName, string cName> : Vector<irName, cName> {
  let family = "WholeReduceIndex";
  let cost = "ReduceMax";
  let forms = ["Repeat"];
  let operands = [Dst<"dst">, Src<"src">];
  let repeatOperands = [Int<"mask">, RepeatTime, Int<"dstRep", "dst_rep_stride">,
                        Int<"srcBlk", "src_blk_stride">, Int<"srcRep", "src_rep_stride">, Attr<"order", ReduceOrder>];
  let dtypes = [OnC220<Floats>, OnC310<Floats>];
}
def WholeReduceMaxIndex : WholeReduceIndex<"whole_reduce_max_index", "WholeReduceMax"> {
  let pythonForms = [!strconcat("whole_reduce_max(", IndexOrder, ")")];
  let summary = "As whole_reduce_max, with the lane of the first maximum: value and index, index and value, or the index alone; the "
                "index is bits of the element's width (alone: 32 bits). dstRep counts results.";
  let example = "AscendC::WholeReduceMax(y, x, 64, 4, 1, 1, 8, AscendC::ReduceOrder::ORDER_VALUE_INDEX);";
}
def WholeReduceMinIndex : WholeReduceIndex<"whole_reduce_min_index", "WholeReduceMin"> {
  let pythonForms = [!strconcat("whole_reduce_min(", IndexOrder, ")")];
  let summary = "As whole_reduce_min, with the lane of the first minimum.";
  let example = "AscendC::WholeReduceMin(y, x, 64, 4, 1, 1, 8, AscendC::ReduceOrder::ORDER_VALUE_INDEX);";
}

// Reducing groups of a repeat. A group without an active lane writes nothing; other inactive lanes are neutral.
class BlockReduce<string irName, string cName> : Vector<irName, cName> {
  let family = "BlockReduce";
  let forms = ["Repeat"];
  let operands = [Dst<"dst">, Src<"src">];
  let repeatOperands = [Int<"mask">, RepeatTime, Int<"dstRep", "dst_rep_stride">,
                        Int<"srcBlk", "src_blk_stride">, Int<"srcRep", "src_rep_stride">];
  let repeatCall = "dst, src, repeat, mask, dstRep, srcBlk, srcRep";
  let dtypes = [OnC220<Floats>, OnC310<Floats>];
}
def BlockReduceSum : BlockReduce<"block_reduce_sum", "BlockReduceSum"> {
  let summary = "One sum for each 32-byte block, 8 per repeat; dstRep counts 8 results.";
  let cost = "ReduceAdd";
  let example = "AscendC::BlockReduceSum(y, x, 4, 64, 1, 1, 8);";
}
def BlockReduceMax : BlockReduce<"block_reduce_max", "BlockReduceMax"> {
  let summary = "One maximum for each 32-byte block, 8 per repeat; dstRep counts 8 results.";
  let cost = "ReduceMax";
  let example = "AscendC::BlockReduceMax(y, x, 4, 64, 1, 1, 8);";
}
def BlockReduceMin : BlockReduce<"block_reduce_min", "BlockReduceMin"> {
  let summary = "One minimum for each 32-byte block, 8 per repeat; dstRep counts 8 results.";
  let cost = "ReduceMax";
  let example = "AscendC::BlockReduceMin(y, x, 4, 64, 1, 1, 8);";
}
def PairReduceSum : BlockReduce<"pair_reduce_sum", "PairReduceSum"> {
  let summary = "One sum for each pair of neighbours; dstRep counts the results of a repeat (128 bytes).";
  let cost = "ReduceAdd";
  let example = "AscendC::PairReduceSum(y, x, 4, 64, 1, 1, 8);";
}

// Reducing a whole tensor: repeat after repeat into the work tensor, then these results in order.
class ReduceAll<string irName, string cName> : Vector<irName, cName> {
  let family = "ReduceAll";
  let forms = ["Count"];
  let operands = [Dst<"dst">, Src<"src">, Dst<"work", ["UB"], "shared_tmp_buffer">];
  let dtypes = [OnC220<Floats>, OnC310<Floats>];
}
def ReduceSum : ReduceAll<"reduce_sum", "ReduceSum"> {
  let summary = "dst[0] = sum of count elements: a tree over the neighbours of each repeat, then the repeats one after another.";
  let cost = "ReduceAdd";
  let countCall = "dst, src, work, count";
  let example = "AscendC::ReduceSum(y, x, work, 1024);";
}
class ReduceWithIndex<string irName, string cName> : ReduceAll<irName, cName> {
  let cost = "ReduceMax";
  let countOperands = [Int<"count">, Int<"calIndex">];
  let countCall = "dst, src, work, count, calIndex";
}
def ReduceMax : ReduceWithIndex<"reduce_max", "ReduceMax"> {
  let summary = "dst[0] = maximum of count elements; with calIndex dst[1] is where it first is, as bits of the element's width.";
  let example = "AscendC::ReduceMax(y, x, work, 1024, true);";
}
def ReduceMin : ReduceWithIndex<"reduce_min", "ReduceMin"> {
  let summary = "dst[0] = minimum of count elements; with calIndex dst[1] is where it first is, as bits of the element's width.";
  let example = "AscendC::ReduceMin(y, x, work, 1024, true);";
}

// Moving elements about.
defvar Words16and32 = ["I16", "U16", "F16", "BF16", "I32", "U32", "F32"];
def Gather : Vector<"gather", "Gather"> {
  let summary = "dst[i] = the element of src that starts offset[i] + base bytes from its beginning. src has srcBytes bytes; an offset "
                "that leaves it gives 0.";
  let family = "Gather";
  let cost = "TwoSource";
  let forms = ["Count"];
  let operands = [Dst<"dst">, Src<"src">, Words<"offset">, Int<"base">, Int<"srcBytes">];
  let pythonForms = ["gather(dst: LocalTensor, src: LocalTensor, src_offset: LocalTensor, src_base: RuntimeInt, "
                     "count: RuntimeInt)"];
  let dtypes = [OnC220<Words16and32>, OnC310<Words16and32>];
  let example = "AscendC::Gather(y, x, offsets, 0, 64);";
}
def GatherMask : Instruction<"gather_mask", "GatherMask"> {
  let summary = "Of `elements` elements of each repeat, those the pattern names, one after the other: 1 even, 2 odd, 3 to 6 every "
                "fourth from 0 to 3, 7 all.";
  let family = "GatherPattern";
  let pipe = "V";
  let cost = "OneSource";
  let operands = [Dst<"dst">, Src<"src">, Int<"pattern">, Int<"elements">, Repeats, Int<"srcBlk">, Int<"srcRep">];
  let pythonForms = ["gather_mask(dst: LocalTensor, src0: LocalTensor, src1_pattern: int, reduce_mode: bool, mask: RuntimeInt, "
                     "params: GatherMaskParams) -> PlainValue"];
  let dtypes = [OnC220<Words16and32>, OnC310<Words16and32>];
  let example = "uint64_t kept = 0; AscendC::GatherMask(y, x, 1, false, 0, {1, 2, 8, 0}, kept);";
}
def Sort32 : Instruction<"sort32", "Sort32"> {
  let summary = "Each repeat sorts 32 scores, largest first and equal ones in their order, into records of 8 bytes: the score, and from "
                "byte 4 on its index.";
  let family = "Sort";
  let pipe = "V";
  let cost = "Transcendental";
  let operands = [Dst<"dst">, Src<"src">, Words<"index", "src1">, RepeatTime];
  let countCall = "dst, src, index, repeat";
  let dtypes = [OnC220<Floats>, OnC310<Floats>];
  let example = "AscendC::Sort32(y, x, offsets, 2);";
}
def Transpose : Instruction<"transpose", "Transpose"> {
  let summary = "A square of 16 x 16 elements of 16 bits, turned.";
  let family = "Transpose";
  let pipe = "V";
  let cost = "OneSource";
  let operands = [Dst<"dst">, Src<"src">];
  let countCall = "dst, src";
  let dtypes = [OnC220<["I16", "U16", "F16"]>, OnC310<["I16", "U16", "F16"]>];
  let example = "AscendC::Transpose(hy, hx);";
}

def GatherMaskBits : Instruction<"gather_mask_bits", "GatherMask"> {
  let summary = "Of `elements` elements of each repeat those whose bit in the pattern is set, one after the other; the patterns of "
                "repeats are patternRep 32-byte blocks apart. dst has room for `room` elements. The number of kept elements stays readable.";
  let family = "GatherPattern";
  let pipe = "V";
  let cost = "OneSource";
  let operands = [Dst<"dst">, Src<"src">, Bits<"pattern">, Int<"elements">, Int<"repeat">, Int<"srcBlk">, Int<"srcRep">, Int<"patternRep">,
                  Int<"room">];
  let dtypes = [OnC220<Words16and32>, OnC310<Words16and32>];
  let example = "uint64_t kept = 0; AscendC::GatherMask(y, x, offsets, false, 0, {1, 2, 8, 8}, kept);";
}
def Gatherb : Instruction<"gatherb", "Gatherb"> {
  let summary = "Each repeat gathers 8 blocks of 32 bytes that start at the next 8 offsets (bytes) of src, which has srcBytes bytes; an "
                "offset that leaves it gives 0.";
  let family = "GatherBlocks";
  let pipe = "V";
  let cost = "TwoSource";
  let operands = [Dst<"dst">, Src<"src">, Words<"offset">, Int<"srcBytes">, Int<"repeat">, Int<"dstBlk">, Int<"dstRep">];
  let dtypes = [OnC220<Words16and32>, OnC310<Words16and32>];
  let example = "AscendC::Gatherb(y, x, offsets, 2, {1, 8});";
}
def Scatter : Vector<"scatter", "Scatter"> {
  let summary = "The element of dst that starts offset[i] + base bytes from its beginning = src[i]. dst has dstBytes bytes; an offset "
                "that leaves it is skipped.";
  let family = "Scatter";
  let cost = "TwoSource";
  let forms = ["Count"];
  let operands = [Dst<"dst">, Src<"src">, Words<"offset">, Int<"base">, Int<"dstBytes">];
  let dtypes = [OnC310<Words16and32>];
  let example = "AscendC::Scatter(y, x, offsets, 0, 64);";
}
def MrgSort : Instruction<"mrg_sort", "MrgSort"> {
  let summary = "Merges up to four lists of 8-byte records, largest score first and equal ones list by list, `repeat` times; with `stops` a "
                "merge ends with its first empty list. How much of each list was taken stays readable.";
  let family = "Merge";
  let pipe = "V";
  let cost = "Transcendental";
  let operands = [Dst<"dst">, Src<"src0">, Src<"src1">, Src<"src2">, Src<"src3">, Int<"count0">, Int<"count1">, Int<"count2">,
                  Int<"count3">, Int<"repeat">, Int<"stops">];
  let dtypes = [OnC220<Floats>, OnC310<Floats>];
  let example = "AscendC::MrgSort(y, AscendC::MrgSortSrcList<float>(x, y, x, y), "
                "AscendC::MrgSort4Info(lengths, false, 3, 1));";
}
def TransDataRows : Instruction<"trans_data_rows", "TransDataTo5HD"> {
  let summary = "Turns 16 rows of 32 bytes at 16 addresses into 16 at others: element j of row i becomes element i of row j. Four addresses "
                "of UB, in 32-byte blocks, share a word; elements have `bytes` bytes. Of 8 bits only the high or low half of rows is used; of 32 bits a row has 8 "
                "elements and turns into two rows of 8. Repeats are dstRep and srcRep blocks apart.";
  let family = "Trans5hd";
  let pipe = "V";
  let cost = "OneSource";
  let operands = [Int<"to0">, Int<"to1">, Int<"to2">, Int<"to3">, Int<"from0">, Int<"from1">, Int<"from2">, Int<"from3">,
                  Int<"dstHigh">, Int<"srcHigh">, Int<"repeat">, Int<"dstRep">, Int<"srcRep">, Int<"bytes">];
  let dtypeOf = "";
  let example = "AscendC::LocalTensor<half> rows[16], columns[16]; AscendC::TransDataTo5HD<half>(columns, rows, {false, false, 1, 0, 0});";
}
def Arange : Vector<"arange", "CreateVecIndex"> {
  let summary = "dst[i] = first + i * step.";
  let family = "Arange";
  let cost = "OneSource";
  let forms = ["Count"];
  let operands = [Dst<"dst">, Scalar<"first">, Scalar<"step">];
  let dtypes = [OnC220<["I16", "F16", "I32", "F32"]>, OnC310<["I8", "I16", "F16", "I32", "F32"]>];
  let example = "AscendC::CreateVecIndex(x, 0.0f, 1024);";
}

// Arithmetic that changes the element type. Lanes and repeats are those of the wider type.
class Mixed<string irName, string cName> : Vector<irName, cName> {
  let family = "Mixed";
  let cost = "MultiplyAdd";
  let dtype2Of = "src0";
  let operands = [Dst<"dst">, Src<"src0">, Src<"src1">, Int<"scale">];
  let repeatOperands = [Int<"mask">, Int<"repeat">, Int<"dstBlk">, Int<"src0Blk">, Int<"src1Blk">, Int<"dstRep">, Int<"src0Rep">,
                        Int<"src1Rep">];
}
def AxpyWide : Mixed<"axpy_wide", "Axpy"> {
  let summary = "dst[i] = src0[i] * scale + dst[i] in F32, where src0 and scale (its bits) are F16, rounded once. src1 is src0.";
  let operands = [DstSrc<"dst">, Src<"src0">, Src<"src1">, Int<"scale">];
  let dtypes = [OnC220<["F32"]>, OnC310<["F32"]>];
  let example = "AscendC::Axpy(y, hx, half(2.0f), 1024);";
}
def MulAddDstWide : Mixed<"mul_add_dst_wide", "MulAddDst"> {
  let summary = "dst[i] = src0[i] * src1[i] + dst[i] in F32, where the factors are F16, rounded once.";
  let operands = [DstSrc<"dst">, Src<"src0">, Src<"src1">, Int<"scale">];
  let dtypes = [OnC220<["F32"]>, OnC310<["F32"]>];
  let example = "AscendC::MulAddDst(y, hx, hy, 1024);";
}
def CastDequant : Mixed<"cast_dequant", "Cast"> {
  let summary = "dst[i] = F16(src0[i] * scale), where src0 is I32 and scale (its bits) F16. src1 is src0.";
  let cost = "Convert";
  let dtypes = [OnC220<["F16"]>, OnC310<["F16"]>];
  let example = "AscendC::SetDeqScale(half(0.5f)); AscendC::Cast(hy, ix, AscendC::RoundMode::CAST_NONE, 1024);";
}
def AddDeqRelu : Mixed<"add_deq_relu", "AddDeqRelu"> {
  let summary = "dst[i] = F16(max((src0[i] + src1[i]) * scale, 0)), where the terms are I32 and scale (its bits) F16.";
  let dtypes = [OnC220<["F16"]>, OnC310<["F16"]>];
  let example = "AscendC::AddDeqRelu(hy, ix, ix, 1024);";
}
def AddReluCast : Mixed<"add_relu_cast", "AddReluCast"> {
  let summary = "dst[i] = max(src0[i] + src1[i], 0), converted: F16 to I8, F32 to F16, I16 to I8.";
  let dtypes = [OnC220<["I8", "F16"]>, OnC310<["I8", "F16"]>];
  let example = "AscendC::AddReluCast(hy, x, y, 1024);";
}
def SubReluCast : Mixed<"sub_relu_cast", "SubReluCast"> {
  let summary = "dst[i] = max(src0[i] - src1[i], 0), converted: F16 to I8, F32 to F16, I16 to I8.";
  let dtypes = [OnC220<["I8", "F16"]>, OnC310<["I8", "F16"]>];
  let example = "AscendC::SubReluCast(hy, x, y, 1024);";
}
def MulCast : Mixed<"mul_cast", "MulCast"> {
  let summary = "dst[i] = src0[i] * src1[i], converted from F16 to I8 or U8.";
  let dtypes = [OnC220<["I8", "U8"]>, OnC310<["I8", "U8"]>];
  let example = "AscendC::MulCast(by, hx, hy, 1024);";
}

#endif // TILESMITH_ISA_VECTOR
