#include "UnitFlags.h"
#include "tilesmith/Machine/Trace.h"

namespace tilesmith::machine {

Pipe pipeOf(const Instr &instr) {
  switch (instr.op) {
  case Opcode::SetFlag:
    return isa::SetFlag(instr).from();
  case Opcode::WaitFlag:
    return isa::WaitFlag(instr).to();
  case Opcode::PipeBarrier:
    return isa::PipeBarrier(instr).on();
  case Opcode::CrossSet:
    return isa::CrossSet(instr).from();
  case Opcode::CrossCoreSet:
    return isa::CrossCoreSet(instr).from();
  case Opcode::CrossCoreWait:
    return isa::CrossCoreWait(instr).on();
  default:
    return instr.info().pipe;
  }
}

FindingKind deadlockOf(const Instr &wait) {
  return wait.op == Opcode::WaitFlag ? FindingKind::DeadlockWaitFlag
         : usesUnitFlags(wait)       ? FindingKind::DeadlockUnitFlag
                                     : FindingKind::DeadlockCrossWait;
}

std::string waitsForEver(const Instr &wait) {
  std::string pipe(stringify(pipeOf(wait)));
  switch (wait.op) {
  case Opcode::WaitFlag: {
    isa::WaitFlag call(wait);
    return pipe + " waits for flag " + std::to_string(call.id()) + " from " + std::string(stringify(call.from())) +
           ", which nothing sets before it";
  }
  case Opcode::CrossCoreWait:
    return pipe + " waits for cross-core flag " + std::to_string(isa::CrossCoreWait(wait).id()) +
           ", which nothing sets any more";
  default:
    if (usesUnitFlags(wait))
      return giverOf(wait) == Pipe::M
                 ? "FIX waits by unitFlag for a result in L0C that no Mmad with unitFlag 3 hands over before it"
                 : "M waits by unitFlag for L0C to be written out, which no Fixpipe with unitFlag 3 does";
    return pipe + " waits for other blocks, which do not come";
  }
}

isa::CoreKinds kindsNeeded(const BlockTrace &block, Arch arch) {
  isa::CoreKinds needed;
  for (const Instr &instr : block.calls)
    if (isa::CoreKinds kinds = coresFor(instr, arch); kinds.decides())
      needed |= kinds;
  return needed;
}

} // namespace tilesmith::machine
