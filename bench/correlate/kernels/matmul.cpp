// c = a * b, f16 or bf16 in and out, in the steps of a hand-written product: from one buffer everywhere and one step of
// k per load to deep stages in L1, rings of their own for L1 and L0, and an order of tiles that L2 likes. Runs on both
// architectures. Sizes are multiples of the tile and of the steps.
#include "kernel_operator.h"

using namespace AscendC;

struct Plan {
  int32_t m, n, k;
  int32_t tileM, tileN; // of the result, in L0C
  int32_t deep, step;   // of k: per load into L1, per product
  int32_t rings1, rings0;
  // How tiles are dealt out. Positive: in turn, down this many rows before the next column; 0: down all rows. Negative:
  // each core has a block of its own, and so many of them lie below each other; it goes down its block column by
  // column.
  int32_t group;
};

// With `byUnits` a product and its write-out hand each other L0C by unitFlag, without flags of their pipes. With `ahead`
// the loads of a stage of L1 are issued before the products of the stage before it, for which L1 holds two; otherwise they
// come after these, when the queues of MTE1 and M have room for them.
template <typename T, bool byUnits = false, bool ahead = false> class Product {
public:
  __aicore__ inline Product(GM_ADDR a, GM_ADDR b, GM_ADDR c, const Plan &plan) : plan(plan) {
    aGm.SetGlobalBuffer((__gm__ T *)a);
    bGm.SetGlobalBuffer((__gm__ T *)b);
    cGm.SetGlobalBuffer((__gm__ T *)c);
  }

  __aicore__ inline void Process() {
    for (int32_t i = 0; i < plan.rings1; ++i)
      SetFlag<HardEvent::MTE1_MTE2>(i);
    for (int32_t i = 0; i < plan.rings0; ++i)
      SetFlag<HardEvent::M_MTE1>(i);
    if (!byUnits)
      SetFlag<HardEvent::FIX_M>(0);
    if (ahead && TileAt(0).isThere)
      Load(TileAt(0), 0);
    for (int32_t index = 0; TileAt(index).isThere; ++index)
      OneTile(TileAt(index), TileAt(index + 1));
    for (int32_t i = 0; i < plan.rings1; ++i)
      WaitFlag<HardEvent::MTE1_MTE2>(i);
    for (int32_t i = 0; i < plan.rings0; ++i)
      WaitFlag<HardEvent::M_MTE1>(i);
    if (!byUnits)
      WaitFlag<HardEvent::FIX_M>(0);
  }

private:
  struct Tile {
    bool isThere = false;
    int32_t row = 0, column = 0;
  };
  // The tiles of this core, in their order.
  __aicore__ inline Tile TileAt(int32_t index) const {
    int32_t down = plan.m / plan.tileM, across = plan.n / plan.tileN;
    return plan.group < 0 ? OfOwnBlock(index, down, across, -plan.group) : InTurn(index, down, across);
  }

  __aicore__ inline Tile InTurn(int32_t index, int32_t down, int32_t across) const {
    int32_t i = GetBlockIdx() + index * GetBlockNum();
    int32_t group = plan.group ? plan.group : down, inGroup = group * across, first = i / inGroup * group;
    int32_t height = down - first < group ? down - first : group;
    return i < down * across ? Tile{true, first + i % inGroup % height, i % inGroup / height} : Tile{};
  }

  __aicore__ inline Tile OfOwnBlock(int32_t index, int32_t down, int32_t across, int32_t coresDown) const {
    int32_t coresAcross = GetBlockNum() / coresDown;
    int32_t height = (down + coresDown - 1) / coresDown, width = (across + coresAcross - 1) / coresAcross;
    int32_t top = GetBlockIdx() % coresDown * height, left = GetBlockIdx() / coresDown * width;
    height = down - top < height ? down - top : height;
    width = across - left < width ? across - left : width;
    if (height <= 0 || width <= 0 || index >= height * width)
      return {};
    return {true, top + index % height, left + index / height};
  }

  // A stage of L1: both operands from `k` on.
  __aicore__ inline void Load(const Tile &tile, int32_t k) {
    int32_t aSize = plan.tileM * plan.deep, bSize = plan.deep * plan.tileN;
    LocalTensor<T> a1(TPosition::A1, load1 * (aSize + bSize) * sizeof(T), aSize);
    LocalTensor<T> b1(TPosition::B1, (load1 * (aSize + bSize) + aSize) * sizeof(T), bSize);
    WaitFlag<HardEvent::MTE1_MTE2>(load1);
    DataCopy(a1, aGm[int64_t(tile.row) * plan.tileM * plan.k + k],
             Nd2NzParams(1, plan.tileM, plan.deep, 0, plan.k, plan.tileM, 1, 0));
    DataCopy(b1, bGm[int64_t(k) * plan.n + tile.column * plan.tileN],
             Nd2NzParams(1, plan.deep, plan.tileN, 0, plan.n, plan.deep, 1, 0));
    SetFlag<HardEvent::MTE2_MTE1>(load1);
    load1 = load1 + 1 == plan.rings1 ? 0 : load1 + 1;
  }

  __aicore__ inline void OneTile(const Tile &tile, const Tile &following) {
    LocalTensor<float> c(TPosition::CO1, 0, plan.tileM * plan.tileN);
    int32_t aSize = plan.tileM * plan.deep, bSize = plan.deep * plan.tileN;
    if (!byUnits)
      WaitFlag<HardEvent::FIX_M>(0);
    for (int32_t k = 0; k < plan.k; k += plan.deep) {
      if (!ahead)
        Load(tile, k);
      else if (k + plan.deep < plan.k)
        Load(tile, k + plan.deep);
      else if (following.isThere)
        Load(following, 0);
      LocalTensor<T> a1(TPosition::A1, slot1 * (aSize + bSize) * sizeof(T), aSize);
      LocalTensor<T> b1(TPosition::B1, (slot1 * (aSize + bSize) + aSize) * sizeof(T), bSize);
      WaitFlag<HardEvent::MTE2_MTE1>(slot1);
      for (int32_t at = 0; at < plan.deep; at += plan.step)
        OneStep(a1, b1, c, at, k + at == 0, k + at + plan.step == plan.k);
      SetFlag<HardEvent::MTE1_MTE2>(slot1);
      slot1 = slot1 + 1 == plan.rings1 ? 0 : slot1 + 1;
    }
    if (!byUnits) {
      SetFlag<HardEvent::M_FIX>(0);
      WaitFlag<HardEvent::M_FIX>(0);
    }
    FixpipeParamsV220 store;
    store.unitFlag = byUnits ? 3 : 0;
    store.nSize = plan.tileN;
    store.mSize = plan.tileM;
    store.srcStride = plan.tileM;
    store.dstStride = plan.n;
    store.quantPre = sizeof(T) == 2 && std::is_same<T, half>::value ? QuantMode_t::F322F16 : QuantMode_t::F322BF16;
    Fixpipe<T, float, CFG_ROW_MAJOR>(cGm[int64_t(tile.row) * plan.tileM * plan.n + tile.column * plan.tileN], c, store);
    if (!byUnits)
      SetFlag<HardEvent::FIX_M>(0);
  }

  __aicore__ inline void OneStep(const LocalTensor<T> &a1, const LocalTensor<T> &b1, const LocalTensor<float> &c,
                                 int32_t at, bool first, bool last) {
    int32_t half0 = 65536 / plan.rings0, deep = plan.step / 16, high = plan.tileM / 16, wide = plan.tileN / 16;
    LocalTensor<T> a2(TPosition::A2, slot0 * half0, plan.tileM * plan.step);
    LocalTensor<T> b2(TPosition::B2, slot0 * half0, plan.step * plan.tileN);
    WaitFlag<HardEvent::M_MTE1>(slot0);
#if __NPU_ARCH__ == 3510
    LoadData(a2, a1, LoadData2DParamsV2(0, at / 16, high, deep, high, high, false, 0));
    LoadData(b2, b1, LoadData2DParamsV2(at / 16, 0, deep, wide, plan.deep / 16, wide, true, 0));
#else
    for (int32_t i = 0; i < deep; ++i) { // a column of fractals at a time: fewer instructions than rows would be
      LoadData(a2[i * 256], a1[(at / 16 + i) * plan.tileM * 16], LoadData2DParams(0, high, 1, 0, deep - 1, false, 0));
      LoadData(b2[i * 16 * plan.tileN], b1[(at / 16 + i) * 256],
               LoadData2DParams(0, wide, plan.deep / 16, 0, 0, true, 0));
    }
#endif
    SetFlag<HardEvent::MTE1_M>(slot0);
    WaitFlag<HardEvent::MTE1_M>(slot0);
    MmadParams multiply;
    multiply.m = plan.tileM;
    multiply.n = plan.tileN;
    multiply.k = plan.step;
    multiply.cmatrixInitVal = first;
    multiply.unitFlag = !byUnits ? 0 : last ? 3 : 2;
    Mmad(c, a2, b2, multiply);
    SetFlag<HardEvent::M_MTE1>(slot0);
    slot0 = slot0 + 1 == plan.rings0 ? 0 : slot0 + 1;
  }

  const Plan &plan;
  GlobalTensor<T> aGm, bGm, cGm;
  int32_t load1 = 0, slot1 = 0, slot0 = 0; // of the rings, in turn
};

#define MATMUL(name, T, byUnits, ahead)                                                                                       \
  extern "C" __global__ __aicore__ void name(GM_ADDR a, GM_ADDR b, GM_ADDR c, int32_t m, int32_t n, int32_t k,         \
                                             int32_t tileM, int32_t tileN, int32_t deep, int32_t step, int32_t rings1, \
                                             int32_t rings0, int32_t group) {                                          \
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);                                                                    \
    Plan plan{m, n, k, tileM, tileN, deep, step, rings1, rings0, group};                                               \
    Product<T, byUnits, ahead>(a, b, c, plan).Process();                                                                      \
  }

MATMUL(matmul_half, half, false, false)
MATMUL(matmul_half_ahead, half, false, true)
MATMUL(matmul_half_by_units, half, true, true)
MATMUL(matmul_bfloat, bfloat16_t, false, false)
