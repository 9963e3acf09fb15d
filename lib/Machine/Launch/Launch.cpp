#include "tilesmith/Machine/Launch.h"
#include "Core/CoreImpl.h"
#include "Core/CrossBlocks.h"
#include "KnownLaunches.h"
#include "Late/Late.h"
#include "Order/OrderOfBlocks.h"
#include "Pool.h"
#include "Time/Least.h"
#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <set>
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

  // While it lives, the calling thread runs this core.
  class Running {
  public:
    explicit Running(TsCore &core) { running = &core; }
    ~Running() { running = outer; }

  private:
    TsCore *outer = running;
  };

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

// What a core's run found, or what the analysis of its trace did.
struct CoreFindings {
  size_t core;
  bool analysed;
  std::vector<Finding> findings;
};

// The cores of one block of a mixed kernel: they begin together, and their memories stay until all have ended.
struct Group {
  std::vector<TsCore *> cores;
  unsigned over = 0;
};

// Cores of mixed kernels, kept for the next launch of this thread.
class SpareCores {
public:
  TsCore *take() {
    if (spare.empty())
      return new TsCore;
    TsCore *core = spare.back().release();
    spare.pop_back();
    return core;
  }
  void give(TsCore *core) {
    constexpr size_t most = 12;
    std::unique_ptr<TsCore> owned(core);
    if (spare.size() < most)
      spare.push_back(std::move(owned));
  }

private:
  std::vector<std::unique_ptr<TsCore>> spare;
};

// One launch in flight.
class Run final : public LaunchOfCore {
public:
  explicit Run(const Launch &launch) : launch(launch), type(launch.type) {
    cores = {type ? isa::coresOf(*type) : isa::BlockCores{0, 1}, launch.blocks};
    if (launch.mode >= Mode::Timed && launch.onlyFirst <= 0)
      traces.resize(cores.count());
    numbers.resize(traces.size());
  }
  ~Run() {
    for (auto &[block, group] : groups) // only those that were stopped
      giveBack(group);
  }

  void allBlocks() {
    if (launch.serial || cores.block.mixed()) { // only these can have cores that wait for each other
      CrossBlocks inTurn(cores, [&](int64_t turn) { oneCore(turn); });
      cross = &inTurn;
      inTurn.runAll();
      cross = nullptr;
      return;
    }
    if (launch.onlyFirst > 0)
      return firstBlocks();
    unsigned threads = launch.threads ? launch.threads : hostThreads();
    if (launch.blocks == 1 || threads == 1 || launch.debugger)
      return inOrder(0, launch.blocks);
    auto start = std::chrono::steady_clock::now();
    oneCore(0);
    auto first = std::chrono::steady_clock::now() - start;
    if (first * (launch.blocks - 1) < worthSharing)
      return inOrder(1, launch.blocks);
    parallelFor(1, launch.blocks, threads, [&](int64_t block) { oneCore(block); });
  }

  LaunchResult conclude() {
    LaunchResult result;
    if (missing) {
      result.needsData = missing->loc;
      return result;
    }
    for (auto &[core, text] : printed)
      result.printed += text;
    std::vector<Finding> across;
    bool whole = !traces.empty() && !stopped && unfinished.empty() && !launch.keepTraces;
    LaunchKey key = whole ? keyOf(launch, cores.block, numbers) : std::nullopt;
    std::optional<KnownLaunch> known = knownLaunch(key);
    if (known) {
      result.timing = std::move(known->timing);
      result.calls = known->calls;
    } else {
      observe(result, across);
    }
    if (!unfinished.empty())
      std::erase_if(across, isUnpaired);
    reportHanging(result.timing, across);
    if (!found.empty() || !across.empty())
      merge(across, result.findings);
    result.complete = !stopped.load(std::memory_order_relaxed) && result.timing.stuck.empty();
    if (!result.complete)
      result.timing = {};
    else if (!known && result.findings.empty())
      keepLaunch(key, {result.timing, result.calls});
    if (launch.keepTraces) {
      result.callHash = hashCalls(traces, launch.platform->arch);
      result.traces = std::move(traces);
    }
    std::sort(output.begin(), output.end(),
              [](const BlockOutput &a, const BlockOutput &b) { return a.block < b.block; });
    result.output = std::move(output);
    result.type = type;
    result.readsData = readsData;
    result.isPart = isPart;
    return result;
  }

