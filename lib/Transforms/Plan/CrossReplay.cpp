#include "CrossReplay.h"

#include "tilesmith/Isa/Chip.h"
#include <array>
#include <optional>

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith::plan {

namespace {
constexpr unsigned numQueues = unsigned(Pipe::ALL);
constexpr unsigned scalar = unsigned(Pipe::S);
// Of a core: the flags of modes 0 to 2, and those of mode 4, on the cube core for two vector cores.
constexpr unsigned numCounters = 3 * crossFlagIds;

std::string times(int64_t count) {
  return count == 1 ? "once" : count == 2 ? "twice" : std::to_string(count) + " times";
}

class Block {
public:
  Block(BlockCores block, ArrayRef<std::vector<CrossEvent>> cores) : block(block), events(cores) {
    for (const std::vector<CrossEvent> &list : events) {
      Core &core = all.emplace_back();
      for (auto [index, event] : llvm::enumerate(list))
        core.queues[unsigned(event.pipe)].push_back(unsigned(index));
    }
  }

  // Goes on until nobody can, without waits of a core for a counter if one is held back.
  struct Held {
    unsigned core, counter;
  };
  void run(std::optional<Held> held = std::nullopt) {
    for (bool any = true; any;) {
      any = false;
      for (unsigned core = 0; core < all.size(); ++core)
        for (unsigned pipe = 0; pipe < numQueues; ++pipe)
          while (const CrossEvent *event = runnable(core, pipe)) {
            if (held && event->kind == CrossEvent::Wait && core == held->core && counterOf(*event) == held->counter)
              break;
            execute(core, *event);
            ++all[core].next[pipe];
            any = true;
          }
    }
  }
  // One wait of the core for the counter, if that is what a pipe of it has come to.
  bool step(Held held) {
    for (unsigned pipe = 0; pipe < numQueues; ++pipe)
      if (const CrossEvent *event = runnable(held.core, pipe);
          event && event->kind == CrossEvent::Wait && counterOf(*event) == held.counter) {
        execute(held.core, *event);
        ++all[held.core].next[pipe];
        return true;
      }
    return false;
  }

  CrossFault fault;
  bool isOver() const {
    for (unsigned core = 0; core < all.size(); ++core)
      for (unsigned pipe = 0; pipe < numQueues; ++pipe)
        if (head(core, pipe))
          return false;
    return true;
  }
  // Whether a pipe has come to a flag within its core that is never set: another check's business.
  bool stuckInside() const {
    for (unsigned core = 0; core < all.size(); ++core)
      for (unsigned pipe = 0; pipe < numQueues; ++pipe)
        if (const CrossEvent *event = head(core, pipe); event && event->kind == CrossEvent::InnerWait) {
          bool comes = false;
          eachLeft(core, [&](const CrossEvent &left) {
            comes |= left.kind == CrossEvent::InnerSet && left.from == event->from && left.to == event->to &&
                     left.id == event->id;
          });
          if (!comes)
            return true;
        }
    return false;
  }

  CrossFault deadlock() const {
    for (unsigned core = 0; core < all.size(); ++core)
      for (unsigned pipe = 0; pipe < numQueues; ++pipe)
        if (const CrossEvent *event = head(core, pipe);
            event && event->kind == CrossEvent::Wait && isIssued(core, pipe))
          return deadlock(core, *event);
    return {};
  }

  CrossFault leftOver() const {
    for (unsigned core = 0; core < all.size(); ++core)
      for (unsigned counter = 0; counter < numCounters; ++counter)
        if (const Counter &of = all[core].counters[counter]; of.pending)
          return {of.lastSet, of.lastWait,
                  "cross-core flag " + nameOf(counter) + " is set " + times(of.sets) + " for the " + coreName(core) +
                      ", which waits for it " + (of.waits ? times(of.waits) : "never") +
                      ": what is left leaks into the next kernel",
                  "the last wait for it is here"};
    for (unsigned kind = 0; kind < collected.size(); ++kind)
      for (unsigned id = 0; id < crossFlagIds; ++id)
        for (unsigned sub = 0; sub < block.aiv; ++sub)
          if (const Collected &sets = collected[kind][id]; sets.pending[sub])
            return {sets.last[sub], sets.last[1 - sub],
                    "vector core " + std::to_string(sub) + " sets cross-core flag " + std::to_string(id) + " " +
                        std::to_string(sets.pending[sub]) + " more times than vector core " + std::to_string(1 - sub) +
                        "; it counts when both have set it",
                    "the last set of the other core is here"};
    return {};
  }

  // Counters that were set more often than a counter holds.
  std::vector<Held> crowded() const {
    std::vector<Held> result;
    for (unsigned core = 0; core < all.size(); ++core)
      for (unsigned counter = 0; counter < numCounters; ++counter)
        if (all[core].counters[counter].sets > crossFlagLimit)
          result.push_back({core, counter});
    return result;
  }
  bool overflows(Held held) const { return of(held).pending > crossFlagLimit; }
  CrossFault overflow(Held held) const {
    const CrossEvent *wait = nullptr;
    eachLeft(held.core, [&](const CrossEvent &event) {
      if (!wait && event.kind == CrossEvent::Wait && counterOf(event) == held.counter)
        wait = &event;
    });
    return {of(held).tooMany, wait ? wait->op : nullptr,
            "cross-core flag " + nameOf(held.counter) + " may be set " + std::to_string(crossFlagLimit + 1) +
                " times ahead of the waits of the " + coreName(held.core) + "; it counts to " +
                std::to_string(crossFlagLimit),
            "nothing keeps the set back until this wait"};
  }

private:
  struct Counter {
    int64_t pending = 0, sets = 0, waits = 0;
    Operation *lastSet = nullptr, *lastWait = nullptr, *tooMany = nullptr;
  };
  struct Core {
    std::array<std::vector<unsigned>, numQueues> queues; // numbers of events
    std::array<unsigned, numQueues> next = {};
    std::array<Counter, numCounters> counters;
    std::array<std::array<std::array<int64_t, flagIds>, numQueues>, numQueues> inner = {};
  };
  struct Collected {
    std::array<int64_t, vectorCoresPerCube> pending = {};
    std::array<Operation *, vectorCoresPerCube> last = {};
  };

  const Counter &of(Held held) const { return all[held.core].counters[held.counter]; }
  std::string coreName(unsigned core) const {
    return core < block.aic ? "cube core"
           : block.aiv == 1 ? "vector core"
                            : "vector core " + std::to_string(core - block.aic);
  }
  static std::string nameOf(unsigned counter) {
    return counter < crossFlagIds ? std::to_string(counter) : std::to_string(counter - crossFlagIds) + " of mode 4";
  }
  static unsigned counterOf(const CrossEvent &wait) {
    return unsigned(wait.mode == 4 ? crossFlagIds + wait.id : wait.id);
  }

  const CrossEvent *head(unsigned core, unsigned pipe) const {
    const Core &of = all[core];
    return of.next[pipe] < of.queues[pipe].size() ? &events[core][of.queues[pipe][of.next[pipe]]] : nullptr;
  }
  size_t headNumber(unsigned core, unsigned pipe) const {
    const Core &of = all[core];
    return of.next[pipe] < of.queues[pipe].size() ? of.queues[pipe][of.next[pipe]] : SIZE_MAX;
  }
  // Whether the scalar unit has come past it.
  bool isIssued(unsigned core, unsigned pipe) const {
    return pipe == scalar || headNumber(core, pipe) < headNumber(core, scalar);
  }
  template <typename Visit> void eachLeft(unsigned core, Visit visit) const {
    for (unsigned pipe = 0; pipe < numQueues; ++pipe)
      for (size_t i = all[core].next[pipe]; i < all[core].queues[pipe].size(); ++i)
        visit(events[core][all[core].queues[pipe][i]]);
  }

  // What a pipe has come to, if it can go on.
  const CrossEvent *runnable(unsigned core, unsigned pipe) const {
    const CrossEvent *event = head(core, pipe);
    if (!event || !isIssued(core, pipe))
      return nullptr;
    switch (event->kind) {
    case CrossEvent::Wait:
      return all[core].counters[counterOf(*event)].pending ? event : nullptr;
    case CrossEvent::InnerWait:
      return inner(core, *event) ? event : nullptr;
    case CrossEvent::Barrier:
      for (unsigned other = 0; other < numQueues; ++other)
        if (other != scalar && headNumber(core, other) < headNumber(core, scalar))
          return nullptr;
      return event;
    default:
      return event;
    }
  }

  int64_t inner(unsigned core, const CrossEvent &event) const {
    return all[core].inner[unsigned(event.from)][unsigned(event.to)][size_t(event.id)];
  }

  void execute(unsigned core, const CrossEvent &event) {
    int64_t &flag =
        all[core]
            .inner[unsigned(event.from) % numQueues][unsigned(event.to) % numQueues]
                  [event.kind == CrossEvent::InnerSet || event.kind == CrossEvent::InnerWait ? size_t(event.id) : 0];
    switch (event.kind) {
    case CrossEvent::InnerSet:
      ++flag;
      return;
    case CrossEvent::InnerWait:
      --flag;
      return;
    case CrossEvent::Barrier:
      return;
    case CrossEvent::Wait: {
      Counter &counter = all[core].counters[counterOf(event)];
      --counter.pending;
      ++counter.waits;
      counter.lastWait = event.op;
      return;
    }
    case CrossEvent::Set:
      return set(core, event);
    }
  }

  void set(unsigned core, const CrossEvent &event) {
    bool onCube = core < block.aic;
    unsigned id = unsigned(event.id);
    if (event.mode == 4) {
      if (onCube)
        reach(block.aic + id / secondVectorFlagOffset, crossFlagIds + id % secondVectorFlagOffset, event.op);
      else
        reach(0, crossFlagIds + id + secondVectorFlagOffset * (core - block.aic), event.op);
      return;
    }
    if (onCube)
      return event.mode == 2 ? toVectors(id, event.op) : reach(core, id, event.op);
    unsigned sub = core - block.aic;
    Collected &sets = collected[event.mode == 2][id];
    ++sets.pending[sub];
    sets.last[sub] = event.op;
    for (unsigned other = 0; other < block.aiv; ++other)
      if (!sets.pending[other])
        return;
    for (unsigned other = 0; other < block.aiv; ++other)
      --sets.pending[other];
    if (event.mode == 2)
      reach(0, id, event.op);
    else
      toVectors(id, event.op);
  }
  void toVectors(unsigned counter, Operation *op) {
    for (unsigned sub = 0; sub < block.aiv; ++sub)
      reach(block.aic + sub, counter, op);
  }
  void reach(unsigned core, unsigned counter, Operation *op) {
    Counter &of = all[core].counters[counter];
    ++of.sets;
    of.lastSet = op;
    if (++of.pending > crossFlagLimit && !of.tooMany)
      of.tooMany = op;
  }

  // Whether a set of this core reaches the counter of the other one.
  bool reaches(unsigned core, const CrossEvent &set, unsigned receiver, unsigned counter) const {
    bool onCube = core < block.aic, toCube = receiver < block.aic;
    if (set.mode == 4)
      return onCube ? receiver == block.aic + set.id / secondVectorFlagOffset &&
                          counter == crossFlagIds + set.id % secondVectorFlagOffset
                    : toCube && counter == crossFlagIds + set.id + secondVectorFlagOffset * (core - block.aic);
    return counter == set.id && (set.mode == 2) == (onCube != toCube);
  }

  CrossFault deadlock(unsigned core, const CrossEvent &wait) const {
    unsigned counter = counterOf(wait);
    const Counter &flag = all[core].counters[counter];
    std::string begin = "cross-core deadlock: the " + coreName(core) + " waits here for flag " + nameOf(counter);
    for (unsigned other = 0; other < all.size(); ++other) {
      const CrossEvent *comes = nullptr;
      eachLeft(other, [&](const CrossEvent &left) {
        if (!comes && left.kind == CrossEvent::Set && reaches(other, left, core, counter))
          comes = &left;
      });
      if (!comes)
        continue;
      if (other == core) // a mode among cores of one kind
        return {wait.op, comes->op, begin + ", which it sets itself behind this wait", "the set is here"};
      for (unsigned pipe = 0; pipe < numQueues; ++pipe)
        if (const CrossEvent *held = head(other, pipe); held && held->kind == CrossEvent::Wait && isIssued(other, pipe))
          return {wait.op, held->op,
                  begin + ", which the " + coreName(other) + " sets behind its wait for flag " +
                      nameOf(counterOf(*held)) + ", and that is set no earlier",
                  "the " + coreName(other) + " waits here"};
    }
    if (!flag.sets)
      return {wait.op, nullptr, begin + ", which nothing sets", ""};
    return {wait.op, flag.lastSet,
            begin + " for the " + std::to_string(flag.waits + 1) + ordinal(flag.waits + 1) + " time, and it is set " +
                times(flag.sets),
            "the last set is here"};
  }
  static std::string ordinal(int64_t number) {
    int64_t ten = number % 100 / 10, one = number % 10;
    return ten == 1 ? "th" : one == 1 ? "st" : one == 2 ? "nd" : one == 3 ? "rd" : "th";
  }

  BlockCores block;
  ArrayRef<std::vector<CrossEvent>> events;
  std::vector<Core> all;
  std::array<std::array<Collected, crossFlagIds>, 2> collected; // among the vector cores; for the cube core
};
} // namespace

CrossFault replayCross(BlockCores block, ArrayRef<std::vector<CrossEvent>> cores) {
  Block whole(block, cores);
  whole.run();
  if (!whole.isOver())
    return whole.stuckInside() ? CrossFault() : whole.deadlock();
  if (CrossFault fault = whole.leftOver(); fault.op)
    return fault;
  for (Block::Held held : whole.crowded()) {
    Block ahead(block, cores);
    do {
      ahead.run(held);
      if (ahead.overflows(held))
        return ahead.overflow(held);
    } while (ahead.step(held));
  }
  return {};
}

} // namespace tilesmith::plan
