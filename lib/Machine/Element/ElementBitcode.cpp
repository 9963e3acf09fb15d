// The element functions as LLVM bitcode, for Target/Host to link and inline into vector functions.
//
// Every function here is a thin wrapper around include/tilesmith/Machine/Element, so a fused loop computes exactly what
// the whole-instruction loops of Machine compute. Values travel as pointers to 64 lanes of 32 bits (16-byte alignment
// is not required); after inlining nothing but vector code remains.
//
//   ts_el_<op>          (dst, a[, b[, c]])    f32 lanes; <op>_i32 and, where signedness matters, <op>_u32 on i32 lanes
//   ts_el_<relation>    (mask, a, b)          lt gt eq le ge ne; lanes of a mask are 0 or -1
//   ts_el_select        (dst, mask, a, b)
//   ts_el_load_<type>   (dst, memory, count)  first `count` elements (64 at most), other lanes zero
//   ts_el_store_<type>  (memory, src, count)  touches nothing beyond `count` elements; a constant 64 folds the tail
//   away ts_el_round_f16 / ts_el_round_bf16        rounding of f32 lanes after an inexact operation in that type
//   ts_el_wrap_<type>                         the same for narrow integers
//   ts_el_f32_to_<type>_<mode>, ts_el_i32_to_f32_<mode>, ts_el_integral_<mode>, ts_el_round_<f16|bf16>_<mode>
//                                             casts; modes rint floor ceil round trunc
//   ts_el_canonical     (dst, a)              NaNs as results have them: before a result is stored or chosen
//   ts_el_bits_<f16|bf16> (dst, a)            the bits of the narrow type in i32 lanes
//   ts_el_keep_prefix   (dst, a, count, neutral), ts_el_tree_<sum|max|min>(a): the end of a reduction
//
// Build: clang++ -std=c++20 -O1 -ffp-contract=off -fno-vectorize -fno-slp-vectorize -emit-llvm -c. The functions carry
// the baseline x86-64 feature set, a subset of every host's, so nothing prevents inlining; no host feature is baked in.
// The linked module needs, before code generation,
//     always-inline, sroa, early-cse, instcombine, simplifycfg
// and the function that inlines them should carry "prefer-vector-width"="512" on AVX-512 hosts (tuning for some of
// them prefers 256) and neither fast-math nor contract flags.
#define TS_ELEMENT_BITCODE
#include "tilesmith/Machine/Element/Cast.h"
#include "tilesmith/Machine/Element/Compare.h"
#include "tilesmith/Machine/Element/Reduce.h"

using namespace tilesmith::element;

#define TS_EXPORT extern "C" __attribute__((always_inline))

#define TS_UNARY(NAME, OUT, IN, EXPR)                                                                                  \
  TS_EXPORT void ts_el_##NAME(OUT *dst, const IN *pa) {                                                                \
    auto a = load<IN>(pa);                                                                                             \
    store<OUT>(dst, EXPR);                                                                                             \
  }
#define TS_BINARY(NAME, OUT, IN, EXPR)                                                                                 \
  TS_EXPORT void ts_el_##NAME(OUT *dst, const IN *pa, const IN *pb) {                                                  \
    auto a = load<IN>(pa), b = load<IN>(pb);                                                                           \
    store<OUT>(dst, EXPR);                                                                                             \
  }

//===-- Arithmetic ------------------------------------------------------------------------------------------------===//

TS_BINARY(add, float, float, add(a, b))
TS_BINARY(sub, float, float, sub(a, b))
TS_BINARY(mul, float, float, mul(a, b))
TS_BINARY(div, float, float, div(a, b))
TS_BINARY(max, float, float, max(a, b))
TS_BINARY(min, float, float, min(a, b))
TS_BINARY(leaky_relu, float, float, leakyRelu(a, b))
TS_UNARY(abs, float, float, abs(a))
TS_UNARY(neg, float, float, neg(a))
TS_UNARY(relu, float, float, relu(a))
TS_UNARY(exp, float, float, exp(a))
TS_UNARY(ln, float, float, ln(a))
TS_UNARY(sqrt, float, float, sqrt(a))
TS_UNARY(rsqrt, float, float, rsqrt(a))
TS_UNARY(reciprocal, float, float, reciprocal(a))
TS_EXPORT void ts_el_fma(float *dst, const float *a, const float *b, const float *c) {
  store<float>(dst, fma(load<float>(a), load<float>(b), load<float>(c)));
}

