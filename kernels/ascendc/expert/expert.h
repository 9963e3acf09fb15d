// What the expert kernels share: how work is dealt out to cores and tiles.
#ifndef TILESMITH_EXPERT_H
#define TILESMITH_EXPERT_H

#include "kernel_operator.h"

namespace expert {

__aicore__ inline uint32_t CeilDiv(uint32_t a, uint32_t b) { return (a + b - 1) / b; }
__aicore__ inline uint32_t RoundUp(uint32_t a, uint32_t b) { return CeilDiv(a, b) * b; }
__aicore__ inline uint32_t Least(uint32_t a, uint32_t b) { return a < b ? a : b; }

// Cores are started one after another, which takes the 910B 9 us. Bytes that the first one loads before the last begins.
constexpr uint64_t HEAD_START = __NPU_ARCH__ == 3510 ? 0 : 224 * 1024;

// The part of `total` units that this core has, in tiles of nearly equal size of at most `most` units. Whole granules go to
// cores and tiles, so that all but the last begin where a granule begins. Cores with equal parts end as they began; where
// memory decides, the first ones take more, up to `lead` units more than the last, and all end at the same time. A short
// last tile would cost as much latency as a long one.
struct Share {
  uint32_t first = 0, count = 0, tile = 0;

  __aicore__ inline Share(uint32_t total, uint32_t most, uint32_t granule, uint64_t lead = 0) {
    uint64_t granules = CeilDiv(total, granule), cores = AscendC::GetBlockNum(), me = AscendC::GetBlockIdx();
    uint64_t leading = lead / granule < granules / cores ? lead / granule : granules / cores;
    auto cut = [&](uint64_t core) {
      return uint32_t(granules * core / cores + leading * core * (cores - core) / (2 * cores));
    };
    uint32_t begin = cut(me), end = cut(me + 1);
    first = begin * granule;
    count = Least(end * granule, total) - Least(first, total);
    uint32_t tiles = CeilDiv(count, most / granule * granule);
    tile = tiles ? RoundUp(CeilDiv(count, tiles), granule) : 0;
  }
  __aicore__ inline uint32_t Tiles() const { return tile ? CeilDiv(count, tile) : 0; }
  __aicore__ inline uint32_t Begin(uint32_t index) const { return first + index * tile; }
  __aicore__ inline uint32_t Size(uint32_t index) const { return Least(tile, count - index * tile); }
};

// Loads and stores of a whole number of elements that need not fill a block of 32 bytes.
template <typename T>
__aicore__ inline void Load(const AscendC::LocalTensor<T> &to, const AscendC::GlobalTensor<T> &from, uint32_t count) {
  AscendC::DataCopyPad(to, from, {1, uint32_t(count * sizeof(T)), 0, 0, 0}, {false, 0, 0, T(0)});
}
template <typename T>
__aicore__ inline void Store(const AscendC::GlobalTensor<T> &to, const AscendC::LocalTensor<T> &from, uint32_t count) {
  AscendC::DataCopyPad(to, from, {1, uint32_t(count * sizeof(T)), 0, 0, 0});
}

// Rows of `columns` elements in GM, `pitch` apart in UB.
template <typename T>
__aicore__ inline void LoadRows(const AscendC::LocalTensor<T> &to, const AscendC::GlobalTensor<T> &from, uint32_t rows,
                                uint32_t columns, uint32_t pitch) {
  if (columns == pitch)
    return Load(to, from, rows * columns); // one burst
  uint32_t bytes = columns * sizeof(T), gap = (pitch * sizeof(T) - RoundUp(bytes, 32)) / 32;
  AscendC::DataCopyPad(to, from, {uint16_t(rows), bytes, 0, gap, 0}, {false, 0, 0, T(0)});
}
template <typename T>
__aicore__ inline void StoreRows(const AscendC::GlobalTensor<T> &to, const AscendC::LocalTensor<T> &from, uint32_t rows,
                                 uint32_t columns, uint32_t pitch) {
  if (columns == pitch)
    return Store(to, from, rows * columns);
  uint32_t bytes = columns * sizeof(T), gap = (pitch * sizeof(T) - RoundUp(bytes, 32)) / 32;
  AscendC::DataCopyPad(to, from, {uint16_t(rows), bytes, gap, 0, 0});
}

// Takes this core's rows of x through UB to y, in tiles that are changed in place: while one is computed, the next are loaded
// and the last one is stored, each in a buffer of its own. The flags of the first BUFFERS numbers are its own.
template <typename T, uint32_t BUFFERS = 3> class RowsInPlace {
public:
  static constexpr uint32_t SPARE = 512; // bytes behind a tile, for scratch that begins off its banks

  __aicore__ inline RowsInPlace(AscendC::TPipe &pipe, GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns, uint32_t pitch,
                                uint32_t most)
      : share(rows, most, 1, HEAD_START / (columns * sizeof(T))), columns(columns), pitch(pitch) {
    xGm.SetGlobalBuffer((__gm__ T *)x, uint64_t(rows) * columns);
    yGm.SetGlobalBuffer((__gm__ T *)y, uint64_t(rows) * columns);
    step = (most * pitch * sizeof(T) + SPARE) / sizeof(T);
    pipe.InitBuffer(memory, BUFFERS * step * sizeof(T));
  }

  // compute(tile, rows in it)
  template <typename Compute> __aicore__ inline void ForEachTile(Compute &compute) {
    using AscendC::HardEvent;
    for (uint32_t slot = 0; slot < BUFFERS; ++slot)
      AscendC::SetFlag<HardEvent::MTE3_MTE2>(slot);
    constexpr uint32_t ahead = BUFFERS - 2; // one is computed, one stored
    for (uint32_t tile = 0; tile < Least(ahead, share.Tiles()); ++tile)
      LoadTile(tile);
    for (uint32_t tile = 0; tile < share.Tiles(); ++tile) {
      if (tile + ahead < share.Tiles())
        LoadTile(tile + ahead);
      uint32_t slot = tile % BUFFERS;
      AscendC::WaitFlag<HardEvent::MTE2_V>(slot);
      compute(At(slot), share.Size(tile));
      AscendC::SetFlag<HardEvent::V_MTE3>(slot);
      AscendC::WaitFlag<HardEvent::V_MTE3>(slot);
      StoreRows(yGm[uint64_t(share.Begin(tile)) * columns], At(slot), share.Size(tile), columns, pitch);
      AscendC::SetFlag<HardEvent::MTE3_MTE2>(slot);
    }
    for (uint32_t slot = 0; slot < BUFFERS; ++slot)
      AscendC::WaitFlag<HardEvent::MTE3_MTE2>(slot);
  }

private:
  __aicore__ inline AscendC::LocalTensor<T> At(uint32_t slot) { return memory.template Get<T>()[slot * step]; }
  __aicore__ inline void LoadTile(uint32_t tile) {
    uint32_t slot = tile % BUFFERS;
    AscendC::WaitFlag<AscendC::HardEvent::MTE3_MTE2>(slot);
    LoadRows(At(slot), xGm[uint64_t(share.Begin(tile)) * columns], share.Size(tile), columns, pitch);
    AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(slot);
  }

  Share share;
  uint32_t columns, pitch, step;
  AscendC::GlobalTensor<T> xGm, yGm;
  AscendC::TBuf<> memory;
};

#if __NPU_ARCH__ == 3510

constexpr uint32_t REG_LANES = AscendC::VECTOR_REG_WIDTH / sizeof(float);
using FloatReg = AscendC::Reg::RegTensor<float>;
using AscendC::Reg::MaskReg;

// 64 elements of either type as floats in a register, and back.
template <typename T> __aicore__ inline void LoadWide(FloatReg &to, __ubuf__ T *from, const MaskReg &mask) {
  if constexpr (sizeof(T) == 4) {
    AscendC::Reg::LoadAlign(to, from);
  } else {
    static constexpr AscendC::Reg::CastTrait widen = {AscendC::Reg::RegLayout::ZERO, AscendC::Reg::SatMode::UNKNOWN,
                                                      AscendC::Reg::MaskMergeMode::ZEROING, AscendC::RoundMode::UNKNOWN};
    AscendC::Reg::RegTensor<T> narrow;
    AscendC::Reg::LoadAlign<T, AscendC::Reg::LoadDist::DIST_UNPACK_B16>(narrow, from);
    AscendC::Reg::Cast<float, T, widen>(to, narrow, mask);
  }
}
template <typename T> __aicore__ inline void StoreNarrow(__ubuf__ T *to, const FloatReg &from, const MaskReg &mask) {
  if constexpr (sizeof(T) == 4) {
    AscendC::Reg::StoreAlign(to, from, mask);
  } else {
    static constexpr AscendC::Reg::CastTrait round = {AscendC::Reg::RegLayout::ZERO, AscendC::Reg::SatMode::NO_SAT,
                                                      AscendC::Reg::MaskMergeMode::ZEROING, AscendC::RoundMode::CAST_RINT};
    AscendC::Reg::RegTensor<T> narrow;
    AscendC::Reg::Cast<T, float, round>(narrow, from, mask);
    AscendC::Reg::StoreAlign<T, AscendC::Reg::StoreDist::DIST_PACK_B32>(to, narrow, mask);
  }
}
template <typename T> __aicore__ inline __ubuf__ T *PointerTo(const AscendC::LocalTensor<T> &tensor) {
  return (__ubuf__ T *)tensor.GetPhyAddr();
}

#endif

} // namespace expert

#endif
