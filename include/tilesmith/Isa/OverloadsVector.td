//===- OverloadsVector.td - Vector calls by enumerators, types and what lies beside the tensors ----------------------===//
#ifndef TILESMITH_ISA_OVERLOADSVECTOR
#define TILESMITH_ISA_OVERLOADSVECTOR

include "Overload.td"
include "Params.td"
include "VectorChoose.td"
include "VectorReduce.td"
include "VectorPermute.td"
include "VectorMixed.td"

// Values alone, or with where they are.
class WholeReduceBy<string name, Instruction value, Instruction index>
    : Overload<name, "LocalTensor<T> dst, LocalTensor<T> src, Mask mask, int64_t repeat, int64_t dstRep, int64_t srcBlk, int64_t srcRep, "
                     "ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX",
               [Way<value, "Repeat", [], "order == ReduceOrder::ORDER_ONLY_VALUE">, Way<index, "Repeat">]>;
def : WholeReduceBy<"WholeReduceMax", WholeReduceMax, WholeReduceMaxIndex>;
def : WholeReduceBy<"WholeReduceMin", WholeReduceMin, WholeReduceMinIndex>;
def : Overload<"RepeatReduceSum", "LocalTensor<T> dst, LocalTensor<T> src, int64_t repeat, Mask mask, int64_t dstBlk, int64_t srcBlk, "
               "int64_t dstRep, int64_t srcRep", [Way<WholeReduceSum, "Repeat">]>;

// Select by the bits of a tensor. In mode 0 every repeat uses the first lanes' bits again.
defvar again = "mode == SELMODE::VSEL_CMPMASK_SPR";
defvar blkAndRep = ["dstBlk = params.dstBlkStride", "src0Blk = params.src0BlkStride", "src1Blk = params.src1BlkStride",
                    "dstRep = params.dstRepStride", "src0Rep = params.src0RepStride", "src1Rep = params.src1RepStride"];
def : Overload<"Select", "LocalTensor<T> dst, LocalTensor<U> selMask, LocalTensor<T> src0, LocalTensor<T> src1, SELMODE mode, uint32_t count", [
  Way<Select, "Count", ["dst = dst + i * 256", "mask = selMask", "src0 = src0 + i * 256", "src1 = src1 + i * 256",
                        "count = min(count - i * lanes(T), lanes(T))"], again, "(count + lanes(T) - 1) / lanes(T)">,
  Way<Select, "Count", ["mask = selMask"]>]>;
def : Overload<"Select", "LocalTensor<T> dst, LocalTensor<U> selMask, LocalTensor<T> src0, LocalTensor<T> src1, SELMODE mode, Mask lanes, "
               "int64_t repeat, BinaryRepeatParams params", [
  Way<Select, "Repeat", !listconcat(["dst = dst + i * params.dstRepStride * 32", "mask = selMask",
                                     "src0 = src0 + i * params.src0RepStride * 32", "src1 = src1 + i * params.src1RepStride * 32",
                                     "repeat = 1"], blkAndRep), again, "repeat">,
  Way<Select, "Repeat", !listconcat(["mask = selMask"], blkAndRep)>]>;
// The second source is a scalar.
defvar withScalar = ["mask = selMask", "src = src0", "scalar = src1"];
def : Overload<"Select", "LocalTensor<T> dst, LocalTensor<U> selMask, LocalTensor<T> src0, T src1, SELMODE mode, uint32_t count", [
  Way<SelectScalar, "Count", withScalar>]>;
def : Overload<"Select", "LocalTensor<T> dst, LocalTensor<U> selMask, LocalTensor<T> src0, T src1, SELMODE mode, Mask lanes, int64_t repeat, "
               "BinaryRepeatParams params", [
  Way<SelectScalar, "Repeat", !listconcat(withScalar, ["dstBlk = params.dstBlkStride", "srcBlk = params.src0BlkStride",
                                                       "dstRep = params.dstRepStride", "srcRep = params.src0RepStride"])>]>;
// Through the compare register: one repeat compared, every repeat chosen by it.
def : Overload<"Compare", "LocalTensor<T> src0, LocalTensor<T> src1, CMPMODE mode, Mask mask, BinaryRepeatParams params", [
  Way<CompareToRegister, "Plain", ["src0Blk = params.src0BlkStride", "src1Blk = params.src1BlkStride"]>]>;
