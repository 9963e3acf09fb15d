// One core in replay: the scalar unit issues a block's calls into the pipes' queues, pipes run them in order.
//
// A core runs ahead on its own as far as it can know: everything but the end of its moves to and from GM follows from
// the block's calls. It asks for a move to start at some time (moves), and goes on when it is told the move's end.
//
// A flag is set when the earlier work of its pipe is complete; the queue stands still until then (ADK-EX add on one
// core: two loads with a flag between them do not overlap, a hundred copies without one do).
#ifndef TILESMITH_LIB_MACHINE_TIME_REPLAYCORE_H
#define TILESMITH_LIB_MACHINE_TIME_REPLAYCORE_H

#include "Core/CrossFlags.h"
#include "Core/UnitFlags.h"
#include "CoreAccount.h"
#include "KnownCosts.h"
#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Machine/Trace.h"
#include <algorithm>
#include <array>
#include <bitset>
#include <map>
#include <utility>

namespace tilesmith::machine {

inline constexpr unsigned numQueues = unsigned(Pipe::ALL); // S included, which has none

// What replay counts, over all cores: busy times by kind of core and pipe.
struct Tally {
  using OfPipes = std::array<std::array<Ticks, isa::numPipe>, isa::numCoreKind>;
  OfPipes busy = {}, busyMax = {};
  std::vector<Ticks> byLoc;
  int64_t cubeOps = 0, vectorOps = 0;
  std::span<const ArrayRange> arrays;
  std::vector<uint32_t> numbers; // of places, by loc; 0: not seen yet
  std::vector<uint32_t> places = {0};
  std::vector<TimelineEntry> *timeline = nullptr; // with flags
  std::vector<FlagEntry> *flags = nullptr;

  // The number of a place: they count up from 1.
  uint32_t numberOf(uint32_t loc) {
    if (loc >= numbers.size())
      numbers.resize(loc + 1);
    if (!numbers[loc]) {
      numbers[loc] = uint32_t(places.size());
      places.push_back(loc);
    }
    return numbers[loc];
  }
  // The array an address lies in; -1: none.
  int16_t arrayAt(int64_t device) const {
    for (size_t i = 0; i < arrays.size(); ++i)
      if (device >= arrays[i].device && device < arrays[i].device + arrays[i].size)
        return int16_t(i);
    return -1;
  }
};

// A set of a core for others: when, by whom and where.
struct CrossStamp {
  Ticks time = 0;
  uint32_t core = 0, loc = 0;
  Pipe from = Pipe::S;
  isa::CoreKind kind = isa::CoreKind::AIV; // of the core
  bool operator<(const CrossStamp &other) const { return time < other.time; }
};

// Sets of all cores for each other, by key, earliest first; and cross-core flags.
struct CrossTimes {
  explicit CrossTimes(const LaunchCores &cores) : flags(cores) {}

  CrossFlags<CrossStamp> flags;
  std::map<int64_t, std::vector<CrossStamp>> sets;
  bool changed = false;        // since somebody looked
  std::vector<size_t> reached; // cores whose flags went up since then

  void set(size_t core, isa::CoreKind kind, const Instr &instr, Ticks time) {
    CrossStamp stamp{time, uint32_t(core), instr.loc, Pipe::S, kind};
    if (instr.op == Opcode::CrossCoreSet) {
      isa::CrossCoreSet call(instr);
      stamp.from = Pipe(call.fromValue() & 7);
      return flags.set(
          core, call.mode(), call.id(), stamp,
          [](CrossStamp &last, const CrossStamp &other) { last = std::max(last, other); },
          [&](size_t receiver, auto &&...) { reached.push_back(receiver); });
    }
    isa::CrossSet call(instr);
    stamp.from = Pipe(call.fromValue() & 7);
    std::vector<CrossStamp> &stamps = sets[call.key()];
    stamps.insert(std::upper_bound(stamps.begin(), stamps.end(), stamp), stamp);
    changed = true;
  }
};

class CoreReplay {
public:
  // `place` is the core's in its block; `account` is that of the block's cores.
  CoreReplay(const Platform &platform, KnownCosts &costs, Tally &tally, CrossTimes &cross, CoreAccount &account,
             unsigned place);

  // `core` is the number of the trace among those of the launch.
  void begin(const BlockTrace &block, size_t core, Ticks time);
  // Runs until everything waits for moves, or for nothing (a deadlock), or the block is over.
  void advance();

