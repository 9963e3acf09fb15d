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
        .Case([&](graph::ConcatOp concat) { done = join(t, concat, made); })
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

  Value slice(TileBuilder &t, graph::SliceOp op) {
    Value x = get(op.getOperand());
    SmallVector<int64_t> strides = stridesOf(tileTypeOf(x).getShape());
    Value positions =
        t.cast(positionsOf(t, indicesOf(t, tileOf(op.getResult().getType()).getShape()), strides), t.b.getI32Type());
    return gathered(t, x, t.binary(tile::BinaryKind::Add, positions, originOf(t, op.getOffsets(), strides)));
  }

  // Elements that are not valid have no position in the target, and are skipped.
  Value insert(TileBuilder &t, graph::InsertOp op) {
    Value x = get(op.getOperand()), source = get(op.getSource());
    Type element = elementTypeOf(x), i32 = t.b.getI32Type(), f32 = t.b.getF32Type();
    ArrayRef<int64_t> shape = tileTypeOf(source).getShape();
    SmallVector<int64_t> strides = stridesOf(tileTypeOf(x).getShape());
    SmallVector<Value> indices = indicesOf(t, shape);
    Value positions = t.cast(positionsOf(t, indices, strides), i32);
    positions = t.binary(tile::BinaryKind::Add, positions, originOf(t, op.getOffsets(), strides));
    for (auto [axis, extent] : llvm::enumerate(op.getValid())) {
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
  LogicalResult join(TileBuilder &t, graph::ConcatOp op, Value &made) {
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
    for (Value operand : op.getOperands()) {
      auto from = cast<graph::WholeTensorType>(operand.getType());
      if (axis && (from.getShape()[0] % unit || from.getShape()[axis] % unit || from.getShape().back() % unit))
        return op.emitError() << "concat of " << from << " along axis " << axis
                              << " is not there yet: sizes have to be multiples of " << unit;
      parts.push_back(turned(get(operand)));
    }
    SmallVector<int64_t> shape(tileTypeOf(parts.front()).getShape());
    shape[0] = to.getShape()[axis];
    made = turned(tile::ConcatOp::create(t.b, t.loc, tileTypeOf(parts.front()).withShape(shape), parts));
    return success();
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
