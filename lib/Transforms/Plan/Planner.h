// Places buffers in one memory.
//
// Every buffer gets bytes of its own as long as there are enough: reusing an address makes the new buffer's writer wait
// for the old one's readers. Under pressure buffers whose lifetimes do not meet share, the space that has been free
// longest first; where few bytes are the aim, the lowest first.
#ifndef TILESMITH_LIB_TRANSFORMS_PLAN_PLANNER_H
#define TILESMITH_LIB_TRANSFORMS_PLAN_PLANNER_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <vector>

namespace tilesmith::plan {

struct Interval {
  int64_t begin = 0, end = 0; // positions in program order, both included

  bool meets(const Interval &other) const { return begin <= other.end && other.begin <= end; }
};

// Where a buffer may start: at `rest`, counted from multiples of `every`.
struct Start {
  int64_t every = 1, rest = 0;

  int64_t from(int64_t address) const { return (address + every - 1 - rest) / every * every + rest; }
};

struct Item {
  int64_t bytes = 0; // a multiple of the alignment
  Interval life;
  bool ownBytes = false; // shares with nobody
  int64_t address = -1;
  Start start = {};
};

// Sets the addresses; false if the items do not fit.
bool placeApart(llvm::MutableArrayRef<Item> items, int64_t capacity);
bool placeSharing(llvm::MutableArrayRef<Item> items, int64_t capacity);
bool placeTight(llvm::MutableArrayRef<Item> items, int64_t capacity);

// The position where most bytes are live.
int64_t peakOf(llvm::ArrayRef<Item> items);

} // namespace tilesmith::plan

#endif // TILESMITH_LIB_TRANSFORMS_PLAN_PLANNER_H
