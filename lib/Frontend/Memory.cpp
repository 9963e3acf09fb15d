// Builtins of global memory and places: tensor, load, store, copy, atomics, num_tiles, and the block's own index.
#include "Lowering.h"

namespace tilesmith::frontend {

static Value tensor(Lowering &l, const Arguments &args) {
  const Value &base = args[0].value;
  if (base.kind != Value::Address)
    return l.fail(args[0].range, "TypeError",
                  "asc2.tensor needs a pointer argument of the kernel, not " + l.describe(base));
  llvm::SmallVector<Value> items, dims;
  if (!l.toSequence(args[1].value, items, args[1].range, "the shape of a tensor"))
    return {};
  if (items.empty())
    return l.fail(args[1].range, "RuntimeError", "the shape of a tensor must not be empty");
  llvm::SmallVector<int64_t> shape;
  llvm::SmallVector<mlir::Value> dynamic;
  for (const Value &item : items) {
    if (!l.isNumeric(item) || isFloat(l.dtypeOf(item)))
      return l.fail(args[1].range, "TypeError", "a dimension of a tensor must be an integer, not " + l.describe(item));
    if (item.isHost()) {
      std::optional<int64_t> dim = l.host.asInt(item.host);
      if (!dim || *dim < 0 || *dim > INT32_MAX)
        return l.fail(args[1].range, "ValueError",
                      "a dimension of a tensor must be between 0 and 2147483647, not " + l.host.repr(item.host));
      shape.push_back(*dim);
      dims.push_back(item);
      continue;
    }
    mlir::Value dim = l.toScalar(item, DType::Int32, args[1].range);
    shape.push_back(mlir::ShapedType::kDynamic);
    dynamic.push_back(dim);
    dims.push_back(Value::ofScalar(dim, DType::Int32));
  }
  mlir::Value offset = base.items().empty() ? mlir::Value() : base.items()[0].ir;
  auto type = tile::GlobalTensorType::get(&l.context, shape, l.element(base.dtype));
  auto op = tile::TensorOp::create(l.builder, l.loc(args.range), type, base.ir, offset, dynamic);
  return Value::ofTensor(op, base.dtype, dims);
}

// The offsets of an access: as given, or tile_id times shape. Empty shape: elements, tile_id is not possible.
static std::optional<llvm::SmallVector<mlir::Value>> offsets(Lowering &l, const Arguments &args, const Argument &tileId,
                                                             const Argument &offsets, llvm::ArrayRef<int64_t> shape,
                                                             size_t rank) {
  if (bool(tileId) == bool(offsets)) {
    l.fail(args.range, "ValueError",
           args.name + " needs exactly one of tile_id and offsets" + (tileId ? ", both were given" : ""));
    return std::nullopt;
  }
  const Argument &given = tileId ? tileId : offsets;
  llvm::StringRef what = tileId ? "tile_id" : "offsets";
  llvm::SmallVector<Value> items;
  if (!l.toSequence(given.value, items, given.range, what))
    return std::nullopt;
  if (items.size() != rank) {
    l.fail(given.range, "RuntimeError",
           what + " has " + llvm::Twine(items.size()) + " values for a tensor of rank " + llvm::Twine(rank));
    return std::nullopt;
  }
  llvm::SmallVector<mlir::Value> result;
  for (auto [i, item] : llvm::enumerate(items)) {
    if (!l.isNumeric(item) || isFloat(l.dtypeOf(item))) {
      l.fail(given.range, "TypeError", "values of " + what + " must be integers, not " + l.describe(item));
      return std::nullopt;
    }
    Value offset = item;
    if (tileId && shape[i] != 1) {
      if (offset.isScalar())
        offset = Value::ofScalar(l.toScalar(offset, DType::Int32, given.range), DType::Int32);
      offset = l.binary(ast::Operator::Mul, offset, Value::ofHost(l.host.makeInt(shape[i])), given.range);
    }
    mlir::Value ir = offset ? l.toScalar(offset, DType::Int32, given.range) : mlir::Value();
    if (!ir)
      return std::nullopt;
    result.push_back(ir);
  }
  return result;
}

static bool checkRank(Lowering &l, llvm::ArrayRef<int64_t> shape, const Value &tensor, const Range &range) {
  size_t rank = tensor.items().size();
  return shape.size() == rank || bool(l.fail(range, "RuntimeError",
                                             "a tile of shape " + formatShape(shape) +
                                                 " does not match a tensor of rank " + llvm::Twine(rank)));
}

static Value load(Lowering &l, const Arguments &args) {
  Value tensor = l.expectTensor(args, 0);
  if (!tensor)
    return {};
  mlir::Location at = l.loc(args.range);
  size_t rank = tensor.items().size();
  if (!args[1]) {
    if (args[2])
      return l.fail(args[2].range, "ValueError", "reading one element needs offsets, not tile_id",
                    "give a shape to load a tile");
    if (!args[3])
      return l.fail(args.range, "ValueError", "asc2.load needs a shape to load a tile, or offsets to read one element");
    auto where = offsets(l, args, args[2], args[3], {}, rank);
    if (!where)
      return {};
    return Value::ofScalar(tile::GetOp::create(l.builder, at, l.type(tensor.dtype), tensor.ir, *where), tensor.dtype);
  }
  auto shape = l.expectShape(args[1], "the shape of a tile");
  if (!shape || !l.checkTileType(*shape, tensor.dtype, args[1].range) || !checkRank(l, *shape, tensor, args[1].range) ||
      !l.checkAlignment(*shape, tensor.dtype, args[1].range))
    return {};
  std::optional<isa::Memory> memory = l.expectLocation(args[4]);
  if (!memory)
    return {};
  auto where = offsets(l, args, args[2], args[3], *shape, rank);
  if (!where)
    return {};
  Value pad = args[5] ? args[5].value : Value::ofHost(l.host.makeInt(0));
  mlir::Value padding = l.toScalar(pad, tensor.dtype, args[5] ? args[5].range : args.range);
  if (!padding)
    return {};
  return Value::ofTile(
      tile::LoadOp::create(l.builder, at, l.tileType(*shape, tensor.dtype, *memory), tensor.ir, *where, padding));
}

static Value store(Lowering &l, const Arguments &args) {
  Value value = l.read(args[0].value);
  Value tensor = l.expectTensor(args, 1);
  if (!tensor)
    return {};
  mlir::Location at = l.loc(args.range);
  size_t rank = tensor.items().size();
  if (l.isNumeric(value)) {
    if (args[2])
      return l.fail(args[2].range, "ValueError", "writing one element needs offsets, not tile_id");
    auto where = offsets(l, args, args[2], args[3], {}, rank);
    mlir::Value scalar = where ? l.toScalar(value, tensor.dtype, args[0].range) : mlir::Value();
    if (!scalar)
      return {};
    l.whenFirstChosen(args.range, [&] { tile::SetOp::create(l.builder, at, scalar, tensor.ir, *where); });
    return l.none();
  }
  if (!value.isTile())
    return l.fail(args[0].range, "TypeError", "asc2.store needs a tile or a number, not " + l.describe(value));
  if (!l.checkTileType(value.tileType().getShape(), tensor.dtype, args[1].range))
    return {};
  if (value.tileType().getNumElements() == 1) { // one element goes anywhere, whatever its rank and type
    if (value.elementType() != tensor.dtype)
      value = l.castTile(value, tensor.dtype, args[0].range);
    llvm::SmallVector<int64_t> ones(rank, 1);
    if (value.tileType().getRank() != int64_t(rank))
      value = Value::ofTile(tile::ReshapeOp::create(l.builder, at, value.tileType().withShape(ones), value.ir));
  }
  llvm::ArrayRef<int64_t> shape = value.tileType().getShape();
  if (value.elementType() != tensor.dtype)
    return l.fail(args[0].range, "RuntimeError",
                  "a tile of " + name(value.elementType()) + " cannot be stored into a tensor of " + name(tensor.dtype),
                  "convert it: .to(tensor.dtype)");
  if (!checkRank(l, shape, tensor, args[0].range))
    return {};
  if (value.tileType().getNumElements() > 1 && !l.checkAlignment(shape, tensor.dtype, args[0].range))
    return {};
  auto where = offsets(l, args, args[2], args[3], shape, rank);
  if (!where)
    return {};
  if (!l.masks.empty())
    value = l.toUB(value, args[0].range);
  tile::StoreOp::create(l.builder, at, value.ir, tensor.ir, *where, l.maskCount(), l.maskWords());
  return l.none();
}

static Value copy(Lowering &l, const Arguments &args) {
  Value source = l.expectTile(args, 0);
  if (!source)
    return {};
  llvm::SmallVector<int64_t> shape(source.tileType().getShape());
  if (args[1]) {
    auto given = l.expectShape(args[1], "the shape of a tile");
    if (!given)
      return {};
    shape = *given;
  }
  if (shape.size() != size_t(source.tileType().getRank()))
    return l.fail(args[1].range, "RuntimeError",
                  "a tile of shape " + formatShape(source.tileType().getShape()) + " has no part of shape " +
                      formatShape(shape));
  if (!l.checkAlignment(shape, source.elementType(), args[1] ? args[1].range : args.range))
    return {};
  std::optional<isa::Memory> memory = l.expectLocation(args[3]);
  if (!memory)
    return {};
  llvm::SmallVector<Value> items(shape.size(), Value::ofHost(l.host.makeInt(0)));
  Range range = args.range;
  if (args[2]) {
    items.clear();
    range = args[2].range;
    if (!l.toSequence(args[2].value, items, range, "offsets"))
      return {};
    if (items.size() != shape.size())
      return l.fail(range, "RuntimeError",
                    "offsets has " + llvm::Twine(items.size()) + " values for a tile of rank " +
                        llvm::Twine(shape.size()));
  }
  llvm::SmallVector<mlir::Value> where;
  for (auto [i, item] : llvm::enumerate(items)) {
    int64_t whole = source.tileType().getShape()[i];
    std::optional<int64_t> known = item.isHost() ? l.host.asInt(item.host) : 0;
    if (!l.isNumeric(item) || isFloat(l.dtypeOf(item)))
      return l.fail(range, "TypeError", "values of offsets must be integers, not " + l.describe(item));
    if (!known || *known < 0 || *known > whole || *known + shape[i] > whole)
      return l.fail(range, "RuntimeError",
                    "the part " + formatShape(shape) + " at offset " + (item.isHost() ? l.host.repr(item.host) : "0") +
                        " of dimension " + llvm::Twine(i) + " lies outside the tile " +
                        formatShape(source.tileType().getShape()));
    where.push_back(l.toScalar(item, DType::Int32, range));
    if (!where.back())
      return {};
  }
  auto type = l.tileType(shape, source.elementType(), *memory);
  return Value::ofTile(tile::CopyOp::create(l.builder, l.loc(args.range), type, source.ir, where));
}

template <tile::AtomicKind kind> static Value atomic(Lowering &l, const Arguments &args) {
  Value value = l.expectTile(args, 0);
  Value tensor = value ? l.expectTensor(args, 1) : Value();
  if (!tensor)
    return {};
  if (value.elementType() != tensor.dtype)
    return l.fail(args[0].range, "RuntimeError",
                  "a tile of " + name(value.elementType()) + " cannot be combined with a tensor of " +
                      name(tensor.dtype),
                  "convert it: .to(tensor.dtype)");
  if (!checkRank(l, value.tileType().getShape(), tensor, args[0].range))
    return {};
  auto where = offsets(l, args, {}, args[2], {}, tensor.items().size());
  if (!where)
    return {};
  if (!l.masks.empty())
    value = l.toUB(value, args[0].range);
  tile::AtomicOp::create(l.builder, l.loc(args.range), kind, value.ir, tensor.ir, *where, l.maskCount(), l.maskWords());
  return l.none();
}

static Value numTiles(Lowering &l, const Arguments &args) {
  Value tensor = l.expectTensor(args, 0);
  if (!tensor)
    return {};
  std::optional<int64_t> axis = l.expectInt(args[1], "axis");
  auto shape = axis ? l.expectShape(args[2], "the shape of a tile") : std::nullopt;
  if (!shape)
    return {};
  int64_t rank = tensor.items().size();
  if (!checkRank(l, *shape, tensor, args[2].range))
    return {};
  if (*axis < -rank || *axis >= rank)
    return l.fail(args[1].range, "ValueError",
                  "axis " + llvm::Twine(*axis) + " is out of range for a tensor of rank " + llvm::Twine(rank));
  size_t at = *axis < 0 ? *axis + rank : *axis;
  CallSite site{args.range,
                "",
                {{tensor.items()[at], args.range}, {Value::ofHost(l.host.makeInt((*shape)[at])), args[2].range}},
                {}};
  return l.callBuiltin("asc.ceildiv", site);
}

static Value blockIdx(Lowering &l, const Arguments &args) {
  return Value::ofScalar(tile::BlockIdxOp::create(l.builder, l.loc(args.range), l.type(DType::Int32)), DType::Int32);
}

static Value blockNum(Lowering &l, const Arguments &args) {
  return Value::ofScalar(tile::BlockNumOp::create(l.builder, l.loc(args.range), l.type(DType::Int32)), DType::Int32);
}

llvm::ArrayRef<BuiltinEntry> memoryBuiltins() {
  static constexpr BuiltinEntry entries[] = {
      {"asc2.tensor", "base, shape", tensor},
      {"asc2.load", "tensor, shape=None, *, tile_id=None, offsets=None, location=UB, pad_value=0", load},
      {"asc2.store", "value, tensor, *, tile_id=None, offsets=None", store},
      {"asc2.copy", "tile, shape=None, *, offsets=None, location=UB", copy},
      {"asc2.atomic_add", "tile, tensor, offsets", atomic<tile::AtomicKind::Add>},
      {"asc2.atomic_max", "tile, tensor, offsets", atomic<tile::AtomicKind::Max>},
      {"asc2.atomic_min", "tile, tensor, offsets", atomic<tile::AtomicKind::Min>},
      {"asc2.num_tiles", "tensor, axis, shape", numTiles},
      {"asc2.block_idx", "", blockIdx},
      {"asc.get_block_idx", "", blockIdx},
      {"asc2.block_num", "", blockNum},
      {"asc.get_block_num", "", blockNum},
  };
  return entries;
}

} // namespace tilesmith::frontend
