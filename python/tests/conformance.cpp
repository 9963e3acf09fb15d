// Every vector instruction of the headers behind one switch, for test_ascendc_conformance.py: copies operands in, makes
// one call in the form asked for, copies the destination out.
#include "conformance.h"

template <typename T> void Binary(const Request &r) {
  LocalTensor<T> dst = At<T>(0), src0 = At<T>(1), src1 = At<T>(2);
  BinaryRepeatParams params(r.dstBlk, r.src0Blk, r.src1Blk, r.dstRep, r.src0Rep, r.src1Rep);
  if (r.form == 3) { // the mask is already there
    SetVectorMask<T>(r.lanes[1], r.lanes[0]);
    return Add<T, false>(dst, src0, src1, MASK_PLACEHOLDER, r.repeat, params);
  }
  if (r.form == 4) { // counter mode
    SetMaskCount();
    SetVectorMask<T, MaskMode::COUNTER>(r.count);
    Add<T, false>(dst, src0, src1, MASK_PLACEHOLDER, 1, params);
    SetMaskNorm();
    return ResetMask();
  }
  switch (r.op) {
  case 0:
    FORMS(Add, params, dst, src0, src1)
  case 1:
    FORMS(Sub, params, dst, src0, src1)
  case 2:
    FORMS(Mul, params, dst, src0, src1)
  case 3:
    FORMS(Div, params, dst, src0, src1)
  case 4:
    FORMS(Max, params, dst, src0, src1)
  case 5:
    FORMS(Min, params, dst, src0, src1)
  case 6:
    FORMS(And, params, dst, src0, src1)
  case 7:
    FORMS(Or, params, dst, src0, src1)
  case 8:
    FORMS(MulAddDst, params, dst, src0, src1)
  case 9:
    FORMS(FusedMulAdd, params, dst, src0, src1)
  case 10:
    FORMS(FusedMulAddRelu, params, dst, src0, src1)
  case 11:
    FORMS(AddRelu, params, dst, src0, src1)
  case 12:
    FORMS(SubRelu, params, dst, src0, src1)
  }
}

template <typename T> void Unary(const Request &r) {
  LocalTensor<T> dst = At<T>(0), src = At<T>(1);
  UnaryRepeatParams params(r.dstBlk, r.src0Blk, r.dstRep, r.src0Rep);
  switch (r.op) {
  case 0:
    FORMS(Abs, params, dst, src)
  case 1:
    FORMS(Neg, params, dst, src)
  case 2:
    FORMS(Exp, params, dst, src)
  case 3:
    FORMS(Ln, params, dst, src)
  case 4:
    FORMS(Sqrt, params, dst, src)
  case 5:
    FORMS(Rsqrt, params, dst, src)
  case 6:
    FORMS(Reciprocal, params, dst, src)
  case 7:
    FORMS(Relu, params, dst, src)
  case 8:
    FORMS(Not, params, dst, src)
  }
}

template <typename T> void Scalar(const Request &r) {
  LocalTensor<T> dst = At<T>(0), src = At<T>(1);
  T scalar = ScalarOf<T>(r);
  UnaryRepeatParams params(r.dstBlk, r.src0Blk, r.dstRep, r.src0Rep);
  switch (r.op) {
  case 0:
    FORMS(Adds, params, dst, src, scalar)
  case 1:
    FORMS(Muls, params, dst, src, scalar)
  case 2:
    FORMS(Maxs, params, dst, src, scalar)
  case 3:
    FORMS(Mins, params, dst, src, scalar)
  case 4:
    FORMS(LeakyRelu, params, dst, src, scalar)
  case 5:
    FORMS(ShiftLeft, params, dst, src, scalar)
  case 6:
    FORMS(ShiftRight, params, dst, src, scalar)
  case 7:
    FORMS(Axpy, params, dst, src, scalar)
  }
}

