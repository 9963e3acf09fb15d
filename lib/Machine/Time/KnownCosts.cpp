#include "KnownCosts.h"
#include "Core/AlikeCalls.h"

namespace tilesmith::machine {

namespace {

// Operands of one place of the source differ by buffers of a ring: the first tells them apart, whatever it means.
size_t placeOf(const Instr &instr) {
  constexpr unsigned first = 0;
  return instr.loc ^ size_t(instr.op) ^ uint64_t(instr.args[first]) * 0x9e3779b97f4a7c15u >> 56;
}

} // namespace

const Work &KnownCosts::workOf(const Instr &instr) {
  Known<Work> &known = works[placeOf(instr) % works.size()];
  if (!known.any || !sameCall(known.call, instr))
    known = {instr, machine::workOf(instr, platform), true};
  return known.cost;
}

GlobalMove KnownCosts::moveOf(const Instr &instr) {
  Known<GlobalMove> &known = moves[(instr.loc ^ size_t(instr.op)) % moves.size()];
  int operand = globalOperandOf(instr);
  if (operand < 0 || !known.any || !alikeBut(known.call, instr, addressesOf(instr.op))) {
    known = {instr, globalMoveOf(instr, platform), operand >= 0};
    return known.cost;
  }
  GlobalMove move = known.cost;
  move.start += instr.address(unsigned(operand)).offset() - known.call.address(unsigned(operand)).offset();
  move.extra = extraOf(move, platform);
  return move;
}

} // namespace tilesmith::machine
