//===- OverloadsMove.td - DataCopy and the matrix unit by memories and parameter structs -----------------------------===//
#ifndef TILESMITH_ISA_OVERLOADSMOVE
#define TILESMITH_ISA_OVERLOADSMOVE

include "Overload.td"
include "Move.td"
include "Cube.td"
include "CubeNarrow.td"
include "CubeImage.td"
include "Vector.td"
include "Params.td"

// What a copy could do with its elements on the way, it does not.
defvar enhancing = ", DataCopyEnhancedParams enhanced";
defvar asTheyAre = Must<"enhanced.blockMode == BlockMode::BLOCK_MODE_NORMAL && enhanced.deqScale == DeqScale::DEQ_NONE && !enhanced.isRelu",
                        "DataCopy with DataCopyEnhancedParams other than its defaults">;

// Between GM and UB or L1: whole 32-byte blocks; a count that is none is cut off, as on the chip.
defvar fromL1 = "memory(src) == Memory::L1";
defvar unpadded = ["isPad = 0", "leftPad = 0", "rightPad = 0", "padValue = 0"];
class BlocksIn<string more = ""> : Overload<"DataCopy", !strconcat("LocalTensor<T> dst, GlobalTensor<T> src, DataCopyParams params", more), [
  Way<CopyGmToUb, "Plain", !listconcat(["blockLen = params.blockLen * 32", "srcStride = params.srcStride * 32"], unpadded)>]>;
class BlocksOut<string more = ""> : Overload<"DataCopy", !strconcat("GlobalTensor<T> dst, LocalTensor<T> src, DataCopyParams params", more), [
  Way<CopyL1ToGm, "Plain", ["blockLen = params.blockLen * 32", "dstStride = params.dstStride * 32"], fromL1>,
  Way<CopyUbToGm, "Plain", ["blockLen = params.blockLen * 32", "dstStride = params.dstStride * 32"]>]>;
def : BlocksIn;
def : BlocksIn<enhancing> { let musts = [asTheyAre]; }
def : BlocksOut;
def : BlocksOut<enhancing> { let musts = [asTheyAre]; }
def : Overload<"DataCopy", "LocalTensor<T> dst, GlobalTensor<T> src, uint32_t count", [
  Way<CopyGmToUb, "Plain", !listconcat(["blockCount = 1", "blockLen = count * sizeof(T) / 32 * 32", "srcStride = 0", "dstStride = 0"],
                                       unpadded)>]>;
def : Overload<"DataCopy", "GlobalTensor<T> dst, LocalTensor<T> src, uint32_t count", [
  Way<CopyL1ToGm, "Plain", ["blockCount = 1", "blockLen = count * sizeof(T) / 32 * 32", "srcStride = 0", "dstStride = 0"], fromL1>,
  Way<CopyUbToGm, "Plain", ["blockCount = 1", "blockLen = count * sizeof(T) / 32 * 32", "srcStride = 0", "dstStride = 0"]>]>;

// The older parameter structs of DataCopyPad.
def : Overload<"DataCopyPad", "LocalTensor<T> dst, GlobalTensor<T> src, DataCopyParams params, DataCopyPadParams pad", [
  Way<CopyGmToUb, "Plain", ["leftPad = pad.leftPadding", "rightPad = pad.rightPadding", "padValue = pad.paddingValue"]>]>;
def : Overload<"DataCopyPad", "GlobalTensor<T> dst, LocalTensor<T> src, DataCopyParams params", [Way<CopyUbToGm, "Plain">]>;

// Inside the core: in UB on the vector pipe, and from L1 to the bias table, where a bias may widen. Lengths are 32-byte blocks,
// in the table 64. And from UB to L1 of the block's cube core.
defvar toCube = "memory(dst) == Memory::L1 && memory(src) == Memory::UB";
defvar toTable = "memory(dst) == Memory::BT && memory(src) == Memory::L1";
defvar insideUb = "memory(dst) == Memory::UB && memory(src) == Memory::UB";
defvar sameInsideUb = Must<!strconcat("same(T, U) || !(", insideUb, ")"), "DataCopy from one element type to another inside UB">;
class InsideCore<string length, list<Way> choices>
    : Overload<"DataCopy", !strconcat("LocalTensor<T> dst, LocalTensor<U> src, ", length), choices> {
  let musts = [sameInsideUb];
  let otherwise = "DataCopy between these positions: inside UB, from UB to L1, and from C1 to C2";
}
def : InsideCore<"uint32_t count", [
  Way<CopyL1ToTable, "Plain", ["blockCount = 1", "blockLen = count", "srcStride = 0", "dstStride = 0"], toTable>,
  Way<CopyUbToL1, "Plain", ["blockCount = 1", "blockLen = count * sizeof(T) / 32", "srcStride = 0", "dstStride = 0"], toCube>,
  Way<Copy, "Count", [], insideUb>]>;
