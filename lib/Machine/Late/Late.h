// Late mode: every instruction is held in the queue of its pipe until something waits for it.
//
// The scalar unit issues and never waits, except at a wait for a flag to S, a barrier on ALL, and the end of the block;
// only these move the queues. A pipe that meets a wait pulls the other pipe forward, just up to the set. So whatever no
// flag or barrier demands has not happened yet, and a kernel with a missing one computes from stale bytes. A product or
// write-out with unitFlag pulls the other one's pipe up to the call that hands its part of L0C over.
//
// A pipe that meets a wait for another core is stuck, and so is whoever needs it. Then the core makes all the sets it
// can, and gives its turn away until another core has set what it is stuck on.
//
// On pipes that do not order their own effects, the bytes an instruction wrote stay out of memory until a barrier on
// the pipe, a set_flag from it or the end completes them.
#ifndef TILESMITH_LIB_MACHINE_LATE_LATE_H
#define TILESMITH_LIB_MACHINE_LATE_LATE_H

#include "Core/CoreImpl.h"
#include "Core/UnitFlags.h"
#include <functional>

namespace tilesmith::machine {

class LateQueues {
public:
  explicit LateQueues(TsCore &core) : core(core) {}

  void begin(Late order);
  // A flag or a call with unitFlag that runs at once: somebody may wait for it when they no longer do.
  void note(const Instr &instr);
  void push(const Instr &instr, isa::AtomicOp atomic);
  // A flag or barrier: takes its place in a queue, or acts at once when it is the scalar unit's.
  void sync(const Instr &instr);
  // The scalar unit waits for other cores. False: they cannot make it true any more.
  bool waitForOthers(const std::function<bool()> &ready, bool last = false);
  // The scalar unit accesses these bytes of UB, and the compiler made it wait for the pipes of a vector core: they run
  // as far as their last call that touches the bytes.
  void settle(int64_t begin, int64_t end);
  // Runs one queue to its end.
  void catchUp(Pipe pipe);
  // Runs every queue to its end.
  void drain();

private:
  struct Call {
    Instr instr;
    isa::AtomicOp atomic;
  };
  // Bytes written but not yet visible, in the order of the instructions.
  struct HeldBack {
    struct Run {
      uint8_t *host;
      size_t size;
    };
    std::vector<Run> runs;
    std::vector<uint8_t> bytes;
  };
  struct Queue {
    std::vector<Call> calls;
    size_t head = 0;
    bool running = false; // being pulled forward; asked again, it waits for itself
    HeldBack held;
  };

  // What came of asking a queue to go on: it did, another core must set something first, or it never can.
  enum class Step : uint8_t { Ran, Stuck, Never };

  uint32_t &flag(isa::family::Flag call) { return flags[unsigned(call.from())][unsigned(call.to())][call.id()]; }
  static bool touches(const Instr &instr, Arch arch, int64_t begin, int64_t end, std::vector<Effect> &effects);
  void makeCrossSets();
  void getUnstuck();
  Step forceFlag(const Instr &wait);
  Step forceUnits(const Instr &call);
  void handUnits(const Instr &call);
  Step runNext(Queue &queue);
  void runTo(Queue &queue, size_t end);
  void execute(Queue &queue, const Call &call);
  static void release(HeldBack &held);

  TsCore &core;
  Late order = Late::None;
  Queue queues[isa::numPipe];
  uint32_t flags[isa::numPipe][isa::numPipe][8] = {};
  UnitFlags<NoValue> units;
  const Instr *stuckOn = nullptr;         // the wait for another core that stopped the last step
  const Queue *stuckQueue = nullptr;      // and where it stands
  std::vector<const Instr *> alsoStuckOn; // those that keep other queues from their sets
  std::vector<Effect> effects;
  std::vector<uint8_t> before;
};

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_LATE_LATE_H
