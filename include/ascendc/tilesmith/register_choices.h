// Filling, comparing, choosing, converting and reducing registers.
#ifndef TILESMITH_ASCENDC_REGISTER_CHOICES_H
#define TILESMITH_ASCENDC_REGISTER_CHOICES_H

#include "tilesmith/register_arithmetic.h"

namespace AscendC {
namespace Reg {

//===- Filling, comparing, choosing, converting
//----------------------------------------------------------------------------===//

template <typename T = void, typename X, const RegTrait &trait>
void Duplicate(RegTensor<X, trait> &dst, tilesmith::Same<X> scalar) {
  for (int64_t i = 0; i < RegTensor<X, trait>::lanes; ++i)
    dst.tsSet(i, scalar);
  dst.ready = 0;
  dst.sources.clear();
}
template <typename T = void, MaskMergeMode mode = MaskMergeMode::ZEROING, typename X, const RegTrait &trait>
void Duplicate(RegTensor<X, trait> &dst, tilesmith::Same<X> scalar, const MaskReg &mask) {
  RegTensor<X, trait> all;
  Duplicate(all, scalar);
  tsBlend(dst, all.bytes, mask, mode == MaskMergeMode::MERGING);
  dst.ready = tilesmith::latest(mask.ready, mode == MaskMergeMode::MERGING ? dst.ready : 0);
  if (mode != MaskMergeMode::MERGING)
    dst.sources.clear();
}
template <typename T = void, HighLowPart part = HighLowPart::LOWEST, MaskMergeMode mode = MaskMergeMode::ZEROING,
          typename X, const RegTrait &trait>
void Duplicate(RegTensor<X, trait> &dst, const RegTensor<X, trait> &src, const MaskReg &mask) {
  constexpr int64_t lane = part == HighLowPart::LOWEST ? 0 : RegTensor<X, trait>::lanes - 1;
  src.sources.use(lane * int64_t(sizeof(X)));
  int64_t ready = tilesmith::latest(src.ready, mode == MaskMergeMode::MERGING ? dst.ready : 0);
  Duplicate<T, mode>(dst, src.tsLane(lane), mask);
  dst.ready = tilesmith::latest(dst.ready, ready);
}
template <typename T = void, IndexOrder order = IndexOrder::INCREASE_ORDER, typename X, const RegTrait &trait>
void Arange(RegTensor<X, trait> &dst, tilesmith::Same<X> start) {
  for (int64_t i = 0; i < RegTensor<X, trait>::lanes; ++i)
    dst.tsSet(i, X(order == IndexOrder::INCREASE_ORDER ? start + X(i) : start - X(i)));
  dst.ready = 0;
  dst.sources.clear();
}
template <typename T = void, typename X, const RegTrait &trait>
void Move(RegTensor<X, trait> &dst, const RegTensor<X, trait> &src) {
  dst = src;
}
template <typename T = void, MaskMergeMode mode = MaskMergeMode::ZEROING, typename X, const RegTrait &trait>
void Move(RegTensor<X, trait> &dst, const RegTensor<X, trait> &src, const MaskReg &mask) {
  src.sources.use(mask.last());
  RegTensor<X, trait> copy = src;
  tsBlend(dst, copy.bytes, mask, mode == MaskMergeMode::MERGING);
  dst.ready =
      tilesmith::latest(tilesmith::latest(copy.ready, mask.ready), mode == MaskMergeMode::MERGING ? dst.ready : 0);
  if (mode != MaskMergeMode::MERGING)
    dst.sources.clear();
}

template <typename X> void tsSetBits(MaskReg &dst, const uint8_t *packed, const MaskReg &mask) {
  MaskReg result;
  result.width = sizeof(X);
  result.lanes = mask.last() / int64_t(sizeof(X)) + 1;
  // Lanes that are not the mask's own (even halves of a 32-bit mask) belong to its wider ones.
  if (mask.width > result.width) {
    result.width = mask.width;
    result.lanes = mask.lanes;
  }
  for (int64_t i = 0; i < tilesmith::registerBytes / int64_t(sizeof(X)); ++i)
    if (mask.test(i * int64_t(sizeof(X))) && (packed[i / 8] >> (i % 8) & 1))
      result.set(i * int64_t(sizeof(X)));
  dst = result;
}
template <typename T, CMPMODE cmp, typename X, const RegTrait &trait>
void Compare(MaskReg &dst, const RegTensor<X, trait> &a, const RegTensor<X, trait> &b, const MaskReg &mask,
             tilesmith::Where where = tilesmith::Where::here()) {
  if (!tilesmith::running(where))
    return;
  int64_t ready = tilesmith::counted(tilesmith::Op::Compare, sizeof(X),
                                     tilesmith::latest(tilesmith::latest(a.ready, b.ready), mask.ready));
  a.sources.use(mask.last());
  b.sources.use(mask.last());
  uint8_t packed[32] = {};
  if (!tilesmith::api->tsm_reg_compute(int64_t(tilesmith::Op::Compare), tilesmith::dtypeOf<X>(), 0, int64_t(cmp),
                                       packed, a.bytes, b.bytes, 0, RegTensor<X, trait>::lanes))
    return tilesmith::unsupportedType<X>(where, "Compare");
  tsSetBits<X>(dst, packed, mask);
  dst.ready = ready;
}
template <typename T, CMPMODE cmp, typename X, const RegTrait &trait>
void Compares(MaskReg &dst, const RegTensor<X, trait> &a, tilesmith::Same<X> scalar, const MaskReg &mask,
              tilesmith::Where where = tilesmith::Where::here()) {
  RegTensor<X, trait> b;
  Duplicate(b, scalar);
  Compare<T, cmp>(dst, a, b, mask, where);
}
template <typename T, CMPMODE cmp, typename X, const RegTrait &trait>
void CompareScalar(MaskReg &dst, const RegTensor<X, trait> &a, tilesmith::Same<X> scalar, const MaskReg &mask,
                   tilesmith::Where where = tilesmith::Where::here()) {
  Compares<T, cmp>(dst, a, scalar, mask, where);
}

// Which lanes are used shows only later: the result is made of everything that may be in it.
template <typename T = void, typename X, const RegTrait &trait>
void Select(RegTensor<X, trait> &dst, const RegTensor<X, trait> &a, const RegTensor<X, trait> &b, const MaskReg &mask,
            tilesmith::Where where = tilesmith::Where::here()) {
  if (!tilesmith::running(where))
    return;
  int64_t ready = tilesmith::counted(tilesmith::Op::Select, sizeof(X),
                                     tilesmith::latest(tilesmith::latest(a.ready, b.ready), mask.ready));
  RegTensor<X, trait> result = b;
  constexpr int64_t size = sizeof(X);
  tsEachRun(mask, size, [&](int64_t first, int64_t count) {
    memcpy(result.bytes + first * size, a.bytes + first * size, size_t(count * size));
  });
  result.sources.join(a.sources);
  result.sources.join(mask.sources);
  result.ready = ready;
  dst = result;
}

template <typename Dst, typename Src, const CastTrait &cast, typename D, typename S, const RegTrait &trait>
void Cast(RegTensor<D, trait> &dst, const RegTensor<S, trait> &src, const MaskReg &mask,
          tilesmith::Where where = tilesmith::Where::here()) {
  if (!tilesmith::running(where))
    return;
  int64_t ready = tilesmith::counted(tilesmith::Op::Cast, sizeof(D), tilesmith::latest(src.ready, mask.ready));
  src.sources.use(mask.last());
  constexpr int64_t to = sizeof(D), from = sizeof(S), wide = to > from ? to : from,
                    lanes = tilesmith::registerBytes / wide;
  constexpr int64_t part = cast.layoutMode == RegLayout::UNKNOWN ? 0 : int64_t(cast.layoutMode);
  constexpr int64_t fromAt = from < wide ? part * from : 0, toAt = to < wide ? part * to : 0;
  alignas(64) uint8_t packed[tilesmith::registerBytes], result[tilesmith::registerBytes];
  for (int64_t i = 0; i < lanes; ++i)
    memcpy(packed + i * from, src.bytes + i * wide + fromAt, size_t(from));
  constexpr int64_t round = cast.roundMode == RoundMode::UNKNOWN ? 0 : int64_t(cast.roundMode);
  if (!tilesmith::api->tsm_reg_compute(int64_t(tilesmith::Op::Cast), tilesmith::dtypeOf<D>(), tilesmith::dtypeOf<S>(),
                                       round, result, packed, nullptr, 0, lanes))
    return tilesmith::unsupported(where, "Cast between registers of these element types");
  uint8_t spread[tilesmith::registerBytes] = {};
  for (int64_t i = 0; i < lanes; ++i)
    if (mask.test(i * wide + fromAt))
      memcpy(spread + i * wide + toAt, result + i * to, size_t(to));
  memcpy(dst.bytes, spread, sizeof spread);
  dst.ready = ready;
  dst.sources.clear();
}
template <typename T, RoundMode round, MaskMergeMode mode = MaskMergeMode::ZEROING, typename X, const RegTrait &trait>
void Truncate(RegTensor<X, trait> &dst, const RegTensor<X, trait> &src, const MaskReg &mask,
              tilesmith::Where where = tilesmith::Where::here()) {
  if (!tilesmith::running(where))
    return;
  int64_t ready = tilesmith::counted(tilesmith::Op::Cast, sizeof(X), tilesmith::latest(src.ready, mask.ready));
  src.sources.use(mask.last());
  alignas(64) uint8_t result[tilesmith::registerBytes];
  if (!tilesmith::api->tsm_reg_compute(int64_t(tilesmith::Op::Cast), tilesmith::dtypeOf<X>(), tilesmith::dtypeOf<X>(),
                                       int64_t(round), result, src.bytes, nullptr, 0, RegTensor<X, trait>::lanes))
    return tilesmith::unsupportedType<X>(where, "Truncate");
  tsBlend(dst, result, mask, mode == MaskMergeMode::MERGING);
  dst.ready = ready;
  dst.sources.clear();
}

//===- Reducing
//-----------------------------------------------------------------------------------------------------------===//

// The extreme of the type an inactive lane counts as.
template <ReduceType kind, typename X> X tsNeutral() {
  if constexpr (kind == ReduceType::SUM)
    return X(0);
  else if constexpr (std::is_integral_v<X>)
    return kind == ReduceType::MAX ? X(std::is_signed_v<X> ? X(1) << (8 * sizeof(X) - 1) : 0)
                                   : X(~(std::is_signed_v<X> ? X(1) << (8 * sizeof(X) - 1) : 0));
  else
    return X(kind == ReduceType::MAX ? -__builtin_inff() : __builtin_inff());
}

// What a reduction of this kind is counted as.
template <ReduceType kind>
inline constexpr tilesmith::Op reduction = kind == ReduceType::SUM   ? tilesmith::Op::WholeReduceSum
                                           : kind == ReduceType::MAX ? tilesmith::Op::WholeReduceMax
                                                                     : tilesmith::Op::WholeReduceMin;

template <ReduceType kind, typename X, const RegTrait &trait>
void Reduce(RegTensor<X, trait> &dst, const RegTensor<X, trait> &src, const MaskReg &mask,
            tilesmith::Where where = tilesmith::Where::here()) {
  if (!tilesmith::running(where))
    return;
  constexpr tilesmith::Op op = reduction<kind>;
  int64_t ready = tilesmith::counted(op, sizeof(X), tilesmith::latest(src.ready, mask.ready));
  src.sources.use(mask.last());
  constexpr int64_t lanes = RegTensor<X, trait>::lanes;
  RegTensor<X, trait> row;
  for (int64_t i = 0; i < lanes; ++i)
    row.tsSet(i, mask.test(i * int64_t(sizeof(X))) ? src.tsLane(i) : tsNeutral<kind, X>());
  uint8_t result[tilesmith::registerBytes] = {};
  if (!tilesmith::api->tsm_reg_compute(int64_t(op), tilesmith::dtypeOf<X>(), 0, 0, result, row.bytes, nullptr, 0,
                                       lanes))
    return tilesmith::unsupportedType<X>(where, "Reduce");
  if constexpr (kind != ReduceType::SUM) {
    int64_t index = 0;
    for (int64_t i = lanes - 1; i >= 0; --i)
      if (memcmp(row.bytes + i * int64_t(sizeof(X)), result, sizeof(X)) == 0)
        index = i;
    memcpy(result + sizeof(X), &index, sizeof(X));
  }
  memcpy(dst.bytes, result, sizeof result);
  dst.ready = ready;
  dst.sources.clear();
}
#define TILESMITH_REG_REDUCE(NAME, KIND)                                                                               \
  template <typename T = void, MaskMergeMode mode = MaskMergeMode::ZEROING, typename X, const RegTrait & trait>        \
  void NAME(RegTensor<X, trait> &dst, const RegTensor<X, trait> &src, const MaskReg &mask,                             \
            tilesmith::Where where = tilesmith::Where::here()) {                                                       \
    Reduce<ReduceType::KIND>(dst, src, mask, where);                                                                   \
  }
TILESMITH_REG_REDUCE(ReduceSum, SUM)
TILESMITH_REG_REDUCE(ReduceMax, MAX)
TILESMITH_REG_REDUCE(ReduceMin, MIN)
#undef TILESMITH_REG_REDUCE

} // namespace Reg
} // namespace AscendC

#endif
