// Functions of threads on a vector core of the 950: run, watched, and put into the trace as a vector function.
//
// The accesses of a thread are told before they are made, by calls the compiler put there. Each must lie in UB or in an
// array of the launch, else the thread does not go on. What they touch is the footprint of the function, as it would be
// that of an instruction. Atomic operations on global memory count as reads there: those of other blocks may come at
// any time. In late mode what was written is taken back and written again when the function's turn comes.
#ifndef TILESMITH_LIB_MACHINE_CORE_SIMTUNIT_H
#define TILESMITH_LIB_MACHINE_CORE_SIMTUNIT_H

#include "SimtRaces.h"
#include "SimtThreads.h"
#include "SimtTime.h"
#include "VectorRecord.h"
#include "tilesmith/Machine/Instr.h"

struct TsCore;

namespace tilesmith::machine {

// Bytes a function wrote, kept until its turn comes.
struct HeldThreads {
  struct Run {
    uint8_t *host;
    std::vector<uint8_t> bytes;
  };
  std::vector<Run> runs;
};

class SimtUnit {
public:
  explicit SimtUnit(TsCore &core) : core(core) {}

  bool active() const { return isActive; }
  // A new block: what was kept for late turns has had them.
  void begin() { held.clear(); }
  void run(uint32_t loc, TsSimtFn fn, const void *args, TsSimtThread &thread, const SimtSize &size);

  // Of the running thread; nothing when none runs.
  void access(const void *pointer, int64_t bytes, TsSimtAccess kind, int64_t place);
  void barrier(uint32_t place);
  const TsSimtWarp *exchange(uint64_t place, int64_t bits); // the line, then which one in it
  void stop();                                              // the running thread, and the block

private:
  struct Touched {
    Intervals read, written;
  };

  bool find(int64_t address, int64_t bytes, bool writes, int64_t &offset, bool &global);
  void note(int64_t offset, int64_t bytes, TsSimtAccess kind, bool global);
  std::shared_ptr<RecordedVf> finish();
  void hold(Instr &instr, std::shared_ptr<RecordedVf> recorded);

  TsCore &core;
  SimtStacks stacks;
  SimtThreads threads{stacks};
  SimtTime time;
  SimtRaces races;
  Touched ub, gm;
  std::vector<bool> wroteUb;            // bytes of UB the function has written: reading them reads nothing from outside
  std::vector<HeldThreads::Run> before; // late mode: in the order of the writes
  std::vector<std::unique_ptr<HeldThreads>> held;
  TsSimtThread *thread = nullptr;
  uint32_t loc = 0;
  bool isActive = false, records = false, checks = false, raced = false;
};

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_CORE_SIMTUNIT_H
