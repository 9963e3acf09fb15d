// Instructions that change the element type, choose by scalars and registers, scatter and merge; for
// test_ascendc_conformance_mixed.py.
#include "conformance.h"

extern "C" __global__ __aicore__ void mixed(GM_ADDR dst, GM_ADDR src0, GM_ADDR src1, GM_ADDR bits, Request r) {
  BinaryRepeatParams params(r.dstBlk, r.src0Blk, r.src1Blk, r.dstRep, r.src0Rep, r.src1Rep);
  UnaryRepeatParams unary(r.dstBlk, r.src0Blk, r.dstRep, r.src0Rep);
  LocalTensor<half> hd = At<half>(0), h0 = At<half>(1), h1 = At<half>(2);
  LocalTensor<float> fd = At<float>(0), f0 = At<float>(1), f1 = At<float>(2);
  LocalTensor<int32_t> i0 = At<int32_t>(1), i1 = At<int32_t>(2);
  LocalTensor<int16_t> s0 = At<int16_t>(1), s1 = At<int16_t>(2);
  LocalTensor<int8_t> bd = At<int8_t>(0);
  LocalTensor<uint8_t> ud = At<uint8_t>(0);
  Around(dst, src0, src1, bits, [&] {
    half scale = half(r.scalar);
    SetDeqScale(scale);
    switch (r.op) {
    case 0:
      FORMS(Axpy, unary, fd, h0, scale)
    case 1:
      FORMS(MulAddDst, params, fd, h0, h1)
    case 2:
      if (r.form == 0)
        return Cast(hd, i0, RoundMode::CAST_NONE, r.count);
      return Cast(hd, i0, RoundMode::CAST_NONE, uint64_t(r.mask), r.repeat, unary);
    case 3:
      FORMS(AddDeqRelu, params, hd, i0, i1)
    case 4:
      FORMS(AddReluCast, params, bd, h0, h1)
    case 5:
      FORMS(AddReluCast, params, hd, f0, f1)
    case 6:
      FORMS(SubReluCast, params, bd, s0, s1)
    case 7:
      FORMS(SubReluCast, params, hd, f0, f1)
    case 8:
      FORMS(MulCast, params, bd, h0, h1)
    case 9:
      FORMS(MulCast, params, ud, h0, h1)
    }
  });
}

template <typename T> void Chosen(const Request &r) {
  LocalTensor<T> dst = At<T>(0), src0 = At<T>(1), src1 = At<T>(2);
  LocalTensor<uint8_t> bits = At<uint8_t>(3);
  LocalTensor<uint32_t> offsets = At<uint32_t>(2);
  BinaryRepeatParams params(r.dstBlk, r.src0Blk, r.src1Blk, r.dstRep, r.src0Rep, r.src1Rep);
  T scalar = T(r.scalar);
  uint64_t kept = 0;
  switch (r.op) {
  case 0:
    FORMS(Select, params, dst, bits, src0, scalar, SELMODE::VSEL_TENSOR_SCALAR_MODE)
  case 1: // through the register, and out of it and into it on the way
    Compare(src0, src1, CMPMODE(r.mode), uint64_t(r.mask), params);
    GetCmpMask(bits);
    Compare(src0, src0, CMPMODE::NE, uint64_t(r.mask), params);
    SetCmpMask(bits);
    SetVectorMask<T>(r.count);
    return Select(dst, src0, src1, r.repeat, params);
  case 2:
    GatherMask(dst, src0, bits.ReinterpretCast<std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>>(), bool(r.index), r.count,
               GatherMaskParams(r.index ? 1 : r.src0Blk, r.repeat, r.src0Rep, r.src1Rep), kept);
    if (GetGatherMaskRemainCount() != int64_t(kept))
      kept = 0;
    PipeBarrier<PIPE_ALL>();
    return At<uint32_t>(0).SetValue(SLOT / 4 - 1, uint32_t(kept));
  case 3:
    return Gatherb(dst, src0, offsets, r.repeat, GatherRepeatParams(r.dstBlk, r.dstRep));
  case 4:
    return Scatter(dst, src0, offsets, uint32_t(r.integer), uint32_t(r.count));
  case 5:
    return ArithProgression(dst, T(r.scalar), T(r.integer), r.count);
  }
}

extern "C" __global__ __aicore__ void chosen(GM_ADDR dst, GM_ADDR src0, GM_ADDR src1, GM_ADDR bits, Request r) {
  Around(dst, src0, src1, bits, [&] {
    switch (r.dtype) {
    case 0:
      return Chosen<half>(r);
    case 1:
      return Chosen<float>(r);
    }
  });
}

// Lists of records in the two sources, lengths in the strides; how much was taken goes to the end of the destination.
extern "C" __global__ __aicore__ void merge(GM_ADDR dst, GM_ADDR src0, GM_ADDR src1, GM_ADDR bits, Request r) {
  Around(dst, src0, src1, bits, [&] {
    LocalTensor<float> to = At<float>(0), a = At<float>(1), b = At<float>(2);
    uint16_t lengths[4] = {uint16_t(r.dstBlk), uint16_t(r.src0Blk), uint16_t(r.src1Blk), uint16_t(r.dstRep)};
    MrgSortSrcList<float> lists(a, a[SLOT / 8], b, b[SLOT / 8]);
    MrgSort(to, lists, MrgSort4Info(lengths, bool(r.index), uint16_t(r.mask), 1));
    uint16_t taken[4];
    GetMrgSortResult(taken[0], taken[1], taken[2], taken[3]);
    PipeBarrier<PIPE_ALL>();
    for (int i = 0; i < 4; ++i)
      At<uint32_t>(0).SetValue(SLOT / 4 - 4 + i, taken[i]);
  });
}

template <typename T> void Turn(const Request &r) {
  LocalTensor<T> from[16], to[16];
  for (int i = 0; i < 16; ++i) {
    from[i] = At<T>(1)[i * r.src0Blk * 32 / sizeof(T)];
    to[i] = At<T>(0)[i * r.dstBlk * 32 / sizeof(T)];
  }
  TransDataTo5HDParams params(bool(r.index), bool(r.mode), r.repeat, r.dstRep, r.src0Rep);
  if (r.form == 0)
    return TransDataTo5HD<T>(to, from, params);
  uint64_t fromAt[16], toAt[16];
  for (int i = 0; i < 16; ++i) {
    fromAt[i] = from[i].GetPhyAddr();
    toAt[i] = to[i].GetPhyAddr();
  }
  TransDataTo5HD<T>(toAt, fromAt, params);
}
extern "C" __global__ __aicore__ void turn(GM_ADDR dst, GM_ADDR src0, GM_ADDR src1, GM_ADDR bits, Request r) {
  Around(dst, src0, src1, bits, [&] {
    r.dtype == 7 ? Turn<uint8_t>(r) : r.dtype == 0 ? Turn<half>(r) : Turn<float>(r);
  });
}
