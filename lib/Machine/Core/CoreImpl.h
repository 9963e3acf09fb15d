// The inside of a core: what the C ABI, late mode and launch share.
//
// A host thread owns one TsCore and reuses it for block after block, so a launch allocates nothing. What the memories
// hold at the start of a block is unspecified, as on the chip: in fast and timed mode whatever ran before left it
// there. Checked and late runs start from NaN bytes (0xFF), so they are repeatable and an uninitialised value shows;
// results of kernels without findings do not depend on either.
#ifndef TILESMITH_LIB_MACHINE_CORE_COREIMPL_H
#define TILESMITH_LIB_MACHINE_CORE_COREIMPL_H

#include "CoreRegisters.h"
#include "CrossFlags.h"
#include "Exec/Deferred.h"
#include "FlagFlow.h"
#include "Matmul/Objects.h"
#include "Queues.h"
#include "SimtThreads.h"
#include "VectorRecord.h"
#include "Watch.h"
#include "tilesmith/Machine/Debugger.h"
#include "tilesmith/Machine/Launch.h"
#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>

namespace tilesmith::machine {

class CrossBlocks;
class LateQueues;
class LeastTime;
class Regions;
class SimtUnit;

// What a core asks of the launch it belongs to.
class LaunchOfCore {
public:
  // The kernel says its type.
  virtual void declare(TsCore &core, uint32_t loc, isa::KernelType type) = 0;
  // A core of a dry launch cannot go on without data.
  virtual void needData(TsCore &core, uint32_t loc) = 0;
  // A core of a dry launch read data that is there.
  virtual void dataWasRead() = 0;
  // A core has made all the calls it may.
  virtual void cut() = 0;
  // Words for addresses. Thread-safe.
  virtual const AddressNames &names() = 0;
  // The device address of the array that is accessed at this location, where that is known.
  virtual std::optional<int64_t> arrayAt(uint32_t loc) const = 0;

protected:
  ~LaunchOfCore() = default;
};

// Which core of which launch a TsCore is.
struct CorePlace {
  LaunchOfCore *launch = nullptr;
  LaunchCores cores;
  size_t index = 0;     // among them
  int64_t turn = 0;     // when it runs (CrossBlocks.h)
  isa::CoreKinds kinds; // empty: the kernel has not said
};

// What register code in place wrote, kept from UB until its turn comes.
struct HeldScope {
  struct Run {
    int64_t start;
    std::vector<uint8_t> bytes;
  };
  std::vector<uint8_t> before; // all of UB
  std::vector<Run> runs;
};

// The on-chip memories of one core. Each is followed by slack, so that a vector function may load whole registers at
// its end.
class CoreMemory {
public:
  void fit(const Platform &platform);
  // Everything is as before the first write: NaN bytes. Only what was written since is filled again.
  void poison();
  void noteWrite(Memory memory, int64_t end) { written[unsigned(memory)] = std::max(written[unsigned(memory)], end); }
  // Writes that follow are not noted.
  void noteAnything() { written = capacity; }
  uint8_t *base(Memory memory) const { return bases[unsigned(memory)]; }

private:
  struct Free {
    void operator()(uint8_t *bytes) const;
  };
  std::unique_ptr<uint8_t, Free> bytes;
  size_t total = 0;
  std::array<int64_t, isa::numMemory> capacity = {}, written = {}; // written: up to here bytes may differ from NaN
  uint8_t *bases[isa::numMemory] = {};
};

// Findings of one block: at most `limit` different ones; the same one again is only counted.
class FindingLog {
public:
  static constexpr size_t limit = 100;

  // True when a finding of this kind and place is to be described with `add`.
  bool wants(uint64_t kind, uint32_t loc);
  void add(uint64_t kind, uint32_t loc, FindingId id, std::string text);
  bool empty() const { return findings.empty(); }
  void clear();

  std::vector<Finding> findings;

private:
  std::vector<uint64_t> kinds; // of each finding
};

// What one block prints. A launch keeps a bounded amount, the same whatever the order of its blocks: each block has its
// share, and a line is kept whole or not at all.
class PrintLog {
public:
  void begin(int64_t block, int64_t blocks);
  void add(const Instr &instr);

  BlockOutput output;

private:
  size_t share = 0;
  bool dropping = false;
};

} // namespace tilesmith::machine

struct TsCore {
  // Of the launch.
  const tilesmith::machine::Platform *platform = nullptr;
  int64_t blocks = 1, maxCalls = 0;
  tilesmith::machine::Watch watch;

