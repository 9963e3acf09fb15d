// The order checker: hazards inside a block.
//
// Each pipe carries a clock: for every pipe, how many of its accesses are known to be complete. set_flag puts the clock
// of its pipe into the flag, with all earlier accesses of the pipe complete; wait_flag joins the flag's clock into its
// own pipe; a barrier completes a pipe. What the scalar unit knows is known to everything it issues afterwards. An
// access is a hazard when the access it depends on is not in the clock of its pipe: happens-before decides, never
// simulated time.
//
// Calls are taken in program order. A wait whose flag is not set holds its pipe back until the set comes, as on the
// chip.
#include "CrossOrder.h"
#include "OrderMap.h"
#include "OrderRules.h"
#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Machine/Effects.h"
#include <algorithm>
#include <deque>
#include <tuple>

namespace tilesmith::machine {

namespace {

constexpr unsigned S = unsigned(Pipe::S), V = unsigned(Pipe::V);
constexpr int64_t numFlagIds = isa::flagIds;

std::string range(Memory memory, int64_t begin, int64_t end) {
  return std::string(stringify(memory)) + " [" + std::to_string(begin) + ", " + std::to_string(end) + ")";
}

std::string name(unsigned pipe) { return std::string(stringify(Pipe(pipe))); }

class OrderChecker {
public:
  // Order the vendor's compiler adds before a call: a barrier on V, or a flag between S and another pipe.
  struct Added {
    size_t call;
    Pipe from, to;
  };
  // With `added` it finds where that is needed instead of reporting it.
  // With `forOthers` it only keeps what its sets for other blocks cover.
  OrderChecker(const BlockTrace &block, const Platform &platform, std::vector<Finding> &findings,
               std::vector<Added> *added = nullptr, CrossPoints *forOthers = nullptr)
      : block(block), platform(platform), findings(findings), added(added), forOthers(forOthers),
        kinds(kindsOf(block, platform.arch)) {
    findGlobalWrites();
  }

  void run() {
    for (const Instr &instr : block.calls)
      if (!issue(instr))
        break;
    reportDeadlocks();
    if (!deadlocked)
      reportUnpairedSets();
  }

private:
  using Clock = std::array<uint32_t, numOrderedPipes>;

  struct Flag {
    bool set = false;
    Clock clock = {};
    uint32_t loc = 0;   // of the last set
    uint32_t waits = 0; // the last wait, as an access of its pipe
  };
  struct Queued {
    const Instr *instr;
    Clock scalar; // what the scalar unit knew when it issued the call, and the mode it had set
    isa::AtomicOp atomic;
  };
  struct PipeState {
    Clock known = {};
    uint32_t index = 0;      // accesses and waits so far
    std::deque<Queued> held; // calls behind a wait that nobody has satisfied yet, the wait first
  };
  enum class HazardKind : uint8_t { ReadAfterWrite, WriteAfterRead, WriteAfterWrite, Uninitialised };
  struct Hazard {
    HazardKind kind;
    Memory memory;
    uint8_t other; // pipe
    Epoch epoch;
    int64_t begin, end;
  };

  static void join(Clock &clock, const Clock &other) {
    for (unsigned i = 0; i < numOrderedPipes; ++i)
      clock[i] = std::max(clock[i], other[i]);
  }

  // Bytes of GM the block writes: reads elsewhere can never conflict inside the block and are not recorded.
  void findGlobalWrites() {
    for (const Instr &instr : block.calls) {
      Family family = instr.info().family;
      if (family != Family::MoveOut && family != Family::Fixpipe && instr.op != Opcode::SetValue)
        continue;
      effects.clear();
      effectsOf(instr, platform.arch, effects);
      for (const Effect &effect : effects)
        if (effect.memory == Memory::GM && effect.access == Access::Write)
          globalWrites.emplace_back(effect.start, effect.end());
    }
    std::sort(globalWrites.begin(), globalWrites.end());
    size_t kept = 0;
    for (auto &[begin, end] : globalWrites)
      if (kept && begin <= globalWrites[kept - 1].second)
        globalWrites[kept - 1].second = std::max(globalWrites[kept - 1].second, end);
      else
        globalWrites[kept++] = {begin, end};
    globalWrites.resize(kept);
  }
  bool mayBeWritten(const Effect &effect) const {
    auto it = std::upper_bound(globalWrites.begin(), globalWrites.end(), std::pair(effect.end(), int64_t(0)));
    return it != globalWrites.begin() && std::prev(it)->second > effect.start;
  }

