// Gelu (tanh form) as a vector function of the 950: one loop over registers, nothing goes through UB in between.
#include "kernel_operator.h"

using namespace AscendC;

__simd_vf__ inline void GeluVf(__ubuf__ float *y, __ubuf__ float *x, uint32_t count, uint16_t trips) {
  Reg::RegTensor<float> value, cube, one;
  Reg::Duplicate(one, 1.0f);
  for (uint16_t i = 0; i < trips; ++i) {
    Reg::MaskReg mask = Reg::UpdateMask<float>(count);
    Reg::LoadAlign(value, x + i * 64);
    Reg::Mul(cube, value, value, mask);
    Reg::Mul(cube, cube, value, mask);
    Reg::Muls(cube, cube, 0.044715f, mask);
    Reg::Add(cube, cube, value, mask);
    Reg::Muls(cube, cube, -1.5957691216f, mask);
    Reg::Exp(cube, cube, mask);
    Reg::Add(cube, cube, one, mask);
    Reg::Div(cube, value, cube, mask);
    Reg::StoreAlign(y + i * 64, cube, mask);
  }
}

extern "C" __global__ __aicore__ void gelu_registers(GM_ADDR x, GM_ADDR y, uint32_t length) {
  constexpr uint32_t tile = 4096;
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, length);
  yGm.SetGlobalBuffer((__gm__ float *)y, length);
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TQue<TPosition::VECOUT, 2> out;
  pipe.InitBuffer(in, 2, tile * sizeof(float));
  pipe.InitBuffer(out, 2, tile * sizeof(float));
  for (uint32_t offset = GetBlockIdx() * tile; offset < length; offset += GetBlockNum() * tile) {
    uint32_t count = length - offset < tile ? length - offset : tile;
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopyPad(a, xGm[offset], {1, static_cast<uint32_t>(count * sizeof(float)), 0, 0, 0}, {false, 0, 0, 0.0f});
    in.EnQue(a);
    a = in.DeQue<float>();
    LocalTensor<float> b = out.AllocTensor<float>();
    asc_vf_call<GeluVf>((__ubuf__ float *)b.GetPhyAddr(), (__ubuf__ float *)a.GetPhyAddr(), count, (count + 63) / 64);
    out.EnQue(b);
    in.FreeTensor(a);
    b = out.DeQue<float>();
    DataCopyPad(yGm[offset], b, {1, static_cast<uint32_t>(count * sizeof(float)), 0, 0, 0});
    out.FreeTensor(b);
  }
}
