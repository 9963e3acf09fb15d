// Vector calls of the 950 that are a vector function each: there is no instruction on memory for them.
#ifndef TILESMITH_ASCENDC_VECTORS_BY_REGISTERS_H
#define TILESMITH_ASCENDC_VECTORS_BY_REGISTERS_H

#include "tilesmith/register_names.h"
#include "tilesmith/vector_functions.h"

namespace tilesmith {

template <typename T> uint16_t tripsOf(uint32_t count) {
  constexpr uint32_t lanes = AscendC::GetVecLen() / sizeof(T);
  return uint16_t((count + lanes - 1) / lanes);
}
#define TILESMITH_BY_REGISTERS(NAME)                                                                                   \
  template <typename T> void each##NAME(T *dst, T *src0, T *src1, uint32_t count, uint16_t trips) {                    \
    constexpr uint32_t lanes = AscendC::GetVecLen() / sizeof(T);                                                       \
    AscendC::Reg::RegTensor<T> a, b;                                                                                   \
    for (uint16_t i = 0; i < trips; ++i) {                                                                             \
      AscendC::Reg::MaskReg mask = AscendC::Reg::UpdateMask<T>(count);                                                 \
      AscendC::Reg::LoadAlign(a, src0 + i * lanes);                                                                    \
      AscendC::Reg::LoadAlign(b, src1 + i * lanes);                                                                    \
      AscendC::Reg::NAME(a, a, b, mask);                                                                               \
      AscendC::Reg::StoreAlign(dst + i * lanes, a, mask);                                                              \
    }                                                                                                                  \
  }
TILESMITH_BY_REGISTERS(AbsSub)
TILESMITH_BY_REGISTERS(ExpSub)
TILESMITH_BY_REGISTERS(Prelu)
#undef TILESMITH_BY_REGISTERS

// The second operand is one number.
#define TILESMITH_BY_REGISTERS(NAME, CALL)                                                                             \
  template <typename T> void each##NAME(T *dst, T *src, T value, uint32_t count, uint16_t trips) {                     \
    constexpr uint32_t lanes = AscendC::GetVecLen() / sizeof(T);                                                       \
    AscendC::Reg::RegTensor<T> a, b;                                                                                   \
    AscendC::Reg::Duplicate(b, value);                                                                                 \
    for (uint16_t i = 0; i < trips; ++i) {                                                                             \
      AscendC::Reg::MaskReg mask = AscendC::Reg::UpdateMask<T>(count);                                                 \
      AscendC::Reg::LoadAlign(a, src + i * lanes);                                                                     \
      AscendC::Reg::CALL(a, a, b, mask);                                                                               \
      AscendC::Reg::StoreAlign(dst + i * lanes, a, mask);                                                              \
    }                                                                                                                  \
  }
TILESMITH_BY_REGISTERS(Subs, Sub)
TILESMITH_BY_REGISTERS(Divs, Div)
TILESMITH_BY_REGISTERS(Ands, And)
TILESMITH_BY_REGISTERS(Ors, Or)
#undef TILESMITH_BY_REGISTERS

// Whole registers: pairs of them into pairs of them.
template <typename T> void eachInterleave(T *dst0, T *dst1, T *src0, T *src1, uint32_t count, uint16_t trips) {
  constexpr uint32_t lanes = AscendC::GetVecLen() / sizeof(T);
  AscendC::Reg::RegTensor<T> a, b, low, high;
  AscendC::Reg::MaskReg all = AscendC::Reg::CreateMask<T>();
  for (uint16_t i = 0; i < trips; ++i) {
    AscendC::Reg::LoadAlign(a, src0 + i * lanes);
    AscendC::Reg::LoadAlign(b, src1 + i * lanes);
    AscendC::Reg::Interleave(low, high, a, b);
    uint32_t at = 2 * i * lanes;
    AscendC::Reg::StoreAlign(at < count ? dst0 + at : dst1 + (at - count), low, all);
    at += lanes;
    AscendC::Reg::StoreAlign(at < count ? dst0 + at : dst1 + (at - count), high, all);
  }
}
template <typename T> void eachDeInterleave(T *dst0, T *dst1, T *src0, T *src1, uint32_t count, uint16_t trips) {
  constexpr uint32_t lanes = AscendC::GetVecLen() / sizeof(T);
  AscendC::Reg::RegTensor<T> a, b, even, odd;
  AscendC::Reg::MaskReg all = AscendC::Reg::CreateMask<T>();
  for (uint16_t i = 0; i < trips; ++i) {
    uint32_t at = 2 * i * lanes;
    AscendC::Reg::LoadAlign(a, at < count ? src0 + at : src1 + (at - count));
    at += lanes;
    AscendC::Reg::LoadAlign(b, at < count ? src0 + at : src1 + (at - count));
    AscendC::Reg::DeInterleave(even, odd, a, b);
    AscendC::Reg::StoreAlign(dst0 + i * lanes, even, all);
    AscendC::Reg::StoreAlign(dst1 + i * lanes, odd, all);
  }
}
template <typename T> T *pointerOf(const AscendC::LocalTensor<T> &tensor) {
  return reinterpret_cast<T *>(tensor.GetPhyAddr());
}

} // namespace tilesmith

