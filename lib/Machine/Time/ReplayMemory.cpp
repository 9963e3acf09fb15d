#include "ReplayMemory.h"
#include <algorithm>
#include <bit>

namespace tilesmith::machine {

//===- L2
//-------------------------------------------------------------------------------------------------------------===//

L2Cache::L2Cache(int64_t capacity, int64_t lineSize, int64_t dirtyPermille)
    : line(int64_t(std::bit_ceil(uint64_t(std::max<int64_t>(lineSize, 1))))),
      capacityLines(std::max<int64_t>(capacity / line, 64)), foreignLines(capacityLines), dirtyPermille(dirtyPermille),
      lineLog2(std::countr_zero(uint64_t(line))) {}

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

// A group that was not in use becomes the oldest; one that was stays where it is.
void L2Cache::useLast(uint32_t index) {
  Group &group = groups[index];
  if (newest == index || group.newer != none)
    return;
  group.newer = oldest;
  if (oldest != none)
    groups[oldest].older = index;
  else
    newest = index;
  oldest = index;
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

int64_t L2Cache::touchRow(int64_t begin, int64_t end, bool write, isa::CacheHint hint) {
  int64_t first = begin >> lineLog2, last = (end - 1) >> lineLog2, misses = 0;
  for (int64_t index = first >> 6; index <= last >> 6; ++index) {
    int64_t low = std::max(first - (index << 6), int64_t(0)), high = std::min(last - (index << 6), int64_t(63));
    uint64_t mask = (~uint64_t(0) >> (63 - (high - low))) << low;
    uint32_t at = groupAt(index);
    Group &group = groups[at];
    int64_t added = std::popcount(mask & ~group.present);
    misses += added;
    if (hint == isa::CacheHint::Bypass) { // what is there is used, and written, where it is
      if (write)
        group.dirty |= mask & group.present;
      continue;
    }
    if (hint == isa::CacheHint::Last)
      useLast(at);
    else
      use(at);
    presentLines += added;
    group.present |= mask;
    if (added && !write)
      group.fetched = time + fetchTime;
    else
      joined = std::max(joined, group.fetched - time);
    if (write)
      group.dirty |= mask;
  }
  return misses;
}

L2Cache::Traffic L2Cache::touch(const GlobalMove &move, Ticks now, Ticks fetch) {
  bool write = writesGlobal(move.path);
  joined = 0;
  time = now;
  fetchTime = fetch;
  int64_t misses = 0;
  if (move.rowBytes > 0)
    for (int64_t matrix = 0; matrix < move.matrices; ++matrix)
      for (int64_t row = 0; row < move.rows; ++row) {
        int64_t begin = move.start + matrix * move.matrixPitch + row * move.rowPitch;
        misses += touchRow(begin, begin + move.rowBytes, write, move.hint);
      }
  int64_t dirty = evict();
  if (move.hint == isa::CacheHint::Bypass) {
    passedLines += misses;
    dirty += write ? misses : 0;
  }
  return {write ? 0 : misses * line, dirty * line, write ? 0 : joined, misses > 0};
}

void L2Cache::settle() {
  for (Group &group : groups)
    group.fetched = 0;
}

L2Cache::Footprint L2Cache::footprint() const {
  Footprint footprint;
  footprint.passedBytes = passedLines * line;
  for (const Group &group : groups) {
    footprint.bytes += std::popcount(group.present) * line;
    footprint.dirtyBytes += std::popcount(group.dirty) * line;
  }
  return footprint;
}

//===- Bandwidth
//------------------------------------------------------------------------------------------------------===//

namespace {

constexpr int unitsLog2 = 16;

int64_t unitsPerTick(int64_t bytesPerCycleHundredths) {
  return std::max<int64_t>((bytesPerCycleHundredths << unitsLog2) / (100 * ticksPerCycle), 1);
}

// Megabytes per second over megahertz are bytes per cycle.
int64_t sharedUnitsPerTick(int64_t megabytesPerSecond, int64_t megahertz) {
  return std::max<int64_t>((megabytesPerSecond << unitsLog2) / (std::max<int64_t>(megahertz, 1) * ticksPerCycle), 1);
}

} // namespace

Bandwidth::Bandwidth(const Platform &platform)
    : windowBytes(std::max<int64_t>(platform.outstandingWindow, 1)),
      hbm(sharedUnitsPerTick(platform.hbmMBps, platform.clockMHz)),
      l2(sharedUnitsPerTick(platform.l2MBps, platform.clockMHz)),
      l2Write(platform.l2WriteMBps ? sharedUnitsPerTick(platform.l2WriteMBps, platform.clockMHz) : 0),
      spread(platform.hbmSpread) {
  for (unsigned i = 0; i < std::size(classes); ++i) {
    GlobalPath path = GlobalPath(i / numKinds);
    Kind kind = Kind(i % numKinds);
    bool write = writesGlobal(path);
    int64_t rate = pathOf(platform, path).bytesPerCycle;
    if (kind != Kind::Hit && kind != Kind::Burst && path != GlobalPath::L0cToGm)
      rate = std::min<int64_t>(rate, write ? platform.oneCoreWriteBytesPerCycle : platform.oneCoreMissBytesPerCycle);
    classes[i].limit = unitsPerTick(rate);
    if (kind == Kind::WriteBack || kind == Kind::Throttled)
      classes[i].weight = std::max<int64_t>(1024 * platform.hbmMBps / std::max<int64_t>(platform.hbmWriteMBps, 1), 1);
    else if (kind != Kind::Hit && !write)
      classes[i].weight = 1024;
    classes[i].most = classes[i].limit * classes[i].weight;
  }
}

Ticks Bandwidth::leastTicks(GlobalPath path, int64_t bytes) const { // no kind is faster than this one
  return (bytes << unitsLog2) / classes[unsigned(path) * numKinds + unsigned(Kind::Burst)].limit;
}

void Bandwidth::start(GlobalPath path, Kind kind, int64_t bytes, uint32_t stream) {
  unsigned number = unsigned(path) * numKinds + unsigned(kind);
  const Class &way = classes[number];
  bool writes = l2Write && writesGlobal(path);
  Line &line = way.weight || kind == Kind::Queued ? throughHbm : writes ? intoL2 : fromL2;
  line.add({bytes << unitsLog2, 0, way.weight ? std::max(bytes, windowBytes / 4) : 0, never, stream, uint8_t(number)});
  stale = true;
}

void Bandwidth::Line::add(const Window &window) {
  if (first > 64 && first * 2 > windows.size()) { // forget those that ended
    windows.erase(windows.begin(), windows.begin() + std::ptrdiff_t(first));
    first = 0;
  }
  windows.push_back(window);
  bytes += window.size;
}

// A window whose rate stays what it was ends when it would have: most do, and a division takes longer than the rest.
int64_t Bandwidth::serve(Line &line, int64_t capacity, bool weighted) {
  size_t served = 0;
  for (size_t i = line.first; i < line.windows.size() && capacity > 0; ++i) {
    Window &window = line.windows[i];
    const Class &way = classes[window.number];
    int64_t rate = way.limit, cost = weighted ? way.most : rate;
    if (cost > capacity) {
      int64_t weight = weighted ? way.weight : 1;
      rate = std::max<int64_t>(capacity / weight, 1);
      cost = rate * weight;
    }
    capacity -= cost;
    ++served;
    if (rate != window.rate) {
      window.rate = rate;
      window.end = now + (std::max<int64_t>(window.left, 0) + rate - 1) / rate;
    }
    next = std::min(next, std::max(window.end, now));
  }
  for (size_t i = line.first + served; i < line.first + line.served; ++i)
    line.windows[i].rate = 0;
  line.served = served;
  return std::max<int64_t>(capacity, 0);
}

// What comes from HBM passes through L2 too.
void Bandwidth::share() {
  next = never;
  int64_t reached = hbm;
  if (spread && throughHbm.bytes)
    reached = int64_t(double(hbm) * double(throughHbm.bytes) / double(throughHbm.bytes + spread));
  int64_t unused = serve(throughHbm, reached * 1024, true) / 1024;
  serve(fromL2, std::max<int64_t>(l2 - (reached - unused), 1), false);
  if (l2Write)
    serve(intoL2, l2Write, false);
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
  for (Line *line : {&throughHbm, &fromL2, &intoL2})
    for (size_t i = line->first; i < line->first + line->served; ++i)
      line->windows[i].left -= line->windows[i].rate * (time - now);
  now = time;
}

bool Bandwidth::Line::takeEnded(uint32_t &stream) {
  for (size_t i = first; i < first + served; ++i) {
    if (windows[i].left > 0)
      continue;
    stream = windows[i].stream;
    bytes -= windows[i].size;
    for (; i > first; --i)
      windows[i] = windows[i - 1];
    ++first;
    --served;
    return true;
  }
  return false;
}

bool Bandwidth::takeEnded(uint32_t &stream) {
  if (!throughHbm.takeEnded(stream) && !fromL2.takeEnded(stream) && !intoL2.takeEnded(stream))
    return false;
  stale = true;
  return true;
}

} // namespace tilesmith::machine
