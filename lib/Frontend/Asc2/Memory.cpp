// Builtins of global memory and places: load, store, copy, atomics, num_tiles, and the block's own index.
#include "Tensors.h"
#include "Tiles.h"

namespace tilesmith::frontend::asc2 {

// "[i, j]": an index of this rank.
static std::string example(size_t rank) {
  std::string text = "[";
  for (size_t i = 0; i < rank; ++i)
    text += (i ? ", " : "") + std::string(1, char('i' + i));
  return text + "]";
}

// The offsets of an access: as given, or tile_id times shape. Empty shape: elements, tile_id is not possible.
static std::optional<llvm::SmallVector<mlir::Value>> offsets(Tiles &t, const Arguments &args, const Argument &tileId,
                                                             const Argument &offsets, llvm::ArrayRef<int64_t> shape,
                                                             size_t rank) {
  if (bool(tileId) == bool(offsets)) {
    t.fail(args.range, "ValueError",
           args.name + " needs exactly one of tile_id and offsets" + (tileId ? ", both were given" : ""),
           "tile_id counts tiles, offsets count elements");
    return std::nullopt;
  }
  const Argument &given = tileId ? tileId : offsets;
  llvm::StringRef what = tileId ? "tile_id" : "offsets";
  llvm::SmallVector<Value> items;
  if (!t.values.toSequence(given.value, items, given.range, what))
    return std::nullopt;
  if (items.size() != rank) {
    t.fail(given.range, "RuntimeError",
           what + " has " + llvm::Twine(items.size()) + " values for a tensor of rank " + llvm::Twine(rank),
           "give one for each dimension of the tensor: " + what + "=" + example(rank));
    return std::nullopt;
  }
  llvm::SmallVector<mlir::Value> result;
  for (auto [i, item] : llvm::enumerate(items)) {
    if (!t.values.isNumeric(item) || isFloat(t.values.dtypeOf(item))) {
      t.fail(given.range, "TypeError", "values of " + what + " must be integers, not " + t.describe(item));
      return std::nullopt;
    }
    Value offset = item;
    if (tileId && shape[i] != 1) {
      if (offset.isScalar())
        offset = Value::ofScalar(t.scalars.convert(offset, DType::I32, given.range), DType::I32);
      offset = t.l.operators.binary(ast::Operator::Mul, offset, t.number(shape[i]), given.range);
    }
    mlir::Value ir = offset ? t.scalars.convert(offset, DType::I32, given.range) : mlir::Value();
    if (!ir)
      return std::nullopt;
    result.push_back(ir);
  }
  return result;
}

static bool checkRank(Tiles &t, llvm::ArrayRef<int64_t> shape, const Value &tensor, const Range &range) {
  size_t rank = tensor.items().size();
  if (shape.size() == rank)
    return true;
  llvm::SmallVector<int64_t> same(rank, 1); // with leading ones added or taken away
  for (size_t i = 0; i < std::min(rank, shape.size()); ++i)
    same[rank - 1 - i] = shape[shape.size() - 1 - i];
  return bool(t.fail(range, "RuntimeError",
                     "a tile of shape " + formatShape(shape) + " does not match a tensor of rank " + llvm::Twine(rank),
                     "a tile has as many dimensions as its tensor, here " + llvm::Twine(rank) + ": such as " +
                         formatShape(same)));
}

static Value load(Tiles &t, const Arguments &args) {
  Value tensor = t.expectTensor(args, 0);
  if (!tensor)
    return {};
  mlir::Location at = t.loc(args.range);
  size_t rank = tensor.items().size();
  if (!args[1]) {
    if (args[2])
      return t.fail(args[2].range, "ValueError", "reading one element needs offsets, not tile_id",
                    "give a shape to load a tile");
    if (!args[3])
      return t.fail(args.range, "ValueError", "asc2.load needs a shape to load a tile, or offsets to read one element");
    auto where = offsets(t, args, args[2], args[3], {}, rank);
    if (!where)
      return {};
    return Value::ofScalar(tile::GetOp::create(t.builder(), at, t.l.ir.type(tensor.dtype), tensor.ir,
                                               Layout::of(tensor).offsets(t, *where, args.range)),
                           tensor.dtype);
  }
  auto shape = t.expectShape(args[1], "the shape of a tile");
  const Layout &layout = Layout::of(tensor);
  if (!shape || !t.checkTileType(*shape, tensor.dtype, args[1].range) || !checkRank(t, *shape, tensor, args[1].range) ||
      !layout.checkAlignment(t, *shape, tensor.dtype, args[1].range))
    return {};
  std::optional<isa::Memory> memory = t.expectLocation(args[4]);
  if (!memory)
    return {};
  auto where = offsets(t, args, args[2], args[3], *shape, rank);
  if (!where)
    return {};
  Value pad = args[5] ? args[5].value : t.number(0);
  mlir::Value padding = t.scalars.convert(pad, tensor.dtype, args[5] ? args[5].range : args.range);
  if (!padding || !layout.checkLocation(t, *memory, args.range))
    return {};
  mlir::Value loaded = tile::LoadOp::create(t.builder(), at, t.makeType(layout.shape(*shape), tensor.dtype, *memory),
                                            tensor.ir, layout.offsets(t, *where, args.range), padding);
  return layout.tile(t, loaded, *shape, args.range);
}

static Value store(Tiles &t, const Arguments &args) {
  Value value = t.values.read(args[0].value);
  if (value.kind == kinds::tensor && args[1].value.kind != kinds::tensor)
    return t.fail(args[0].range, "TypeError", args.name + " needs a tensor as its second argument, not as its first",
                  "what is stored comes first: asc2.store(tile, tensor, ...)");
  Value tensor = t.expectTensor(args, 1);
  if (!tensor)
    return {};
  mlir::Location at = t.loc(args.range);
  size_t rank = tensor.items().size();
  if (t.values.isNumeric(value)) {
    if (args[2])
      return t.fail(args[2].range, "ValueError", "writing one element needs offsets, not tile_id");
    auto where = offsets(t, args, args[2], args[3], {}, rank);
    mlir::Value scalar = where ? t.scalars.convert(value, tensor.dtype, args[0].range) : mlir::Value();
    if (!scalar)
      return {};
    t.masks.whenFirstChosen(args.range, [&] {
      tile::SetOp::create(t.builder(), at, scalar, tensor.ir, Layout::of(tensor).offsets(t, *where, args.range));
    });
    return t.none();
  }
  if (!isTile(value))
    return t.fail(args[0].range, "TypeError", "asc2.store needs a tile or a number, not " + t.describe(value),
                  t.toTile(value));
  if (!t.checkTileType(shapeOf(value), tensor.dtype, args[1].range))
    return {};
  if (tileType(value).getNumElements() == 1) { // one element goes anywhere, whatever its rank and type
    if (elementType(value) != tensor.dtype)
      value = t.cast(value, tensor.dtype, args[0].range);
    llvm::SmallVector<int64_t> ones(rank, 1);
    if (tileType(value).getRank() != int64_t(rank))
      value = ofTile(tile::ReshapeOp::create(t.builder(), at, tileType(value).withShape(ones), value.ir));
  }
  llvm::ArrayRef<int64_t> shape = shapeOf(value);
  if (elementType(value) != tensor.dtype)
    return t.fail(args[0].range, "RuntimeError",
                  "a tile of " + name(elementType(value)) + " cannot be stored into a tensor of " + name(tensor.dtype),
                  "convert it: .to(tensor.dtype)");
  if (!checkRank(t, shape, tensor, args[0].range))
    return {};
  const Layout &layout = Layout::of(tensor);
  if (tileType(value).getNumElements() > 1 && !layout.checkAlignment(t, shape, tensor.dtype, args[0].range))
    return {};
  auto where = offsets(t, args, args[2], args[3], shape, rank);
  if (!where || !layout.checkMask(t, args.range))
    return {};
  mlir::Value stored = layout.stored(t, value, args[0].range);
  tile::StoreOp::create(t.builder(), at, stored, tensor.ir, layout.offsets(t, *where, args.range), t.masks.count(),
                        t.masks.words());
  return t.none();
}

static Value copy(Tiles &t, const Arguments &args) {
  Value source = t.expectTile(args, 0);
  if (!source)
    return {};
  llvm::SmallVector<int64_t> shape(shapeOf(source));
  if (args[1]) {
    auto given = t.expectShape(args[1], "the shape of a tile");
    if (!given)
      return {};
    shape = *given;
  }
  if (shape.size() != size_t(tileType(source).getRank()))
    return t.fail(args[1].range, "RuntimeError",
                  "a tile of shape " + formatShape(shapeOf(source)) + " has no part of shape " + formatShape(shape));
  if (!t.checkAlignment(shape, elementType(source), args[1] ? args[1].range : args.range))
    return {};
  std::optional<isa::Memory> memory = t.expectLocation(args[3]);
  if (!memory)
    return {};
  llvm::SmallVector<Value> items(shape.size(), t.number(0));
  Range range = args.range;
  if (args[2]) {
    items.clear();
    range = args[2].range;
    if (!t.values.toSequence(args[2].value, items, range, "offsets"))
      return {};
    if (items.size() != shape.size())
      return t.fail(range, "RuntimeError",
                    "offsets has " + llvm::Twine(items.size()) + " values for a tile of rank " +
                        llvm::Twine(shape.size()));
  }
  llvm::SmallVector<mlir::Value> where;
  for (auto [i, item] : llvm::enumerate(items)) {
    int64_t whole = shapeOf(source)[i];
    std::optional<int64_t> known = item.isHost() ? t.host.asInt(item.host) : 0;
    if (!t.values.isNumeric(item) || isFloat(t.values.dtypeOf(item)))
      return t.fail(range, "TypeError", "values of offsets must be integers, not " + t.describe(item));
    if (!known || *known < 0 || *known > whole || *known + shape[i] > whole)
      return t.fail(range, "RuntimeError",
                    "the part " + formatShape(shape) + " at offset " + (item.isHost() ? t.host.repr(item.host) : "0") +
                        " of dimension " + llvm::Twine(i) + " lies outside the tile " + formatShape(shapeOf(source)));
    where.push_back(t.scalars.convert(item, DType::I32, range));
    if (!where.back())
      return {};
  }
  auto type = t.makeType(shape, elementType(source), *memory);
  return ofTile(tile::CopyOp::create(t.builder(), t.loc(args.range), type, source.ir, where));
}

template <tile::AtomicKind kind> static Value atomic(Tiles &t, const Arguments &args) {
  Value value = t.expectTile(args, 0);
  Value tensor = value ? t.expectTensor(args, 1) : Value();
  if (!tensor)
    return {};
  if (elementType(value) != tensor.dtype)
    return t.fail(args[0].range, "RuntimeError",
                  "a tile of " + name(elementType(value)) + " cannot be combined with a tensor of " +
                      name(tensor.dtype),
                  "convert it: .to(tensor.dtype)");
  if (!checkRank(t, shapeOf(value), tensor, args[0].range))
    return {};
  auto where = offsets(t, args, {}, args[2], {}, tensor.items().size());
  const Layout &layout = Layout::of(tensor);
  if (!where || !layout.checkMask(t, args.range))
    return {};
  mlir::Value stored = layout.stored(t, value, args[0].range);
  tile::AtomicOp::create(t.builder(), t.loc(args.range), kind, stored, tensor.ir, layout.offsets(t, *where, args.range),
                         t.masks.count(), t.masks.words());
  return t.none();
}

static Value numTiles(Tiles &t, const Arguments &args) {
  Value tensor = t.expectTensor(args, 0);
  if (!tensor)
    return {};
  std::optional<int64_t> axis = t.l.expect.integer(args[1], "axis");
  auto shape = axis ? t.expectShape(args[2], "the shape of a tile") : std::nullopt;
  if (!shape)
    return {};
  int64_t rank = tensor.items().size();
  if (!checkRank(t, *shape, tensor, args[2].range))
    return {};
  if (*axis < -rank || *axis >= rank)
    return t.fail(args[1].range, "ValueError",
                  "axis " + llvm::Twine(*axis) + " is out of range for a tensor of rank " + llvm::Twine(rank));
  size_t at = *axis < 0 ? *axis + rank : *axis;
  CallSite site{args.range, {{tensor.items()[at], args.range}, {t.number((*shape)[at]), args[2].range}}, {}};
  return t.l.calls.callBuiltin("asc.ceildiv", site);
}

static Value blockIdx(Tiles &t, const Arguments &args) {
  return Value::ofScalar(tile::BlockIdxOp::create(t.builder(), t.loc(args.range), t.l.ir.type(DType::I32)), DType::I32);
}

static Value blockNum(Tiles &t, const Arguments &args) {
  return Value::ofScalar(tile::BlockNumOp::create(t.builder(), t.loc(args.range), t.l.ir.type(DType::I32)), DType::I32);
}

llvm::ArrayRef<Builtin::Row> memoryBuiltins() {
  static constexpr Builtin::Row rows[] = {
      {"asc2.load", on<load>},
      {"asc2.store", on<store>},
      {"asc2.copy", on<copy>},
      {"asc2.atomic_add", on<atomic<tile::AtomicKind::Add>>},
      {"asc2.atomic_max", on<atomic<tile::AtomicKind::Max>>},
      {"asc2.atomic_min", on<atomic<tile::AtomicKind::Min>>},
      {"asc2.num_tiles", on<numTiles>},
      {"asc2.block_idx", on<blockIdx>},
      {"asc.get_block_idx", on<blockIdx>},
      {"asc2.block_num", on<blockNum>},
      {"asc.get_block_num", on<blockNum>},
  };
  return rows;
}

} // namespace tilesmith::frontend::asc2
