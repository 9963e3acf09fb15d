// The C API: vector instructions on pointers into UB. Each has three forms: a number of elements; repeats with their
// strides, under the mask set before; and `_sync`, a number of elements and a barrier behind it.
#ifndef TILESMITH_ASCENDC_CAPI_VECTOR_H
#define TILESMITH_ASCENDC_CAPI_VECTOR_H

#include "tilesmith/capi_moves.h"

//   TILESMITH_CAPI_BINARY(name, call)     dst, src0, src1
//   TILESMITH_CAPI_UNARY(name, call)      dst, src
//   TILESMITH_CAPI_SCALAR(name, call)     dst, src, value
#define TILESMITH_CAPI_BINARY(NAME, CALL)                                                                              \
  template <typename T>                                                                                                \
  inline void asc_##NAME(T *dst, T *src0, T *src1, uint32_t count,                                                     \
                         tilesmith::Where where = tilesmith::Where::here()) {                                          \
    AscendC::CALL(tilesmith::tensorAt(dst), tilesmith::tensorAt(src0), tilesmith::tensorAt(src1), int64_t(count),      \
                  where);                                                                                              \
  }                                                                                                                    \
  template <typename T>                                                                                                \
  inline void asc_##NAME(T *dst, T *src0, T *src1, uint8_t repeat, uint8_t dstBlockStride, uint8_t src0BlockStride,    \
                         uint8_t src1BlockStride, uint8_t dstRepeatStride, uint8_t src0RepeatStride,                   \
                         uint8_t src1RepeatStride, tilesmith::Where where = tilesmith::Where::here()) {                \
    AscendC::CALL<T, false>(                                                                                           \
        tilesmith::tensorAt(dst), tilesmith::tensorAt(src0), tilesmith::tensorAt(src1), AscendC::MASK_PLACEHOLDER,     \
        int64_t(repeat),                                                                                               \
        {dstBlockStride, src0BlockStride, src1BlockStride, dstRepeatStride, src0RepeatStride, src1RepeatStride},       \
        where);                                                                                                        \
  }                                                                                                                    \
  template <typename T>                                                                                                \
  inline void asc_##NAME##_sync(T *dst, T *src0, T *src1, uint32_t count,                                              \
                                tilesmith::Where where = tilesmith::Where::here()) {                                   \
    asc_##NAME(dst, src0, src1, count, where);                                                                         \
    tilesmith::waitForAll(where);                                                                                      \
  }
TILESMITH_CAPI_BINARY(add, Add)
TILESMITH_CAPI_BINARY(sub, Sub)
TILESMITH_CAPI_BINARY(mul, Mul)
TILESMITH_CAPI_BINARY(div, Div)
TILESMITH_CAPI_BINARY(max, Max)
TILESMITH_CAPI_BINARY(min, Min)
TILESMITH_CAPI_BINARY(and, And)
TILESMITH_CAPI_BINARY(or, Or)
TILESMITH_CAPI_BINARY(add_relu, AddRelu)
TILESMITH_CAPI_BINARY(sub_relu, SubRelu)
TILESMITH_CAPI_BINARY(fma, MulAddDst)
TILESMITH_CAPI_BINARY(mul_add, FusedMulAdd)
TILESMITH_CAPI_BINARY(mul_add_relu, FusedMulAddRelu)
#undef TILESMITH_CAPI_BINARY

