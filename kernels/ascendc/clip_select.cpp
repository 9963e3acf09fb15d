// y = x where lower < x < upper, otherwise fill: comparisons to bits, selection by them, a bit mask of lanes for the
// last step.
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void clip_select(__gm__ float *x, __gm__ float *y, int32_t length, float lower,
                                                  float upper, float fill) {
  constexpr int32_t tile = 512;
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer(x, length);
  yGm.SetGlobalBuffer(y, length);
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TQue<TPosition::VECOUT, 2> out;
  TBuf<TPosition::VECCALC> maskBuf, fillBuf;
  pipe.InitBuffer(in, 2, tile * sizeof(float));
  pipe.InitBuffer(out, 2, tile * sizeof(float));
  pipe.InitBuffer(maskBuf, tile / 8);
  pipe.InitBuffer(fillBuf, tile * sizeof(float));
  LocalTensor<uint8_t> mask = maskBuf.Get<uint8_t>();
  LocalTensor<float> other = fillBuf.Get<float>();
  Duplicate(other, fill, tile);
  for (int32_t offset = GetBlockIdx() * tile; offset < length; offset += GetBlockNum() * tile) {
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, xGm[offset], tile);
    in.EnQue(a);
    a = in.DeQue<float>();
    LocalTensor<float> b = out.AllocTensor<float>();
    CompareScalar(mask, a, lower, CMPMODE::GT, tile);
    Select(b, mask, a, other, SELMODE::VSEL_TENSOR_TENSOR_MODE, tile);
    CompareScalar(mask, a, upper, CMPMODE::LT, tile);
    Select(b, mask, b, other, SELMODE::VSEL_TENSOR_TENSOR_MODE, tile);
    out.EnQue(b);
    in.FreeTensor(a);
    b = out.DeQue<float>();
    DataCopy(yGm[offset], b, tile);
    out.FreeTensor(b);
  }
}