TS_BINARY(add_i32, int32_t, int32_t, add(a, b))
TS_BINARY(sub_i32, int32_t, int32_t, sub(a, b))
TS_BINARY(mul_i32, int32_t, int32_t, mul(a, b))
TS_BINARY(div_i32, int32_t, int32_t, div(a, b))
TS_BINARY(div_u32, int32_t, int32_t, divUnsigned(a, b))
TS_BINARY(max_i32, int32_t, int32_t, max(a, b))
TS_BINARY(max_u32, int32_t, int32_t, maxUnsigned(a, b))
TS_BINARY(min_i32, int32_t, int32_t, min(a, b))
TS_BINARY(min_u32, int32_t, int32_t, minUnsigned(a, b))
TS_BINARY(and_i32, int32_t, int32_t, bitAnd(a, b))
TS_BINARY(or_i32, int32_t, int32_t, bitOr(a, b))
TS_BINARY(xor_i32, int32_t, int32_t, bitXor(a, b))
TS_BINARY(shl_i32, int32_t, int32_t, shiftLeft(a, b))
TS_BINARY(shr_i32, int32_t, int32_t, shiftRight(a, b))
TS_BINARY(shr_u32, int32_t, int32_t, shiftRightUnsigned(a, b))
TS_UNARY(not_i32, int32_t, int32_t, bitNot(a))
TS_UNARY(abs_i32, int32_t, int32_t, abs(a))
TS_UNARY(neg_i32, int32_t, int32_t, neg(a))
TS_UNARY(relu_i32, int32_t, int32_t, relu(a))

//===-- Comparison and selection ----------------------------------------------------------------------------------===//

TS_BINARY(lt, int32_t, float, compareLT(a, b))
TS_BINARY(gt, int32_t, float, compareGT(a, b))
TS_BINARY(eq, int32_t, float, compareEQ(a, b))
TS_BINARY(le, int32_t, float, compareLE(a, b))
TS_BINARY(ge, int32_t, float, compareGE(a, b))
TS_BINARY(ne, int32_t, float, compareNE(a, b))
TS_BINARY(lt_i32, int32_t, int32_t, compareLT(a, b))
TS_BINARY(gt_i32, int32_t, int32_t, compareGT(a, b))
TS_BINARY(eq_i32, int32_t, int32_t, compareEQ(a, b))
TS_BINARY(le_i32, int32_t, int32_t, compareLE(a, b))
TS_BINARY(ge_i32, int32_t, int32_t, compareGE(a, b))
TS_BINARY(ne_i32, int32_t, int32_t, compareNE(a, b))
TS_BINARY(lt_u32, int32_t, int32_t, compareLTUnsigned(a, b))
TS_BINARY(gt_u32, int32_t, int32_t, compareGTUnsigned(a, b))
TS_BINARY(le_u32, int32_t, int32_t, compareLEUnsigned(a, b))
TS_BINARY(ge_u32, int32_t, int32_t, compareGEUnsigned(a, b))

TS_EXPORT void ts_el_select(float *dst, const int32_t *mask, const float *a, const float *b) {
  store<float>(dst, select(load<int32_t>(mask) != 0, load<float>(a), load<float>(b)));
}
TS_EXPORT void ts_el_select_i32(int32_t *dst, const int32_t *mask, const int32_t *a, const int32_t *b) {
  store<int32_t>(dst, select(load<int32_t>(mask) != 0, load<int32_t>(a), load<int32_t>(b)));
}

//===-- Memory ----------------------------------------------------------------------------------------------------===//

#define TS_MEMORY(NAME, TYPE, LANE)                                                                                    \
  TS_EXPORT void ts_el_load_##NAME(LANE *dst, const void *memory, int64_t count) {                                     \
    store<LANE>(dst, load<TYPE>(memory, count));                                                                       \
  }                                                                                                                    \
  TS_EXPORT void ts_el_store_##NAME(void *memory, const LANE *src, int64_t count) {                                    \
    store<TYPE>(memory, load<LANE>(src), count);                                                                       \
  }
TS_MEMORY(f32, float, float)
TS_MEMORY(f16, F16, float)
TS_MEMORY(bf16, BF16, float)
TS_MEMORY(i8, int8_t, int32_t)
TS_MEMORY(i16, int16_t, int32_t)
TS_MEMORY(i32, int32_t, int32_t)
TS_MEMORY(u8, uint8_t, int32_t)
TS_MEMORY(u16, uint16_t, int32_t)
TS_MEMORY(u32, uint32_t, int32_t)

