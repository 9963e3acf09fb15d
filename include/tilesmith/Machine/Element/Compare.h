// Comparison of lanes. The result is a mask: -1 where the relation holds, 0 elsewhere.
//
// A comparison with NaN is false, except NE, which is true.
#ifndef TILESMITH_MACHINE_ELEMENT_COMPARE_H
#define TILESMITH_MACHINE_ELEMENT_COMPARE_H

#include "tilesmith/Machine/Element/Lanes.h"

namespace tilesmith::element {

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"

TS_ELEMENT I32x64 compareLT(F32x64 a, F32x64 b) { return a < b; }
TS_ELEMENT I32x64 compareGT(F32x64 a, F32x64 b) { return a > b; }
TS_ELEMENT I32x64 compareEQ(F32x64 a, F32x64 b) { return a == b; }
TS_ELEMENT I32x64 compareLE(F32x64 a, F32x64 b) { return a <= b; }
TS_ELEMENT I32x64 compareGE(F32x64 a, F32x64 b) { return a >= b; }
TS_ELEMENT I32x64 compareNE(F32x64 a, F32x64 b) { return a != b; }

TS_ELEMENT I32x64 compareLT(I32x64 a, I32x64 b) { return a < b; }
TS_ELEMENT I32x64 compareGT(I32x64 a, I32x64 b) { return a > b; }
TS_ELEMENT I32x64 compareEQ(I32x64 a, I32x64 b) { return a == b; }
TS_ELEMENT I32x64 compareLE(I32x64 a, I32x64 b) { return a <= b; }
TS_ELEMENT I32x64 compareGE(I32x64 a, I32x64 b) { return a >= b; }
TS_ELEMENT I32x64 compareNE(I32x64 a, I32x64 b) { return a != b; }

TS_ELEMENT I32x64 compareLTUnsigned(I32x64 a, I32x64 b) { return asUnsigned(a) < asUnsigned(b); }
TS_ELEMENT I32x64 compareGTUnsigned(I32x64 a, I32x64 b) { return asUnsigned(a) > asUnsigned(b); }
TS_ELEMENT I32x64 compareLEUnsigned(I32x64 a, I32x64 b) { return asUnsigned(a) <= asUnsigned(b); }
TS_ELEMENT I32x64 compareGEUnsigned(I32x64 a, I32x64 b) { return asUnsigned(a) >= asUnsigned(b); }

// The chip keeps comparison results as one bit per element, lane 0 in bit 0.
TS_ELEMENT uint64_t packMask(I32x64 mask) {
  typedef bool Bits __attribute__((ext_vector_type(64)));
  Bits bits = __builtin_convertvector(mask, Bits);
  return __builtin_bit_cast(uint64_t, bits);
}
TS_ELEMENT I32x64 unpackMask(uint64_t packed) {
  typedef bool Bits __attribute__((ext_vector_type(64)));
  Bits bits = __builtin_bit_cast(Bits, packed);
  return asSigned(-__builtin_convertvector(bits, U32x64));
}

#pragma clang diagnostic pop

} // namespace tilesmith::element

#endif
