// The footprint of an instruction as a few regular regions: the common ground of Effects.h (exact runs) and of the bounds
// check (extents only, no allocation).
//
// A region is a run of `length` bytes repeated over up to three nested levels. All arithmetic saturates, so any argument
// gives regions that are either exact or so large that no memory holds them.
#ifndef TILESMITH_LIB_MACHINE_FOOTPRINT_H
#define TILESMITH_LIB_MACHINE_FOOTPRINT_H

#include "tilesmith/Machine/Instr.h"
#include <initializer_list>

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
  const Region *begin() const { return items; }
  const Region *end() const { return items + count; }

  // Nothing is added for an empty region; a negative size makes one beyond memory.
  void add(Access access, unsigned operand, Memory memory, int64_t start, int64_t length, std::initializer_list<Level> levels = {});

private:
  unsigned count = 0;
  Region items[maxVfAccesses + 8];
};

// Reads before writes. The opcode and the dtypes must be known values, and the descriptor of a vector function valid
// (validateVectorFunction).
void regionsOf(const Instr &instr, Arch arch, Regions &regions);

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_FOOTPRINT_H
