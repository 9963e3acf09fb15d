#include "tilesmith/Runtime/Launch.h"
#include "Touched.h"
#include "tilesmith/Runtime/DeviceMemory.h"
#include "tilesmith/Runtime/Poison.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <tuple>

namespace tilesmith::runtime {
namespace {

using machine::GlobalRange;
using machine::HostRange;

// Copies of all ranges, to run a launch again without touching the user's arrays.
struct Copies {
  std::vector<std::vector<uint8_t>> bytes;
  std::vector<GlobalRange> ranges;

  explicit Copies(std::span<const GlobalRange> originals) : ranges(originals.begin(), originals.end()) {
    for (GlobalRange &range : ranges) {
      bytes.emplace_back(range.host, range.host + range.size);
      range.host = bytes.back().data();
    }
  }
};

void restore(const Copies &from, std::span<const GlobalRange> to) {
  for (size_t i = 0; i < to.size(); ++i)
    std::memcpy(to[i].host, from.ranges[i].host, size_t(to[i].size));
}

// Arrays with room behind them: the launch works on copies, whose first part becomes the array's in the end.
class Slack {
public:
  Slack(std::vector<GlobalRange> &ranges, std::vector<int64_t> &devices, int64_t bytes) : originals(ranges) {
    constexpr int64_t unit = 512;
    int64_t step = (bytes + unit - 1) / unit * unit;
    for (int64_t &device : devices)
      for (size_t i = 0; i < originals.size(); ++i)
        if (device >= originals[i].device && device - originals[i].device < std::max<int64_t>(originals[i].size, 1)) {
          device += int64_t(i) * step;
          break;
        }
    for (size_t i = 0; i < ranges.size(); ++i) {
      std::vector<uint8_t> &copy = copies.emplace_back(size_t(ranges[i].size + step));
      std::copy_n(ranges[i].host, ranges[i].size, copy.data());
      ranges[i].device += int64_t(i) * step;
      ranges[i].size += step;
      ranges[i].slack = step;
      ranges[i].reached = &reached;
      ranges[i].host = copy.data();
    }
  }
  Slack(const Slack &) = delete;
  bool wasUsed() const { return reached; }
  ~Slack() {
    for (size_t i = 0; i < originals.size(); ++i) // an array that is as it was may be one that cannot be written
      if (!std::equal(copies[i].data(), copies[i].data() + originals[i].size, originals[i].host))
        std::copy_n(copies[i].data(), originals[i].size, originals[i].host);
  }

private:
  std::vector<GlobalRange> originals;
  std::vector<std::vector<uint8_t>> copies;
  std::atomic<bool> reached = false;
};

// Of a dry launch: the bytes it may read, as they are there and stay as they are.
void markConstant(std::vector<GlobalRange> &ranges, std::span<const BoundArgument> arguments,
                  std::span<const int64_t> devices) {
  for (GlobalRange &range : ranges)
    range.constant = true;
  size_t array = 0;
  for (const BoundArgument &argument : arguments) {
    if (!argument.isArray)
      continue;
    int64_t device = devices[array++];
    for (GlobalRange &range : ranges)
      if (device >= range.device && device - range.device < range.size)
        range.constant &= !argument.written && !argument.absent;
  }
}

// A launch that cannot be dry and has no arrays to run on.
machine::Finding needsArrays(uint32_t loc, std::span<const BoundArgument> arguments, const DescribeArgument &describe) {
  machine::Finding finding;
  finding.id = machine::FindingKind::DryNeedsData;
  finding.loc = loc;
  std::string absent;
  for (size_t i = 0; i < arguments.size() && describe; ++i)
    if (arguments[i].absent)
      absent += (absent.empty() ? "'" : ", '") + describe(i).name + "'";
  finding.text = "the scalar unit reads data here, so the launch must run in full, but there is no memory behind " +
                 (absent.empty() ? std::string("its placeholders") : absent) + "; pass arrays";
  return finding;
}

// The byte at which an argument differs between two runs, or -1. `device` is the argument's address.
int64_t firstDifference(std::span<const GlobalRange> left, std::span<const GlobalRange> right, int64_t device,
                        int64_t size) {
  for (size_t i = 0; i < left.size(); ++i) {
    int64_t begin = std::max(device, left[i].device);
    int64_t end = std::min(device + size, left[i].device + left[i].size);
    if (begin >= end)
      continue;
    const uint8_t *a = left[i].host + (begin - left[i].device), *b = right[i].host + (begin - left[i].device);
    if (std::memcmp(a, b, size_t(end - begin)) != 0)
      return begin - device + (std::mismatch(a, a + (end - begin), b).first - a);
  }
  return -1;
}

// The arrays of a launch in the words of whoever launched it.
struct ArrayWords {
  std::span<const BoundArgument> arguments;
  std::span<const int64_t> devices;
  const DescribeArgument &describe;
  bool workspace; // is the last of them

