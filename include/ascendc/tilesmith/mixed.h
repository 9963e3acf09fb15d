// Arithmetic that changes the element type, conversions by a scale, and counting up.
#ifndef TILESMITH_ASCENDC_MIXED_H
#define TILESMITH_ASCENDC_MIXED_H

#include "tilesmith/choices.h"

namespace AscendC {

// Accumulating half in float.
template <typename T, typename U, bool isSetMask = true>
inline std::enable_if_t<!std::is_same_v<T, U>> Axpy(const LocalTensor<T> &dst, const LocalTensor<U> &src,
                                                    const tilesmith::Same<U> &scalar, int32_t count,
                                                    tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_axpy_wide(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), tilesmith::dtypeOf<U>(),
                                dst.tsAddress(), src.tsAddress(), src.tsAddress(), tilesmith::bitsOf<U>(scalar), count);
}
template <typename T, typename U, bool isSetMask = true, typename Mask>
inline std::enable_if_t<!std::is_same_v<T, U>>
Axpy(const LocalTensor<T> &dst, const LocalTensor<U> &src, const tilesmith::Same<U> &scalar, const Mask &mask,
     uint8_t repeat, const UnaryRepeatParams &params, tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_axpy_wide_r(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), tilesmith::dtypeOf<U>(),
                                  dst.tsAddress(), src.tsAddress(), src.tsAddress(), tilesmith::bitsOf<U>(scalar),
                                  tilesmith::maskOf<isSetMask, 256 / tilesmith::widest<T, U>()>(mask), repeat,
                                  params.dstBlkStride, params.srcBlkStride, params.srcBlkStride, params.dstRepStride,
                                  params.srcRepStride, params.srcRepStride);
}

// Two sources of one type, a destination of another.
#define TILESMITH_MIXED(NAME, ENTRY, SCALE, CONDITION)                                                                 \
  template <typename T, typename U, bool isSetMask = true>                                                             \
  inline std::enable_if_t<CONDITION> NAME(const LocalTensor<T> &dst, const LocalTensor<U> &src0,                       \
                                          const LocalTensor<U> &src1, int32_t count,                                   \
                                          tilesmith::Where where = tilesmith::Where::here()) {                         \
    tilesmith::api->tsm_##ENTRY(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), tilesmith::dtypeOf<U>(),        \
                                dst.tsAddress(), src0.tsAddress(), src1.tsAddress(), SCALE, count);                    \
  }                                                                                                                    \
  template <typename T, typename U, bool isSetMask = true, typename Mask>                                              \
  inline std::enable_if_t<CONDITION> NAME(                                                                             \
      const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, const Mask &mask,             \
      uint8_t repeat, const BinaryRepeatParams &params, tilesmith::Where where = tilesmith::Where::here()) {           \
    tilesmith::api->tsm_##ENTRY##_r(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), tilesmith::dtypeOf<U>(),    \
                                    dst.tsAddress(), src0.tsAddress(), src1.tsAddress(), SCALE,                        \
                                    tilesmith::maskOf<isSetMask, 256 / tilesmith::widest<T, U>()>(mask), repeat,       \
                                    params.dstBlkStride, params.src0BlkStride, params.src1BlkStride,                   \
                                    params.dstRepStride, params.src0RepStride, params.src1RepStride);                  \
  }
TILESMITH_MIXED(MulAddDst, mul_add_dst_wide, 0, (!std::is_same_v<T, U>))
TILESMITH_MIXED(AddDeqRelu, add_deq_relu, TS_AS_SET, true)
TILESMITH_MIXED(AddReluCast, add_relu_cast, 0, true)
TILESMITH_MIXED(SubReluCast, sub_relu_cast, 0, true)
TILESMITH_MIXED(MulCast, mul_cast, 0, true)
#undef TILESMITH_MIXED

// The scale of the next casts from int32_t to half.
inline void SetDeqScale(half scale) {
  tilesmith::api->tsm_set_register(tilesmith::core, int64_t(tilesmith::Register::DeqScale),
                                   tilesmith::bitsOf<half>(scale));
}

template <>
inline void Cast<half, int32_t, true>(const LocalTensor<half> &dst, const LocalTensor<int32_t> &src, RoundMode,
                                      int64_t count, tilesmith::Where where) {
  tilesmith::api->tsm_cast_dequant(tilesmith::core, where.loc(), tilesmith::dtypeOf<half>(),
                                   tilesmith::dtypeOf<int32_t>(), dst.tsAddress(), src.tsAddress(), src.tsAddress(),
                                   TS_AS_SET, count);
}
template <>
inline void Cast<half, int32_t, true>(const LocalTensor<half> &dst, const LocalTensor<int32_t> &src, RoundMode,
                                      uint64_t mask, int64_t repeat, const UnaryRepeatParams &params,
                                      tilesmith::Where where) {
  tilesmith::api->tsm_cast_dequant_r(
      tilesmith::core, where.loc(), tilesmith::dtypeOf<half>(), tilesmith::dtypeOf<int32_t>(), dst.tsAddress(),
      src.tsAddress(), src.tsAddress(), TS_AS_SET, tilesmith::maskOf<true, 64>(mask), repeat, params.dstBlkStride,
      params.srcBlkStride, params.srcBlkStride, params.dstRepStride, params.srcRepStride, params.srcRepStride);
}

// first, first + step, ...
template <typename T>
inline void ArithProgression(const LocalTensor<T> &dst, const tilesmith::Same<T> &first, const tilesmith::Same<T> &step,
                             int32_t count, tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_arange(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), dst.tsAddress(),
                             tilesmith::bitsOf<T>(first), tilesmith::bitsOf<T>(step), count);
}
template <typename T>
inline void Arange(const LocalTensor<T> &dst, const tilesmith::Same<T> &first, const tilesmith::Same<T> &step,
                   int32_t count, tilesmith::Where where = tilesmith::Where::here()) {
  ArithProgression(dst, first, step, count, where);
}
template <typename T>
inline void CreateVecIndex(const LocalTensor<T> &dst, const tilesmith::Same<T> &first, uint32_t count,
                           tilesmith::Where where = tilesmith::Where::here()) {
  ArithProgression(dst, first, T(1), int32_t(count), where);
}
template <typename T>
inline void CreateVecIndex(LocalTensor<T> dst, const tilesmith::Same<T> &first, uint64_t mask, uint8_t repeat,
                           uint16_t dstBlkStride, uint8_t dstRepStride,
                           tilesmith::Where where = tilesmith::Where::here()) {
  constexpr uint64_t lanes = 256 / sizeof(T);
  if (dstBlkStride != 1 || (repeat > 1 && (dstRepStride != 8 || mask < lanes)))
    return tilesmith::unsupported(where, "CreateVecIndex of repeats that do not follow each other");
  CreateVecIndex(dst, first, uint32_t((mask < lanes ? mask : lanes) * repeat), where);
}
template <typename T, typename U>
inline void CreateVecIndex(LocalTensor<T> &dst, const U &first, uint32_t count,
                           tilesmith::Where where = tilesmith::Where::here()) {
  ArithProgression(dst, T(first), T(1), int32_t(count), where);
}

} // namespace AscendC

#endif
