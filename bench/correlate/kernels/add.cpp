// z = x + y in the steps of the vendor's best-practice sample: tensors at fixed addresses, flags by hand, one flag after
// both loads. A core has a run of whole tiles.
#include "kernel_operator.h"

using namespace AscendC;

// `buffers` sets of three tiles; hints make the loads bypass L2; `gap` bytes more between x and y move them into other
// bank groups. With `inTurn` the loads of a set wait until its last result is stored, otherwise until it is computed.
template <typename T, bool inTurn = false>
__aicore__ inline void addTiles(GM_ADDR x, GM_ADDR y, GM_ADDR z, int64_t length, int32_t tile, int32_t buffers,
                                int32_t bypass, int32_t gap) {
  GlobalTensor<T> xGm, yGm, zGm;
  xGm.SetGlobalBuffer((__gm__ T *)x, length);
  yGm.SetGlobalBuffer((__gm__ T *)y, length);
  zGm.SetGlobalBuffer((__gm__ T *)z, length);
  if (bypass) {
    xGm.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);
    yGm.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);
  }
  int64_t tiles = (length + tile - 1) / tile;
  int64_t first = tiles * GetBlockIdx() / GetBlockNum(), last = tiles * (GetBlockIdx() + 1) / GetBlockNum();
  constexpr HardEvent freed = inTurn ? HardEvent::MTE3_MTE2 : HardEvent::V_MTE2;
  int32_t bytes = tile * sizeof(T), yBase = buffers * bytes + gap, zBase = yBase + buffers * bytes;
  for (int32_t slot = 0; slot < buffers; ++slot) {
    SetFlag<freed>(slot);
    SetFlag<HardEvent::MTE3_V>(slot);
  }
  int32_t slot = 0;
  for (int64_t i = first; i < last; ++i) {
    int64_t at = i * tile;
    int32_t count = length - at < tile ? length - at : tile;
    LocalTensor<T> xLocal(TPosition::VECIN, slot * bytes, tile);
    LocalTensor<T> yLocal(TPosition::VECIN, yBase + slot * bytes, tile);
    LocalTensor<T> zLocal(TPosition::VECOUT, zBase + slot * bytes, tile);
    WaitFlag<freed>(slot);
    DataCopy(xLocal, xGm[at], count);
    DataCopy(yLocal, yGm[at], count);
    SetFlag<HardEvent::MTE2_V>(slot);
    WaitFlag<HardEvent::MTE2_V>(slot);
    WaitFlag<HardEvent::MTE3_V>(slot);
    Add(zLocal, xLocal, yLocal, count);
    if (!inTurn)
      SetFlag<freed>(slot);
    SetFlag<HardEvent::V_MTE3>(slot);
    WaitFlag<HardEvent::V_MTE3>(slot);
    DataCopy(zGm[at], zLocal, count);
    SetFlag<HardEvent::MTE3_V>(slot);
    if (inTurn)
      SetFlag<freed>(slot);
    slot = slot + 1 == buffers ? 0 : slot + 1;
  }
  for (int32_t slot = 0; slot < buffers; ++slot) {
    WaitFlag<freed>(slot);
    WaitFlag<HardEvent::MTE3_V>(slot);
  }
}

extern "C" __global__ __aicore__ void add_half(GM_ADDR x, GM_ADDR y, GM_ADDR z, int64_t length, int32_t tile,
                                               int32_t buffers, int32_t bypass, int32_t gap) {
  addTiles<half>(x, y, z, length, tile, buffers, bypass, gap);
}

extern "C" __global__ __aicore__ void add_half_in_turn(GM_ADDR x, GM_ADDR y, GM_ADDR z, int64_t length, int32_t tile,
                                                       int32_t buffers, int32_t bypass, int32_t gap) {
  addTiles<half, true>(x, y, z, length, tile, buffers, bypass, gap);
}

extern "C" __global__ __aicore__ void add_float(GM_ADDR x, GM_ADDR y, GM_ADDR z, int64_t length, int32_t tile,
                                                int32_t buffers, int32_t bypass, int32_t gap) {
  addTiles<float>(x, y, z, length, tile, buffers, bypass, gap);
}

// The sample's first step: the scalar unit adds, one element after another.
extern "C" __global__ __aicore__ void add_scalar(GM_ADDR x, GM_ADDR y, GM_ADDR z, int64_t length, int32_t tile) {
  GlobalTensor<half> xGm, yGm, zGm;
  xGm.SetGlobalBuffer((__gm__ half *)x, length);
  yGm.SetGlobalBuffer((__gm__ half *)y, length);
  zGm.SetGlobalBuffer((__gm__ half *)z, length);
  LocalTensor<half> xLocal(TPosition::VECIN, 0, tile);
  LocalTensor<half> yLocal(TPosition::VECIN, tile * sizeof(half), tile);
  LocalTensor<half> zLocal(TPosition::VECOUT, 2 * tile * sizeof(half), tile);
  for (int64_t at = 0; at < length; at += tile) {
    DataCopy(xLocal, xGm[at], tile);
    DataCopy(yLocal, yGm[at], tile);
    SetFlag<HardEvent::MTE2_S>(0);
    WaitFlag<HardEvent::MTE2_S>(0);
    for (int32_t i = 0; i < tile; ++i)
      zLocal.SetValue(i, half(float(xLocal.GetValue(i)) + float(yLocal.GetValue(i))));
    SetFlag<HardEvent::S_MTE3>(0);
    WaitFlag<HardEvent::S_MTE3>(0);
    DataCopy(zGm[at], zLocal, tile);
    SetFlag<HardEvent::MTE3_S>(0);
    WaitFlag<HardEvent::MTE3_S>(0);
    SetFlag<HardEvent::S_MTE2>(0);
    WaitFlag<HardEvent::S_MTE2>(0);
  }
}
