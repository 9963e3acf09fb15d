// How long the threads of a vector core take, from what each of them touches.
//
// Memory accesses are all that is seen of a thread. Those of the lanes of a warp that come from one place of the code,
// as the n-th time, are one access of the warp: each line of the cache it touches is asked for by itself. Warps are
// dealt out to the schedulers; a scheduler issues one warp per cycle, and a warp waits for what it loads. Beside each
// access stand `instructionsPerAccess` others (INFERRED: addresses, comparisons and the arithmetic on what was loaded).
// So
//
//   cycles = start + max(issue of the busiest scheduler, waits of the slowest warp, misses * miss / outstanding)
//
// The cache forgets the line it has had longest; what the threads write goes past it.
#ifndef TILESMITH_LIB_MACHINE_CORE_SIMTTIME_H
#define TILESMITH_LIB_MACHINE_CORE_SIMTTIME_H

#include "tilesmith/Machine/Platform.h"
#include "tilesmith/Machine/Simt.h"
#include <array>
#include <deque>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace tilesmith::machine {

class SimtTime {
public:
  static constexpr int64_t instructionsPerAccess = 4, barrierCycles = 20;
  // UB lies here among addresses: what it holds is never missed.
  static constexpr int64_t ub = int64_t(1) << 60;

  void begin(const Platform &platform, int64_t numThreads);
  void note(uint32_t thread, int64_t place, int64_t address, int64_t bytes, bool loads);
  // The warp, or with -1 all of them, went past an operation of its lanes or a barrier.
  void meet(int64_t warp);
  int64_t cycles();

private:
  struct Access {
    bool loads = false;
    std::vector<int64_t> lines; // different ones
  };
  struct Warp {
    std::map<std::pair<int64_t, int64_t>, Access> accesses;               // by how often, then place
    std::array<std::unordered_map<int64_t, int64_t>, TS_SIMT_WARP> times; // of each lane, by place
    int64_t issued = 0, waited = 0;
  };
  void flush(Warp &warp);
  bool misses(int64_t line);

  const Platform *platform = nullptr;
  std::vector<Warp> warps;
  std::unordered_set<int64_t> cached;
  std::deque<int64_t> oldest;
  int64_t missed = 0;
};

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_CORE_SIMTTIME_H
