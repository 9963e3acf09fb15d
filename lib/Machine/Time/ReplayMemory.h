// Memory all cores share, in replay: which lines L2 holds, and how bandwidth is divided.
#ifndef TILESMITH_LIB_MACHINE_TIME_REPLAYMEMORY_H
#define TILESMITH_LIB_MACHINE_TIME_REPLAYMEMORY_H

#include "ReplayCost.h"
#include <limits>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tilesmith::machine {

// The lines in L2. Residency is exact to the line; 64 neighbouring lines live and leave together, least recently used
// first, so a tile costs a few bit operations instead of a look-up per line. Write-back: a dirty line goes to HBM when
// it leaves.
//
// At first the cache is full of lines of earlier kernels, some of them dirty; they leave before any other.
class L2Cache {
public:
  L2Cache(int64_t capacity, int64_t line, int64_t dirtyPermille);

  // The lines all moves so far would leave in a cache without limits.
  struct Footprint {
    int64_t bytes = 0, dirtyBytes = 0;
    int64_t passedBytes = 0; // that went past it, as often as they did
  };
  Footprint footprint() const;

  // What a move makes HBM read (lines that were not present) and write (dirty lines that had to leave), in bytes.
  // joined: it finds lines that somebody else asked for and that have not come yet. `fetch` is how long they take.
  struct Traffic {
    int64_t read = 0, written = 0;
    Ticks joined = 0;
    bool missed = false; // some of its lines were not there
  };
  Traffic touch(const GlobalMove &move, Ticks now, Ticks fetch);
  // Everything that was asked for has come: time begins anew.
  void settle();

private:
  // 64 lines; linked in order of last use.
  struct Group {
    uint64_t present = 0, dirty = 0;
    uint32_t newer = none, older = none;
    Ticks fetched = 0; // when the last lines that were missing come
  };
  static constexpr uint32_t none = ~uint32_t(0);
  static constexpr int groupsPerPageLog2 = 10;

  uint32_t groupAt(int64_t index);
  int64_t touchRow(int64_t begin, int64_t end, bool write, isa::CacheHint hint);
  void use(uint32_t group);
  void useLast(uint32_t group);
  int64_t evict(); // returns the dirty lines that left

  int64_t line, capacityLines, presentLines = 0, passedLines = 0;
  int64_t foreignLines, dirtyPermille, foreignDirt = 0;
  int lineLog2;
  Ticks time = 0, fetchTime = 0; // of the move that touches
  Ticks joined = 0;
  std::vector<Group> groups;                   // pages of 1 << groupsPerPageLog2
  std::unordered_map<int64_t, uint32_t> pages; // page number to its first group
  std::pair<int64_t, uint32_t> lastPage = {-1, 0};
  uint32_t newest = none, oldest = none;
};

// Bytes in flight. Cores ask for a window of bytes at a time; HBM and L2 serve windows in the order they were asked
// for, as many at once as their bandwidth feeds, none faster than its path. Over windows everyone gets an equal share.
// (Sharing by the byte instead would pull cores into step, and a memory nobody uses while all compute at once is not
// what boards show.)
//
// Stores end in L2. Dirty lines that leave it go to HBM as streams of their own, which nobody waits for.
class Bandwidth {
public:
  // Hit: a load served by L2. Burst: a miss, or a store, inside the window a core may have in flight. Sustained: beyond
  // it. WriteBack: dirty lines on their way to HBM. Throttled: a store that has to wait because too many of those are.
  // Queued: a store that waits its turn behind what waits for HBM, and ends in L2.
  enum class Kind : uint8_t { Hit, Burst, Sustained, WriteBack, Throttled, Queued };
  static constexpr unsigned numKinds = 6;
  static constexpr Ticks never = std::numeric_limits<Ticks>::max();

  explicit Bandwidth(const Platform &platform);

  // The least time bytes of a move take.
  Ticks leastTicks(GlobalPath path, int64_t bytes) const;
  // The most bytes one call of start takes.
  int64_t window() const { return windowBytes; }
  // Both at the current time, which only advance moves.
  void start(GlobalPath path, Kind kind, int64_t bytes, uint32_t stream);
  Ticks nextEnd();
  void advance(Ticks time);
  // A stream whose end is the current time; false: there is none.
  bool takeEnded(uint32_t &stream);

private:
  // A byte is 1 << 16 units, rates are units per tick.
  struct Class {
    int64_t limit = 0;
    int64_t weight = 0; // what a unit costs of HBM, 1024 is one read; 0: nothing, it needs L2 only
    int64_t most = 0;   // what it costs at its limit
  };
  struct Window {
    int64_t left, rate; // rate 0: it does not move
    int64_t size;       // what it asks of HBM, bytes
    Ticks end;          // at this rate
    uint32_t stream;
    uint8_t number; // of its class
  };
  // Windows in the order they came; the first `served` of them move.
  struct Line {
    std::vector<Window> windows;
    size_t first = 0, served = 0;
    int64_t bytes = 0; // of all windows

    void add(const Window &window);
    bool takeEnded(uint32_t &stream);
  };

  void share();
  // Serves a line with this much; returns what is left.
  int64_t serve(Line &line, int64_t capacity, bool weighted);

  Class classes[numGlobalPaths * numKinds];
  int64_t windowBytes, hbm, l2; // units per tick
  int64_t l2Write;              // 0: stores share what loads have
  int64_t spread;               // bytes
  Line throughHbm, fromL2, intoL2;
  Ticks now = 0, next = never;
  bool stale = false;
};

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_TIME_REPLAYMEMORY_H