def : Overload<"Select", "LocalTensor<T> dst, LocalTensor<T> src0, LocalTensor<T> src1, uint8_t repeat, BinaryRepeatParams params", [
  Way<SelectByRegister, "Plain", !listconcat(["mask = asSet"], blkAndRep)>]> {
  let options = "SELMODE mode = SELMODE::VSEL_CMPMASK_SPR";
}
def : Overload<"Select", "LocalTensor<T> dst, LocalTensor<U> selMask, LocalTensor<T> src0, uint8_t repeat, BinaryRepeatParams params", [
  Way<SelectScalarByRegister, "Plain", ["bits = selMask", "src = src0", "lanes = asSet", "dstBlk = params.dstBlkStride",
                                        "srcBlk = params.src0BlkStride", "dstRep = params.dstRepStride", "srcRep = params.src0RepStride"]>]> {
  let where = "!same(T, U)";
}
def : Overload<"GetCmpMask", "LocalTensor<T> dst", [Way<GetCmpMask, "Plain">]>;
def : Overload<"SetCmpMask", "LocalTensor<T> src", [Way<SetCmpMask, "Plain">]>;

// Arithmetic that changes the element type.
multiclass MixedCalls<string name, Instruction to, string factor, string types> {
  def Counted : Overload<name, "LocalTensor<T> dst, LocalTensor<U> src0, LocalTensor<U> src1, int32_t count", [
    Way<to, "Count", [factor]>]> { let where = types; }
  def Repeated : Overload<name, "LocalTensor<T> dst, LocalTensor<U> src0, LocalTensor<U> src1, Mask mask, uint8_t repeat, "
                          "BinaryRepeatParams params", [Way<to, "Repeat", !listconcat([factor], blkAndRep)>]> { let where = types; }
}
defm MulAddDstMixed : MixedCalls<"MulAddDst", MulAddDstWide, "scale = 0", "!same(T, U)">;
defm AddDeqReluMixed : MixedCalls<"AddDeqRelu", AddDeqRelu, "scale = asSet", "">;
defm AddReluCastMixed : MixedCalls<"AddReluCast", AddReluCast, "scale = 0", "">;
defm SubReluCastMixed : MixedCalls<"SubReluCast", SubReluCast, "scale = 0", "">;
defm MulCastMixed : MixedCalls<"MulCast", MulCast, "scale = 0", "">;

defvar oneSource = ["src0 = src", "src1 = src"];
defvar oneSourceRepeats = ["dstBlk = params.dstBlkStride", "src0Blk = params.srcBlkStride", "src1Blk = params.srcBlkStride",
                           "dstRep = params.dstRepStride", "src0Rep = params.srcRepStride", "src1Rep = params.srcRepStride"];
def : Overload<"Axpy", "LocalTensor<T> dst, LocalTensor<U> src, U scalar, int32_t count", [
  Way<AxpyWide, "Count", !listconcat(oneSource, ["scale = scalar"])>]> { let where = "!same(T, U)"; }
def : Overload<"Axpy", "LocalTensor<T> dst, LocalTensor<U> src, U scalar, Mask mask, uint8_t repeat, UnaryRepeatParams params", [
  Way<AxpyWide, "Repeat", !listconcat(oneSource, ["scale = scalar"], oneSourceRepeats)>]> { let where = "!same(T, U)"; }
// From int32_t to half a cast multiplies by the scale that was set.
defvar dequantises = "same(T, half) && same(U, int32_t)";
defvar unaryRepeats = ["dstBlk = params.dstBlkStride", "srcBlk = params.srcBlkStride", "dstRep = params.dstRepStride",
                       "srcRep = params.srcRepStride"];
def : Overload<"Cast", "LocalTensor<T> dst, LocalTensor<U> src, RoundMode round, int64_t count", [
  Way<CastDequant, "Count", !listconcat(oneSource, ["scale = asSet"]), dequantises>, Way<Cast, "Count">]>;
def : Overload<"Cast", "LocalTensor<T> dst, LocalTensor<U> src, RoundMode round, Mask mask, int64_t repeat, UnaryRepeatParams params", [
  Way<CastDequant, "Repeat", !listconcat(oneSource, ["scale = asSet"], oneSourceRepeats), dequantises>,
  Way<Cast, "Repeat", unaryRepeats>]>;
// From int16_t to bytes, by the word that was set or, with isVecDeq, the 16 words it is the address of.
defvar deqOptions = "bool isVecDeq = true, bool halfBlock = true";
def : Overload<"CastDeq", "LocalTensor<T> dst, LocalTensor<U> src, uint32_t count", [
  Way<CastDeqVector, "Count", ["scales = register(DeqScale)", "upper = halfBlock"], "isVecDeq">,
  Way<CastDeq, "Count", ["scale = asSet", "upper = halfBlock"]>]> { let options = deqOptions; }
