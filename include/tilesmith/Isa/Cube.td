//===- Cube.td - Matrix unit: loads into L0, multiply, write-out -----------------------------------------------------===//
#ifndef TILESMITH_ISA_CUBE
#define TILESMITH_ISA_CUBE

include "Instruction.td"

defvar CubeTypes = ["I8", "F16", "BF16", "F32"];

// Every 512 bytes of L0C are full or empty, and products and write-outs may hand them to each other instead of by flags of their pipes.
// With 2 or 3 a product waits until what it writes is empty and a write-out until what it reads is full; with 3 it makes it full or
// empty. 0: it neither waits nor tells.
def UnitFlag : UpTo<"unitFlag", "3">;

def LoadData2D : Instruction<"load_data_2d", "LoadData"> {
  let summary = "repeatTimes fractals of 512 bytes from L1, srcStride apart starting at startIndex, to consecutive places of L0 "
                "with dstGap between; ifTranspose turns each 16x16 fractal of 16-bit elements. On C310 "
                "fractals are those of one row: startIndex counts columns, which are srcStride apart.";
  let family = "LoadL0";
  let execute = "loadL0";
  let pipe = "MTE1";
  let cost = "Move";
  let operands = [Dst<"dst", ["L0A", "L0B"]>, Src<"src", ["L1"]>, Half<"startIndex">, Byte<"repeatTimes">, Half<"srcStride">,
                  Half<"dstGap">, Int<"ifTranspose">];
  let layout = [Lies<"dst", "rows(repeatTimes, fractalBytes, (c310 && ifTranspose ? 1 : dstGap + 1) * fractalBytes)">,
                Lies<"src", "at((c310 ? startIndex * srcStride : startIndex) * fractalBytes, rows(repeatTimes, fractalBytes, srcStride * fractalBytes))">];
  let countCall = "dst, src, LoadData2DParams{startIndex, repeatTimes, srcStride, '0', dstGap, ifTranspose, '0'}";
  let dtypes = [OnC220<CubeTypes>, OnC310<CubeTypes>];
  let example = "AscendC::LoadData(a2, a1, AscendC::LoadData2DParams(0, 4, 1, 0, 0, false, 0));";
}
def LoadDataTranspose : Instruction<"load_data_transpose", "LoadDataWithTranspose"> {
  let summary = "For 32-bit elements: each repeat turns a 16x16 square (two fractals, neighbours srcStride apart) into two L0 "
                "fractals dstFracGap + 1 apart; repeats are dstGap + 1 apart. Of 16 bits a repeat is one fractal, of 8 bits a "
                "square of two that follow each other; there startIndex and srcStride count squares.";
  let family = "LoadL0";
  let execute = "loadL0";
  let pipe = "MTE1";
  let cost = "Move";
  let operands = [Dst<"dst", ["L0A", "L0B"]>, Src<"src", ["L1"]>, Half<"startIndex">, Byte<"repeatTimes">, Half<"srcStride">,
                  Half<"dstGap">, Half<"dstFracGap">];
  let layout = [Lies<"dst", "run(fractalBytes, size == 2 ? 1 : 2, (dstFracGap + 1) * fractalBytes, repeatTimes, (dstGap + 1) * fractalBytes)">,
                Lies<"src", "at(startIndex * fractalBytes, run(fractalBytes, 2, srcStride * fractalBytes, repeatTimes, fractalBytes))", "size == 4">,
                Lies<"src", !subst("square", "(size == 1 ? 2 * fractalBytes : fractalBytes)",
                                   "at(startIndex * square, rows(repeatTimes, square, srcStride * square))"), "size < 4">];
  let countCall = "dst, src, LoadData2dTransposeParams{startIndex, repeatTimes, srcStride, dstGap, dstFracGap, '0'}";
  let dtypes = [OnC220<CubeTypes>];
  let example = "AscendC::LoadDataWithTranspose(b2, b1, AscendC::LoadData2dTransposeParams(0, 4, 1, 0, 3));";
}
def LoadData2DV2 : Instruction<"load_data_2d_v2", "LoadData"> {
  let summary = "A block of mStep x kStep fractals from an NZ buffer in L1 to L0; ifTranspose turns fractals and their order.";
  let family = "LoadL0";
  let execute = "loadL0";
  let pipe = "MTE1";
  let cost = "Move";
  let operands = [Dst<"dst", ["L0A", "L0B"]>, Src<"src", ["L1"]>, Half<"mStart">, Half<"kStart">, Byte<"mStep">, Byte<"kStep">,
                  Half<"srcStride">, Half<"dstStride">, Int<"ifTranspose">];
  // Fractal (m, k) of L1 is number k * srcStride + m. Transposed, the outer axis of L0 is m in steps of 32 bytes of elements, the
  // inner one k in steps of 16 elements.
  let layout = [Lies<"dst", "run(fractalBytes, ifTranspose ? kStep * 2 / size : mStep, fractalBytes, ifTranspose ? mStep * size / 2 : kStep, "
                            "dstStride * fractalBytes)">,
                Lies<"src", "at((kStart * srcStride + mStart) * fractalBytes, run(fractalBytes, mStep, fractalBytes, kStep, srcStride * fractalBytes))">];
  let countCall = "dst, src, LoadData2DParamsV2{mStart, kStart, mStep, kStep, srcStride, dstStride, ifTranspose, '0'}";
  let dtypes = [OnC310<!listconcat(CubeTypes, NarrowFloats)>];
  let example = "AscendC::LoadData(a2, a1, AscendC::LoadData2DParamsV2{0, 0, 8, 4, 8, 8, false, 0});";
}
// Exactly m x k, k x n and m x n; the rest of fractals is ignored. L0A is ZZ on C220 and NZ on C310, L0B ZN, L0C NZ.
defvar Product = "m && n && k";
defvar Factors = [Lies<"a", "run(k * size2)", Product#" && m == 1">, Lies<"a", "zz(m, k * size2)", Product#" && m != 1 && !c310">,
                  Lies<"a", "nz(m, k * size2, blockBytes, up(m, 16) * blockBytes)", Product#" && m != 1 && c310">,
                  Lies<"b", "nz(n, k * size2, blockBytes, up(n, 16) * blockBytes)", Product>];
