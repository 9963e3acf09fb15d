#include "Exec.h"

namespace tilesmith::machine {

int64_t execute(const Instr &instr, const MemoryView &memory) {
  switch (instr.op) {
#define TILESMITH_EXECUTION_CASES
#include "tilesmith/Machine/Execution.inc"
  case Opcode::VectorFunction:
    instr.vfFn(memory.base[unsigned(Memory::UB)], instr.args);
    return 0;
  default: // flags, barriers, modes: the core's own business
    return 0;
  }
}

} // namespace tilesmith::machine
