// Running a kernel on the Machine: all its blocks, in the mode asked for.
#ifndef TILESMITH_MACHINE_LAUNCH_H
#define TILESMITH_MACHINE_LAUNCH_H

#include "tilesmith/Machine/Core.h"
#include "tilesmith/Machine/Trace.h"

namespace tilesmith::machine {

// How much to observe; each level adds to the one before.
enum class Mode : uint8_t { Fast, Timed, Checked, Traced };

// When late instructions run. None: at once, in program order. Consumers: each pipe is held back until something waits for
// it, later stages of the data path first. Producers: earlier stages run as far ahead as flags let them. Both delay the
// effects of an instruction on its own pipe until a barrier where the hardware does not order them.
enum class Late : uint8_t { None, Consumers, Producers };

struct Launch {
  const Platform *platform = nullptr;
  TsKernelFn kernel = nullptr;
  int64_t blocks = 1;
  std::span<const int64_t> args;          // one per parameter; device addresses for arrays
  std::span<const GlobalRange> global;    // sorted by device address, disjoint
  Mode mode = Mode::Fast;
  Late late = Late::None;
  ReplayOptions replay;
  bool serial = false;                    // atomics or cross-core sync: blocks one after another in order
  unsigned threads = 0;                   // 0: as many as the host has
  int64_t maxTicks = int64_t(1) << 32;    // loop iterations of `while` before the launch is stopped
  bool (*interrupted)() = nullptr;        // asked now and then, on any thread; true stops the launch without a finding
};

struct LaunchResult {
  std::vector<Finding> findings; // sorted by block and program order, equal ones merged
  Timing timing;                 // with Mode::Timed and above
  int64_t calls = 0;             // instruction calls of all blocks (Timed and above)
};

LaunchResult launch(const Launch &launch);

// Device addresses for host ranges: 512-byte aligned, in order, overlapping host ranges share one device range. Returns the
// address of each input; `ranges` receives the sorted disjoint ranges.
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
