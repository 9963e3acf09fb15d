// The trace of one core of a block: its calls in program order, as compact as replay needs.
#ifndef TILESMITH_MACHINE_TRACE_H
#define TILESMITH_MACHINE_TRACE_H

#include "tilesmith/Machine/AddressNames.h"
#include "tilesmith/Machine/Calls.h"
#include "tilesmith/Machine/Finding.h"
#include "tilesmith/Machine/Instr.h"
#include "tilesmith/Machine/Platform.h"
#include "tilesmith/Machine/Timing.h"
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tilesmith::machine {

struct RecordedVf;

struct BlockTrace {
  int64_t block = 0;
  isa::CoreKinds kinds; // of the core that ran it; empty: seen from the calls (kindsOf)
  std::string core;     // its name in a block of several: "AIC", "AIV 1"
  Calls calls;          // valid calls only, flags and barriers included
  std::vector<std::shared_ptr<const RecordedVf>> recorded; // keeps what calls of recorded vector functions point to
};

// The kinds of cores the calls need: empty where they leave it open.
isa::CoreKinds kindsNeeded(const BlockTrace &block, Arch arch);
// The kind of core that ran the block. Both: a kernel that does not say its type uses both, and a pair of cores runs it
// as one.
inline isa::CoreKinds kindsOf(const BlockTrace &block, Arch arch) {
  if (!block.kinds.empty())
    return block.kinds;
  isa::CoreKinds needed = kindsNeeded(block, arch);
  return needed.empty() ? isa::CoreKinds(isa::CoreKind::AIV) : needed;
}

// The finding that a wait is which never ends (waitsForEver).
FindingKind deadlockOf(const Instr &wait);

// Where an array lies in device memory.
struct ArrayRange {
  int64_t device = 0, size = 0;
};

struct ReplayOptions {
  bool warmL2 = false;
  bool timeline = false;
  int64_t maxCycles = 0;                   // replay ends as soon as the launch is known to take longer; 0: no limit
  std::span<const ArrayRange> arrays = {}; // whose traffic is told
};

// Replays all blocks in global time: in-order queues per pipe, flags, shared L2 and HBM, fixed-point arithmetic. A
// function of the traces and the platform only.
// Traces of blocks with several cores stand block by block, the cube core first.
Timing replay(std::span<const BlockTrace> blocks, const Platform &platform, const ReplayOptions &options,
              isa::BlockCores cores = {0, 1});

// Cycles a launch takes at least in which a core runs these calls: the work of its busiest pipe, had it nothing to wait
// for and the shared memories for itself. Never more than replay gives.
int64_t leastCycles(const BlockTrace &block, const Platform &platform);

// Adds what the vendor's compiler adds to C++ kernels where nothing else orders accesses of UB: barriers on V, and
// flags between scalar accesses and the other pipes of a vector core.
void addCompilerOrder(BlockTrace &block, const Platform &platform);

// A number for a stream of calls (operations, dtypes, operands, totals and bytes of vector functions; not places).
// Equal streams have equal numbers.
uint64_t hashCalls(std::span<const BlockTrace> blocks, Arch arch);

// The first call in which two streams differ, in words: block, number of the call, and both calls. Empty: they are
// equal.
struct CallDifference {
  std::string text;
  uint32_t leftLoc = 0, rightLoc = 0;
};
CallDifference firstDifference(std::span<const BlockTrace> left, std::span<const BlockTrace> right, Arch arch);

// Hazards inside a block (clock vectors over the pipes, byte-exact interval maps, initialised maps, flags) ...
void checkOrder(const BlockTrace &block, const Platform &platform, std::vector<Finding> &findings,
                const AddressNames &names = {});
// ... and conflicts between blocks (overlapping writes, write against read; atomics and equal blocks excepted).
void checkAcrossBlocks(std::span<const BlockTrace> blocks, const Platform &platform, std::vector<Finding> &findings,
                       const AddressNames &names = {});
// Both for blocks of several cores, which order each other by cross-core flags.
void checkCores(std::span<const BlockTrace> traces, isa::BlockCores cores, const Platform &platform,
                std::vector<Finding> &findings, const AddressNames &names = {});

} // namespace tilesmith::machine

#endif // TILESMITH_MACHINE_TRACE_H
