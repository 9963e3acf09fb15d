#include "tilesmith/Machine/Instr.h"

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
  default:
    return instr.info().pipe;
  }
}

} // namespace tilesmith::machine
