// From where to where in program order the value of a buffer is needed.
//
// A buffer used inside a loop but allocated outside of it lives through the whole loop: the next iteration may still
// read it. The slots of a ring hold values of single iterations, but of several at a time: they live through the loop
// that counts them, and not between two executions of it. With one slot left a ring holds the value of one iteration,
// and lives no longer than it is used there.
#ifndef TILESMITH_LIB_TRANSFORMS_PLAN_LIFETIMES_H
#define TILESMITH_LIB_TRANSFORMS_PLAN_LIFETIMES_H

#include "Planner.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace tilesmith::plan {

struct Lifetime {
  Interval ring; // with all its slots
  Interval one;  // with one slot; the same for a buffer that is not a ring
};

// By result of isa.alloc. A buffer nobody uses lives at its alloc only.
llvm::DenseMap<mlir::Value, Lifetime> lifetimesOf(mlir::func::FuncOp func);

} // namespace tilesmith::plan

#endif // TILESMITH_LIB_TRANSFORMS_PLAN_LIFETIMES_H
