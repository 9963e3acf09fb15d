// Register instructions behind one switch, for test_ascendc_registers.py: loads whole registers, makes one call under a
// mask of the first lanes, stores every lane of the result.
#include "kernel_operator.h"

using namespace AscendC;

struct Request {
  int32_t op, dtype, lanes, merging;
  float scalar;
  int32_t integer;
};

template <typename T> T ScalarOf(float scalar, int32_t integer) {
  if constexpr (std::is_integral_v<T>)
    return T(integer);
  else
    return T(scalar);
}

template <typename T, MaskMergeMode mode>
void Compute(int32_t op, Reg::RegTensor<T> &d, Reg::RegTensor<T> &a, Reg::RegTensor<T> &b, T s, Reg::MaskReg &m) {
  switch (op) {
  case 0:
    return Reg::Add<T, mode>(d, a, b, m);
  case 1:
    return Reg::Sub<T, mode>(d, a, b, m);
  case 2:
    return Reg::Mul<T, mode>(d, a, b, m);
  case 3:
    return Reg::Max<T, mode>(d, a, b, m);
  case 4:
    return Reg::Min<T, mode>(d, a, b, m);
  case 5:
    return Reg::Div<T, mode>(d, a, b, m);
  case 6:
    return Reg::Adds<T, T, mode>(d, a, s, m);
  case 7:
    return Reg::Muls<T, T, mode>(d, a, s, m);
  case 8:
    return Reg::Abs<T, mode>(d, a, m);
  case 9:
    return Reg::Exp<T, mode>(d, a, m);
  case 10:
    return Reg::Sqrt<T, mode>(d, a, m);
  case 11:
    return Reg::MulAddDst<T, mode>(d, a, b, m);
  case 12:
    return Reg::Move<T, mode>(d, a, m);
  case 13:
    return Reg::Duplicate<T, mode>(d, s, m);
  case 14: {
    Reg::MaskReg less;
    Reg::Compare<T, CMPMODE::LT>(less, a, b, m);
    return Reg::Select(d, a, b, less);
  }
  case 15:
    return Reg::Reduce<ReduceType::SUM>(d, a, m);
  case 16:
    return Reg::Reduce<ReduceType::MAX>(d, a, m);
  case 17:
    return Reg::Reduce<ReduceType::MIN>(d, a, m);
  }
}

template <typename T>
__simd_vf__ void One(__ubuf__ T *d, __ubuf__ T *a, __ubuf__ T *b, int32_t op, uint32_t lanes, int32_t merging,
                     float scalar, int32_t integer) {
  Reg::RegTensor<T> dst, left, right;
  Reg::LoadAlign(dst, d);
  Reg::LoadAlign(left, a);
  Reg::LoadAlign(right, b);
  Reg::MaskReg all = Reg::CreateMask<T>(), mask = Reg::UpdateMask<T>(lanes);
  T s = ScalarOf<T>(scalar, integer);
  if (merging)
    Compute<T, MaskMergeMode::MERGING>(op, dst, left, right, s, mask);
  else
    Compute<T, MaskMergeMode::ZEROING>(op, dst, left, right, s, mask);
  Reg::StoreAlign(d, dst, all);
}

// Elements of a narrow type one to each 32-bit lane, there and back.
template <typename T> __simd_vf__ void Spread(__ubuf__ T *d, __ubuf__ T *a, __ubuf__ T *b, uint32_t lanes) {
  Reg::RegTensor<T> left, right;
  Reg::MaskReg mask = Reg::UpdateMask<uint32_t>(lanes);
  if constexpr (sizeof(T) == 2) {
    Reg::LoadAlign<T, Reg::LoadDist::DIST_UNPACK_B16>(left, a);
    Reg::LoadAlign<T, Reg::LoadDist::DIST_BRC_B16>(right, b + 1);
    Reg::Add(left, left, right, mask);
    Reg::StoreAlign<T, Reg::StoreDist::DIST_PACK_B32>(d, left, mask);
  } else if constexpr (sizeof(T) == 1) {
    Reg::LoadAlign<T, Reg::LoadDist::DIST_UNPACK4_B8>(left, a);
    Reg::LoadAlign<T, Reg::LoadDist::DIST_BRC_B8>(right, b + 1);
    Reg::Add(left, left, right, mask);
    Reg::StoreAlign<T, Reg::StoreDist::DIST_PACK4_B32>(d, left, mask);
  } else {
    Reg::LoadAlign(left, a);
    Reg::LoadAlign<T, Reg::LoadDist::DIST_BRC_B32>(right, b + 1);
    Reg::Add(left, left, right, mask);
    Reg::StoreAlign<T, Reg::StoreDist::DIST_NORM_B32>(d, left, mask);
  }
}

template <typename T> void Run(GM_ADDR d, GM_ADDR a, GM_ADDR b, const Request &r) {
  GlobalTensor<uint8_t> gm[3];
  GM_ADDR all[] = {d, a, b};
  for (int i = 0; i < 3; ++i) {
    gm[i].SetGlobalBuffer(all[i]);
    DataCopy(LocalTensor<uint8_t>(TPosition::VECIN, i * 256, 256), gm[i], 256);
  }
  SetFlag<HardEvent::MTE2_V>(0);
  WaitFlag<HardEvent::MTE2_V>(0);
  auto at = [](uint32_t i) {
    return (__ubuf__ T *)LocalTensor<T>(TPosition::VECCALC, i * 256, 256 / sizeof(T)).GetPhyAddr();
  };
  if (r.op < 0)
    asc_vf_call<Spread<T>>(at(0), at(1), at(2), r.lanes);
  else
    asc_vf_call<One<T>>(at(0), at(1), at(2), r.op, r.lanes, r.merging, r.scalar, r.integer);
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  DataCopy(gm[0], LocalTensor<uint8_t>(TPosition::VECOUT, 0, 256), 256);
}

extern "C" __global__ __aicore__ void registers(GM_ADDR d, GM_ADDR a, GM_ADDR b, Request r) {
  switch (r.dtype) {
  case 0:
    return Run<half>(d, a, b, r);
  case 1:
    return Run<float>(d, a, b, r);
  case 2:
    return Run<int16_t>(d, a, b, r);
  case 3:
    return Run<int32_t>(d, a, b, r);
  case 4:
    return Run<uint16_t>(d, a, b, r);
  case 5:
    return Run<uint32_t>(d, a, b, r);
  case 6:
    return Run<int8_t>(d, a, b, r);
  case 7:
    return Run<uint8_t>(d, a, b, r);
  case 8:
    return Run<bfloat16_t>(d, a, b, r);
  }
}
