// What keeps a block from running for ever: it looks now and then, while the block runs, whether somebody wants it to
// end.
//
// Python's Ctrl-C, a limit another block reached, and limits of its own. `while` loops alone can be endless, so limits
// are theirs: so much processor time in one run of a loop, so many trips in a block. Time of the processor, because a
// host that is busy, asleep or in a debugger is not the kernel's fault. A trip and a call cost a counter; the clock is
// read about once in a few milliseconds.
#ifndef TILESMITH_LIB_MACHINE_CORE_WATCH_H
#define TILESMITH_LIB_MACHINE_CORE_WATCH_H

#include "tilesmith/Machine/Launch.h"
#include <atomic>
#include <csetjmp>
#include <vector>

namespace tilesmith::machine {

class Watch {
public:
  void begin(const Launch &launch, std::atomic<bool> &stop);

  // Before a trip of a while loop whose condition is `goes`: whether it is made.
  bool trip(TsCore &core, uint32_t loc, bool goes);
  // At a call of the Machine.
  void call(TsCore &core) {
    if (--untilLook <= 0)
      look(core);
  }
  // Runs the kernel. One that is compiled returns as soon as its block has ended, whatever its loops would still do.
  void run(TsCore &core, const Launch &launch);
  // Of a block that has ended: leaves its kernel, if it can be left.
  void leave() {
    if (end)
      std::longjmp(*end, 1);
  }
  // All blocks end as soon as they look.
  void stopLaunch() { stop->store(true, std::memory_order_relaxed); }
  bool isStopped() const { return stop->load(std::memory_order_relaxed); }
  // Whether the launch may keep so many more bytes of calls. If not, there is a finding, and the launch ends.
  bool mayKeep(TsCore &core, uint32_t loc, size_t bytes);

private:
  struct Loop {
    uint32_t loc;
    int64_t trips = 0, began = -1; // processor time in nanoseconds when it was first looked at; -1: not yet
  };

  bool look(TsCore &core);
  void reach(TsCore &core, FindingKind limit, uint32_t loc, std::string text, std::string help);

  std::jmp_buf *end = nullptr;       // where a compiled kernel is left to
  std::atomic<bool> *stop = nullptr; // raised when the launch must end early
  bool (*interrupted)() = nullptr;
  int64_t maxTicks = 0, ticks = 0, timeLimit = 0, traceLimit = 0;
  int64_t untilLook = 0, interval = 1, lastLook = 0;
  std::vector<Loop> loops; // that run, the innermost last
};

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_CORE_WATCH_H
