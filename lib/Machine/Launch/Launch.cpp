#include "tilesmith/Machine/Launch.h"
#include "Core/CoreImpl.h"
#include "Core/CrossBlocks.h"
#include "Late/Late.h"
#include "Pool.h"
#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace tilesmith::machine {

namespace {

// Less work than this is done before a second thread has woken up.
constexpr auto worthSharing = std::chrono::microseconds(40);

// Rounding and subnormals as the model defines them, whatever the host program set for itself (frameworks flush
// subnormals).
class FloatDefaults {
#if defined(__x86_64__)
public:
  FloatDefaults() : saved(_mm_getcsr()) {
    _mm_setcsr(0x1f80);
  } // round to nearest, all exceptions masked, nothing flushed
  ~FloatDefaults() { _mm_setcsr(saved); }

private:
  unsigned saved;
#endif
};

// The core a host thread runs its blocks on. Launching from inside a kernel gets one of its own.
class CoreLease {
public:
  CoreLease() : nested(busy), own(nested ? new TsCore : nullptr), core(nested ? *own : ofThread()) {
    busy = true;
    running = &core;
  }
  ~CoreLease() {
    busy = nested;
    running = outer;
  }
  TsCore *operator->() { return &core; }
  TsCore &operator*() { return core; }

private:
  static TsCore &ofThread() {
    static thread_local std::unique_ptr<TsCore> core;
    if (!core)
      core = std::make_unique<TsCore>();
    return *core;
  }

  static thread_local bool busy;
  friend LastCall tilesmith::machine::lastCall();
  static thread_local TsCore *running;
  TsCore *outer = running;
  bool nested;
  std::unique_ptr<TsCore> own;
  TsCore &core;
};
thread_local bool CoreLease::busy = false;
thread_local TsCore *CoreLease::running = nullptr;

// What a block's run found, or what the analysis of its trace did.
struct BlockFindings {
  int64_t block;
  bool analysed;
  std::vector<Finding> findings;
};

// One launch in flight.
class Run {
public:
  explicit Run(const Launch &launch) : launch(launch) {
    if (launch.mode >= Mode::Timed)
      traces.resize(size_t(launch.blocks));
  }

  void allBlocks() {
    if (launch.serial) { // only these can have blocks that wait for each other
      CrossBlocks inTurn(launch.blocks, [&](int64_t block) { oneBlock(block); });
      cross = &inTurn;
      inTurn.runAll();
      cross = nullptr;
      return;
    }
    unsigned threads = launch.threads ? launch.threads : hostThreads();
    if (launch.blocks == 1 || threads == 1)
      return inOrder(0);
    auto start = std::chrono::steady_clock::now();
    oneBlock(0);
    auto first = std::chrono::steady_clock::now() - start;
    if (first * (launch.blocks - 1) < worthSharing)
      return inOrder(1);
    parallelFor(1, launch.blocks, threads, [&](int64_t block) { oneBlock(block); });
  }

  LaunchResult conclude() {
    LaunchResult result;
    for (auto &[block, text] : printed)
      result.printed += text;
    settleKinds();
    std::vector<Finding> across;
    unsigned threads = launch.threads ? launch.threads : hostThreads();
    if (launch.autoSync && !traces.empty())
      parallelFor(0, launch.blocks, threads,
                  [&](int64_t block) { addCompilerOrder(traces[size_t(block)], *launch.platform); });
    // Replay is one thread's work; the checks of the blocks run beside it.
    int64_t checks = launch.mode >= Mode::Checked ? launch.blocks + 1 : 0;
    if (launch.mode >= Mode::Timed)
      parallelFor(-1, checks, threads, [&](int64_t task) {
        if (task < 0)
          return time(result);
        if (task == launch.blocks)
          return checkAcrossBlocks(traces, *launch.platform, across);
        std::vector<Finding> findings;
        checkOrder(traces[size_t(task)], *launch.platform, findings);
        keep(task, true, std::move(findings));
      });
    if (!found.empty() || !across.empty())
      merge(across, result.findings);
    if (launch.keepTraces) {
      result.callHash = hashCalls(traces, launch.platform->arch);
      result.traces = std::move(traces);
    }
    std::sort(output.begin(), output.end(),
              [](const BlockOutput &a, const BlockOutput &b) { return a.block < b.block; });
    result.output = std::move(output);
    return result;
  }

private:
  // A block that did nothing ran on the kind of core the other blocks need.
  void settleKinds() {
    isa::CoreKinds all = launch.type ? isa::coresOf(*launch.type).kinds() : isa::CoreKinds();
    if (!launch.type)
      for (BlockTrace &trace : traces)
        all |= trace.kinds = kindsNeeded(trace, launch.platform->arch);
    for (BlockTrace &trace : traces)
      if (trace.kinds.empty())
        trace.kinds = all.empty() ? isa::CoreKinds(isa::CoreKind::AIV) : all;
  }

