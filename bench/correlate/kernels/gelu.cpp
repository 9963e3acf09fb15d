// gelu and element-wise arithmetic after it as vector functions of the 950, in the four loop shapes of the vendor's
// sample: half registers, whole registers, the loop split in two, and the split loops unrolled by two.
#include "kernel_operator.h"

using namespace AscendC;

using Reg32 = Reg::RegTensor<float>;

__simd_callee__ inline void Gelu(Reg32 &value, Reg32 &work, Reg::MaskReg &mask) {
  Reg::Mul(work, value, value, mask);
  Reg::Mul(work, work, value, mask);
  Reg::Muls(work, work, 0.044715f, mask);
  Reg::Add(work, work, value, mask);
  Reg::Muls(work, work, -1.5957691216f, mask);
  Reg::Exp(work, work, mask);
  Reg::Adds(work, work, 1.0f, mask);
  Reg::Div(value, value, work, mask);
}

__simd_callee__ inline void Elementwise(Reg32 &value, Reg::MaskReg &mask) {
  Reg::Muls(value, value, 0.5f, mask);
  Reg::Adds(value, value, 1.0f, mask);
  Reg::Maxs(value, value, 0.0f, mask);
}

// Both in one loop, `lanes` of a register in use.
__simd_vf__ inline void OneLoop(__ubuf__ float *y, __ubuf__ float *x, uint32_t lanes, uint16_t trips) {
  uint32_t used = lanes;
  Reg::MaskReg mask = Reg::UpdateMask<float>(used);
  Reg32 value, work;
  for (uint16_t i = 0; i < trips; ++i) {
    Reg::LoadAlign(value, x + i * lanes);
    Gelu(value, work, mask);
    Elementwise(value, mask);
    Reg::StoreAlign(y + i * lanes, value, mask);
  }
}

__simd_vf__ inline void TwoLoops(__ubuf__ float *y, __ubuf__ float *x, uint32_t lanes, uint16_t trips) {
  uint32_t used = lanes;
  Reg::MaskReg mask = Reg::UpdateMask<float>(used);
  Reg32 value, work;
  for (uint16_t i = 0; i < trips; ++i) {
    Reg::LoadAlign(value, x + i * lanes);
    Gelu(value, work, mask);
    Reg::StoreAlign(y + i * lanes, value, mask);
  }
  Reg::LocalMemBar<Reg::MemType::VEC_STORE, Reg::MemType::VEC_LOAD>();
  for (uint16_t i = 0; i < trips; ++i) {
    Reg::LoadAlign(value, y + i * lanes);
    Elementwise(value, mask);
    Reg::StoreAlign(y + i * lanes, value, mask);
  }
}

__simd_vf__ inline void Unrolled(__ubuf__ float *y, __ubuf__ float *x, uint32_t lanes, uint16_t trips) {
  uint32_t used = lanes;
  Reg::MaskReg mask = Reg::UpdateMask<float>(used);
  Reg32 value, work, value2, work2;
  uint16_t pairs = trips / 2;
  for (uint16_t i = 0; i < pairs; ++i) {
    Reg::LoadAlign(value, x + 2 * i * lanes);
    Reg::LoadAlign(value2, x + (2 * i + 1) * lanes);
    Gelu(value, work, mask);
    Gelu(value2, work2, mask);
    Reg::StoreAlign(y + 2 * i * lanes, value, mask);
    Reg::StoreAlign(y + (2 * i + 1) * lanes, value2, mask);
  }
  Reg::LocalMemBar<Reg::MemType::VEC_STORE, Reg::MemType::VEC_LOAD>();
  for (uint16_t i = 0; i < pairs; ++i) {
    Reg::LoadAlign(value, y + 2 * i * lanes);
    Reg::LoadAlign(value2, y + (2 * i + 1) * lanes);
    Elementwise(value, mask);
    Elementwise(value2, mask);
    Reg::StoreAlign(y + 2 * i * lanes, value, mask);
    Reg::StoreAlign(y + (2 * i + 1) * lanes, value2, mask);
  }
}

// shape: 0 half registers, 1 whole ones, 2 split, 3 split and unrolled.
extern "C" __global__ __aicore__ void gelu_shapes(GM_ADDR x, GM_ADDR y, int64_t length, int32_t tile, int32_t shape) {
  GlobalTensor<float> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ float *)x, length);
  yGm.SetGlobalBuffer((__gm__ float *)y, length);
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TQue<TPosition::VECOUT, 2> out;
  pipe.InitBuffer(in, 2, tile * sizeof(float));
  pipe.InitBuffer(out, 2, tile * sizeof(float));
  int64_t tiles = length / tile;
  int64_t last = tiles * (GetBlockIdx() + 1) / GetBlockNum();
  for (int64_t i = tiles * GetBlockIdx() / GetBlockNum(); i < last; ++i) {
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, xGm[i * tile], tile);
    in.EnQue(a);
    a = in.DeQue<float>();
    LocalTensor<float> b = out.AllocTensor<float>();
    auto *to = (__ubuf__ float *)b.GetPhyAddr(), *from = (__ubuf__ float *)a.GetPhyAddr();
    uint32_t lanes = shape == 0 ? 32 : 64;
    uint16_t trips = tile / lanes;
    if (shape < 2)
      asc_vf_call<OneLoop>(to, from, lanes, trips);
    else if (shape == 2)
      asc_vf_call<TwoLoops>(to, from, lanes, trips);
    else
      asc_vf_call<Unrolled>(to, from, lanes, trips);
    out.EnQue(b);
    in.FreeTensor(a);
    b = out.DeQue<float>();
    DataCopy(yGm[i * tile], b, tile);
    out.FreeTensor(b);
  }
}
