// Replay: all blocks of a launch in global time.
//
// Events are kept in time order, ties by core and pipe, so the result is a function of the traces and the platform.
// Between events each core has run ahead as far as it can (ReplayCore.h); an event starts or ends a move, or puts the
// next block on the seat that became free. A seat is a core, or for a mixed kernel a cube core and its vector cores,
// which begin a block together.
#include "Order/Footprint.h"
#include "ReplayCore.h"
#include "ReplayMemory.h"
#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>
#include <tuple>
#include <unordered_map>

namespace tilesmith::machine {

namespace {

class Replay {
public:
  Replay(std::span<const BlockTrace> traces, isa::BlockCores ofBlock, const Platform &platform, KnownCosts &costs,
         L2Cache &l2, const ReplayOptions &options)
      : traces(traces), perSeat(ofBlock.count()), numBlocks(traces.size() / perSeat), platform(platform), costs(costs),
        l2(l2), bandwidth(platform), cross({ofBlock, int64_t(numBlocks)}) {
    bool cube = std::any_of(traces.begin(), traces.end(), [&](const BlockTrace &trace) {
      return kindsOf(trace, platform.arch).has(isa::CoreKind::AIC);
    });
    seatsOfChip = std::max(cube ? platform.cubeCores : platform.vectorCores, 1);
    tally.arrays = options.arrays;
    result.traffic.resize(options.arrays.size());
    if (options.timeline) {
      tally.timeline = &result.timeline;
      tally.flags = &result.flags;
    }
    if (options.maxCycles > 0)
      limit = std::min(options.maxCycles, std::numeric_limits<Ticks>::max() / ticksPerCycle - 1) * ticksPerCycle;
  }

  Timing run() {
    size_t used = std::min(numBlocks, size_t(seatsOfChip));
    nextOfWave = used;
    streams.resize(used * perSeat * slots);
    backlogs.resize(used * perSeat);
    seats.resize(used);
    runningOn.resize(traces.size());
    accounts.assign(used, CoreAccount(perSeat));
    for (size_t seat = 0; seat < used; ++seat) {
      for (unsigned i = 0; i < perSeat; ++i)
        cores.push_back(std::make_unique<CoreReplay>(platform, costs, tally, cross, accounts[seat], i));
      later(dispatchTime(seat), seat * perSeat, blockSlot);
    }
    end = dispatchTime(0);
    do
      runEvents();
    while (!isOver() && giveUpDeadlocks());
    summarise();
    return std::move(result);
  }

private:
  struct Seat {
    unsigned running = 0;
    bool worked = false;
    Ticks begin = 0, end = 0; // of its block: of those that have ended
  };

  // Per core: one slot for each pipe with a queue, one for writing back, one for "next block".
  static constexpr unsigned slots = 8, writeBackSlot = 0, blockSlot = 7;

  // What is left of a move on its way, by kind, sent in this order.
  static constexpr Bandwidth::Kind order[] = {Bandwidth::Kind::Throttled, Bandwidth::Kind::Burst,
                                              Bandwidth::Kind::Queued, Bandwidth::Kind::Sustained,
                                              Bandwidth::Kind::Hit};
  struct Stream {
    int64_t bytes[Bandwidth::numKinds] = {};
    Ticks missLatency = 0;
    int64_t extra = 0;                          // bytes the first window moves besides
    int64_t window = 0;                         // bytes sent at burst rate since the pipe was last empty
    Ticks windowAt = 0, windowPort = 0;         // when its last window was sent, and the least time it takes
    bool isUnderWay = false, isWaiting = false; // its first window was sent; the next one is, when its event comes
  };
  // Dirty bytes a core's moves drove out of L2: on the way to HBM, and waiting for that to end.
  struct Backlog {
    int64_t moving = 0, waiting = 0;
  };
  struct LastRead {
    size_t core;
    Ticks time;
  };
  struct Event {
    Ticks time;
    uint32_t key; // core * slots + slot
    bool operator>(const Event &other) const { return std::pair(time, key) > std::pair(other.time, other.key); }
  };