  // Returns false when the scalar unit can never go on.
  bool issue(const Instr &instr) {
    unsigned pipe = unsigned(pipeOf(instr));
    if (instr.op == Opcode::SetAtomic) {
      atomic = isa::SetAtomic(instr).op();
      return true;
    }
    if (instr.info().family == Family::Flag && !checkFlag(instr))
      return true;
    if (pipe == unsigned(Pipe::ALL))
      return barrierAll();
    if (pipe > unsigned(Pipe::ALL))
      return true;
    if (pipe == S) {
      execute(S, instr, atomic);
      return pipes[S].held.empty();
    }
    Clock scalar = pipes[S].known;
    scalar[S] = 0; // scalar stores are complete only for who waits for a flag of S
    if (!pipes[pipe].held.empty()) {
      pipes[pipe].held.push_back({&instr, scalar, atomic});
      return true;
    }
    join(pipes[pipe].known, scalar);
    execute(pipe, instr, atomic);
    return true;
  }

  bool barrierAll() {
    Clock all;
    for (unsigned i = 0; i < numOrderedPipes; ++i) {
      if (!pipes[i].held.empty())
        return false;
      all[i] = pipes[i].index;
    }
    for (PipeState &pipe : pipes)
      pipe.known = all;
    return true;
  }

  void execute(unsigned pipe, const Instr &instr, isa::AtomicOp mode) {
    PipeState &state = pipes[pipe];
    switch (instr.op) {
    case Opcode::WaitFlag: {
      Flag &flag = flagOf(instr);
      if (!flag.set) {
        state.held.push_front({&instr, Clock{}, mode});
        return;
      }
      flag.set = false;
      flag.waits = ++state.index;
      join(state.known, flag.clock);
      return;
    }
    case Opcode::SetFlag:
      setFlag(pipe, instr);
      return;
    case Opcode::CrossSet:
      if (forOthers) {
        Clock clock = state.known;
        clock[pipe] = state.index;
        forOthers->sets.push_back({size_t(&instr - block.calls.data()), clock});
      }
      return;
    case Opcode::CrossWait: // the core waits; what other blocks did lies outside of it
      return;
    case Opcode::PipeBarrier:
      state.known[pipe] = state.index;
      return;
    default:
      access(pipe, instr, mode);
      return;
    }
  }

  void setFlag(unsigned pipe, const Instr &instr) {
    Flag &flag = flagOf(instr);
    isa::SetFlag call(instr);
    unsigned to = unsigned(call.to());
    // The wait before is over for whoever is ordered after it: its own pipe, and all that S issues after waiting
    // itself.
    bool waited = !flag.waits || to == pipe || to == S || pipes[pipe].known[to] >= flag.waits;
    if (flag.set || !waited)
      report("flag.overrun", Severity::Error,
             "flag " + std::to_string(call.id()) + " from " + name(pipe) + " to " + name(to) +
                 (flag.set
                      ? " is set again before anything waited for it"
                      : " is set again while its wait may still be pending: nothing orders this set after the wait"),
             instr.loc, flag.loc);
    flag.set = true;
    flag.clock = pipes[pipe].known;
    flag.clock[pipe] = pipes[pipe].index;
    flag.loc = instr.loc;
    release(to);
  }

  // Goes on with a pipe that may have been held back.
  void release(unsigned pipe) {
    PipeState &state = pipes[pipe];
    while (!state.held.empty()) {
      Queued next = state.held.front();
      if (next.instr->op == Opcode::WaitFlag && !flagOf(*next.instr).set)
        return;
      state.held.pop_front();
      join(state.known, next.scalar);
      execute(pipe, *next.instr, next.atomic);
    }
  }

  //===- Accesses
  //-----------------------------------------------------------------------------------------------------===//

