// Reduction of lanes in the one canonical order.
//
// A row of any length is reduced by accumulating element j into lane j % 64, chunk after chunk (plain add, max, min of
// 64-lane values; the first chunk initialises, lanes beyond the row hold the neutral element), and then by one tree
// over neighbours ((0+1)+(2+3))+... over the 64 lanes. Fusion, unrolling and host width cannot change the result.
#ifndef TILESMITH_MACHINE_ELEMENT_REDUCE_H
#define TILESMITH_MACHINE_ELEMENT_REDUCE_H

#include "tilesmith/Machine/Element/Arithmetic.h"

namespace tilesmith::element {

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"

// Lanes beyond `count` replaced by the neutral element of the reduction.
TS_ELEMENT F32x64 keepPrefix(F32x64 x, int64_t count, float neutral) {
  return select(prefixMask(count), x, splat(neutral));
}
TS_ELEMENT I32x64 keepPrefix(I32x64 x, int64_t count, int32_t neutral) {
  return select(prefixMask(count), x, splat(neutral));
}

// Lane i of the result combines lanes 2i and 2i+1; lanes of the upper half are undefined. Six steps leave the result
// in lane 0.
template <typename V> TS_ELEMENT V evenLanes(V x) {
  return __builtin_shufflevector(x, x, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40,
                                 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                                 -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
}
template <typename V> TS_ELEMENT V oddLanes(V x) {
  return __builtin_shufflevector(x, x, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35, 37, 39, 41,
                                 43, 45, 47, 49, 51, 53, 55, 57, 59, 61, 63, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                                 -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
}

#define TS_TREE(NAME, VECTOR, SCALAR, COMBINE)                                                                         \
  TS_ELEMENT SCALAR NAME(VECTOR x) {                                                                                   \
    x = COMBINE(evenLanes(x), oddLanes(x));                                                                            \
    x = COMBINE(evenLanes(x), oddLanes(x));                                                                            \
    x = COMBINE(evenLanes(x), oddLanes(x));                                                                            \
    x = COMBINE(evenLanes(x), oddLanes(x));                                                                            \
    x = COMBINE(evenLanes(x), oddLanes(x));                                                                            \
    x = COMBINE(evenLanes(x), oddLanes(x));                                                                            \
    return x[0];                                                                                                       \
  }
TS_TREE(treeSum, F32x64, float, add)
#undef TS_TREE

// Where the order cannot change the result (maxima, minima, wrapping sums) halves are combined instead of neighbours:
// that takes no shuffles until 16 lanes are left.
template <typename V> TS_ELEMENT V upperOf64(V x) {
  return __builtin_shufflevector(x, x, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51,
                                 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                                 -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                                 -1);
}
template <int from, typename V> TS_ELEMENT V upperOf(V x) {
  constexpr int step = from / 2;
  constexpr auto lane = [](int i) { return i < step ? step + i : -1; };
  return __builtin_shufflevector(x, x, lane(0), lane(1), lane(2), lane(3), lane(4), lane(5), lane(6), lane(7), lane(8),
                                 lane(9), lane(10), lane(11), lane(12), lane(13), lane(14), lane(15), -1, -1, -1, -1,
                                 -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                                 -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                                 -1);
}

#define TS_HALVES(NAME, VECTOR, SCALAR, COMBINE)                                                                       \
  TS_ELEMENT SCALAR NAME(VECTOR x) {                                                                                   \
    x = COMBINE(x, upperOf64(x));                                                                                      \
    x = COMBINE(x, upperOf<32>(x));                                                                                    \
    x = COMBINE(x, upperOf<16>(x));                                                                                    \
    x = COMBINE(x, upperOf<8>(x));                                                                                     \
    x = COMBINE(x, upperOf<4>(x));                                                                                     \
    x = COMBINE(x, upperOf<2>(x));                                                                                     \
    return x[0];                                                                                                       \
  }
TS_HALVES(treeMax, F32x64, float, max)
TS_HALVES(treeMin, F32x64, float, min)
TS_HALVES(treeSum, I32x64, int32_t, add)
TS_HALVES(treeMax, I32x64, int32_t, max)
TS_HALVES(treeMin, I32x64, int32_t, min)
TS_HALVES(treeMaxUnsigned, I32x64, int32_t, maxUnsigned)
TS_HALVES(treeMinUnsigned, I32x64, int32_t, minUnsigned)
#undef TS_HALVES

#pragma clang diagnostic pop

} // namespace tilesmith::element

#endif