  // Cores are started one after another, the last one after launchNsAllCores.
  Ticks dispatchTime(size_t seat) const {
    int64_t ns = platform.launchNsOneCore;
    if (seatsOfChip > 1)
      ns += int64_t(platform.launchNsAllCores - platform.launchNsOneCore) * int64_t(seat) / (seatsOfChip - 1);
    return ns * platform.clockMHz * ticksPerCycle / 1000;
  }

  // Longer than anybody wants to know: what a core has under way now ends later than that.
  bool isOver() const { return end > limit || (running && now > limit); }

  void later(Ticks time, size_t core, unsigned slot) { events.push({time, uint32_t(core * slots + slot)}); }

  void runEvents() {
    for (;;) {
      Ticks time = bandwidth.nextEnd();
      if (!events.empty())
        time = std::min(time, events.top().time);
      if (time == Bandwidth::never)
        return;
      now = std::max(now, time);
      if (isOver())
        return;
      bandwidth.advance(now);
      uint32_t key;
      while (bandwidth.takeEnded(key))
        if (key % slots == writeBackSlot)
          endWriteBack(key / slots);
        else
          nextWindow(key);
      while (!events.empty() && events.top().time <= now) {
        key = events.top().key;
        events.pop();
        if (key % slots == blockSlot)
          nextBlock(key / slots / perSeat);
        else
          startMove(key);
      }
    }
  }

  void nextBlock(size_t seat) {
    // The first wave is dealt out in order; whoever is free first takes the next block.
    size_t first = seat * perSeat, block = cores[first]->used() ? nextOfWave++ : seat;
    if (block >= numBlocks)
      return;
    seats[seat].running = perSeat;
    running += perSeat;
    seats[seat].begin = now;
    for (unsigned i = 0; i < perSeat; ++i) {
      size_t trace = block * perSeat + i;
      runningOn[trace] = first + i;
      cores[first + i]->begin(traces[trace], trace, now);
    }
    for (unsigned i = 0; i < perSeat; ++i)
      goOn(first + i);
  }

  // A core, and whoever it set something for.
  void goOn(size_t index) {
    if (cores[index]->active())
      goOnAlone(index);
    while (!cross.reached.empty()) {
      size_t core = runningOn[cross.reached.back()];
      cross.reached.pop_back();
      if (cores[core]->active())
        goOnAlone(core);
    }
    while (std::exchange(cross.changed, false))
      for (size_t i = 0; i < cores.size(); ++i)
        if (cores[i]->active())
          goOnAlone(i);
  }

  void goOnAlone(size_t index) {
    CoreReplay &core = *cores[index];
    core.advance();
    for (uint32_t pipes = core.takeStarting(); pipes; pipes &= pipes - 1) {
      unsigned pipe = unsigned(__builtin_ctz(pipes));
      later(core.frontMove(pipe).start, index, pipe);
    }
    if (core.finished())
      finish(index);
  }

  void finish(size_t index) {
    CoreReplay &core = *cores[index];
    Ticks over = core.endTime();
    end = std::max(end, over);
    coreTicks += over - core.startTime();
    --running;
    Seat &seat = seats[index / perSeat];
    seat.worked |= core.retire();
    seat.end = std::max(seat.end, over);
    if (--seat.running == 0) {
      accounts[index / perSeat].endBlock(seat.begin, seat.end);
      result.idleBlocks += !std::exchange(seat.worked, false);
      later(seat.end, index / perSeat * perSeat, blockSlot);
    }
  }