class BlocksInside<string more = ""> : InsideCore<!strconcat("DataCopyParams params", more), [
  Way<CopyL1ToTable, "Plain", ["blockLen = params.blockLen * 64 / sizeof(T)", "dstStride = params.dstStride * 2"], toTable>,
  Way<CopyUbToL1, "Plain", [], toCube>,
  Way<Copy, "Count", ["count = params.blockLen * 32 / sizeof(T) * params.blockCount"],
      !strconcat(insideUb, " && params.srcStride == 0 && params.dstStride == 0")>,
  Way<Copy, "Count", ["dst = dst + i * (params.blockLen + params.dstStride) * 32", "src = src + i * (params.blockLen + params.srcStride) * 32",
                      "count = params.blockLen * 32 / sizeof(T)"], insideUb, "params.blockCount">]>;
def : BlocksInside;
def : BlocksInside<enhancing> { let musts = [asTheyAre, sameInsideUb]; }

// Under its newer and its older name.
class Filling<string name> : Overload<name, "LocalTensor<T> dst, InitConstValueParams<T> params", [
  Way<FillL0, "Plain", ["value = params.initValue"], "memory(dst) == Memory::L0A || memory(dst) == Memory::L0B">,
  Way<FillL1, "Plain", ["value = params.initValue"]>]> {
  let options = "typename U = T";
}
def : Filling<"Fill">;
def : Filling<"InitConstValue">;

// The matrix unit. Whether a product adds to what is in L0C says cmatrixInitVal, in older code isBias.
defvar plainMmad = Must<"!(params.enSsparse || params.enWinogradA || params.enWinogradB || params.fmOffset)",
                        "Mmad with sparse or Winograd operands, or with MmadParams::fmOffset">;
defvar ofBytes = "(same(U, fp8_e4m3fn_t) || same(U, fp8_e5m2_t) || same(U, hifloat8_t))";
defvar shorter = "same(U, float) ? register(Hf32) : 0";
defvar oneType = Must<!strconcat("same(U, V) || ", ofBytes), "Mmad: both factors have one element type">;
def : Overload<"Mmad", "LocalTensor<T> dst, LocalTensor<U> fm, LocalTensor<V> filter, MmadParams params", [
  Way<MmadFp8, "Plain", ["a = fm", "b = filter", "init = params.cmatrixInitVal && !params.isBias"], ofBytes>,
  Way<MmadHf32, "Plain", ["a = fm", "b = filter", "init = params.cmatrixInitVal && !params.isBias", "cut = asSet"], shorter>,
  Way<Mmad, "Plain", ["a = fm", "b = filter", "init = params.cmatrixInitVal && !params.isBias"]>]> {
  let musts = [oneType, Must<"!params.cmatrixSource", "Mmad with MmadParams::cmatrixSource and without a bias tensor">, plainMmad];
}
// A bias in L0C is what the result begins with: it adds to itself.
defvar inResult = "(memory(bias) == Memory::L0C && bias == dst)";
def : Overload<"Mmad", "LocalTensor<T> dst, LocalTensor<U> fm, LocalTensor<V> filter, LocalTensor<B> bias, MmadParams params", [
  Way<MmadFp8Bias, "Plain", ["a = fm", "b = filter", "init = 1"], ofBytes>,
  Way<MmadHf32, "Plain", ["a = fm", "b = filter", "init = 0", "cut = asSet"], !strconcat(inResult, " && (", shorter, ")")>,
  Way<Mmad, "Plain", ["a = fm", "b = filter", "init = 0"], inResult>,
  Way<MmadHf32Bias, "Plain", ["a = fm", "b = filter", "init = 1", "cut = asSet"], shorter>,
  Way<MmadBias, "Plain", ["a = fm", "b = filter", "init = 1"]>]> {
  let musts = [oneType, Must<"same(T, B)", "Mmad: the bias has the element type of the result">,
               Must<!strconcat("memory(bias) == Memory::BT || ", inResult),
                    "Mmad with a bias that is neither in the bias table (TPosition::C2) nor the result itself">, plainMmad];
}

