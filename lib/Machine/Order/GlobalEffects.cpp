#include "GlobalEffects.h"
#include <utility>

namespace tilesmith::machine {

std::span<const Effect> GlobalEffects::of(const Instr &instr) {
  Known &last = known[(instr.loc ^ size_t(instr.op)) % known.size()];
  int operand = globalOperandOf(instr);
  int64_t lies = operand < 0 ? 0 : instr.address(unsigned(operand)).offset();
  if (operand < 0 || !last.any || !alikeBut(last.call, instr, addressesOf(instr.op))) {
    last.call = instr;
    last.any = operand >= 0;
    last.lies = lies;
    last.effects.clear();
    effectsOf(instr, arch, last.effects);
    std::erase_if(last.effects, [](const Effect &effect) { return effect.memory != Memory::GM; });
    return last.effects;
  }
  int64_t further = lies - std::exchange(last.lies, lies);
  for (Effect &effect : last.effects)
    effect.start += further;
  return last.effects;
}

} // namespace tilesmith::machine
