// Cross-core flags: for whom a set counts, and what a wait takes (the manual's CrossCoreSetFlag and CrossCoreWaitFlag).
//
// A core has one counter for each id, and a wait takes one from it. A set reaches the counters of its receivers when
// every core that collects with the setter has set as often:
//
//   mode 0   all cube cores, or all vector cores, of the launch collect, and all of them receive
//   mode 1   the vector cores of one block collect and receive
//   mode 2   the vector cores of a block collect for its cube core; the cube core sets for all of them
//   mode 4   the cube core and one of its vector cores, by counters of their own (950); on the cube core the ids of the
//            second vector core are 16 higher
//
// Execution, order and time ask this one definition, each with its own kind of value that a set hands on: nothing, what
// the setter knew, when it happened.
#ifndef TILESMITH_LIB_MACHINE_CORE_CROSSFLAGS_H
#define TILESMITH_LIB_MACHINE_CORE_CROSSFLAGS_H

#include "tilesmith/Machine/Instr.h"
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilesmith::machine {

// All cores of a launch, numbered block by block: in a block the cube core comes first.
struct LaunchCores {
  isa::BlockCores block{0, 1};
  int64_t blocks = 1;

  size_t count() const { return size_t(blocks) * block.count(); }
  // Most kernels have blocks of one core, and a division takes longer than all the rest of a place.
  int64_t blockOf(size_t core) const { return int64_t(block.count() == 1 ? core : core / block.count()); }
  unsigned placeOf(size_t core) const { return block.count() == 1 ? 0 : unsigned(core % block.count()); }
  isa::CoreKind kindOf(size_t core) const {
    return placeOf(core) < block.aic ? isa::CoreKind::AIC : isa::CoreKind::AIV;
  }
  // Which of the block's cores of its kind it is.
  unsigned subOf(size_t core) const { return placeOf(core) < block.aic ? placeOf(core) : placeOf(core) - block.aic; }
  // "AIV 1", "AIC"; of a block with one core nothing.
  std::string nameOf(size_t core) const;
  // Visits the cores whose memory a direct call of the core writes.
  template <typename Visit> void eachTarget(size_t core, const Instr &instr, Visit visit) const {
    size_t first = core - placeOf(core);
    if (instr.op == Opcode::CopyUbToL1)
      return visit(first);
    isa::FixpipeToUb call(instr);
    for (unsigned sub = 0; sub < block.aiv; ++sub)
      if (call.dual() || call.subBlock() == int64_t(sub))
        visit(first + block.aic + sub);
  }
};

// Cores of a launch: in some blocks those at some places.
struct CoreBox {
  int64_t firstBlock = 0, endBlock = 0;
  unsigned firstPlace = 0, endPlace = 0;

  size_t count() const { return size_t(endBlock - firstBlock) * (endPlace - firstPlace); }
  // Visits the numbers of the cores in order.
  template <typename Visit> void each(const LaunchCores &cores, Visit visit) const {
    for (int64_t block = firstBlock; block < endBlock; ++block)
      for (unsigned place = firstPlace; place < endPlace; ++place)
        visit(size_t(block) * cores.block.count() + place);
  }
};

// The way of a set.
struct CrossRoute {
  int64_t collector = 0; // equal for all that collect together
  CoreBox members, receivers;
  int64_t counter = 0; // of the receivers
};
// Empty, with the reason in `why`: the core has no such flag.
std::optional<CrossRoute> routeOf(const LaunchCores &cores, size_t core, int64_t mode, int64_t id, std::string &why);

// The counter a wait looks at.
inline int64_t counterOf(int64_t mode, int64_t id) { return mode == 4 ? isa::crossFlagIds + id : id; }
inline int64_t counterOf(isa::CrossCoreWait wait) { return counterOf(wait.mode(), wait.id()); }

template <typename Value> class CrossFlags {
public:
  explicit CrossFlags(const LaunchCores &cores) : cores(cores) {}

  // `join(a, b)` makes one value of what two members hand on; `reached(core, counter, number, value)` hears of every
  // counter that went up, for the number-th time.
  template <typename Join, typename Reached>
  void set(size_t core, int64_t mode, int64_t id, Value value, Join join, Reached reached) {
    std::string why;
    std::optional<CrossRoute> route = routeOf(cores, core, mode, id, why);
    if (!route)
      return;
    Collector &collector = collectors[route->collector];
    collector.members = route->members;
    collector.id = id;
    std::vector<std::deque<Value>> &collected = collector.sets;
    collected.resize(route->members.count());
    size_t member = 0, at = 0;
    route->members.each(cores, [&](size_t other) {
      if (other == core)
        member = at;
      ++at;
    });
    collected[member].push_back(std::move(value));
    for (const std::deque<Value> &sets : collected)
      if (sets.empty())
        return;
    Value together = std::move(collected[0].front());
    collected[0].pop_front();
    for (size_t i = 1; i < collected.size(); ++i) {
      join(together, collected[i].front());
      collected[i].pop_front();
    }
    route->receivers.each(cores, [&](size_t receiver) {
      Counter &counter = counters[{receiver, route->counter}];
      counter.pending.push_back(together);
      reached(receiver, route->counter, ++counter.total, together);
    });
  }

  // Whether a wait of the core could go on.
  bool ready(size_t core, int64_t counter) const {
    auto it = counters.find({core, counter});
    return it != counters.end() && !it->second.pending.empty();
  }
  Value take(size_t core, int64_t counter) {
    std::deque<Value> &pending = counters[{core, counter}].pending;
    Value value = std::move(pending.front());
    pending.pop_front();
    return value;
  }

  // Visits visit(core, counter, pending) for counters somebody has left up.
  template <typename Visit> void leftOver(Visit visit) const {
    for (const auto &[where, counter] : counters)
      if (!counter.pending.empty())
        visit(where.first, where.second, counter.pending.size());
  }
  // Visits visit(core, id, sets) for sets that wait for others of their collector.
  template <typename Visit> void uncollected(Visit visit) const {
    for (const auto &[key, collector] : collectors) {
      size_t member = 0;
      collector.members.each(cores, [&](size_t core) {
        if (size_t sets = collector.sets[member++].size())
          visit(core, collector.id, sets);
      });
    }
  }

private:
  struct Counter {
    std::deque<Value> pending;
    int64_t total = 0;
  };
  struct Collector {
    CoreBox members;
    int64_t id = 0;
    std::vector<std::deque<Value>> sets; // of each member, those that wait for others
  };
  LaunchCores cores;
  std::map<int64_t, Collector> collectors;
  std::map<std::pair<size_t, int64_t>, Counter> counters; // by core and counter
};

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_CORE_CROSSFLAGS_H
