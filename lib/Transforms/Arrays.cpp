#include "Arrays.h"

using namespace mlir;

namespace tilesmith {

Value tensorOf(Operation *op) {
  if (auto load = dyn_cast<tile::LoadOp>(op))
    return load.getTensor();
  if (auto store = dyn_cast<tile::StoreOp>(op))
    return store.getTensor();
  if (auto atomic = dyn_cast<tile::AtomicOp>(op))
    return atomic.getTensor();
  if (auto get = dyn_cast<tile::GetOp>(op))
    return get.getTensor();
  if (auto set = dyn_cast<tile::SetOp>(op))
    return set.getTensor();
  if (auto rows = dyn_cast<tile::GatherRowsOp>(op))
    return rows.getTensor();
  if (auto rows = dyn_cast<tile::ScatterRowsOp>(op))
    return rows.getTensor();
  return {};
}

static bool mayOverlap(func::FuncOp kernel, unsigned parameter) {
  return kernel.getArgAttr(parameter, isa::mayAliasAttrName) && !kernel.getArgAttr(parameter, isa::noaliasAttrName);
}

Value arrayOf(Value tensor) {
  while (auto limit = tensor.getDefiningOp<tile::LimitOp>())
    tensor = limit.getTensor();
  auto described = tensor.getDefiningOp<tile::TensorOp>();
  Value array = described ? Value(described.getBase()) : tensor;
  auto argument = dyn_cast<BlockArgument>(array);
  auto kernel = argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : func::FuncOp();
  if (!kernel || !mayOverlap(kernel, argument.getArgNumber()))
    return array;
  for (BlockArgument other : kernel.getArguments())
    if (mayOverlap(kernel, other.getArgNumber()))
      return other;
  return array;
}

} // namespace tilesmith
