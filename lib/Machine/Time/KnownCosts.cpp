#include "KnownCosts.h"
#include <algorithm>

namespace tilesmith::machine {

namespace {

bool sameKind(const Instr &a, const Instr &b) {
  return a.op == b.op && a.dtype == b.dtype && a.dtype2 == b.dtype2 && a.numArgs == b.numArgs &&
         a.lanes[0] == b.lanes[0] && a.lanes[1] == b.lanes[1] && a.vf == b.vf;
}

bool areEqual(const Instr &a, const Instr &b) { return sameKind(a, b) && std::equal(a.args, a.args + maxArgs, b.args); }

constexpr int64_t offsetBits = Address::offsetMask;

// Which operands are addresses, as bits.
uint32_t addressesOf(Opcode op) {
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

// Whether both move the same bytes of the same memories from and to some place each.
bool moveAlike(const Instr &a, const Instr &b) {
  if (!sameKind(a, b))
    return false;
  uint32_t addresses = addressesOf(a.op);
  for (unsigned i = 0; i < a.numArgs; ++i) {
    int64_t differs = a.args[i] ^ b.args[i];
    if (addresses >> i & 1 ? differs & ~offsetBits : differs)
      return false;
  }
  return true;
}

// The operand that lies in GM; numArgs: none, or several.
unsigned globalOperand(const Instr &instr) {
  unsigned found = instr.numArgs;
  for (uint32_t addresses = addressesOf(instr.op); addresses; addresses &= addresses - 1)
    if (unsigned i = unsigned(__builtin_ctz(addresses)); i < instr.numArgs && instr.address(i).memory() == Memory::GM) {
      if (found != instr.numArgs)
        return instr.numArgs;
      found = i;
    }
  return found;
}

// Operands of one place of the source differ by buffers of a ring.
size_t placeOf(const Instr &instr) {
  return instr.loc ^ size_t(instr.op) ^ uint64_t(instr.args[0]) * 0x9e3779b97f4a7c15u >> 56;
}

} // namespace

const Work &KnownCosts::workOf(const Instr &instr) {
  Known<Work> &known = works[placeOf(instr) % works.size()];
  if (!known.any || !areEqual(known.call, instr))
    known = {instr, machine::workOf(instr, platform), true};
  return known.cost;
}

GlobalMove KnownCosts::moveOf(const Instr &instr) {
  Known<GlobalMove> &known = moves[(instr.loc ^ size_t(instr.op)) % moves.size()];
  unsigned operand = globalOperand(instr);
  if (operand == instr.numArgs || !known.any || !moveAlike(known.call, instr)) {
    known = {instr, globalMoveOf(instr, platform), operand != instr.numArgs};
    return known.cost;
  }
  GlobalMove move = known.cost;
  move.start += instr.address(operand).offset() - known.call.address(operand).offset();
  move.extra = extraOf(move, platform);
  return move;
}

} // namespace tilesmith::machine