  // Time and order.
  void observe(LaunchResult &result, std::vector<Finding> &across) {
    settleKinds();
    unsigned threads = launch.threads ? launch.threads : hostThreads();
    int64_t count = int64_t(traces.size());
    if (launch.autoSync && !traces.empty())
      parallelFor(0, count, threads, [&](int64_t core) { addCompilerOrder(traces[size_t(core)], *launch.platform); });
    // Replay is one thread's work; the checks of the cores run beside it. Those of a mixed kernel are checked together.
    bool mixed = cores.block.mixed();
    int64_t checks = launch.mode < Mode::Checked ? 0 : mixed ? 1 : count + 1;
    OrderOfBlocks order(traces, *launch.platform);
    if (launch.mode >= Mode::Timed)
      parallelFor(-1, checks, threads, [&](int64_t task) {
        if (task < 0)
          return stopped ? void() : time(result);
        if (mixed)
          return checkCores(traces, cores.block, *launch.platform, across, names());
        if (task == count)
          return checkAcrossBlocks(traces, *launch.platform, across, names());
        std::vector<Finding> findings;
        order.check(size_t(task), findings, names());
        if (unfinished.contains(size_t(task))) // what a core did not live to do says nothing about its flags
          std::erase_if(findings, isUnpaired);
        keep(size_t(task), true, std::move(findings));
      });
  }

  void declare(TsCore &core, uint32_t loc, isa::KernelType said) override {
    isa::BlockCores wanted = isa::coresOf(said);
    if (type) {
      if (isa::coresOf(*type) != wanted)
        core.report(loc, FindingKind::KernelType,
                    "the kernel says it is of type " + std::string(isa::stringify(said)) + ", but was launched as " +
                        std::string(isa::stringify(*type)));
      return;
    }
    if (wanted.mixed() && (!cross || core.turn != 0 || core.lastLoc != TsCore::noCall)) {
      core.report(loc, FindingKind::KernelType,
                  "a mixed kernel says its type before anything else it does, in every block: which cores run it "
                  "depends on it");
      core.ended = true;
      return;
    }
    cores.block = wanted;
    core.setKinds(wanted.kinds());
    if (cross) // otherwise other blocks run beside this one, and say it themselves
      type = said;
    if (wanted.mixed())
      becomeGroup(core);
  }

  // Of several cores the lowest is told of, as if they had run in order.
  void needData(TsCore &core, uint32_t loc) override {
    std::lock_guard lock(mutex);
    if (!missing || core.index < missing->core)
      missing = Missing{core.index, loc};
  }

  void cut() override { isPart.store(true, std::memory_order_relaxed); }
  void dataWasRead() override { readsData.store(true, std::memory_order_relaxed); }

  const AddressNames &names() override {
    std::call_once(named, [&] {
      if (launch.arrays)
        addressNames = AddressNames(launch.arrays());
    });
    return addressNames;
  }

  std::optional<int64_t> arrayAt(uint32_t loc) const override {
    int32_t parameter = loc < launch.arrayAt.size() ? launch.arrayAt[loc] : -1;
    return parameter >= 0 && size_t(parameter) < launch.args.size() ? std::optional(launch.args[size_t(parameter)])
                                                                    : std::nullopt;
  }

private:
  // A block that did nothing ran on the kind of core the other blocks need.
  void settleKinds() {
    isa::CoreKinds all;
    for (BlockTrace &trace : traces) {
      if (trace.kinds.empty())
        trace.kinds = kindsNeeded(trace, launch.platform->arch);
      all |= trace.kinds;
    }
    for (BlockTrace &trace : traces)
      if (trace.kinds.empty())
        trace.kinds = all.empty() ? isa::CoreKinds(isa::CoreKind::AIV) : all;
  }

  static bool isUnpaired(const Finding &finding) {
    return finding.id.row() == FindingKind::FlagUnpairedSet || finding.id.row() == FindingKind::CrossUnpairedSet;
  }

  // Waits that replay did not come past, where nothing else has said so.
  void reportHanging(const Timing &timing, const std::vector<Finding> &across) {
    auto isDeadlock = [](const Finding &finding) { return finding.id.isOf("deadlock"); };
    if (timing.stuck.empty() || std::any_of(across.begin(), across.end(), isDeadlock) ||
        std::any_of(found.begin(), found.end(), [&](const CoreFindings &of) {
          return std::any_of(of.findings.begin(), of.findings.end(), isDeadlock);
        }))
      return;
    for (const StuckWait &stuck : timing.stuck) {
      Finding finding;
      finding.id = deadlockOf(stuck.wait);
      finding.text = waitsForEver(stuck.wait);
      finding.loc = stuck.wait.loc;
      keep(stuck.core, true, {finding});
    }
  }

