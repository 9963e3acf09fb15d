// Graph to tile: every tensor becomes one tile.
//
// The last axis of a tile is rounded up to whole blocks of 32 bytes of the narrowest element the kernel has, so that
// tensors of one shape are tiles of one shape whatever their elements are. What lies behind a tensor's own elements is
// never read: reductions choose a neutral element there, products end at the inner extent, and assembles write the
// valid part. Truth values are bytes in memory.
//
// Afterwards no operation and no type of the graph dialect is left.
#include "../TileBuilder.h"
#include "GraphBuilder.h"
#include "Positions.h"
#include "tilesmith/Dialect/Isa/IsaDialect.h"
#include "tilesmith/Dialect/Isa/Workspace.h"
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
using graph::constantOf;
using graph::dividedDown, graph::gathered, graph::indicesOf, graph::originOf, graph::positionsOf, graph::stridesOf;
using graph::GraphBuilder;

namespace {

// The element that changes no result of a reduction.
double neutralOf(tile::ReduceKind kind, Type element) {
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

struct GraphToTilePass : tilesmith::impl::GraphToTileBase<GraphToTilePass> {
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    bool any = false;
    unsigned narrowest = 32;
    kernel.walk([&](Operation *op) {
      any |= llvm::isa<graph::GraphDialect>(op->getDialect());
      for (Value value : llvm::concat<Value>(llvm::to_vector(op->getOperands()), llvm::to_vector(op->getResults()))) {
        Type element;
        if (auto tensor = dyn_cast<graph::WholeTensorType>(value.getType()))
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
        if (auto type = dyn_cast<graph::WholeTensorType>(result.getType());
            type && llvm::any_of(type.getShape(), ShapedType::isDynamic)) {
          op->emitError() << "a tensor whose size is known at launch only is needed as a whole here";
          return WalkResult::interrupt();
        }
      return WalkResult::advance();
    });
    if (walked.wasInterrupted())
      return signalPassFailure();
    unit = isa::blockBytes * 8 / std::max(narrowest, 8u);
    SmallVector<Operation *> ops;
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (llvm::isa<graph::GraphDialect>(op->getDialect()))
        ops.push_back(op);
      for (Value result : op->getResults())
        convertType(result, op);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument argument : block.getArguments())
            convertType(argument, nullptr);
    });
    for (Operation *op : ops)
      if (failed(lower(op)))
        return signalPassFailure();
    for (Operation *op : llvm::reverse(ops))
      op->erase();
  }

  int64_t unit = 8; // elements of the last axis come in multiples of it

  SmallVector<int64_t> padded(ArrayRef<int64_t> shape) const {
    SmallVector<int64_t> result(shape);
    if (result.back() != 1)
      result.back() = llvm::alignTo(result.back(), unit);
    return result;
  }
  tile::TileType tileOf(graph::WholeTensorType type) const {
    return tile::TileType::get(type.getContext(), padded(type.getShape()), type.getElementType(), isa::Memory::UB);
  }
  // Values of control flow take their new type at once; results of graph operations are replaced one by one.
  void convertType(Value value, Operation *op) {
    auto tensor = dyn_cast<graph::WholeTensorType>(value.getType());
    if (tensor && !(op && llvm::isa<graph::GraphDialect>(op->getDialect())))
      value.setType(tileOf(tensor));
  }

  llvm::DenseMap<Value, Value> tiles;
  llvm::DenseMap<Value, Value> sums; // of products, where they are made

  // A tile in UB, or a scalar.
  Value get(Value value) {
    if (auto found = tiles.find(value); found != tiles.end())
      return found->second;
    return value;
  }

  LogicalResult lower(Operation *op) {
    OpBuilder b(op);
    TileBuilder t(b, op->getLoc());
    Value made;
    LogicalResult done = success();
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](graph::ViewOp view) { made = load(t, view); })
        .Case([&](graph::WorkspaceOp workspace) { takeWorkspace(workspace); })
        .Case([&](graph::AssembleOp assemble) { store(t, assemble); })
        .Case([&](graph::UnaryOp unary) {
          made = t.unary(*tile::symbolizeUnaryKind(uint32_t(unary.getKind())), get(unary.getOperand()));
        })
        .Case([&](graph::BinaryOp binary) {
          made = t.binary(*tile::symbolizeBinaryKind(uint32_t(binary.getKind())), get(binary.getLhs()),
                          get(binary.getRhs()));
        })
        .Case([&](graph::CompareOp compare) {
          made = t.compare(compare.getKind(), get(compare.getLhs()), get(compare.getRhs()));
        })
        .Case([&](graph::SelectOp select) {
          made = tile::SelectOp::create(b, op->getLoc(), tileOf(select.getResult().getType()),
                                        get(select.getCondition()), get(select.getLhs()), get(select.getRhs()));
        })
        .Case([&](graph::CastOp cast) { made = convert(t, cast); })
        .Case([&](graph::FullOp full) { made = t.splat(full.getValue(), tileOf(full.getResult().getType())); })
        .Case([&](graph::ExpandOp expand) {
          made = t.broadcast(get(expand.getOperand()), tileOf(expand.getResult().getType()).getShape());
        })
        .Case([&](graph::ReshapeOp reshape) { made = reshaped(t, reshape); })
        .Case([&](graph::TransposeOp transpose) { made = turn(t, transpose); })
        .Case([&](graph::SliceOp slice) { made = this->slice(t, slice); })
        .Case([&](graph::InsertOp insert) { made = this->insert(t, insert); })
        .Case([&](graph::ReduceOp reduce) { made = this->reduce(t, reduce); })
        .Case([&](graph::ArangeOp arange) {
          tile::TileType type = tileOf(arange.getResult().getType());
          Value counted = tile::ArangeOp::create(b, op->getLoc(), type);
          made = t.add(t.binary(tile::BinaryKind::Mul, counted, arange.getStep()), arange.getStart());
        })
        .Case([&](graph::ConcatOp concat) { join(t, concat, made); })
        .Case([&](graph::IotaOp iota) {
          tile::TileType type = tileOf(iota.getResult().getType());
          Value counted = t.cast(indicesOf(t, type.getShape())[iota.getAxis()], type.getElementType());
          Value start = iota.getStart();
          if (type.getElementType().isF32())
            start = arith::SIToFPOp::create(b, op->getLoc(), b.getF32Type(), start);
          made = constantOf(iota.getStart()) == 0 ? counted : t.binary(tile::BinaryKind::Add, counted, start);
        })
        .Case([&](graph::GatherOp gather) { made = this->gather(t, gather); })
        .Case([&](graph::ScatterOp scatter) { made = this->scatter(t, scatter); })
        .Case([&](graph::GatherRowsOp rows) { made = gatherRows(t, rows); })
        .Case([&](graph::ScatterRowsOp rows) { scatterRows(t, rows); })
        .Case([&](graph::CumsumOp cumsum) {
          made = tile::CumsumOp::create(b, op->getLoc(), tileOf(cumsum.getResult().getType()), get(cumsum.getOperand()),
                                        cumsum.getAxis());
        })
        .Case([&](graph::ArgOp arg) {
          bool isMax = arg.getKind() == tile::ArgKind::Max;
          double neutral = neutralOf(isMax ? tile::ReduceKind::Max : tile::ReduceKind::Min,
                                     arg.getOperand().getType().getElementType());
          Value x = chosen(t, get(arg.getOperand()), arg.getAxis(), arg.getValid(), neutral);
          made =
              tile::ArgOp::create(b, op->getLoc(), tileOf(arg.getResult().getType()), arg.getKind(), x, arg.getAxis());
        })
        .Case([&](graph::SortOp sort) { made = this->sort(t, sort); })
        .Case([&](graph::MatmulOp matmul) { made = multiply(t, matmul); })
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

  // A parameter of the kernel that no launch gives.
  void takeWorkspace(graph::WorkspaceOp op) {
    func::FuncOp kernel = getOperation();
    Builder b(op.getContext());
    auto named = [&](StringRef name, Attribute value) { return b.getNamedAttr(name, value); };
    auto attributes = b.getDictionaryAttr({named(isa::noaliasAttrName, b.getUnitAttr()),
                                           named(isa::scratchAttrName, b.getI64IntegerAttr(op.getBytes()))});
    unsigned index = kernel.getNumArguments();
    (void)kernel.insertArgument(index, op.getResult().getType(), attributes, op.getLoc());
    op.getResult().replaceAllUsesWith(kernel.getArgument(index));
  }

  static bool isTruth(graph::WholeTensorType type) { return type.getElementType().isInteger(1); }

  // Global memory.

  // The array without its last axis, which has one element.
  static Value withoutLast(TileBuilder &t, Value memory) {
    auto tensor = memory.getDefiningOp<tile::TensorOp>();
    if (!tensor || !tensor.getStrides().empty() || tensor.getType().getRank() != 2 ||
        tensor.getType().getShape().back() != 1)
      return {};
    auto type = tile::GlobalTensorType::get(t.b.getContext(), tensor.getType().getShape().drop_back(),
                                            tensor.getType().getElementType());
    return tile::TensorOp::create(t.b, t.loc, type, tensor.getBase(), tensor.getOffset(), tensor.getDims(),
                                  ValueRange());
  }

  static Value limited(TileBuilder &t, Value memory, int64_t axis, Value end) {
    auto type = cast<tile::GlobalTensorType>(memory.getType());
    SmallVector<int64_t> shape(type.getShape());
    if (!ShapedType::isDynamic(shape[axis]) && constantOf(end) == shape[axis])
      return memory;
    shape[axis] = ShapedType::kDynamic;
    return tile::LimitOp::create(
        t.b, t.loc, tile::GlobalTensorType::get(type.getContext(), shape, type.getElementType()), memory, axis, end);
  }

  Value loadTile(TileBuilder &t, Value memory, ValueRange offsets, ArrayRef<int64_t> shape, double pad = 0) {
    Type element = cast<tile::GlobalTensorType>(memory.getType()).getElementType();
    auto type = tile::TileType::get(t.b.getContext(), shape, element, isa::Memory::UB);
    return tile::LoadOp::create(t.b, t.loc, type, memory, offsets, t.constant(element, pad));
  }

  Value load(TileBuilder &t, graph::ViewOp view) {
    graph::WholeTensorType type = view.getResult().getType();
    SmallVector<int64_t> shape(padded(type.getShape()));
    Value loaded;
    if (type.getRank() >= 2 && shape.back() == 1) {
      loaded = loadColumn(t, view, shape);
    } else {
      loaded = loadTile(t, view.getMemory(), view.getOffsets(), shape);
    }
    return isTruth(type) ? t.compare(tile::CompareKind::NE, t.cast(loaded, t.b.getF16Type()), 0.0) : loaded;
  }

  // One element of each row: the column itself where it is all the array has, else the largest of a row in which
  // everything beside it is less than any number.
  Value loadColumn(TileBuilder &t, graph::ViewOp view, ArrayRef<int64_t> shape) {
    if (Value column = withoutLast(t, view.getMemory()))
      return t.reshape(loadTile(t, column, view.getOffsets().drop_back(), shape.drop_back()), shape);
    OpBuilder &b = t.b;
    GraphBuilder g(b, t.loc);
    int64_t last = int64_t(shape.size()) - 1;
    Value memory = limited(t, view.getMemory(), last, g.plus(view.getOffsets().back(), g.i32(1)));
    SmallVector<int64_t> rows(shape);
    rows.back() = unit;
    Type element = view.getMemory().getType().getElementType();
    Value loaded = loadTile(t, memory, view.getOffsets(), rows, neutralOf(tile::ReduceKind::Max, element));
    return t.reduce(tile::ReduceKind::Max, loaded, {last}, shape);
  }

  void store(TileBuilder &t, graph::AssembleOp assemble) {
    graph::WholeTensorType type = assemble.getValue().getType();
    GraphBuilder g(t.b, t.loc);
    Value value = sums.lookup(assemble.getValue());
    if (!value)
      value = get(assemble.getValue());
    if (isTruth(type)) {
      Value byte = t.select(
          value, t.splat(t.constant(t.b.getF16Type(), 1), tileTypeOf(value).withElementType(t.b.getF16Type())), 0.0);
      value = t.cast(byte, assemble.getMemory().getType().getElementType());
    }
    Value memory = assemble.getMemory();
    SmallVector<Value> offsets(assemble.getOffsets()), valid(assemble.getValid());
    SmallVector<int64_t> shape(tileTypeOf(value).getShape());
    if (shape.size() >= 2 && shape.back() == 1) {
      if (Value column = withoutLast(t, memory)) {
        memory = column;
        offsets.pop_back(), valid.pop_back(), shape.pop_back();
        value = t.reshape(value, shape);
      } else {
        shape.back() = unit;
        value = t.broadcast(value, shape);
      }
    }
    for (auto [axis, extent] : llvm::enumerate(valid))
      if (constantOf(extent) != shape[axis])
        memory = limited(t, memory, axis, g.plus(offsets[axis], extent));
    if (assemble.getAtomic())
      tile::AtomicOp::create(t.b, t.loc, tile::AtomicKind::Add, value, memory, offsets, Value(), DenseI64ArrayAttr());
    else
      tile::StoreOp::create(t.b, t.loc, value, memory, offsets, Value(), DenseI64ArrayAttr());
  }

  // Elements.

  Value convert(TileBuilder &t, graph::CastOp cast) {
    Value x = get(cast.getOperand());
    graph::WholeTensorType from = cast.getOperand().getType(), to = cast.getResult().getType();
    if (isTruth(to))
      return t.compare(tile::CompareKind::NE, x, 0.0);
    if (isTruth(from)) {
      Type half = t.b.getF16Type();
      Value ones = t.splat(t.constant(half, 1), tileTypeOf(x).withElementType(half));
      return t.cast(t.select(x, ones, 0.0), to.getElementType());
    }
    return t.cast(x, to.getElementType());
  }

  // Shapes.

  // Where rounded rows do not keep their elements in place, each element is fetched from where it was.
  Value reshaped(TileBuilder &t, graph::ReshapeOp reshape) {
    ArrayRef<int64_t> from = reshape.getOperand().getType().getShape(), to = reshape.getResult().getType().getShape();
    Value x = get(reshape.getOperand());
    SmallVector<int64_t> source(padded(from)), target(padded(to));
    auto isDense = [&](ArrayRef<int64_t> shape) { return padded(shape) == SmallVector<int64_t>(shape); };
    if (from.back() == to.back() || (isDense(from) && isDense(to)))
      return t.reshape(x, target);
    Value number = positionsOf(t, indicesOf(t, target), stridesOf(to));
    Value row = dividedDown(t, number, from.back());
    Value column = t.sub(number, t.mul(row, double(from.back())));
    return gathered(t, x, t.add(t.mul(row, double(source.back())), column));
  }

  Value turn(TileBuilder &t, graph::TransposeOp transpose) {
    graph::WholeTensorType from = transpose.getOperand().getType(), to = transpose.getResult().getType();
    Value x = get(transpose.getOperand());
    bool isDense = padded(from.getShape()).back() == from.getShape().back() &&
                   padded(to.getShape()).back() == to.getShape().back();
    if (isDense)
      return tile::TransposeOp::create(t.b, t.loc, tileOf(to), x, transpose.getAxes());
    SmallVector<int64_t> own = stridesOf(tileTypeOf(x).getShape()), strides;
    for (int64_t axis : transpose.getAxes())
      strides.push_back(own[axis]);
    return gathered(t, x, positionsOf(t, indicesOf(t, tileOf(to).getShape()), strides));
  }

  // A part whose rows begin and end with blocks of 32 bytes is a move of rows.
  bool isAligned(Value tile, ValueRange offsets, ArrayRef<int64_t> shape) const {
    std::optional<int64_t> last = constantOf(offsets.back());
    unsigned bits = std::max(8u, elementTypeOf(tile).getIntOrFloatBitWidth());
    int64_t block = isa::blockBytes * 8 / bits, width = tileTypeOf(tile).getShape().back();
    if (elementTypeOf(tile).isInteger(1) || !last || *last % block || shape.back() % block ||
        *last + shape.back() > width)
      return false;
    // Where a number decides where a part begins, it may stick out of the tile.
    for (auto [offset, size, all] : llvm::zip_equal(offsets, shape, tileTypeOf(tile).getShape()))
      if (std::optional<int64_t> known = constantOf(offset); !known || *known < 0 || *known + size > all)
        return false;
    return true;
  }

  Value slice(TileBuilder &t, graph::SliceOp op) {
    Value x = get(op.getOperand());
    tile::TileType part = tileOf(op.getResult().getType());
    if (isAligned(x, op.getOffsets(), part.getShape()))
      return tile::CopyOp::create(t.b, t.loc, part, x, op.getOffsets(), UnitAttr());
    SmallVector<int64_t> strides = stridesOf(tileTypeOf(x).getShape());
    Value positions =
        t.cast(positionsOf(t, indicesOf(t, tileOf(op.getResult().getType()).getShape()), strides), t.b.getI32Type());
    return gathered(t, x, t.binary(tile::BinaryKind::Add, positions, originOf(t, op.getOffsets(), strides)));
  }

  // The tile with elements of the source at these positions. Those outside of `valid` have none, and are skipped.
  Value placed(TileBuilder &t, Value x, Value source, Value positions, ArrayRef<Value> indices, ValueRange valid) {
    Type element = elementTypeOf(x), i32 = t.b.getI32Type(), f32 = t.b.getF32Type();
    ArrayRef<int64_t> shape = tileTypeOf(source).getShape();
    for (auto [axis, extent] : llvm::enumerate(valid)) {
      if (constantOf(extent) == shape[axis])
        continue;
      Value inside =
          t.compare(tile::CompareKind::LT, indices[axis], arith::SIToFPOp::create(t.b, t.loc, f32, extent).getResult());
      positions = t.select(inside, positions, t.constant(i32, double(INT32_MAX)));
    }
    bool isNarrow = element.getIntOrFloatBitWidth() < 16;
    Type half = t.b.getF16Type();
    if (isNarrow)
      x = t.cast(x, half), source = t.cast(source, half);
    Value result = tile::ScatterOp::create(t.b, t.loc, x.getType(), source, x, positions);
    return isNarrow ? t.cast(result, element) : result;
  }

  Value insertAt(TileBuilder &t, Value x, Value source, ValueRange offsets, ValueRange valid) {
    SmallVector<int64_t> strides = stridesOf(tileTypeOf(x).getShape());
    SmallVector<Value> indices = indicesOf(t, tileTypeOf(source).getShape());
    Value positions = t.cast(positionsOf(t, indices, strides), t.b.getI32Type());
    positions = t.binary(tile::BinaryKind::Add, positions, originOf(t, offsets, strides));
    return placed(t, x, source, positions, indices, valid);
  }
  // Whole rows of the first axis take the place of others.
  bool isRows(Value x, Value source, ValueRange offsets, ValueRange valid, ArrayRef<int64_t> sizes) const {
    ArrayRef<int64_t> all = tileTypeOf(x).getShape(), shape = tileTypeOf(source).getShape();
    std::optional<int64_t> row = constantOf(offsets[0]);
    bool fits = all.size() >= 2 && all[0] > 1 && row && *row >= 0 && *row + shape[0] <= all[0] &&
                constantOf(valid[0]) == shape[0] && !elementTypeOf(x).isInteger(1);
    for (size_t axis = 1; fits && axis < all.size(); ++axis)
      fits = all[axis] == shape[axis] && constantOf(offsets[axis]) == 0 && constantOf(valid[axis]) == sizes[axis];
    return fits;
  }

  Value insert(TileBuilder &t, graph::InsertOp op) {
    Value whole = get(op.getOperand()), part = get(op.getSource());
    if (isRows(whole, part, op.getOffsets(), op.getValid(), op.getSource().getType().getShape()))
      return tile::InsertOp::create(t.b, t.loc, whole.getType(), part, whole, op.getOffsets()[0]);
    return insertAt(t, get(op.getOperand()), get(op.getSource()), op.getOffsets(), op.getValid());
  }

  // Elements and rows by their numbers.

  Value gather(TileBuilder &t, graph::GatherOp op) {
    Value x = get(op.getOperand()), index = get(op.getIndex());
    SmallVector<Value> indices = indicesOf(t, tileTypeOf(index).getShape());
    indices[op.getAxis()] = t.cast(index, t.b.getF32Type());
    return gathered(t, x, positionsOf(t, indices, stridesOf(tileTypeOf(x).getShape())));
  }

  Value scatter(TileBuilder &t, graph::ScatterOp op) {
    Value x = get(op.getOperand()), index = get(op.getIndex());
    SmallVector<Value> stand = indicesOf(t, tileTypeOf(index).getShape()), indices = stand;
    indices[op.getAxis()] = t.cast(index, t.b.getF32Type());
    Value positions = t.cast(positionsOf(t, indices, stridesOf(tileTypeOf(x).getShape())), t.b.getI32Type());
    return placed(t, x, get(op.getSource()), positions, stand, op.getValid());
  }

  // Rows are counted up to a whole block, of which only the first are kept.
  Value gatherRows(TileBuilder &t, graph::GatherRowsOp op) {
    Value rows = get(op.getRows());
    tile::TileType type = tileOf(op.getResult().getType());
    SmallVector<int64_t> shape{tileTypeOf(rows).getShape()[0], type.getShape()[1]};
    Value all = tile::GatherRowsOp::create(t.b, t.loc, type.withShape(shape), op.getMemory(), rows, op.getColumn(),
                                           t.constant(type.getElementType(), 0));
    GraphBuilder g(t.b, t.loc);
    if (type.getShape() == ArrayRef(shape))
      return all;
    return tile::CopyOp::create(t.b, t.loc, type, all, ValueRange{g.i32(0), g.i32(0)}, UnitAttr());
  }

  void scatterRows(TileBuilder &t, graph::ScatterRowsOp op) {
    GraphBuilder g(t.b, t.loc);
    Value rows = get(op.getRows()), value = get(op.getValue());
    Type i32 = t.b.getI32Type(), f32 = t.b.getF32Type();
    ArrayRef<int64_t> shape = tileTypeOf(rows).getShape();
    if (constantOf(op.getValid()) != shape[0]) {
      Value stand = indicesOf(t, shape)[0];
      Value inside =
          t.compare(tile::CompareKind::LT, stand, arith::SIToFPOp::create(t.b, t.loc, f32, op.getValid()).getResult());
      rows = t.select(inside, rows, t.constant(i32, double(INT32_MAX)));
    }
    tile::TileType type = tileTypeOf(value);
    if (type.getShape()[0] != shape[0]) { // as many rows as there are numbers
      SmallVector<int64_t> more{shape[0], type.getShape()[1]};
      Value empty = t.splat(t.constant(type.getElementType(), 0), type.withShape(more));
      value = tile::InsertOp::create(t.b, t.loc, empty.getType(), value, empty, g.i32(0));
    }
    tile::ScatterRowsOp::create(t.b, t.loc, value, op.getMemory(), rows, g.i32(0));
  }

  // Rows.

  // The first `valid` elements of the axis, the neutral one behind them.
  Value chosen(TileBuilder &t, Value x, int64_t axis, Value valid, double neutral) {
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

  Value reduce(TileBuilder &t, graph::ReduceOp op) {
    Value x = get(op.getOperand());
    Type element = op.getOperand().getType().getElementType();
    x = chosen(t, x, op.getAxis(), op.getValid(), neutralOf(op.getKind(), element));
    return t.reduce(op.getKind(), x, {int64_t(op.getAxis())}, tileOf(op.getResult().getType()).getShape());
  }

  // Values and positions of one sort are the same operation, which is made once.
  Value sort(TileBuilder &t, graph::SortOp op) {
    Value x = get(op.getOperand());
    int64_t last = op.getOperand().getType().getRank() - 1;
    x = chosen(t, x, last, op.getValid(), -std::numeric_limits<double>::infinity());
    SmallVector<int64_t> shape(padded(op.getResult().getType().getShape()));
    auto values = tileTypeOf(x).withShape(shape), positions = values.withElementType(t.b.getI32Type());
    auto sorted = tile::SortOp::create(t.b, t.loc, values, positions, x);
    return op.getResult().getType().getElementType().isF32() ? sorted.getValues() : sorted.getPositions();
  }

  // Tiles are joined along their first axis; another one takes its place for this.
  void join(TileBuilder &t, graph::ConcatOp op, Value &made) {
    graph::WholeTensorType to = op.getResult().getType();
    int64_t axis = op.getAxis();
    SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, to.getRank()));
    std::swap(order[0], order[axis]);
    auto turned = [&](Value x) -> Value {
      SmallVector<int64_t> shape(tileTypeOf(x).getShape());
      std::swap(shape[0], shape[axis]);
      return axis ? tile::TransposeOp::create(t.b, t.loc, tileTypeOf(x).withShape(shape), x, order).getResult() : x;
    };
    SmallVector<Value> parts;
    bool isDense = true;
    for (Value operand : op.getOperands()) {
      auto from = cast<graph::WholeTensorType>(operand.getType());
      isDense &= !axis || (from.getShape()[0] % unit == 0 && from.getShape()[axis] % unit == 0 &&
                           from.getShape().back() % unit == 0);
    }
    if (!isDense) {
      made = placeParts(t, op);
      return;
    }
    for (Value operand : op.getOperands())
      parts.push_back(turned(get(operand)));
    SmallVector<int64_t> shape(tileTypeOf(parts.front()).getShape());
    shape[0] = to.getShape()[axis];
    made = turned(tile::ConcatOp::create(t.b, t.loc, tileTypeOf(parts.front()).withShape(shape), parts));
  }

  // One part after the other, element by element.
  Value placeParts(TileBuilder &t, graph::ConcatOp op) {
    GraphBuilder g(t.b, t.loc);
    tile::TileType type = tileOf(op.getResult().getType());
    Value all = t.splat(t.constant(type.getElementType(), 0), type);
    int64_t begin = 0;
    for (Value operand : op.getOperands()) {
      ArrayRef<int64_t> shape = cast<graph::WholeTensorType>(operand.getType()).getShape();
      SmallVector<Value> offsets(shape.size(), g.i32(0)), valid;
      offsets[op.getAxis()] = g.i32(begin);
      for (int64_t size : shape)
        valid.push_back(g.i32(size));
      all = insertAt(t, all, get(operand), offsets, valid);
      begin += shape[op.getAxis()];
    }
    return all;
  }

  // Products.

  // An operand as [m, k] or [k, n] with both axes rounded up. One that is loaded has zeros behind the inner extent.
  Value operand(TileBuilder &t, graph::MatmulOp op, Value tensor, bool isLeft, Value part, int64_t size) {
    bool turned = isLeft ? op.getLhsTurned() : op.getRhsTurned();
    auto type = cast<graph::WholeTensorType>(tensor.getType());
    int64_t rank = type.getRank(), inner = isLeft == turned ? rank - 2 : rank - 1;
    SmallVector<int64_t> shape(type.getShape());
    Value made;
    if (auto view = tensor.getDefiningOp<graph::ViewOp>()) {
      GraphBuilder g(t.b, t.loc);
      SmallVector<Value> offsets(view.getOffsets());
      Value memory = limited(t, view.getMemory(), inner, g.plus(offsets[inner], op.getInner()));
      offsets[inner] = g.plus(offsets[inner], part);
      shape[inner] = size;
      for (int64_t axis : {rank - 2, rank - 1})
        shape[axis] = llvm::alignTo(shape[axis], unit);
      made = loadTile(t, memory, offsets, shape);
    } else {
      made = get(tensor);
      SmallVector<int64_t> strides = stridesOf(tileTypeOf(made).getShape());
      for (int64_t axis : {rank - 2, rank - 1})
        shape[axis] = llvm::alignTo(shape[axis], unit);
      if (tileTypeOf(made).getShape() != ArrayRef(shape))
        made = gathered(t, made, positionsOf(t, indicesOf(t, shape), strides));
    }
    if (turned) {
      SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, rank)),
                           turnedShape(tileTypeOf(made).getShape());
      std::swap(axes[rank - 2], axes[rank - 1]);
      std::swap(turnedShape[rank - 2], turnedShape[rank - 1]);
      made = tile::TransposeOp::create(t.b, t.loc, tileTypeOf(made).withShape(turnedShape), made, axes);
    }
    return made;
  }

  Value multiply(TileBuilder &t, graph::MatmulOp op) {
    GraphBuilder g(t.b, t.loc);
    graph::WholeTensorType lhs = op.getLhs().getType(), to = op.getResult().getType();
    int64_t rank = to.getRank(), inner = lhs.getShape()[op.getLhsTurned() ? rank - 2 : rank - 1];
    Type sum = lhs.getElementType().isInteger(8) ? Type(t.b.getI32Type()) : Type(t.b.getF32Type());
    SmallVector<int64_t> shape(to.getShape());
    for (int64_t axis : {rank - 2, rank - 1})
      shape[axis] = llvm::alignTo(shape[axis], unit);
    auto type = tile::TileType::get(t.b.getContext(), shape, sum, isa::Memory::L0C);
    auto tileShape = op.getTileShape();
    bool loaded = op.getLhs().getDefiningOp<graph::ViewOp>() && op.getRhs().getDefiningOp<graph::ViewOp>();
    int64_t step = llvm::alignTo(tileShape && loaded ? std::min((*tileShape)[1], inner) : inner, unit);
    // A panel that is wider than the shape says, because its columns are needed together, is less deep.
    if (int64_t width = shape[rank - 1]; tileShape && loaded && width > (*tileShape)[2])
      step = std::max<int64_t>(llvm::alignTo(isa::fractalRows, unit), step * (*tileShape)[2] / width / unit * unit);
    Value a, b, product;
    if (step >= inner || rank > 2) {
      step = llvm::alignTo(inner, unit);
      a = operand(t, op, op.getLhs(), true, g.i32(0), step), b = operand(t, op, op.getRhs(), false, g.i32(0), step);
      bool isWhole = constantOf(op.getInner()) == step || loaded;
      product = tile::MatmulOp::create(t.b, t.loc, type, a, b, Value(), isWhole ? Value() : op.getInner());
    } else {
      Value none = tile::ZerosAccOp::create(t.b, t.loc, type);
      auto loop = scf::ForOp::create(t.b, t.loc, g.i32(0), g.dividedUp(op.getInner(), step), g.i32(1), none);
      OpBuilder::InsertionGuard guard(t.b);
      t.b.setInsertionPointToStart(loop.getBody());
      Value part = g.times(loop.getInductionVar(), step);
      a = operand(t, op, op.getLhs(), true, part, step), b = operand(t, op, op.getRhs(), false, part, step);
      Value next = tile::MatmulOp::create(t.b, t.loc, type, a, b, loop.getRegionIterArg(0), Value());
      scf::YieldOp::create(t.b, t.loc, next);
      product = loop.getResult(0);
    }
    bool halves = !to.getElementType().isInteger(32) && to.getElementType() != sum;
    if (halves) // the write-out of the cube rounds
      product = tile::CastOp::create(t.b, t.loc, type.withElementType(to.getElementType()), product);
    bool onlyStored = llvm::all_of(op->getUsers(), [](Operation *user) { return llvm::isa<graph::AssembleOp>(user); });
    if (onlyStored && llvm::all_of(shape, [](int64_t size) { return size != 1; })) {
      sums[op.getResult()] = product;
      return {};
    }
    SmallVector<Value> origin(rank, g.i32(0));
    // Rows that rounding added are left behind.
    Value made =
        tile::CopyOp::create(t.b, t.loc, tileTypeOf(product).withMemory(isa::Memory::UB), product, origin, UnitAttr());
    if (tileOf(to).getShape() != ArrayRef(shape))
      made = tile::CopyOp::create(t.b, t.loc, tileOf(to), made, origin, UnitAttr());
    return made;
  }
};
} // namespace