  void access(unsigned pipe, const Instr &instr, isa::AtomicOp mode) {
    PipeState &state = pipes[pipe];
    if (isa::ordersItself(platform.arch, Pipe(pipe)))
      state.known[pipe] = state.index;
    Epoch epoch{++state.index, instr.loc};
    if (forOthers) {
      forOthers->accesses[size_t(&instr - block.calls.data())] = {uint8_t(pipe), state.index};
      return;
    }
    WriteKind kind = writeKindOf(instr, mode);
    effects.clear();
    effectsOf(instr, platform.arch, effects);
    hazards.clear();
    for (const Effect &effect : effects) {
      if (effect.memory == Memory::GM && effect.access == Access::Read && !mayBeWritten(effect))
        continue;
      for (int64_t i = 0; i < effect.count; ++i) {
        int64_t begin = effect.start + i * effect.stride;
        if (effect.access == Access::Read && instr.info().family == Family::LoadL0)
          readFractals(pipe, epoch, kind, effect.memory, begin, begin + effect.length);
        else if (effect.access == Access::Read)
          read(pipe, epoch, kind, effect.memory, begin, begin + effect.length);
        else
          write(pipe, epoch, kind, effect.memory, begin, begin + effect.length);
      }
    }
    if (added)
      return addOrder(pipe, size_t(&instr - block.calls.data()));
    for (const Hazard &hazard : hazards)
      report(pipe, hazard, instr.loc);
  }

  // V with itself, and scalar accesses of UB with the pipes of a vector core.
  void addOrder(unsigned pipe, size_t call) {
    PipeState &state = pipes[pipe];
    std::array<bool, numOrderedPipes> with = {};
    for (const Hazard &hazard : hazards)
      if (hazard.kind != HazardKind::Uninitialised && hazard.memory == Memory::UB)
        with[hazard.other] = true;
    if (pipe == V && with[V]) {
      added->push_back({call, Pipe::V, Pipe::V});
      state.known[V] = state.index - 1;
    }
    for (unsigned other = 0; other < numOrderedPipes; ++other) {
      bool scalar = other == S && isOfVectorCore(pipe);
      if (!with[other] || (!scalar && !(pipe == S && isOfVectorCore(other))))
        continue;
      added->push_back({call, Pipe(other), Pipe(pipe)});
      Clock clock = pipes[other].known;
      clock[other] = pipes[other].index;
      join(state.known, clock);
    }
  }
  static bool isOfVectorCore(unsigned pipe) {
    return pipe == V || pipe == unsigned(Pipe::MTE2) || pipe == unsigned(Pipe::MTE3);
  }

  bool ordered(unsigned pipe, Epoch epoch, unsigned other, Epoch earlier) const {
    return !earlier.index || pipes[pipe].known[other] >= earlier.index ||
           (pipe == other && epoch.index == earlier.index);
  }

  // Whole fractals go into L0, also the rows and columns of the last ones that no data fills: products leave them out.
  // A fractal nothing at all was written to is a mistake.
  void readFractals(unsigned pipe, Epoch epoch, WriteKind kind, Memory memory, int64_t begin, int64_t end) {
    constexpr int64_t fractal = isa::fractalBytes;
    for (; begin < end; begin += fractal) {
      int64_t unwritten = 0;
      read(pipe, epoch, kind, memory, begin, std::min(begin + fractal, end), &unwritten);
      if (unwritten >= std::min(fractal, end - begin))
        add(HazardKind::Uninitialised, memory, 0, Epoch{}, begin, std::min(begin + fractal, end));
    }
  }

  // Bytes nothing has written are a hazard, or only counted.
  void read(unsigned pipe, Epoch epoch, WriteKind kind, Memory memory, int64_t begin, int64_t end,
            int64_t *unwritten = nullptr) {
    // A scalar read is over when the scalar unit goes on, so nothing issued later can disturb it.
    Epoch recorded = pipe == S ? Epoch{} : epoch;
    maps[unsigned(memory)].read(begin, end, pipe, recorded, [&](const Cell *cell, int64_t low, int64_t high) {
      if (!cell || !cell->write.index) {
        if (unwritten)
          *unwritten += high - low;
        else if (memory != Memory::GM)
          add(HazardKind::Uninitialised, memory, 0, Epoch{}, low, high);
        return;
      }
      if (!ordered(pipe, epoch, cell->writer, cell->write) &&
          !(cell->writer == pipe && followFreely(WriteKind(cell->kind), kind)))
        add(HazardKind::ReadAfterWrite, memory, cell->writer, cell->write, low, high);
    });
  }

