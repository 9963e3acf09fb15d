// Graph to tile: every tensor becomes one tile.
//
// The last axis of a tile is rounded up to whole blocks of 32 bytes of the narrowest element the kernel has, so that
// tensors of one shape are tiles of one shape whatever their elements are. What lies behind a tensor's own elements is
// never read: reductions choose a neutral element there, products end at the inner extent, and assembles write the
// valid part. Truth values are bytes in memory.
//
// Afterwards no operation and no type of the graph dialect is left.
#include "ToTiles.h"
#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Transforms/Graph/GraphPasses.h"

#include "llvm/ADT/TypeSwitch.h"

#include <limits>

namespace tilesmith {
#define GEN_PASS_DEF_GRAPHTOTILE
#include "tilesmith/Transforms/Graph/GraphPasses.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::graph;

// The element that changes no result of a reduction.
double graph::neutralOf(tile::ReduceKind kind, Type element) {
  double most = std::numeric_limits<double>::infinity(), least = -most;
  if (auto integer = dyn_cast<IntegerType>(element)) {
    most = double((uint64_t(1) << (integer.getWidth() - 1)) - 1), least = -most - 1;
    if (integer.isUnsigned())
      most = double((uint64_t(1) << (integer.getWidth() - 1)) * 2 - 1), least = 0;
  }
  switch (kind) {
  case tile::ReduceKind::Sum:
    return 0;
  case tile::ReduceKind::Prod:
    return 1;
  case tile::ReduceKind::Max:
    return least;
  case tile::ReduceKind::Min:
    return most;
  }
  llvm_unreachable("unknown reduction");
}

SmallVector<int64_t> ToTiles::padded(ArrayRef<int64_t> shape) const {
  SmallVector<int64_t> result(shape);
  if (result.back() != 1)
    result.back() = llvm::alignTo(result.back(), unit);
  return result;
}

tile::TileType ToTiles::tileOf(WholeTensorType type) const {
  return tile::TileType::get(type.getContext(), padded(type.getShape()), type.getElementType(), isa::Memory::UB);
}

void ToTiles::convertType(Value value, Operation *op) {
  auto tensor = dyn_cast<WholeTensorType>(value.getType());
  if (tensor && !(op && llvm::isa<graph::GraphDialect>(op->getDialect())))
    value.setType(tileOf(tensor));
}

Value ToTiles::get(Value value) const {
  if (auto found = tiles.find(value); found != tiles.end())
    return found->second;
  return value;
}

LogicalResult ToTiles::lower(Operation *op) {
  OpBuilder b(op);
  TileBuilder t(b, op->getLoc());
  Value made;
  LogicalResult done = success();
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](ViewOp view) {
        if (!isPanels(view)) // products load their own
          made = load(t, view);
      })
      .Case([&](WorkspaceOp workspace) { takeWorkspace(workspace); })
      .Case([&](AssembleOp assemble) { store(t, assemble); })
      .Case([&](UnaryOp unary) {
        made = t.unary(*tile::symbolizeUnaryKind(uint32_t(unary.getKind())), get(unary.getOperand()));
      })
      .Case([&](BinaryOp binary) {
        made = t.binary(*tile::symbolizeBinaryKind(uint32_t(binary.getKind())), get(binary.getLhs()),
                        get(binary.getRhs()));
      })
      .Case(
          [&](CompareOp compare) { made = t.compare(compare.getKind(), get(compare.getLhs()), get(compare.getRhs())); })
      .Case([&](SelectOp select) {
        made = tile::SelectOp::create(b, op->getLoc(), tileOf(select.getResult().getType()), get(select.getCondition()),
                                      get(select.getLhs()), get(select.getRhs()));
      })
      .Case([&](CastOp cast) { made = convert(t, cast); })
      .Case([&](FullOp full) { made = t.splat(full.getValue(), tileOf(full.getResult().getType())); })
      .Case([&](ExpandOp expand) {
        made = t.broadcast(get(expand.getOperand()), tileOf(expand.getResult().getType()).getShape());
      })
      .Case([&](ReshapeOp reshape) { made = reshaped(t, reshape); })
      .Case([&](TransposeOp transpose) { made = turn(t, transpose); })
      .Case([&](SliceOp slice) { made = this->slice(t, slice); })
      .Case([&](InsertOp insert) { made = this->insert(t, insert); })
      .Case([&](ReduceOp reduce) { made = this->reduce(t, reduce); })
      .Case([&](ArangeOp arange) {
        tile::TileType type = tileOf(arange.getResult().getType());
        Value counted = tile::ArangeOp::create(b, op->getLoc(), type);
        made = t.add(t.binary(tile::BinaryKind::Mul, counted, arange.getStep()), arange.getStart());
      })
      .Case([&](ConcatOp concat) { made = join(t, concat); })
      .Case([&](IotaOp iota) {
        tile::TileType type = tileOf(iota.getResult().getType());
        Value counted = t.cast(indicesOf(t, type.getShape())[iota.getAxis()], type.getElementType());
        Value start = iota.getStart();
        if (type.getElementType().isF32())
          start = arith::SIToFPOp::create(b, op->getLoc(), b.getF32Type(), start);
        made = constantOf(iota.getStart()) == 0 ? counted : t.binary(tile::BinaryKind::Add, counted, start);
      })
      .Case([&](GatherOp gather) { made = this->gather(t, gather); })
      .Case([&](ScatterOp scatter) { made = this->scatter(t, scatter); })
      .Case([&](GatherRowsOp rows) { made = gatherRows(t, rows); })
      .Case([&](ScatterRowsOp rows) { scatterRows(t, rows); })
      .Case([&](CumsumOp cumsum) {
        made = tile::CumsumOp::create(b, op->getLoc(), tileOf(cumsum.getResult().getType()), get(cumsum.getOperand()),
                                      cumsum.getAxis());
      })
      .Case([&](ArgOp arg) {
        bool isMax = arg.getKind() == tile::ArgKind::Max;
        double neutral = neutralOf(isMax ? tile::ReduceKind::Max : tile::ReduceKind::Min,
                                   arg.getOperand().getType().getElementType());
        Value x = chosen(t, get(arg.getOperand()), arg.getAxis(), arg.getValid(), neutral);
        made = tile::ArgOp::create(b, op->getLoc(), tileOf(arg.getResult().getType()), arg.getKind(), x, arg.getAxis());
      })
      .Case([&](SortOp sort) { made = this->sort(t, sort); })
      .Case([&](MatmulOp matmul) { made = multiply(t, matmul); })
      .Default([&](Operation *other) {
        done = other->emitError() << "'" << other->getName().stripDialect() << "' has no tiles";
      });
  if (failed(done))
    return failure();
  if (made) {
    tiles[op->getResult(0)] = made;
    op->getResult(0).replaceUsesWithIf(
        made, [](OpOperand &use) { return !llvm::isa<graph::GraphDialect>(use.getOwner()->getDialect()); });
  }
  return success();
}

