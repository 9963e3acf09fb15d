// The last passes on isa IR: pipeline loops, plan memory, synchronise. See PlanPasses.td for the list.
#ifndef TILESMITH_TRANSFORMS_PLAN_PLANPASSES_H
#define TILESMITH_TRANSFORMS_PLAN_PLANPASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"
#include "tilesmith/Dialect/Isa/IsaDialect.h"
#include "tilesmith/Transforms/OptionParser.h"

namespace tilesmith {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tilesmith/Transforms/Plan/PlanPasses.h.inc"

} // namespace tilesmith

#endif // TILESMITH_TRANSFORMS_PLAN_PLANPASSES_H
