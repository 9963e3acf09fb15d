// What a vector function costs: the part of replay that knows register code.
//
// Its instructions run as VfClock says, with the platform's numbers; a call adds what starting and ending it takes. The
// time of a compiled function is computed once for equal steps and remembered, that of one written in C++ when it ran.
#ifndef TILESMITH_LIB_MACHINE_TIME_VFCOST_H
#define TILESMITH_LIB_MACHINE_TIME_VFCOST_H

#include "ReplayCost.h"
#include "tilesmith/Support/VfClock.h"

namespace tilesmith::machine {

VfUnits vfUnitsOf(const Platform &platform);

Work vfWork(const Instr &instr, const Platform &platform);

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_TIME_VFCOST_H
