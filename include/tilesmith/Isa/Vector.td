//===- Vector.td - Vector instructions (pipe V) ----------------------------------------------------------------------===//
//
// Count form works on `count` consecutive elements. Repeat form works on `repeat` groups of 256 bytes: the first `mask`
// lanes of each, as 8 blocks of 32 bytes placed by block stride inside a group and repeat stride between groups.
//
//===------------------------------------------------------------------------------------------------------------------===//
#ifndef TILESMITH_ISA_VECTOR
#define TILESMITH_ISA_VECTOR

include "Instruction.td"

class Vector<string irName, string cName> : Instruction<irName, cName> {
  let pipe = "V";
  let forms = ["Count", "Repeat"];
  let countOperands = [Int<"count">];
}

class VectorUnary<string irName, string cName> : Vector<irName, cName> {
  let family = "VectorUnary";
  let cost = "OneSource";
  let operands = [Dst<"dst">, Src<"src">];
  let repeatOperands = [Int<"mask">, Int<"repeat">, Int<"dstBlk">, Int<"srcBlk">, Int<"dstRep">, Int<"srcRep">];
  let element = irName;
}
class VectorBinary<string irName, string cName> : Vector<irName, cName> {
  let family = "VectorBinary";
  let cost = "TwoSource";
  let operands = [Dst<"dst">, Src<"src0">, Src<"src1">];
  let repeatOperands = [Int<"mask">, Int<"repeat">, Int<"dstBlk">, Int<"src0Blk">, Int<"src1Blk">, Int<"dstRep">,
                        Int<"src0Rep">, Int<"src1Rep">];
  let element = irName;
}
class VectorScalar<string irName, string cName> : Vector<irName, cName> {
  let family = "VectorScalar";
  let cost = "OneSource";
  let operands = [Dst<"dst">, Src<"src">, Scalar<"scalar">];
  let repeatOperands = [Int<"mask">, Int<"repeat">, Int<"dstBlk">, Int<"srcBlk">, Int<"dstRep">, Int<"srcRep">];
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
  let summary = "Bitwise and.";
  let dtypes = [OnC220<["I16", "U16"]>, OnC310<["I8", "U8", "I16", "U16", "I32", "U32"]>];
  let example = "AscendC::And(z, x, y, 1024);";
}
def Or : VectorBinary<"or", "Or"> {
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
  let repeatOperands = [Int<"mask">, Int<"repeat">, Int<"dstBlk">, Int<"dstRep">];
  let dtypes = [OnC220<["I16", "U16", "F16", "BF16", "I32", "U32", "F32"]>, OnC310<AnyWidth>];
  let example = "AscendC::Duplicate(x, 0.0f, 1024);";
}
def Copy : Vector<"copy", "Copy"> {
  let summary = "UB to UB; the count form moves whole 32-byte blocks.";
  let family = "Copy";
  let cost = "OneSource";
  let operands = [Dst<"dst">, Src<"src">];
  let repeatOperands = [Int<"mask">, Int<"repeat">, Int<"dstBlk">, Int<"srcBlk">, Int<"dstRep">, Int<"srcRep">];
  let dtypes = [OnC220<["I16", "U16", "F16", "BF16", "I32", "U32", "F32"]>, OnC310<AnyWidth>];
  let example = "AscendC::Copy(y, x, 64, 4, {1, 1, 8, 8});";
}
def Brcb : Vector<"brcb", "Brcb"> {
  let summary = "Each of 8 elements per repeat fills one 32-byte block.";
  let family = "Brcb";
  let cost = "OneSource";
  let forms = ["Repeat"];
  let operands = [Dst<"dst">, Src<"src">];
  let repeatOperands = [Int<"repeat">, Int<"dstBlk">, Int<"dstRep">];
  let dtypes = [OnC220<["I16", "U16", "F16", "BF16", "I32", "U32", "F32"]>, OnC310<AnyWidth>];
  let example = "AscendC::Brcb(y, x, 2, {1, 8});";
}
def Cast : Vector<"cast", "Cast"> {
  let summary = "Converts element types. The repeat form counts lanes and repeats of the wider type.";
  let family = "Cast";
  let cost = "Convert";
  let operands = [Dst<"dst">, Src<"src">, Attr<"round", RoundMode>];
  let repeatOperands = [Int<"mask">, Int<"repeat">, Int<"dstBlk">, Int<"srcBlk">, Int<"dstRep">, Int<"srcRep">];
  let dtype2Of = "src";
  let dtypes = [OnC220<["I8", "U8", "I16", "F16", "BF16", "I32", "F32", "I64"]>, OnC310<AnyWidth>];
  let example = "AscendC::Cast(y, x, AscendC::RoundMode::CAST_RINT, 1024);";
}

// Comparing and choosing. A mask is packed bits, lane 0 in bit 0 of byte 0.
def Compare : Vector<"compare", "Compare"> {
  let summary = "Bit i of dst says whether src0[i] mode src1[i]. The count form needs a multiple of 256 bytes; in the "
                "repeat form inactive lanes give 0.";
  let family = "Compare";
  let cost = "CompareSelect";
  let operands = [Dst<"dst">, Src<"src0">, Src<"src1">, Attr<"mode", CmpMode>];
  let repeatOperands = [Int<"mask">, Int<"repeat">, Int<"src0Blk">, Int<"src1Blk">, Int<"src0Rep">, Int<"src1Rep">];
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
  let operands = [Dst<"dst">, Src<"src">, Scalar<"scalar">, Attr<"mode", CmpMode>];
  let repeatOperands = [Int<"mask">, Int<"repeat">, Int<"srcBlk">, Int<"srcRep">];
  let dtypeOf = "src";
  let element = "compare";
  let dtypes = [OnC220<["F16", "F32", "I32"]>, OnC310<AllC310>];
  let example = "AscendC::CompareScalar(m, x, 0.0f, AscendC::CMPMODE::LT, 1024);";
}
def Select : Vector<"select", "Select"> {
  let summary = "dst[i] = mask bit i ? src0[i] : src1[i].";
  let family = "Select";
  let cost = "CompareSelect";
  let operands = [Dst<"dst">, Src<"mask">, Src<"src0">, Src<"src1">];
  let repeatOperands = [Int<"lanes">, Int<"repeat">, Int<"dstBlk">, Int<"src0Blk">, Int<"src1Blk">, Int<"dstRep">,
                        Int<"src0Rep">, Int<"src1Rep">];
  let element = "select";
  let dtypes = [OnC220<Floats>, OnC310<AllC310>];
  let example = "AscendC::Select(z, m, x, y, AscendC::SELMODE::VSEL_TENSOR_TENSOR_MODE, 1024);";
}

// Reducing: one result per repeat, neighbours first.
class WholeReduce<string irName, string cName> : Vector<irName, cName> {
  let family = "WholeReduce";
  let forms = ["Repeat"];
  let operands = [Dst<"dst">, Src<"src">];
  let repeatOperands = [Int<"mask">, Int<"repeat">, Int<"dstRep">, Int<"srcBlk">, Int<"srcRep">];
  let dtypes = [OnC220<Floats>, OnC310<["F16", "F32", "I16", "I32"]>];
}
def WholeReduceSum : WholeReduce<"whole_reduce_sum", "WholeReduceSum"> {
  let summary = "dst[r * dstRep] = sum of the first mask lanes of repeat r, a tree over neighbours; other lanes count as 0.";
  let cost = "ReduceAdd";
  let element = "reduce_sum";
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

#endif // TILESMITH_ISA_VECTOR
