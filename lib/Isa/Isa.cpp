#include "tilesmith/Isa/Isa.h"

namespace tilesmith::isa {

#define TILESMITH_INSTRUCTION_TABLE
#include "tilesmith/Isa/Table.h.inc"

const InstructionInfo &getInstruction(Opcode opcode) { return instructionTable[unsigned(opcode)]; }

const InstructionInfo *findInstruction(std::string_view mnemonic) {
  for (const InstructionInfo &info : instructionTable)
    if (info.mnemonic == mnemonic)
      return &info;
  return nullptr;
}

} // namespace tilesmith::isa