  // Of the block, and of this core in it.
  static constexpr uint32_t noCall = UINT32_MAX;
  tilesmith::machine::LaunchOfCore *launch = nullptr;
  tilesmith::machine::LaunchCores cores;
  tilesmith::isa::CoreKinds kinds; // empty: not known, and nothing is refused for it
  bool checksKinds = false;        // calls may need another kind: compiled kernels have only what their cores have
  size_t index = 0;
  int64_t turn = 0;
  int64_t block = 0;
  int64_t blockIdx = 0;      // as the kernel sees it: vector cores of a mixed kernel are counted one by one
  uint32_t lastLoc = noCall; // of the last call
  bool poisoned = false;     // the block started from NaN bytes
  bool dry = false;          // nothing is computed or moved, and there are no memories but UB for C++
  bool ended = false;        // a deadlock or a limit: every further call is skipped
  bool isCut = false;        // ended because it made all the calls it may
  bool served = false;       // ended because those it served are through
  bool over = false;         // its kernel has returned
  tilesmith::machine::MemoryView view;
  std::span<TsCore *const> group;                   // the cores of a mixed block
  tilesmith::machine::BlockTrace *trace = nullptr;  // null: not traced
  tilesmith::machine::LeastTime *least = nullptr;   // adds up the calls instead; null: nobody asks
  int64_t maxCycles = 0;                            // a core whose least time exceeds this goes no further; 0: no limit
  tilesmith::machine::LateQueues *late = nullptr;   // null: not late
  tilesmith::machine::CrossBlocks *cross = nullptr; // null: blocks run beside each other and cannot wait
  tilesmith::machine::FindingLog log;
  tilesmith::machine::PrintLog prints;
  tilesmith::machine::CoreMemory memory;
  tilesmith::machine::exec::Deferred deferred;
  bool plain = false;  // no call is kept, followed or held back: flags have nothing to do
  bool defers = false; // nothing but its own instructions reaches its UB, or global memory while they wait
  std::unique_ptr<tilesmith::machine::LateQueues> lateQueues;
  tilesmith::machine::Queues queues;
  tilesmith::machine::MatrixObjects matrices;
  tilesmith::machine::VfRecorder vf; // the vector function that is running
  std::vector<std::shared_ptr<tilesmith::machine::RecordedVf>>
      recordedVfs; // those of late calls, without a trace to own them
  std::vector<std::unique_ptr<tilesmith::machine::HeldScope>> scopes; // code in place that was held back
  bool knowsSlack = false;                                            // the launch can be given room behind its arrays
  bool autoSync = false; // V is ordered with itself, as the vendor's compiler makes it
  tilesmith::machine::FlagFlow flags;
  tilesmith::machine::CoreRegisters registers;
  tilesmith::machine::BufferLocks bufferLocks;
  std::string printed;
  tilesmith::machine::Debugger *debugger = nullptr; // null: nobody follows
  std::vector<int64_t> debugValues;                 // of the next statement
  std::unique_ptr<tilesmith::machine::SimtUnit> simt;
  int64_t kept = 0, merged = 0; // what the last gather_mask_bits kept, and the last mrg_sort took

  TsCore();
  ~TsCore();

  void begin(const tilesmith::machine::Launch &launch, const tilesmith::machine::CorePlace &place,
             std::atomic<bool> &stop, tilesmith::machine::BlockTrace *trace,
             tilesmith::machine::CrossBlocks *cross = nullptr);
  void end();
  // The cores of its block, itself included, once all have begun.
  void joinGroup(std::span<TsCore *const> all);
  void standAt(const tilesmith::machine::CorePlace &place);
  void setKinds(tilesmith::isa::CoreKinds known) {
    kinds = known;
    checksKinds = !known.empty() && (autoSync || cores.block.mixed());
  }
  void writeTo(tilesmith::machine::BlockTrace *trace);
  void prepareQueues(tilesmith::machine::Late order);
  // "block 3", "AIV 1 of block 3".
  std::string name() const;

