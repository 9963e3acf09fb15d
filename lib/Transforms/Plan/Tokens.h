// The two halves of synchronising a kernel: ordering its dependencies with tokens and barriers, and giving tokens flags.
#ifndef TILESMITH_LIB_TRANSFORMS_PLAN_TOKENS_H
#define TILESMITH_LIB_TRANSFORMS_PLAN_TOKENS_H

#include "Kernel.h"

namespace tilesmith::plan {

// Adds tokens and barriers until every dependency is satisfied on every path and no flag can be set before its last wait
// is over. Adds nothing that is implied by what is there. The last walk adds nothing at all: it is the proof.
mlir::LogicalResult orderDependencies(Kernel &kernel);

// Gives every token its flag id. Where a pair of pipes has too few flags, makes one step towards fewer tokens (narrower
// scopes, then merged tokens, then a ring that counts as one buffer, then a barrier) and returns false: the kernel must be ordered again.
bool assignFlags(Kernel &kernel);

} // namespace tilesmith::plan

#endif // TILESMITH_LIB_TRANSFORMS_PLAN_TOKENS_H