#define TILESMITH_CAPI_UNARY(NAME, CALL)                                                                               \
  template <typename T>                                                                                                \
  inline void asc_##NAME(T *dst, T *src, uint32_t count, tilesmith::Where where = tilesmith::Where::here()) {          \
    AscendC::CALL(tilesmith::tensorAt(dst), tilesmith::tensorAt(src), int64_t(count), where);                          \
  }                                                                                                                    \
  template <typename T>                                                                                                \
  inline void asc_##NAME(T *dst, T *src, uint8_t repeat, uint16_t dstBlockStride, uint16_t srcBlockStride,             \
                         uint8_t dstRepeatStride, uint8_t srcRepeatStride,                                             \
                         tilesmith::Where where = tilesmith::Where::here()) {                                          \
    AscendC::CALL<T, false>(tilesmith::tensorAt(dst), tilesmith::tensorAt(src), AscendC::MASK_PLACEHOLDER,             \
                            int64_t(repeat), {dstBlockStride, srcBlockStride, dstRepeatStride, srcRepeatStride},       \
                            where);                                                                                    \
  }                                                                                                                    \
  template <typename T>                                                                                                \
  inline void asc_##NAME##_sync(T *dst, T *src, uint32_t count, tilesmith::Where where = tilesmith::Where::here()) {   \
    asc_##NAME(dst, src, count, where);                                                                                \
    tilesmith::waitForAll(where);                                                                                      \
  }
TILESMITH_CAPI_UNARY(abs, Abs)
TILESMITH_CAPI_UNARY(exp, Exp)
TILESMITH_CAPI_UNARY(ln, Ln)
TILESMITH_CAPI_UNARY(log, Ln)
TILESMITH_CAPI_UNARY(sqrt, Sqrt)
TILESMITH_CAPI_UNARY(rsqrt, Rsqrt)
TILESMITH_CAPI_UNARY(rcp, Reciprocal)
TILESMITH_CAPI_UNARY(relu, Relu)
TILESMITH_CAPI_UNARY(not, Not)
#undef TILESMITH_CAPI_UNARY

#define TILESMITH_CAPI_SCALAR(NAME, CALL)                                                                              \
  template <typename T>                                                                                                \
  inline void asc_##NAME(T *dst, T *src, tilesmith::Same<T> value, uint32_t count,                                     \
                         tilesmith::Where where = tilesmith::Where::here()) {                                          \
    AscendC::CALL(tilesmith::tensorAt(dst), tilesmith::tensorAt(src), value, int64_t(count), where);                   \
  }                                                                                                                    \
  template <typename T>                                                                                                \
  inline void asc_##NAME(T *dst, T *src, tilesmith::Same<T> value, uint8_t repeat, uint16_t dstBlockStride,            \
                         uint16_t srcBlockStride, uint8_t dstRepeatStride, uint8_t srcRepeatStride,                    \
                         tilesmith::Where where = tilesmith::Where::here()) {                                          \
    AscendC::CALL<T, false>(tilesmith::tensorAt(dst), tilesmith::tensorAt(src), value, AscendC::MASK_PLACEHOLDER,      \
                            int64_t(repeat), {dstBlockStride, srcBlockStride, dstRepeatStride, srcRepeatStride},       \
                            where);                                                                                    \
  }                                                                                                                    \
  template <typename T>                                                                                                \
  inline void asc_##NAME##_sync(T *dst, T *src, tilesmith::Same<T> value, uint32_t count,                              \
                                tilesmith::Where where = tilesmith::Where::here()) {                                   \
    asc_##NAME(dst, src, value, count, where);                                                                         \
    tilesmith::waitForAll(where);                                                                                      \
  }
TILESMITH_CAPI_SCALAR(add_scalar, Adds)
TILESMITH_CAPI_SCALAR(adds, Adds)
TILESMITH_CAPI_SCALAR(mul_scalar, Muls)
TILESMITH_CAPI_SCALAR(muls, Muls)
TILESMITH_CAPI_SCALAR(max_scalar, Maxs)
TILESMITH_CAPI_SCALAR(min_scalar, Mins)
TILESMITH_CAPI_SCALAR(leaky_relu, LeakyRelu)
TILESMITH_CAPI_SCALAR(leakyrelu, LeakyRelu)
TILESMITH_CAPI_SCALAR(axpy, Axpy)
TILESMITH_CAPI_SCALAR(shiftleft, ShiftLeft)
TILESMITH_CAPI_SCALAR(shiftright, ShiftRight)
#undef TILESMITH_CAPI_SCALAR

