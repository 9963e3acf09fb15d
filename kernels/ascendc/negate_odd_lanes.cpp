// Every second element changes its sign: lanes chosen by the bits of a mask, with strides given for each repeat.
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void negate_odd_lanes(GM_ADDR x, GM_ADDR y) {
  constexpr uint32_t repeats = 4, count = repeats * 128;
  GlobalTensor<half> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ half *)x + GetBlockIdx() * count, count);
  yGm.SetGlobalBuffer((__gm__ half *)y + GetBlockIdx() * count, count);
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECIN, 1> in;
  TQue<TPosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, count * sizeof(half));
  pipe.InitBuffer(out, 1, count * sizeof(half));
  LocalTensor<half> a = in.AllocTensor<half>();
  DataCopy(a, xGm, {1, count * sizeof(half) / 32, 0, 0});
  in.EnQue(a);
  a = in.DeQue<half>();
  LocalTensor<half> b = out.AllocTensor<half>();
  DataCopy(b, a, count);
  PipeBarrier<PIPE_V>();
  uint64_t odd[2] = {0xaaaaaaaaaaaaaaaaull, 0xaaaaaaaaaaaaaaaaull};
  Muls(b, a, half(-1.0), odd, repeats, {1, 1, 8, 8});
  out.EnQue(b);
  in.FreeTensor(a);
  b = out.DeQue<half>();
  DataCopy(yGm, b, {1, count * sizeof(half) / 32, 0, 0});
  out.FreeTensor(b);
}
