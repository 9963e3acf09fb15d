// Spill tensors: what does not fit on the chip goes through the workspace.
//
// A computed tensor is written there and read back where it is needed, so that what makes it and what uses it are two
// groups, which are cut into tiles each for itself. Two kinds of uses ask for it: those by other loops and by slices,
// which would need all of the tensor at once; and, with `products`, operands of products, whose inner axis is never
// cut. Tensors of a few tiles stay on the chip. The workspace is the core's own: what is written there, the same core
// reads.
#include "GraphBuilder.h"
#include "tilesmith/Transforms/Graph/GraphPasses.h"

namespace tilesmith {
#define GEN_PASS_DEF_SPILLTENSORS
#include "tilesmith/Transforms/Graph/GraphPasses.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::graph;

namespace {

int64_t bytesOf(WholeTensorType type) {
  return llvm::product_of(type.getShape()) * std::max<int64_t>(1, type.getElementType().getIntOrFloatBitWidth() / 8);
}

struct SpillTensorsPass : tilesmith::impl::SpillTensorsBase<SpillTensorsPass> {
  using SpillTensorsBase::SpillTensorsBase;

  void runOnOperation() override {
    SmallVector<Operation *> large;
    getOperation().walk([&](Operation *op) {
      if (!llvm::isa_and_present<GraphDialect>(op->getDialect()) || op->getNumResults() != 1)
        return;
      auto type = dyn_cast<WholeTensorType>(op->getResult(0).getType());
      if (!type || llvm::isa<ViewOp, FullOp>(op) || type.getElementType().isInteger(1) ||
          llvm::any_of(type.getShape(), ShapedType::isDynamic) || bytesOf(type) <= most)
        return;
      large.push_back(op);
    });
    for (Operation *op : large)
      if (!gone.count(op))
        spill(op);
    gone.clear();
  }

  std::set<Operation *> gone; // slices that have become views

  bool asks(OpOperand &use, Operation *maker) const {
    Operation *user = use.getOwner();
    if (!llvm::isa<GraphDialect>(user->getDialect()))
      return false;
    return products ? llvm::isa<MatmulOp>(user) : llvm::isa<SliceOp>(user) || user->getBlock() != maker->getBlock();
  }

  void spill(Operation *op) {
    Value tensor = op->getResult(0);
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : tensor.getUses())
      if (asks(use, op))
        uses.push_back(&use);
    if (uses.empty())
      return;
    OpBuilder b(op);
    GraphBuilder g(b, op->getLoc());
    WholeTensorType type = GraphBuilder::typeOf(tensor);
    Value base =
        WorkspaceOp::create(b, g.loc, tile::PtrType::get(b.getContext(), type.getElementType()), bytesOf(type));
    auto described = tile::GlobalTensorType::get(b.getContext(), type.getShape(), type.getElementType());
    Value memory = tile::TensorOp::create(b, g.loc, described, base, Value(), ValueRange(), ValueRange());
    SmallVector<Value> origin(type.getRank(), g.i32(0)), sizes;
    for (int64_t size : type.getShape())
      sizes.push_back(g.i32(size));
    b.setInsertionPointAfter(op);
    AssembleOp::create(b, g.loc, tensor, memory, origin, sizes, op->getAttrOfType<DenseI64ArrayAttr>("tile_shape"),
                       UnitAttr());
    for (OpOperand *use : uses) {
      Operation *user = use->getOwner();
      b.setInsertionPoint(user);
      if (auto slice = dyn_cast<SliceOp>(user)) {
        slice.getResult().replaceAllUsesWith(
            ViewOp::create(b, user->getLoc(), slice.getResult().getType(), memory, slice.getOffsets()));
        gone.insert(slice);
        slice.erase();
      } else {
        use->set(ViewOp::create(b, user->getLoc(), type, memory, origin));
      }
    }
  }
};

} // namespace
