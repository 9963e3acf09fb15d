// The numbers of a call, as its record's layouts and limits ask for them (Isa/Layouts.h).
//
// All arithmetic saturates: any argument gives a number that is exact, or larger than any memory.
#ifndef TILESMITH_LIB_MACHINE_CORE_CALLNUMBERS_H
#define TILESMITH_LIB_MACHINE_CORE_CALLNUMBERS_H

#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Machine/Entries.h"
#include "tilesmith/Machine/Instr.h"
#include <algorithm>

namespace tilesmith::machine {

// Larger than any memory; saturated values stay here.
inline constexpr int64_t beyondMemory = int64_t(1) << 60;

struct Number {
  int64_t value;

  constexpr explicit Number(int64_t value) : value(value) {}
};

constexpr Number saturated(int64_t value, bool overflowed, bool negative) {
  if (overflowed)
    return Number(negative ? -beyondMemory : beyondMemory);
  return Number(std::clamp(value, -beyondMemory, beyondMemory));
}
constexpr Number operator+(Number a, Number b) {
  int64_t sum = 0;
  bool overflowed = __builtin_add_overflow(a.value, b.value, &sum);
  return saturated(sum, overflowed, a.value < 0);
}
constexpr Number operator-(Number a, Number b) {
  int64_t difference = 0;
  bool overflowed = __builtin_sub_overflow(a.value, b.value, &difference);
  return saturated(difference, overflowed, a.value < 0);
}
constexpr Number operator*(Number a, Number b) {
  int64_t product = 0;
  bool overflowed = __builtin_mul_overflow(a.value, b.value, &product);
  return saturated(product, overflowed, (a.value < 0) != (b.value < 0));
}
// Rounds down; the divisors of layouts are positive.
constexpr Number operator/(Number a, Number b) { return Number(a.value / b.value - (a.value % b.value < 0)); }
constexpr Number operator<(Number a, Number b) { return Number(a.value < b.value); }
constexpr Number operator>(Number a, Number b) { return Number(a.value > b.value); }
constexpr Number operator<=(Number a, Number b) { return Number(a.value <= b.value); }
constexpr Number operator>=(Number a, Number b) { return Number(a.value >= b.value); }
constexpr Number operator==(Number a, Number b) { return Number(a.value == b.value); }
constexpr Number operator!=(Number a, Number b) { return Number(a.value != b.value); }
constexpr Number operator&&(Number a, Number b) { return Number(a.value && b.value); }
constexpr Number operator||(Number a, Number b) { return Number(a.value || b.value); }
constexpr Number operator!(Number a) { return Number(a.value == 0); }
constexpr Number choose(Number condition, Number yes, Number no) { return condition.value ? yes : no; }
constexpr Number ceil(Number a, Number b) { return Number(a.value / b.value + (a.value % b.value > 0)); }
constexpr Number up(Number a, Number b) { return ceil(a, b) * b; }
constexpr Number min(Number a, Number b) { return Number(std::min(a.value, b.value)); }
constexpr Number max(Number a, Number b) { return Number(std::max(a.value, b.value)); }

// How many of the first `count` elements a pattern of gather_mask keeps: 1 even, 2 odd, 3 to 6 every fourth, 7 all.
constexpr bool keeps(int64_t pattern, int64_t element) {
  return pattern == 7 || (pattern <= 2 ? element % 2 == pattern - 1 : element % 4 == pattern - 3);
}
inline int64_t keptOf(int64_t pattern, int64_t count) {
  if (pattern < 1 || pattern >= 7 || count < 0) // what is no pattern is refused elsewhere; here it keeps all
    return count;
  int64_t period = pattern <= 2 ? 2 : 4, first = pattern <= 2 ? pattern - 1 : pattern - 3;
  return count / period + (count % period > first);
}

// What all readers of a call's numbers share.
class CallNumbers {
public:
  using Value = Number;

  CallNumbers(const Instr &instr, Arch arch) : instr(instr), arch(arch) {}

  Number arg(unsigned operand) const { return Number(instr.args[operand]); }
  Number size() const { return bytesOf(instr.dtype); }
  Number size2() const { return bytesOf(instr.dtype2); }
  Number perElement() const { return Number(isa::valuesOf(instr.dtype)); }
  Number c310() const { return Number(arch == Arch::C310); }
  Number perRepeat() const {
    Number widest = instr.info().dtype2Operand >= 0 ? max(size(), size2()) : size();
    return Number(isa::repeatBytes) / widest;
  }
  Number span(Number mask) const { return mask.value == TS_MASK_BITS ? perRepeat() : mask; }
  Number kept(Number pattern, Number count) const { return Number(keptOf(pattern.value, count.value)); }
  bool may(Number condition) const { return condition.value != 0; }

protected:
  // Packed bits are not an operand type of any instruction; 1 keeps the arithmetic defined.
  static Number bytesOf(DType dtype) { return Number(std::max<int64_t>(isa::sizeOf(dtype), 1)); }

  const Instr &instr;
  Arch arch;
};

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_CORE_CALLNUMBERS_H
