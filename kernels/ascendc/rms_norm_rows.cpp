// RmsNorm of rows of 64 x n floats: whole reductions by repeat, a sum of their results, broadcasting through a scalar.
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void rms_norm_rows(GM_ADDR x, GM_ADDR gamma, GM_ADDR y, uint32_t rows,
                                                    uint32_t repeats, float epsilon) {
  uint32_t columns = repeats * 64;
  GlobalTensor<float> xGm, gammaGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, rows * columns);
  gammaGm.SetGlobalBuffer((__gm__ float *)gamma, columns);
  yGm.SetGlobalBuffer((__gm__ float *)y, rows * columns);

  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TQue<TPosition::VECIN, 1> weights;
  TQue<TPosition::VECOUT, 2> out;
  TBuf<> squares, sums;
  pipe.InitBuffer(in, 2, columns * sizeof(float));
  pipe.InitBuffer(weights, 1, columns * sizeof(float));
  pipe.InitBuffer(out, 2, columns * sizeof(float));
  pipe.InitBuffer(squares, columns * sizeof(float));
  pipe.InitBuffer(sums, 256);

  LocalTensor<float> gammaLocal = weights.AllocTensor<float>();
  DataCopy(gammaLocal, gammaGm, columns);
  weights.EnQue(gammaLocal);
  gammaLocal = weights.DeQue<float>();
  for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, xGm[row * columns], columns);
    in.EnQue(a);
    a = in.DeQue<float>();
    LocalTensor<float> b = out.AllocTensor<float>();
    LocalTensor<float> square = squares.Get<float>(), sum = sums.Get<float>();
    uint64_t mask = 64;
    Mul(square, a, a, mask, repeats, {1, 1, 1, 8, 8, 8});
    PipeBarrier<PIPE_V>();
    Duplicate(sum, 0.0f, 64);
    PipeBarrier<PIPE_V>();
    WholeReduceSum(sum, square, 64, repeats, 1, 1, 8);
    PipeBarrier<PIPE_V>();
    WholeReduceSum(sum, sum, 64, 1, 1, 1, 8);
    Muls(sum, sum, 1.0f / columns, 1);
    Adds(sum, sum, epsilon, 1);
    Sqrt(sum, sum, 1);
    event_t event = static_cast<event_t>(pipe.AllocEventID<HardEvent::V_S>());
    SetFlag<HardEvent::V_S>(event);
    WaitFlag<HardEvent::V_S>(event);
    float scale = 1.0f / sum.GetValue(0);
    pipe.ReleaseEventID<HardEvent::V_S>(event);
    Muls(b, a, scale, columns);
    Mul(b, b, gammaLocal, columns);
    out.EnQue(b);
    in.FreeTensor(a);
    b = out.DeQue<float>();
    DataCopy(yGm[row * columns], b, columns);
    out.FreeTensor(b);
  }
  weights.FreeTensor(gammaLocal);
}
