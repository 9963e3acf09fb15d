// Builtins about shapes and creation: broadcast, reshape and relatives, full, zeros, concat.
#include "Tiles.h"

namespace tilesmith::frontend::asc2 {

// A shape given as separate ints or as one sequence.
static std::optional<llvm::SmallVector<int64_t>> restAsShape(Tiles &t, const Arguments &args) {
  if (args.rest.size() == 1 && !t.values.isNumeric(args.rest[0].value))
    return t.expectShape(args.rest[0], "the shape");
  Value all = Value::ofSequence({}, false);
  for (const Argument &argument : args.rest)
    all.parts->items.push_back(argument.value);
  return t.expectShape({all, args.range}, "the shape");
}

static Value reshapeTo(Tiles &t, Value tile, llvm::ArrayRef<int64_t> shape, const Range &range) {
  if (shapeOf(tile) == shape)
    return tile;
  // Dropping and adding leading dimensions of size 1 leaves a matrix as it is, wherever it lives.
  llvm::ArrayRef<int64_t> source = shapeOf(tile);
  bool isMatrix = source.size() >= 2 && shape.size() >= 2 && source.take_back(2) == shape.take_back(2);
  if (!isMatrix)
    tile = t.toUB(tile, range);
  return ofTile(tile::ReshapeOp::create(t.builder(), t.loc(range), tileType(tile).withShape(shape), tile.ir));
}

static Value broadcastTo(Tiles &t, const Arguments &args) {
  Value tile = t.expectTile(args, 0);
  auto shape = tile ? restAsShape(t, args) : std::nullopt;
  if (!shape || !t.checkTileType(*shape, elementType(tile), args.range))
    return {};
  llvm::ArrayRef<int64_t> source = shapeOf(tile);
  bool fits = source.size() <= shape->size();
  for (size_t i = 1; fits && i <= source.size(); ++i)
    fits = source[source.size() - i] == 1 || source[source.size() - i] == (*shape)[shape->size() - i];
  if (!fits)
    return t.fail(args.range, "RuntimeError",
                  "a tile " + formatShape(source) + " cannot be broadcast to " + formatShape(*shape),
                  "from the right, each dimension must be equal or 1");
  if (source == llvm::ArrayRef<int64_t>(*shape))
    return tile;
  tile = t.toUB(tile, args.range);
  return ofTile(tile::BroadcastOp::create(t.builder(), t.loc(args.range), tileType(tile).withShape(*shape), tile.ir));
}

static Value reshape(Tiles &t, const Arguments &args) {
  Value tile = t.expectTile(args, 0);
  auto shape = tile ? restAsShape(t, args) : std::nullopt;
  if (!shape || !t.checkTileType(*shape, elementType(tile), args.range))
    return {};
  if (t.makeType(*shape, DType::I8).getNumElements() != tileType(tile).getNumElements())
    return t.fail(args.range, "RuntimeError",
                  "a tile " + formatShape(shapeOf(tile)) + " cannot be reshaped to " + formatShape(*shape) +
                      ": the number of elements differs");
  return reshapeTo(t, tile, *shape, args.range);
}

static Value ravel(Tiles &t, const Arguments &args) {
  Value tile = t.expectTile(args, 0);
  return tile ? reshapeTo(t, tile, tileType(tile).getNumElements(), args.range) : Value();
}

// Sorted unique axes in [0, rank); nothing after an error.
static std::optional<llvm::SmallVector<int64_t>> axes(Tiles &t, const Arguments &args, int64_t rank) {
  auto result = t.l.expect.integers(args.rest, "an axis");
  if (!result)
    return std::nullopt;
  for (int64_t &axis : *result) {
    if (axis < -rank || axis >= rank) {
      t.fail(args.range, "RuntimeError",
             "axis " + llvm::Twine(axis) + " is out of range for rank " + llvm::Twine(rank));
      return std::nullopt;
    }
    axis += axis < 0 ? rank : 0;
  }
  llvm::sort(*result);
  result->erase(llvm::unique(*result), result->end());
  return result;
}

static Value expandDims(Tiles &t, const Arguments &args) {
  Value tile = t.expectTile(args, 0);
  if (!tile)
    return {};
  auto at = axes(t, args, tileType(tile).getRank() + args.rest.size());
  if (!at)
    return {};
  llvm::SmallVector<int64_t> shape(shapeOf(tile));
  for (int64_t axis : *at)
    shape.insert(shape.begin() + std::min<int64_t>(axis, shape.size()), 1);
  if (!t.checkTileType(shape, elementType(tile), args.range))
    return {};
  return reshapeTo(t, tile, shape, args.range);
}

static Value squeeze(Tiles &t, const Arguments &args) {
  Value tile = t.expectTile(args, 0);
  if (!tile)
    return {};
  llvm::ArrayRef<int64_t> source = shapeOf(tile);
  auto at = axes(t, args, source.size());
  if (!at)
    return {};
  llvm::SmallVector<int64_t> shape;
  for (auto [axis, dim] : llvm::enumerate(source)) {
    bool named = llvm::is_contained(*at, int64_t(axis));
    if (named && dim != 1)
      return t.fail(args.range, "RuntimeError",
                    "axis " + llvm::Twine(axis) + " of the tile " + formatShape(source) +
                        " is not 1 and cannot be squeezed");
    if (dim != 1 || !(named || at->empty()))
      shape.push_back(dim);
  }
  if (shape.empty())
    shape.push_back(1);
  return reshapeTo(t, tile, shape, args.range);
}

static Value fill(Tiles &t, llvm::ArrayRef<int64_t> shape, const Argument &value, DType dtype, isa::Memory memory,
                  const Range &range) {
  if (!t.checkTileType(shape, dtype, range))
    return {};
  mlir::Value scalar = t.scalars.convert(value.value, dtype, value.range);
  if (!scalar)
    return {};
  return ofTile(tile::SplatOp::create(t.builder(), t.loc(range), t.makeType(shape, dtype, memory), scalar));
}

static Value full(Tiles &t, const Arguments &args) {
  auto shape = t.expectShape(args[0], "the shape of a tile");
  if (!shape)
    return {};
  if (!t.values.isNumeric(args[1].value))
    return t.fail(args[1].range, "TypeError", "asc2.full fills with a number, not with " + t.describe(args[1].value));
  DType dtype = t.values.dtypeOf(args[1].value);
  if (args[1].value.isHost() && dtype == DType::I1)
    dtype = DType::I32; // bool counts as int
  if (args[2]) {
    std::optional<DType> given = t.l.expect.dtype(args[2], "dtype");
    if (!given)
      return {};
    dtype = *given;
  }
  std::optional<isa::Memory> memory = t.expectLocation(args[3]);
  return memory ? fill(t, *shape, args[1], dtype, *memory, args.range) : Value();
}

static Value fullLike(Tiles &t, const Arguments &args) {
  Value tile = t.expectTile(args, 0);
  std::optional<isa::Memory> memory = tile ? t.expectLocation(args[2]) : std::nullopt;
  if (!memory)
    return {};
  return fill(t, shapeOf(tile), args[1], elementType(tile), *memory, args.range);
}

static Value zeros(Tiles &t, const Arguments &args) {
  auto shape = t.expectShape(args[0], "the shape of a tile");
  std::optional<DType> dtype = !shape ? std::nullopt : args[1] ? t.l.expect.dtype(args[1], "dtype") : DType::I32;
  std::optional<isa::Memory> memory = dtype ? t.expectLocation(args[2]) : std::nullopt;
  if (!memory)
    return {};
  return fill(t, *shape, {t.number(0), args.range}, *dtype, *memory, args.range);
}

static Value zerosLike(Tiles &t, const Arguments &args) {
  Value tile = t.expectTile(args, 0);
  std::optional<isa::Memory> memory = tile ? t.expectLocation(args[1]) : std::nullopt;
  if (!memory)
    return {};
  return fill(t, shapeOf(tile), {t.number(0), args.range}, elementType(tile), *memory, args.range);
}

static Value concat(Tiles &t, const Arguments &args) {
  if (args.rest.empty())
    return t.fail(args.range, "RuntimeError", "asc2.concat needs at least one tile");
  llvm::SmallVector<mlir::Value> operands;
  llvm::SmallVector<int64_t> shape;
  tile::TileType first;
  for (const Argument &argument : args.rest) {
    Value tile = t.values.read(argument.value);
    if (!isTile(tile))
      return t.fail(argument.range, "TypeError", "asc2.concat joins tiles, not " + t.describe(tile));
    tile::TileType type = tileType(tile);
    if (type.getMemory() != isa::Memory::UB || elementType(tile) == DType::I1)
      return t.fail(argument.range, "RuntimeError",
                    "asc2.concat joins tiles of whole bytes in UB, not " + t.describe(tile));
    if (!first) {
      first = type;
      shape.assign(type.getShape().begin(), type.getShape().end());
    } else if (type.getElementType() != first.getElementType() ||
               type.getShape().drop_front() != first.getShape().drop_front()) {
      return t.fail(argument.range, "RuntimeError",
                    "asc2.concat cannot join " + t.describe(tile) + " with a tile " + formatShape(first.getShape()) +
                        " " + name(fromMlir(first.getElementType())));
    } else {
      shape[0] += type.getShape()[0];
    }
    operands.push_back(tile.ir);
  }
  if (!t.checkTileType(shape, fromMlir(first.getElementType()), args.range))
    return {};
  return ofTile(tile::ConcatOp::create(t.builder(), t.loc(args.range), first.withShape(shape), operands));
}

static Value isStatic(Tiles &t, const Arguments &args) {
  bool all = llvm::all_of(args[0].value.items(), [](const Value &dim) { return dim.isHost(); });
  return Value::ofHost(t.host.makeBool(all));
}

static Value isDynamicDim(Tiles &t, const Arguments &args) {
  std::optional<int64_t> index = t.l.expect.integer(args[1], "the index of a dimension");
  if (!index)
    return {};
  Value dim = t.l.operators.getItem(args[0].value, args[1].value, args.range);
  return dim ? Value::ofHost(t.host.makeBool(!dim.isHost())) : Value();
}

llvm::ArrayRef<Builtin::Row> shapeBuiltins() {
  static constexpr Builtin::Row rows[] = {
      {"asc2.broadcast_to", on<broadcastTo>},
      {"asc2.reshape", on<reshape>},
      {"asc2.ravel", on<ravel>},
      {"asc2.expand_dims", on<expandDims>},
      {"asc2.squeeze", on<squeeze>},
      {"asc2.full", on<full>},
      {"asc2.full_like", on<fullLike>},
      {"asc2.zeros", on<zeros>},
      {"asc2.zeros_like", on<zerosLike>},
      {"asc2.concat", on<concat>},
      {"TensorShape.is_static", on<isStatic>},
      {"TensorShape.is_dynamic_dim", on<isDynamicDim>},
  };
  return rows;
}

} // namespace tilesmith::frontend::asc2
