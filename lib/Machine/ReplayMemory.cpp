#include "ReplayMemory.h"
#include <algorithm>
#include <bit>

namespace tilesmith::machine {

//===- L2 -------------------------------------------------------------------------------------------------------------===//

L2Cache::L2Cache(int64_t capacity, int64_t lineSize, int64_t dirtyPermille)
    : line(int64_t(std::bit_ceil(uint64_t(std::max<int64_t>(lineSize, 1))))), capacityLines(std::max<int64_t>(capacity / line, 64)),
      foreignLines(capacityLines), dirtyPermille(dirtyPermille), lineLog2(std::countr_zero(uint64_t(line))) {}

uint32_t L2Cache::groupAt(int64_t index) {
  int64_t page = index >> groupsPerPageLog2;
  if (page != lastPage.first) {
    auto [it, added] = pages.try_emplace(page, uint32_t(groups.size()));
    if (added)
      groups.resize(groups.size() + (size_t(1) << groupsPerPageLog2));
    lastPage = *it;
  }
  return lastPage.second + uint32_t(index & ((1 << groupsPerPageLog2) - 1));
}

void L2Cache::use(uint32_t index) {
  if (newest == index)
    return;
  Group &group = groups[index];
  if (group.newer != none) { // linked, and not the newest
    groups[group.newer].older = group.older;
    (group.older != none ? groups[group.older].newer : oldest) = group.newer;
  }
  group.older = newest;
  group.newer = none;
  if (newest != none)
    groups[newest].newer = index;
  else
    oldest = index;
  newest = index;
}

int64_t L2Cache::evict() {
  int64_t dirty = 0;
  if (int64_t leaving = std::clamp<int64_t>(presentLines + foreignLines - capacityLines, 0, foreignLines)) {
    foreignLines -= leaving;
    foreignDirt += leaving * dirtyPermille;
    dirty = foreignDirt / 1000;
    foreignDirt %= 1000;
  }
  while (presentLines > capacityLines && oldest != newest) {
    Group &group = groups[oldest];
    presentLines -= std::popcount(group.present);
    dirty += std::popcount(group.dirty);
    oldest = group.newer;
    groups[oldest].older = none;
    group = Group();
  }
  return dirty;
}

int64_t L2Cache::touchRow(int64_t begin, int64_t end, bool write) {
  int64_t first = begin >> lineLog2, last = (end - 1) >> lineLog2, misses = 0;
  for (int64_t index = first >> 6; index <= last >> 6; ++index) {
    int64_t low = std::max(first - (index << 6), int64_t(0)), high = std::min(last - (index << 6), int64_t(63));
    uint64_t mask = (~uint64_t(0) >> (63 - (high - low))) << low;
    uint32_t at = groupAt(index);
    use(at);
    Group &group = groups[at];
    int64_t added = std::popcount(mask & ~group.present);
    misses += added;
    presentLines += added;
    group.present |= mask;
    if (write)
      group.dirty |= mask;
  }
  return misses;
}

L2Cache::Traffic L2Cache::touch(const GlobalMove &move) {
  bool write = writesGlobal(move.path);
  int64_t misses = 0;
  if (move.rowBytes > 0)
    for (int64_t matrix = 0; matrix < move.matrices; ++matrix)
      for (int64_t row = 0; row < move.rows; ++row) {
        int64_t begin = move.start + matrix * move.matrixPitch + row * move.rowPitch;
        misses += touchRow(begin, begin + move.rowBytes, write);
      }
  int64_t dirty = evict();
  return {write ? 0 : misses * line, dirty * line};
}

//===- Bandwidth ------------------------------------------------------------------------------------------------------===//

namespace {

constexpr int unitsLog2 = 16;

int64_t unitsPerTick(int64_t bytesPerCycleHundredths) {
  return std::max<int64_t>((bytesPerCycleHundredths << unitsLog2) / (100 * ticksPerCycle), 1);
}

// Megabytes per second over megahertz are bytes per cycle.
int64_t sharedUnitsPerTick(int64_t megabytesPerSecond, int64_t megahertz) {
  return std::max<int64_t>((megabytesPerSecond << unitsLog2) / (std::max<int64_t>(megahertz, 1) * ticksPerCycle), 1);
}

bool endsLater(const std::pair<uint64_t, uint32_t> &a, const std::pair<uint64_t, uint32_t> &b) {
  int64_t difference = int64_t(a.first - b.first);
  return difference ? difference > 0 : a.second > b.second;
}

} // namespace

Bandwidth::Bandwidth(const Platform &platform)
    : hbm(sharedUnitsPerTick(platform.hbmMBps, platform.clockMHz)), l2(sharedUnitsPerTick(platform.l2MBps, platform.clockMHz)) {
  for (unsigned i = 0; i < numClasses; ++i) {
    GlobalPath path = GlobalPath(i / numKinds);
    Kind kind = Kind(i % numKinds);
    bool write = writesGlobal(path);
    int64_t rate = pathOf(platform, path).bytesPerCycle;
    if (kind != Kind::Hit && kind != Kind::Burst)
      rate = std::min<int64_t>(rate, write ? platform.oneCoreWriteBytesPerCycle : platform.oneCoreMissBytesPerCycle);
    classes[i].limit = unitsPerTick(rate);
    classes[i].passesL2 = kind != Kind::WriteBack;
    if (kind == Kind::WriteBack || kind == Kind::Throttled)
      classes[i].weight = 1024 * platform.hbmMBps / std::max<int64_t>(platform.hbmWriteMBps, 1);
    else if (kind != Kind::Hit && !write)
      classes[i].weight = 1024;
    byDemand[i] = i;
  }
  std::sort(byDemand, byDemand + numClasses, [&](unsigned a, unsigned b) {
    return std::pair(classes[a].limit * classes[a].weight, a) < std::pair(classes[b].limit * classes[b].weight, b);
  });
}

void Bandwidth::start(GlobalPath path, Kind kind, int64_t bytes, uint32_t stream) {
  Class &c = classes[unsigned(path) * numKinds + unsigned(kind)];
  c.heap.emplace_back(c.clock + (uint64_t(bytes) << unitsLog2), stream);
  std::push_heap(c.heap.begin(), c.heap.end(), endsLater);
  stale = true;
}

// Fair shares: nobody gets more than its limit, and what it leaves goes to the others in equal parts. HBM first, among the
// streams that miss; then L2 among all, as fast as HBM lets them.
void Bandwidth::share() {
  int64_t left = hbm * 1024, streams = 0;
  for (const Class &c : classes)
    streams += c.weight ? int64_t(c.heap.size()) : 0;
  for (unsigned i : byDemand) {
    Class &c = classes[i];
    c.rate = c.limit;
    int64_t count = int64_t(c.heap.size());
    if (!c.weight || !count)
      continue;
    c.rate = std::min(c.limit, left / streams / c.weight);
    left -= c.rate * c.weight * count;
    streams -= count;
  }

  int64_t demand = 0;
  streams = 0;
  for (const Class &c : classes)
    if (c.passesL2) {
      demand += c.rate * int64_t(c.heap.size());
      streams += int64_t(c.heap.size());
    }
  if (demand > l2) {
    std::pair<int64_t, unsigned> order[numClasses];
    unsigned active = 0;
    for (unsigned i = 0; i < numClasses; ++i)
      if (classes[i].passesL2 && !classes[i].heap.empty())
        order[active++] = {classes[i].rate, i};
    std::sort(order, order + active);
    left = l2;
    for (unsigned i = 0; i < active; ++i) {
      Class &c = classes[order[i].second];
      int64_t count = int64_t(c.heap.size());
      c.rate = std::min(c.rate, left / streams);
      left -= c.rate * count;
      streams -= count;
    }
  }

  next = never;
  for (Class &c : classes) {
    if (c.heap.empty())
      continue;
    c.rate = std::max<int64_t>(c.rate, 1);
    int64_t units = std::max<int64_t>(int64_t(c.heap.front().first - c.clock), 0);
    next = std::min(next, now + (units + c.rate - 1) / c.rate);
  }
  stale = false;
}

Ticks Bandwidth::nextEnd() {
  if (stale)
    share();
  return next;
}

void Bandwidth::advance(Ticks time) {
  if (time == now)
    return;
  if (stale)
    share();
  for (Class &c : classes)
    if (!c.heap.empty())
      c.clock += uint64_t(c.rate) * uint64_t(time - now);
  now = time;
}

bool Bandwidth::takeEnded(uint32_t &stream) {
  for (Class &c : classes) {
    if (c.heap.empty() || int64_t(c.heap.front().first - c.clock) > 0)
      continue;
    stream = c.heap.front().second;
    std::pop_heap(c.heap.begin(), c.heap.end(), endsLater);
    c.heap.pop_back();
    stale = true;
    return true;
  }
  return false;
}

} // namespace tilesmith::machine
