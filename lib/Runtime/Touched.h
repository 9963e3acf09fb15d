// The bytes of global memory that a launch read and wrote, from its traces.
#ifndef TILESMITH_RUNTIME_TOUCHED_H
#define TILESMITH_RUNTIME_TOUCHED_H

#include "tilesmith/Runtime/Launch.h"

namespace tilesmith::runtime {

Touched touchedBy(std::span<const machine::BlockTrace> traces, isa::Arch arch,
                  std::span<const machine::GlobalRange> ranges);

} // namespace tilesmith::runtime

#endif // TILESMITH_RUNTIME_TOUCHED_H
