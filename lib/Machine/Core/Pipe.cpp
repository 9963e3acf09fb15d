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

isa::CoreKinds kindsNeeded(const BlockTrace &block, Arch arch) {
  isa::CoreKinds needed;
  for (const Instr &instr : block.calls)
    if (isa::CoreKinds kinds = coresFor(instr, arch); kinds.decides())
      needed |= kinds;
  return needed;
}

} // namespace tilesmith::machine
