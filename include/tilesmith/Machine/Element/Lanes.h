// Sixty-four lanes: the value every element operation works on.
//
// One vector register of the 950 holds 64 elements of 32 bits, one repeat of the 910B 64 floats; the model computes on
// 64 lanes at a time whatever the element type. Floating types are carried as f32 lanes, integers as i32 lanes, and
// narrow types are widened on load and rounded (floats) or truncated (integers) on store.
//
// Invariants
//  - results never depend on the host CPU: no contraction, fma only where written, bf16 rounding in integer arithmetic,
//    f16 rounding by the exact conversion every CPU agrees on; compile with -ffp-contract=off and without -ffast-math
//  - rounding to f16/bf16 is to nearest even, keeps subnormals, overflows to infinity, and keeps a NaN a (quiet) NaN
//  - a NaN that arithmetic writes to memory is the canonical one (positive, quiet, no payload), because CPUs and
//    compilers differ in which operand's payload survives; lanes may hold any NaN until then. What only moves or
//    chooses elements keeps their bits.
//  - f32 carries 24 bits, enough that rounding + - * / sqrt of f16 or bf16 operands through f32 equals rounding once
//  - every function is static and always inlined, so translation units built for different CPUs never share code
#ifndef TILESMITH_MACHINE_ELEMENT_LANES_H
#define TILESMITH_MACHINE_ELEMENT_LANES_H

#include <stdint.h>

#define TS_ELEMENT static inline __attribute__((always_inline, unused))

