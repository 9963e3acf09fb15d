// Running a kernel on the Machine: all its blocks, in the mode asked for.
#ifndef TILESMITH_MACHINE_LAUNCH_H
#define TILESMITH_MACHINE_LAUNCH_H

#include "tilesmith/Machine/AddressNames.h"
#include "tilesmith/Machine/Core.h"
#include "tilesmith/Machine/Output.h"
#include "tilesmith/Machine/Trace.h"
#include <functional>
#include <optional>

namespace tilesmith::machine {

// How much to observe; each level adds to the one before.
enum class Mode : uint8_t { Fast, Timed, Checked, Traced };

// When late instructions run. None: at once, in program order. Consumers: each pipe is held back until something waits
// for it, later stages of the data path first. Producers: earlier stages run as far ahead as flags let them. Both delay
// the effects of an instruction on its own pipe until a barrier where the hardware does not order them.
enum class Late : uint8_t { None, Consumers, Producers };

// A dry launch issues, checks and times its calls but computes and moves nothing, so its arrays need not exist. Cycles
// are those of a timed launch, because nothing but scalar reads can make a kernel's calls depend on its data. A read of
// bytes that are known (GlobalRange::constant) is answered; any other ends the launch, which then has no timing and
// says where (LaunchResult::needsData). Not late. Vector functions of C++ kernels still run, on arbitrary data, because
// only that tells what they do; one whose loops depend on values in UB has a time that means nothing.

class Debugger;

struct Launch {
  const Platform *platform = nullptr;
  TsKernelFn kernel = nullptr;
  bool compiled = false; // the kernel is code of the JIT: it owns nothing, and can be left in the middle
  int64_t blocks = 1;
  std::optional<isa::KernelType> type; // none: a block is one core, and the kernel's calls say of which kind
  std::span<const int64_t> args;       // one per parameter; device addresses for arrays
  std::span<const GlobalRange> global; // sorted by device address, disjoint
  std::span<const int32_t> arrayAt;    // by location: whose array is accessed there, as a number of args; -1: unknown
  std::function<std::vector<GlobalArray>()> arrays; // what findings call them; asked once, when there is a finding
  Mode mode = Mode::Fast;
  Late late = Late::None;
  ReplayOptions replay;
  bool dry = false;        // as above
  int64_t onlyFirst = 0;   // run this many blocks only, for the least time the launch can take; blocks must not wait
                           // for each other
  int64_t maxCalls = 0;    // of a core, whose block ends there: part of a launch, to be scaled; 0: all
  bool autoSync = false;   // C220: barriers on V where it depends on itself, as the vendor's compiler adds them
  bool serial = false;     // atomics or cross-core sync: blocks one after another in order
  bool reversed = false;   // the last block is the first to run; not where a kernel says its type itself
  unsigned threads = 0;    // 0: as many as the host has
  bool keepTraces = false; // for comparing call streams; needs Timed
  int64_t maxTicks = INT64_MAX;    // trips of `while` loops in a block before the launch is stopped
  int64_t traceLimit = 0;          // bytes of calls a block may keep; 0: what the host has memory for
  double timeLimit = 0;            // seconds one run of a `while` loop may take of a processor; 0: no limit
  bool (*interrupted)() = nullptr; // asked now and then, on any thread; true stops the launch without a finding
  Debugger *debugger = nullptr;    // follows every call (Debugger.h); blocks run one after another then
};

struct LaunchResult {
  bool usedSlack = false;              // instructions reached beyond their array, into the room behind it
  bool complete = true;                // no block was stopped and none waits for ever; others have no time
  std::vector<Finding> findings;       // sorted by block and program order, equal ones merged
  Timing timing;                       // with Mode::Timed and above
  std::vector<BlockOutput> output;     // of blocks that printed, by block
  int64_t calls = 0;                   // instruction calls of all blocks (Timed and above)
  uint64_t callHash = 0;               // hashCalls of the traces, with keepTraces
  std::string printed;                 // what the blocks printed, in their order
  std::vector<BlockTrace> traces;      // only with keepTraces
  bool isPart = false;                 // a block ended at maxCalls
  bool readsData = false;              // of a dry launch: its calls may depend on data that was there
  std::optional<uint32_t> needsData;   // of a dry launch: the place of the first read of data it does not have
  std::optional<isa::KernelType> type; // of the launch, or what the kernel said
};

LaunchResult launch(const Launch &launch);

// The block the calling thread runs, and where its last call came from; block -1: none. For a handler of signals.
struct LastCall {
  int64_t block = -1;
  uint32_t loc = 0;
};
LastCall lastCall();

// Device memory begins high, as a device's does, and where a process has nothing: a host that runs C++ kernels can
// place the arrays there, so that their plain pointers work. A guard keeps an overrun of one array out of the next.
inline constexpr int64_t firstDeviceAddress = int64_t(0x120000000000), deviceGuard = int64_t(1) << 20;
// Memory that outlives launches (Runtime/DeviceHeap.h) begins here, with this many addresses for each device.
inline constexpr int64_t firstHeapAddress = int64_t(0x160000000000), heapBytes = int64_t(1) << 40, mostHeaps = 16;

// Device addresses for host ranges: 512-byte aligned, in order, overlapping host ranges share one device range. A range
// in a device's heap lies in its 512 bytes as it does there. Returns the address of each input; `ranges` receives the
// sorted disjoint ranges.
struct HostRange {
  uint8_t *data = nullptr;
  int64_t size = 0;
};
std::vector<int64_t> assignDeviceAddresses(std::span<const HostRange> inputs, std::vector<GlobalRange> &ranges);

// Symbol name and address of every C ABI entry, for a JIT to resolve against.
struct AbiSymbol {
  const char *name;
  void *address;
};
std::span<const AbiSymbol> abiSymbols();

} // namespace tilesmith::machine

#endif // TILESMITH_MACHINE_LAUNCH_H
