// Probes: a debugger learns in which buffers the values of a statement are.
#include "VectorGroups.h"

using namespace mlir;

namespace tilesmith {

// What pass through L0C adds (relu, a cast) happens on the way out: until then the bytes are those before it.
static bool isOnTheWayOut(Value tile) {
  return cast<tile::TileType>(tile.getType()).getMemory() == isa::Memory::L0C && tile.getDefiningOp() &&
         llvm::isa<tile::UnaryOp, tile::CastOp>(tile.getDefiningOp());
}

LogicalResult Lowering::lowerProbe(tile::ProbeOp op) {
  SmallVector<Value> values;
  for (Value shown : op.getValues()) {
    if (llvm::isa<tile::GlobalTensorType>(shown.getType()))
      values.push_back(tensors.lookup(shown).base);
    else if (!isTile(shown))
      values.push_back(shown);
    else if (Value buffer = buffers.lookup(shown); buffer && !isOnTheWayOut(shown)) {
      settle(shown); // an accumulator nothing was added to
      values.push_back(buffer);
    } else
      values.push_back(scalar(b.getI64Type(), isa::probeNowhere));
  }
  isa::ProbeOp::create(b, loc, op.getSite(), op.getDepth(), op.getKind(), values);
  return success();
}

} // namespace tilesmith
