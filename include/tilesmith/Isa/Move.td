//===- Move.td - Data moves between global memory and a core, and scalar accesses ------------------------------------===//
#ifndef TILESMITH_ISA_MOVE
#define TILESMITH_ISA_MOVE

include "Instruction.td"

defvar FarStride = "c310 ? 1099511627775 : 4294967295";
def CopyGmToUb : Instruction<"copy_gm_to_ub", "DataCopyPad"> {
  let summary = "blockCount blocks of blockLen bytes; srcStride bytes between them in GM, dstStride 32-byte blocks in UB or L1. "
                "Each block starts on 32 bytes; leftPad and rightPad elements (at most 32 bytes each) and the rest of the last "
                "32 bytes become padValue with isPad, the block's first element without.";
  let family = "MoveIn";
  let execute = "moveIn";
  let pipe = "MTE2";
  let cost = "Move";
  let operands = [Dst<"dst", ["UB", "L1"]>, Src<"src", ["GM"]>, UpTo<"blockCount", "4095">, Bytes<"blockLen", "2097151">,
                  Between<"srcStride", "c310 ? 0 - blockLen : 0", FarStride>, Half<"dstStride">, Bool<"isPad">,
                  UpTo<"leftPad", "blockBytes / size">, UpTo<"rightPad", "blockBytes / size">, Scalar<"padValue">];
  // In UB a block is left padding, data, right padding and filler up to 32 bytes, all of it written.
  defvar padded = "up(blockLen + (leftPad + rightPad) * size, blockBytes)";
  let layout = [Lies<"dst", "rows(blockLen ? blockCount : 0, "#padded#", "#padded#" + dstStride * blockBytes)">,
                Lies<"src", "rows(blockCount, blockLen, blockLen + srcStride)">];
  let countCall = "dst, src, DataCopyExtParams{blockCount, blockLen, srcStride, dstStride, '0'}, "
                  "DataCopyPadExtParams{isPad, leftPad, rightPad, padValue}";
  let dtypes = [OnC220<AnyWidth>, OnC310<AnyMoved>];
  let example = "AscendC::DataCopyPad(x, xGm, {1, 4096, 0, 0, 0}, {false, 0, 0, 0});";
}
def CopyUbToGm : Instruction<"copy_ub_to_gm", "DataCopyPad"> {
  let summary = "blockCount blocks of blockLen bytes; srcStride 32-byte blocks between them in UB, dstStride bytes in GM. "
                "Combines with what is in GM as the core's atomic mode says.";
  let family = "MoveOut";
  let execute = "moveOut";
  let pipe = "MTE3";
  let cost = "Move";
  let operands = [Dst<"dst", ["GM"]>, Src<"src">, UpTo<"blockCount", "4095">, Bytes<"blockLen", "2097151">, Half<"srcStride">,
                  UpTo<"dstStride", FarStride>];
  // Every block starts on 32 bytes in UB; the filler is dropped.
  let layout = [Lies<"dst", "rows(blockCount, blockLen, blockLen + dstStride)">,
                Lies<"src", "rows(blockCount, blockLen, up(blockLen, blockBytes) + srcStride * blockBytes)">];
  let countCall = "dst, src, DataCopyExtParams{blockCount, blockLen, srcStride, dstStride, '0'}";
  let dtypes = [OnC220<AnyWidth>, OnC310<AnyMoved>];
  let example = "AscendC::DataCopyPad(yGm, y, {1, 4096, 0, 0, 0});";
}
def CopyL1ToGm : Instruction<"copy_l1_to_gm", "DataCopy"> {
  let summary = "The same from L1, in whole 32-byte blocks: blockCount blocks of blockLen bytes; srcStride 32-byte blocks between them in "
                "L1, dstStride bytes in GM.";
  let family = "MoveOut";
  let execute = "moveOut";
  let pipe = "MTE3";
  let cost = "Move";
  let operands = [Dst<"dst", ["GM"]>, Src<"src", ["L1"]>, UpTo<"blockCount", "4095">, Bytes<"blockLen", "2097151">, Half<"srcStride">,
                  UpTo<"dstStride", "4294967295">];
  let layout = [Lies<"dst", "rows(blockCount, blockLen, blockLen + dstStride)">,
                Lies<"src", "rows(blockCount, blockLen, up(blockLen, blockBytes) + srcStride * blockBytes)">];
  let inOverload = 1;
  let dtypes = [OnC220<AnyWidth>];
  let example = "AscendC::DataCopy(aGm, a1, 1024);";
}
def CopyGmToL1Nz : Instruction<"copy_gm_to_l1_nz", "DataCopy"> {
  let summary = "ND to NZ: nValue rows of dValue elements, srcDValue elements per row in GM; 32-byte columns dstNzC0Stride "
                "rows apart in L1. The rest of a row's last 32 bytes becomes 0; other bytes stay.";
  let family = "MoveNz";
  let execute = "moveNz";
  let pipe = "MTE2";
  let cost = "Move";
  let operands = [Dst<"dst", ["L1"]>, Src<"src", ["GM"]>, UpTo<"ndNum", "4095">, UpTo<"nValue", "16384">, Half<"dValue">,
                  UpTo<"srcNdMatrixStride", "c310 ? 1099511627775 : 65535">, UpTo<"srcDValue", "c310 ? 1099511627775 : 65535">,
                  UpTo<"dstNzC0Stride", "16384">, UpTo<"dstNzNStride", "16384">,
                  UpTo<"dstNzMatrixStride", "c310 ? 4294967295 : 65535">];
  // In L1 every row fills whole 32-byte pieces, the last one with zeros.
  let layout = [Lies<"dst", "run(blockBytes, nValue, dstNzNStride * blockBytes, ceil(dValue * size, blockBytes), dstNzC0Stride * blockBytes, ndNum, "
                            "dstNzMatrixStride * size)">,
                Lies<"src", "run(dValue * size, nValue, srcDValue * size, ndNum, srcNdMatrixStride * size)">];
  let countCall = "dst, src, Nd2NzParams{ndNum, nValue, dValue, srcNdMatrixStride, srcDValue, dstNzC0Stride, dstNzNStride, "
                  "dstNzMatrixStride}";
  let dtypes = [OnC220<["I8", "F16", "BF16", "F32"]>, OnC310<!listconcat(["I8", "F16", "BF16", "F32"], NarrowFloats)>];
  let example = "AscendC::DataCopy(a1, aGm, AscendC::Nd2NzParams(1, 128, 64, 0, 512, 128, 1, 0));";
}
def CopyUbToL1 : Instruction<"copy_ub_to_l1", "DataCopy"> {
  let summary = "blockCount runs of blockLen 32-byte blocks from UB to L1 of the block's cube core; srcStride and dstStride blocks "
                "between them.";
  let family = "MoveDirect";
  let execute = "moveDirect";
  let pipe = "MTE3";
  let cost = "Move";
  let operands = [Dst<"dst", ["L1"]>, Src<"src">, Between<"blockCount", "1", "4095">, Half<"blockLen">, Half<"srcStride">, Half<"dstStride">];
  let layout = [Lies<"dst", "rows(blockCount, blockLen * blockBytes, (blockLen + dstStride) * blockBytes)">,
                Lies<"src", "rows(blockCount, blockLen * blockBytes, (blockLen + srcStride) * blockBytes)">];
  let inOverload = 1;
  let countCall = "dst, src, DataCopyParams{blockCount, blockLen, srcStride, dstStride}";
  let dtypes = [OnC310<AnyMoved>];
  let example = "AscendC::DataCopy(a1, hx, 1024);";
}
def FillL1 : Instruction<"fill_l1", "InitConstValue"> {
  let summary = "repeatTimes runs of blockNum 32-byte blocks, dstGap blocks apart, become the scalar.";
  let family = "FillL1";
  let execute = "fillL1";
  let pipe = "MTE2";
  let cost = "Move";
  let operands = [Dst<"dst", ["L1"]>, UpTo<"repeatTimes", "32767">, UpTo<"blockNum", "32767">, UpTo<"dstGap", "32767">, Scalar<"value">];
  let layout = [Lies<"dst", "rows(repeatTimes, blockNum * blockBytes, (blockNum + dstGap) * blockBytes)">];
  let countCall = "dst, InitConstValueParams{repeatTimes, blockNum, dstGap, value}";
  let inOverload = 1;
  let dtypes = [OnC220<["I16", "U16", "F16", "BF16", "I32", "U32", "F32"]>, OnC310<["I16", "U16", "F16", "BF16", "I32", "U32", "F32"]>];
  let example = "AscendC::InitConstValue(a1, {1, 64, 0, 0});";
}
def FillL0 : Instruction<"fill_l0", "InitConstValue"> {
  let summary = "repeatTimes runs of blockNum fractals of 512 bytes, dstGap fractals apart, become the scalar.";
  let family = "FillL0";
  let execute = "fillL0";
  let pipe = "MTE1";
  let cost = "Move";
  let operands = [Dst<"dst", ["L0A", "L0B"]>, UpTo<"repeatTimes", "32767">, UpTo<"blockNum", "32767">, UpTo<"dstGap", "32767">,
                  Scalar<"value">];
  let layout = [Lies<"dst", "rows(repeatTimes, blockNum * fractalBytes, (blockNum + dstGap) * fractalBytes)">];
  let countCall = "dst, InitConstValueParams{repeatTimes, blockNum, dstGap, value}";
  let inOverload = 1;
  let dtypes = [OnC220<["I16", "U16", "F16", "BF16", "I32", "U32", "F32"]>];
  let example = "AscendC::InitConstValue(a2, {1, 4, 0, 0});";
}
def GetValue : Instruction<"get_value", "GetValue"> {
  let summary = "Reads one element on the scalar pipe.";
  let family = "ScalarAccess";
  let execute = "getValue";
  let pipe = "S";
  let cost = "Scalar";
  let operands = [Src<"src", ["GM", "UB"], "", 1>];
  let layout = [Lies<"src", "elements(1)">];
  let pythonForms = ["GlobalTensor.get_value(self, offset: RuntimeInt) -> PlainValue",
                     "LocalTensor.get_value(self, offset: RuntimeInt) -> PlainValue"];
  let dtypeOf = "src";
  let hasResult = 1;
  let dtypes = [OnC220<AnyWidth>, OnC310<AnyWidth>];
  let example = "float v = x.GetValue(0);";
}
def SetValue : Instruction<"set_value", "SetValue"> {
  let summary = "Writes one element on the scalar pipe.";
  let family = "ScalarAccess";
  let execute = "setValue";
  let pipe = "S";
  let cost = "Scalar";
  let operands = [Dst<"dst", ["GM", "UB"], "", 1>, Scalar<"value">];
  let layout = [Lies<"dst", "elements(1)">];
  let pythonForms = ["GlobalTensor.set_value(self, offset: RuntimeInt, value: Scalar)",
                     "LocalTensor.set_value(self, offset: RuntimeInt, value: Scalar)"];
  let dtypes = [OnC220<AnyWidth>, OnC310<AnyWidth>];
  let example = "x.SetValue(0, 1.0f);";
}

#endif // TILESMITH_ISA_MOVE