  void startMove(uint32_t key) {
    if (streams[key].isWaiting)
      return nextWindow(key);
    CoreReplay::Move &entry = cores[key / slots]->frontMove(key % slots);
    entry.start = now;
    GlobalMove &move = entry.move;
    Stream &stream = streams[key];
    if (entry.first)
      stream.window = 0;
    int64_t bytes = bytesOf(move);
    L2Cache::Traffic hbm = l2.touch(move, now, move.latency + platform.hbmMissLatency * ticksPerCycle);
    if (bytes)
      move.port += move.portMissed * std::min(hbm.read, bytes) / bytes;
    hbmRead += hbm.read;
    if (int16_t array = tally.arrayAt(move.start); array >= 0) {
      ArrayTraffic &traffic = result.traffic[size_t(array)];
      (writesGlobal(move.path) ? traffic.written : traffic.read) += bytes;
      traffic.hbmRead += hbm.read;
    }
    result.l2Bytes += std::max(bytes, hbm.read);
    if (writesGlobal(move.path))
      l2Written += bytes;
    stream.missLatency = platform.hbmMissLatency * ticksPerCycle;
    if (writesGlobal(move.path))
      stream.missLatency = hbm.missed ? platform.storeMissLatency * ticksPerCycle : 0;
    else if (!hbm.read)
      stream.missLatency = std::min(stream.missLatency, hbm.joined);
    auto left = [&](Bandwidth::Kind kind) -> int64_t & { return stream.bytes[unsigned(kind)]; };
    int64_t slow = hbm.read; // all but what L2 holds
    if (writesGlobal(move.path)) {
      slow = bytes;
      if (backlogBytes > platform.l2Bytes / platform.l2BacklogPart) {
        hbmWritten += hbm.written;
        left(Bandwidth::Kind::Throttled) = std::exchange(hbm.written, 0);
        slow = std::max<int64_t>(bytes - left(Bandwidth::Kind::Throttled), 0);
      }
    } else {
      left(Bandwidth::Kind::Hit) = std::max<int64_t>(bytes - hbm.read, 0);
    }
    bool write = writesGlobal(move.path);
    int64_t atOnce = write ? platform.storeBuffer : platform.outstandingWindow;
    int64_t burst = std::min(slow, std::max<int64_t>(atOnce - stream.window, 0));
    stream.window += burst;
    left(Bandwidth::Kind::Burst) = burst;
    left(write ? Bandwidth::Kind::Queued : Bandwidth::Kind::Sustained) = slow - burst;
    int64_t extra = move.extra;
    if (move.hint == isa::CacheHint::Bypass && hbm.read)
      extra += sharedRead(key / slots, move, hbm.read);
    stream.extra = extra;
    stream.isUnderWay = false;
    if (hbm.written)
      writeBack(key / slots, hbm.written);
    nextWindow(key);
  }

  // Bytes HBM moves besides, because another core read the same ones a short time ago, past L2: they lie in few of its
  // channels, which serve one core after the other.
  int64_t sharedRead(size_t core, const GlobalMove &move, int64_t bytes) {
    const Ticks within = platform.sharedReadTime * ticksPerCycle;
    const int64_t percent = move.path == GlobalPath::GmToL1 ? platform.sharedReadL1 : platform.sharedReadUb;
    auto [last, isNew] =
        lastReads.try_emplace(move.start / std::max(platform.outstandingWindow, 1), LastRead{core, now});
    auto [reader, time] = std::exchange(last->second, {core, now});
    if (isNew || reader == core || now - time >= within)
      return 0;
    return bytes * percent / 100 * (within - (now - time)) / within;
  }

  void writeBack(size_t core, int64_t bytes) {
    Backlog &backlog = backlogs[core];
    backlogBytes += bytes;
    backlog.waiting += bytes;
    if (!backlog.moving)
      startWriteBack(core);
  }
  void startWriteBack(size_t core) {
    Backlog &backlog = backlogs[core];
    backlog.moving = std::min(backlog.waiting, bandwidth.window());
    backlog.waiting -= backlog.moving;
    if (backlog.moving)
      bandwidth.start(GlobalPath::UbToGm, Bandwidth::Kind::WriteBack, backlog.moving,
                      uint32_t(core * slots + writeBackSlot));
  }
  void endWriteBack(size_t core) {
    int64_t bytes = std::exchange(backlogs[core].moving, 0);
    backlogBytes -= bytes;
    writtenBack.emplace_back(now, bytes);
    startWriteBack(core);
  }

