// Functions that choose elements (lib/filter, lib/select, lib/activation): by masks of bytes or bits, by conditions, by
// what a row's maximum is.
#ifndef TILESMITH_ASCENDC_LIBRARY_CHOICES_H
#define TILESMITH_ASCENDC_LIBRARY_CHOICES_H

#include "tilesmith/library_norms.h"

namespace AscendC {

struct DropOutShapeInfo {
  uint32_t firstAxis = 0, srcLastAxis = 0, maskLastAxis = 0;
};
struct SelectWithBytesMaskShapeInfo {
  uint32_t firstAxis = 0, srcLastAxis = 0, maskLastAxis = 0;
};

} // namespace AscendC

namespace tilesmith {

// Bytes 0 or not 0 as bits in `bits`, by way of `halves`, which has room for as many halves.
template <typename M>
void bitsOfMask(const AscendC::LocalTensor<uint8_t> &bits, const AscendC::LocalTensor<M> &mask,
                const AscendC::LocalTensor<uint8_t> &room, int64_t count, AscendC::CMPMODE mode, Where where) {
  using namespace AscendC;
  int64_t whole = (count + 127) / 128 * 128; // whole repeats are compared
  if (whole > count)
    Duplicate(room.template ReinterpretCast<int16_t>(), int16_t(0), whole * (sizeof(M) < 4 ? 1 : 2), where);
  if constexpr (sizeof(M) == 1) {
    auto halves = room.template ReinterpretCast<half>();
    Cast(halves, mask.template ReinterpretCast<uint8_t>(), RoundMode::CAST_NONE, uint32_t(count), where);
    CompareScalar(bits, halves, half(0), mode, uint32_t(whole), where);
  } else if constexpr (sizeof(M) == 2) {
    auto halves = room.template ReinterpretCast<half>();
    Cast(halves, mask.template ReinterpretCast<int16_t>(), RoundMode::CAST_NONE, uint32_t(count), where);
    CompareScalar(bits, halves, half(0), mode, uint32_t(whole), where);
  } else {
    auto floats = room.template ReinterpretCast<float>();
    Cast(floats, mask.template ReinterpretCast<int32_t>(), RoundMode::CAST_NONE, uint32_t(count), where);
    CompareScalar(bits, floats, 0.0f, mode, uint32_t(whole), where);
  }
}
// A temporary buffer that a function cannot do without.
inline bool hasBytes(const AscendC::LocalTensor<uint8_t> &buffer, int64_t needed, const char *name, Where where) {
  if (int64_t(buffer.GetLength()) >= needed)
    return true;
  char text[160];
  __builtin_snprintf(text, sizeof text, "%s needs %lld bytes for intermediate results; the temporary buffer has %u",
                     name, static_cast<long long>(needed), buffer.GetLength());
  fail(where, TS_FINDING_LibraryWork, text);
}
// What a row of so many elements needs: bits, and room for a mask of that size as floating-point numbers.
constexpr int64_t maskBytes(int64_t columns, int64_t size) {
  int64_t whole = (columns + 127) / 128 * 128;
  return (whole / 8 + 31) / 32 * 32 + whole * (size < 4 ? 2 : 4);
}

// dst = mask ? chosen : src, a row at a time.
template <typename T, typename M>
void selectByBytes(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &src, T chosen,
                   const AscendC::LocalTensor<M> &mask, const AscendC::LocalTensor<uint8_t> &work,
                   const AscendC::SelectWithBytesMaskShapeInfo &info, bool keepsWhereZero, Where where) {
  int64_t columns = info.srcLastAxis, bits = ((columns + 127) / 128 * 16 + 31) / 32 * 32;
  if (!hasBytes(work, maskBytes(columns, sizeof(M)), "Select by bytes", where))
    return;
  for (int64_t row = 0; row < info.firstAxis; ++row) {
    bitsOfMask(work, mask[row * info.maskLastAxis], work[bits], columns,
               keepsWhereZero ? AscendC::CMPMODE::EQ : AscendC::CMPMODE::NE, where);
    AscendC::Select(dst[row * columns], work, src[row * columns], chosen, AscendC::SELMODE::VSEL_TENSOR_SCALAR_MODE,
                    uint32_t(columns), where);
  }
}

} // namespace tilesmith

namespace AscendC {

// The tensor where the mask is 0, the scalar elsewhere; or the other way round.
#define TILESMITH_SELECT_BYTES(NAME)                                                                                   \
  template <typename T, typename U, bool isReuseMask = true>                                                           \
  inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src0, tilesmith::Same<T> src1,                     \
                   const LocalTensor<U> &mask, const LocalTensor<uint8_t> &sharedTmpBuffer,                            \
                   const SelectWithBytesMaskShapeInfo &info, tilesmith::Where where = tilesmith::Where::here()) {      \
    tilesmith::selectByBytes(dst, src0, src1, mask, sharedTmpBuffer, info, true, where);                               \
  }                                                                                                                    \
  template <typename T, typename U, bool isReuseMask = true>                                                           \
  inline void NAME(const LocalTensor<T> &dst, tilesmith::Same<T> src0, const LocalTensor<T> &src1,                     \
                   const LocalTensor<U> &mask, const LocalTensor<uint8_t> &sharedTmpBuffer,                            \
                   const SelectWithBytesMaskShapeInfo &info, tilesmith::Where where = tilesmith::Where::here()) {      \
    tilesmith::selectByBytes(dst, src1, src0, mask, sharedTmpBuffer, info, false, where);                              \
  }
