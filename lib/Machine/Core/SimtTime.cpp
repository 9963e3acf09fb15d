#include "SimtTime.h"
#include <algorithm>

namespace tilesmith::machine {

void SimtTime::begin(const Platform &of, int64_t numThreads) {
  platform = &of;
  warps.assign(size_t((numThreads + TS_SIMT_WARP - 1) / TS_SIMT_WARP), {});
  cached.clear();
  oldest.clear();
  missed = 0;
}

void SimtTime::note(uint32_t thread, int64_t place, int64_t address, int64_t bytes, bool loads) {
  Warp &warp = warps[thread / TS_SIMT_WARP];
  int64_t nth = warp.times[thread % TS_SIMT_WARP][place]++;
  Access &access = warp.accesses[{nth, place}];
  access.loads = loads;
  int64_t width = platform->simtLineBytes;
  for (int64_t line = address / width; line <= (address + bytes - 1) / width; ++line)
    if (access.lines.empty() || (access.lines.back() != line &&
                                 std::find(access.lines.begin(), access.lines.end(), line) == access.lines.end()))
      access.lines.push_back(line);
}

bool SimtTime::misses(int64_t line) {
  if (line >= ub / platform->simtLineBytes || !cached.insert(line).second)
    return false;
  oldest.push_back(line);
  if (int64_t(oldest.size()) > platform->simtCacheBytes / platform->simtLineBytes) {
    cached.erase(oldest.front());
    oldest.pop_front();
  }
  return true;
}

void SimtTime::flush(Warp &warp) {
  for (auto &[when, access] : warp.accesses) {
    int64_t lines = int64_t(access.lines.size()), absent = 0;
    warp.issued += instructionsPerAccess + lines;
    if (!access.loads)
      continue;
    for (int64_t line : access.lines)
      absent += misses(line);
    missed += absent;
    warp.waited += absent ? platform->simtMiss : platform->simtHit;
  }
  warp.accesses.clear();
  for (auto &lane : warp.times)
    lane.clear();
}

void SimtTime::meet(int64_t warp) {
  for (size_t i = 0; i < warps.size(); ++i)
    if (warp < 0 || size_t(warp) == i) {
      flush(warps[i]);
      warps[i].waited += warp < 0 ? barrierCycles : 0;
      warps[i].issued += 1;
    }
}

int64_t SimtTime::cycles() {
  std::vector<int64_t> issued(size_t(std::max(platform->simtSchedulers, 1)), 0);
  int64_t waited = 0;
  for (size_t i = 0; i < warps.size(); ++i) {
    flush(warps[i]);
    issued[i % issued.size()] += warps[i].issued;
    waited = std::max(waited, warps[i].waited + warps[i].issued);
  }
  int64_t busiest = *std::max_element(issued.begin(), issued.end());
  int64_t memory = missed * platform->simtMiss / std::max(platform->simtOutstanding, 1);
  return platform->simtStart + std::max({busiest, waited, memory});
}

} // namespace tilesmith::machine
