// The footprint of an instruction as a few regular regions: the common ground of Effects.h (exact runs) and of the
// bounds check (extents only, no allocation).
//
// A region is a run of `length` bytes repeated over up to three nested levels. Regions come from the layouts of the
// record (Isa/Layouts.h); any argument gives regions that are either exact or so large that no memory holds them.
#ifndef TILESMITH_LIB_MACHINE_ORDER_FOOTPRINT_H
#define TILESMITH_LIB_MACHINE_ORDER_FOOTPRINT_H

#include "Core/CallNumbers.h"
#include <initializer_list>
#include <vector>

namespace tilesmith::machine {

// Both stay uninitialised until added: a list of them lives on the stack of every call.
struct Level {
  int64_t count, stride; // stride in bytes

  Level() = default;
  Level(Number count, Number stride) : count(count.value), stride(stride.value) {}
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

// Reads before writes. The opcode and the dtypes must be known values, and the descriptor of a vector function valid
// (validateVectorFunction).
void regionsOf(const Instr &instr, Arch arch, Regions &regions);

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_ORDER_FOOTPRINT_H