  std::vector<machine::GlobalArray> all() const {
    std::vector<machine::GlobalArray> arrays;
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (!arguments[i].isArray)
        continue;
      bool isWorkspace = workspace && i + 1 == arguments.size();
      ArgumentWords words = isWorkspace ? ArgumentWords{"workspace", isa::DType::U8, {arguments[i].range.size}}
                            : describe  ? describe(i)
                                        : ArgumentWords{};
      if (words.name.empty())
        words.name = "argument " + std::to_string(i + 1);
      arrays.push_back({devices[arrays.size()], arguments[i].range.size, std::move(words.name), words.dtype,
                        std::move(words.shape)});
    }
    return arrays;
  }
};

constexpr int64_t mostToRepeat = int64_t(1) << 30; // bytes of arrays that a launch is repeated on

// The array whose bytes change when the last block runs first, or nothing. `before` is used up.
std::string differsReversed(const machine::Launch &request, Copies &before, std::span<const GlobalRange> after,
                            const ArrayWords &words) {
  machine::Launch again = request;
  again.global = before.ranges;
  again.mode = machine::Mode::Fast;
  again.debugger = nullptr;
  again.keepTraces = false;
  again.reversed = true;
  again.threads = 1;
  machine::launch(again);
  for (const machine::GlobalArray &array : words.all())
    if (int64_t byte = firstDifference(after, before.ranges, array.device, array.size); byte >= 0)
      return machine::AddressNames({array}).globalBytes(array.device + byte, array.device + byte + 1, isa::DType::U8);
  return {};
}

} // namespace

// What the cores of a block hand to each other: nobody else's memory, and new for each launch. Where there is no memory
// for it, it has no bytes, and what the kernel does with it is out of bounds. Poisoned, it holds numbers that are none,
// so that what is read before it was written shows in results.
struct Workspace {
  std::unique_ptr<uint8_t, decltype(&std::free)> bytes;
  std::vector<BoundArgument> arguments;

  Workspace(int64_t size, bool poisoned, std::span<const BoundArgument> given)
      : bytes(static_cast<uint8_t *>(std::calloc(size_t(size), 1)), &std::free), arguments(given.begin(), given.end()) {
    if (bytes && poisoned)
      std::memset(bytes.get(), 0xff, size_t(size));
    arguments.push_back({true, {bytes.get(), bytes ? size : 0}, 0, true, false});
  }
};

