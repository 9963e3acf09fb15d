//===- Params.td - Parameter structs of Ascend C ----------------------------------------------------------------------===//
//
// Members in the order of the struct's constructor, with the C++ type and the value a missing argument has. The headers in
// include/ascendc get the struct from here, the printer the casts of its brace list. A struct with `T` among its types is a
// template over it. Where the 950's headers hold more than the 910B's, `wide` is the type there; ours hold that on both.
//
//===------------------------------------------------------------------------------------------------------------------===//
#ifndef TILESMITH_ISA_PARAMS
#define TILESMITH_ISA_PARAMS

class Member<string type, string name, string value = "0", string wide = type> {
  string cppType = type;
  string wideType = wide;
  string memberName = name;
  string defaultValue = value;
}
class Params<string text, list<Member> fields, string python = "params"> {
  string summary = text;
  list<Member> members = fields;
  list<Member> others = []; // that no constructor sets
  string pythonName = python;   // the argument in Python; empty: there is no such struct
  list<string> pythonOrder = []; // of the members there, where it is not theirs
  bit byHand = 0;               // the headers write the struct themselves: it is a template, or holds tensors
}

// Vector.
def UnaryRepeatParams : Params<"Strides of a repeat with one source, in 32-byte blocks.", [
  Member<"uint16_t", "dstBlkStride", "1">, Member<"uint16_t", "srcBlkStride", "1">, Member<"uint8_t", "dstRepStride", "8">,
  Member<"uint8_t", "srcRepStride", "8">], "repeat_params">;
def BinaryRepeatParams : Params<"Strides of a repeat with two sources, in 32-byte blocks.", [
  Member<"uint8_t", "dstBlkStride", "1">, Member<"uint8_t", "src0BlkStride", "1">, Member<"uint8_t", "src1BlkStride", "1">,
  Member<"uint8_t", "dstRepStride", "8">, Member<"uint8_t", "src0RepStride", "8">, Member<"uint8_t", "src1RepStride", "8">],
  "repeat_params">;
def CopyRepeatParams : Params<"Strides of a copy inside UB, in 32-byte blocks.", [
  Member<"uint16_t", "dstStride">, Member<"uint16_t", "srcStride">, Member<"uint16_t", "dstRepeatSize">,
  Member<"uint16_t", "srcRepeatSize">], "repeat_params">;
def BrcbRepeatParams : Params<"Strides of the blocks Brcb fills.", [
  Member<"uint16_t", "dstBlkStride", "1">, Member<"uint16_t", "dstRepStride", "8">], "repeat_params">;
def GatherMaskParams : Params<"Repeats of a gather by pattern, strides in 32-byte blocks.", [
  Member<"uint8_t", "src0BlockStride", "1">, Member<"uint16_t", "repeatTimes", "1">, Member<"uint16_t", "src0RepeatStride">,
  Member<"uint8_t", "src1RepeatStride">]>;

// Moves.
def DataCopyParams : Params<"Blocks of a copy; lengths and gaps in 32-byte blocks.", [
  Member<"uint16_t", "blockCount", "1">, Member<"uint16_t", "blockLen">, Member<"uint16_t", "srcStride">,
  Member<"uint16_t", "dstStride">]>;
def DataCopyEnhancedParams : Params<"What a copy does with its elements on the way.", [
  Member<"BlockMode", "blockMode", "BlockMode::BLOCK_MODE_NORMAL">, Member<"DeqScale", "deqScale", "DeqScale::DEQ_NONE">,
  Member<"uint64_t", "deqValue">, Member<"uint8_t", "sidStoreMode">, Member<"bool", "isRelu", "false">,
  Member<"pad_t", "padMode", "pad_t::PAD_NONE">, Member<"uint64_t", "padValue">], ""> { let byHand = 1; }
def DataCopyExtParams : Params<"Blocks of a copy; lengths in bytes, gaps in bytes on the side of GM and in 32-byte blocks in UB.", [
  Member<"uint16_t", "blockCount", "1">, Member<"uint32_t", "blockLen">, Member<"uint32_t", "srcStride", "0", "int64_t">,
  Member<"uint32_t", "dstStride", "0", "int64_t">, Member<"uint32_t", "rsv">]>;
