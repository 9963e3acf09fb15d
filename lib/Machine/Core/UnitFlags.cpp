#include "UnitFlags.h"
#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Machine/Effects.h"
#include <algorithm>

namespace tilesmith::machine {

void unitsOf(const Instr &instr, Arch arch, L0cUnits &units) {
  constexpr int64_t most = 1 << 12; // L0C is far smaller; traces of tests may hold anything
  units.clear();
  Access access = instr.info().family == Family::Mmad ? Access::Write : Access::Read;
  std::vector<Effect> effects;
  effectsOf(instr, arch, effects);
  for (const Effect &effect : effects) {
    if (effect.memory != Memory::L0C || effect.access != access)
      continue;
    for (int64_t i = 0; i < effect.count && int64_t(units.size()) < most; ++i) {
      int64_t begin = effect.start + i * effect.stride;
      int64_t last = std::min((begin + effect.length - 1) / isa::unitFlagBytes, most);
      for (int64_t unit = std::max<int64_t>(begin, 0) / isa::unitFlagBytes; unit <= last; ++unit)
        if (units.empty() || units.back() != unit)
          units.push_back(uint16_t(unit));
    }
  }
  std::sort(units.begin(), units.end());
  units.erase(std::unique(units.begin(), units.end()), units.end());
}

} // namespace tilesmith::machine
