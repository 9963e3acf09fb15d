// Calls of vector functions written in C++.
//
// In late mode the code runs twice: first with its stores switched off, to learn what it will touch, then for real when
// its turn comes. Otherwise one run does both.
#include "CoreImpl.h"
#include "Late/Late.h"
#include "Time/VfCost.h"
#include <algorithm>

using namespace tilesmith;
using namespace tilesmith::machine;

void TsCore::callVf(int64_t loc, TsVfFn fn, const int64_t *args, int64_t numArgs) {
  if (ended)
    return;
  leaveVf();
  Instr instr;
  instr.op = Opcode::VectorFunction;
  instr.loc = uint32_t(loc);
  if (!fn || numArgs < 0 || numArgs > TS_VF_MAX_ARGS || (numArgs > 0 && !args))
    return reportOperand(instr, "a vector function takes at most 16 arguments, not " + std::to_string(numArgs));
  if (vf.active())
    return reportOperand(instr, "a vector function cannot start another one");
  if (platform->arch != Arch::C310)
    return reportOperand(instr, std::string(platform->name) + " has no vector functions");
  std::copy_n(args, numArgs, instr.args);
  instr.numArgs = uint8_t(numArgs);
  instr.vfFn = fn;
  if (defers)
    deferred.settle(view);
  uint8_t *ub = view.base[unsigned(Memory::UB)];
  bool observed = late || trace || poisoned;
  vf.begin(ub, platform->capacityOf(Memory::UB), loc, /*writes=*/!late, observed, vfUnitsOf(*platform));
  fn(ub, instr.args);
  if (!observed || vf.refused) {
    vf.close();
    return;
  }
  std::shared_ptr<RecordedVf> recorded = vf.finish();
  traceRecorded(instr, recorded);
  if (!late)
    return;
  recordedVfs.push_back(std::move(recorded));
  late->push(instr, isa::AtomicOp::None);
}

void TsCore::traceRecorded(Instr &instr, const std::shared_ptr<RecordedVf> &recorded) {
  instr.vf = &recorded->desc;
  if (trace) {
    trace->calls.push_back(instr);
    trace->recorded.push_back(recorded);
  }
  if (!poisoned)
    return;
  for (const TsVfRun &run : recorded->runs)
    if (run.write && !run.global)
      memory.noteWrite(Memory::UB, run.start + run.stride * (run.count - 1) + run.length);
}

// Code in place runs when it is reached. In late mode everything V has to do before it is done first, and what it wrote
// is taken back and written again when its turn comes.
void TsCore::beginVf(int64_t loc) {
  leaveVf();
  Instr instr;
  instr.op = Opcode::VectorFunction;
  instr.loc = uint32_t(loc);
  if (vf.active())
    return reportOperand(instr, "a vector function cannot start another one");
  if (platform->arch != Arch::C310 && !ended)
    reportOperand(instr, std::string(platform->name) + " has no vector functions");
  if (late && !ended) {
    late->catchUp(Pipe::V);
    const uint8_t *ub = view.base[unsigned(Memory::UB)];
    scopes.push_back(std::make_unique<HeldScope>());
    scopes.back()->before.assign(ub, ub + platform->capacityOf(Memory::UB));
  }
  vf.begin(view.base[unsigned(Memory::UB)], platform->capacityOf(Memory::UB), loc, /*writes=*/!ended,
           late || trace || poisoned, vfUnitsOf(*platform));
}

void TsCore::endVf() {
  if (!vf.active())
    return;
  bool observed = vf.context.records && !vf.refused && !ended;
  std::shared_ptr<RecordedVf> recorded = vf.finish();
  if (!observed)
    return;
  Instr instr;
  instr.op = Opcode::VectorFunction;
  instr.loc = uint32_t(vf.context.loc);
  traceRecorded(instr, recorded);
  if (late && !scopes.empty())
    holdScope(instr, std::move(recorded));
}

void TsCore::holdScope(Instr &instr, std::shared_ptr<RecordedVf> recorded) {
  HeldScope &scope = *scopes.back();
  uint8_t *ub = view.base[unsigned(Memory::UB)];
  for (const TsVfRun &run : recorded->runs)
    for (int64_t i = 0; run.write && i < run.count; ++i) {
      int64_t start = run.start + i * run.stride;
      scope.runs.push_back({start, {ub + start, ub + start + run.length}});
    }
  for (const HeldScope::Run &run : scope.runs)
    std::copy_n(scope.before.data() + run.start, run.bytes.size(), ub + run.start);
  scope.before = {};
  instr.numArgs = 1; // the scope
  *instr.args = int64_t(reinterpret_cast<intptr_t>(&scope));
  instr.vfFn = [](uint8_t *memory, const int64_t *args) {
    for (const HeldScope::Run &run : reinterpret_cast<const HeldScope *>(intptr_t(*args))->runs)
      std::copy(run.bytes.begin(), run.bytes.end(), memory + run.start);
  };
  recordedVfs.push_back(std::move(recorded));
  late->push(instr, isa::AtomicOp::None);
}

bool TsCore::touchVf(int64_t offset, int64_t bytes, int64_t alignment, bool write, int64_t before) {
  if (!vf.active())
    return false;
  int64_t size = vf.context.ubSize;
  if (bytes <= 0)
    return true;
  if (offset < 0 || offset > size || bytes > size - offset) {
    reportVf(FindingId::bounds(Memory::UB, write ? Access::Write : Access::Read),
             std::string(write ? "write" : "read") + " of " + std::to_string(bytes) + " bytes at UB offset " +
                 std::to_string(offset) + " in a vector function leaves UB (" + std::to_string(size) + " bytes)");
    return false;
  }
  if (alignment > 1 && offset % alignment) {
    reportVf(FindingId::alignment(Memory::UB), std::string(write ? "a store" : "a load") +
                                                   " of a vector function at UB offset " + std::to_string(offset) +
                                                   ", not a multiple of " + std::to_string(alignment));
    return false;
  }
  if (poisoned && queues.used())
    if (int64_t buffer = queues.idleBufferAt(Memory::UB, offset, offset + bytes); buffer >= 0)
      report(uint32_t(vf.context.loc), FindingKind::QueueFreed,
             queues.freedAt(buffer)
                 ? "the vector function touches a tensor that FreeTensor gave back to its queue"
                 : "the vector function touches a buffer of a queue that AllocTensor has not given out");
  if (vf.context.records)
    write ? vf.noteWrite(offset, bytes) : vf.noteRead(offset, bytes, before);
  return true;
}

void TsCore::reportVf(FindingId id, std::string text) {
  vf.refused = true;
  report(uint32_t(vf.context.loc), std::move(id), std::move(text));
}
