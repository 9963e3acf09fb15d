#include "VfCost.h"
#include "Core/VectorRecord.h"
#include <algorithm>

namespace tilesmith::machine {

namespace {

// Cycles of the operations of a vector function: the busiest of its units, over the whole call, as its loops keep all
// units supplied. Every operation takes an issue slot of one of vfPorts ports; special functions and reductions have
// one unit each; loads and stores share the way to UB.
Ticks vfBusy(const VfTotals &totals, const Platform &platform) {
  Ticks ports = 0, special = 0, first = 0;
  for (unsigned i = 0; i < isa::numCostClass; ++i) {
    Ticks cost = totals.ops[i] * Ticks(platform.vfCost[i]);
    if (!cost)
      continue;
    ports += totals.ops[i] * ticksPerCycle / platform.vfPorts;
    switch (isa::CostClass(i)) {
    case isa::CostClass::Transcendental:
    case isa::CostClass::Divide:
    case isa::CostClass::Reciprocal:
      special += cost;
      break;
    case isa::CostClass::ReduceAdd:
    case isa::CostClass::ReduceMax:
    case isa::CostClass::ReduceBlock:
      first += cost;
      break;
    default:
      break;
    }
  }
  int64_t loads = totals.loads, stores = totals.stores;
  Ticks memory = std::max(
      {loads * platform.vfLoad + stores * platform.vfStore, loads * ticksPerCycle / 2, stores * ticksPerCycle});
  if (!stores)
    memory = loads * ticksPerCycle / 2;
  return std::max({ports, special, first, memory});
}

} // namespace

Work vfWork(const Instr &instr, const Platform &platform) {
  const TsVfDesc *vf = instr.vf;
  if (!vf)
    return {platform.vfStart * ticksPerCycle, 0};
  VfTotals totals = totalsOf(*vf);
  Ticks rows = totals.nests > 1 ? totals.nests * platform.vfRow * ticksPerCycle : 0;
  Work work{platform.vfStart * ticksPerCycle + vfBusy(totals, platform) + rows};
  for (int64_t ops : totals.ops)
    work.amount += ops * TS_VF_LANES;
  return work;
}

} // namespace tilesmith::machine