def DataCopyPadParams : Params<"Padding of each block of a copy from GM, in elements.", [
  Member<"bool", "isPad", "false">, Member<"uint8_t", "leftPadding">, Member<"uint8_t", "rightPadding">,
  Member<"uint64_t", "paddingValue">], "pad_params">;
def DataCopyPadExtParams : Params<"Padding of each block of a copy from GM, in elements, with a value of the element type.", [
  Member<"bool", "isPad", "false">, Member<"uint8_t", "leftPadding">, Member<"uint8_t", "rightPadding">,
  Member<"T", "paddingValue", "T(0)">], "pad_params">;
def Nd2NzParams : Params<"Row-major matrices in GM to fractals.", [
  Member<"uint16_t", "ndNum">, Member<"uint16_t", "nValue">, Member<"uint16_t", "dValue", "0", "uint32_t">,
  Member<"uint16_t", "srcNdMatrixStride", "0", "uint64_t">, Member<"uint16_t", "srcDValue", "0", "uint64_t">,
  Member<"uint16_t", "dstNzC0Stride">, Member<"uint16_t", "dstNzNStride">,
  Member<"uint16_t", "dstNzMatrixStride", "0", "uint32_t">]>;
def InitConstValueParams : Params<"Runs of 32-byte blocks to fill.", [
  Member<"uint16_t", "repeatTimes">, Member<"uint16_t", "blockNum">, Member<"uint16_t", "dstGap">, Member<"T", "initValue", "T(0)">]>;

def Nz2NdParamsFull : Params<"Fractals in UB to row-major matrices in GM.", [
  Member<"uint16_t", "ndNum">, Member<"uint16_t", "nValue">, Member<"uint16_t", "dValue">, Member<"uint16_t", "srcNdMatrixStride">,
  Member<"uint16_t", "srcNStride">, Member<"uint16_t", "dstDStride">, Member<"uint16_t", "dstNdMatrixStride">], "">;
def TransDataTo5HDParams : Params<"Halves and repeats of rows that are turned.", [
  Member<"bool", "dstHighHalf", "false">, Member<"bool", "srcHighHalf", "false">, Member<"uint8_t", "repeatTimes", "1">,
  Member<"uint16_t", "dstRepStride">, Member<"uint16_t", "srcRepStride">], "">;
def MrgSortSrcList : Params<"Lists to merge.", [
  Member<"LocalTensor<T>", "src1">, Member<"LocalTensor<T>", "src2">, Member<"LocalTensor<T>", "src3">,
  Member<"LocalTensor<T>", "src4">], ""> { let byHand = 1; }
def MrgSort4Info : Params<"Lengths of lists to merge, which of them count, and whether the first empty one ends it.", [
  Member<"uint16_t[4]", "elementLengths">, Member<"bool", "ifExhaustedSuspension", "false">, Member<"uint16_t", "validBit", "15">,
  Member<"uint16_t", "repeatTimes", "1">], ""> { let byHand = 1; }

// Cube.
def LoadData2DParams : Params<"Fractals from L1 to L0.", [
  Member<"uint16_t", "startIndex">, Member<"uint8_t", "repeatTimes">, Member<"uint16_t", "srcStride">, Member<"uint8_t", "sid">,
  Member<"uint16_t", "dstGap">, Member<"bool", "ifTranspose", "false">, Member<"uint8_t", "addrMode">]>;
def LoadData2dTransposeParams : Params<"Fractals from L1 to L0, each turned.", [
  Member<"uint16_t", "startIndex">, Member<"uint8_t", "repeatTimes">, Member<"uint16_t", "srcStride">, Member<"uint16_t", "dstGap">,
  Member<"uint16_t", "dstFracGap">, Member<"uint8_t", "addrMode">]>;
def LoadData2DParamsV2 : Params<"A block of fractals from L1 to L0.", [
  Member<"uint32_t", "mStartPosition">, Member<"uint32_t", "kStartPosition">, Member<"uint16_t", "mStep">, Member<"uint16_t", "kStep">,
  Member<"int32_t", "srcStride">, Member<"uint16_t", "dstStride">, Member<"bool", "ifTranspose", "false">, Member<"uint8_t", "sid">]>;
