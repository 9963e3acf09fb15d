// Global memory to tiles and back: parts of arrays are loaded and stored, columns of one element by themselves, rows by
// their numbers; the workspace is a parameter that no launch gives.
#include "ToTiles.h"
#include "tilesmith/Dialect/Isa/IsaDialect.h"
#include "tilesmith/Dialect/Isa/Workspace.h"

#include <limits>

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::graph;

// The array without its last axis, which has one element.
static Value withoutLast(TileBuilder &t, Value memory) {
  auto tensor = memory.getDefiningOp<tile::TensorOp>();
  if (!tensor || !tensor.getStrides().empty() || tensor.getType().getRank() != 2 ||
      tensor.getType().getShape().back() != 1)
    return {};
  auto type = tile::GlobalTensorType::get(t.b.getContext(), tensor.getType().getShape().drop_back(),
                                          tensor.getType().getElementType());
  return tile::TensorOp::create(t.b, t.loc, type, tensor.getBase(), tensor.getOffset(), tensor.getDims(), ValueRange());
}

// A parameter of the kernel that no launch gives.
void ToTiles::takeWorkspace(WorkspaceOp op) {
  Builder b(op.getContext());
  auto named = [&](StringRef name, Attribute value) { return b.getNamedAttr(name, value); };
  SmallVector<NamedAttribute> attributes = {named(isa::noaliasAttrName, b.getUnitAttr()),
                                            named(isa::scratchAttrName, b.getI64IntegerAttr(op.getBytes()))};
  if (op->hasAttr(graph::sharedAttrName))
    attributes.push_back(named(isa::sharedAttrName, b.getUnitAttr()));
  unsigned index = kernel.getNumArguments();
  (void)kernel.insertArgument(index, op.getResult().getType(), b.getDictionaryAttr(attributes), op.getLoc());
  op.getResult().replaceAllUsesWith(kernel.getArgument(index));
}

Value ToTiles::limited(TileBuilder &t, Value memory, int64_t axis, Value end) {
  auto type = cast<tile::GlobalTensorType>(memory.getType());
  SmallVector<int64_t> shape(type.getShape());
  if (!ShapedType::isDynamic(shape[axis]) && constantOf(end) == shape[axis])
    return memory;
  shape[axis] = ShapedType::kDynamic;
  return tile::LimitOp::create(t.b, t.loc, tile::GlobalTensorType::get(type.getContext(), shape, type.getElementType()),
                               memory, axis, end);
}

Value ToTiles::loadTile(TileBuilder &t, Value memory, ValueRange offsets, ArrayRef<int64_t> shape, double pad) {
  Type element = cast<tile::GlobalTensorType>(memory.getType()).getElementType();
  auto type = tile::TileType::get(t.b.getContext(), shape, element, isa::Memory::UB);
  return tile::LoadOp::create(t.b, t.loc, type, memory, offsets, t.constant(element, pad));
}

Value ToTiles::load(TileBuilder &t, ViewOp view) {
  WholeTensorType type = view.getResult().getType();
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
Value ToTiles::loadColumn(TileBuilder &t, ViewOp view, ArrayRef<int64_t> shape) {
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

void ToTiles::store(TileBuilder &t, AssembleOp assemble) {
  WholeTensorType type = assemble.getValue().getType();
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

// Rows are counted up to a whole block, of which only the first are kept.
Value ToTiles::gatherRows(TileBuilder &t, GatherRowsOp op) {
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

void ToTiles::scatterRows(TileBuilder &t, ScatterRowsOp op) {
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
