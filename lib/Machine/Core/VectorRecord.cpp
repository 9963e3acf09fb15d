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

void appendRuns(const Intervals &intervals, bool write, bool global, std::vector<TsVfRun> &runs) {
  for (size_t i = 0; i < intervals.size();) {
    TsVfRun run = {intervals[i].first, intervals[i].second - intervals[i].first, 0, 1, write, global};
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

void VfRecorder::begin(uint8_t *ub, int64_t ubSize, int64_t loc, bool writes, bool records, const VfUnits &units) {
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
  totals = {};
  if (records)
    clock.start(units);
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
  std::copy(std::begin(totals.ops), std::end(totals.ops), result->record.ops);
  result->record.loads = totals.loads;
  result->record.stores = totals.stores;
  result->record.nests = totals.nests;
  result->record.cycles = clock.end();
  normalise(read);
  normalise(written);
  appendRuns(read, /*write=*/false, /*global=*/false, result->runs);
  appendRuns(written, /*write=*/true, /*global=*/false, result->runs);
  result->record.numRuns = int64_t(result->runs.size());
  result->record.runs = result->runs.data();
  result->desc.rows = result->desc.cols = 1;
  result->desc.recorded = &result->record;
  return result;
}

static_assert(int(VfStepKind::Load) == TS_VF_LOAD && int(VfStepKind::Store) == TS_VF_STORE &&
              int(VfStepKind::Barrier) == TS_VF_BARRIER && int(VfStepKind::Loop) == TS_VF_LOOP);

void VfTotals::add(int64_t kind, int64_t times) {
  if (kind >= 0 && kind < TS_VF_COST_CLASSES)
    ops[kind] += times;
  else if (kind == int64_t(VfStepKind::Load))
    loads += times;
  else if (kind == int64_t(VfStepKind::Store))
    stores += times;
  else if (kind == int64_t(VfStepKind::Loop))
    nests += times;
}

// Of a function in bounds both are far below the limits.
VfSteps stepsOf(const TsVfDesc &desc) {
  int64_t rows = std::clamp<int64_t>(desc.rows, 0, 1 << 17);
  int64_t trips =
      std::clamp<int64_t>((desc.cols + TS_VF_LANES - 1) / TS_VF_LANES, 0, (1 << 17) / std::max<int64_t>(rows, 1));
  return VfSteps(desc.steps, desc.steps ? size_t(desc.numSteps) : 0, rows, trips);
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
  VfSteps steps = stepsOf(desc);
  for (size_t i = 0; desc.steps && i < desc.numSteps; ++i)
    totals.add(desc.steps[i].kind, steps.times(desc.steps[i]));
  totals.nests += steps.numLoops();
  return totals;
}

} // namespace tilesmith::machine
