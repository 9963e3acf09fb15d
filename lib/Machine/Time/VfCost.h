// What a vector function costs: the part of replay that knows register code.
#ifndef TILESMITH_LIB_MACHINE_TIME_VFCOST_H
#define TILESMITH_LIB_MACHINE_TIME_VFCOST_H

#include "ReplayCost.h"

namespace tilesmith::machine {

Work vfWork(const Instr &instr, const Platform &platform);

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_TIME_VFCOST_H
