#include "VectorRecord.h"
#include <algorithm>

namespace tilesmith::machine {

void normalise(Intervals &intervals) {
  std::sort(intervals.begin(), intervals.end());
  size_t kept = 0;
  for (auto &[begin, end] : intervals)
    if (kept && begin <= intervals[kept - 1].second)
      intervals[kept - 1].second = std::max(intervals[kept - 1].second, end);
    else
      intervals[kept++] = {begin, end};
  intervals.resize(kept);
}

// Equal pieces at equal distances become one run.
static void appendRuns(const Intervals &intervals, bool write, std::vector<TsVfRun> &runs) {
  for (size_t i = 0; i < intervals.size();) {
    TsVfRun run = {intervals[i].first, intervals[i].second - intervals[i].first, 0, 1, write};
    size_t next = i + 1;
    if (next < intervals.size())
      run.stride = intervals[next].first - run.start;
    while (next < intervals.size() && intervals[next].second - intervals[next].first == run.length &&
           intervals[next].first == run.start + run.stride * run.count) {
      ++run.count;
      ++next;
    }
    if (run.count == 1)
      run.stride = 0;
    runs.push_back(run);
    i = next;
  }
}

void VfRecorder::begin(uint8_t *ub, int64_t ubSize, int64_t loc, bool writes, bool records) {
  context = {};
  context.ub = ub;
  context.ubSize = ubSize;
  context.loc = loc;
  context.writes = writes;
  context.records = records;
  context.open = true;
  untilNextCall = refused = false;
  read.clear();
  written.clear();
  firstWrites.clear();
}

void VfRecorder::noteWrite(int64_t offset, int64_t bytes) {
  int64_t end = offset + bytes, number = context.written++;
  written.emplace_back(offset, end);
  // The pieces that no write has reached yet are this one's.
  auto next = firstWrites.upper_bound(offset);
  if (next != firstWrites.begin())
    offset = std::max(offset, std::prev(next)->second.end);
  while (offset < end) {
    int64_t until = next == firstWrites.end() ? end : std::min(end, next->first);
    if (offset < until)
      firstWrites.emplace_hint(next, offset, FirstWrite{until, number});
    if (next == firstWrites.end())
      break;
    offset = std::max(offset, next->second.end);
    ++next;
  }
}

void VfRecorder::noteRead(int64_t offset, int64_t bytes, int64_t before) {
  int64_t end = offset + bytes;
  auto next = firstWrites.upper_bound(offset);
  if (next != firstWrites.begin())
    --next;
  for (; next != firstWrites.end() && next->first < end && offset < end; ++next) {
    if (next->second.number >= before || next->second.end <= offset)
      continue;
    if (offset < next->first)
      read.emplace_back(offset, next->first);
    offset = next->second.end;
  }
  if (offset < end)
    read.emplace_back(offset, end);
}

std::unique_ptr<RecordedVf> VfRecorder::finish() {
  close();
  auto result = std::make_unique<RecordedVf>();
  std::copy(std::begin(context.ops), std::end(context.ops), result->record.ops);
  result->record.loads = context.loads;
  result->record.stores = context.stores;
  result->record.nests = context.nests;
  normalise(read);
  normalise(written);
  appendRuns(read, false, result->runs);
  appendRuns(written, true, result->runs);
  result->record.numRuns = int64_t(result->runs.size());
  result->record.runs = result->runs.data();
  result->desc.rows = result->desc.cols = 1;
  result->desc.recorded = &result->record;
  return result;
}

VfTotals totalsOf(const TsVfDesc &desc) {
  VfTotals totals;
  if (const TsVfRecord *record = desc.recorded) {
    std::copy(std::begin(record->ops), std::end(record->ops), totals.ops);
    totals.loads = record->loads;
    totals.stores = record->stores;
    totals.nests = record->nests;
    return totals;
  }
  auto size = [](int64_t value) { return std::clamp<int64_t>(value, 0, 1 << 20); };
  int64_t rows = size(desc.rows), trips = rows * ((size(desc.cols) + TS_VF_LANES - 1) / TS_VF_LANES);
  for (unsigned i = 0; i < TS_VF_COST_CLASSES; ++i)
    totals.ops[i] = desc.perCall[i] + rows * desc.perRow[i] + trips * desc.perTrip[i];
  totals.loads = desc.loadsPerCall + rows * desc.loadsPerRow + trips * desc.loadsPerTrip;
  totals.stores = desc.storesPerCall + rows * desc.storesPerRow + trips * desc.storesPerTrip;
  totals.nests = rows * std::max<int64_t>(desc.nests, 1);
  return totals;
}

} // namespace tilesmith::machine
