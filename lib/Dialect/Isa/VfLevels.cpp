#include "tilesmith/Dialect/Isa/VfLevels.h"

using namespace mlir;

namespace tilesmith::isa {

static VfWalk writtenWalk(Operation *op) {
  if (auto load = dyn_cast<VfLoadOp>(op))
    return load.getWalk();
  return mlir::cast<VfStoreOp>(op).getWalk();
}

static VfLevel levelOfWalk(VfWalk walk) {
  return walk == VfWalk::One ? VfLevel::Call : walk == VfWalk::Element ? VfLevel::Row : VfLevel::Chunk;
}

VfLevels::VfLevels(VfOp vf) : VfLevels(vf, writtenWalk) {}

VfLevels::VfLevels(VfOp vf, llvm::function_ref<VfWalk(Operation *)> walkOf) {
  for (Operation &op : vf.getBody().front()) {
    if (mlir::isa<VfReduceOp>(op)) {
      ops[&op] = VfLevel::Chunk;
      continue;
    }
    if (mlir::isa<VfStoreOp>(op)) {
      ops[&op] = levelOfWalk(walkOf(&op));
      continue;
    }
    VfLevel level = mlir::isa<VfLoadOp>(op) ? levelOfWalk(walkOf(&op)) : VfLevel::Call;
    for (Value operand : op.getOperands())
      level = std::max(level, registers.lookup(operand));
    for (Value result : op.getResults())
      registers[result] = level;
    ops[&op] = level;
  }
}

} // namespace tilesmith::isa