def LoadData2DMxParams : Params<"Fractals of scales from L1 to L0.", [
  Member<"uint16_t", "xStartPosition">, Member<"uint16_t", "yStartPosition">, Member<"uint8_t", "xStep">, Member<"uint8_t", "yStep">,
  Member<"uint16_t", "srcStride">, Member<"uint16_t", "dstStride">], "">;
def LoadData3DParamsV2 : Params<"A part of an image from L1 to L0, as the matrix a convolution multiplies.", [
  Member<"uint8_t[4]", "padList">, Member<"uint16_t", "l1H">, Member<"uint16_t", "l1W">, Member<"uint16_t", "channelSize">,
  Member<"uint16_t", "kExtension">, Member<"uint16_t", "mExtension">, Member<"uint16_t", "kStartPt">, Member<"uint16_t", "mStartPt">,
  Member<"uint8_t", "strideW", "1">, Member<"uint8_t", "strideH", "1">, Member<"uint8_t", "filterW", "1">,
  Member<"uint8_t", "filterH", "1">, Member<"uint8_t", "dilationFilterW", "1">, Member<"uint8_t", "dilationFilterH", "1">,
  Member<"bool", "enTranspose", "false">, Member<"bool", "enSmallK", "false">, Member<"T", "padValue", "T(0)">,
  Member<"bool", "filterSizeW", "false">, Member<"bool", "filterSizeH", "false">, Member<"bool", "fMatrixCtrl", "false">], ""> { let byHand = 1; }
def MmadParams : Params<"Sizes of a matrix product and what its result starts from.", [
  Member<"uint16_t", "m">, Member<"uint16_t", "n">, Member<"uint16_t", "k">, Member<"uint8_t", "unitFlag">,
  Member<"bool", "cmatrixSource", "false">, Member<"bool", "cmatrixInitVal", "true">]> {
  let others = [Member<"bool", "isBias", "false">, Member<"int32_t", "fmOffset">, Member<"bool", "enSsparse", "false">,
                Member<"bool", "enWinogradA", "false">, Member<"bool", "enWinogradB", "false">, Member<"bool", "kDirectionAlign", "false">,
                Member<"bool", "disableGemv", "false">];
}
def FixpipeParamsV220 : Params<"Writing a result out of L0C.", [
  Member<"uint16_t", "nSize">, Member<"uint16_t", "mSize">, Member<"uint16_t", "srcStride">, Member<"uint32_t", "dstStride">,
  Member<"bool", "reluEn", "false">, Member<"QuantMode_t", "quantPre", "QuantMode_t::NoQuant">, Member<"int64_t", "deqScalar">,
  Member<"uint16_t", "ndNum", "1">, Member<"uint16_t", "srcNdStride">, Member<"uint16_t", "dstNdStride">, Member<"uint8_t", "unitFlag">,
  Member<"bool", "isChannelSplit", "false">]> {
  let pythonOrder = ["nSize", "mSize", "srcStride", "dstStride", "quantPre", "deqScalar", "ndNum", "srcNdStride", "dstNdStride", "reluEn",
                     "unitFlag", "isChannelSplit"];
}
def TransformParamsNz2Nd : Params<"Several matrices of one result.", [
  Member<"uint16_t", "ndNum", "1">, Member<"uint16_t", "srcNdStride">, Member<"uint32_t", "dstNdStride">], ""> { let byHand = 1; }
def FixpipeParamsArch3510 : Params<"Writing a result out of L0C on the 950.", [
  Member<"uint16_t", "nSize">, Member<"uint16_t", "mSize">, Member<"uint16_t", "srcStride">, Member<"uint32_t", "dstStride">,
  Member<"QuantMode_t", "quantPre", "QuantMode_t::NoQuant">, Member<"uint64_t", "deqScalar">, Member<"bool", "reluEn", "false">,
  Member<"uint8_t", "unitFlag">, Member<"uint8_t", "dualDstCtl">, Member<"bool", "subBlockId", "false">,
  Member<"bool", "isChannelSplit", "false">, Member<"TransformParamsNz2Nd", "params">], ""> { let byHand = 1; }