  void time(LaunchResult &result) {
    for (const BlockTrace &trace : traces)
      result.calls += int64_t(trace.calls.size());
    ReplayOptions options = launch.replay;
    options.timeline |= launch.mode == Mode::Traced;
    result.timing = replay(traces, *launch.platform, options);
  }

  void inOrder(int64_t begin) {
    for (int64_t block = begin; block < launch.blocks; ++block)
      oneBlock(block);
  }

  void oneBlock(int64_t block) {
    if (launch.interrupted && launch.interrupted())
      stop.store(true, std::memory_order_relaxed);
    if (stop.load(std::memory_order_relaxed))
      return;
    CoreLease core;
    FloatDefaults defaults;
    BlockTrace *trace = traces.empty() ? nullptr : &traces[size_t(block)];
    if (trace)
      trace->calls.reserve(expectedCalls.load(std::memory_order_relaxed));
    core->beginBlock(launch, block, stop, trace, cross);
    launch.kernel(&*core, launch.args.data());
    core->endBlock();
    if (trace)
      expectedCalls.store(trace->calls.size(), std::memory_order_relaxed);
    if (!core->printed.empty()) {
      std::lock_guard lock(mutex);
      printed[block] = std::move(core->printed);
      core->printed.clear();
    }
    if (!core->log.empty()) {
      keep(block, false, std::move(core->log.findings));
      core->log.clear();
    }
    if (BlockOutput &printed = core->prints.output; !printed.empty()) {
      std::lock_guard lock(mutex);
      output.push_back(std::exchange(printed, {}));
    }
  }

  void keep(int64_t block, bool analysed, std::vector<Finding> findings) {
    if (findings.empty())
      return;
    for (Finding &finding : findings)
      finding.block = block;
    std::lock_guard lock(mutex);
    found.push_back({block, analysed, std::move(findings)});
  }

  // By block, in a block first what it did and then what was analysed; the same finding of several blocks becomes one.
  void merge(std::vector<Finding> &across, std::vector<Finding> &result) {
    std::sort(found.begin(), found.end(), [](const BlockFindings &a, const BlockFindings &b) {
      return std::tie(a.block, a.analysed) < std::tie(b.block, b.analysed);
    });
    if (!across.empty())
      found.push_back({launch.blocks, true, std::move(across)});
    std::map<std::tuple<std::string, uint32_t, uint32_t>, size_t> places;
    for (BlockFindings &ofBlock : found)
      for (Finding &finding : ofBlock.findings) {
        auto [place, isNew] = places.try_emplace({finding.id, finding.loc, finding.otherLoc}, result.size());
        if (isNew)
          result.push_back(std::move(finding));
        else
          result[place->second].count += finding.count;
      }
  }

  const Launch &launch;
  std::vector<BlockTrace> traces;
  CrossBlocks *cross = nullptr;
  std::atomic<bool> stop{false};
  std::atomic<size_t> expectedCalls{0};
  std::mutex mutex;
  std::vector<BlockFindings> found;
  std::map<int64_t, std::string> printed; // by block
  std::vector<BlockOutput> output;
};

} // namespace

LastCall lastCall() {
  const TsCore *core = CoreLease::running;
  return core ? LastCall{core->block, core->lastLoc} : LastCall{};
}

LaunchResult launch(const Launch &launch) {
  if (!launch.platform || !launch.kernel || launch.blocks <= 0)
    return {};
  Run run(launch);
  run.allBlocks();
  return run.conclude();
}

} // namespace tilesmith::machine
