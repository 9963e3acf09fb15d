// Products of tensors as products of tiles. An operand that is loaded comes in panels of the inner axis, with zeros
// behind its valid extent; a result that is only stored stays where the cube has it.
#include "ToTiles.h"
#include "tilesmith/Isa/Chip.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::graph;

bool ToTiles::isPanels(Operation *op) {
  auto view = dyn_cast<ViewOp>(op);
  if (!view || view->use_empty() || view.getResult().getType().getRank() != 2)
    return false;
  ArrayRef<int64_t> shape = view.getResult().getType().getShape();
  return llvm::count_if(shape, ShapedType::isDynamic) == 1 && llvm::all_of(view->getUses(), [&](OpOperand &use) {
           auto matmul = dyn_cast<MatmulOp>(use.getOwner());
           if (!matmul)
             return false;
           bool isLeft = use.getOperandNumber() == 0;
           int64_t inner = isLeft == (isLeft ? matmul.getLhsTurned() : matmul.getRhsTurned()) ? 0 : 1;
           return ShapedType::isDynamic(shape[inner]);
         });
}

// An operand as [m, k] or [k, n] with both axes rounded up. One that is loaded has zeros behind the inner extent.
Value ToTiles::operand(TileBuilder &t, MatmulOp op, Value tensor, bool isLeft, Value part, int64_t size) {
  bool turned = isLeft ? op.getLhsTurned() : op.getRhsTurned();
  auto type = cast<WholeTensorType>(tensor.getType());
  int64_t rank = type.getRank(), inner = isLeft == turned ? rank - 2 : rank - 1;
  SmallVector<int64_t> shape(type.getShape());
  Value made;
  if (auto view = tensor.getDefiningOp<ViewOp>()) {
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
    SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, rank)), turnedShape(tileTypeOf(made).getShape());
    std::swap(axes[rank - 2], axes[rank - 1]);
    std::swap(turnedShape[rank - 2], turnedShape[rank - 1]);
    made = tile::TransposeOp::create(t.b, t.loc, tileTypeOf(made).withShape(turnedShape), made, axes);
  }
  return made;
}

Value ToTiles::multiply(TileBuilder &t, MatmulOp op) {
  GraphBuilder g(t.b, t.loc);
  WholeTensorType lhs = op.getLhs().getType(), to = op.getResult().getType();
  int64_t rank = to.getRank(), inner = lhs.getShape()[op.getLhsTurned() ? rank - 2 : rank - 1];
  Type sum = lhs.getElementType().isInteger(8) ? Type(t.b.getI32Type()) : Type(t.b.getF32Type());
  SmallVector<int64_t> shape(to.getShape());
  for (int64_t axis : {rank - 2, rank - 1})
    shape[axis] = llvm::alignTo(shape[axis], unit);
  auto type = tile::TileType::get(t.b.getContext(), shape, sum, isa::Memory::L0C);
  auto tileShape = op.getTileShape();
  bool loaded = op.getLhs().getDefiningOp<ViewOp>() && op.getRhs().getDefiningOp<ViewOp>();
  bool isOpen = ShapedType::isDynamic(inner);
  int64_t step = tileShape && isOpen ? (*tileShape)[1] : tileShape && loaded ? std::min((*tileShape)[1], inner) : inner;
  step = llvm::alignTo(step, unit);
  // A panel that is wider than the shape says, because its columns are needed together, is less deep.
  if (int64_t width = shape[rank - 1]; tileShape && loaded && width > (*tileShape)[2])
    step = std::max<int64_t>(llvm::alignTo(isa::fractalRows, unit), step * (*tileShape)[2] / width / unit * unit);
  Value a, b, product;
  if (!isOpen && (step >= inner || rank > 2)) {
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
  bool onlyStored = llvm::all_of(op->getUsers(), [](Operation *user) { return llvm::isa<AssembleOp>(user); });
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