// Scales lie where the factors' addresses say.
defvar scaled = ["a = fm", "b = filter", "aScales = scales(fm)", "bScales = scales(filter)"];
def : Overload<"MmadMx", "LocalTensor<T> dst, LocalTensor<U> fm, LocalTensor<V> filter, MmadParams params", [
  Way<MmadMx, "Plain", !listconcat(scaled, ["init = params.cmatrixInitVal && !params.isBias"])>]> {
  let musts = [Must<"same(T, float)", "MmadMx: the result is float">,
               Must<"!params.cmatrixSource", "MmadMx with MmadParams::cmatrixSource and without a bias tensor">, plainMmad];
}
def : Overload<"MmadMx", "LocalTensor<T> dst, LocalTensor<U> fm, LocalTensor<V> filter, LocalTensor<B> bias, MmadParams params", [
  Way<MmadMxBias, "Plain", !listconcat(scaled, ["init = 1"])>]> {
  let musts = [Must<"same(T, float) && same(T, B)", "MmadMx: result and bias are float">,
               Must<"memory(bias) == Memory::BT", "MmadMx with a bias outside the bias table (TPosition::C2)">, plainMmad];
}

// Fractals from GM, each 512 bytes; the stride is from one to the next, the gap between two.
def : Overload<"LoadData", "LocalTensor<T> dst, GlobalTensor<T> src, LoadData2DParams params", [
  Way<CopyGmToUb, "Plain",
      !listconcat(["src = src + params.startIndex * 512", "blockCount = params.repeatTimes", "blockLen = 512",
                   "srcStride = params.srcStride > 0 ? params.srcStride * 512 - 512 : 0", "dstStride = params.dstGap * 16"], unpadded),
      "memory(dst) == Memory::L1">,
  Way<LoadGmToL0, "Plain">]> {
  let musts = [Must<"!params.ifTranspose || memory(dst) != Memory::L1", "LoadData from GM into L1 with ifTranspose">,
               Must<"params.srcStride > 0 || params.repeatTimes <= 1 || memory(dst) != Memory::L1",
                    "LoadData of one fractal of GM into L1 several times">];
}

// An image. Numbers come from the call, not from SetFmatrix.
def : Overload<"LoadData", "LocalTensor<T> dst, LocalTensor<T> src, LoadData3DParamsV2<T> params", [
  Way<LoadData3DV2, "Plain", ["kStart = params.kStartPt", "mStart = params.mStartPt", "stride = params.strideW + params.strideH * 256",
                              "filter = params.filterW + params.filterH * 256",
                              "dilation = params.dilationFilterW + params.dilationFilterH * 256",
                              "pads = params.padList[0] + params.padList[1] * 256 + params.padList[2] * 65536 + params.padList[3] * 16777216"]>]> {
  let musts = [Must<"!params.enTranspose && !params.enSmallK && !params.fMatrixCtrl && !params.filterSizeW && !params.filterSizeH",
                    "LoadData of an image with enTranspose, enSmallK, fMatrixCtrl or a filter of more than 255 pixels">];
}