template <typename T>
inline void asc_duplicate(T *dst, tilesmith::Same<T> value, uint32_t count,
                          tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::Duplicate(tilesmith::tensorAt(dst), value, int64_t(count), where);
}
template <typename T>
inline void asc_duplicate(T *dst, tilesmith::Same<T> value, uint8_t repeat, uint16_t dstBlockStride,
                          uint16_t dstRepeatStride, tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::Duplicate<T, false>(tilesmith::tensorAt(dst), value, AscendC::MASK_PLACEHOLDER, int64_t(repeat),
                               dstBlockStride, dstRepeatStride, where);
}
template <typename T>
inline void asc_duplicate_sync(T *dst, tilesmith::Same<T> value, uint32_t count,
                               tilesmith::Where where = tilesmith::Where::here()) {
  asc_duplicate(dst, value, count, where);
  tilesmith::waitForAll(where);
}

// Conversions: the types are in the name, and where something is lost the way of rounding.
#define TILESMITH_CAPI_CAST(NAME, FROM, TO, ROUND)                                                                     \
  inline void asc_##NAME(TO *dst, FROM *src, uint32_t count, tilesmith::Where where = tilesmith::Where::here()) {      \
    AscendC::Cast(tilesmith::tensorAt(dst), tilesmith::tensorAt(src), AscendC::RoundMode::ROUND, count, where);        \
  }                                                                                                                    \
  inline void asc_##NAME##_sync(TO *dst, FROM *src, uint32_t count,                                                    \
                                tilesmith::Where where = tilesmith::Where::here()) {                                   \
    asc_##NAME(dst, src, count, where);                                                                                \
    tilesmith::waitForAll(where);                                                                                      \
  }
#define TILESMITH_CAPI_CASTS(NAME, FROM, TO)                                                                           \
  TILESMITH_CAPI_CAST(NAME##_rn, FROM, TO, CAST_RINT)                                                                  \
  TILESMITH_CAPI_CAST(NAME##_rd, FROM, TO, CAST_FLOOR)                                                                 \
  TILESMITH_CAPI_CAST(NAME##_ru, FROM, TO, CAST_CEIL)                                                                  \
  TILESMITH_CAPI_CAST(NAME##_rz, FROM, TO, CAST_TRUNC)                                                                 \
  TILESMITH_CAPI_CAST(NAME##_rna, FROM, TO, CAST_ROUND)
TILESMITH_CAPI_CAST(half2float, half, float, CAST_NONE)
TILESMITH_CAPI_CAST(bfloat162float, bfloat16_t, float, CAST_NONE)
TILESMITH_CAPI_CAST(int162half, int16_t, half, CAST_NONE)
TILESMITH_CAPI_CAST(int162float, int16_t, float, CAST_NONE)
TILESMITH_CAPI_CAST(int82half, int8_t, half, CAST_NONE)
TILESMITH_CAPI_CAST(uint82half, uint8_t, half, CAST_NONE)
TILESMITH_CAPI_CAST(float2half, float, half, CAST_NONE)
TILESMITH_CAPI_CAST(int322float, int32_t, float, CAST_NONE)
TILESMITH_CAPI_CASTS(float2half, float, half)
TILESMITH_CAPI_CASTS(float2bfloat16, float, bfloat16_t)
TILESMITH_CAPI_CASTS(float2int16, float, int16_t)
TILESMITH_CAPI_CASTS(float2int32, float, int32_t)
TILESMITH_CAPI_CASTS(float2float, float, float)
TILESMITH_CAPI_CASTS(half2int8, half, int8_t)
TILESMITH_CAPI_CASTS(half2uint8, half, uint8_t)
TILESMITH_CAPI_CASTS(half2int16, half, int16_t)
TILESMITH_CAPI_CASTS(half2int32, half, int32_t)
TILESMITH_CAPI_CASTS(bfloat162int32, bfloat16_t, int32_t)
TILESMITH_CAPI_CASTS(int322float, int32_t, float)
#undef TILESMITH_CAPI_CASTS
#undef TILESMITH_CAPI_CAST

#endif
