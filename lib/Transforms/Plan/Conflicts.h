// Which instances of two instructions touch the same bytes, one of them writing.
//
// Most conflicts hold for all instances. Inside loops two narrower kinds matter: instances that use the same slot of a
// ring, and instances whose addresses step with the loop, so that only those of one iteration meet.
#ifndef TILESMITH_LIB_TRANSFORMS_PLAN_CONFLICTS_H
#define TILESMITH_LIB_TRANSFORMS_PLAN_CONFLICTS_H

#include "Accesses.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilesmith::plan {

// Tells instances of an instruction apart by the loop around it.
struct Cycle {
  mlir::Operation *loop = nullptr;  // scf.for (or scf.while, when slots is 0)
  mlir::Operation *outer = nullptr; // slots == 0: iterations of all loops from `outer` to `loop` differ in address
  int64_t slots = 0;                // > 0: iteration modulo slots decides the address

  bool operator==(const Cycle &) const = default;
  explicit operator bool() const { return loop; }
};

enum class Meeting {
  Never,
  Always,
  InSlot,     // instances with the same iteration modulo slots
  InIteration // instances in one iteration of the cycle, and those of different executions of its outer loop
};

struct Conflict {
  Meeting kind = Meeting::Never;
  Cycle cycle = {};
};

// The conflict of two accesses of one kernel. Kernel arguments are distinct memory unless one of them carries
// isa.may_alias (and none isa.noalias); buffers meet when they are the same or their planned addresses overlap.
Conflict conflictOf(mlir::Operation *opX, const Access &x, mlir::Operation *opY, const Access &y);

// If `index` counts the iterations of a loop (up to a constant): that loop.
mlir::scf::ForOp countedLoop(mlir::Value index);

} // namespace tilesmith::plan

#endif // TILESMITH_LIB_TRANSFORMS_PLAN_CONFLICTS_H
