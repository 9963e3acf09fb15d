// Execution of one instruction. Operands were validated: enumerations and dtypes are known, every byte of
// the footprint (Effects.h) exists.
#ifndef TILESMITH_LIB_MACHINE_EXEC_EXEC_H
#define TILESMITH_LIB_MACHINE_EXEC_EXEC_H

#include "Kernels.h"
#include "tilesmith/Machine/Core.h"

namespace tilesmith::machine::exec {

namespace family = isa::family;

// One function for what the field `execute` of a record names, void or, where the core learns something, int64_t: the
// result of a scalar access, the elements a pattern kept, the offsets that left their tensor, the records a merge took
// from each list (16 bits each).
#define TILESMITH_EXECUTION_FUNCTIONS
#include "tilesmith/Machine/Execution.inc"

} // namespace tilesmith::machine::exec

#endif