template <typename T> void Fill(const Request &r) {
  LocalTensor<T> dst = At<T>(0), src = At<T>(1);
  T scalar = ScalarOf<T>(r);
  switch (r.op) {
  case 0:
    if (r.form == 0)
      return Duplicate(dst, scalar, r.count);
    if (r.form == 1)
      return Duplicate(dst, scalar, uint64_t(r.mask), r.repeat, r.dstBlk, r.dstRep);
    return Duplicate(dst, scalar, r.lanes, r.repeat, r.dstBlk, r.dstRep);
  case 1: {
    CopyRepeatParams params(r.dstBlk, r.src0Blk, r.dstRep, r.src0Rep);
    if (r.form == 0)
      return DataCopy(dst, src, r.count);
    if (r.form == 1)
      return Copy(dst, src, uint64_t(r.mask), r.repeat, params);
    return Copy(dst, src, r.lanes, r.repeat, params);
  }
  case 2:
    return Brcb(dst, src, r.repeat, BrcbRepeatParams(r.dstBlk, r.dstRep));
  }
}

template <typename T> void Choose(const Request &r) {
  LocalTensor<T> dst = At<T>(0), src0 = At<T>(1), src1 = At<T>(2);
  LocalTensor<uint8_t> bits = At<uint8_t>(3), out = At<uint8_t>(0);
  BinaryRepeatParams params(r.dstBlk, r.src0Blk, r.src1Blk, r.dstRep, r.src0Rep, r.src1Rep);
  UnaryRepeatParams single(r.dstBlk, r.src0Blk, r.dstRep, r.src0Rep);
  CMPMODE mode = CMPMODE(r.mode);
  switch (r.op) {
  case 0:
    FORMS(Compare, params, out, src0, src1, mode)
  case 1:
    FORMS(CompareScalar, single, out, src0, ScalarOf<T>(r), mode)
  case 2:
    FORMS(Select, params, dst, bits, src0, src1, SELMODE::VSEL_TENSOR_TENSOR_MODE)
  case 3:
    FORMS(Select, params, dst, bits, src0, src1, SELMODE::VSEL_CMPMASK_SPR)
  }
}

template <typename T> void Reduce(const Request &r) {
  LocalTensor<T> dst = At<T>(0), src = At<T>(1), work = At<T>(2);
  ReduceOrder order = ReduceOrder(r.order);
#define REDUCE(NAME, ...)                                                                                              \
  return r.form == 1 ? NAME(dst, src, uint64_t(r.mask), r.repeat, r.dstRep, r.src0Blk, r.src0Rep __VA_ARGS__)          \
                     : NAME(dst, src, r.lanes, r.repeat, r.dstRep, r.src0Blk, r.src0Rep __VA_ARGS__)
#define GROUPS(NAME)                                                                                                   \
  return r.form == 1 ? NAME(dst, src, r.repeat, uint64_t(r.mask), r.dstRep, r.src0Blk, r.src0Rep)                      \
                     : NAME(dst, src, r.repeat, r.lanes, r.dstRep, r.src0Blk, r.src0Rep)
  switch (r.op) {
  case 0:
    REDUCE(WholeReduceSum);
  case 1:
    REDUCE(WholeReduceMax, , order);
  case 2:
    REDUCE(WholeReduceMin, , order);
  case 3:
    GROUPS(BlockReduceSum);
  case 4:
    GROUPS(BlockReduceMax);
  case 5:
    GROUPS(BlockReduceMin);
  case 6:
    GROUPS(PairReduceSum);
  case 7:
    return ReduceSum(dst, src, work, r.count);
  case 8:
    return ReduceMax(dst, src, work, r.count, bool(r.index));
  case 9:
    return ReduceMin(dst, src, work, r.count, bool(r.index));
  }
}

template <typename D, typename S> void Convert(const Request &r) {
  LocalTensor<D> dst = At<D>(0);
  LocalTensor<S> src = At<S>(1);
  UnaryRepeatParams params(r.dstBlk, r.src0Blk, r.dstRep, r.src0Rep);
  RoundMode round = RoundMode(r.mode);
  FORMS(Cast, params, dst, src, round)
}

