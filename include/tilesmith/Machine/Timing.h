// What replay says about a launch: its time, where the time went, and on request every instruction in it.
//
// Parts of a core's time are ticks (hundredths of a cycle), so that they add up to the last one; times of the whole
// launch and of the timeline are cycles.
#ifndef TILESMITH_MACHINE_TIMING_H
#define TILESMITH_MACHINE_TIMING_H

#include "tilesmith/Machine/Instr.h"
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace tilesmith::machine {

using Ticks = int64_t;
inline constexpr Ticks ticksPerCycle = 100;

// A lane is a pipe of a kind of core: what a row of a profile is about. Cores of one kind in a block share their lanes.
inline constexpr unsigned lanesPerKind = unsigned(Pipe::ALL), numLanes = lanesPerKind * isa::numCoreKind;
constexpr unsigned laneOf(isa::CoreKind kind, unsigned pipe) { return unsigned(kind) * lanesPerKind + pipe; }
constexpr isa::CoreKind kindOfLane(unsigned lane) { return isa::CoreKind(lane / lanesPerKind); }
constexpr Pipe pipeOfLane(unsigned lane) { return Pipe(lane % lanesPerKind); }
using LaneTicks = std::array<Ticks, numLanes>;

// What a line of the source did on one core (per core of a kind, where a block has several).
struct LineUse {
  uint32_t loc = 0;
  LaneTicks busy = {};
  int64_t moves = 0, bytes = 0, pieces = 0; // transfers from and to GM, and the contiguous pieces of GM they have
  Ticks conflicts = 0;                      // of V: more than it would need if its operands lay in other bank groups
  Ticks first = -1, last = 0;               // when it began and ended to work, over all its times; -1: never
  struct Wait {
    unsigned lane, on; // a lane that stood still, for a flag of which
    Ticks time;
  };
  std::vector<Wait> waits;

  void waited(unsigned lane, unsigned on, Ticks time) {
    for (Wait &wait : waits)
      if (wait.lane == lane && wait.on == on) {
        wait.time += time;
        return;
      }
    waits.push_back({lane, on, time});
  }
};

// One core, or the cores of one block of a mixed kernel, from the launch's begin to its end.
struct CoreUse {
  Ticks start = 0, end = 0; // of its first and of its last block; start-up is what lies before
  LaneTicks busy = {};
  int64_t blocks = 0;
  // How long exactly these lanes worked at once, by the set of them; the empty set is idle time. Sums to end - start.
  std::vector<std::pair<uint32_t, Ticks>> together;
  Ticks working() const {
    Ticks idle = 0;
    for (auto [lanes, time] : together)
      idle += lanes ? 0 : time;
    return end - start - idle;
  }
};

// What moves did with one array: bytes on the way between it and the cores, and those that had to come from HBM.
struct ArrayTraffic {
  int64_t read = 0, written = 0, hbmRead = 0;
};

// One bar of the timeline. Python reads these two structs as they lie in memory (asc.runtime.timeline).
struct TimelineEntry {
  int64_t begin = 0, end = 0; // cycles
  int32_t block = 0;
  uint32_t core = 0; // of the launch
  uint32_t loc = 0;
  uint32_t call = 0;   // its number in the core's trace
  uint32_t amount = 0; // bytes of a move, operations of anything else
  Opcode op = Opcode::BlockIdx;
  Pipe pipe = Pipe::S;
  DType dtype = DType::F32;
  int16_t array = -1; // the one a move from or to GM is about
};

// A wait for a flag, and the set it waited for: of the core itself, or of another one.
struct FlagEntry {
  int64_t set = 0, begin = 0, end = 0; // cycles
  int32_t block = 0;
  uint32_t core = 0, setLoc = 0, waitLoc = 0;
  Pipe from = Pipe::S, to = Pipe::S;
  uint8_t id = 0;
  uint32_t setCore = 0; // of the launch
};

// Bytes of a core's own memory that a bar of the timeline reads or writes, from the first to the last.
struct AccessEntry {
  uint32_t entry = 0; // its number in the timeline
  uint32_t begin = 0, end = 0;
  Memory memory = Memory::UB;
  bool write = false;
};

// A wait that never ends.
struct StuckWait {
  size_t core = 0; // of the launch
  Instr wait;
};

// What such a wait waits for, in words.
std::string waitsForEver(const Instr &wait);

struct Timing {
  int64_t cycles = 0;                             // of the whole launch, launch overhead included
  int64_t coreCycles = 0;                         // sum over blocks of their own cycles
  std::array<int64_t, isa::numPipe> busy = {};    // per pipe, summed over blocks
  std::array<int64_t, isa::numPipe> busyMax = {}; // per pipe, the busiest core
  std::array<std::array<int64_t, isa::numPipe>, isa::numCoreKind> busyOf = {}, busyMaxOf = {}; // by kind of core
  int64_t hbmBytes = 0, l2Bytes = 0;                                                           // moved
  int64_t hbmRead = 0, hbmWritten = 0;   // the parts of hbmBytes; written is what got there before the launch's end
  int64_t hbmMBps = 0, hbmWriteMBps = 0; // what HBM reaches with the cores of this launch
  int64_t l2MBps = 0;                    // what L2 reaches with its loads and stores
  int64_t cubeOps = 0, vectorOps = 0;    // a product and its sum are two; a lane of a vector instruction is one
  std::string bound;                     // what limits it, in words ("HBM", "MTE2", "V", "latency" ...)
  std::vector<std::pair<uint32_t, int64_t>> byLoc; // busy cycles per source location, descending

  bool atLeast = false; // the launch takes at least `cycles`; the other numbers are of the part that was replayed
  std::vector<StuckWait> stuck; // the first of each core that never ends: the rest of the numbers mean nothing then

  std::vector<CoreUse> cores;        // in the order they start
  size_t critical = 0;               // the last of them to end that had work
  int64_t criticalBlock = 0;         // its last block
  std::vector<LineUse> lines;        // of the critical one, most busy first
  int64_t idleBlocks = 0;            // in which no pipe but S worked
  std::vector<ArrayTraffic> traffic; // by ReplayOptions::arrays

  std::vector<TimelineEntry> timeline; // only when asked for: this, flags and accesses
  std::vector<FlagEntry> flags;
  std::vector<AccessEntry> accesses; // of the critical core's blocks

  // Calls visit(loc) for every source location in it.
  template <typename Visit> void eachLoc(Visit visit) {
    for (auto &entry : byLoc)
      visit(entry.first);
    for (LineUse &line : lines)
      visit(line.loc);
    for (TimelineEntry &entry : timeline)
      visit(entry.loc);
    for (FlagEntry &flag : flags) {
      visit(flag.setLoc);
      visit(flag.waitLoc);
    }
  }
};

} // namespace tilesmith::machine

#endif // TILESMITH_MACHINE_TIMING_H
