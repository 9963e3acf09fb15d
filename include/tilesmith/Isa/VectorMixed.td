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

// Bytes from 16-bit integers, scaled: a block of 16 of them becomes half a block of bytes, and the other half stays. A scale is a word:
// a float, an offset of 9 bits at bit 37, and at bit 46 whether the result has a sign.
class Dequantised<string irName> : Vector<irName, "CastDeq"> {
  let family = "CastDeq";
  let execute = "castDeq";
  let cost = "Convert";
  let dtype2Of = "src";
  let repeatOperands = [Mask<"mask">, Repeats, Half<"dstBlk">, Half<"srcBlk">, Byte<"dstRep">, Byte<"srcRep">];
  defvar whole = "span(mask) / 16";
  defvar rest = "(span(mask) - span(mask) / 16 * 16)";
  list<Lies> countBytes = [Lies<"dst", "at(upper * 16, rows(count / 16, 16, blockBytes))", "count / 16">,
                           Lies<"dst", "at(count / 16 * blockBytes + upper * 16, run(count - count / 16 * 16))", "count - count / 16 * 16">,
                           Lies<"src", "elements(count)">];
  list<Lies> repeatBytes = [Lies<"dst", "at(upper * 16, run(16, "#whole#", dstBlk * blockBytes, repeat, dstRep * blockBytes))", whole>,
                            Lies<"dst", "at("#whole#" * dstBlk * blockBytes + upper * 16, rows(repeat, "#rest#", dstRep * blockBytes))", rest>,
                            Lies<"src", "lanes(mask, repeat, srcBlk, srcRep)">];
  let dtypes = [OnC220<["I8", "U8"]>, OnC310<["I8", "U8"]>];
}
def CastDeq : Dequantised<"cast_deq"> {
  let summary = "dst[i] = round(src[i] * scale) + offset, saturated: of scale, a word as SetDeqScale makes it. Results of a block lie in the "
                "upper or the lower half of a block.";
  let operands = [Dst<"dst">, Src<"src">, FromRegister<"scale", "DeqScale">, Bool<"upper">];
  let countLayout = countBytes;
  let repeatLayout = repeatBytes;
  let example = "AscendC::LocalTensor<int16_t> sx; AscendC::SetDeqScale(0.5f, 3, true); AscendC::CastDeq<int8_t, int16_t, false, true>(by, sx, 1024);";
}
def CastDeqVector : Dequantised<"cast_deq_vector"> {
  let summary = "As cast_deq, with a word for each of the 16 places of a block.";
  let operands = [Dst<"dst">, Src<"src">, Words64<"scales">, Bool<"upper">];
  let countLayout = !listconcat(countBytes, [Lies<"scales", "run(128)", "count">]);
  let repeatLayout = !listconcat(repeatBytes, [Lies<"scales", "run(128)", "span(mask) && repeat">]);
  let example = "AscendC::LocalTensor<int16_t> sx; AscendC::CastDeq<int8_t, int16_t, true, false>(by, sx, 1024);";
}

#endif // TILESMITH_ISA_VECTORMIXED
