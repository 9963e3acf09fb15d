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

#endif
