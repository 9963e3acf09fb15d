// asc2.tensor, and what strides make of a tensor.
#include "Tensors.h"
#include "Tiles.h"

namespace tilesmith::frontend::asc2 {

const Layout &Layout::of(const Value &tensor) { return static_cast<const Layout &>(*tensor.parts); }

llvm::SmallVector<int64_t> Layout::shape(llvm::ArrayRef<int64_t> shape) const {
  llvm::SmallVector<int64_t> result(shape);
  for (auto [place, dimension] : llvm::enumerate(order))
    result[place] = shape[dimension];
  if (hasUnit)
    result.push_back(1);
  return result;
}

llvm::SmallVector<mlir::Value> Layout::offsets(Tiles &t, llvm::ArrayRef<mlir::Value> offsets,
                                               const Range &range) const {
  llvm::SmallVector<mlir::Value> result(offsets);
  for (auto [place, dimension] : llvm::enumerate(order))
    result[place] = offsets[dimension];
  if (hasUnit)
    result.push_back(t.l.ir.i32(0, range));
  return result;
}

Value Layout::tile(Tiles &t, mlir::Value loaded, llvm::ArrayRef<int64_t> shape, const Range &range) const {
  mlir::Location at = t.loc(range);
  auto type = llvm::cast<tile::TileType>(loaded.getType());
  if (hasUnit)
    return ofTile(tile::ReshapeOp::create(t.builder(), at, type.withShape(shape), loaded));
  if (order.empty())
    return ofTile(loaded);
  llvm::SmallVector<int64_t> back(order.size());
  for (auto [place, dimension] : llvm::enumerate(order))
    back[dimension] = place;
  return ofTile(tile::TransposeOp::create(t.builder(), at, type.withShape(shape), loaded, back));
}

mlir::Value Layout::stored(Tiles &t, const Value &tile, const Range &range) const {
  if (order.empty() && !hasUnit && !t.masks.isActive())
    return tile.ir;
  Value value = t.masks.isActive() || hasUnit || !order.empty() ? t.toUB(tile, range) : tile;
  tile::TileType type = tileType(value).withShape(shape(shapeOf(value)));
  mlir::Location at = t.loc(range);
  if (hasUnit)
    return tile::ReshapeOp::create(t.builder(), at, type, value.ir);
  if (order.empty())
    return value.ir;
  return tile::TransposeOp::create(t.builder(), at, type, value.ir, order);
}

bool Layout::checkAlignment(Tiles &t, llvm::ArrayRef<int64_t> shape, DType dtype, const Range &range) const {
  return hasUnit || t.checkAlignment(this->shape(shape), dtype, range);
}

bool Layout::checkLocation(Tiles &t, isa::Memory memory, const Range &range) const {
  if (memory == isa::Memory::UB || !hasUnit)
    return true;
  return bool(t.fail(range, "RuntimeError",
                     "a tensor without a dimension of stride 1 is loaded to UB only, not to " +
                         llvm::Twine(isa::stringify(memory).data()),
                     "matrix products read rows or columns whose elements lie next to each other"));
}

bool Layout::checkMask(Tiles &t, const Range &range) const {
  if (order.empty() || !t.masks.isActive())
    return true;
  return bool(t.fail(range, "NotImplementedError",
                     "a mask chooses elements in row-major order, and this tensor is stored in another one",
                     "store outside the mask; choose elements with asc2.where"));
}

// One integer of a shape or of strides: what the front end knows of it, and its value.
static bool expectInteger(Tiles &t, const Value &item, llvm::StringRef what, int64_t least, const Range &range,
                          std::optional<int64_t> &known, mlir::Value &ir) {
  if (!t.values.isNumeric(item) || isFloat(t.values.dtypeOf(item)))
    return bool(t.fail(range, "TypeError", what + " of a tensor must be an integer, not " + t.describe(item),
                       t.l.advice.swapped(item)));
  if (item.isHost()) {
    known = t.host.asInt(item.host);
    if (!known || *known < least || *known > INT32_MAX)
      return bool(t.fail(range, "ValueError",
                         what + " of a tensor must be between " + llvm::Twine(least) + " and 2147483647, not " +
                             t.host.repr(item.host)));
    return true;
  }
  ir = t.scalars.convert(item, DType::I32, range);
  return bool(ir);
}

static bool readStrides(Tiles &t, const Argument &argument, size_t rank,
                        llvm::SmallVectorImpl<std::optional<int64_t>> &known,
                        llvm::SmallVectorImpl<mlir::Value> &strides) {
  llvm::SmallVector<Value> items;
  if (!t.values.toSequence(argument.value, items, argument.range, "the strides of a tensor"))
    return false;
  if (items.size() != rank)
    return bool(t.fail(argument.range, "RuntimeError",
                       "strides has " + llvm::Twine(items.size()) + " values for a tensor of rank " + llvm::Twine(rank),
                       "give one for each dimension: how many elements lie between neighbours"));
  for (const Value &item : items) {
    known.push_back(std::nullopt);
    strides.emplace_back();
    if (!expectInteger(t, item, "a stride", 1, argument.range, known.back(), strides.back()))
      return false;
    if (known.back())
      strides.back() = t.l.ir.i32(*known.back(), argument.range);
  }
  return true;
}

static Value tensor(Tiles &t, const Arguments &args) {
  const Value &base = args[0].value;
  if (base.kind != frontend::kinds::address)
    return t.fail(args[0].range, "TypeError",
                  "asc2.tensor needs a pointer argument of the kernel, not " + t.describe(base),
                  base.isHost() ? "pass the array as an argument of the kernel" : t.l.advice.swapped(base));
  llvm::SmallVector<Value> items, dims;
  if (!t.values.toSequence(args[1].value, items, args[1].range, "the shape of a tensor"))
    return {};
  if (items.empty())
    return t.fail(args[1].range, "RuntimeError", "the shape of a tensor must not be empty");
  llvm::SmallVector<int64_t> shape;
  llvm::SmallVector<mlir::Value> extents; // of dynamic dimensions
  for (const Value &item : items) {
    std::optional<int64_t> known;
    mlir::Value ir;
    if (!expectInteger(t, item, "a dimension", 0, args[1].range, known, ir))
      return {};
    shape.push_back(known ? *known : mlir::ShapedType::kDynamic);
    extents.push_back(ir);
    dims.push_back(known ? item : Value::ofScalar(ir, DType::I32));
  }
  auto layout = std::make_shared<Layout>();
  layout->items.assign(dims.begin(), dims.end());
  llvm::SmallVector<mlir::Value> strides;
  if (args[2]) {
    llvm::SmallVector<std::optional<int64_t>> known;
    if (!readStrides(t, args[2], items.size(), known, strides))
      return {};
    auto isDense = [&](int64_t i) { return known[i] == 1; };
    int64_t last = items.size() - 1, dense = last;
    while (dense >= 0 && !isDense(dense))
      --dense;
    layout->hasUnit = dense < 0;
    if (dense >= 0 && dense != last) {
      for (int64_t i = 0; i <= last; ++i)
        if (i != dense)
          layout->order.push_back(i);
      layout->order.push_back(dense);
      llvm::SmallVector<mlir::Value> inOrder[2];
      for (int64_t i : layout->order) {
        inOrder[0].push_back(extents[i]);
        inOrder[1].push_back(strides[i]);
      }
      extents = inOrder[0], strides = inOrder[1];
    }
    shape = layout->shape(shape);
    if (layout->hasUnit) {
      extents.emplace_back();
      strides.push_back(t.l.ir.i32(1, args[2].range));
    }
  }
  llvm::SmallVector<mlir::Value> dynamic;
  llvm::copy_if(extents, std::back_inserter(dynamic), [](mlir::Value extent) { return bool(extent); });
  mlir::Value offset = base.items().empty() ? mlir::Value() : base.items()[0].ir;
  auto type = tile::GlobalTensorType::get(&t.l.ir.context, shape, t.l.ir.element(base.dtype));
  auto op = tile::TensorOp::create(t.builder(), t.loc(args.range), type, base.ir, offset, dynamic, strides);
  return ofTensor(op, base.dtype, layout);
}

llvm::ArrayRef<Builtin::Row> tensorBuiltins() {
  static constexpr Builtin::Row rows[] = {{"asc2.tensor", on<tensor>}};
  return rows;
}

} // namespace tilesmith::frontend::asc2
