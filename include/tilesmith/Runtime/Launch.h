// One launch: bound arguments in, findings and time out.
//
// Settings say how much to observe. With `verifyLate` the launch is repeated on copies of its arguments under both late
// policies, and every argument whose bytes come out different is a finding (late.differs): the second, independent
// check that no synchronisation is missing.
//
// A dry launch (`dry`) leaves the arrays alone. Where the kernel needs data it computes, the launch runs in full on
// copies, and its result says so (LaunchResult::needsData).
#ifndef TILESMITH_RUNTIME_LAUNCH_H
#define TILESMITH_RUNTIME_LAUNCH_H

#include "tilesmith/Machine/Launch.h"
#include <string>
#include <vector>

namespace tilesmith::runtime {

struct LaunchSettings {
  machine::Mode mode = machine::Mode::Fast;
  machine::Late late = machine::Late::None;
  bool verifyLate = false;
  bool warmL2 = false;
  unsigned threads = 0;                // 0: as many as the host has
  bool keepTraces = false;             // for comparing call streams; raises the mode to Timed
  int64_t maxTicks = INT64_MAX;        // as machine::Launch
  int64_t traceLimit = 0;              // as machine::Launch
  double timeLimit = 60;               // as machine::Launch
  bool dry = false;                    // time the calls, compute nothing
  int64_t maxCycles = 0;               // as machine::ReplayOptions
  int64_t onlyFirst = 0, maxCalls = 0; // as machine::Launch
  std::string poison;                  // what the launch wrote is replaced after it (Poison.h); empty: it is not
  bool judged = false;                 // of a C++ kernel: what it touches, and its plain pointers, are noted (Touched)
  int64_t slack = 0;                   // bytes behind every array that belong to nobody
  bool operator==(const LaunchSettings &) const = default;
};

// A parameter of a launch: an array in host memory or the bits of a scalar.
struct BoundArgument {
  bool isArray = false;
  machine::HostRange range;
  int64_t bits = 0;
  bool written = true; // of an array: by the kernel
  bool absent = false; // of an array: only its size is known, there is no memory at its address
};

// What a launch did to global memory, for who judges it: host addresses, sorted, disjoint, and not touching.
struct Touched {
  struct Span {
    uint8_t *begin, *end;
  };
  std::vector<Span> reads, writes;
  std::vector<Span>
      tables; // of the reads: what gathers looked up in, in UB, and what was read in pieces of a few elements
  // The array that comes out different when the last block runs first; empty: none, or of a C++ kernel, or more than
  // 1 GiB of arrays.
  std::string orderMatters;
  int64_t plainLoads = 0, plainStores = 0; // pages that a C++ kernel read and wrote by pointers of C, past the Machine
};

struct LaunchTarget {
  TsKernelFn function = nullptr;
  const machine::Platform *platform = nullptr;
  bool compiled = false;               // as machine::Launch
  std::optional<isa::KernelType> type; // as machine::Launch
  bool serial = false;                 // blocks must run one after another
  int64_t workspace = -1;              // as host::Metadata
  int64_t sharedWorkspace = 0;         // as host::Metadata
  bool autoSync = false;               // as machine::Launch
  bool plainPointers =
      false; // the kernel may read its arrays through pointers: they are placed at their device addresses
  bool (*interrupted)() = nullptr;
  std::span<const int32_t> arrayAt;      // as machine::Launch
  machine::Debugger *debugger = nullptr; // as machine::Launch
  Touched *touched = nullptr;            // receives what the launch did; costs its traces, and a second run if checked
};

// What findings call an argument: dtype and shape where they are known.
struct ArgumentWords {
  std::string name;
  std::optional<isa::DType> dtype;
  std::vector<int64_t> shape;
};
// Asked, on any thread, for an argument by its number, and only when there is something to say about it.
using DescribeArgument = std::function<ArgumentWords(size_t argument)>;

// Runs the kernel.
machine::LaunchResult launch(const LaunchTarget &target, int64_t blocks, std::span<const BoundArgument> arguments,
                             const LaunchSettings &settings, const DescribeArgument &describe = {});

} // namespace tilesmith::runtime

#endif // TILESMITH_RUNTIME_LAUNCH_H
