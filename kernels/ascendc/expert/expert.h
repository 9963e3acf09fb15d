// What the expert kernels share: how work is dealt out to cores and tiles.
#ifndef TILESMITH_EXPERT_H
#define TILESMITH_EXPERT_H

#include "kernel_operator.h"

namespace expert {

__aicore__ inline uint32_t CeilDiv(uint32_t a, uint32_t b) { return (a + b - 1) / b; }
__aicore__ inline uint32_t RoundUp(uint32_t a, uint32_t b) { return CeilDiv(a, b) * b; }
__aicore__ inline uint32_t Least(uint32_t a, uint32_t b) { return a < b ? a : b; }

// The part of `total` units that this core has, in tiles of nearly equal size of at most `most` units. Whole granules go to
// cores and tiles, so that all but the last begin where a granule begins. Cores with equal parts end at the same time,
// and a short last tile would cost as much latency as a long one.
struct Share {
  uint32_t first = 0, count = 0, tile = 0;

  __aicore__ inline Share(uint32_t total, uint32_t most, uint32_t granule) {
    uint64_t granules = CeilDiv(total, granule), cores = AscendC::GetBlockNum(), me = AscendC::GetBlockIdx();
    uint32_t begin = uint32_t(granules * me / cores), end = uint32_t(granules * (me + 1) / cores);
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

#if __NPU_ARCH__ == 3510

constexpr uint32_t LANES = AscendC::VECTOR_REG_WIDTH / sizeof(float);
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
