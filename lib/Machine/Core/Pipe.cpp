#include "tilesmith/Machine/Instr.h"

namespace tilesmith::machine {

Pipe pipeOf(const Instr &instr) {
  switch (instr.op) {
  case Opcode::SetFlag:
    return Pipe(instr.args[0]);
  case Opcode::WaitFlag:
    return Pipe(instr.args[1]);
  case Opcode::PipeBarrier:
  case Opcode::CrossSet:
    return Pipe(instr.args[0]);
  default:
    return instr.info().pipe;
  }
}

} // namespace tilesmith::machine