def DataCopyCO12DstParams : Params<"The older way to write a result out of L0C.", [
  Member<"uint16_t", "nSize">, Member<"uint16_t", "mSize">, Member<"uint32_t", "dstStride">, Member<"uint16_t", "srcStride">,
  Member<"QuantMode_t", "quantPre", "QuantMode_t::NoQuant">, Member<"uint8_t", "reluPre">, Member<"bool", "channelSplit", "false">,
  Member<"bool", "nz2ndEn", "false">], ""> { let others = [Member<"uint8_t", "unitFlag">]; }

// Of tensors, and of calls the model does not have. The headers write those they have by hand.
class Described<string text, list<Member> fields> : Params<text, fields, ""> { let byHand = 1; }
def ShapeInfo : Described<"The shape of a tensor.", [
  Member<"uint32_t[8]", "shape">, Member<"uint32_t[8]", "originalShape">, Member<"DataFormat", "dataFormat">]>;
def SliceInfo : Described<"A part of one dimension.", [
  Member<"uint32_t", "startIndex">, Member<"uint32_t", "endIndex", "31">, Member<"uint32_t", "stride">,
  Member<"uint32_t", "burstLen", "32">, Member<"uint32_t", "shapeValue">]>;
def TransposeParamsExt : Described<"Sizes of four dimensions that are exchanged.", [
  Member<"uint16_t", "nSize">, Member<"uint16_t", "cSize">, Member<"uint16_t", "hSize">, Member<"uint16_t", "wSize">,
  Member<"TransposeType", "transposeType", "10">]>;
def VdeqInfo : Described<"Scales, offsets and signs of a conversion by columns.", [
  Member<"float[16]", "vdeqScale">, Member<"int16_t[16]", "vdeqOffset">, Member<"bool[16]", "vdeqSignMode">]>;
def LoadData3DParamsV1 : Described<"A part of an image from L1 to L0, as older chips take it.", [
  Member<"uint8_t[4]", "padList">, Member<"uint16_t", "l1H">, Member<"uint16_t", "l1W">, Member<"uint16_t", "c1Index">,
  Member<"uint8_t", "fetchFilterW">, Member<"uint8_t", "fetchFilterH">, Member<"int16_t", "leftTopW">, Member<"int16_t", "leftTopH">,
  Member<"uint8_t", "strideW">, Member<"uint8_t", "strideH">, Member<"uint8_t", "filterW">, Member<"uint8_t", "filterH">,
  Member<"uint8_t", "dilationFilterW">, Member<"uint8_t", "dilationFilterH">, Member<"uint8_t", "jumpStride", "1">,
  Member<"uint8_t", "repeatMode">, Member<"uint8_t", "repeatTime", "1">, Member<"uint8_t", "cSize">, Member<"T", "padValue">]>;
def LoadData3DParamsV2Pro : Described<"A part of an image from L1 to L0, its numbers packed.", [
  Member<"uint16_t", "channelSize">, Member<"bool", "enTranspose">, Member<"bool", "enSmallK">, Member<"bool", "filterSizeW">,
  Member<"bool", "filterSizeH">, Member<"bool", "fMatrixCtrl">, Member<"uint64_t", "extConfig">,
  Member<"uint64_t", "filterConfig", "0x10101010101">]>;
def LoadData2dTransposeParamsV2 : Described<"Fractals from L1 to L0, each turned, with gaps on both sides.", [
  Member<"uint16_t", "startIndex">, Member<"uint8_t", "repeatTimes">, Member<"uint16_t", "srcStride">, Member<"uint16_t", "dstGap">,
  Member<"uint16_t", "dstFracGap">, Member<"uint16_t", "srcFracGap">, Member<"uint8_t", "addrMode">]>;
def LoadDataRepeatParam : Described<"Repeats of loads of an image.", [
  Member<"uint16_t", "repeatStride">, Member<"uint8_t", "repeatTime", "1">, Member<"uint8_t", "repeatMode">]>;
