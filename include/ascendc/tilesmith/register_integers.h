// Registers: products and sums wider than their elements, counts of values, blocks by their offsets, and calls that are
// two instructions.
#ifndef TILESMITH_ASCENDC_REGISTER_INTEGERS_H
#define TILESMITH_ASCENDC_REGISTER_INTEGERS_H

#include "tilesmith/register_permute.h"

namespace AscendC {
namespace Reg {

enum class HistogramsBinType { BIN0, BIN1 };
enum class HistogramsType { FREQUENCY, ACCUMULATE };
enum class SpecialPurposeReg { AR };

// Both halves of a product of 32-bit integers.
template <typename T = void, typename X, const RegTrait &trait>
void Mull(RegTensor<X, trait> &low, RegTensor<X, trait> &high, const RegTensor<X, trait> &a,
          const RegTensor<X, trait> &b, const MaskReg &mask, tilesmith::Where where = tilesmith::Where::here()) {
  static_assert(std::is_integral_v<X> && sizeof(X) == 4, "Mull multiplies int32_t and uint32_t");
  if (!tilesmith::running(where))
    return;
  int64_t ready = tilesmith::counted(tilesmith::Op::Mul, sizeof(X),
                                     tilesmith::latest(tilesmith::latest(a.ready, b.ready), mask.ready));
  a.sources.use(mask.last());
  b.sources.use(mask.last());
  using Wide = std::conditional_t<std::is_signed_v<X>, int64_t, uint64_t>;
  RegTensor<X, trait> lower, upper;
  for (int64_t i = 0; i < RegTensor<X, trait>::lanes; ++i) {
    bool chosen = mask.test(i * int64_t(sizeof(X)));
    Wide product = chosen ? Wide(a.tsLane(i)) * Wide(b.tsLane(i)) : 0;
    lower.tsSet(i, X(uint64_t(product)));
    upper.tsSet(i, X(uint64_t(product) >> 32));
  }
  lower.ready = upper.ready = ready;
  low = lower;
  high = upper;
}

// Sums of 32-bit integers with what they carry: into bit 32 of each lane, and from there.
template <typename X, const RegTrait &trait>
void tsAddCarry(MaskReg &carry, RegTensor<X, trait> &dst, const RegTensor<X, trait> &a, const RegTensor<X, trait> &b,
                const MaskReg *carried, const MaskReg &mask, tilesmith::Where where) {
  static_assert(std::is_integral_v<X> && sizeof(X) == 4, "sums with a carry are of int32_t and uint32_t");
  if (!tilesmith::running(where))
    return;
  int64_t ready = tilesmith::latest(tilesmith::latest(a.ready, b.ready), mask.ready);
  ready = tilesmith::counted(tilesmith::Op::Add, sizeof(X), carried ? tilesmith::latest(ready, carried->ready) : ready);
  a.sources.use(mask.last());
  b.sources.use(mask.last());
  RegTensor<X, trait> sums;
  MaskReg out = mask;
  for (int64_t i = 0; i < 4; ++i)
    out.bits[i] = 0;
  for (int64_t i = 0; i < RegTensor<X, trait>::lanes; ++i) {
    int64_t at = i * int64_t(sizeof(X));
    uint64_t sum =
        mask.test(at) ? uint64_t(uint32_t(a.tsLane(i))) + uint32_t(b.tsLane(i)) + (carried && carried->test(at)) : 0;
    sums.tsSet(i, X(uint32_t(sum)));
    if (sum >> 32)
      out.set(at);
  }
  sums.ready = out.ready = ready;
  dst = sums;
  carry = out;
}
template <typename T = void, typename X, const RegTrait &trait>
void Add(MaskReg &carry, RegTensor<X, trait> &dst, const RegTensor<X, trait> &a, const RegTensor<X, trait> &b,
         const MaskReg &mask, tilesmith::Where where = tilesmith::Where::here()) {
  tsAddCarry(carry, dst, a, b, nullptr, mask, where);
}
template <typename T = void, typename X, const RegTrait &trait>
void AddC(MaskReg &carry, RegTensor<X, trait> &dst, const RegTensor<X, trait> &a, const RegTensor<X, trait> &b,
          const MaskReg &carried, const MaskReg &mask, tilesmith::Where where = tilesmith::Where::here()) {
  tsAddCarry(carry, dst, a, b, &carried, mask, where);
}

// How often each of 128 values occurs among the chosen bytes, or how often it and all smaller ones do, added to dst.
template <typename T = uint8_t, typename U = uint16_t, HistogramsBinType bin = HistogramsBinType::BIN0,
          HistogramsType kind = HistogramsType::FREQUENCY, const RegTrait &trait>
void Histograms(RegTensor<uint16_t, trait> &dst, const RegTensor<uint8_t, trait> &src, const MaskReg &mask,
                tilesmith::Where where = tilesmith::Where::here()) {
  static_assert(std::is_same_v<T, uint8_t> && std::is_same_v<U, uint16_t>, "Histograms counts uint8_t in uint16_t");
  if (!tilesmith::running(where))
    return;
  int64_t ready = tilesmith::latest(tilesmith::latest(src.ready, dst.ready), mask.ready);
  ready = tilesmith::counted(tilesmith::Op::WholeReduceSum, 1, ready);
  src.sources.use(mask.last());
  dst.sources.use(tilesmith::registerBytes - 1);
  uint16_t counts[256] = {};
  for (int64_t i = 0; i < tilesmith::registerBytes; ++i)
    if (mask.test(i))
      ++counts[src.tsLane(i)];
  if (kind == HistogramsType::ACCUMULATE)
    for (int value = 1; value < 256; ++value)
      counts[value] = uint16_t(counts[value] + counts[value - 1]);
  for (int64_t i = 0; i < 128; ++i)
    dst.tsSet(i, uint16_t(dst.tsLane(i) + counts[i + (bin == HistogramsBinType::BIN1 ? 128 : 0)]));
  dst.ready = ready;
  dst.sources.clear();
}

// Eight blocks of UB, each from its offset in bytes.
template <typename T = void, typename X, const RegTrait &trait>
void GatherB(RegTensor<X, trait> &dst, const X *base, const RegTensor<uint32_t, trait> &offsets, const MaskReg &mask,
             tilesmith::Where where = tilesmith::Where::here()) {
  if (!tilesmith::running(where))
    return;
  dst.ready = tilesmith::counted(tilesmith::Op::Gather, sizeof(X), tilesmith::latest(offsets.ready, mask.ready));
  offsets.sources.use(8 * int64_t(sizeof(uint32_t)) - 1);
  uint8_t result[tilesmith::registerBytes] = {};
  for (int64_t block = 0; block < 8; ++block) {
    int64_t from = tilesmith::ubOffset(base) + int64_t(offsets.tsLane(block));
    if (int64_t used = tsBlockUsed(mask, block); used && tilesmith::mayRead(from, used, 32))
      tsFetch(result + block * 32, from, 32);
  }
  memcpy(dst.bytes, result, sizeof result);
  dst.sources.clear();
}

//===- Two instructions ------------------------------------------------------------------------------------------===//

template <typename T = void, typename X, const RegTrait &trait>
void Prelu(RegTensor<X, trait> &dst, const RegTensor<X, trait> &src, const RegTensor<X, trait> &slope,
           const MaskReg &mask, tilesmith::Where where = tilesmith::Where::here()) {
  RegTensor<X, trait> scaled;
  MaskReg positive;
  Mul(scaled, src, slope, mask, where);
  Compares<X, CMPMODE::GE>(positive, src, X(0), mask, where);
  Select(scaled, src, scaled, positive, where);
  Move(dst, scaled, mask);
}
template <typename T = void, typename X, const RegTrait &trait>
void Log2(RegTensor<X, trait> &dst, const RegTensor<X, trait> &src, const MaskReg &mask,
          tilesmith::Where where = tilesmith::Where::here()) {
  Ln(dst, src, mask, where);
  Muls(dst, dst, X(1.4426950408889634f), mask, where);
}
template <typename T = void, typename X, const RegTrait &trait>
void Log10(RegTensor<X, trait> &dst, const RegTensor<X, trait> &src, const MaskReg &mask,
           tilesmith::Where where = tilesmith::Where::here()) {
  Ln(dst, src, mask, where);
  Muls(dst, dst, X(0.43429448190325182f), mask, where);
}
template <RegLayout layout>
inline constexpr CastTrait tsRoundedAway{layout, SatMode::NO_SAT, MaskMergeMode::ZEROING, RoundMode::CAST_ROUND};
template <typename T = void, typename U = void, RegLayout layout = RegLayout::ZERO, const RegTrait &trait>
void MulsCast(RegTensor<half, trait> &dst, const RegTensor<float, trait> &src, float scalar, const MaskReg &mask,
              tilesmith::Where where = tilesmith::Where::here()) {
  RegTensor<float, trait> scaled;
  Muls(scaled, src, scalar, mask, where);
  Cast<half, float, tsRoundedAway<layout>>(dst, scaled, mask, where);
}

// Of the address registers of unaligned stores; they keep nothing here.
template <SpecialPurposeReg which> void ClearSpr() {}

//===- Names of older sources ------------------------------------------------------------------------------------===//

template <typename T = void, typename U = void, RegLayout layout = RegLayout::ZERO, const RegTrait &trait>
void FusedMulsCast(RegTensor<half, trait> &dst, const RegTensor<float, trait> &src, float scalar, const MaskReg &mask,
                   tilesmith::Where where = tilesmith::Where::here()) {
  MulsCast<T, U, layout>(dst, src, scalar, mask, where);
}
template <typename X> void DataCopyUnAlignPre(UnalignReg &helper, const X *p) { LoadUnAlignPre(helper, p); }
template <typename T = void, PostLiteral post = PostLiteral::POST_MODE_UPDATE, typename X, const RegTrait &trait>
void DataCopyUnAlign(RegTensor<X, trait> &dst, UnalignReg &helper, X *&p, uint32_t stride,
                     tilesmith::Where where = tilesmith::Where::here()) {
  LoadUnAlign<X, post>(dst, helper, p, stride, where);
}
template <typename X, const RegTrait &trait>
void DataCopyUnAlign(RegTensor<X, trait> &dst, UnalignReg &helper, const X *p,
                     tilesmith::Where where = tilesmith::Where::here()) {
  LoadUnAlign(dst, helper, p, where);
}
template <typename T = void, PostLiteral post = PostLiteral::POST_MODE_UPDATE, typename X, const RegTrait &trait>
void DataCopyUnAlign(X *&p, const RegTensor<X, trait> &src, UnalignReg &helper, uint32_t count,
                     tilesmith::Where where = tilesmith::Where::here()) {
  StoreUnAlign<X, post>(p, src, helper, count, where);
}
template <typename X> void DataCopyUnAlignPost(X *&p, UnalignReg &helper, int32_t count) {
  StoreUnAlignPost(p, helper, count);
}
template <typename T = void, typename X, const RegTrait &trait>
void DataCopyGatherB(RegTensor<X, trait> &dst, const X *base, const RegTensor<uint32_t, trait> &offsets,
                     const MaskReg &mask, tilesmith::Where where = tilesmith::Where::here()) {
  GatherB(dst, base, offsets, mask, where);
}
template <typename T = void, typename X, const RegTrait &trait>
void ReduceSumWithDataBlock(RegTensor<X, trait> &dst, const RegTensor<X, trait> &src, const MaskReg &mask,
                            tilesmith::Where where = tilesmith::Where::here()) {
  ReduceDataBlock<ReduceType::SUM>(dst, src, mask, where);
}
template <typename T = void, typename X, const RegTrait &trait>
void ReduceMaxWithDataBlock(RegTensor<X, trait> &dst, const RegTensor<X, trait> &src, const MaskReg &mask,
                            tilesmith::Where where = tilesmith::Where::here()) {
  ReduceDataBlock<ReduceType::MAX>(dst, src, mask, where);
}
template <typename T = void, typename X, const RegTrait &trait>
void ReduceMinWithDataBlock(RegTensor<X, trait> &dst, const RegTensor<X, trait> &src, const MaskReg &mask,
                            tilesmith::Where where = tilesmith::Where::here()) {
  ReduceDataBlock<ReduceType::MIN>(dst, src, mask, where);
}
template <typename T = void, typename X, const RegTrait &trait>
void PairReduceSum(RegTensor<X, trait> &dst, const RegTensor<X, trait> &src, const MaskReg &mask,
                   tilesmith::Where where = tilesmith::Where::here()) {
  PairReduceElem<PairReduce::SUM>(dst, src, mask, where);
}
template <typename T = void, GatherMaskMode mode = GatherMaskMode::NO_STORE_REG, typename X, const RegTrait &trait>
void GatherMask(RegTensor<X, trait> &dst, const RegTensor<X, trait> &src, const MaskReg &mask,
                tilesmith::Where where = tilesmith::Where::here()) {
  Squeeze<T, mode>(dst, src, mask, where);
}
inline void MaskMov(MaskReg &dst, const MaskReg &src, const MaskReg &mask) { Move(dst, src, mask); }
inline void MaskMov(MaskReg &dst, const MaskReg &src) { Move(dst, src); }
inline void MaskSel(MaskReg &dst, const MaskReg &a, const MaskReg &b, const MaskReg &mask) { Select(dst, a, b, mask); }
template <typename T> void MaskInterleave(MaskReg &dst0, MaskReg &dst1, const MaskReg &src0, const MaskReg &src1) {
  Interleave<T>(dst0, dst1, src0, src1);
}
template <typename T> void MaskDeInterleave(MaskReg &dst0, MaskReg &dst1, const MaskReg &src0, const MaskReg &src1) {
  DeInterleave<T>(dst0, dst1, src0, src1);
}

} // namespace Reg
} // namespace AscendC

#endif
