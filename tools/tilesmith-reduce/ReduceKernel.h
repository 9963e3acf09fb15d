// The pass behind tilesmith-reduce: tries every reduction at every op, many ops at a time first, until none helps.
//
// MLIR's own reduction-tree gives each op one chance with all patterns at once; here each reduction is tried by itself,
// so that one which loses what is interesting does not hide another which keeps it.
#ifndef TILESMITH_TOOLS_REDUCE_REDUCEKERNEL_H
#define TILESMITH_TOOLS_REDUCE_REDUCEKERNEL_H

namespace tilesmith::reduce {

// Makes the pass known as --reduce-kernel.
void registerReduceKernelPass();

} // namespace tilesmith::reduce

#endif // TILESMITH_TOOLS_REDUCE_REDUCEKERNEL_H
