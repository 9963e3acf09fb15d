// What calls cost, asked once for calls that are alike: a loop makes the same ones over and over.
//
// Work follows from everything a call says. A move follows from everything but its addresses, of which only the one in
// GM counts, and where it lies is added here. What it gives is what ReplayCost.h gives.
#ifndef TILESMITH_LIB_MACHINE_TIME_KNOWNCOSTS_H
#define TILESMITH_LIB_MACHINE_TIME_KNOWNCOSTS_H

#include "ReplayCost.h"
#include <array>

namespace tilesmith::machine {

class KnownCosts {
public:
  explicit KnownCosts(const Platform &platform) : platform(platform) {}

  const Work &workOf(const Instr &instr);
  GlobalMove moveOf(const Instr &instr);

private:
  template <typename Cost> struct Known {
    Instr call;
    Cost cost;
    bool any = false;
  };

  const Platform &platform;
  std::array<Known<Work>, 64> works;
  std::array<Known<GlobalMove>, 16> moves;
};

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_TIME_KNOWNCOSTS_H