  // Sends the next window of a move, or ends it.
  void nextWindow(uint32_t key) {
    CoreReplay &core = *cores[key / slots];
    CoreReplay::Move &entry = core.frontMove(key % slots);
    Stream &stream = streams[key];
    for (Bandwidth::Kind kind : order)
      if (int64_t &left = stream.bytes[unsigned(kind)]) {
        if (stream.isUnderWay && !std::exchange(stream.isWaiting, false) && platform.windowLatency) {
          stream.isWaiting = true;
          Ticks through = std::max(now, stream.windowAt + stream.windowPort); // FIX may take longer than memory
          later(through + (entry.move.latency + stream.missLatency) * platform.windowLatency / 100, key / slots,
                key % slots);
          return;
        }
        stream.isUnderWay = true;
        int64_t window = std::min(left, entry.move.window);
        left -= window;
        stream.windowAt = now;
        stream.windowPort = entry.move.port * window / std::max<int64_t>(bytesOf(entry.move), 1);
        bandwidth.start(entry.move.path, kind, window + std::exchange(stream.extra, 0), key);
        return;
      }
    Ticks portEnd = std::max(now, entry.start + entry.move.port);
    Ticks done = std::max(portEnd + stream.missLatency, entry.issue + entry.move.least);
    core.endMove(key % slots, portEnd, done);
    goOn(key / slots);
  }

  // Blocks that wait for a flag nobody sets end where they stand.
  bool giveUpDeadlocks() {
    bool any = false;
    for (size_t i = 0; i < cores.size(); ++i)
      if (cores[i]->active()) {
        constexpr size_t enough = 100;
        if (const Instr *wait = cores[i]->hangsOn(); wait && result.stuck.size() < enough)
          result.stuck.push_back({cores[i]->number(), *wait});
        finish(i);
        any = true;
      }
    return any;
  }

  void summarise() {
    auto cycles = [](Ticks ticks) { return (ticks + ticksPerCycle - 1) / ticksPerCycle; };
    for (auto [time, bytes] : writtenBack) // nobody waits for the others
      hbmWritten += time <= end ? bytes : 0;
    result.cycles = cycles(end);
    if (isOver()) {
      result.atLeast = true;
      result.cycles = limit / ticksPerCycle + 1;
    }
    result.coreCycles = cycles(coreTicks);
    for (unsigned kind = 0; kind < isa::numCoreKind; ++kind)
      for (unsigned i = 0; i < isa::numPipe; ++i) {
        result.busyOf[kind][i] = cycles(tally.busy[kind][i]);
        result.busyMaxOf[kind][i] = cycles(tally.busyMax[kind][i]);
        result.busy[i] += result.busyOf[kind][i];
        result.busyMax[i] = std::max(result.busyMax[i], result.busyMaxOf[kind][i]);
      }
    result.hbmMBps = platform.hbmReached(platform.hbmMBps, int64_t(cores.size()));
    result.hbmWriteMBps = platform.hbmReached(platform.hbmWriteMBps, int64_t(cores.size()));
    result.l2MBps = l2Reached();
    result.hbmRead = hbmRead;
    result.hbmWritten = hbmWritten;
    result.hbmBytes = hbmRead + hbmWritten;
    result.cubeOps = tally.cubeOps;
    result.vectorOps = tally.vectorOps;
    for (size_t loc = 0; loc < tally.byLoc.size(); ++loc)
      if (tally.byLoc[loc])
        result.byLoc.emplace_back(uint32_t(loc), cycles(tally.byLoc[loc]));
    std::sort(result.byLoc.begin(), result.byLoc.end(),
              [](auto &a, auto &b) { return std::pair(-a.second, a.first) < std::pair(-b.second, b.first); });
    std::sort(result.timeline.begin(), result.timeline.end(), [](const TimelineEntry &a, const TimelineEntry &b) {
      return std::tuple(a.core, a.begin, a.pipe, a.end, a.op, a.loc) <
             std::tuple(b.core, b.begin, b.pipe, b.end, b.op, b.loc);
    });
    result.bound = bound(std::max<Ticks>(end - dispatchTime(0), 1));
    chooseCritical();
    if (tally.timeline)
      findAccesses();
  }

