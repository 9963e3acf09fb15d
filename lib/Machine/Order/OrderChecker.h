// The order checker: hazards inside a core.
//
// Each pipe carries a clock: for every pipe, how many of its accesses are known to be complete. set_flag puts the clock
// of its pipe into the flag, with all earlier accesses of the pipe complete; wait_flag joins the flag's clock into its
// own pipe; a barrier completes a pipe. What the scalar unit knows is known to everything it issues afterwards. An
// access is a hazard when the access it depends on is not in the clock of its pipe: happens-before decides, never
// simulated time.
//
// Calls are taken in program order. A wait whose flag is not set holds its pipe back until the set comes, as on the
// chip. Cores that wait for each other are followed together (CrossOrder.h).
#ifndef TILESMITH_LIB_MACHINE_ORDER_ORDERCHECKER_H
#define TILESMITH_LIB_MACHINE_ORDER_ORDERCHECKER_H

#include "Core/UnitFlags.h"
#include "CrossOrder.h"
#include "OrderMap.h"
#include "OrderRules.h"
#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Machine/Effects.h"
#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <tuple>

namespace tilesmith::machine {

// One core among others: what they hand each other, and where its accesses stand (by call).
struct Together {
  CrossClocks *clocks = nullptr;
  size_t core = 0;
  std::vector<AccessPlace> *places = nullptr;
  bool onlyPlaces = false; // hazards are not looked for
};

class OrderChecker {
public:
  // Order the vendor's compiler adds before a call: a barrier on V, or a flag between S and another pipe.
  struct Added {
    size_t call;
    Pipe from, to;
  };
  // With `added` it finds where that is needed instead of reporting it.
  OrderChecker(const BlockTrace &block, const Platform &platform, std::vector<Finding> &findings,
               const AddressNames &names, std::vector<Added> *added = nullptr, Together together = {})
      : block(block), platform(platform), findings(findings), names(names), added(added), together(together),
        kinds(kindsOf(block, platform.arch)) {
    findGlobalWrites();
  }

  void run() {
    advance();
    conclude();
  }

  // Follows the calls as far as waits allow; returns whether it came any further.
  bool advance();

  void conclude() {
    reportDeadlocks();
    if (!deadlocked)
      reportUnpairedSets();
  }

  // Whether nothing is held back any more.
  bool isOver() const {
    return next == block.calls.size() &&
           std::all_of(pipes.begin(), pipes.end(), [](const PipeState &pipe) { return pipe.held.empty(); });
  }

private:
  static constexpr unsigned S = unsigned(Pipe::S), V = unsigned(Pipe::V);
  static constexpr int64_t numFlagIds = isa::flagIds;
  using Clock = std::array<uint32_t, numOrderedPipes>;

  struct Flag {
    bool set = false;
    Clock clock = {};
    uint32_t loc = 0;   // of the last set
    uint32_t waits = 0; // the last wait, as an access of its pipe
    Known others;       // as the clock, of other cores
  };
  // What a product or write-out hands over with L0C: what it knew when it began, and its own number.
  struct Handed {
    Clock known = {};
    Known others;
    uint32_t index = 0;
  };
  struct Queued {
    const Instr *instr;
    Clock scalar; // what the scalar unit knew when it issued the call, and the mode it had set
    isa::AtomicOp atomic;
    Known others = nullptr;
  };
  struct PipeState {
    Clock known = {};
    Known others;            // of other cores
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
  void findGlobalWrites();
  bool mayBeWritten(const Effect &effect) const;

  // Returns false when the scalar unit cannot issue it before something else happens.
  bool issue(const Instr &instr);

  bool barrierAll();

  void execute(unsigned pipe, const Instr &instr, isa::AtomicOp mode);

  void setFlag(unsigned pipe, const Instr &instr);

  // All the pipe knows, with everything before on the pipe complete.
  Known handOn(unsigned pipe) const;

  void setForOthers(unsigned pipe, const Instr &instr);

  // Whether this set comes after the n-th wait for the counter.
  bool hasWaited(const CrossClocks::Counter &counter, int64_t nth, const Known &known, size_t receiver) const;

  // A wait that what others have set satisfies.
  bool takeFromOthers(unsigned pipe, const Instr &instr);

