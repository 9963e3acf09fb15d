// Small things of the vendor's headers that kernels use: type traits, AscendC::Std, constants, rounding of sizes.
#ifndef TILESMITH_ASCENDC_UTILITIES_H
#define TILESMITH_ASCENDC_UTILITIES_H

#include "tilesmith/base.h"
#include <array>
#include <limits>
#include <math.h>
#include <tuple>

namespace AscendC {

template <typename T, typename U> struct IsSameType {
  static constexpr bool value = std::is_same_v<T, U>;
};

constexpr uint32_t AlignUp(uint32_t size, uint32_t unit) { return unit == 0 ? 0 : (size + unit - 1) / unit * unit; }
constexpr uint32_t CeilDivision(uint32_t a, uint32_t b) { return b == 0 ? 0 : (a + b - 1) / b; }
constexpr uint32_t DivCeil(uint32_t a, uint32_t b) { return CeilDivision(a, b); }

constexpr int32_t BLOCK_CUBE = tilesmith::chip::fractalRows, CUBE_MAX_SIZE = BLOCK_CUBE * BLOCK_CUBE,
                  BYTE_PER_FRACTAL = tilesmith::chip::fractalBytes, BYTE_PER_C0 = tilesmith::chip::blockBytes;
constexpr int32_t ONE_BYTE_BIT_SIZE = 8, B16_BYTE_SIZE = 2, B32_BYTE_SIZE = 4, FULL_MASK_LEN = 128, HLAF_MASK_LEN = 64;
constexpr uint64_t FULL_MASK = 0xffffffffffffffff;
constexpr uint32_t TOTAL_UB_SIZE = 192 * 1024;

// What of the standard library kernels may use on the chip.
namespace Std {
using std::add_const;
using std::add_const_t;
using std::add_lvalue_reference;
using std::add_pointer;
using std::add_pointer_t;
using std::array;
using std::bool_constant;
using std::conditional;
using std::conditional_t;
using std::decay;
using std::decay_t;
using std::declval;
using std::enable_if;
using std::enable_if_t;
using std::false_type;
using std::forward;
using std::get;
using std::ignore;
using std::index_sequence;
using std::index_sequence_for;
using std::integer_sequence;
using std::integral_constant;
using std::is_arithmetic_v;
using std::is_array;
using std::is_array_v;
using std::is_base_of;
using std::is_base_of_v;
using std::is_class_v;
using std::is_const;
using std::is_const_v;
using std::is_constructible;
using std::is_constructible_v;
using std::is_convertible;
using std::is_convertible_v;
using std::is_empty_v;
using std::is_enum_v;
using std::is_floating_point;
using std::is_floating_point_v;
using std::is_integral;
using std::is_integral_v;
using std::is_invocable_v;
using std::is_pointer;
using std::is_pointer_v;
using std::is_reference_v;
using std::is_same;
using std::is_same_v;
using std::is_signed_v;
using std::is_unsigned_v;
using std::is_void;
using std::is_void_v;
using std::make_index_sequence;
using std::make_signed_t;
using std::make_tuple;
using std::make_unsigned_t;
using std::move;
using std::remove_const;
using std::remove_const_t;
using std::remove_cv;
using std::remove_cv_t;
using std::remove_pointer;
using std::remove_pointer_t;
using std::remove_reference;
using std::remove_reference_t;
using std::tie;
using std::true_type;
using std::tuple;
using std::tuple_cat;
using std::tuple_element;
using std::tuple_element_t;
using std::tuple_size;
using std::tuple_size_v;
using std::void_t;
template <typename T> constexpr T min(const T &a, const T &b) { return b < a ? b : a; }
template <typename T> constexpr T max(const T &a, const T &b) { return a < b ? b : a; }
template <typename T> constexpr T abs(const T &a) { return a < T(0) ? T(-a) : a; }
template <typename T> T sqrt(const T &a) { return T(::sqrt(a)); }
template <typename T, typename... Options> inline constexpr bool is_one_of_v = (std::is_same_v<T, Options> || ...);
template <typename T, typename U> constexpr T ceil_division(T a, U b) { return T((a + b - 1) / b); }
template <typename T, typename U> constexpr T ceil_align(T a, U unit) { return T((a + unit - 1) / unit * unit); }
// Numbers that are types.
template <auto value> using Int = std::integral_constant<std::remove_cv_t<decltype(value)>, value>;
template <typename T> struct is_tuple : std::false_type {};
template <typename... T> struct is_tuple<std::tuple<T...>> : std::true_type {};
template <typename T> inline constexpr bool is_tuple_v = is_tuple<std::remove_cv_t<std::remove_reference_t<T>>>::value;
template <typename T> struct is_integral_constant : std::false_type {};
template <typename T, T value> struct is_integral_constant<std::integral_constant<T, value>> : std::true_type {};
template <typename T, typename... Options> inline constexpr bool is_one_of = is_one_of_v<T, Options...>;
} // namespace Std

} // namespace AscendC

#endif