  // The last core to end is the one that makes the launch as long as it is. A core that started last and found nothing
  // to do says nothing about the kernel.
  void chooseCritical() {
    if (accounts.empty())
      return;
    Ticks most = 0;
    for (const CoreAccount &account : accounts)
      most = std::max(most, account.use.working());
    auto hadWork = [&](const CoreUse &use) { return use.working() * 8 >= most; };
    for (size_t i = 0; i < accounts.size(); ++i) {
      const CoreUse &use = accounts[i].use, &best = accounts[result.critical].use;
      if (hadWork(use) && (use.end > best.end || !hadWork(best)))
        result.critical = i;
    }
    CoreAccount &account = accounts[result.critical];
    result.criticalBlock = account.lastBlock;
    for (size_t number = 1; number < account.lines.size(); ++number) {
      LineUse line = account.lines[number];
      line.loc = tally.places[number];
      for (unsigned lane = 0; lane < numLanes; ++lane) // of one core of its kind
        if (perSeat > 1 && kindOfLane(lane) == isa::CoreKind::AIV)
          line.busy[lane] /= Ticks(perSeat - 1);
      for (LineUse::Wait &wait : line.waits)
        if (perSeat > 1 && kindOfLane(wait.lane) == isa::CoreKind::AIV)
          wait.time /= Ticks(perSeat - 1);
      if (std::any_of(line.busy.begin(), line.busy.end(), [](Ticks ticks) { return ticks > 0; }))
        result.lines.push_back(line);
    }
    auto sum = [](const LineUse &line) { return std::accumulate(line.busy.begin(), line.busy.end(), Ticks(0)); };
    std::sort(result.lines.begin(), result.lines.end(), [&](const LineUse &a, const LineUse &b) {
      return std::pair(-sum(a), a.loc) < std::pair(-sum(b), b.loc);
    });
    for (CoreAccount &each : accounts) {
      each.conclude();
      result.cores.push_back(std::move(each.use));
    }
  }

  // The bytes of its own memories that the instructions of the critical core's last block touch.
  void findAccesses() {
    for (size_t i = 0; i < result.timeline.size(); ++i) {
      const TimelineEntry &entry = result.timeline[i];
      if (entry.block != result.criticalBlock)
        continue;
      Regions regions;
      regionsOf(traces[entry.core].calls[entry.call], platform.arch, regions);
      for (const Region &region : regions)
        if (region.memory != Memory::GM) {
          Extent extent = extentOf(region);
          result.accesses.push_back({uint32_t(i), uint32_t(extent.begin), uint32_t(extent.end), region.memory,
                                     region.access == Access::Write});
        }
    }
  }

  // Loads and stores pass at once where each has a rate of its own: the slower ones take L2's time.
  int64_t l2Reached() const {
    if (!platform.l2WriteMBps || !result.l2Bytes)
      return platform.l2MBps;
    double loads = double(result.l2Bytes - l2Written) / double(platform.l2MBps);
    double stores = double(l2Written) / double(platform.l2WriteMBps);
    return int64_t(double(result.l2Bytes) / std::max(loads, stores));
  }