Value ToTiles::convert(TileBuilder &t, CastOp cast) {
  Value x = get(cast.getOperand());
  WholeTensorType from = cast.getOperand().getType(), to = cast.getResult().getType();
  if (isTruth(to))
    return t.compare(tile::CompareKind::NE, x, 0.0);
  if (isTruth(from)) {
    Type half = t.b.getF16Type();
    Value ones = t.splat(t.constant(half, 1), tileTypeOf(x).withElementType(half));
    return t.cast(t.select(x, ones, 0.0), to.getElementType());
  }
  return t.cast(x, to.getElementType());
}

Value ToTiles::chosen(TileBuilder &t, Value x, int64_t axis, Value valid, double neutral) {
  ArrayRef<int64_t> shape = tileTypeOf(x).getShape();
  if (constantOf(valid) == shape[axis])
    return x;
  GraphBuilder g(t.b, t.loc);
  int64_t inner = llvm::product_of(shape.drop_front(axis + 1));
  SmallVector<int64_t> one(shape);
  std::fill(one.begin(), one.begin() + axis, 1);
  auto lanes = tileTypeOf(x).withElementType(t.b.getI1Type()).withShape(one);
  Value mask = tile::LanesOp::create(t.b, t.loc, lanes, g.times(valid, inner), DenseI64ArrayAttr());
  return t.select(t.broadcast(mask, shape), x, neutral);
}

Value ToTiles::reduce(TileBuilder &t, ReduceOp op) {
  Value x = get(op.getOperand());
  Type element = op.getOperand().getType().getElementType();
  x = chosen(t, x, op.getAxis(), op.getValid(), neutralOf(op.getKind(), element));
  return t.reduce(op.getKind(), x, {int64_t(op.getAxis())}, tileOf(op.getResult().getType()).getShape());
}

// Values and positions of one sort are the same operation, which is made once.
Value ToTiles::sort(TileBuilder &t, SortOp op) {
  Value x = get(op.getOperand());
  int64_t last = op.getOperand().getType().getRank() - 1;
  x = chosen(t, x, last, op.getValid(), -std::numeric_limits<double>::infinity());
  SmallVector<int64_t> shape(padded(op.getResult().getType().getShape()));
  auto values = tileTypeOf(x).withShape(shape), positions = values.withElementType(t.b.getI32Type());
  auto sorted = tile::SortOp::create(t.b, t.loc, values, positions, x);
  return op.getResult().getType().getElementType().isF32() ? sorted.getValues() : sorted.getPositions();
}

namespace {
struct GraphToTilePass : tilesmith::impl::GraphToTileBase<GraphToTilePass> {
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    bool any = false;
    unsigned narrowest = 32;
    kernel.walk([&](Operation *op) {
      any |= llvm::isa<graph::GraphDialect>(op->getDialect());
      for (Value value : llvm::concat<Value>(llvm::to_vector(op->getOperands()), llvm::to_vector(op->getResults()))) {
        Type element;
        if (auto tensor = dyn_cast<WholeTensorType>(value.getType()))
          element = tensor.getElementType();
        if (auto memory = dyn_cast<tile::GlobalTensorType>(value.getType()))
          element = memory.getElementType();
        if (element && !element.isInteger(1))
          narrowest = std::min(narrowest, element.getIntOrFloatBitWidth());
      }
    });
    if (!any)
      return;
    WalkResult walked = getOperation().walk([&](Operation *op) {
      for (Value result : op->getResults())
        if (auto type = dyn_cast<WholeTensorType>(result.getType());
            type && llvm::any_of(type.getShape(), ShapedType::isDynamic) && !ToTiles::isPanels(op)) {
          op->emitError() << "a tensor whose size is known at launch only is needed as a whole here";
          return WalkResult::interrupt();
        }
      return WalkResult::advance();
    });
    if (walked.wasInterrupted())
      return signalPassFailure();
    ToTiles to(kernel, isa::blockBytes * 8 / std::max(narrowest, 8u));
    SmallVector<Operation *> ops;
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (llvm::isa<graph::GraphDialect>(op->getDialect()))
        ops.push_back(op);
      for (Value result : op->getResults())
        to.convertType(result, op);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument argument : block.getArguments())
            to.convertType(argument, nullptr);
    });
    for (Operation *op : ops)
      if (failed(to.lower(op)))
        return signalPassFailure();
    for (Operation *op : llvm::reverse(ops))
      op->erase();
  }
};
} // namespace
