// The footprint of an instruction as a few regular regions: the common ground of Effects.h (exact runs) and of the
// bounds check (extents only, no allocation).
//
// A region is a run of `length` bytes repeated over up to three nested levels. All arithmetic saturates, so any
// argument gives regions that are either exact or so large that no memory holds them.
#ifndef TILESMITH_LIB_MACHINE_ORDER_FOOTPRINT_H
#define TILESMITH_LIB_MACHINE_ORDER_FOOTPRINT_H

#include "tilesmith/Machine/Instr.h"
#include <initializer_list>
#include <vector>

namespace tilesmith::machine {

// Larger than any memory; saturated values stay here.
inline constexpr int64_t beyondMemory = int64_t(1) << 60;

int64_t saturate(__int128 value);
inline int64_t times(int64_t a, int64_t b) { return saturate(__int128(a) * b); }
inline int64_t plus(int64_t a, int64_t b) { return saturate(__int128(a) + b); }
inline int64_t ceilDiv(int64_t a, int64_t b) { return a / b + (a % b > 0); }
inline int64_t roundUp(int64_t a, int64_t b) { return times(ceilDiv(a, b), b); }

// Both stay uninitialised until added: a list of them lives on the stack of every call.
struct Level {
  int64_t count, stride; // stride in bytes
};

struct Region {
  Access access; // Read or Write
  uint8_t operand;
  Memory memory;
  uint8_t numLevels;
  int64_t start, length;
  Level levels[3];
};

// First byte and one past the last.
struct Extent {
  int64_t begin, end;
};
Extent extentOf(const Region &region);

// At most two accesses per argument of a vector function.
inline constexpr unsigned maxVfAccesses = 2 * TS_VF_MAX_ARGS;

class Regions {
public:
  const Region *begin() const { return more.empty() ? items : more.data(); }
  const Region *end() const { return begin() + count; }

  // Nothing is added for an empty region; a negative size makes one beyond memory.
  void add(Access access, unsigned operand, Memory memory, int64_t start, int64_t length,
           std::initializer_list<Level> levels = {});

private:
  Region &next();

  static constexpr unsigned few = maxVfAccesses + 8;
  unsigned count = 0;
  Region items[few];
  std::vector<Region> more; // all of them, once they are many: masks of scattered lanes, recorded vector functions
};

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

// Reads before writes. The opcode and the dtypes must be known values, and the descriptor of a vector function valid
// (validateVectorFunction).
void regionsOf(const Instr &instr, Arch arch, Regions &regions);

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_ORDER_FOOTPRINT_H
