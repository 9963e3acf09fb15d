// Sums of columns over all blocks: each block adds its partial sums to global memory atomically.
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void column_sums(__gm__ float *x, __gm__ float *sums, int32_t rows, int32_t columns) {
  GlobalTensor<float> xGm, sumsGm;
  xGm.SetGlobalBuffer(x, rows * columns);
  sumsGm.SetGlobalBuffer(sums, columns);
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TQue<TPosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 2, columns * sizeof(float));
  pipe.InitBuffer(out, 1, columns * sizeof(float));
  LocalTensor<float> total = out.AllocTensor<float>();
  Duplicate(total, 0.0f, columns);
  for (int32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, xGm[row * columns], columns);
    in.EnQue(a);
    a = in.DeQue<float>();
    Add(total, total, a, columns);
    in.FreeTensor(a);
  }
  out.EnQue(total);
  total = out.DeQue<float>();
  SetAtomicAdd<float>();
  DataCopy(sumsGm, total, columns);
  SetAtomicNone();
  out.FreeTensor(total);
}
