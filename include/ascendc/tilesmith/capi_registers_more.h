// The C API: registers of the 950 beyond plain arithmetic. Places by index, parts of elements, conversions, masks,
// accesses that do not begin on blocks.
#ifndef TILESMITH_ASCENDC_CAPI_REGISTERS_MORE_H
#define TILESMITH_ASCENDC_CAPI_REGISTERS_MORE_H

#include "tilesmith/capi_registers.h"

// Barriers between accesses of UB in a vector function: what waits for what.
enum tsMemBar { VST_VLD, VLD_VST, VST_VST, VST_LD, VST_ST, VLD_ST, ST_VLD, ST_VST, LD_VST, VV_ALL, VS_ALL, SV_ALL };
inline void asc_mem_bar(tsMemBar barrier) {
  using AscendC::Reg::LocalMemBar;
  using AscendC::Reg::MemType;
  switch (barrier) {
  case VST_VLD:
    return LocalMemBar<MemType::VEC_STORE, MemType::VEC_LOAD>();
  case VLD_VST:
    return LocalMemBar<MemType::VEC_LOAD, MemType::VEC_STORE>();
  case VST_VST:
    return LocalMemBar<MemType::VEC_STORE, MemType::VEC_STORE>();
  case VST_LD:
    return LocalMemBar<MemType::VEC_STORE, MemType::SCALAR_LOAD>();
  case VST_ST:
    return LocalMemBar<MemType::VEC_STORE, MemType::SCALAR_STORE>();
  case VLD_ST:
    return LocalMemBar<MemType::VEC_LOAD, MemType::SCALAR_STORE>();
  case ST_VLD:
    return LocalMemBar<MemType::SCALAR_STORE, MemType::VEC_LOAD>();
  case ST_VST:
    return LocalMemBar<MemType::SCALAR_STORE, MemType::VEC_STORE>();
  case LD_VST:
    return LocalMemBar<MemType::SCALAR_LOAD, MemType::VEC_STORE>();
  case VV_ALL:
    return LocalMemBar<MemType::VEC_ALL, MemType::VEC_ALL>();
  case VS_ALL:
    return LocalMemBar<MemType::VEC_ALL, MemType::SCALAR_ALL>();
  case SV_ALL:
    return LocalMemBar<MemType::SCALAR_ALL, MemType::VEC_ALL>();
  }
}

#define TILESMITH_CAPI_SHIFT(NAME, CALL)                                                                               \
  template <typename T>                                                                                                \
  inline void asc_##NAME(AscendC::Reg::RegTensor<T> &dst, const AscendC::Reg::RegTensor<T> &src,                       \
                         const AscendC::Reg::RegTensor<std::make_signed_t<T>> &by, const vector_bool &mask,            \
                         tilesmith::Where where = tilesmith::Where::here()) {                                          \
    AscendC::Reg::CALL(dst, src, by, mask, where);                                                                     \
  }                                                                                                                    \
  template <typename T>                                                                                                \
  inline void asc_##NAME##_scalar(AscendC::Reg::RegTensor<T> &dst, const AscendC::Reg::RegTensor<T> &src, int16_t by,  \
                                  const vector_bool &mask, tilesmith::Where where = tilesmith::Where::here()) {        \
    AscendC::Reg::CALL##s(dst, src, by, mask, where);                                                                  \
  }
TILESMITH_CAPI_SHIFT(shiftleft, ShiftLeft)
TILESMITH_CAPI_SHIFT(shiftright, ShiftRight)
#undef TILESMITH_CAPI_SHIFT

