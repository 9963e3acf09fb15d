// The inner loops of the comparison, built once per CPU level.
//
// A block is at most kBlock float32 pairs. Element i adds to lane i % kLanes, in order; `Lanes` carries them from block
// to block.
#ifndef TILESMITH_LIB_VERIFY_KERNELS_H
#define TILESMITH_LIB_VERIFY_KERNELS_H

#include "tilesmith/Verify/Elements.h"

namespace tilesmith::verify {

inline constexpr int kLanes = 16;
inline constexpr int64_t kBlock = 2048; // multiple of kLanes

struct Lanes {
  alignas(64) double sum[kLanes] = {};
  alignas(64) float max[kLanes] = {};
  int64_t finite = 0, nanPlaces = 0, infPlaces = 0, infSigns = 0;
};

struct Kernels {
  // Elements as float32. False if a finite one became infinite.
  bool (*widen)(DType dtype, const uint8_t *elements, int64_t count, float *out);
  // One block of the same dtype. Counts mask differences and adds up rel of the places finite on both sides.
  void (*block)(const float *candidate, const float *golden, int64_t count, float threshold, Lanes &lanes);
  // The same from the elements' own bytes, without a detour through memory. False for dtypes that have no such way.
  bool (*direct)(DType dtype, const uint8_t *candidate, const uint8_t *golden, int64_t count, float threshold,
                 Lanes &lanes);
  // How many elements of `size` bytes differ.
  int64_t (*unequal)(const uint8_t *a, const uint8_t *b, int64_t count, int64_t size);
};

namespace baseline {
extern const Kernels kernels;
}
namespace avx2 {
extern const Kernels kernels;
}
namespace avx512 {
extern const Kernels kernels;
}
const Kernels &hostKernels();

} // namespace tilesmith::verify

#endif // TILESMITH_LIB_VERIFY_KERNELS_H
