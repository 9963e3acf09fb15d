#include "VfCost.h"
#include "Core/VectorRecord.h"
#include <unordered_map>

namespace tilesmith::machine {

static_assert(VfUnits::numClasses == TS_VF_COST_CLASSES && isa::numCostClass <= TS_VF_COST_CLASSES);

VfUnits vfUnitsOf(const Platform &platform) {
  VfUnits units;
  for (unsigned i = 0; i < isa::numCostClass; ++i) {
    isa::CostClass cost = isa::CostClass(i);
    VfUnits::Operation &operation = units.operations[i];
    operation.latency = platform.vfCost[i].latency;
    operation.busy = platform.vfCost[i].busy;
    operation.firstPort =
        cost == isa::CostClass::ReduceAdd || cost == isa::CostClass::ReduceMax || cost == isa::CostClass::ReduceBlock;
    operation.special =
        cost == isa::CostClass::Transcendental || cost == isa::CostClass::Divide || cost == isa::CostClass::Reciprocal;
  }
  units.ports = platform.vfPorts;
  units.loadPorts = platform.vfLoadPorts;
  units.storePorts = platform.vfStorePorts;
  units.issue = platform.vfIssue;
  units.window = platform.vfWindow;
  units.registers = platform.vfRegisters;
  units.forward = platform.vfForward;
  units.memory = platform.vfMemory;
  units.load = platform.vfLoad;
  units.store = platform.vfStore;
  units.loop = platform.vfRow;
  units.narrowSpecial = platform.vfNarrowSpecial;
  return units;
}

namespace {

// Equal descriptors on equal platforms take equal time: what they say is the key, not where they lie, because code that
// is no longer needed gives its place to other code.
int64_t cyclesOf(const TsVfDesc &desc, const Platform &platform) {
  if (desc.recorded)
    return desc.recorded->cycles;
  if (!desc.digest)
    return stepsOf(desc).run(vfUnitsOf(platform));
  struct Key {
    uint64_t desc, platform;
    bool operator==(const Key &) const = default;
  };
  struct HashOf {
    size_t operator()(const Key &key) const { return size_t(key.desc ^ (key.platform * 0x9e3779b97f4a7c15u)); }
  };
  constexpr size_t mostRemembered = 4096;
  static thread_local std::unordered_map<Key, int64_t, HashOf> remembered;
  if (remembered.size() >= mostRemembered)
    remembered.clear();
  auto [entry, isNew] = remembered.try_emplace({desc.digest, platform.digest}, 0);
  if (isNew)
    entry->second = stepsOf(desc).run(vfUnitsOf(platform));
  return entry->second;
}

} // namespace

Work vfWork(const Instr &instr, const Platform &platform) {
  const TsVfDesc *vf = instr.vf;
  Work work{platform.vfStart * ticksPerCycle};
  if (!vf)
    return work;
  work.occupied += cyclesOf(*vf, platform) * ticksPerCycle;
  for (int64_t ops : totalsOf(*vf).ops)
    work.amount += ops * TS_VF_LANES;
  return work;
}

} // namespace tilesmith::machine
