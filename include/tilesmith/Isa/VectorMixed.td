//===- VectorMixed.td - Vector arithmetic that changes the element type ------------------------------------------===//
#ifndef TILESMITH_ISA_VECTORMIXED
#define TILESMITH_ISA_VECTORMIXED

include "Vector.td"

// Arithmetic that changes the element type. Lanes and repeats are those of the wider type.
class Mixed<string irName, string cName> : Vector<irName, cName> {
  let family = "Mixed";
  let execute = "mixed";
  let cost = "MultiplyAdd";
  let dtype2Of = "src0";
  let operands = [Dst<"dst">, Src<"src0">, Src<"src1">, Int<"scale">];
  let repeatOperands = [Mask<"mask">, Byte<"repeat">, Half<"dstBlk">, Half<"src0Blk">, Half<"src1Blk">, Byte<"dstRep">, Byte<"src0Rep">,
                        Byte<"src1Rep">];
  let countLayout = [Lies<"dst", "elements(count)">, Lies<"src0", "elements(count)">, Lies<"src1", "elements(count, size2)">];
  let repeatLayout = [Lies<"dst", "lanes(mask, repeat, dstBlk, dstRep)">, Lies<"src0", "lanes(mask, repeat, src0Blk, src0Rep)">,
                      Lies<"src1", "lanes(mask, repeat, src1Blk, src1Rep, size2)">];
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
  let operands = [Dst<"dst">, Src<"src0">, Src<"src1">, FromRegister<"scale", "DeqScale">];
  let dtypes = [OnC220<["F16"]>, OnC310<["F16"]>];
  let example = "AscendC::SetDeqScale(half(0.5f)); AscendC::Cast(hy, ix, AscendC::RoundMode::CAST_NONE, 1024);";
}
def AddDeqRelu : Mixed<"add_deq_relu", "AddDeqRelu"> {
  let summary = "dst[i] = F16(max((src0[i] + src1[i]) * scale, 0)), where the terms are I32 and scale (its bits) F16.";
  let operands = [Dst<"dst">, Src<"src0">, Src<"src1">, FromRegister<"scale", "DeqScale">];
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

#endif // TILESMITH_ISA_VECTORMIXED
