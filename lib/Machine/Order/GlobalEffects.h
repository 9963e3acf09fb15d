// The bytes of global memory that calls touch, found out once for calls that are alike.
#ifndef TILESMITH_LIB_MACHINE_ORDER_GLOBALEFFECTS_H
#define TILESMITH_LIB_MACHINE_ORDER_GLOBALEFFECTS_H

#include "Core/AlikeCalls.h"
#include "tilesmith/Machine/Effects.h"
#include <span>

namespace tilesmith::machine {

class GlobalEffects {
public:
  explicit GlobalEffects(Arch arch) : arch(arch) {}

  // Reads before writes; they hold until the next call.
  std::span<const Effect> of(const Instr &instr);

private:
  struct Known {
    Instr call;
    bool any = false;
    int64_t lies = 0; // the address of the effects
    std::vector<Effect> effects;
  };

  Arch arch;
  std::array<Known, 16> known;
};

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_ORDER_GLOBALEFFECTS_H