  void learn(unsigned pipe, const Known &known) {
    PipeState &state = pipes[pipe];
    machine::join(state.others, known);
    for (unsigned i = 0; i < numOrderedPipes; ++i)
      state.known[i] = std::max(state.known[i], (*known)[together.clocks->slotOf(together.core, i)]);
  }

  // Goes on with a pipe that may have been held back.
  void release(unsigned pipe);

  void access(unsigned pipe, const Instr &instr, isa::AtomicOp mode);
  // Of a call with unitFlag, which is held back until the other pipe has handed over its part of L0C.
  void accessByUnits(unsigned pipe, const Instr &instr, isa::AtomicOp mode);

  // Bytes in memories of other cores: who may touch them when is a question between the cores (OrderAcrossBlocks.cpp).
  void handOver(const Instr &instr, const Effect &effect);

  // V with itself, and scalar accesses of UB with the pipes of a vector core.
  void addOrder(unsigned pipe, size_t call);
  static bool isOfVectorCore(unsigned pipe) {
    return pipe == V || pipe == unsigned(Pipe::MTE2) || pipe == unsigned(Pipe::MTE3);
  }

  bool ordered(unsigned pipe, Epoch epoch, unsigned other, Epoch earlier) const {
    return !earlier.index || pipes[pipe].known[other] >= earlier.index ||
           (pipe == other && epoch.index == earlier.index);
  }

  // Whole fractals go into L0, also the rows and columns of the last ones that no data fills: products leave them out.
  // A fractal nothing at all was written to is a mistake.
  void readFractals(unsigned pipe, Epoch epoch, WriteKind kind, Memory memory, int64_t begin, int64_t end);

  // Bytes nothing has written are a hazard, or only counted.
  void read(unsigned pipe, Epoch epoch, WriteKind kind, Memory memory, int64_t begin, int64_t end,
            int64_t *unwritten = nullptr);

  // Of bytes this core has not written, those no other core has, either.
  template <typename Visit> void eachUnwritten(Memory memory, int64_t begin, int64_t end, Visit visit) const {
    if (together.clocks)
      if (auto it = together.clocks->received.find({together.core, memory}); it != together.clocks->received.end())
        return it->second.eachMissing(begin, end, visit);
    visit(begin, end);
  }

  void write(unsigned pipe, Epoch epoch, WriteKind kind, Memory memory, int64_t begin, int64_t end);

  // Pieces of one conflict become one hazard over the bytes they span.
  void add(HazardKind kind, Memory memory, uint8_t other, Epoch epoch, int64_t begin, int64_t end);

  Flag &flagOf(const Instr &instr) {
    isa::family::Flag call(instr);
    return flags[size_t((call.fromValue() * numOrderedPipes + call.toValue()) * numFlagIds + call.id())];
  }

  // Returns false for a flag that cannot exist; the call is then ignored.
  bool checkFlag(const Instr &instr);

  void reportDeadlocks();

  void reportUnpairedSets();

  void report(unsigned pipe, const Hazard &hazard, const Instr &at);

  // A loop meets the same hazard again and again: counted, not repeated.
  void report(const FindingId &id, std::string text, uint32_t loc, uint32_t otherLoc);

  const BlockTrace &block;
  const Platform &platform;
  std::vector<Finding> &findings;
  const AddressNames &names;
  std::vector<Added> *added;
  Together together;
  size_t next = 0;                    // call to issue
  uint64_t steps = 0;                 // calls issued, and held ones that went on
  std::map<int64_t, int64_t> waitsOf; // for other blocks, by key
  isa::CoreKinds kinds;
  isa::AtomicOp atomic = isa::AtomicOp::None;
  bool deadlocked = false;
  std::array<PipeState, numOrderedPipes> pipes;
  std::array<Flag, numOrderedPipes * numOrderedPipes * numFlagIds> flags;
  UnitFlags<std::shared_ptr<const Handed>> units;
  uint32_t lastHanded = 0; // place of the last call that handed L0C over
  std::array<AccessMap, isa::numMemory> maps;
  std::vector<std::pair<int64_t, int64_t>> globalWrites; // sorted, disjoint
  std::map<std::tuple<FindingId, uint32_t, uint32_t>, size_t> reported;
  std::vector<Effect> effects;
  std::vector<Hazard> hazards;
};

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_ORDER_ORDERCHECKER_H
