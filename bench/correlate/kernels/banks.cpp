// `times` Adds of 64 repeats on one core, operands at the addresses of the row. UB is never filled: the time of an Add
// does not depend on what it adds.
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void bank_add(int32_t src0, int32_t src1, int32_t dst, uint8_t blockStride,
                                               uint8_t repeatStride, int32_t times) {
  LocalTensor<float> a(TPosition::VECIN, src0, 4096), b(TPosition::VECIN, src1, 4096), c(TPosition::VECOUT, dst, 4096);
  for (int32_t i = 0; i < times; ++i)
    Add(c, a, b, uint64_t(64), 64, {1, blockStride, 1, 8, repeatStride, 8});
}
