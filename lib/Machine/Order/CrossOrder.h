// Which accesses of one block come before which of another: happens-before through the sets and waits between blocks.
//
// A set covers the accesses its pipe knew to be complete. A wait comes after the sets that satisfied it, in the fixed
// order blocks run in (CrossBlocks.h), and after everything those came after; the accesses issued behind it come after
// the wait.
#ifndef TILESMITH_LIB_MACHINE_ORDER_CROSSORDER_H
#define TILESMITH_LIB_MACHINE_ORDER_CROSSORDER_H

#include "OrderMap.h"
#include "tilesmith/Machine/Trace.h"

namespace tilesmith::machine {

// What a block's own clocks say about its sets for other blocks (Order.cpp).
struct CrossPoints {
  struct Set {
    size_t call;
    std::array<uint32_t, numOrderedPipes> clock; // accesses of each pipe it covers
  };
  struct Access {
    uint8_t pipe = 0;
    uint32_t index = 0; // among the accesses of its pipe, from 1
  };
  std::vector<Set> sets;
  std::vector<Access> accesses; // by call
};
void findCrossPoints(const BlockTrace &block, const Platform &platform, CrossPoints &points);

class CrossOrder {
public:
  CrossOrder(std::span<const BlockTrace> blocks, const Platform &platform);

  // Whether any block sets or waits for another.
  bool any() const { return !ofBlocks.empty(); }

  // Where an access stands: it is complete with set number `done` of its block (none: 0), and follows `after` waits.
  struct Place {
    uint32_t done = 0, after = 0;
    bool operator==(const Place &) const = default;
  };
  Place placeOf(size_t block, size_t call) const;

  // Whether one of the two comes before the other.
  bool ordered(size_t a, Place placeA, size_t b, Place placeB) const {
    return before(a, placeA, b, placeB) || before(b, placeB, a, placeA);
  }

private:
  using Clock = std::vector<uint32_t>; // for each block, the number of its sets that came before
  struct OfBlock {
    std::vector<CrossPoints::Access> accesses;
    std::vector<std::array<uint32_t, numOrderedPipes>> covered; // by the set and all later ones, in program order
    std::vector<size_t> waits;                                  // calls
    std::vector<Clock> after;                                   // what is known after so many waits
  };

  bool before(size_t a, Place placeA, size_t b, Place placeB) const {
    return placeA.done && ofBlocks[b].after[placeB.after][a] >= placeA.done;
  }
  void follow(std::span<const BlockTrace> blocks);

  std::vector<OfBlock> ofBlocks;
};

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_ORDER_CROSSORDER_H
