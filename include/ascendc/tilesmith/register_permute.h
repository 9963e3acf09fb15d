// Registers whose lanes change places: by indices from UB and from registers, in turn, closed up, in strided blocks;
// and reductions of parts of a register.
#ifndef TILESMITH_ASCENDC_REGISTER_PERMUTE_H
#define TILESMITH_ASCENDC_REGISTER_PERMUTE_H

#include "tilesmith/register_choices.h"
#include "tilesmith/register_moves.h"

namespace AscendC {
namespace Reg {

enum class DataCopyMode { NORM, DATA_BLOCK_COPY };
enum class GatherMaskMode { NO_STORE_REG, STORE_REG };
enum class PairReduce { SUM };

//===- By indices
//---------------------------------------------------------------------------------------------------------===//

// Elements of UB, or of a register, by their indices. A narrower element of UB lands in the low part of its lane.
template <typename T = void, typename X, typename S, typename U, const RegTrait &trait>
void Gather(RegTensor<X, trait> &dst, const S *base, const RegTensor<U, trait> &index, const MaskReg &mask,
            tilesmith::Where where = tilesmith::Where::here()) {
  static_assert(sizeof(X) == sizeof(U) && sizeof(S) <= sizeof(X), "Gather: indices have the width of the lanes");
  if (!tilesmith::running(where))
    return;
  dst.ready = tilesmith::counted(tilesmith::Op::Gather, sizeof(X), tilesmith::latest(index.ready, mask.ready));
  index.sources.use(mask.last());
  RegTensor<X, trait> result;
  memset(result.bytes, 0, sizeof result.bytes);
  constexpr int64_t size = sizeof(X), from = sizeof(S);
  for (int64_t i = 0; i < RegTensor<X, trait>::lanes; ++i) {
    int64_t offset = tilesmith::ubOffset(base) + int64_t(uint64_t(index.tsLane(i))) * from;
    if (mask.test(i * size) && tilesmith::mayRead(offset, from, from))
      tsFetch(result.bytes + i * size, offset, from);
  }
  memcpy(dst.bytes, result.bytes, sizeof dst.bytes);
  dst.sources.clear();
}
template <typename T = void, typename X, typename U, const RegTrait &trait>
void Gather(RegTensor<X, trait> &dst, const RegTensor<X, trait> &src, const RegTensor<U, trait> &index,
            tilesmith::Where where = tilesmith::Where::here()) {
  static_assert(sizeof(X) == sizeof(U), "Gather: indices have the width of the lanes");
  if (!tilesmith::running(where))
    return;
  dst.ready = tilesmith::counted(tilesmith::Op::Gather, sizeof(X), tilesmith::latest(index.ready, src.ready));
  index.sources.use(tilesmith::registerBytes - 1);
  RegTensor<X, trait> result;
  int64_t last = 0;
  for (int64_t i = 0; i < RegTensor<X, trait>::lanes; ++i) {
    int64_t lane = int64_t(uint64_t(index.tsLane(i))) & (RegTensor<X, trait>::lanes - 1);
    last = lane > last ? lane : last;
    result.tsSet(i, src.tsLane(lane));
  }
  src.sources.use(last * int64_t(sizeof(X)));
  memcpy(dst.bytes, result.bytes, sizeof dst.bytes);
  dst.sources.clear();
}
// Of lanes with the same index the last one stays here; the chip does not say which.
template <typename T = void, typename S, typename X, typename U, const RegTrait &trait>
void Scatter(S *base, const RegTensor<X, trait> &src, const RegTensor<U, trait> &index, const MaskReg &mask,
             tilesmith::Where where = tilesmith::Where::here()) {
  static_assert(sizeof(X) == sizeof(U) && sizeof(S) <= sizeof(X), "Scatter: indices have the width of the lanes");
  if (!tilesmith::running(where))
    return;
  tilesmith::stored(tilesmith::latest(tilesmith::latest(src.ready, index.ready), mask.ready));
  index.sources.use(mask.last());
  src.sources.use(mask.last());
  constexpr int64_t size = sizeof(X), to = sizeof(S);
  for (int64_t i = 0; i < RegTensor<X, trait>::lanes; ++i) {
    int64_t offset = tilesmith::ubOffset(base) + int64_t(uint64_t(index.tsLane(i))) * to;
    if (mask.test(i * size) && tilesmith::mayWrite(offset, to, to))
      memcpy(tilesmith::vf->ub + offset, src.bytes + i * size, size_t(to));
  }
}

//===- In turn, closed up
//-------------------------------------------------------------------------------------------------===//

// Lanes of two registers in turn, the first half of them in the first result; and back.
template <typename T = void, typename X, const RegTrait &trait>
void Interleave(RegTensor<X, trait> &dst0, RegTensor<X, trait> &dst1, const RegTensor<X, trait> &src0,
                const RegTensor<X, trait> &src1) {
  constexpr int64_t half = RegTensor<X, trait>::lanes / 2;
  RegTensor<X, trait> low, high;
  for (int64_t i = 0; i < half; ++i) {
    low.tsSet(2 * i, src0.tsLane(i));
    low.tsSet(2 * i + 1, src1.tsLane(i));
    high.tsSet(2 * i, src0.tsLane(half + i));
    high.tsSet(2 * i + 1, src1.tsLane(half + i));
  }
  low.sources = src0.sources.scaled(2, 1);
  low.sources.join(src1.sources.scaled(2, 1));
  high.sources = src0.sources.upperHalf();
  high.sources.join(src1.sources.upperHalf());
  low.ready = high.ready = tilesmith::latest(src0.ready, src1.ready);
  dst0 = low;
  dst1 = high;
}
template <typename T = void, typename X, const RegTrait &trait>
void DeInterleave(RegTensor<X, trait> &dst0, RegTensor<X, trait> &dst1, const RegTensor<X, trait> &src0,
                  const RegTensor<X, trait> &src1, tilesmith::Where where = tilesmith::Where::here()) {
  if (!tilesmith::running(where))
    return;
  constexpr int64_t half = RegTensor<X, trait>::lanes / 2;
  RegTensor<X, trait> even, odd;
  for (int64_t i = 0; i < half; ++i) {
    even.tsSet(i, src0.tsLane(2 * i));
    odd.tsSet(i, src0.tsLane(2 * i + 1));
    even.tsSet(half + i, src1.tsLane(2 * i));
    odd.tsSet(half + i, src1.tsLane(2 * i + 1));
  }
  src0.sources.use(tilesmith::registerBytes - 1);
  src1.sources.use(tilesmith::registerBytes - 1);
  even.sources.clear();
  odd.sources.clear();
  even.ready = odd.ready = tilesmith::latest(src0.ready, src1.ready);
  dst0 = even;
  dst1 = odd;
}
template <typename T> void Interleave(MaskReg &dst0, MaskReg &dst1, const MaskReg &src0, const MaskReg &src1) {
  constexpr int64_t width = sizeof(T), half = tilesmith::registerBytes / width / 2;
  MaskReg low, high;
  for (int64_t i = 0; i < half * width; ++i) {
    int64_t to = i / width * 2 * width + i % width;
    if (src0.test(i))
      low.set(to);
    if (src1.test(i))
      low.set(to + width);
    if (src0.test(half * width + i))
      high.set(to);
    if (src1.test(half * width + i))
      high.set(to + width);
  }
  low.width = high.width = width;
  low.lanes = high.lanes = 2 * half;
  low.ready = high.ready = tilesmith::latest(src0.ready, src1.ready);
  dst0 = low;
  dst1 = high;
}
template <typename T> void DeInterleave(MaskReg &dst0, MaskReg &dst1, const MaskReg &src0, const MaskReg &src1) {
  constexpr int64_t width = sizeof(T), half = tilesmith::registerBytes / width / 2;
  MaskReg even, odd;
  for (int64_t i = 0; i < half * width; ++i) {
    int64_t from = i / width * 2 * width + i % width;
    if (src0.test(from))
      even.set(i);
    if (src1.test(from))
      even.set(half * width + i);
    if (src0.test(from + width))
      odd.set(i);
    if (src1.test(from + width))
      odd.set(half * width + i);
  }
  even.width = odd.width = width;
  even.lanes = odd.lanes = 2 * half;
  even.ready = odd.ready = tilesmith::latest(src0.ready, src1.ready);
  dst0 = even;
  dst1 = odd;
}
inline void Select(MaskReg &dst, const MaskReg &a, const MaskReg &b, const MaskReg &mask) {
  MaskReg result = mask;
  for (int i = 0; i < 4; ++i)
    result.bits[i] = (a.bits[i] & mask.bits[i]) | (b.bits[i] & ~mask.bits[i]);
  result.sources.join(a.sources);
  result.sources.join(b.sources);
  result.ready = tilesmith::latest(tilesmith::latest(a.ready, b.ready), mask.ready);
  dst = result;
}

// The chosen lanes one after another, zeros behind them.
template <typename T = void, GatherMaskMode mode = GatherMaskMode::NO_STORE_REG, typename X, const RegTrait &trait>
void Squeeze(RegTensor<X, trait> &dst, const RegTensor<X, trait> &src, const MaskReg &mask,
             tilesmith::Where where = tilesmith::Where::here()) {
  if (!tilesmith::running(where))
    return;
  src.sources.use(mask.last());
  RegTensor<X, trait> result;
  memset(result.bytes, 0, sizeof result.bytes);
  int64_t kept = 0;
  for (int64_t i = 0; i < RegTensor<X, trait>::lanes; ++i)
    if (mask.test(i * int64_t(sizeof(X))))
      result.tsSet(kept++, src.tsLane(i));
  memcpy(dst.bytes, result.bytes, sizeof dst.bytes);
  dst.ready = tilesmith::latest(src.ready, mask.ready);
  dst.sources.clear();
}
// How many lanes before this one are chosen.
template <typename T = void, typename X, const RegTrait &trait>
void Unsqueeze(RegTensor<X, trait> &dst, const MaskReg &mask) {
  static_assert(std::is_integral_v<X>, "Unsqueeze counts into integers");
  X before = 0;
  for (int64_t i = 0; i < RegTensor<X, trait>::lanes; ++i) {
    dst.tsSet(i, before);
    before = X(before + mask.test(i * int64_t(sizeof(X))));
  }
  dst.ready = mask.ready;
  dst.sources.clear();
}

//===- Memory in other shapes
//---------------------------------------------------------------------------------------------===//

// Eight blocks of 32 bytes, so many blocks apart. One without a chosen lane is not touched, and is zero in a register.
template <typename X> constexpr uint32_t tsBlockLanes = 32 / uint32_t(sizeof(X));
inline int64_t tsBlockUsed(const MaskReg &mask, int64_t block) { // the first bytes of it, up to its last chosen lane
  for (int64_t byte = 31; byte >= 0; --byte)
    if (mask.test(block * 32 + byte))
      return byte / mask.width * mask.width + mask.width;
  return 0;
}
template <typename T, DataCopyMode mode, typename X, const RegTrait &trait>
void LoadAlign(RegTensor<X, trait> &dst, const X *p, uint32_t blockStride, const MaskReg &mask,
               tilesmith::Where where = tilesmith::Where::here()) {
  static_assert(mode == DataCopyMode::DATA_BLOCK_COPY, "LoadAlign by blocks: DATA_BLOCK_COPY");
  if (!tilesmith::running(where))
    return;
  dst.ready = tilesmith::loaded();
  memset(dst.bytes, 0, sizeof dst.bytes);
  dst.sources.clear();
  for (int64_t block = 0; block < 8; ++block) {
    int64_t offset = tilesmith::ubOffset(p) + block * int64_t(blockStride) * 32;
    if (int64_t used = tsBlockUsed(mask, block); used && tilesmith::mayRead(offset, used, 32))
      tsFetch(dst.bytes + block * 32, offset, 32);
  }
}
template <typename T, DataCopyMode mode, PostLiteral post, typename X, const RegTrait &trait>
void LoadAlign(RegTensor<X, trait> &dst, X *&p, uint32_t blockStride, uint32_t repeatStride, const MaskReg &mask,
               tilesmith::Where where = tilesmith::Where::here()) {
  LoadAlign<T, mode>(dst, const_cast<const X *>(p), blockStride, mask, where);
  if (post == PostLiteral::POST_MODE_UPDATE)
    p += repeatStride * tsBlockLanes<X>;
}
template <typename T, DataCopyMode mode, typename X, const RegTrait &trait>
void StoreAlign(X *p, const RegTensor<X, trait> &src, uint32_t blockStride, const MaskReg &mask,
                tilesmith::Where where = tilesmith::Where::here()) {
  static_assert(mode == DataCopyMode::DATA_BLOCK_COPY, "StoreAlign by blocks: DATA_BLOCK_COPY");
  if (!tilesmith::running(where))
    return;
  tilesmith::stored(tilesmith::latest(src.ready, mask.ready));
  src.sources.use(mask.last());
  mask.sources.use(mask.last());
  constexpr int64_t size = sizeof(X);
  for (int64_t block = 0; block < 8; ++block) {
    int64_t offset = tilesmith::ubOffset(p) + block * int64_t(blockStride) * 32;
    for (int64_t at = 0; at < 32; at += size)
      if (mask.test(block * 32 + at) && tilesmith::mayWrite(offset + at, size, at ? 1 : 32))
        memcpy(tilesmith::vf->ub + offset + at, src.bytes + block * 32 + at, size_t(size));
  }
}
template <typename T, DataCopyMode mode, PostLiteral post, typename X, const RegTrait &trait>
void StoreAlign(X *&p, const RegTensor<X, trait> &src, uint32_t blockStride, uint32_t repeatStride, const MaskReg &mask,
                tilesmith::Where where = tilesmith::Where::here()) {
  StoreAlign<T, mode>(p, src, blockStride, mask, where);
  if (post == PostLiteral::POST_MODE_UPDATE)
    p += repeatStride * tsBlockLanes<X>;
}
// Two registers in turn; the mask does not matter.
template <typename T, StoreDist dist, typename X, const RegTrait &trait>
void StoreAlign(X *p, const RegTensor<X, trait> &src0, const RegTensor<X, trait> &src1, const MaskReg &,
                tilesmith::Where where = tilesmith::Where::here()) {
  static_assert(dist == StoreDist::DIST_INTLV_B8 || dist == StoreDist::DIST_INTLV_B16 ||
                    dist == StoreDist::DIST_INTLV_B32,
                "StoreAlign: two registers are stored by DIST_INTLV_B8, _B16 or _B32");
  if (!tilesmith::running(where))
    return;
  tilesmith::stored(tilesmith::latest(src0.ready, src1.ready));
  src0.sources.use(tilesmith::registerBytes - 1);
  src1.sources.use(tilesmith::registerBytes - 1);
  constexpr int64_t size = dist == StoreDist::DIST_INTLV_B8 ? 1 : dist == StoreDist::DIST_INTLV_B16 ? 2 : 4;
  int64_t offset = tilesmith::ubOffset(p);
  if (!tilesmith::mayWrite(offset, 2 * tilesmith::registerBytes, 32))
    return;
  for (int64_t i = 0; i < tilesmith::registerBytes; i += size) {
    memcpy(tilesmith::vf->ub + offset + 2 * i, src0.bytes + i, size_t(size));
    memcpy(tilesmith::vf->ub + offset + 2 * i + size, src1.bytes + i, size_t(size));
  }
}
// Masks and unaligned accesses that move their pointer on.
template <typename T, PostLiteral post, MaskDist dist = MaskDist::DIST_NORM, typename X>
void LoadAlign(MaskReg &dst, X *&p, int32_t stride, tilesmith::Where where = tilesmith::Where::here()) {
  LoadAlign<T, dist>(dst, const_cast<const X *>(p), where);
  if (post == PostLiteral::POST_MODE_UPDATE)
    p += stride;
}
template <typename T, PostLiteral post, MaskDist dist = MaskDist::DIST_NORM, typename X>
void StoreAlign(X *&p, const MaskReg &src, int32_t stride, tilesmith::Where where = tilesmith::Where::here()) {
  StoreAlign<T, dist>(p, src, where);
  if (post == PostLiteral::POST_MODE_UPDATE)
    p += stride;
}
template <typename T, PostLiteral post, typename X, const RegTrait &trait>
void LoadUnAlign(RegTensor<X, trait> &dst, UnalignReg &u, X *&p, uint32_t stride,
                 tilesmith::Where where = tilesmith::Where::here()) {
  X *start = p;
  LoadUnAlign(dst, u, p, stride, where);
  if (post != PostLiteral::POST_MODE_UPDATE)
    p = start;
}
template <typename T, PostLiteral post, typename X, const RegTrait &trait>
void StoreUnAlign(X *&p, const RegTensor<X, trait> &src, UnalignReg &u, uint32_t count,
                  tilesmith::Where where = tilesmith::Where::here()) {
  X *start = p;
  StoreUnAlign(p, src, u, count, where);
  if (post != PostLiteral::POST_MODE_UPDATE)
    p = start;
}

//===- Arithmetic of two instructions, reductions of parts
//----------------------------------------------------------------===//

template <typename T = void, typename X, const RegTrait &trait>
void Xor(RegTensor<X, trait> &dst, const RegTensor<X, trait> &a, const RegTensor<X, trait> &b, const MaskReg &mask,
         tilesmith::Where where = tilesmith::Where::here()) {
  if (!tilesmith::running(where))
    return;
  int64_t ready = tilesmith::counted(tilesmith::Op::And, sizeof(X),
                                     tilesmith::latest(tilesmith::latest(a.ready, b.ready), mask.ready));
  a.sources.use(mask.last());
  b.sources.use(mask.last());
  uint8_t result[tilesmith::registerBytes];
  for (int64_t i = 0; i < tilesmith::registerBytes; ++i)
    result[i] = a.bytes[i] ^ b.bytes[i];
  tsBlend(dst, result, mask, false);
  dst.ready = ready;
  dst.sources.clear();
}
template <typename T = void, typename X, const RegTrait &trait>
void AbsSub(RegTensor<X, trait> &dst, const RegTensor<X, trait> &a, const RegTensor<X, trait> &b, const MaskReg &mask,
            tilesmith::Where where = tilesmith::Where::here()) {
  RegTensor<X, trait> difference;
  Sub(difference, a, b, mask, where);
  Abs(dst, difference, mask, where);
}
template <typename T = void, typename X, const RegTrait &trait>
void ExpSub(RegTensor<X, trait> &dst, const RegTensor<X, trait> &a, const RegTensor<X, trait> &b, const MaskReg &mask,
            tilesmith::Where where = tilesmith::Where::here()) {
  RegTensor<X, trait> difference;
  Sub(difference, a, b, mask, where);
  Exp(dst, difference, mask, where);
}

// Each 32-byte block to one lane of the result.
template <ReduceType kind, typename X, const RegTrait &trait>
void ReduceDataBlock(RegTensor<X, trait> &dst, const RegTensor<X, trait> &src, const MaskReg &mask,
                     tilesmith::Where where = tilesmith::Where::here()) {
  if (!tilesmith::running(where))
    return;
  constexpr tilesmith::Op op = reduction<kind>;
  int64_t ready = tilesmith::counted(op, sizeof(X), tilesmith::latest(src.ready, mask.ready));
  src.sources.use(mask.last());
  constexpr int64_t size = sizeof(X), perBlock = 32 / size;
  uint8_t result[tilesmith::registerBytes] = {};
  for (int64_t block = 0; block < 8; ++block) {
    alignas(64) uint8_t row[tilesmith::registerBytes], reduced[tilesmith::registerBytes] = {};
    for (int64_t i = 0; i < perBlock; ++i) {
      X lane = mask.test((block * perBlock + i) * size) ? src.tsLane(block * perBlock + i) : tsNeutral<kind, X>();
      memcpy(row + i * size, &lane, size_t(size));
    }
    if (!tilesmith::api->tsm_reg_compute(int64_t(op), tilesmith::dtypeOf<X>(), 0, 0, reduced, row, nullptr, 0,
                                         perBlock))
      return tilesmith::unsupportedType<X>(where, "ReduceDataBlock");
    memcpy(result + block * size, reduced, size_t(size));
  }
  memcpy(dst.bytes, result, sizeof result);
  dst.ready = ready;
  dst.sources.clear();
}
// The sums of neighbours, in the low half of the result.
template <PairReduce kind, typename X, const RegTrait &trait>
void PairReduceElem(RegTensor<X, trait> &dst, const RegTensor<X, trait> &src, const MaskReg &mask,
                    tilesmith::Where where = tilesmith::Where::here()) {
  if (!tilesmith::running(where))
    return;
  constexpr int64_t half = RegTensor<X, trait>::lanes / 2;
  RegTensor<X, trait> chosen, even, odd;
  Move(chosen, src, mask);
  memset(even.bytes, 0, sizeof even.bytes);
  memset(odd.bytes, 0, sizeof odd.bytes);
  for (int64_t i = 0; i < half; ++i) {
    even.tsSet(i, chosen.tsLane(2 * i));
    odd.tsSet(i, chosen.tsLane(2 * i + 1));
  }
  even.sources.clear();
  odd.sources.clear();
  even.ready = odd.ready = chosen.ready;
  Add(dst, even, odd, tsPrefix<X>(half), where);
}

// Names of older sources.
template <typename T = void, typename X, const RegTrait &trait>
void Copy(RegTensor<X, trait> &dst, const RegTensor<X, trait> &src, const MaskReg &mask) {
  Move(dst, src, mask);
}
template <typename T = void, typename X, typename S, typename U, const RegTrait &trait>
void DataCopyGather(RegTensor<X, trait> &dst, const S *base, const RegTensor<U, trait> &index, const MaskReg &mask,
                    tilesmith::Where where = tilesmith::Where::here()) {
  Gather(dst, base, index, mask, where);
}
template <typename T = void, typename S, typename X, typename U, const RegTrait &trait>
void DataCopyScatter(S *base, const RegTensor<X, trait> &src, const RegTensor<U, trait> &index, const MaskReg &mask,
                     tilesmith::Where where = tilesmith::Where::here()) {
  Scatter(base, src, index, mask, where);
}
template <typename T = void, typename X, const RegTrait &trait>
void FusedAbsSub(RegTensor<X, trait> &dst, const RegTensor<X, trait> &a, const RegTensor<X, trait> &b,
                 const MaskReg &mask, tilesmith::Where where = tilesmith::Where::here()) {
  AbsSub(dst, a, b, mask, where);
}
template <typename T = void, typename X, const RegTrait &trait>
void FusedExpSub(RegTensor<X, trait> &dst, const RegTensor<X, trait> &a, const RegTensor<X, trait> &b,
                 const MaskReg &mask, tilesmith::Where where = tilesmith::Where::here()) {
  ExpSub(dst, a, b, mask, where);
}

} // namespace Reg
} // namespace AscendC

#endif
