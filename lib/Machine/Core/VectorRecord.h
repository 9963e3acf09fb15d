// Vector functions written in C++: found out by running them.
//
// Their register code reports the bytes of UB it touches and counts its operations (TsVfContext). What a run showed
// becomes a descriptor like the JIT's, so that bounds, order, late mode and time treat both alike.
#ifndef TILESMITH_LIB_MACHINE_CORE_VECTORRECORD_H
#define TILESMITH_LIB_MACHINE_CORE_VECTORRECORD_H

#include "tilesmith/Machine/Effects.h"
#include "tilesmith/Machine/Entries.h"
#include "tilesmith/Support/VfClock.h"
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace tilesmith::machine {

// Sorted disjoint intervals that do not touch.
using Intervals = std::vector<std::pair<int64_t, int64_t>>;
void normalise(Intervals &intervals);
// Adds them to `runs`; equal pieces at equal distances become one run.
void appendRuns(const Intervals &intervals, bool write, bool global, std::vector<TsVfRun> &runs);

// A descriptor and what it points to; a trace or a core owns it.
struct RecordedVf {
  TsVfDesc desc = {};
  TsVfRecord record = {};
  std::vector<TsVfRun> runs;
};

// Counts of a whole call.
struct VfTotals {
  int64_t ops[TS_VF_COST_CLASSES] = {};
  int64_t loads = 0, stores = 0, nests = 0;

  // `times` steps of a kind.
  void add(int64_t kind, int64_t times);
  bool operator==(const VfTotals &) const = default;
};
VfTotals totalsOf(const TsVfDesc &desc);
// The steps of a compiled function; none where it was recorded.
VfSteps stepsOf(const TsVfDesc &desc);

class VfRecorder {
public:
  TsVfContext context = {};
  bool refused = false;       // something it touched does not exist
  bool untilNextCall = false; // it was called by its name: nothing tells its end but what follows

  bool active() const { return context.open; }
  void begin(uint8_t *ub, int64_t ubSize, int64_t loc, bool writes, bool records, const VfUnits &units = {});
  void close() { context.open = untilNextCall = false; }
  void noteWrite(int64_t offset, int64_t bytes);
  // A read of what the first `before` writes of this call left is not one of what was there before the call.
  void noteRead(int64_t offset, int64_t bytes, int64_t before);
  // An instruction; returns when its result can be used.
  int64_t step(int64_t kind, bool narrow, int64_t ready) {
    totals.add(kind, 1);
    return clock.step(kind, narrow, ready);
  }
  std::unique_ptr<RecordedVf> finish();

private:
  struct FirstWrite {
    int64_t end, number; // of the write that was the first to reach these bytes
  };

  VfTotals totals;
  VfClock clock;
  Intervals read, written;
  std::map<int64_t, FirstWrite> firstWrites; // by their beginning, disjoint
};

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_CORE_VECTORRECORD_H