  bool active() const { return trace != nullptr; }
  // Of a core that cannot go on: the wait it hangs on.
  const Instr *hangsOn();
  size_t number() const { return core; }
  bool used() const { return started >= 0; }
  bool finished() const;
  Ticks endTime() const;
  Ticks startTime() const { return started; }
  // Returns whether any pipe but S worked.
  bool retire();

  // A move that wants to start. `first`: its pipe had nothing in flight when it was issued. `begin`: its pipe took it,
  // to wait by unitFlag until `issue`; FIX is busy meanwhile.
  struct Move {
    GlobalMove move;
    Ticks begin = 0, issue = 0, start = 0;
    uint32_t call = 0;
    bool first = false;
  };
  // The pipes whose front move got its start time since the last call.
  uint32_t takeStarting() { return std::exchange(starting, 0); }
  Move &frontMove(unsigned pipe) { return queues[pipe].moves[queues[pipe].firstMove]; }
  // The front move's last byte went through at `portEnd`; its effect is complete at `done`.
  void endMove(unsigned pipe, Ticks portEnd, Ticks done);

private:
  static constexpr unsigned maxDepth = 64, slots = maxDepth - 1, maxMoves = 16, maxPending = 4, maxIds = isa::flagIds;

  // What lies in arrays is written before it is read: beginning a block touches none of it.
  struct Queue {
    uint32_t calls[maxDepth];
    Ticks arrival[maxDepth], left[maxDepth]; // of the last entries: when they came and when they left the queue
    uint64_t pushed = 0, taken = 0;
    Ticks free = 0, done = 0; // next start; everything taken so far is complete
    Ticks counted = 0;        // busy time is counted up to here
    Ticks busy = 0;
    std::vector<Move> moves; // a ring of those issued and not ended; the front one has the port
    unsigned firstMove = 0, numMoves = 0;
    uint64_t prepared = 0;             // entries up to here whose move is known, though it may not have been issued
    int64_t inFlight = 0, landing = 0; // bytes of these moves, and of the last one that ended, until it is complete
    Ticks landed = 0;                  // when that is
    Ticks port = 0;                    // the port's next free time
  };
  // Times of sets not yet waited for, oldest first.
  struct Flag {
    Ticks times[maxPending];
    uint32_t locs[maxPending]; // of the sets
    uint8_t count;
    int64_t more; // sets besides these
  };
  static constexpr unsigned numFlags = isa::numPipe * isa::numPipe * maxIds;

  bool runScalar();
  bool runQueue(unsigned pipe);
  Flag &flagOf(const Instr &instr);
  bool takeHead(Queue &queue, unsigned pipe, const Instr &instr, Ticks arrival, Ticks &left);
  bool drained(const Queue &queue) const { return queue.taken == queue.pushed && !queue.numMoves; }
  void set(const Instr &instr, Ticks time);
  bool wait(const Instr &instr, Ticks &time);
  bool crossWait(const Instr &instr, Ticks &time);
  void comeTo(const Instr &wait, const CrossStamp &set, unsigned to, int64_t id, Ticks &time);
  bool waitForUnits(const Instr &instr, Ticks duration, Ticks &time);
  void handUnits(const Instr &instr, Ticks begin, Ticks end);
  LineUse &lineOf(uint32_t loc);
  LineUse &count(unsigned pipe, uint32_t call, Ticks begin, Ticks end, int64_t amount = 0, int16_t array = -1);

  const Platform &platform;
  KnownCosts &costs;
  Tally &tally;
  CrossTimes &cross;
  CoreAccount &account;
  unsigned place;
  isa::CoreKind kind = isa::CoreKind::AIV; // that runs the block
  std::array<Ticks, numQueues> total = {}; // busy, over all blocks
  uint32_t lastLoc = 0, lastLine = 0;      // the place that was counted last, and its number
  std::map<int64_t, int64_t> crossWaits;   // so far, by key
  const BlockTrace *trace = nullptr;
  size_t core = 0;
  uint32_t depth, moves;
  size_t pc = 0;
  Ticks scalar = 0, started = -1;
  uint32_t starting = 0;
  std::array<Queue, numQueues> queues;
  std::array<Flag, numFlags> flags;
  std::bitset<numFlags> usedFlags; // the others hold nothing yet
  UnitFlags<Ticks> units;          // when each part of L0C became full or empty
};

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_TIME_REPLAYCORE_H
