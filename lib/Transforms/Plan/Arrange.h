// Which buffer lies where in UB, so that results do not go into the banks that are read just then.
//
// A group of banks (Banks.h) has one bank for each `bankBytes` of UB. In a cycle it serves one row that is read and one
// that is written, in different banks. A result leaves an odd number of repeats after its sources were read, so it
// meets a source that starts half a turn away from it, where both lie in the same stretch of `bankBytes`. With two
// sources half a turn apart one of them always starts so; the result then belongs into another stretch.
//
// Buffers in any order hold the same values: the order is searched, by exchanging neighbours and halves as long as
// less is lost.
#ifndef TILESMITH_LIB_TRANSFORMS_PLAN_ARRANGE_H
#define TILESMITH_LIB_TRANSFORMS_PLAN_ARRANGE_H

#include "Planner.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tilesmith/Dialect/Isa/IsaDialect.h"

namespace tilesmith::plan {

struct Banks {
  int64_t turn = 0;  // bytes after which the groups come again
  int64_t bytes = 0; // of the stretch that has one bank in each group
};

// Gives items that lie apart other addresses. `allocs` and `slots` are theirs.
void arrange(mlir::func::FuncOp func, llvm::ArrayRef<isa::AllocOp> allocs, llvm::ArrayRef<int64_t> slots,
             std::vector<Item> &items, int64_t capacity, const Banks &banks);

} // namespace tilesmith::plan

#endif // TILESMITH_LIB_TRANSFORMS_PLAN_ARRANGE_H