TS_EXPORT void ts_el_splat(float *dst, float value) { store<float>(dst, splat(value)); }
TS_EXPORT void ts_el_splat_i32(int32_t *dst, int32_t value) { store<int32_t>(dst, splat(value)); }
TS_EXPORT void ts_el_lane_index_i32(int32_t *dst) { store<int32_t>(dst, laneIndex()); }

//===-- Rounding and casts ----------------------------------------------------------------------------------------===//

TS_UNARY(canonical, float, float, canonical(a))
TS_UNARY(bits_f16, int32_t, float, detail::toF16Bits(a))
TS_UNARY(bits_bf16, int32_t, float, detail::toBF16Bits(a))
TS_UNARY(round_f16, float, float, roundF16(a))
TS_UNARY(round_bf16, float, float, roundBF16(a))
TS_UNARY(wrap_i8, int32_t, int32_t, wrapI8(a))
TS_UNARY(wrap_i16, int32_t, int32_t, wrapI16(a))
TS_UNARY(wrap_u8, int32_t, int32_t, wrapU8(a))
TS_UNARY(wrap_u16, int32_t, int32_t, wrapU16(a))
TS_UNARY(u32_to_f32, float, int32_t, unsignedToFloat(a))

#define TS_CASTS(SUFFIX, MODE)                                                                                         \
  TS_UNARY(integral_##SUFFIX, float, float, roundToIntegral<Round::MODE>(a))                                           \
  TS_UNARY(round_f16_##SUFFIX, float, float, roundF16<Round::MODE>(a))                                                 \
  TS_UNARY(round_bf16_##SUFFIX, float, float, roundBF16<Round::MODE>(a))                                               \
  TS_UNARY(i32_to_f32_##SUFFIX, float, int32_t, intToFloat<Round::MODE>(a))                                            \
  TS_UNARY(f32_to_i32_##SUFFIX, int32_t, float, (floatToInt<int32_t, Round::MODE>(a)))                                 \
  TS_UNARY(f32_to_i16_##SUFFIX, int32_t, float, (floatToInt<int16_t, Round::MODE>(a)))                                 \
  TS_UNARY(f32_to_i8_##SUFFIX, int32_t, float, (floatToInt<int8_t, Round::MODE>(a)))                                   \
  TS_UNARY(f32_to_u32_##SUFFIX, int32_t, float, (floatToInt<uint32_t, Round::MODE>(a)))                                \
  TS_UNARY(f32_to_u16_##SUFFIX, int32_t, float, (floatToInt<uint16_t, Round::MODE>(a)))                                \
  TS_UNARY(f32_to_u8_##SUFFIX, int32_t, float, (floatToInt<uint8_t, Round::MODE>(a)))
TS_CASTS(rint, Rint)
TS_CASTS(floor, Floor)
TS_CASTS(ceil, Ceil)
TS_CASTS(round, Away)
TS_CASTS(trunc, Trunc)

//===-- Reductions ------------------------------------------------------------------------------------------------===//

TS_EXPORT void ts_el_keep_prefix(float *dst, const float *a, int64_t count, float neutral) {
  store<float>(dst, keepPrefix(load<float>(a), count, neutral));
}
TS_EXPORT void ts_el_keep_prefix_i32(int32_t *dst, const int32_t *a, int64_t count, int32_t neutral) {
  store<int32_t>(dst, keepPrefix(load<int32_t>(a), count, neutral));
}
TS_EXPORT float ts_el_tree_sum(const float *a) { return canonical(treeSum(load<float>(a))); }
TS_EXPORT float ts_el_tree_max(const float *a) { return canonical(treeMax(load<float>(a))); }
TS_EXPORT float ts_el_tree_min(const float *a) { return canonical(treeMin(load<float>(a))); }
TS_EXPORT int32_t ts_el_tree_sum_i32(const int32_t *a) { return treeSum(load<int32_t>(a)); }
TS_EXPORT int32_t ts_el_tree_max_i32(const int32_t *a) { return treeMax(load<int32_t>(a)); }
TS_EXPORT int32_t ts_el_tree_min_i32(const int32_t *a) { return treeMin(load<int32_t>(a)); }
TS_EXPORT int32_t ts_el_tree_max_u32(const int32_t *a) { return treeMaxUnsigned(load<int32_t>(a)); }
TS_EXPORT int32_t ts_el_tree_min_u32(const int32_t *a) { return treeMinUnsigned(load<int32_t>(a)); }