namespace tilesmith::element {

// 64-lane values never cross a real call, so their calling convention does not matter.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"

inline constexpr int64_t kLanes = 64;

template <typename T> using Lanes = T __attribute__((ext_vector_type(64)));

using F32x64 = Lanes<float>;
using F64x64 = Lanes<double>;
using F16x64 = Lanes<_Float16>;
using I32x64 = Lanes<int32_t>;
using U32x64 = Lanes<uint32_t>;

// Storage types with no arithmetic of their own.
struct F16 {
  uint16_t bits;
};
struct BF16 {
  uint16_t bits;
};

// A kernel may give any byte address in global memory, so not even the alignment of an element is certain.
template <typename T> struct Unaligned {
  typedef T Vector __attribute__((ext_vector_type(64), aligned(1), may_alias));
};
template <typename T> using UnalignedLanes = typename Unaligned<T>::Vector;

TS_ELEMENT F32x64 splat(float value) { return (F32x64)value; }
TS_ELEMENT I32x64 splat(int32_t value) { return (I32x64)value; }

TS_ELEMENT F32x64 asFloat(I32x64 x) { return (F32x64)x; }
TS_ELEMENT I32x64 asInt(F32x64 x) { return (I32x64)x; }
TS_ELEMENT U32x64 asUnsigned(I32x64 x) { return (U32x64)x; }
TS_ELEMENT I32x64 asSigned(U32x64 x) { return (I32x64)x; }

// 0, 1, 2 ... 63.
TS_ELEMENT I32x64 laneIndex() {
  return I32x64{0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
                44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
}

// A mask is an I32x64 whose lanes are 0 or -1; the first `count` lanes of a prefix mask are set.
TS_ELEMENT I32x64 prefixMask(int64_t count) { return laneIndex() < splat((int32_t)count); }

TS_ELEMENT F32x64 select(I32x64 mask, F32x64 a, F32x64 b) { return mask ? a : b; }
TS_ELEMENT I32x64 select(I32x64 mask, I32x64 a, I32x64 b) { return mask ? a : b; }

// The one NaN that results have.
template <typename Floats> TS_ELEMENT Floats canonical(Floats x) { return x == x ? x : (Floats)__builtin_nanf(""); }
TS_ELEMENT I32x64 canonical(I32x64 x) { return x; }

//===-- f16 -------------------------------------------------------------------------------------------------------===//

// The conversion is an instruction of every CPU from AVX2 on. Bitcode leaves the choice to the code generator; below
// AVX2 the same bits come from integer arithmetic.
#if defined(__F16C__) || defined(TS_ELEMENT_BITCODE)
template <typename Halves, typename Floats> TS_ELEMENT Halves toHalves(Floats x) {
  return __builtin_convertvector(x, Halves);
}
template <typename Floats, typename Halves> TS_ELEMENT Floats fromHalves(Halves x) {
  return __builtin_convertvector(x, Floats);
}
#else
template <int width> struct Integers {
  typedef int32_t Words __attribute__((ext_vector_type(width)));
  typedef uint16_t Shorts __attribute__((ext_vector_type(width)));
};
template <typename Halves, typename Floats> TS_ELEMENT Halves toHalves(Floats x) {
  using Words = typename Integers<sizeof(Halves) / 2>::Words;
  using Shorts = typename Integers<sizeof(Halves) / 2>::Shorts;
  Words bits = (Words)x, magnitude = bits & 0x7fffffff;
  Words normal = (magnitude + 0xfff + (magnitude >> 13 & 1) - 0x38000000) >> 13;
  // Adding one half leaves the rounded mantissa of a subnormal in the low bits.
  Words subnormal = (Words)((Floats)magnitude + 0.5f) - 0x3f000000;
  Words half = magnitude < 0x38800000 ? subnormal : normal;
  half = magnitude >= 0x477ff000 ? (Words)0x7c00 : half;
  half = magnitude > 0x7f800000 ? (magnitude >> 13 & 0x3ff) | 0x7e00 : half;
  return (Halves) __builtin_convertvector(half | (bits >> 16 & 0x8000), Shorts);
}
template <typename Floats, typename Halves> TS_ELEMENT Floats fromHalves(Halves x) {
  using Words = typename Integers<sizeof(Halves) / 2>::Words;
  using Shorts = typename Integers<sizeof(Halves) / 2>::Shorts;
  Words bits = __builtin_convertvector((Shorts)x, Words), magnitude = bits & 0x7fff;
  Words finite = (Words)((Floats)(magnitude << 13) * 0x1p+112f);
  Words special = magnitude << 13 | 0x7f800000 | ((magnitude > 0x7c00) & 0x00400000);
  return (Floats)((magnitude >= 0x7c00 ? special : finite) | (bits & 0x8000) << 16);
}
#endif

//===-- Rounding to the narrow floating types ---------------------------------------------------------------------===//

TS_ELEMENT F32x64 roundF16(F32x64 x) { return fromHalves<F32x64>(toHalves<F16x64>(x)); }

// The upper half of each lane is the bf16; the lower half is zero.
TS_ELEMENT U32x64 bf16InUpperHalf(F32x64 x) {
  U32x64 bits = (U32x64)x;
  U32x64 nearest = bits + (U32x64)0x7fffu + ((bits >> 16) & (U32x64)1u);
  U32x64 quiet = bits | (U32x64)0x00400000u;
  I32x64 isNaN = x != x;
  return (U32x64)select(isNaN, (I32x64)quiet, (I32x64)nearest) & (U32x64)0xffff0000u;
}

TS_ELEMENT F32x64 roundBF16(F32x64 x) { return (F32x64)bf16InUpperHalf(x); }

//===-- Wrapping to the narrow integer types ----------------------------------------------------------------------===//

// After arithmetic on lanes of a narrow integer type the lanes must hold values of that type again.
TS_ELEMENT I32x64 wrapI8(I32x64 x) { return x << 24 >> 24; }
TS_ELEMENT I32x64 wrapI16(I32x64 x) { return x << 16 >> 16; }
TS_ELEMENT I32x64 wrapU8(I32x64 x) { return x & splat(0xff); }
TS_ELEMENT I32x64 wrapU16(I32x64 x) { return x & splat(0xffff); }

//===-- Loads and stores ------------------------------------------------------------------------------------------===//

// What the lanes of a storage type are, and how 64 of them are widened and narrowed. `wrap` brings the result of one
// lane operation back into the type: rounding for floats, wrapping for integers, nothing for 32-bit types.
template <typename T> struct Storage;

template <> struct Storage<float> {
  using LaneType = F32x64;
  using Memory = UnalignedLanes<float>;
  TS_ELEMENT F32x64 widen(Lanes<float> x) { return x; }
  TS_ELEMENT Lanes<float> narrow(F32x64 x) { return x; }
  TS_ELEMENT F32x64 wrap(F32x64 x) { return x; }
};

template <> struct Storage<F16> {
  using LaneType = F32x64;
  using Memory = UnalignedLanes<_Float16>;
  TS_ELEMENT F32x64 widen(F16x64 x) { return fromHalves<F32x64>(x); }
  TS_ELEMENT F16x64 narrow(F32x64 x) { return toHalves<F16x64>(x); }
  TS_ELEMENT F32x64 wrap(F32x64 x) { return roundF16(x); }
};

template <> struct Storage<BF16> {
  using LaneType = F32x64;
  using Memory = UnalignedLanes<uint16_t>;
  TS_ELEMENT F32x64 widen(Lanes<uint16_t> x) { return (F32x64)(__builtin_convertvector(x, U32x64) << 16); }
  TS_ELEMENT Lanes<uint16_t> narrow(F32x64 x) {
    return __builtin_convertvector(bf16InUpperHalf(x) >> 16, Lanes<uint16_t>);
  }
  TS_ELEMENT F32x64 wrap(F32x64 x) { return roundBF16(x); }
};

#define TS_INTEGER_STORAGE(TYPE, WRAP)                                                                                 \
  template <> struct Storage<TYPE> {                                                                                   \
    using LaneType = I32x64;                                                                                           \
    using Memory = UnalignedLanes<TYPE>;                                                                               \
    TS_ELEMENT I32x64 widen(Lanes<TYPE> x) { return __builtin_convertvector(x, I32x64); }                              \
    TS_ELEMENT Lanes<TYPE> narrow(I32x64 x) { return __builtin_convertvector(x, Lanes<TYPE>); }                        \
    TS_ELEMENT I32x64 wrap(I32x64 x) { return WRAP; }                                                                  \
  };
TS_INTEGER_STORAGE(int8_t, wrapI8(x))
TS_INTEGER_STORAGE(int16_t, wrapI16(x))
TS_INTEGER_STORAGE(int32_t, x)
TS_INTEGER_STORAGE(uint8_t, wrapU8(x))
TS_INTEGER_STORAGE(uint16_t, wrapU16(x))
TS_INTEGER_STORAGE(uint32_t, x)
#undef TS_INTEGER_STORAGE

template <typename T> using LaneOf = typename Storage<T>::LaneType;

template <typename T> TS_ELEMENT LaneOf<T> load(const void *source) {
  return Storage<T>::widen(*static_cast<const typename Storage<T>::Memory *>(source));
}

template <typename T> TS_ELEMENT void store(void *destination, LaneOf<T> lanes) {
  *static_cast<typename Storage<T>::Memory *>(destination) = Storage<T>::narrow(lanes);
}

// The first `count` elements only; no other byte is touched and the other lanes are zero.
template <typename T> TS_ELEMENT LaneOf<T> load(const void *source, int64_t count) {
  if (count >= kLanes)
    return load<T>(source);
  alignas(64) T buffer[kLanes] = {};
  if (count > 0)
    __builtin_memcpy(buffer, source, count * sizeof(T));
  return load<T>(buffer);
}

template <typename T> TS_ELEMENT void store(void *destination, LaneOf<T> lanes, int64_t count) {
  if (count >= kLanes)
    return store<T>(destination, lanes);
  alignas(64) T buffer[kLanes];
  store<T>(buffer, lanes);
  if (count > 0)
    __builtin_memcpy(destination, buffer, count * sizeof(T));
}

// What arithmetic writes: NaNs are canonical.
template <typename T> TS_ELEMENT void storeResult(void *destination, LaneOf<T> lanes, int64_t count) {
  store<T>(destination, canonical(lanes), count);
}

#pragma clang diagnostic pop

} // namespace tilesmith::element

#endif