  // What is busy most of the time: shared memory in the time its bytes need at best, a pipe in the time it works.
  std::string bound(Ticks span) const {
    auto percentOf = [&](int64_t bytes, int64_t megabytesPerSecond) {
      return megabytesPerSecond ? bytes * platform.clockMHz / megabytesPerSecond * ticksPerCycle * 100 / span : 0;
    };
    int64_t most = percentOf(hbmRead, result.hbmMBps) + percentOf(hbmWritten, result.hbmWriteMBps);
    std::string name = "HBM";
    auto consider = [&](int64_t percent, std::string_view what) {
      if (percent > most) {
        most = percent;
        name = what;
      }
    };
    consider(percentOf(result.l2Bytes, result.l2MBps), "L2");
    for (unsigned kind = 0; kind < isa::numCoreKind; ++kind)
      for (unsigned i = 0; i < numQueues; ++i) {
        size_t ofKind = perSeat == 1                                ? cores.size()
                        : isa::CoreKind(kind) == isa::CoreKind::AIC ? seats.size()
                                                                    : cores.size() - seats.size();
        Ticks average = tally.busy[kind][i] / Ticks(std::max<size_t>(ofKind, 1));
        consider(std::max(average, tally.busyMax[kind][i]) * 100 / span,
                 (perSeat > 1 ? std::string(stringify(isa::CoreKind(kind))) + " " : "") +
                     std::string(stringify(Pipe(i))));
      }
    return most >= platform.boundPercent ? name : "latency";
  }

  std::span<const BlockTrace> traces;
  unsigned perSeat;
  size_t numBlocks;
  const Platform &platform;
  KnownCosts &costs;
  L2Cache &l2;
  Bandwidth bandwidth;
  Tally tally;
  CrossTimes cross;
  Timing result;
  int32_t seatsOfChip = 1;
  std::vector<Seat> seats;
  std::vector<CoreAccount> accounts; // by seat
  std::vector<size_t> runningOn;     // by trace
  std::vector<std::unique_ptr<CoreReplay>> cores;
  std::vector<Stream> streams;
  std::unordered_map<int64_t, LastRead> lastReads; // past L2, by windows of GM
  std::priority_queue<Event, std::vector<Event>, std::greater<Event>> events;
  size_t nextOfWave = 0, running = 0; // running: cores
  Ticks now = 0, end = 0, coreTicks = 0, limit = std::numeric_limits<Ticks>::max();
  std::vector<Backlog> backlogs;
  int64_t backlogBytes = 0, hbmRead = 0, hbmWritten = 0, l2Written = 0;
  std::vector<std::pair<Ticks, int64_t>> writtenBack; // when, and how many bytes
};

} // namespace

// The share of dirty lines a kernel finds in L2. One much larger than L2 finds what an earlier launch of its kind left,
// one that fits finds lines of others, most of which were written back meanwhile.
static int64_t dirtyPermille(std::span<const BlockTrace> blocks, const Platform &platform, KnownCosts &costs) {
  constexpr int64_t page = 4096; // coarse, and rows with what lies between them: it is only a share
  L2Cache unlimited(std::numeric_limits<int64_t>::max(), page, 0);
  for (const BlockTrace &block : blocks)
    for (const Instr &instr : block.calls)
      if (kindOf(instr.op) == CallKind::Global)
        unlimited.touch(hullOf(costs.moveOf(instr)), 0, 0);
  auto [bytes, dirtyBytes, passedBytes] = unlimited.footprint();
  if (!bytes)
    return 0;
  int64_t beyond = std::clamp<int64_t>((bytes - platform.l2Bytes) * 100 / platform.l2Bytes, 0, 100);
  int64_t percent = platform.l2DirtyPercent + (100 - platform.l2DirtyPercent) * beyond / 100;
  int64_t all = bytes + passedBytes;
  return dirtyBytes * 10 / all * percent + dirtyBytes * 10 % all * percent / all;
}

Timing replay(std::span<const BlockTrace> blocks, const Platform &platform, const ReplayOptions &options,
              isa::BlockCores cores) {
  KnownCosts costs(platform);
  L2Cache l2(platform.l2Bytes, platform.l2Line, dirtyPermille(blocks, platform, costs));
  if (options.warmL2) { // as an earlier launch of the same kernel leaves it
    Replay(blocks, cores, platform, costs, l2, {}).run();
    l2.settle();
  }
  return Replay(blocks, cores, platform, costs, l2, options).run();
}

} // namespace tilesmith::machine