// Writing out of L0C. Without a scale of its own a call uses the one that was set.
defvar byRows = "config.format != CO2Layout::NZ";
defvar casts = "params.quantPre <= QuantMode_t::F322BF16";
defvar quantAndRelu = ["quant = params.quantPre", "relu = params.reluEn"];
defvar ownScale = ["deqScalar = params.deqScalar != 0 ? params.deqScalar : asSet", "nz = config.format == CO2Layout::NZ"];
defvar noColumns = Must<"config.format != CO2Layout::COLUMN_MAJOR", "Fixpipe: CFG_COLUMN_MAJOR is not in the model yet">;
defvar noSplit = Must<"!params.isChannelSplit", "Fixpipe with isChannelSplit">;
def : Overload<"Fixpipe", "GlobalTensor<T> dst, LocalTensor<U> src, FixpipeParamsV220 params", [
  Way<FixpipeToGm, "Plain", quantAndRelu, !strconcat(byRows, " && params.ndNum <= 1 && ", casts)>,
  Way<FixpipeQuant, "Plain", !listconcat(quantAndRelu, ownScale)>]> {
  let options = "const FixpipeConfig &config = CFG_ROW_MAJOR";
  let musts = [noColumns, noSplit];
}
// Scales of columns lie in L1. Modes that do not take them leave them alone.
defvar byVector = "(params.quantPre == QuantMode_t::VDEQF16 || params.quantPre == QuantMode_t::VQF322B8_PRE || "
                  "params.quantPre == QuantMode_t::VREQ8)";
defvar theirScales = ["scales = cbufWorkspace", "nz = config.format == CO2Layout::NZ"];
def : Overload<"Fixpipe", "GlobalTensor<T> dst, LocalTensor<U> src, LocalTensor<uint64_t> cbufWorkspace, FixpipeParamsV220 params", [
  Way<FixpipeVector, "Plain", !listconcat(quantAndRelu, theirScales), byVector>,
  Way<FixpipeToGm, "Plain", quantAndRelu, !strconcat(byRows, " && params.ndNum <= 1 && ", casts)>,
  Way<FixpipeQuant, "Plain", !listconcat(quantAndRelu, ownScale)>]> {
  let options = "const FixpipeConfig &config = CFG_ROW_MAJOR";
  let musts = [noColumns, noSplit];
}
defvar strideInBlocks = ["dstStride = config.format == CO2Layout::NZ ? params.dstStride * sizeof(T) / 32 : params.dstStride"];
defvar nested = ["ndNum = params.params.ndNum", "srcNdStride = params.params.srcNdStride", "dstNdStride = params.params.dstNdStride"];
def : Overload<"Fixpipe", "GlobalTensor<T> dst, LocalTensor<U> src, FixpipeParamsArch3510<layout> params", [
  Way<FixpipeToGm, "Plain", quantAndRelu, !strconcat(byRows, " && params.params.ndNum <= 1 && ", casts)>,
  Way<FixpipeQuant, "Plain", !listconcat(quantAndRelu, ownScale, strideInBlocks, nested)>]> {
  let options = "const FixpipeConfig &config = CFG_ROW_MAJOR, CO2Layout layout";
  let musts = [noColumns, Must<"!params.dualDstCtl", "Fixpipe to global memory with dualDstCtl, which is for UB">, noSplit];
}
def : Overload<"Fixpipe", "GlobalTensor<T> dst, LocalTensor<U> src, LocalTensor<uint64_t> cbufWorkspace, FixpipeParamsArch3510<layout> params", [
  Way<FixpipeVector, "Plain", !listconcat(quantAndRelu, theirScales, strideInBlocks, nested), byVector>,
  Way<FixpipeToGm, "Plain", quantAndRelu, !strconcat(byRows, " && params.params.ndNum <= 1 && ", casts)>,
  Way<FixpipeQuant, "Plain", !listconcat(quantAndRelu, ownScale, strideInBlocks, nested)>]> {
  let options = "const FixpipeConfig &config = CFG_ROW_MAJOR, CO2Layout layout";
  let musts = [noColumns, Must<"!params.dualDstCtl", "Fixpipe to global memory with dualDstCtl, which is for UB">, noSplit];
}
// To L1, and straight into UB of the block's vector cores.
defvar inUb = "memory(dst) == Memory::UB";
defvar asNz = ["nz = config.format == CO2Layout::NZ"];
defvar onlyL1 = "Fixpipe to L1 other than one matrix in NZ";
defvar inL1 = "memory(dst) == Memory::L1";
defvar scaleOrSet = ["deqScalar = params.deqScalar != 0 ? params.deqScalar : asSet"];
defvar onlyCasts = Must<!strconcat("!(", inUb, ") || !params.deqScalar && ", casts), "Fixpipe to UB with a scale">;
class OneMatrix<string matrices>
    : Must<!strconcat("!params.isChannelSplit && ", matrices, " <= 1 && (", inUb, " || config.format == CO2Layout::NZ)"), onlyL1>;