defvar Accumulator = "nz(m, n * 4, 64, up(m, 16) * 64)";
def Mmad : Instruction<"mmad", "Mmad"> {
  let summary = "dst[m,n] = (init ? 0 : dst) + a[m,k] * b[k,n], f32 accumulation, sequential in k. With m = 1 a is a "
                "plain vector.";
  let family = "Mmad";
  let execute = "mmad";
  let pipe = "M";
  let cost = "Cube";
  let operands = [DstSrc<"dst", ["L0C"]>, Src<"a", ["L0A"], "fm">, Src<"b", ["L0B"], "filter">, UpTo<"m", "4095">, UpTo<"n", "4095">, UpTo<"k", "4095">, UnitFlag,
                  Int<"init">];
  let layout = !listconcat(Factors, [Reads<"dst", Accumulator, Product#" && !init">, Writes<"dst", Accumulator, Product>]);
  let dtype2Of = "a";
  let countCall = "dst, a, b, MmadParams{m, n, k, unitFlag, 'false', init}";
  let inOverload = 1;
  let dtypes = [OnC220<["F32", "I32"]>, OnC310<["F32", "I32"]>];
  let example = "AscendC::Mmad(c1, a2, b2, AscendC::MmadParams(128, 128, 64, 0, false, true));";
}
def MmadBias : Instruction<"mmad_bias", "Mmad"> {
  let summary = "As mmad, starting from row `bias` of n elements in every row of dst.";
  let family = "Mmad";
  let execute = "mmad";
  let pipe = "M";
  let cost = "Cube";
  let operands = [Dst<"dst", ["L0C"]>, Src<"a", ["L0A"]>, Src<"b", ["L0B"]>, UpTo<"m", "4095">, UpTo<"n", "4095">, UpTo<"k", "4095">, UnitFlag, Int<"init">,
                  Src<"bias", ["BT"]>];
  let layout = !listconcat(Factors, [Lies<"bias", "run(n * 4)", Product>, Reads<"dst", Accumulator, Product#" && !init">,
                                     Writes<"dst", Accumulator, Product>]);
  let dtype2Of = "a";
  let dtypes = [OnC220<["F32", "I32"]>, OnC310<["F32", "I32"]>];
  let example = "AscendC::Mmad(c1, a2, b2, bias2, AscendC::MmadParams(128, 128, 64, 0, true, false));";
}
// Of floats that are made shorter first: 11 bits of their mantissa on the 910B, 10 on the 950, rounded to even or, with cut, cut off.
defvar Cut = FromRegister<"cut", "Hf32Cut", "1">;
def MmadHf32 : Instruction<"mmad_hf32", "Mmad"> {
  let summary = "As mmad, of F32 factors that lose the last bits of their mantissa (HF32): rounded to even, or cut off.";
  let family = "Mmad";
  let execute = "mmad";
  let pipe = "M";
  let cost = "Cube";
  let operands = [DstSrc<"dst", ["L0C"]>, Src<"a", ["L0A"]>, Src<"b", ["L0B"]>, UpTo<"m", "4095">, UpTo<"n", "4095">, UpTo<"k", "4095">, UnitFlag,
                  Int<"init">, Cut];
  let layout = !listconcat(Factors, [Reads<"dst", Accumulator, Product#" && !init">, Writes<"dst", Accumulator, Product>]);
  let dtype2Of = "a";
  let dtypes = [OnC220<["F32"]>, OnC310<["F32"]>];
  let example = "AscendC::LocalTensor<float> fa, fb; AscendC::SetHF32Mode(true); AscendC::Mmad(c1, fa, fb, AscendC::MmadParams(128, 128, 64, 0, false, true));";
}
def MmadHf32Bias : Instruction<"mmad_hf32_bias", "Mmad"> {
  let summary = "As mmad_bias, of F32 factors that lose the last bits of their mantissa (HF32).";
  let family = "Mmad";
  let execute = "mmad";
  let pipe = "M";
  let cost = "Cube";
  let operands = [Dst<"dst", ["L0C"]>, Src<"a", ["L0A"]>, Src<"b", ["L0B"]>, UpTo<"m", "4095">, UpTo<"n", "4095">, UpTo<"k", "4095">, UnitFlag, Int<"init">,
                  Src<"bias", ["BT"]>, Cut];
  let layout = !listconcat(Factors, [Lies<"bias", "run(n * 4)", Product>, Reads<"dst", Accumulator, Product#" && !init">,
                                     Writes<"dst", Accumulator, Product>]);
  let dtype2Of = "a";
  let dtypes = [OnC220<["F32"]>, OnC310<["F32"]>];
  let example = "AscendC::LocalTensor<float> fa, fb; AscendC::SetHF32Mode(true); AscendC::Mmad(c1, fa, fb, bias2, AscendC::MmadParams(128, 128, 64, 0, true, false));";
}
def LoadGmToL0 : Instruction<"load_gm_to_l0", "LoadData"> {
  let summary = "repeatTimes fractals of 512 bytes from GM, srcStride apart starting at startIndex, to consecutive places of L0 with dstGap "
                "between; ifTranspose turns each 16x16 fractal of 16-bit elements.";
  let family = "LoadGlobal";
  let execute = "loadGlobal";
  let pipe = "MTE2";
  let cost = "Move";
  let operands = [Dst<"dst", ["L0A", "L0B"]>, Src<"src", ["GM"]>, Half<"startIndex">, Byte<"repeatTimes">, Half<"srcStride">, Half<"dstGap">,
                  Bool<"ifTranspose">];
  let layout = [Lies<"dst", "rows(repeatTimes, fractalBytes, (dstGap + 1) * fractalBytes)">,
                Lies<"src", "at(startIndex * fractalBytes, rows(repeatTimes, fractalBytes, srcStride * fractalBytes))">];
  let inOverload = 1;
  let dtypes = [OnC220<CubeTypes>];
  let example = "AscendC::LoadData(a2, aGm, AscendC::LoadData2DParams(0, 4, 1, 0, 0, false, 0));";
}
def CopyL1ToTable : Instruction<"copy_l1_to_table", "DataCopy"> {
  let summary = "blockCount blocks of blockLen elements from L1 to the bias table; srcStride and dstStride 32-byte blocks between "
                "them. Halves widen to F32.";
  let family = "CopyL1";
  let execute = "copyL1";
  let pipe = "MTE1";
  let cost = "Move";
  let operands = [Dst<"dst", ["BT"]>, Src<"src", ["L1"]>, UpTo<"blockCount", "4095">, Half<"blockLen">, Half<"srcStride">, Half<"dstStride">];
  let layout = [Lies<"dst", "rows(blockCount, blockLen * size, blockLen * size + dstStride * blockBytes)">,
                Lies<"src", "rows(blockCount, blockLen * size2, blockLen * size2 + srcStride * blockBytes)">];
  let dtype2Of = "src";
  let dtypes = [OnC220<["F32", "I32"]>, OnC310<["F32", "I32"]>];
  let example = "AscendC::DataCopy(bias2, bias1, 128);";
}

defvar writeOut = "FixpipeParamsV220{nSize, mSize, srcStride, dstStride, relu, quant, '0', '1', '0', '0', unitFlag, 'false'}";
defvar ResultSource = Lies<"src", "nz(mSize, nSize * size2, 16 * size2, srcStride * 16 * size2)">; // exactly mSize x nSize
class Fixpipe<string irName, list<string> where> : Instruction<irName, "Fixpipe"> {
  let family = "Fixpipe";
  let execute = "fixpipe";
  let pipe = "FIX";
  let cost = "Move";
  let operands = [Dst<"dst", where>, Src<"src", ["L0C"]>, UpTo<"nSize", "4095">, Half<"mSize">, Half<"srcStride">, UpTo<"dstStride", "4294967295">,
                  Attr<"quant", QuantMode>, Int<"relu">, UnitFlag];
  let dtype2Of = "src";
  let inOverload = 1;
}
def FixpipeToGm : Fixpipe<"fixpipe_to_gm", ["GM"]> {
  let layout = [Lies<"dst", "rows(mSize, nSize * size, dstStride * size)">, ResultSource];
  let countCall = !strconcat("<dst, src, 'AscendC::CFG_ROW_MAJOR'> dst, src, ", writeOut);
  let summary = "mSize x nSize of an NZ result to row-major GM, dstStride elements per row; converts, and applies relu before.";
  let dtypes = [OnC220<["F32", "F16", "BF16", "I32"]>, OnC310<["F32", "F16", "BF16", "I32"]>];
  let example = "AscendC::Fixpipe<float, float, AscendC::CFG_ROW_MAJOR>(cGm, c1, params);";
}
def FixpipeQuant : Fixpipe<"fixpipe_quant", ["GM"]> {
  let summary = "As fixpipe_to_gm, ndNum matrices srcNdStride fractals apart in L0C and dstNdStride elements in GM, multiplied by the "
                "float with the bits of deqScalar where the mode quantises. With nz columns of 32 bytes, dstStride blocks apart.";
  let operands = [Dst<"dst", ["GM"]>, Src<"src", ["L0C"]>, UpTo<"nSize", "4095">, Half<"mSize">, Half<"srcStride">, UpTo<"dstStride", "4294967295">,
                  Attr<"quant", QuantMode>, Int<"relu">, UnitFlag, FromRegister<"deqScalar", "FixpipeQuant">,
                  FromRegister<"ndNum", "FixpipeNdNum", "4095">, FromRegister<"srcNdStride", "FixpipeSrcNdStride", "65535">,
                  FromRegister<"dstNdStride", "FixpipeDstNdStride", "65535">, Bool<"nz">];
  // In NZ a column is 32 bytes wide, of 4-byte elements 64.
  let layout = [Lies<"dst", "run(nSize * size, mSize, dstStride * size, ndNum, dstNdStride * size)", "!nz">,
                Lies<"dst", "nz(mSize, nSize * size, size == 4 ? 64 : blockBytes, dstStride * blockBytes, ndNum, dstNdStride * size)", "nz">,
                Lies<"src", "nz(mSize, nSize * 4, 64, srcStride * 64, ndNum, srcNdStride * 1024)">];
  let dtypes = [OnC220<["F32", "F16", "BF16", "I32", "I8", "U8"]>, OnC310<["F32", "F16", "BF16", "I32", "I8", "U8"]>];
  let example = "AscendC::Fixpipe<int32_t, int32_t, AscendC::CFG_NZ>(iGm, i1, params);";
}
def FixpipeToL1 : Fixpipe<"fixpipe_to_l1", ["L1"]> {
  let layout = [Lies<"dst", "nz(mSize, nSize * size, blockBytes, dstStride * blockBytes)">, ResultSource];
  let countCall = !strconcat("<dst, src, 'AscendC::CFG_NZ'> dst, src, ", writeOut);
  let summary = "mSize x nSize of an NZ result to NZ in L1, dstStride 32-byte blocks between columns; converts, relu before.";
  let dtypes = [OnC220<["F16", "BF16"]>, OnC310<["F32", "F16", "BF16"]>];
  let example = "AscendC::Fixpipe<half, float, AscendC::CFG_NZ>(a1, c1, params);";
}
// A scale for each column, a word each, or one for all: beside a result in GM, and one in L1.
defvar ScaledSource = Lies<"src", "nz(mSize, nSize * 4, 64, srcStride * 64)">;
def FixpipeVector : Fixpipe<"fixpipe_vector", ["GM"]> {
  let summary = "As fixpipe_quant, with a scale for each column: nSize words in L1.";
  let operands = [Dst<"dst", ["GM"]>, Src<"src", ["L0C"]>, UpTo<"nSize", "4095">, Half<"mSize">, Half<"srcStride">, UpTo<"dstStride", "4294967295">,
                  Attr<"quant", QuantMode>, Int<"relu">, UnitFlag, Words64<"scales", ["L1"]>,
                  FromRegister<"ndNum", "FixpipeNdNum", "4095">, FromRegister<"srcNdStride", "FixpipeSrcNdStride", "65535">,
                  FromRegister<"dstNdStride", "FixpipeDstNdStride", "65535">, Bool<"nz">];
  let layout = [Lies<"scales", "run(nSize * 8)", "mSize && ndNum">,
                Lies<"dst", "run(nSize * size, mSize, dstStride * size, ndNum, dstNdStride * size)", "!nz">,
                Lies<"dst", "nz(mSize, nSize * size, size == 4 ? 64 : blockBytes, dstStride * blockBytes, ndNum, dstNdStride * size)", "nz">,
                Lies<"src", "nz(mSize, nSize * 4, 64, srcStride * 64, ndNum, srcNdStride * 1024)">];
  let dtypes = [OnC220<["F16", "I8", "U8"]>, OnC310<["F16", "I8", "U8"]>];
  let example = "AscendC::LocalTensor<uint64_t> scales; params.quantPre = QuantMode_t::VDEQF16; AscendC::Fixpipe<half, int32_t, AscendC::CFG_ROW_MAJOR>(aGm, i1, scales, params);";
}
def FixpipeQuantToL1 : Fixpipe<"fixpipe_quant_to_l1", ["L1"]> {
  let summary = "As fixpipe_to_l1, multiplied by the float with the bits of deqScalar.";
  let operands = [Dst<"dst", ["L1"]>, Src<"src", ["L0C"]>, UpTo<"nSize", "4095">, Half<"mSize">, Half<"srcStride">, UpTo<"dstStride", "4294967295">,
                  Attr<"quant", QuantMode>, Int<"relu">, UnitFlag, FromRegister<"deqScalar", "FixpipeQuant">];
  let layout = [Lies<"dst", "nz(mSize, nSize * size, blockBytes, dstStride * blockBytes)">, ScaledSource];
  let dtypes = [OnC220<["F16", "I8", "U8"]>, OnC310<["F16", "I8", "U8"]>];
  let example = "params.quantPre = QuantMode_t::DEQF16; AscendC::Fixpipe<half, int32_t, AscendC::CFG_NZ>(a1, i1, params);";
}
def FixpipeVectorToL1 : Fixpipe<"fixpipe_vector_to_l1", ["L1"]> {
  let summary = "As fixpipe_to_l1, with a scale for each column: nSize words in L1.";
  let operands = [Dst<"dst", ["L1"]>, Src<"src", ["L0C"]>, UpTo<"nSize", "4095">, Half<"mSize">, Half<"srcStride">, UpTo<"dstStride", "4294967295">,
                  Attr<"quant", QuantMode>, Int<"relu">, UnitFlag, Words64<"scales", ["L1"]>];
  let layout = [Lies<"scales", "run(nSize * 8)", "mSize">, Lies<"dst", "nz(mSize, nSize * size, blockBytes, dstStride * blockBytes)">, ScaledSource];
  let dtypes = [OnC220<["F16", "I8", "U8"]>, OnC310<["F16", "I8", "U8"]>];
  let example = "AscendC::LocalTensor<uint64_t> scales; params.quantPre = QuantMode_t::VDEQF16; AscendC::Fixpipe<half, int32_t, AscendC::CFG_NZ>(a1, i1, scales, params);";
}
def FixpipeToUb : Fixpipe<"fixpipe_to_ub", ["UB"]> {
  let summary = "mSize x nSize of an NZ result straight into UB of a vector core of the block, converted, relu before: of number "
                "subBlock; with dual 1 the halves of the rows, with dual 2 those of the columns, to both, at the same address. Rows "
                "are dstStride elements apart; with nz 32-byte columns dstStride blocks.";
  let operands = [Dst<"dst", ["UB"]>, Src<"src", ["L0C"]>, UpTo<"nSize", "4095">, Half<"mSize">, Half<"srcStride">, UpTo<"dstStride", "4294967295">,
                  Attr<"quant", QuantMode>, Int<"relu">, UnitFlag, Bool<"subBlock">, UpTo<"dual", "2">, Bool<"nz">];
  defvar rows = "dual == 1 ? mSize / 2 : mSize";
  defvar rowBytes = "(dual == 2 ? nSize / 2 : nSize) * size";
  let layout = [Lies<"dst", "rows("#rows#", "#rowBytes#", dstStride * size)", "!nz">,
                Lies<"dst", "nz("#rows#", "#rowBytes#", blockBytes, dstStride * blockBytes)", "nz">, ResultSource];
  let dtypes = [OnC310<["F32", "F16", "BF16"]>];
  let example = "AscendC::Fixpipe<half, float, AscendC::CFG_NZ>(hx, c1, params);";
}

#endif // TILESMITH_ISA_CUBE