// Elements of UB by their numbers, and the other way.
template <typename T, typename I>
inline void asc_gather(AscendC::Reg::RegTensor<T> &dst, T *base, const AscendC::Reg::RegTensor<I> &index,
                       const vector_bool &mask, tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::Reg::Gather(dst, base, index, mask, where);
}
template <typename T, typename I>
inline void asc_gather(AscendC::Reg::RegTensor<T> &dst, const AscendC::Reg::RegTensor<T> &src,
                       const AscendC::Reg::RegTensor<I> &index, tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::Reg::Gather(dst, src, index, where);
}
template <typename T, typename I>
inline void asc_scatter(T *base, const AscendC::Reg::RegTensor<T> &src, const AscendC::Reg::RegTensor<I> &index,
                        const vector_bool &mask, tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::Reg::Scatter(base, src, index, mask, where);
}
template <typename T, typename I>
inline void asc_gather_datablock(AscendC::Reg::RegTensor<T> &dst, T *base, const AscendC::Reg::RegTensor<I> &index,
                                 const vector_bool &mask, tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::Reg::GatherB(dst, base, index, mask, where);
}

// Halves of a register as elements of twice the width, and back.
#define TILESMITH_CAPI_PART(NAME, CALL, PART)                                                                          \
  template <typename T, typename U>                                                                                    \
  inline void asc_##NAME(AscendC::Reg::RegTensor<T> &dst, const AscendC::Reg::RegTensor<U> &src) {                     \
    AscendC::Reg::CALL<T, U, AscendC::Reg::HighLowPart::PART>(dst, src);                                               \
  }
TILESMITH_CAPI_PART(unpack_lower, UnPack, LOWEST)
TILESMITH_CAPI_PART(unpack_upper, UnPack, HIGHEST)
TILESMITH_CAPI_PART(pack, Pack, LOWEST)
TILESMITH_CAPI_PART(pack_lower, Pack, LOWEST)
TILESMITH_CAPI_PART(pack_upper, Pack, HIGHEST)
#undef TILESMITH_CAPI_PART

template <typename T>
inline void asc_loadalign_deintlv(AscendC::Reg::RegTensor<T> &dst0, AscendC::Reg::RegTensor<T> &dst1, T *src,
                                  tilesmith::Where where = tilesmith::Where::here()) {
  using AscendC::Reg::LoadDist;
  constexpr auto dist = sizeof(T) == 1   ? LoadDist::DIST_DINTLV_B8
                        : sizeof(T) == 2 ? LoadDist::DIST_DINTLV_B16
                                         : LoadDist::DIST_DINTLV_B32;
  AscendC::Reg::LoadAlign<T, dist>(dst0, dst1, src, where);
}
template <typename T>
inline void asc_storealign_intlv(T *dst, const AscendC::Reg::RegTensor<T> &src0, const AscendC::Reg::RegTensor<T> &src1,
                                 const vector_bool &mask, tilesmith::Where where = tilesmith::Where::here()) {
  using AscendC::Reg::StoreDist;
  constexpr auto dist = sizeof(T) == 1   ? StoreDist::DIST_INTLV_B8
                        : sizeof(T) == 2 ? StoreDist::DIST_INTLV_B16
                                         : StoreDist::DIST_INTLV_B32;
  AscendC::Reg::StoreAlign<T, dist>(dst, src0, src1, mask, where);
}
template <typename T>
inline void asc_storeunalign_postupdate(T *&dst, const AscendC::Reg::RegTensor<T> &src, vector_store_align &helper,
                                        uint32_t count, tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::Reg::StoreUnAlign(dst, src, helper, count, where);
}
template <typename T> inline void asc_storeunalign_post(T *&dst, vector_store_align &helper) {
  AscendC::Reg::StoreUnAlignPost(dst, helper, 0);
}

