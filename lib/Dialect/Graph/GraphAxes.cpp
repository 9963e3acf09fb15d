// Which axes go together: where a result is cut, its operands are cut as well, or are needed whole.
#include "tilesmith/Dialect/Graph/Graph.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilesmith::graph;

// Axes a reshape keeps: from the left, as long as the sizes agree; axes of size 1 may come and go.
static SmallVector<int64_t> keptAxes(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<int64_t> kept(from.size(), isWhole);
  size_t j = 0;
  for (size_t i = 0; i < from.size(); ++i) {
    if (from[i] == 1) {
      kept[i] = isOne;
      continue;
    }
    while (j < to.size() && to[j] == 1)
      ++j;
    if (j == to.size() || from[i] != to[j])
      break;
    kept[i] = j++;
  }
  return kept;
}

SmallVector<int64_t> tilesmith::graph::axesOf(Operation *op, unsigned operand) {
  auto type = cast<WholeTensorType>(op->getOperand(operand).getType());
  SmallVector<int64_t> same = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  return llvm::TypeSwitch<Operation *, SmallVector<int64_t>>(op)
      .Case([&](ExpandOp expand) {
        for (auto [axis, size] : llvm::enumerate(type.getShape()))
          if (size != expand.getResult().getType().getShape()[axis])
            same[axis] = isOne;
        return same;
      })
      .Case([&](ReshapeOp reshape) { return keptAxes(type.getShape(), reshape.getResult().getType().getShape()); })
      .Case([&](TransposeOp transpose) {
        for (auto [to, from] : llvm::enumerate(transpose.getAxes()))
          same[from] = to;
        return same;
      })
      .Case([&](ReduceOp reduce) {
        same[reduce.getAxis()] = isWhole;
        return same;
      })
      .Case<SoftmaxOp, CumsumOp, ArgOp, ConcatOp>([&](auto along) {
        same[along.getAxis()] = isWhole;
        return same;
      })
      .Case([&](SortOp) {
        same.back() = isWhole;
        return same;
      })
      .Case<GatherOp, ScatterOp>([&](auto indexed) {
        ArrayRef<int64_t> to = cast<WholeTensorType>(op->getResult(0).getType()).getShape();
        bool isIndex = llvm::isa<GatherOp>(op) && operand == 1;
        for (auto [axis, size] : llvm::enumerate(type.getShape()))
          if (axis == indexed.getAxis() ? !isIndex : size != to[axis])
            same[axis] = isWhole;
        return same;
      })
      .Case<SliceOp, InsertOp>([&](auto) { return SmallVector<int64_t>(type.getRank(), isWhole); })
      .Case([&](MatmulOp matmul) {
        int64_t rank = type.getRank();
        bool isLeft = operand == 0, turned = isLeft ? matmul.getLhsTurned() : matmul.getRhsTurned();
        int64_t outer = rank - 2 + (isLeft == turned), inner = 2 * rank - 3 - outer;
        same[outer] = isLeft ? rank - 2 : rank - 1;
        same[inner] = isWhole;
        for (int64_t i = 0; i < rank - 2; ++i)
          if (type.getShape()[i] != matmul.getResult().getType().getShape()[i])
            same[i] = isOne;
        return same;
      })
      .Default([&](Operation *) { return same; });
}

bool tilesmith::graph::canCut(Operation *op, int64_t axis) {
  if (llvm::isa<SliceOp, InsertOp>(op))
    return false;
  if (auto gather = dyn_cast<GatherOp>(op); gather && axis != int64_t(gather.getAxis()))
    return gather.getOperand().getType().getShape()[axis] == gather.getResult().getType().getShape()[axis];
  if (auto scatter = dyn_cast<ScatterOp>(op))
    return axis != int64_t(scatter.getAxis()) &&
           scatter.getIndex().getType().getShape()[axis] == scatter.getResult().getType().getShape()[axis];
  std::optional<int64_t> whole =
      llvm::TypeSwitch<Operation *, std::optional<int64_t>>(op)
          .Case<SoftmaxOp, CumsumOp, ConcatOp>([](auto along) { return int64_t(along.getAxis()); })
          .Case([](SortOp sort) { return sort.getResult().getType().getRank() - 1; })
          .Case([](ArangeOp) { return int64_t(0); })
          .Default([](Operation *) { return std::nullopt; });
  if (whole == axis)
    return false;
  if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    WholeTensorType to = reshape.getResult().getType();
    return to.getShape()[axis] == 1 ||
           llvm::is_contained(keptAxes(reshape.getOperand().getType().getShape(), to.getShape()), axis);
  }
  return true;
}

std::optional<int64_t> tilesmith::graph::tileOf(Operation *op, int64_t axis) {
  auto shape = op->getAttrOfType<DenseI64ArrayAttr>("tile_shape");
  if (!shape)
    return std::nullopt;
  ArrayRef<int64_t> sizes = shape.asArrayRef();
  if (auto matmul = dyn_cast<MatmulOp>(op)) {
    int64_t rank = matmul.getResult().getType().getRank();
    return axis == rank - 2 ? sizes[0] : axis == rank - 1 ? sizes[2] : 1;
  }
  return axis < int64_t(sizes.size()) ? std::optional(sizes[axis]) : std::nullopt;
}