def LoadImageToLocalParams : Described<"A part of an image.", [
  Member<"uint16_t", "horizSize", "2">, Member<"uint16_t", "vertSize", "2">, Member<"uint16_t", "horizStartPos">,
  Member<"uint16_t", "vertStartPos">, Member<"uint16_t", "srcHorizSize", "2">, Member<"uint8_t", "topPadSize">,
  Member<"uint8_t", "botPadSize">, Member<"uint16_t", "leftPadSize">, Member<"uint16_t", "rightPadSize">]>;
def CheckLocalMemoryIAParam : Described<"A part of a memory that accesses are checked against.", [
  Member<"uint8_t", "enableBit">, Member<"uint32_t", "startAddr">, Member<"uint32_t", "endAddr">, Member<"bool", "isScalarRead">,
  Member<"bool", "isScalarWrite">, Member<"bool", "isVectorRead">, Member<"bool", "isVectorWrite">, Member<"bool", "isMteRead">,
  Member<"bool", "isMteWrite">, Member<"uint8_t", "reserved">]>;
class Aipp<string text, list<Member> fields> : Described<text, fields>;
def AippPaddingParams : Aipp<"Padding of an image.", [
  Member<"uint32_t", "paddingMode">, Member<"T", "paddingValueChannel0">, Member<"T", "paddingValueChannel1">,
  Member<"T", "paddingValueChannel2">, Member<"T", "paddingValueChannel3">]>;
def AippSwapParams : Aipp<"Channels of an image that are exchanged.", [
  Member<"bool", "isSwapRB">, Member<"bool", "isSwapUV">, Member<"bool", "isSwapAX">]>;
def AippSingleLineParams : Aipp<"Lines of an image that are copied.", [Member<"bool", "isSingleLineCopy">]>;
def AippDataTypeConvParams : Aipp<"How the numbers of an image are converted.", [
  Member<"uint8_t", "dtcMeanChannel0">, Member<"uint8_t", "dtcMeanChannel1">, Member<"uint8_t", "dtcMeanChannel2">,
  Member<"float", "dtcMinChannel0">, Member<"float", "dtcMinChannel1">, Member<"float", "dtcMinChannel2">,
  Member<"float", "dtcVarChannel0">, Member<"float", "dtcVarChannel1">, Member<"float", "dtcVarChannel2">,
  Member<"uint32_t", "dtcRoundMode">]>;
def AippChannelPaddingParams : Aipp<"Channels an image is filled up to.", [Member<"uint32_t", "cPaddingMode">, Member<"T", "cPaddingValue">]>;
def AippColorSpaceConvParams : Aipp<"Conversion between spaces of colours.", [
  Member<"bool", "isEnableCsc">, Member<"int16_t", "cscMatrixR0C0">, Member<"int16_t", "cscMatrixR0C1">, Member<"int16_t", "cscMatrixR0C2">,
  Member<"int16_t", "cscMatrixR1C0">, Member<"int16_t", "cscMatrixR1C1">, Member<"int16_t", "cscMatrixR1C2">,
  Member<"int16_t", "cscMatrixR2C0">, Member<"int16_t", "cscMatrixR2C1">, Member<"int16_t", "cscMatrixR2C2">,
  Member<"uint8_t", "cscBiasIn0">, Member<"uint8_t", "cscBiasIn1">, Member<"uint8_t", "cscBiasIn2">, Member<"uint8_t", "cscBiasOut0">,
  Member<"uint8_t", "cscBiasOut1">, Member<"uint8_t", "cscBiasOut2">]>;
def AippParams : Aipp<"How an image is read.", [
  Member<"AippPaddingParams", "paddingParams">, Member<"AippSwapParams", "swapParams">, Member<"AippSingleLineParams", "singleLineParams">,
  Member<"AippDataTypeConvParams", "dtcParams">, Member<"AippChannelPaddingParams", "cPaddingParams">,
  Member<"AippColorSpaceConvParams", "cscParams">]>;

#endif // TILESMITH_ISA_PARAMS
