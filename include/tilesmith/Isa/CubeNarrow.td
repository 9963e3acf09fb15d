//===- CubeNarrow.td - Products of floats of a byte and less ----------------------------------------------------------===//
//
// Both factors have a type of their own and the result is f32, so the types of a call are those of its factors. Scales of MX
// formats are powers of two (e8m0), one for 32 values along k. They lie in memories of their own beside L0A and L0B, in fractals
// of 16 rows of two, row of fractals by row of fractals; where, follows from the factor's address.
//
//===------------------------------------------------------------------------------------------------------------------===//
#ifndef TILESMITH_ISA_CUBENARROW
#define TILESMITH_ISA_CUBENARROW

include "Cube.td"

defvar ScaledTypes = ["F8E4M3", "F8E5M2", "F4E2M1", "F4E1M2"];

def LoadScales : Instruction<"load_scales", "LoadData"> {
  let summary = "The scales of a factor: xStep rows of yStep fractals of 32 bytes from L1, where rows are srcStride fractals apart, beginning "
                "with row xStart and fractal yStart, to rows dstStride fractals apart. The second half of LoadData with scales.";
  let family = "LoadScales";
  let execute = "loadScales";
  let pipe = "MTE1";
  let cost = "Move";
  let operands = [Dst<"dst", ["L0AMX", "L0BMX"]>, Src<"src", ["L1"]>, Half<"xStart">, Half<"yStart">, Byte<"xStep">, Byte<"yStep">,
                  Half<"srcStride">, Half<"dstStride">];
  let layout = [Lies<"dst", "rows(xStep, yStep * scaleFractalBytes, dstStride * scaleFractalBytes)">,
                Lies<"src", "at((xStart * srcStride + yStart) * scaleFractalBytes, rows(xStep, yStep * scaleFractalBytes, srcStride * scaleFractalBytes))">];
  let inOverload = 1;
  let dtypes = [OnC310<["F8E8M0"]>];
  let example = "AscendC::LoadData(f2, f1, s1, AscendC::LoadData2DParamsV2{0, 0, 8, 4, 8, 8, false, 0}, AscendC::LoadData2DMxParams{0, 0, 8, 2, 2, 2});";
}

class NarrowProduct<string irName, string cName, list<string> types> : Instruction<irName, cName> {
  let family = "Mmad";
  let execute = "mmadNarrow";
  let pipe = "M";
  let cost = "Cube";
  let dtypeOf = "a";
  let dtype2Of = "b";
  let inOverload = 1;
  let dtypes = [OnC310<types>];
}
defvar NarrowOperands = [DstSrc<"dst", ["L0C"]>, Src<"a", ["L0A"]>, Src<"b", ["L0B"]>, UpTo<"m", "4095">, UpTo<"n", "4095">, UpTo<"k", "4095">,
                         UnitFlag, Int<"init">];
defvar NarrowB = Lies<"b", "nz(n, k / perElement, blockBytes, up(n, 16) * blockBytes)", Product>;
defvar Accumulated = [Reads<"dst", Accumulator, Product#" && !init">, Writes<"dst", Accumulator, Product>];

defvar Fp8Factors = [Lies<"a", "run(k / perElement)", Product#" && m == 1">,
                     Lies<"a", "nz(m, k / perElement, blockBytes, up(m, 16) * blockBytes)", Product#" && m != 1">, NarrowB];
def MmadFp8 : NarrowProduct<"mmad_fp8", "Mmad", ["F8E4M3", "F8E5M2", "HIF8"]> {
  let summary = "As mmad for factors of 8-bit floats: e4m3 and e5m2 in any mix, or hif8 both.";
  let operands = NarrowOperands;
  let layout = !listconcat(Fp8Factors, Accumulated);
  let example = "AscendC::Mmad(c1, f2, g2, AscendC::MmadParams(128, 128, 64, 0, false, true));";
}
def MmadFp8Bias : NarrowProduct<"mmad_fp8_bias", "Mmad", ["F8E4M3", "F8E5M2", "HIF8"]> {
  let summary = "As mmad_fp8, starting from row `bias` of n elements in every row of dst.";
  let operands = !listconcat(NarrowOperands, [Src<"bias", ["BT"]>]);
  let layout = !listconcat(Fp8Factors, [Lies<"bias", "run(n * 4)", Product>], Accumulated);
  let example = "AscendC::Mmad(c1, f2, g2, bias2, AscendC::MmadParams(128, 128, 64, 0, true, false));";
}

defvar Scales = [Src<"aScales", ["L0AMX"]>, Src<"bScales", ["L0BMX"]>];
// 16 rows of two scales are a fractal; of the last row of fractals only those that exist are read.
class WholeScales<string operand, string rows>
    : Lies<operand, "run("#rows#" / 16 * (k / 64) * scaleFractalBytes)", Product>;
class RestOfScales<string operand, string rows>
    : Lies<operand, "at("#rows#" / 16 * (k / 64) * scaleFractalBytes, rows(k / 64, ("#rows#" - "#rows#" / 16 * 16) * 2, scaleFractalBytes))", Product>;
defvar MxFactors = [Lies<"a", "nz(m, k / perElement, blockBytes, up(m, 16) * blockBytes)", Product>, NarrowB,
                    WholeScales<"aScales", "m">, RestOfScales<"aScales", "m">, WholeScales<"bScales", "n">, RestOfScales<"bScales", "n">];
def MmadMx : NarrowProduct<"mmad_mx", "MmadMx", ScaledTypes> {
  let summary = "As mmad for scaled factors: each 32 values along k of a row of a and of a column of b are multiplied by their scale. "
                "Both are 8-bit floats (e4m3 and e5m2 in any mix) or both 4-bit ones (e2m1 and e1m2); k is a multiple of 64.";
  let operands = !listconcat(NarrowOperands, Scales);
  let layout = !listconcat(MxFactors, Accumulated);
  let example = "AscendC::MmadMx(c1, f2, g2, AscendC::MmadParams(128, 128, 64, 0, false, true));";
}
def MmadMxBias : NarrowProduct<"mmad_mx_bias", "MmadMx", ScaledTypes> {
  let summary = "As mmad_mx, starting from row `bias` of n elements in every row of dst.";
  let operands = !listconcat(NarrowOperands, Scales, [Src<"bias", ["BT"]>]);
  let layout = !listconcat(MxFactors, [Lies<"bias", "run(n * 4)", Product>], Accumulated);
  let example = "AscendC::MmadMx(c1, f2, g2, bias2, AscendC::MmadParams(128, 128, 64, 0, true, false));";
}

#endif // TILESMITH_ISA_CUBENARROW
