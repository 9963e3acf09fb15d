// c = a * b^T with MX scales on the 950: a is [m, k], b is [n, k], both of 8- or 4-bit floats, c is f32. One scale for
// 32 values along k; scales lie in global memory as the unit reads them, in fractals of 16 rows of two. Deep stages in
// L1, rings of their own for L1 and L0, L0C handed over by unitFlag. Sizes are multiples of the tile and of the steps.
#include "kernel_operator.h"

using namespace AscendC;

struct Plan {
  int32_t m, n, k;
  int32_t tileM, tileN; // of the result, in L0C
  int32_t deep, step;   // of k: per load into L1, per product
  int32_t group;        // tiles go down this many rows before the next column; 0: all rows
};

template <typename T, int32_t perByte> class Product {
public:
  __aicore__ inline Product(GM_ADDR a, GM_ADDR aScales, GM_ADDR b, GM_ADDR bScales, GM_ADDR c, const Plan &plan)
      : plan(plan) {
    aGm.SetGlobalBuffer((__gm__ T *)a);
    bGm.SetGlobalBuffer((__gm__ T *)b);
    aScalesGm.SetGlobalBuffer((__gm__ fp8_e8m0_t *)aScales);
    bScalesGm.SetGlobalBuffer((__gm__ fp8_e8m0_t *)bScales);
    cGm.SetGlobalBuffer((__gm__ float *)c);
  }

  __aicore__ inline void Process() {
    for (int32_t i = 0; i < 2; ++i) {
      SetFlag<HardEvent::MTE1_MTE2>(i);
      SetFlag<HardEvent::M_MTE1>(i);
    }
    int32_t down = plan.m / plan.tileM, across = plan.n / plan.tileN;
    for (int32_t i = GetBlockIdx(); i < down * across; i += GetBlockNum()) {
      int32_t group = plan.group ? plan.group : down, inGroup = group * across, first = i / inGroup * group;
      int32_t height = down - first < group ? down - first : group;
      OneTile(first + i % inGroup % height, i % inGroup / height);
    }
    for (int32_t i = 0; i < 2; ++i) {
      WaitFlag<HardEvent::MTE1_MTE2>(i);
      WaitFlag<HardEvent::M_MTE1>(i);
    }
  }

private:
  // A factor's rows and their scales, `deep` values along k from k on.
  __aicore__ inline void Load(const LocalTensor<T> &to, const LocalTensor<fp8_e8m0_t> &scales,
                              const GlobalTensor<T> &from, const GlobalTensor<fp8_e8m0_t> &fromScales, int32_t row,
                              int32_t rows, int32_t k) {
    int32_t pitch = plan.k / perByte;
    DataCopy(to, from[int64_t(row) * pitch + k / perByte],
             Nd2NzParams(1, rows, plan.deep / perByte, 0, pitch, rows, 1, 0));
    DataCopy(scales, fromScales[int64_t(row) * (plan.k / 32) + k / 64 * 32],
             DataCopyParams(rows / 16, plan.deep / 64, (plan.k - plan.deep) / 64, 0));
  }

  __aicore__ inline void OneTile(int32_t row, int32_t column) {
    LocalTensor<float> c(TPosition::CO1, 0, plan.tileM * plan.tileN);
    int32_t aBytes = plan.tileM * plan.deep / perByte, bBytes = plan.tileN * plan.deep / perByte;
    int32_t aScalesBytes = plan.tileM * plan.deep / 32, bScalesBytes = plan.tileN * plan.deep / 32;
    int32_t stage = aBytes + bBytes + aScalesBytes + bScalesBytes;
    for (int32_t k = 0; k < plan.k; k += plan.deep) {
      int32_t at = slot1 * stage;
      LocalTensor<T> a1(TPosition::A1, at, aBytes), b1(TPosition::B1, at + aBytes, bBytes);
      LocalTensor<fp8_e8m0_t> aScales1(TPosition::A1, at + aBytes + bBytes, aScalesBytes);
      LocalTensor<fp8_e8m0_t> bScales1(TPosition::B1, at + aBytes + bBytes + aScalesBytes, bScalesBytes);
      WaitFlag<HardEvent::MTE1_MTE2>(slot1);
      Load(a1, aScales1, aGm, aScalesGm, row * plan.tileM, plan.tileM, k);
      Load(b1, bScales1, bGm, bScalesGm, column * plan.tileN, plan.tileN, k);
      SetFlag<HardEvent::MTE2_MTE1>(slot1);
      WaitFlag<HardEvent::MTE2_MTE1>(slot1);
      for (int32_t inner = 0; inner < plan.deep; inner += plan.step)
        OneStep(a1, aScales1, b1, bScales1, c, inner, k + inner == 0, k + inner + plan.step == plan.k);
      SetFlag<HardEvent::MTE1_MTE2>(slot1);
      slot1 = 1 - slot1;
    }
    FixpipeParamsC310<CO2Layout::ROW_MAJOR> store;
    store.nSize = plan.tileN;
    store.mSize = plan.tileM;
    store.srcStride = plan.tileM;
    store.dstStride = plan.n;
    store.unitFlag = 3;
    Fixpipe<float, float, CFG_ROW_MAJOR>(cGm[int64_t(row) * plan.tileM * plan.n + column * plan.tileN], c, store);
  }

  __aicore__ inline void OneStep(const LocalTensor<T> &a1, const LocalTensor<fp8_e8m0_t> &aScales1,
                                 const LocalTensor<T> &b1, const LocalTensor<fp8_e8m0_t> &bScales1,
                                 const LocalTensor<float> &c, int32_t inner, bool first, bool last) {
    int32_t width = 32 * perByte, high = plan.tileM / 16, wide = plan.tileN / 16;
    LocalTensor<T> a2(TPosition::A2, slot0 * 32768, plan.tileM * plan.step / perByte);
    LocalTensor<T> b2(TPosition::B2, slot0 * 32768, plan.tileN * plan.step / perByte);
    auto part = [&](int32_t rows) {
      return LoadData2DParamsV2(0, inner / width, rows, plan.step / width, rows, rows, false, 0);
    };
    auto scales = [&](int32_t rows) {
      return LoadData2DMxParams(0, inner / 64, rows, plan.step / 64, plan.deep / 64, plan.step / 64);
    };
    WaitFlag<HardEvent::M_MTE1>(slot0);
    LoadData(a2, a1, aScales1, part(high), scales(high));
    LoadData(b2, b1, bScales1, part(wide), scales(wide));
    SetFlag<HardEvent::MTE1_M>(slot0);
    WaitFlag<HardEvent::MTE1_M>(slot0);
    MmadMx(c, a2, b2, MmadParams(plan.tileM, plan.tileN, plan.step, last ? 3 : 2, false, first));
    SetFlag<HardEvent::M_MTE1>(slot0);
    slot0 = 1 - slot0;
  }

  const Plan &plan;
  GlobalTensor<T> aGm, bGm;
  GlobalTensor<fp8_e8m0_t> aScalesGm, bScalesGm;
  GlobalTensor<float> cGm;
  int32_t slot1 = 0, slot0 = 0;
};

extern "C" __global__ __aicore__ void matmul_mxfp8(GM_ADDR a, GM_ADDR aScales, GM_ADDR b, GM_ADDR bScales, GM_ADDR c,
                                                   int32_t m, int32_t n, int32_t k, int32_t tileM, int32_t tileN,
                                                   int32_t deep, int32_t step, int32_t group) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  Plan plan{m, n, k, tileM, tileN, deep, step, group};
  Product<fp8_e4m3fn_t, 1>(a, aScales, b, bScales, c, plan).Process();
}

extern "C" __global__ __aicore__ void matmul_mxfp4(GM_ADDR a, GM_ADDR aScales, GM_ADDR b, GM_ADDR bScales, GM_ADDR c,
                                                   int32_t m, int32_t n, int32_t k, int32_t tileM, int32_t tileN,
                                                   int32_t deep, int32_t step, int32_t group) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  Plan plan{m, n, k, tileM, tileN, deep, step, group};
  Product<fp4x2_e2m1_t, 2>(a, aScales, b, bScales, c, plan).Process();
}