// Conversions of lanes: the types are in the name, and where something is lost the way of rounding.
namespace tilesmith {
template <AscendC::RoundMode round, bool isSaturated> struct CapiCast {
  static constexpr AscendC::Reg::CastTrait same = {
      AscendC::Reg::RegLayout::UNKNOWN, isSaturated ? AscendC::Reg::SatMode::SAT : AscendC::Reg::SatMode::UNKNOWN,
      AscendC::Reg::MaskMergeMode::ZEROING, round};
  static constexpr AscendC::Reg::CastTrait zero = {
      AscendC::Reg::RegLayout::ZERO, isSaturated ? AscendC::Reg::SatMode::SAT : AscendC::Reg::SatMode::UNKNOWN,
      AscendC::Reg::MaskMergeMode::ZEROING, round};
};
} // namespace tilesmith
#define TILESMITH_CAPI_CAST(NAME, FROM, TO, ROUND, SATURATED)                                                          \
  inline void asc_##NAME(AscendC::Reg::RegTensor<TO> &dst, const AscendC::Reg::RegTensor<FROM> &src,                   \
                         const vector_bool &mask, tilesmith::Where where = tilesmith::Where::here()) {                 \
    using Cast = tilesmith::CapiCast<AscendC::RoundMode::ROUND, SATURATED>;                                            \
    if constexpr (sizeof(TO) == sizeof(FROM))                                                                          \
      AscendC::Reg::Cast<TO, FROM, Cast::same>(dst, src, mask, where);                                                 \
    else                                                                                                               \
      AscendC::Reg::Cast<TO, FROM, Cast::zero>(dst, src, mask, where);                                                 \
  }
#define TILESMITH_CAPI_CASTS(NAME, FROM, TO)                                                                           \
  TILESMITH_CAPI_CAST(NAME##_rn, FROM, TO, CAST_RINT, true)                                                            \
  TILESMITH_CAPI_CAST(NAME##_rd, FROM, TO, CAST_FLOOR, true)                                                           \
  TILESMITH_CAPI_CAST(NAME##_ru, FROM, TO, CAST_CEIL, true)                                                            \
  TILESMITH_CAPI_CAST(NAME##_rz, FROM, TO, CAST_TRUNC, true)                                                           \
  TILESMITH_CAPI_CAST(NAME##_rna, FROM, TO, CAST_ROUND, true)
TILESMITH_CAPI_CAST(half2float, half, float, UNKNOWN, false)
TILESMITH_CAPI_CAST(bfloat162float, bfloat16_t, float, UNKNOWN, false)
TILESMITH_CAPI_CAST(int162float, int16_t, float, UNKNOWN, false)
TILESMITH_CAPI_CAST(int82half, int8_t, half, UNKNOWN, false)
TILESMITH_CAPI_CAST(uint82half, uint8_t, half, UNKNOWN, false)
TILESMITH_CAPI_CASTS(float2half, float, half)
TILESMITH_CAPI_CASTS(float2bfloat16, float, bfloat16_t)
TILESMITH_CAPI_CASTS(float2int32, float, int32_t)
TILESMITH_CAPI_CASTS(float2int16, float, int16_t)
TILESMITH_CAPI_CASTS(int322float, int32_t, float)
TILESMITH_CAPI_CASTS(half2int8, half, int8_t)
TILESMITH_CAPI_CASTS(half2uint8, half, uint8_t)
TILESMITH_CAPI_CASTS(half2int16, half, int16_t)
TILESMITH_CAPI_CASTS(int162half, int16_t, half)
#undef TILESMITH_CAPI_CASTS
#undef TILESMITH_CAPI_CAST

// Masks.
#define TILESMITH_CAPI_MASK(NAME, CALL)                                                                                \
  inline void asc_##NAME(vector_bool &dst, const vector_bool &src0, const vector_bool &src1,                           \
                         const vector_bool &mask) {                                                                    \
    AscendC::Reg::CALL(dst, src0, src1, mask);                                                                         \
  }
TILESMITH_CAPI_MASK(and, And)
TILESMITH_CAPI_MASK(or, Or)
TILESMITH_CAPI_MASK(xor, Xor)
TILESMITH_CAPI_MASK(select, Select)
#undef TILESMITH_CAPI_MASK
inline void asc_not(vector_bool &dst, const vector_bool &src, const vector_bool &mask) {
  AscendC::Reg::Not(dst, src, mask);
}

#endif
