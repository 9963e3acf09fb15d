// Functions of numbers for threads: those of <math.h>, and what it does not have. Those of half and bfloat16_t compute
// in float and round once.
#ifndef TILESMITH_ASCENDC_MATH_FUNCTIONS_H
#define TILESMITH_ASCENDC_MATH_FUNCTIONS_H

#include "tilesmith/scalars.h"
#include <math.h>
#include <stdlib.h>

namespace tilesmith {
inline uint32_t reversed(uint32_t x) {
  uint32_t result = 0;
  for (int i = 0; i < 32; ++i)
    result |= (x >> i & 1) << (31 - i);
  return result;
}
} // namespace tilesmith

inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline float rcbrtf(float x) { return 1.0f / cbrtf(x); }
inline float fdividef(float x, float y) { return x / y; }
inline float __fdividef(float x, float y) { return x / y; }
inline float sinpif(float x) { return sinf(x * 3.14159265358979323846f); }
inline float cospif(float x) { return cosf(x * 3.14159265358979323846f); }
inline float normcdff(float x) { return 0.5f * erfcf(-x * 0.70710678118654752440f); }
inline float saturatef(float x) { return x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x; }

inline float __half2float(half x) { return float(x); }
inline half __float2half(float x) { return half(x); }
inline half __float2half_rn(float x) { return half(x); }
inline float __bfloat162float(bfloat16_t x) { return float(x); }
inline bfloat16_t __float2bfloat16(float x) { return bfloat16_t(x); }
inline bfloat16_t __float2bfloat16_rn(float x) { return bfloat16_t(x); }
inline int32_t __float2int_rn(float x) { return int32_t(rintf(x)); }
inline int32_t __float2int_rz(float x) { return int32_t(truncf(x)); }
inline int32_t __float2int_ru(float x) { return int32_t(ceilf(x)); }
inline int32_t __float2int_rd(float x) { return int32_t(floorf(x)); }
inline float __int2float_rn(int32_t x) { return float(x); }
inline float __uint2float_rn(uint32_t x) { return float(x); }
inline int32_t __float_as_int(float x) { return int32_t(tilesmith::floatBits(x)); }
inline uint32_t __float_as_uint(float x) { return tilesmith::floatBits(x); }
inline float __int_as_float(int32_t x) { return tilesmith::floatOf(uint32_t(x)); }
inline float __uint_as_float(uint32_t x) { return tilesmith::floatOf(x); }
inline int32_t __clz(int32_t x) { return x ? __builtin_clz(uint32_t(x)) : 32; }
inline int32_t __popc(uint32_t x) { return __builtin_popcount(x); }
inline int32_t __ffs(int32_t x) { return __builtin_ffs(x); }
inline uint32_t __umulhi(uint32_t x, uint32_t y) { return uint32_t(uint64_t(x) * y >> 32); }
inline uint32_t __brev(uint32_t x) { return tilesmith::reversed(x); }
inline int32_t __mulhi(int32_t x, int32_t y) { return int32_t(int64_t(x) * y >> 32); }

#define TILESMITH_NARROW_MATH(T)                                                                                       \
  inline T habs(T x) { return T(fabsf(float(x))); }                                                                    \
  inline T hneg(T x) { return T(-float(x)); }                                                                          \
  inline T hexp(T x) { return T(expf(float(x))); }                                                                     \
  inline T hexp2(T x) { return T(exp2f(float(x))); }                                                                   \
  inline T hlog(T x) { return T(logf(float(x))); }                                                                     \
  inline T hlog2(T x) { return T(log2f(float(x))); }                                                                   \
  inline T hsqrt(T x) { return T(sqrtf(float(x))); }                                                                   \
  inline T hrsqrt(T x) { return T(rsqrtf(float(x))); }                                                                 \
  inline T hrcp(T x) { return T(1.0f / float(x)); }                                                                    \
  inline T hsin(T x) { return T(sinf(float(x))); }                                                                     \
  inline T hcos(T x) { return T(cosf(float(x))); }                                                                     \
  inline T htanh(T x) { return T(tanhf(float(x))); }                                                                   \
  inline T hfloor(T x) { return T(floorf(float(x))); }                                                                 \
  inline T hceil(T x) { return T(ceilf(float(x))); }                                                                   \
  inline T htrunc(T x) { return T(truncf(float(x))); }                                                                 \
  inline T hrint(T x) { return T(rintf(float(x))); }                                                                   \
  inline T __hadd(T x, T y) { return T(float(x) + float(y)); }                                                         \
  inline T __hsub(T x, T y) { return T(float(x) - float(y)); }                                                         \
  inline T __hmul(T x, T y) { return T(float(x) * float(y)); }                                                         \
  inline T __hdiv(T x, T y) { return T(float(x) / float(y)); }                                                         \
  inline T __hmax(T x, T y) { return T(fmaxf(float(x), float(y))); }                                                   \
  inline T __hmin(T x, T y) { return T(fminf(float(x), float(y))); }                                                   \
  inline bool __heq(T x, T y) { return float(x) == float(y); }                                                         \
  inline bool __hne(T x, T y) { return float(x) != float(y); }                                                         \
  inline bool __hlt(T x, T y) { return float(x) < float(y); }                                                          \
  inline bool __hle(T x, T y) { return float(x) <= float(y); }                                                         \
  inline bool __hgt(T x, T y) { return float(x) > float(y); }                                                          \
  inline bool __hge(T x, T y) { return float(x) >= float(y); }                                                         \
  inline bool __hisnan(T x) { return float(x) != float(x); }                                                           \
  inline T __habs(T x) { return habs(x); }                                                                             \
  inline T __hneg(T x) { return hneg(x); }                                                                             \
  inline T __hfma(T x, T y, T z) { return T(fmaf(float(x), float(y), float(z))); }
TILESMITH_NARROW_MATH(half)
TILESMITH_NARROW_MATH(bfloat16_t)
#undef TILESMITH_NARROW_MATH

#endif
