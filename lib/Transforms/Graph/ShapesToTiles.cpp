// Shapes of tensors as tiles: views where rounded rows keep their elements in place, moves of rows where they begin and
// end with blocks, and else element by element.
#include "ToTiles.h"
#include "tilesmith/Isa/Chip.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::graph;

// Where rounded rows do not keep their elements in place, each element is fetched from where it was.
Value ToTiles::reshaped(TileBuilder &t, ReshapeOp reshape) {
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

Value ToTiles::turn(TileBuilder &t, TransposeOp transpose) {
  WholeTensorType from = transpose.getOperand().getType(), to = transpose.getResult().getType();
  Value x = get(transpose.getOperand());
  bool isDense =
      padded(from.getShape()).back() == from.getShape().back() && padded(to.getShape()).back() == to.getShape().back();
  if (isDense)
    return tile::TransposeOp::create(t.b, t.loc, tileOf(to), x, transpose.getAxes());
  SmallVector<int64_t> own = stridesOf(tileTypeOf(x).getShape()), strides;
  for (int64_t axis : transpose.getAxes())
    strides.push_back(own[axis]);
  return gathered(t, x, positionsOf(t, indicesOf(t, tileOf(to).getShape()), strides));
}

// A part whose rows begin and end with blocks of 32 bytes is a move of rows.
bool ToTiles::isAligned(Value tile, ValueRange offsets, ArrayRef<int64_t> shape) const {
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

Value ToTiles::slice(TileBuilder &t, SliceOp op) {
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
Value ToTiles::placed(TileBuilder &t, Value x, Value source, Value positions, ArrayRef<Value> indices,
                      ValueRange valid) {
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

Value ToTiles::insertAt(TileBuilder &t, Value x, Value source, ValueRange offsets, ValueRange valid) {
  SmallVector<int64_t> strides = stridesOf(tileTypeOf(x).getShape());
  SmallVector<Value> indices = indicesOf(t, tileTypeOf(source).getShape());
  Value positions = t.cast(positionsOf(t, indices, strides), t.b.getI32Type());
  positions = t.binary(tile::BinaryKind::Add, positions, originOf(t, offsets, strides));
  return placed(t, x, source, positions, indices, valid);
}

// Whole rows of the first axis take the place of others.
bool ToTiles::isRows(Value x, Value source, ValueRange offsets, ValueRange valid, ArrayRef<int64_t> sizes) const {
  ArrayRef<int64_t> all = tileTypeOf(x).getShape(), shape = tileTypeOf(source).getShape();
  std::optional<int64_t> row = constantOf(offsets[0]);
  bool fits = all.size() >= 2 && all[0] > 1 && row && *row >= 0 && *row + shape[0] <= all[0] &&
              constantOf(valid[0]) == shape[0] && !elementTypeOf(x).isInteger(1);
  for (size_t axis = 1; fits && axis < all.size(); ++axis)
    fits = all[axis] == shape[axis] && constantOf(offsets[axis]) == 0 && constantOf(valid[axis]) == sizes[axis];
  return fits;
}

Value ToTiles::insert(TileBuilder &t, InsertOp op) {
  Value whole = get(op.getOperand()), part = get(op.getSource());
  if (isRows(whole, part, op.getOffsets(), op.getValid(), op.getSource().getType().getShape()))
    return tile::InsertOp::create(t.b, t.loc, whole.getType(), part, whole, op.getOffsets()[0]);
  return insertAt(t, get(op.getOperand()), get(op.getSource()), op.getOffsets(), op.getValid());
}

Value ToTiles::gather(TileBuilder &t, GatherOp op) {
  Value x = get(op.getOperand()), index = get(op.getIndex());
  SmallVector<Value> indices = indicesOf(t, tileTypeOf(index).getShape());
  indices[op.getAxis()] = t.cast(index, t.b.getF32Type());
  return gathered(t, x, positionsOf(t, indices, stridesOf(tileTypeOf(x).getShape())));
}

Value ToTiles::scatter(TileBuilder &t, ScatterOp op) {
  Value x = get(op.getOperand()), index = get(op.getIndex());
  SmallVector<Value> stand = indicesOf(t, tileTypeOf(index).getShape()), indices = stand;
  indices[op.getAxis()] = t.cast(index, t.b.getF32Type());
  Value positions = t.cast(positionsOf(t, indices, stridesOf(tileTypeOf(x).getShape())), t.b.getI32Type());
  return placed(t, x, get(op.getSource()), positions, stand, op.getValid());
}

// Tiles are joined along their first axis; another one takes its place for this.
Value ToTiles::join(TileBuilder &t, ConcatOp op) {
  WholeTensorType to = op.getResult().getType();
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
    auto from = cast<WholeTensorType>(operand.getType());
    isDense &= !axis || (from.getShape()[0] % unit == 0 && from.getShape()[axis] % unit == 0 &&
                         from.getShape().back() % unit == 0);
  }
  if (!isDense)
    return placeParts(t, op);
  for (Value operand : op.getOperands())
    parts.push_back(turned(get(operand)));
  SmallVector<int64_t> shape(tileTypeOf(parts.front()).getShape());
  shape[0] = to.getShape()[axis];
  return turned(tile::ConcatOp::create(t.b, t.loc, tileTypeOf(parts.front()).withShape(shape), parts));
}

// One part after the other, element by element.
Value ToTiles::placeParts(TileBuilder &t, ConcatOp op) {
  GraphBuilder g(t.b, t.loc);
  tile::TileType type = tileOf(op.getResult().getType());
  Value all = t.splat(t.constant(type.getElementType(), 0), type);
  int64_t begin = 0;
  for (Value operand : op.getOperands()) {
    ArrayRef<int64_t> shape = cast<WholeTensorType>(operand.getType()).getShape();
    SmallVector<Value> offsets(shape.size(), g.i32(0)), valid;
    offsets[op.getAxis()] = g.i32(begin);
    for (int64_t size : shape)
      valid.push_back(g.i32(size));
    all = insertAt(t, all, get(operand), offsets, valid);
    begin += shape[op.getAxis()];
  }
  return all;
}
