// Small vectors of numbers that threads load and store at once.
#ifndef TILESMITH_ASCENDC_VECTOR_TYPES_H
#define TILESMITH_ASCENDC_VECTOR_TYPES_H

#include "tilesmith/scalars.h"

#define TILESMITH_VECTORS(NAME, T)                                                                                     \
  struct alignas(2 * sizeof(T)) NAME##2 { T x, y; };                                                                   \
  struct NAME##3 { T x, y, z; };                                                                                       \
  struct alignas(4 * sizeof(T)) NAME##4 { T x, y, z, w; };                                                             \
  inline NAME##2 make_##NAME##2(T x, T y) { return {x, y}; }                                                           \
  inline NAME##3 make_##NAME##3(T x, T y, T z) { return {x, y, z}; }                                                   \
  inline NAME##4 make_##NAME##4(T x, T y, T z, T w) { return {x, y, z, w}; }
TILESMITH_VECTORS(char, int8_t)
TILESMITH_VECTORS(uchar, uint8_t)
TILESMITH_VECTORS(short, int16_t)
TILESMITH_VECTORS(ushort, uint16_t)
TILESMITH_VECTORS(int, int32_t)
TILESMITH_VECTORS(uint, uint32_t)
TILESMITH_VECTORS(long, int64_t)
TILESMITH_VECTORS(ulong, uint64_t)
TILESMITH_VECTORS(float, float)
#undef TILESMITH_VECTORS

struct alignas(4) half2 {
  half x, y;
};
struct alignas(4) bfloat16x2_t {
  bfloat16_t x, y;
};
inline half2 make_half2(half x, half y) { return {x, y}; }
inline bfloat16x2_t make_bfloat162(bfloat16_t x, bfloat16_t y) { return {x, y}; }

// Pairs: between types, and computed in float and rounded once each.
inline half2 __floats2half2_rn(float x, float y) { return {half(x), half(y)}; }
inline half2 __float22half2_rn(float2 v) { return {half(v.x), half(v.y)}; }
inline half2 __float2half2_rn(float x) { return {half(x), half(x)}; }
inline half2 __half2half2(half x) { return {x, x}; }
inline half2 __halves2half2(half x, half y) { return {x, y}; }
inline float2 __half22float2(half2 v) { return {float(v.x), float(v.y)}; }
inline half __low2half(half2 v) { return v.x; }
inline half __high2half(half2 v) { return v.y; }
inline float __low2float(half2 v) { return float(v.x); }
inline float __high2float(half2 v) { return float(v.y); }
inline bfloat16x2_t __floats2bfloat162_rn(float x, float y) { return {bfloat16_t(x), bfloat16_t(y)}; }
inline bfloat16x2_t __float22bfloat162_rn(float2 v) { return {bfloat16_t(v.x), bfloat16_t(v.y)}; }
inline float2 __bfloat1622float2(bfloat16x2_t v) { return {float(v.x), float(v.y)}; }
#define TILESMITH_PAIRS(V, T)                                                                                          \
  inline V __hadd2(V a, V b) { return {T(float(a.x) + float(b.x)), T(float(a.y) + float(b.y))}; }                      \
  inline V __hsub2(V a, V b) { return {T(float(a.x) - float(b.x)), T(float(a.y) - float(b.y))}; }                      \
  inline V __hmul2(V a, V b) { return {T(float(a.x) * float(b.x)), T(float(a.y) * float(b.y))}; }                      \
  inline V __hfma2(V a, V b, V c) {                                                                                    \
    return {T(__builtin_fmaf(float(a.x), float(b.x), float(c.x))),                                                     \
            T(__builtin_fmaf(float(a.y), float(b.y), float(c.y)))};                                                    \
  }
TILESMITH_PAIRS(half2, half)
TILESMITH_PAIRS(bfloat16x2_t, bfloat16_t)
#undef TILESMITH_PAIRS

#endif
