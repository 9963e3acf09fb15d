//===- VectorChoose.td - Vector instructions that compare and choose ---------------------------------------------===//
#ifndef TILESMITH_ISA_VECTORCHOOSE
#define TILESMITH_ISA_VECTORCHOOSE

include "Vector.td"

// Comparing and choosing. A mask is packed bits, lane 0 in bit 0 of byte 0; those of a repeat follow those of the one before.
defvar MaskBits = "rows(repeat, ceil(span(lanes), 8), repeatBytes / size / 8)";
def Compare : Vector<"compare", "Compare"> {
  let summary = "Bit i of dst says whether src0[i] mode src1[i]. The count form needs a multiple of 256 bytes; in the "
                "repeat form inactive lanes give 0.";
  let family = "Compare";
  let execute = "vector";
  let cost = "CompareSelect";
  let operands = [BitsDst<"dst">, Src<"src0">, Src<"src1">, Attr<"mode", CmpMode, "cmp_mode">];
  let repeatOperands = [Mask<"mask">, Repeats, Byte<"src0Blk">, Byte<"src1Blk">, Byte<"src0Rep">, Byte<"src1Rep">];
  let countLayout = [Lies<"dst", "bits(count)">, Lies<"src0", "elements(count)">, Lies<"src1", "elements(count)">];
  let repeatLayout = [Lies<"dst", "bits(repeat * perRepeat)">, Lies<"src0", "lanes(mask, repeat, src0Blk, src0Rep)">,
                      Lies<"src1", "lanes(mask, repeat, src1Blk, src1Rep)">];
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
  let execute = "vector";
  let cost = "CompareSelect";
  let operands = [BitsDst<"dst">, Src<"src">, Scalar<"scalar", "src1_scalar">, Attr<"mode", CmpMode, "cmp_mode">];
  let repeatOperands = [Mask<"mask">, Repeats, Half<"srcBlk">, Byte<"srcRep">];
  let countLayout = [Lies<"dst", "bits(count)">, Lies<"src", "elements(count)">];
  let repeatLayout = [Lies<"dst", "bits(repeat * perRepeat)">, Lies<"src", "lanes(mask, repeat, srcBlk, srcRep)">];
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
  let execute = "vector";
  let cost = "CompareSelect";
  let operands = [Dst<"dst">, Bits<"mask", "sel_mask">, Src<"src0">, Src<"src1">];
  let repeatOperands = [Mask<"lanes", "mask">, Repeats, Byte<"dstBlk">, Byte<"src0Blk">, Byte<"src1Blk">, Byte<"dstRep">,
                        Byte<"src0Rep">, Byte<"src1Rep">];
  let countLayout = [Lies<"dst", "elements(count)">, Lies<"mask", "bits(count)">, Lies<"src0", "elements(count)">,
                     Lies<"src1", "elements(count)">];
  let repeatLayout = [Lies<"dst", "lanes(lanes, repeat, dstBlk, dstRep)">, Lies<"mask", MaskBits>,
                      Lies<"src0", "lanes(lanes, repeat, src0Blk, src0Rep)">, Lies<"src1", "lanes(lanes, repeat, src1Blk, src1Rep)">];
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
  let execute = "selectScalar";
  let cost = "CompareSelect";
  let operands = [Dst<"dst">, Bits<"mask">, Src<"src">, Scalar<"scalar">];
  let repeatOperands = [Mask<"lanes">, Byte<"repeat">, Byte<"dstBlk">, Byte<"srcBlk">, Byte<"dstRep">, Byte<"srcRep">];
  let countLayout = [Lies<"dst", "elements(count)">, Lies<"mask", "bits(count)">, Lies<"src", "elements(count)">];
  let repeatLayout = [Lies<"dst", "lanes(lanes, repeat, dstBlk, dstRep)">, Lies<"mask", MaskBits>,
                      Lies<"src", "lanes(lanes, repeat, srcBlk, srcRep)">];
  let dtypes = [OnC220<Floats>, OnC310<AllC310>];
  let example = "AscendC::Select(z, m, x, 0.0f, AscendC::SELMODE::VSEL_TENSOR_SCALAR_MODE, 1024);";
}