template <typename T> void Permute(const Request &r) {
  LocalTensor<T> dst = At<T>(0), src = At<T>(1);
  LocalTensor<uint32_t> offsets = At<uint32_t>(2);
  uint64_t kept = 0;
  switch (r.op) {
  case 0:
    return Gather(dst, src, offsets, r.integer, r.count);
  case 1:
    return Gather(dst, src, offsets, r.integer, uint64_t(r.mask), r.repeat, r.dstRep);
  case 2:
  case 3:
    GatherMask(dst, src, r.mode, r.op == 3, r.count,
               GatherMaskParams(r.op == 3 ? 1 : r.src0Blk, r.repeat, r.src0Rep, 0), kept);
    PipeBarrier<PIPE_ALL>();
    return At<uint32_t>(0).SetValue(SLOT / 4 - 1, uint32_t(kept));
  case 4:
    if constexpr (std::is_same_v<T, half> || std::is_same_v<T, float>)
      Sort32(dst, src, offsets, r.repeat);
    return;
  case 5:
    if constexpr (sizeof(T) == 2)
      Transpose(dst, src);
    return;
  }
}

// dtypes in the order of the test's table.
#define EACH_TYPE(CALL)                                                                                                \
  switch (r.dtype) {                                                                                                   \
  case 0:                                                                                                              \
    CALL(half);                                                                                                        \
    break;                                                                                                             \
  case 1:                                                                                                              \
    CALL(float);                                                                                                       \
    break;                                                                                                             \
  case 2:                                                                                                              \
    CALL(int16_t);                                                                                                     \
    break;                                                                                                             \
  case 3:                                                                                                              \
    CALL(int32_t);                                                                                                     \
    break;                                                                                                             \
  case 4:                                                                                                              \
    CALL(uint16_t);                                                                                                    \
    break;                                                                                                             \
  case 5:                                                                                                              \
    CALL(uint32_t);                                                                                                    \
    break;                                                                                                             \
  case 6:                                                                                                              \
    CALL(int8_t);                                                                                                      \
    break;                                                                                                             \
  case 7:                                                                                                              \
    CALL(uint8_t);                                                                                                     \
    break;                                                                                                             \
  case 8:                                                                                                              \
    CALL(bfloat16_t);                                                                                                  \
    break;                                                                                                             \
  }

#define KERNEL(NAME, FAMILY)                                                                                           \
  extern "C" __global__ __aicore__ void NAME(GM_ADDR dst, GM_ADDR src0, GM_ADDR src1, GM_ADDR bits, Request r) {       \
    Around(dst, src0, src1, bits, [&] { EACH_TYPE(FAMILY) });                                                          \
  }
#define BINARY(T) Binary<T>(r)
#define UNARY(T) Unary<T>(r)
#define SCALAR(T) Scalar<T>(r)
#define FILL(T) Fill<T>(r)
#define CHOOSE(T) Choose<T>(r)
#define REDUCTION(T) Reduce<T>(r)
#define PERMUTE(T) Permute<T>(r)
KERNEL(permute, PERMUTE)
KERNEL(binary, BINARY)
KERNEL(unary, UNARY)
KERNEL(scalar, SCALAR)
KERNEL(fill, FILL)
KERNEL(choose, CHOOSE)
KERNEL(reduction, REDUCTION)

template <typename D> void ConvertFrom(const Request &r) {
#define CONVERT(T) Convert<D, T>(r)
  EACH_TYPE(CONVERT)
}
extern "C" __global__ __aicore__ void convert(GM_ADDR dst, GM_ADDR src0, GM_ADDR src1, GM_ADDR bits, Request r) {
  Around(dst, src0, src1, bits, [&] {
    switch (r.dtype2) {
    case 0:
      return ConvertFrom<half>(r);
    case 1:
      return ConvertFrom<float>(r);
    case 2:
      return ConvertFrom<int16_t>(r);
    case 3:
      return ConvertFrom<int32_t>(r);
    case 6:
      return ConvertFrom<int8_t>(r);
    case 7:
      return ConvertFrom<uint8_t>(r);
    case 8:
      return ConvertFrom<bfloat16_t>(r);
    }
  });
}
