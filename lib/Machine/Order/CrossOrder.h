// Which accesses of one core come before which of another: happens-before through the sets and waits between cores.
//
// The cores' own clocks (Order.cpp) are followed together: a set hands on what its pipe knew to be complete, of its own
// core and of others, and a wait adds what the sets that satisfied it handed on. Cores are taken in order, each as far
// as its waits let it; every order they can run in gives the same clocks.
#ifndef TILESMITH_LIB_MACHINE_ORDER_CROSSORDER_H
#define TILESMITH_LIB_MACHINE_ORDER_CROSSORDER_H

#include "Core/CrossFlags.h"
#include "OrderMap.h"
#include "tilesmith/Machine/Trace.h"
#include <memory>

namespace tilesmith::machine {

// For each pipe of each core, how many of its accesses are complete; null: nothing is known. Never changed once made.
using Known = std::shared_ptr<const std::vector<uint32_t>>;
void join(Known &known, const Known &other);

// Where an access stands: the index-th of its pipe, with what the pipe knew of other cores. Index 0: no access.
struct AccessPlace {
  uint8_t pipe = 0;
  uint32_t index = 0;
  Known known;
  bool operator==(const AccessPlace &) const = default;
};

// What the cores hand each other while their calls are followed.
class CrossClocks {
public:
  CrossClocks(const LaunchCores &cores, bool acrossBlocks) : flags(cores), cores(cores), acrossBlocks(acrossBlocks) {}

  // Where a pipe of a core stands in a clock, or the waits of its scalar unit, which come before all it issues behind
  // them. Blocks that never wait for each other have clocks of their own.
  static constexpr unsigned scalarWaits = numOrderedPipes, perCore = numOrderedPipes + 1;
  size_t slotOf(size_t core, unsigned pipe) const {
    return (acrossBlocks ? core : cores.placeOf(core)) * perCore + pipe;
  }
  size_t slots() const { return (acrossBlocks ? cores.count() : cores.block.count()) * perCore; }
  bool covers(const Known &known, size_t of, size_t core, unsigned pipe, uint32_t index) const {
    return index && known && (acrossBlocks || cores.blockOf(of) == cores.blockOf(core)) &&
           (*known)[slotOf(core, pipe)] >= index;
  }

  CrossFlags<Known> flags;
  std::map<int64_t, std::vector<Known>> sets; // by key, in the order they were made

  // The waits of a core for a counter so far: pipe and index; and who set it last.
  struct Counter {
    std::vector<std::pair<uint8_t, uint32_t>> waits;
    uint32_t loc = 0;
  };
  std::map<std::pair<size_t, int64_t>, Counter> counters;
  // Bytes other cores have written into the memories of a core.
  std::map<std::pair<size_t, Memory>, ByteSet> received;
  LaunchCores cores;

private:
  bool acrossBlocks;
};

class CrossOrder {
public:
  // With `findings` the hazards inside the cores are reported, too, and what is wrong with their cross-core flags.
  CrossOrder(std::span<const BlockTrace> traces, isa::BlockCores cores, const Platform &platform,
             std::vector<Finding> *findings, const AddressNames &names);
  ~CrossOrder();

  // Whether any core sets something for another, or waits.
  bool any() const { return clocks != nullptr; }

  const AccessPlace &placeOf(size_t core, size_t call) const { return places[core][call]; }

  // Bytes other cores write into a memory of the core, or null: none.
  const ByteSet *receivedBy(size_t core, Memory memory) const {
    if (!clocks)
      return nullptr;
    auto it = clocks->received.find({core, memory});
    return it == clocks->received.end() ? nullptr : &it->second;
  }
  template <typename Visit> void eachTarget(size_t core, const Instr &instr, Visit visit) const {
    if (clocks)
      clocks->cores.eachTarget(core, instr, visit);
  }

  // Whether one of the two comes before the other.
  bool ordered(size_t a, const AccessPlace &placeA, size_t b, const AccessPlace &placeB) const {
    return clocks->covers(placeB.known, b, a, placeA.pipe, placeA.index) ||
           clocks->covers(placeA.known, a, b, placeB.pipe, placeB.index);
  }

private:
  void reportLeftOver(std::span<const BlockTrace> traces, std::vector<Finding> &findings) const;

  std::unique_ptr<CrossClocks> clocks;
  std::vector<std::vector<AccessPlace>> places; // by core and call
};

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_ORDER_CROSSORDER_H
