// Where buffers should start so that the sources of an instruction do not meet in the banks of UB.
//
// UB is divided into groups of banks, 32 bytes wide and in turn; each serves one row per cycle. A repeat reads half a
// turn of each source, so two long sources meet in every repeat unless they start half a turn apart. Buffers are put
// into one of the two halves, the pairs that are read together most first; a pair that closes an odd circle stays.
#ifndef TILESMITH_LIB_TRANSFORMS_PLAN_BANKS_H
#define TILESMITH_LIB_TRANSFORMS_PLAN_BANKS_H

#include "Planner.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace tilesmith::plan {

// For every long buffer in UB how it should be aligned. `turn` is the bytes after which the groups come again.
llvm::DenseMap<mlir::Value, Start> startsOf(mlir::func::FuncOp func, int64_t turn);

} // namespace tilesmith::plan

#endif // TILESMITH_LIB_TRANSFORMS_PLAN_BANKS_H