def : Overload<"CastDeq", "LocalTensor<T> dst, LocalTensor<U> src, Mask mask, uint8_t repeat, UnaryRepeatParams params", [
  Way<CastDeqVector, "Repeat", !listconcat(["scales = register(DeqScale)", "upper = halfBlock"], unaryRepeats), "isVecDeq">,
  Way<CastDeq, "Repeat", !listconcat(["scale = asSet", "upper = halfBlock"], unaryRepeats)>]> { let options = deqOptions; }

// Counting up.
class Counting<string name> : Overload<name, "LocalTensor<T> dst, T first, T step, int32_t count", [Way<Arange, "Count">]>;
def : Counting<"ArithProgression">;
def : Counting<"Arange">;
def : Overload<"CreateVecIndex", "LocalTensor<T> dst, U first, uint32_t count", [
  Way<Arange, "Count", ["first = T(first)", "step = 1"]>]>;
def : Overload<"CreateVecIndex", "LocalTensor<T> dst, T first, uint64_t mask, uint8_t repeat, uint16_t dstBlkStride, uint8_t dstRepStride", [
  Way<Arange, "Count", ["step = 1", "count = min(mask, lanes(T)) * repeat"]>]> {
  let musts = [Must<"dstBlkStride == 1 && (repeat <= 1 || dstRepStride == 8 && mask >= lanes(T))",
                    "CreateVecIndex of repeats that do not follow each other">];
}

// Gathering. Offsets are bytes; they may name any element of the tensor.
def : Overload<"Gather", "LocalTensor<T> dst, LocalTensor<T> src, LocalTensor<uint32_t> offset, uint32_t base, uint32_t count", [
  Way<Gather, "Count", ["srcBytes = bytes(src)"]>]>;
def : Overload<"Gather", "LocalTensor<T> dst, LocalTensor<T> src, LocalTensor<uint32_t> offset, uint32_t base, uint64_t mask, "
               "uint8_t repeat, uint16_t dstRepStride", [
  Way<Gather, "Count", ["dst = dst + i * dstRepStride * 32", "offset = offset + i * lanes(T) * 4", "srcBytes = bytes(src)",
                        "count = min(mask, lanes(T))"], "", "repeat">]>;
def : Overload<"Gatherb", "LocalTensor<T> dst, LocalTensor<T> src, LocalTensor<uint32_t> offset, uint8_t repeat, BrcbRepeatParams params", [
  Way<Gatherb, "Plain", ["srcBytes = bytes(src)", "dstBlk = params.dstBlkStride", "dstRep = params.dstRepStride"]>]>;
def : Overload<"Scatter", "LocalTensor<T> dst, LocalTensor<T> src, LocalTensor<uint32_t> offset, uint32_t base, uint32_t count", [
  Way<Scatter, "Count", ["dstBytes = bytes(dst)"]>]>;
def : Overload<"Scatter", "LocalTensor<T> dst, LocalTensor<T> src, LocalTensor<uint32_t> offset, uint32_t base, Mask mask, "
               "uint8_t repeat, uint8_t srcRepStride", [
  Way<Scatter, "Repeat", ["dstBytes = bytes(dst)", "srcRep = srcRepStride"]>]>;

// Merging: lists whose bit of validBit is not set are left out.
def : Overload<"MrgSort", "LocalTensor<T> dst, MrgSortSrcList<T> sources, MrgSort4Info info", [
  Way<MrgSort, "Plain", [
    "src0 = sources.src1", "src1 = info.validBit >> 1 & 1 ? sources.src2 : sources.src1",
    "src2 = info.validBit >> 2 & 1 ? sources.src3 : sources.src1", "src3 = info.validBit >> 3 & 1 ? sources.src4 : sources.src1",
    "count0 = info.validBit & 1 ? info.elementLengths[0] : 0", "count1 = info.validBit >> 1 & 1 ? info.elementLengths[1] : 0",
    "count2 = info.validBit >> 2 & 1 ? info.elementLengths[2] : 0", "count3 = info.validBit >> 3 & 1 ? info.elementLengths[3] : 0",
    "repeat = info.repeatTimes", "stops = info.ifExhaustedSuspension"]>]>;

#endif // TILESMITH_ISA_OVERLOADSVECTOR