  // A call of the C ABI: checked, traced, then executed or queued. Returns the bits of its result.
  int64_t issue(const tilesmith::machine::Instr &instr) { return debugger ? issueFollowed(instr) : issueNow(instr); }
  // What a debugger sees of it; and the end of the launch, which the debugger wants.
  tilesmith::machine::DebuggedCore debugged() const;
  void halt();
  // A count form of V: all lanes are active afterwards.
  int64_t issueCounted(const tilesmith::machine::Instr &instr) {
    registers.mask = {};
    return issue(instr);
  }
  // A call whose operand `index` is its mask: a number, or what the mask register names (Entries.h).
  template <unsigned index> int64_t issueMasked(tilesmith::machine::Instr instr) {
    if (instr.args[index] > TS_MASK_GIVEN + TS_MASK_MOST)
      return issue(instr);
    issueByRegister(instr, index);
    return 0;
  }
  int64_t orRegister(int64_t operand, tilesmith::isa::Register which) const {
    return operand == TS_AS_SET ? registers.values[unsigned(which)] : operand;
  }
  // Whether a copy from GM to UB that brings no padding of its own is padded with what SetPadValue set.
  bool padsAsSet(const tilesmith::machine::Instr &instr) const {
    using namespace tilesmith;
    isa::CopyGmToUb call(instr);
    return registers.values[unsigned(isa::Register::PadValue)] != machine::CoreRegisters::noPadValue && !call.isPad() &&
           call.dst().memory() == isa::Memory::UB;
  }
  // A dry launch: the result of a checked instruction, if the scalar unit can know it; the launch ends if not.
  int64_t foresee(const tilesmith::machine::Instr &instr);
  int64_t cutBlock();
  void addLeast(const tilesmith::machine::Instr &instr);
  // What a dry launch does not know was asked for.
  void needData(uint32_t loc);
  // Executes a checked instruction now, with the atomic mode it was issued under.
  int64_t run(const tilesmith::machine::Instr &instr, tilesmith::isa::AtomicOp atomic);

  // A set or a wait for other cores, now; a wait returns when it is over.
  void crossNow(const tilesmith::machine::Instr &instr);
  // Waits until `ready`; false when no other core can make it so any more. As the `last` one: CrossBlocks.h.
  bool waitForOthers(const std::function<bool()> &ready, bool last = false);
  // The cores this one served are through; what its kernel still calls is skipped.
  void leaveServed();
  // Whether a wait for a cross-core flag could go on.
  bool isReady(const tilesmith::machine::Instr &wait) const;

  void reportDeadlock(const tilesmith::machine::Instr &wait);
  void reportScalarFault(uint32_t loc, int64_t kind);
  void reportCross(const tilesmith::machine::Instr &instr, tilesmith::machine::FindingKind id, std::string text);
  void reportGather(const tilesmith::machine::Instr &instr, int64_t outside);
  void report(uint32_t loc, tilesmith::machine::FindingId id, std::string text, std::string help = {});
  void reportOperand(const tilesmith::machine::Instr &instr, std::string text);

  // Whether the call may run: operands, memories, alignment, bounds. A bad one is logged (Checks.cpp).
  bool check(const tilesmith::machine::Instr &instr);

  // A vector function of C++ code (VectorCalls.cpp).
  void callVf(int64_t loc, TsVfFn fn, const int64_t *args, int64_t numArgs);
  void beginVf(int64_t loc);
  void endVf();
  // Ends register code that was called by its name, if it is what runs: something else follows.
  void leaveVf() {
    if (vf.untilNextCall)
      endVf();
  }
  bool touchVf(int64_t offset, int64_t bytes, int64_t alignment, bool write, int64_t before);
  // Traces a vector function that has run, and takes note of what it wrote.
  void traceRecorded(tilesmith::machine::Instr &instr, const std::shared_ptr<tilesmith::machine::RecordedVf> &recorded);

  // A function of threads (SimtUnit.cpp).
  void callSimt(int64_t loc, TsSimtFn fn, const void *args, TsSimtThread &thread,
                const tilesmith::machine::SimtSize &size);
  tilesmith::machine::SimtUnit *simtNow() { return simt.get(); }

private:
  int64_t issueNow(const tilesmith::machine::Instr &instr);
  int64_t issueFollowed(const tilesmith::machine::Instr &instr);
  void issueByRegister(tilesmith::machine::Instr &instr, unsigned index);
  void issueCounter(tilesmith::machine::Instr &instr, unsigned index, int64_t size, int64_t lanes);
  void holdScope(tilesmith::machine::Instr &instr, std::shared_ptr<tilesmith::machine::RecordedVf> recorded);
  void reportVf(tilesmith::machine::FindingId id, std::string text);
  void checkFreed(const tilesmith::machine::Instr &instr, const tilesmith::machine::Regions &regions);
  void noteWrites(const tilesmith::machine::Instr &instr);
  void crossCores(const tilesmith::machine::Instr &instr);
  bool lacksPipes(const tilesmith::machine::Instr &instr) const;
  bool checkKind(const tilesmith::machine::Instr &instr);
  bool plainlyFine(const tilesmith::machine::Instr &instr, const tilesmith::isa::InstructionInfo &info) const;
  bool plainlyMoves(const tilesmith::machine::Instr &instr, const tilesmith::isa::InstructionInfo &info) const;
};

#endif // TILESMITH_LIB_MACHINE_CORE_COREIMPL_H