namespace AscendC {

#define TILESMITH_BY_REGISTERS(NAME)                                                                                   \
  template <typename T, bool isSetMask = true>                                                                         \
  inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint32_t count,  \
                   tilesmith::Where where = tilesmith::Where::here()) {                                                \
    tilesmith::VfOf<&tilesmith::each##NAME<T>>{}(tilesmith::pointerOf(dst), tilesmith::pointerOf(src0),                \
                                                 tilesmith::pointerOf(src1), count, tilesmith::tripsOf<T>(count),      \
                                                 where);                                                               \
  }
TILESMITH_BY_REGISTERS(AbsSub)
TILESMITH_BY_REGISTERS(ExpSub)
TILESMITH_BY_REGISTERS(Prelu)
#undef TILESMITH_BY_REGISTERS

#define TILESMITH_BY_REGISTERS(NAME)                                                                                   \
  template <typename T, bool isSetMask = true>                                                                         \
  inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, tilesmith::Same<T> value, uint32_t count,     \
                   tilesmith::Where where = tilesmith::Where::here()) {                                                \
    tilesmith::VfOf<&tilesmith::each##NAME<T>>{}(tilesmith::pointerOf(dst), tilesmith::pointerOf(src), value, count,   \
                                                 tilesmith::tripsOf<T>(count), where);                                 \
  }
TILESMITH_BY_REGISTERS(Subs)
TILESMITH_BY_REGISTERS(Divs)
TILESMITH_BY_REGISTERS(Ands)
TILESMITH_BY_REGISTERS(Ors)
#undef TILESMITH_BY_REGISTERS

// The elements of two tensors in turn, and apart again: `count` of each.
#define TILESMITH_IN_TURN(NAME)                                                                                        \
  template <typename T>                                                                                                \
  inline void NAME(const LocalTensor<T> &dst0, const LocalTensor<T> &dst1, const LocalTensor<T> &src0,                 \
                   const LocalTensor<T> &src1, uint32_t count, tilesmith::Where where = tilesmith::Where::here()) {    \
    if (count % (GetVecLen() / sizeof(T)))                                                                             \
      return tilesmith::unsupported(where, #NAME " of a number of elements that does not fill registers");             \
    tilesmith::VfOf<&tilesmith::each##NAME<T>>{}(tilesmith::pointerOf(dst0), tilesmith::pointerOf(dst1),               \
                                                 tilesmith::pointerOf(src0), tilesmith::pointerOf(src1), count,        \
                                                 tilesmith::tripsOf<T>(count), where);                                 \
  }
TILESMITH_IN_TURN(Interleave)
TILESMITH_IN_TURN(DeInterleave)
#undef TILESMITH_IN_TURN
// Of one tensor: its even elements and its odd ones.
template <typename T>
inline void DeInterleave(const LocalTensor<T> &dst0, const LocalTensor<T> &dst1, const LocalTensor<T> &src,
                         uint32_t srcCount, tilesmith::Where where = tilesmith::Where::here()) {
  DeInterleave(dst0, dst1, src, src[srcCount / 2], srcCount / 2, where);
}

} // namespace AscendC

#endif