// The same through the core's compare register of 128 bits: one repeat is compared, every repeat chooses by it.
def CompareToRegister : Instruction<"compare_to_register", "Compare"> {
  let summary = "Bit i of the compare register says whether src0[i] mode src1[i], for the first mask lanes; others become 0.";
  let family = "CmpMask";
  let execute = "compareRegister";
  let pipe = "V";
  let cost = "CompareSelect";
  let operands = [Src<"src0">, Src<"src1">, Attr<"mode", CmpMode>, Mask<"mask">, Byte<"src0Blk">, Byte<"src1Blk">];
  let layout = [Lies<"src0", "lanes(mask, 1, src0Blk, 0)">, Lies<"src1", "lanes(mask, 1, src1Blk, 0)">];
  let dtypeOf = "src0";
  let dtypes = [OnC220<Floats>, OnC310<Floats>];
  let example = "AscendC::Compare(x, y, AscendC::CMPMODE::LT, 64, {1, 1, 1, 8, 8, 8});";
}
def SelectByRegister : Instruction<"select_by_register", "Select"> {
  let summary = "dst[i] = bit i of the compare register ? src0[i] : src1[i], in every repeat.";
  let family = "CmpMask";
  let execute = "compareRegister";
  let pipe = "V";
  let cost = "CompareSelect";
  let operands = [Dst<"dst">, Src<"src0">, Src<"src1">, Mask<"mask">, Byte<"repeat">, Byte<"dstBlk">, Byte<"src0Blk">, Byte<"src1Blk">,
                  Byte<"dstRep">, Byte<"src0Rep">, Byte<"src1Rep">];
  let layout = [Lies<"dst", "lanes(mask, repeat, dstBlk, dstRep)">, Lies<"src0", "lanes(mask, repeat, src0Blk, src0Rep)">,
                Lies<"src1", "lanes(mask, repeat, src1Blk, src1Rep)">];
  let dtypes = [OnC220<Floats>, OnC310<Floats>];
  let example = "AscendC::Select<float, AscendC::SELMODE::VSEL_CMPMASK_SPR>(z, x, y, 4, {1, 1, 1, 8, 8, 8});";
}
def SelectScalarByRegister : Instruction<"select_scalar_by_register", "Select"> {
  let summary = "dst[i] = bit i of bits ? src[i] : the scalar in the lowest bits of the compare register.";
  let family = "CmpMask";
  let execute = "compareRegister";
  let pipe = "V";
  let cost = "CompareSelect";
  let operands = [Dst<"dst">, Bits<"bits", "sel_mask">, Src<"src">, Mask<"lanes">, Byte<"repeat">, Byte<"dstBlk">, Byte<"srcBlk">, Byte<"dstRep">,
                  Byte<"srcRep">];
  let layout = [Lies<"dst", "lanes(lanes, repeat, dstBlk, dstRep)">, Lies<"bits", MaskBits>, Lies<"src", "lanes(lanes, repeat, srcBlk, srcRep)">];
  let dtypes = [OnC220<Floats>, OnC310<Floats>];
  let example = "AscendC::Select(z, m, x, 4, {1, 1, 1, 8, 8, 8});";
}
def GetCmpMask : Instruction<"get_cmp_mask", "GetCmpMask"> {
  let summary = "The 16 bytes of the compare register.";
  let family = "CmpMask";
  let execute = "compareRegister";
  let pipe = "V";
  let cost = "OneSource";
  let operands = [Dst<"dst">];
  let layout = [Lies<"dst", "run(16)">];
  let dtypes = [OnC220<AnyWidth>, OnC310<AnyWidth>];
  let example = "AscendC::GetCmpMask(x);";
}
def SetCmpMask : Instruction<"set_cmp_mask", "SetCmpMask"> {
  let summary = "The compare register becomes these 16 bytes.";
  let family = "CmpMask";
  let execute = "compareRegister";
  let pipe = "V";
  let cost = "OneSource";
  let operands = [Src<"src">];
  let layout = [Lies<"src", "run(16)">];
  let dtypeOf = "src";
  let dtypes = [OnC220<AnyWidth>, OnC310<AnyWidth>];
  let example = "AscendC::SetCmpMask(x);";
}

#endif // TILESMITH_ISA_VECTORCHOOSE