  void time(LaunchResult &result) {
    for (const BlockTrace &trace : traces)
      result.calls += int64_t(trace.calls.size());
    if (launch.onlyFirst > 0) {
      result.timing.cycles = leastOfFirst;
      result.timing.atLeast = true;
      result.calls = callsOfFirst;
      return;
    }
    ReplayOptions options = launch.replay;
    options.timeline |= launch.mode == Mode::Traced;
    result.timing = replay(traces, *launch.platform, options, cores.block);
  }

  void inOrder(int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block)
      oneCore(block);
  }

  void firstBlocks() {
    for (int64_t block = 0; block < std::min(launch.onlyFirst, launch.blocks); ++block) {
      LeastTime time(*launch.platform);
      least = &time;
      oneCore(block);
      leastOfFirst = std::max(leastOfFirst, time.cycles());
      callsOfFirst += time.calls();
    }
    least = nullptr;
  }

  // Late consumers run before their producers wherever nothing makes them wait: the cores of a block in reverse.
  CorePlace placeAt(int64_t turn) {
    CorePlace place;
    place.launch = this;
    place.cores = cores;
    place.turn = turn;
    place.index = size_t(turn);
    if (launch.reversed && type) {
      size_t ofBlock = cores.placeOf(size_t(turn)), first = size_t(turn) - ofBlock;
      place.index = cores.count() - cores.block.count() - first + ofBlock;
    }
    if (launch.late == Late::Consumers) {
      size_t ofBlock = cores.placeOf(size_t(turn));
      place.index = size_t(turn) - ofBlock + (cores.block.count() - 1 - ofBlock);
    }
    if (type)
      place.kinds = cores.block.mixed() ? isa::CoreKinds(cores.kindOf(place.index)) : cores.block.kinds();
    return place;
  }
  BlockTrace *traceOf(size_t core) { return traces.empty() ? nullptr : &traces[core]; }

  void oneCore(int64_t turn) {
    if (launch.interrupted && launch.interrupted())
      stop.store(true, std::memory_order_relaxed);
    if (stop.load(std::memory_order_relaxed))
      return;
    if (cores.block.mixed())
      return oneOfGroup(turn);
    CoreLease core;
    CorePlace place = placeAt(turn);
    BlockTrace *trace = traceOf(place.index);
    core->begin(launch, place, stop, trace, cross);
    core->least = least;
    core->maxCycles = launch.replay.maxCycles;
    size_t expected = expectedCalls.load(std::memory_order_relaxed);
    if (trace && core->watch.mayKeep(*core, 0, expected * sizeof(Instr)))
      trace->calls.reserve(expected);
    runCore(*core);
  }

  void oneOfGroup(int64_t turn) {
    CorePlace place = placeAt(turn);
    Group &group = groups[cores.blockOf(place.index)];
    if (group.cores.empty())
      begin(group, turn);
    CoreLease::Running running(*group.cores[cores.placeOf(place.index)]);
    runCore(*group.cores[cores.placeOf(place.index)]);
  }

  // Begins the cores of the block whose first turn this is; `already`: one that has begun.
  void begin(Group &group, int64_t turn, TsCore *already = nullptr) {
    group.cores.resize(cores.block.count());
    for (unsigned i = 0; i < cores.block.count(); ++i) {
      CorePlace place = placeAt(turn + i);
      TsCore *&core = group.cores[cores.placeOf(place.index)];
      core = i == 0 && already ? already : spares().take();
      if (core != already) {
        core->begin(launch, place, stop, traceOf(place.index), cross);
        continue;
      }
      core->standAt(place);
      core->writeTo(traceOf(place.index));
      core->prepareQueues(launch.late);
    }
    for (TsCore *core : group.cores)
      core->joinGroup(group.cores);
  }

  // The kernel turned out to be a mixed one when its first core began.
  void becomeGroup(TsCore &core) {
    lent = &core;
    cross->grow(cores);
    if (!traces.empty())
      traces.resize(cores.count());
    numbers.resize(traces.size());
    begin(groups[0], 0, &core);
  }

  void runCore(TsCore &core) {
    FloatDefaults defaults;
    core.watch.run(core, launch);
    core.end();
    bool meantTo = core.least || core.isCut || core.served; // `least` ends what is known to be slow
    if ((core.ended && !meantTo) || stop.load(std::memory_order_relaxed))
      stopped.store(true, std::memory_order_relaxed);
    if (core.ended && !core.served) {
      std::lock_guard lock(mutex);
      unfinished.insert(core.index);
    }
    if (core.trace) {
      core.trace->kinds = core.kinds;
      core.trace->core = cores.nameOf(core.index);
      numbers[core.index] = numberOf(*core.trace);
      expectedCalls.store(core.trace->calls.size(), std::memory_order_relaxed);
    }
    if (!core.printed.empty()) {
      std::lock_guard lock(mutex);
      printed[core.index] = std::move(core.printed);
      core.printed.clear();
    }
    if (!core.log.empty()) {
      keep(core.index, false, std::move(core.log.findings));
      core.log.clear();
    }
    if (BlockOutput &printed = core.prints.output; !printed.empty()) {
      std::lock_guard lock(mutex);
      output.push_back(std::exchange(printed, {}));
    }
    if (auto group = groups.find(core.block); group != groups.end() && ++group->second.over == cores.block.count()) {
      giveBack(group->second);
      groups.erase(group);
    }
  }

  void giveBack(Group &group) {
    for (TsCore *core : group.cores)
      if (core != lent)
        spares().give(core);
  }
  static SpareCores &spares() {
    static thread_local SpareCores spare;
    return spare;
  }

  void keep(size_t core, bool analysed, std::vector<Finding> findings) {
    if (findings.empty())
      return;
    for (Finding &finding : findings) {
      finding.block = cores.blockOf(core);
      finding.core = cores.nameOf(core);
    }
    std::lock_guard lock(mutex);
    found.push_back({core, analysed, std::move(findings)});
  }

  // By core, of a core first what it did and then what was analysed; the same finding of several cores becomes one.
  void merge(std::vector<Finding> &across, std::vector<Finding> &result) {
    std::sort(found.begin(), found.end(), [](const CoreFindings &a, const CoreFindings &b) {
      return std::tie(a.core, a.analysed) < std::tie(b.core, b.analysed);
    });
    if (!across.empty())
      found.push_back({cores.count(), true, std::move(across)});
    std::map<std::tuple<FindingId, uint32_t, uint32_t>, size_t> places;
    for (CoreFindings &ofCore : found)
      for (Finding &finding : ofCore.findings) {
        auto [place, isNew] = places.try_emplace({finding.id, finding.loc, finding.otherLoc}, result.size());
        if (isNew)
          result.push_back(std::move(finding));
        else
          result[place->second].count += finding.count;
      }
  }

  const Launch &launch;
  std::optional<isa::KernelType> type; // as the launch or the kernel says
  LaunchCores cores;
  std::vector<BlockTrace> traces;        // by core
  std::vector<Number128::Value> numbers; // of the traces
  CrossBlocks *cross = nullptr;
  LeastTime *least = nullptr;                    // of the block that runs, with onlyFirst
  int64_t leastOfFirst = 0, callsOfFirst = 0;    // of those that have run
  std::map<int64_t, Group> groups;               // of mixed kernels, by block
  const TsCore *lent = nullptr;                  // the core of a group that belongs to its thread
  std::atomic<bool> stop{false}, stopped{false}; // stopped: a core ended before its kernel did
  std::atomic<size_t> expectedCalls{0};
  std::once_flag named;
  AddressNames addressNames;
  std::mutex mutex;
  struct Missing {
    size_t core;
    uint32_t loc;
  };
  std::optional<Missing> missing; // data a dry launch would need
  std::atomic<bool> readsData{false}, isPart{false};
  std::set<size_t> unfinished; // cores that ended before their kernel did
  std::vector<CoreFindings> found;
  std::map<size_t, std::string> printed; // by core
  std::vector<BlockOutput> output;
};

} // namespace

LastCall lastCall() {
  const TsCore *core = CoreLease::running;
  return core ? LastCall{core->block, core->lastLoc == TsCore::noCall ? 0 : core->lastLoc} : LastCall{};
}

LaunchResult launch(const Launch &launch) {
  if (!launch.platform || !launch.kernel || launch.blocks <= 0)
    return {};
  Run run(launch);
  run.allBlocks();
  return run.conclude();
}

} // namespace tilesmith::machine