def : Overload<"Fixpipe", "LocalTensor<T> dst, LocalTensor<U> src, FixpipeParamsV220 params", [
  Way<FixpipeToUb, "Plain", !listconcat(quantAndRelu, asNz, ["subBlock = 0", "dual = 0"]), inUb>,
  Way<FixpipeToL1, "Plain", quantAndRelu, casts>,
  Way<FixpipeQuantToL1, "Plain", !listconcat(quantAndRelu, scaleOrSet)>]> {
  let options = "const FixpipeConfig &config = CFG_NZ";
  let musts = [noColumns, OneMatrix<"params.ndNum">, onlyCasts];
}
def : Overload<"Fixpipe", "LocalTensor<T> dst, LocalTensor<U> src, FixpipeParamsArch3510<layout> params", [
  Way<FixpipeToUb, "Plain", !listconcat(quantAndRelu, asNz, strideInBlocks, ["subBlock = params.subBlockId", "dual = params.dualDstCtl"]), inUb>,
  Way<FixpipeToL1, "Plain", !listconcat(quantAndRelu, strideInBlocks), casts>,
  Way<FixpipeQuantToL1, "Plain", !listconcat(quantAndRelu, strideInBlocks, scaleOrSet)>]> {
  let options = "const FixpipeConfig &config = CFG_NZ, CO2Layout layout";
  let musts = [noColumns, OneMatrix<"params.params.ndNum">, onlyCasts];
}
class ScaledToL1<string params, string template, list<string> stride, string matrices>
    : Overload<"Fixpipe", !strconcat("LocalTensor<T> dst, LocalTensor<U> src, LocalTensor<uint64_t> cbufWorkspace, ", params, " params"), [
        Way<FixpipeVectorToL1, "Plain", !listconcat(quantAndRelu, stride, ["scales = cbufWorkspace"]), byVector>,
        Way<FixpipeToL1, "Plain", !listconcat(quantAndRelu, stride), casts>,
        Way<FixpipeQuantToL1, "Plain", !listconcat(quantAndRelu, stride, scaleOrSet)>]> {
  let options = template;
  let musts = [noColumns, Must<inL1, "Fixpipe to UB with a vector of scales">, OneMatrix<matrices>];
}
def : ScaledToL1<"FixpipeParamsV220", "const FixpipeConfig &config = CFG_NZ", [], "params.ndNum">;
def : ScaledToL1<"FixpipeParamsArch3510<layout>", "const FixpipeConfig &config = CFG_NZ, CO2Layout layout", strideInBlocks, "params.params.ndNum">;
// The older call for the same: rows with nz2ndEn, as many matrices as were set, else fractals.
defvar older = ["quant = params.quantPre", "relu = params.reluPre != 0"];
def : Overload<"DataCopy", "GlobalTensor<T> dst, LocalTensor<U> src, DataCopyCO12DstParams params", [
  Way<FixpipeQuant, "Plain", !listconcat(older, ["deqScalar = asSet", "ndNum = 1", "srcNdStride = 0", "dstNdStride = 0", "nz = 1"]),
      "!params.nz2ndEn">,
  Way<FixpipeToGm, "Plain", older, !strconcat("register(FixpipeNdNum) <= 1 && ", casts)>,
  Way<FixpipeQuant, "Plain", !listconcat(older, ["deqScalar = asSet", "ndNum = asSet", "srcNdStride = asSet", "dstNdStride = asSet",
                                                 "nz = 0"])>]> {
  let musts = [Must<"!params.channelSplit", "Fixpipe with isChannelSplit">];
}
def : Overload<"DataCopy", "LocalTensor<T> dst, LocalTensor<U> src, DataCopyCO12DstParams params", [
  Way<FixpipeToL1, "Plain", older, casts>, Way<FixpipeQuantToL1, "Plain", !listconcat(older, ["deqScalar = asSet"])>]> {
  let musts = [Must<"!params.channelSplit && !params.nz2ndEn", onlyL1>, Must<inL1, "DataCopy from CO1 to UB">];
}

#endif // TILESMITH_ISA_OVERLOADSMOVE
