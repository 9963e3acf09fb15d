// The register instructions of a vector function, for time: what it would be as Ascend C, loop by loop, with what
// depends on what. The printer writes the same instructions in the same order, so that a function takes the same time
// whether the JIT described it or its Ascend C ran.
#ifndef TILESMITH_DIALECT_ISA_VFSTEPS_H
#define TILESMITH_DIALECT_ISA_VFSTEPS_H

#include "tilesmith/Dialect/Isa/VfLevels.h"
#include "tilesmith/Support/VfClock.h"

namespace tilesmith::isa {

// Spreading scalars over lanes, logic of masks and casts that move bits need no instruction, or none that counts.
std::vector<TsVfStep> stepsOf(VfOp vf);

} // namespace tilesmith::isa

#endif // TILESMITH_DIALECT_ISA_VFSTEPS_H
