// Memory all cores share, in replay: which lines L2 holds, and how bandwidth is divided.
#ifndef TILESMITH_LIB_MACHINE_REPLAYMEMORY_H
#define TILESMITH_LIB_MACHINE_REPLAYMEMORY_H

#include "ReplayCost.h"
#include <limits>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tilesmith::machine {

// The lines in L2. Residency is exact to the line; 64 neighbouring lines live and leave together, least recently used first,
// so a tile costs a few bit operations instead of a look-up per line. Write-back: a dirty line goes to HBM when it leaves.
//
// At first the cache is full of lines of earlier kernels, some of them dirty; they leave before any other.
class L2Cache {
public:
  L2Cache(int64_t capacity, int64_t line, int64_t dirtyPermille);

  // What a move makes HBM read (lines that were not present) and write (dirty lines that had to leave), in bytes.
  struct Traffic {
    int64_t read = 0, written = 0;
  };
  Traffic touch(const GlobalMove &move);

private:
  // 64 lines; linked in order of last use.
  struct Group {
    uint64_t present = 0, dirty = 0;
    uint32_t newer = none, older = none;
  };
  static constexpr uint32_t none = ~uint32_t(0);
  static constexpr int groupsPerPageLog2 = 10;

  uint32_t groupAt(int64_t index);
  int64_t touchRow(int64_t begin, int64_t end, bool write);
  void use(uint32_t group);
  int64_t evict(); // returns the dirty lines that left

  int64_t line, capacityLines, presentLines = 0;
  int64_t foreignLines, dirtyPermille, foreignDirt = 0;
  int lineLog2;
  std::vector<Group> groups;                        // pages of 1 << groupsPerPageLog2
  std::unordered_map<int64_t, uint32_t> pages;      // page number to its first group
  std::pair<int64_t, uint32_t> lastPage = {-1, 0};
  uint32_t newest = none, oldest = none;
};

// Streams in flight, sharing HBM and L2 fairly. A stream belongs to a class of equal ones (path and kind); all streams of a
// class run at one rate, so a class keeps one clock of bytes and a stream ends when the clock reaches its mark. The cost of
// an event does not grow with the number of streams beyond a heap's logarithm.
//
// Stores end in L2. Dirty lines that leave it go to HBM as streams of their own, which nobody waits for.
class Bandwidth {
public:
  // Hit: a load served by L2. Burst: a miss, or a store, inside the window a core may have in flight. Sustained: beyond it.
  // WriteBack: dirty lines on their way to HBM. Throttled: a store that has to wait because too many of those are.
  enum class Kind : uint8_t { Hit, Burst, Sustained, WriteBack, Throttled };
  static constexpr unsigned numKinds = 5, numClasses = numGlobalPaths * numKinds;
  static constexpr Ticks never = std::numeric_limits<Ticks>::max();

  explicit Bandwidth(const Platform &platform);

  // Both at the current time, which only advance moves.
  void start(GlobalPath path, Kind kind, int64_t bytes, uint32_t stream);
  Ticks nextEnd();
  void advance(Ticks time);
  // A stream whose end is the current time; false: there is none.
  bool takeEnded(uint32_t &stream);

private:
  // A byte is 1 << 16 units; clocks wrap, so marks are compared by difference.
  struct Class {
    int64_t limit = 0, rate = 0; // units per tick of one stream
    int64_t weight = 0;          // what a unit costs of HBM, 1024 is one read; 0: nothing
    bool passesL2 = true;        // counts against the bandwidth of L2
    uint64_t clock = 0;
    std::vector<std::pair<uint64_t, uint32_t>> heap; // marks and streams, the next end first
  };

  void share();

  Class classes[numClasses];
  unsigned byDemand[numClasses]; // class numbers, the most each stream can ask of HBM ascending
  int64_t hbm, l2;               // units per tick
  Ticks now = 0, next = never;
  bool stale = false;
};

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_REPLAYMEMORY_H
