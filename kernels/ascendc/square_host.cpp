// A kernel with its own host program, as people debug on a CPU: ICPU_RUN_KF runs the blocks, the program checks the result.
//   tilesmith run square_host.cpp --host
#include "kernel_operator.h"

extern "C" __global__ __aicore__ void square(GM_ADDR x, GM_ADDR y, uint32_t perBlock) {
  AscendC::TPipe pipe;
  AscendC::TQue<AscendC::TPosition::VECIN, 1> in;
  AscendC::TQue<AscendC::TPosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, perBlock * sizeof(float));
  pipe.InitBuffer(out, 1, perBlock * sizeof(float));
  AscendC::GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x + AscendC::GetBlockIdx() * perBlock, perBlock);
  yGm.SetGlobalBuffer((__gm__ float *)y + AscendC::GetBlockIdx() * perBlock, perBlock);
  AscendC::LocalTensor<float> a = in.AllocTensor<float>();
  AscendC::DataCopy(a, xGm, perBlock);
  in.EnQue(a);
  a = in.DeQue<float>();
  AscendC::LocalTensor<float> b = out.AllocTensor<float>();
  AscendC::Mul(b, a, a, perBlock);
  out.EnQue(b);
  in.FreeTensor(a);
  b = out.DeQue<float>();
  AscendC::DataCopy(yGm, b, perBlock);
  out.FreeTensor(b);
}

#ifdef ASCENDC_CPU_DEBUG
#include "tikicpulib.h"
#include <cstdio>

int main() {
  constexpr uint32_t blocks = 4, perBlock = 256, total = blocks * perBlock;
  auto *x = (float *)AscendC::GmAlloc(total * sizeof(float));
  auto *y = (float *)AscendC::GmAlloc(total * sizeof(float));
  for (uint32_t i = 0; i < total; ++i)
    x[i] = 0.25f * float(i);
  AscendC::SetKernelMode(KernelMode::AIV_MODE);
  ICPU_RUN_KF(square, blocks, (uint8_t *)x, (uint8_t *)y, perBlock);
  int wrong = 0;
  for (uint32_t i = 0; i < total; ++i)
    wrong += y[i] != x[i] * x[i];
  std::printf("%s: %d of %u elements are wrong\n", wrong ? "FAILED" : "passed", wrong, total);
  AscendC::GmFree(x);
  AscendC::GmFree(y);
  return wrong != 0;
}
#endif