  void write(unsigned pipe, Epoch epoch, WriteKind kind, Memory memory, int64_t begin, int64_t end) {
    maps[unsigned(memory)].write(
        begin, end, pipe, epoch, uint8_t(kind), [&](const Cell *cell, int64_t low, int64_t high) {
          bool free = cell->writer == pipe && followFreely(WriteKind(cell->kind), kind), disturbs = false;
          for (unsigned other = 0; other < numOrderedPipes; ++other)
            if (!ordered(pipe, epoch, other, cell->reads[other]) && !(other == pipe && free)) {
              add(HazardKind::WriteAfterRead, memory, uint8_t(other), cell->reads[other], low, high);
              disturbs = true;
            }
          // Waiting for the reads would also wait for the write they read: one finding is enough.
          if (!disturbs && !free && !ordered(pipe, epoch, cell->writer, cell->write))
            add(HazardKind::WriteAfterWrite, memory, cell->writer, cell->write, low, high);
        });
  }

  // Pieces of one conflict become one hazard over the bytes they span.
  void add(HazardKind kind, Memory memory, uint8_t other, Epoch epoch, int64_t begin, int64_t end) {
    for (Hazard &hazard : hazards)
      if (hazard.kind == kind && hazard.memory == memory && hazard.other == other &&
          hazard.epoch.index == epoch.index) {
        hazard.begin = std::min(hazard.begin, begin);
        hazard.end = std::max(hazard.end, end);
        return;
      }
    hazards.push_back({kind, memory, other, epoch, begin, end});
  }

  //===- Flags
  //--------------------------------------------------------------------------------------------------------===//

  Flag &flagOf(const Instr &instr) {
    isa::family::Flag call(instr);
    return flags[size_t((call.fromValue() * numOrderedPipes + call.toValue()) * numFlagIds + call.id())];
  }

  // Returns false for a flag that cannot exist; the call is then ignored.
  bool checkFlag(const Instr &instr) {
    isa::family::Flag call(instr);
    int64_t from = call.fromValue(), to = call.toValue(), id = call.id();
    bool pipesExist = from >= 0 && from < numOrderedPipes && to >= 0 && to < numOrderedPipes;
    std::string_view core = !kinds.decides() ? "core" : kinds.has(isa::CoreKind::AIC) ? "cube core" : "vector core";
    if (!pipesExist || !hasEvent(Pipe(from), Pipe(to), platform.arch, kinds)) {
      auto pipeName = [](int64_t pipe) {
        return pipe >= 0 && pipe < isa::numPipe ? name(unsigned(pipe)) : "pipe " + std::to_string(pipe);
      };
      report("flag.no-event", Severity::Error,
             "a " + std::string(core) + " has no event from " + pipeName(from) + " to " + pipeName(to), instr.loc, 0);
    }
    if (!pipesExist)
      return false;
    if (id < 0 || id >= numFlagIds) {
      report("flag.id", Severity::Error,
             "flag id " + std::to_string(id) + " is outside 0 to " + std::to_string(numFlagIds - 1), instr.loc, 0);
      return false;
    }
    return true;
  }

  void reportDeadlocks() {
    for (unsigned pipe = 0; pipe < numOrderedPipes; ++pipe) {
      if (pipes[pipe].held.empty())
        continue;
      deadlocked = true;
      const Instr &instr = *pipes[pipe].held.front().instr;
      isa::WaitFlag wait(instr);
      report("deadlock.wait-flag", Severity::Error,
             name(pipe) + " waits for flag " + std::to_string(wait.id()) + " from " + name(unsigned(wait.from())) +
                 ", which nothing sets",
             instr.loc, 0);
    }
  }

  void reportUnpairedSets() {
    for (size_t i = 0; i < flags.size(); ++i)
      if (flags[i].set)
        report("flag.unpaired-set", Severity::Warning,
               "flag " + std::to_string(i % numFlagIds) + " from " + name(unsigned(i / numFlagIds / numOrderedPipes)) +
                   " to " + name(unsigned(i / numFlagIds % numOrderedPipes)) +
                   " is still set when the block ends: it leaks into the next kernel on the core",
               flags[i].loc, 0);
  }

  //===- Findings
  //-----------------------------------------------------------------------------------------------------===//