machine::LaunchResult launch(const LaunchTarget &target, int64_t blocks, std::span<const BoundArgument> given,
                             const LaunchSettings &settings, const DescribeArgument &describe) {
  std::optional<Workspace> workspace;
  if (target.workspace >= 0)
    workspace.emplace(target.sharedWorkspace + target.workspace * blocks,
                      settings.mode >= machine::Mode::Checked && !settings.dry, given);
  std::span<const BoundArgument> arguments = workspace ? workspace->arguments : given;
  std::vector<HostRange> hostRanges;
  hostRanges.reserve(arguments.size());
  for (const BoundArgument &argument : arguments)
    if (argument.isArray)
      hostRanges.push_back(argument.range);
  std::vector<GlobalRange> ranges;
  std::vector<int64_t> devices = machine::assignDeviceAddresses(hostRanges, ranges);
  std::optional<Slack> slack;
  if (settings.slack > 0 && !settings.dry && !target.plainPointers)
    slack.emplace(ranges, devices, settings.slack);
  std::vector<machine::ArrayRange> arrays;
  if (settings.mode >= machine::Mode::Timed)
    for (size_t i = 0; i < devices.size(); ++i)
      arrays.push_back({devices[i], hostRanges[i].size});
  std::vector<int64_t> values;
  values.reserve(arguments.size());
  size_t array = 0;
  for (const BoundArgument &argument : arguments)
    values.push_back(argument.isArray ? devices[array++] : argument.bits);

  std::optional<DeviceMemory> placed;
  std::vector<GlobalRange> asGiven;
  if (target.plainPointers) {
    if (target.touched)
      asGiven = ranges;
    placed.emplace(ranges, settings.judged);
  }

  machine::Launch request;
  request.platform = target.platform;
  request.kernel = target.function;
  request.compiled = target.compiled;
  request.blocks = blocks;
  request.type = target.type;
  request.args = values;
  request.global = ranges;
  bool keepTraces = settings.keepTraces || !settings.poison.empty() || target.touched;
  request.mode = keepTraces ? std::max(settings.mode, machine::Mode::Timed) : settings.mode;
  request.late = settings.late;
  request.replay.warmL2 = settings.warmL2;
  request.replay.arrays = arrays;
  request.replay.timeline = settings.mode == machine::Mode::Traced;
  request.serial = target.serial;
  request.autoSync = target.autoSync;
  request.threads = settings.threads;
  request.keepTraces = keepTraces;
  request.maxTicks = settings.maxTicks;
  request.timeLimit = settings.timeLimit;
  request.traceLimit = settings.traceLimit;
  request.interrupted = target.interrupted;
  ArrayWords words{arguments, devices, describe, target.workspace >= 0};
  request.arrayAt = target.arrayAt;
  request.arrays = [&words] { return words.all(); };
  request.replay.maxCycles = settings.maxCycles;
  if (settings.dry) {
    request.late = machine::Late::None;
    markConstant(ranges, arguments, devices);
    request.dry = true;
    bool mayWait = target.serial || (target.type && isa::coresOf(*target.type).mixed()); // for other cores
    request.onlyFirst = mayWait ? 0 : settings.onlyFirst;
    request.maxCalls = mayWait ? 0 : settings.maxCalls;
    machine::LaunchResult result = machine::launch(request);
    if (!result.needsData)
      return result;
    uint32_t needed = *result.needsData;
    request.dry = false;
    request.onlyFirst = request.maxCalls = 0;
    if (std::any_of(arguments.begin(), arguments.end(), [](const BoundArgument &a) { return a.absent; })) {
      result.findings.push_back(needsArrays(needed, arguments, describe));
      return result;
    }
    std::optional<Copies> copies;
    if (!placed) {
      copies.emplace(ranges);
      request.global = copies->ranges;
    }
    result = machine::launch(request);
    result.needsData = needed;
    return result;
  }
  request.debugger = target.debugger;
  if (target.touched || !settings.verifyLate || !settings.poison.empty()) {
    std::optional<Copies> before;
    int64_t bytes = 0;
    for (const GlobalRange &range : ranges)
      bytes += range.size;
    bool checked = settings.mode >= machine::Mode::Checked;
    if (target.touched && checked && target.type && blocks > 1 && !placed && bytes <= mostToRepeat)
      before.emplace(ranges);
    machine::LaunchResult result = machine::launch(request);
    result.usedSlack = slack && slack->wasUsed();
    if (target.touched)
      *target.touched = touchedBy(result.traces, target.platform->arch, placed ? asGiven : ranges);
    if (target.touched && placed)
      std::tie(target.touched->plainLoads, target.touched->plainStores) = placed->plainAccesses();
    if (before && result.complete)
      target.touched->orderMatters = differsReversed(request, *before, ranges, words);
    if (!settings.poison.empty())
      poisonWritten(result.traces, target.platform->arch, ranges, settings.poison);
    if (!settings.keepTraces)
      result.traces.clear();
    if (placed)
      placed->writeBack();
    return result;
  }

  Copies before(ranges);
  machine::LaunchResult result = machine::launch(request);
  result.usedSlack = slack && slack->wasUsed();
  if (!result.complete) { // it would be stopped again, after as long a time
    if (placed)
      placed->writeBack();
    return result;
  }
  // Placed arrays are used again where they are, and get their results back in the end.
  Copies after(placed ? std::span<const GlobalRange>(ranges) : std::span<const GlobalRange>());
  for (machine::Late late : {machine::Late::Consumers, machine::Late::Producers}) {
    std::optional<Copies> copies;
    machine::Launch again = request;
    if (placed) {
      restore(before, ranges);
    } else {
      copies.emplace(before.ranges);
      again.global = copies->ranges;
    }
    again.mode = machine::Mode::Fast;
    again.debugger = nullptr;
    again.keepTraces = false;
    again.late = late;
    machine::launch(again);
    const char *policy = late == machine::Late::Consumers ? "consumers run as late as the flags allow"
                                                          : "producers run as early as the flags allow";
    std::span<const GlobalRange> first = placed ? std::span<const GlobalRange>(after.ranges) : ranges;
    std::span<const GlobalRange> second = placed ? std::span<const GlobalRange>(ranges) : copies->ranges;
    for (const machine::GlobalArray &argument : words.all()) {
      int64_t byte = firstDifference(first, second, argument.device, argument.size);
      if (byte < 0)
        continue;
      machine::AddressNames names({argument});
      machine::Finding finding;
      finding.id = machine::FindingKind::LateDiffers;
      finding.text = names.globalBytes(argument.device + byte, argument.device + byte + 1, isa::DType::U8) +
                     " comes out different when " + policy + ": a synchronisation is missing";
      result.findings.push_back(std::move(finding));
    }
  }
  if (placed) {
    restore(after, ranges);
    placed->writeBack();
  }
  return result;
}

} // namespace tilesmith::runtime
