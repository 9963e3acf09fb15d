// What the sources of the conformance tests share: the request, operands in slots of UB, and the copies around a call.
#pragma once
#include "kernel_operator.h"

using namespace AscendC;

struct Request {
  int32_t op, dtype, dtype2, form, count, mask, repeat, mode, order, index;
  int32_t dstBlk, src0Blk, src1Blk, dstRep, src0Rep, src1Rep;
  uint64_t lanes[2];
  float scalar;
  int32_t integer;
};

constexpr uint32_t SLOT = 32768; // bytes of UB for each operand: dst, src0, src1, bits

template <typename T> LocalTensor<T> At(uint32_t slot) {
  return LocalTensor<T>(TPosition::VECCALC, slot * SLOT, SLOT / sizeof(T));
}

template <typename T> T ScalarOf(const Request &r) {
  if constexpr (std::is_integral_v<T>)
    return T(r.integer);
  else
    return T(r.scalar);
}

// The forms of an instruction: by count, by mask and repeat, by bits, and with the mask set before.
#define FORMS(NAME, PARAMS, ...)                                                                                       \
  if (r.form == 0)                                                                                                     \
    return NAME(__VA_ARGS__, r.count);                                                                                 \
  if (r.form == 1)                                                                                                     \
    return NAME(__VA_ARGS__, uint64_t(r.mask), r.repeat, PARAMS);                                                      \
  if (r.form == 2)                                                                                                     \
    return NAME(__VA_ARGS__, r.lanes, r.repeat, PARAMS);                                                               \
  return;

template <typename Call> void Around(GM_ADDR dst, GM_ADDR src0, GM_ADDR src1, GM_ADDR bits, Call call) {
  GlobalTensor<uint8_t> gm[4];
  GM_ADDR all[] = {dst, src0, src1, bits};
  for (int i = 0; i < 4; ++i) {
    gm[i].SetGlobalBuffer(all[i]);
    DataCopy(At<uint8_t>(i), gm[i], SLOT);
  }
  PipeBarrier<PIPE_ALL>();
  call();
  PipeBarrier<PIPE_ALL>();
  DataCopy(gm[0], At<uint8_t>(0), SLOT);
}