  void report(unsigned pipe, const Hazard &hazard, uint32_t loc) {
    std::string bytes = range(hazard.memory, hazard.begin, hazard.end);
    if (hazard.kind == HazardKind::Uninitialised) {
      std::string id = "init.";
      for (char c : stringify(hazard.memory))
        id += char(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
      report(id, Severity::Error, name(pipe) + " reads " + bytes + ", which nothing has written", loc, 0);
      return;
    }
    bool reads = hazard.kind == HazardKind::ReadAfterWrite, after = hazard.kind == HazardKind::WriteAfterRead;
    std::string id = reads ? "order.raw" : after ? "order.war" : "order.waw";
    std::string missing =
        hazard.other == pipe ? "no barrier of " + name(pipe) + " between them" : "no flag between them";
    report(id, Severity::Error,
           name(pipe) + (reads ? " reads " : " writes ") + bytes + " while " + name(hazard.other) + " may still be " +
               (after ? "reading" : "writing") + " it: " + missing,
           loc, hazard.epoch.loc);
  }

  // A loop meets the same hazard again and again: counted, not repeated.
  void report(const std::string &id, Severity severity, std::string text, uint32_t loc, uint32_t otherLoc) {
    auto [it, added] = reported.try_emplace(std::tuple(id, loc, otherLoc), findings.size());
    if (added)
      findings.push_back({id, severity, std::move(text), block.block, loc, otherLoc, 1});
    else
      ++findings[it->second].count;
  }

  const BlockTrace &block;
  const Platform &platform;
  std::vector<Finding> &findings;
  std::vector<Added> *added;
  CrossPoints *forOthers;
  isa::CoreKinds kinds;
  isa::AtomicOp atomic = isa::AtomicOp::None;
  bool deadlocked = false;
  std::array<PipeState, numOrderedPipes> pipes;
  std::array<Flag, numOrderedPipes * numOrderedPipes * numFlagIds> flags;
  std::array<AccessMap, isa::numMemory> maps;
  std::vector<std::pair<int64_t, int64_t>> globalWrites; // sorted, disjoint
  std::map<std::tuple<std::string, uint32_t, uint32_t>, size_t> reported;
  std::vector<Effect> effects;
  std::vector<Hazard> hazards;
};

} // namespace

void checkOrder(const BlockTrace &block, const Platform &platform, std::vector<Finding> &findings) {
  OrderChecker(block, platform, findings).run();
}

void findCrossPoints(const BlockTrace &block, const Platform &platform, CrossPoints &points) {
  std::vector<Finding> unused;
  points.accesses.resize(block.calls.size());
  OrderChecker(block, platform, unused, nullptr, &points).run();
}

namespace {

// An id of the flags from one pipe to another that the block uses nowhere, or the last one.
int64_t freeFlag(const BlockTrace &block, Pipe from, Pipe to) {
  uint32_t used = 0;
  for (const Instr &instr : block.calls)
    if (isa::family::Flag flag(instr); instr.info().family == Family::Flag && flag.from() == from && flag.to() == to)
      used |= 1u << (flag.id() & (numFlagIds - 1));
  for (int64_t id = 0; id < numFlagIds; ++id)
    if (!(used >> id & 1))
      return id;
  return numFlagIds - 1;
}

} // namespace

void addCompilerOrder(BlockTrace &block, const Platform &platform) {
  std::vector<Finding> unused;
  std::vector<OrderChecker::Added> added;
  OrderChecker(block, platform, unused, &added).run();
  if (added.empty())
    return;
  // Calls behind a wait are looked at late.
  std::sort(added.begin(), added.end(),
            [](auto &a, auto &b) { return std::tie(a.call, a.from, a.to) < std::tie(b.call, b.from, b.to); });
  std::map<std::pair<Pipe, Pipe>, int64_t> ids;
  std::vector<Instr> calls;
  calls.reserve(block.calls.size() + 2 * added.size());
  auto next = added.begin();
  for (size_t i = 0; i < block.calls.size(); ++i) {
    uint32_t loc = block.calls[i].loc;
    for (; next != added.end() && next->call == i; ++next) {
      auto [call, from, to] = *next;
      if (from == to) {
        calls.push_back(makeCall<isa::PipeBarrier>(loc, to));
        continue;
      }
      auto [id, isNew] = ids.try_emplace({from, to}, 0);
      if (isNew)
        id->second = freeFlag(block, from, to);
      calls.push_back(makeCall<isa::SetFlag>(loc, from, to, id->second));
      calls.push_back(makeCall<isa::WaitFlag>(loc, from, to, id->second));
    }
    calls.push_back(block.calls[i]);
  }
  block.calls = std::move(calls);
}

} // namespace tilesmith::machine
