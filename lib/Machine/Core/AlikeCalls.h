// Calls that differ by where they work only: a loop makes the same ones over and over, and so do the blocks of a
// launch. What follows from the rest of a call need be found out once.
#ifndef TILESMITH_LIB_MACHINE_CORE_ALIKECALLS_H
#define TILESMITH_LIB_MACHINE_CORE_ALIKECALLS_H

#include "tilesmith/Machine/Instr.h"
#include <algorithm>
#include <array>

namespace tilesmith::machine {

// Which operands of an instruction are addresses, as bits.
inline uint32_t addressesOf(Opcode op) {
  static const std::array<uint32_t, isa::numOpcodes> table = [] {
    std::array<uint32_t, isa::numOpcodes> addresses{};
    for (unsigned i = 0; i < isa::numOpcodes; ++i) {
      const isa::InstructionInfo &info = isa::getInstruction(Opcode(i));
      for (unsigned operand = 0; operand < info.numOperands; ++operand)
        if (info.operands[operand].kind == isa::OperandKind::Buffer)
          addresses[i] |= 1u << operand;
    }
    return addresses;
  }();
  return table[unsigned(op)];
}

// Of them those that lie in GM.
inline uint32_t globalOperandsOf(const Instr &instr) {
  uint32_t global = 0;
  for (uint32_t left = addressesOf(instr.op); left; left &= left - 1)
    if (unsigned i = unsigned(__builtin_ctz(left)); instr.address(i).memory() == Memory::GM)
      global |= 1u << i;
  return global;
}

// The only one; -1: there is none, or there are several.
inline int globalOperandOf(const Instr &instr) {
  uint32_t global = globalOperandsOf(instr);
  return global && !(global & (global - 1)) ? __builtin_ctz(global) : -1;
}

// Everything but operands and places in the source.
inline bool sameInstruction(const Instr &a, const Instr &b) {
  return a.op == b.op && a.dtype == b.dtype && a.dtype2 == b.dtype2 && a.numArgs == b.numArgs &&
         a.lanes[0] == b.lanes[0] && a.lanes[1] == b.lanes[1] && a.vf == b.vf && a.vfFn == b.vfFn;
}

// The same call, wherever it stands in the source.
inline bool sameCall(const Instr &a, const Instr &b) {
  return sameInstruction(a, b) && std::equal(a.args, a.args + maxArgs, b.args);
}

// Whether the calls differ at most by offsets of the addresses that are bits of `addresses`.
inline bool alikeBut(const Instr &a, const Instr &b, uint32_t addresses) {
  if (!sameInstruction(a, b))
    return false;
  for (unsigned i = 0; i < maxArgs; ++i) {
    uint64_t differs = uint64_t(a.args[i] ^ b.args[i]);
    if (addresses >> i & 1 ? differs >> Address::memoryShift : differs)
      return false;
  }
  return true;
}

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_CORE_ALIKECALLS_H
