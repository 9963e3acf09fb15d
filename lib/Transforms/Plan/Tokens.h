// The steps of synchronising a kernel: ordering its dependencies with tokens and barriers, joining tokens that are
// better one, and giving tokens flags.
#ifndef TILESMITH_LIB_TRANSFORMS_PLAN_TOKENS_H
#define TILESMITH_LIB_TRANSFORMS_PLAN_TOKENS_H

#include "Kernel.h"

namespace tilesmith::plan {

// Adds tokens and barriers until every dependency is satisfied on every path and no flag can be set before its last
// wait is over. Adds nothing that is implied by what is there. The last walk adds nothing at all: it is the proof. Not
// `thorough`: what is implied stays.
mlir::LogicalResult orderDependencies(Kernel &kernel, bool thorough);

// Makes one token of the tokens of loads whose tiles are needed together.
void groupTokens(Kernel &kernel);

enum class Assigned { All, Almost, FarFrom };

// Gives every token its flag id. Where a pair of pipes has too few flags, makes one step towards fewer tokens (narrower
// scopes, then merged tokens, then a ring that counts as one buffer, then a barrier), and the kernel must be ordered
// again. Far from the flags there are (a loop unrolled many times) the step is larger, and the next order need not be
// thorough.
Assigned assignFlags(Kernel &kernel);

} // namespace tilesmith::plan

#endif // TILESMITH_LIB_TRANSFORMS_PLAN_TOKENS_H
