// unitFlag in time: a product and a write-out overlap part by part of L0C.
//
// Both go through their part of L0C at an even pace. One begins as early as it can without ever meeting a part that the
// other has not handed over, so a slow one holds a fast one back until their ends nearly meet.
#include "ReplayCore.h"

namespace tilesmith::machine {

bool CoreReplay::waitForUnits(const Instr &instr, Ticks duration, Ticks &time) {
  if (!usesUnitFlags(instr))
    return true;
  if (!units.ready(instr, platform.arch))
    return false;
  units.eachTaken(instr, platform.arch, [&](Ticks handed, size_t number, size_t count) {
    time = std::max(time, handed - duration * Ticks(number) / Ticks(count));
  });
  return true;
}

void CoreReplay::handUnits(const Instr &instr, Ticks begin, Ticks end) {
  if (handsOver(instr))
    units.hand(instr, platform.arch,
               [&](size_t number, size_t count) { return begin + (end - begin) * Ticks(number + 1) / Ticks(count); });
}

} // namespace tilesmith::machine