TILESMITH_SELECT_BYTES(Select)
TILESMITH_SELECT_BYTES(SelectWithBytesMask)
#undef TILESMITH_SELECT_BYTES

// What the mask keeps, divided by the share that is kept. Masks of bytes hold 0 and 1 (modes 1 and 2: rows of the mask
// are as long as those of the data, or longer), masks of bits a bit for each element (3 and 4). Mode 0 tells them apart
// by the length of a row.
template <typename T, bool isInitBitMode = false, uint32_t dropOutMode = 0>
inline void DropOut(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &mask,
                    const LocalTensor<uint8_t> &sharedTmpBuffer, const float keepProb, const DropOutShapeInfo &info,
                    tilesmith::Where where = tilesmith::Where::here()) {
  static_assert(dropOutMode <= 4, "DropOut has modes 0 to 4");
  int64_t columns = info.srcLastAxis, bits = ((columns + 127) / 128 * 16 + 31) / 32 * 32;
  bool isOfBits = dropOutMode >= 3 || (dropOutMode == 0 && info.maskLastAxis < info.srcLastAxis);
  if (!isOfBits && !tilesmith::hasBytes(sharedTmpBuffer, tilesmith::maskBytes(columns, 1), "DropOut", where))
    return;
  for (int64_t row = 0; row < info.firstAxis; ++row) {
    auto to = dst[row * columns];
    if (isOfBits) {
      Select(to, mask[row * info.maskLastAxis], src[row * columns], T(0), SELMODE::VSEL_TENSOR_SCALAR_MODE,
             uint32_t(columns), where);
    } else {
      tilesmith::bitsOfMask(sharedTmpBuffer, mask[row * info.maskLastAxis], sharedTmpBuffer[bits], columns, CMPMODE::NE,
                            where);
      Select(to, sharedTmpBuffer, src[row * columns], T(0), SELMODE::VSEL_TENSOR_SCALAR_MODE, uint32_t(columns), where);
    }
    Muls(to, to, T(1.0f / keepProb), columns, where);
  }
}
template <typename T, bool isInitBitMode = false, uint32_t dropOutMode = 0>
inline void DropOut(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &mask,
                    const float keepProb, const DropOutShapeInfo &info,
                    tilesmith::Where where = tilesmith::Where::here()) {
  DropOut<T, isInitBitMode, dropOutMode>(dst, src, mask, tilesmith::freeBytes(), keepProb, info, where);
}

// Rows of a soft maximum whose maximum has the bits `from` become `to`; whether there was one.
template <typename T1, typename T2, bool isDataFormatNZ = false, uint8_t stepSizeMode = 0>
inline bool AdjustSoftMaxRes(const LocalTensor<T1> &softMaxRes, const LocalTensor<T2> &maxTensor, const uint32_t from,
                             const T1 to, const SoftMaxShapeInfo &info,
                             tilesmith::Where where = tilesmith::Where::here()) {
  bool some = false;
  constexpr int64_t step = stepSizeMode ? stepSizeMode : 32 / int64_t(sizeof(T2));
  for (int64_t row = 0; row < info.srcM; ++row) {
    T2 value = maxTensor.GetValue(uint32_t(row * step), where);
    if (uint64_t(tilesmith::bitsOf(value)) != uint64_t(from))
      continue;
    some = true;
    if constexpr (isDataFormatNZ)
      for (int64_t block = 0; block < info.srcK / 16; ++block)
        Duplicate(softMaxRes[(block * info.srcM + row) * 16], to, int64_t(16), where);
    else
      Duplicate(softMaxRes[row * info.srcK], to, int64_t(info.srcK), where);
  }
  return some;
}

// A value everywhere.
template <typename T, bool isReuseSource = false>
inline void Fills(const LocalTensor<T> &dst, const tilesmith::Same<T> value, const uint32_t count,
                  tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::checkCount(dst, count, "Fills", where);
  Duplicate(dst, T(value), int64_t(count), where);
}

// The first where the condition holds, the second elsewhere; each is a tensor or a number.
template <typename T, typename U = bool, typename First, typename Second>
inline void Where(const LocalTensor<T> &dst, const First &src0, const Second &src1, const LocalTensor<U> &condition,
                  const uint32_t count, tilesmith::Where where = tilesmith::Where::here()) {
  static_assert(sizeof(U) == 1 && sizeof(T) > 1, "Where takes a condition of bool and elements of 16 and 32 bits");
  using Bits = std::conditional_t<sizeof(T) == 2, half, float>;
  auto work = tilesmith::freeBytes();
  int64_t bits = ((int64_t(count) + 127) / 128 * 16 + 31) / 32 * 32, room = tilesmith::maskBytes(count, 1),
          whole = (int64_t(count) * int64_t(sizeof(T)) + 31) / 32 * 32;
  if (!tilesmith::hasBytes(work, room + 2 * whole, "Where", where))
    return;
  tilesmith::bitsOfMask(work, condition, work[bits], count, CMPMODE::NE, where);
  auto tensorOf = [&](const auto &source, int64_t at) {
    if constexpr (std::is_convertible_v<decltype(source), T>) {
      auto filled = work[room + at * whole].template ReinterpretCast<T>();
      Duplicate(filled, T(source), int64_t(count), where);
      return filled.template ReinterpretCast<Bits>();
    } else {
      return source.template ReinterpretCast<Bits>();
    }
  };
  Select(dst.template ReinterpretCast<Bits>(), work, tensorOf(src0, 0), tensorOf(src1, 1),
         SELMODE::VSEL_TENSOR_TENSOR_MODE, count, where);
}

} // namespace AscendC

#endif
