// Builtins about shapes and creation: broadcast, reshape and relatives, full, zeros, concat.
#include "Lowering.h"

namespace tilesmith::frontend {

// A shape given as separate ints or as one sequence.
static std::optional<llvm::SmallVector<int64_t>> restAsShape(Lowering &l, const Arguments &args) {
  if (args.rest.size() == 1 && !l.isNumeric(args.rest[0].value))
    return l.expectShape(args.rest[0], "the shape");
  Value all = Value::ofSequence({}, false);
  for (const Argument &argument : args.rest)
    all.parts->items.push_back(argument.value);
  return l.expectShape({all, args.range}, "the shape");
}

static Value reshapeTo(Lowering &l, Value tile, llvm::ArrayRef<int64_t> shape, const Range &range) {
  if (tile.tileType().getShape() == shape)
    return tile;
  // Dropping and adding leading dimensions of size 1 leaves a matrix as it is, wherever it lives.
  llvm::ArrayRef<int64_t> source = tile.tileType().getShape();
  bool isMatrix = source.size() >= 2 && shape.size() >= 2 && source.take_back(2) == shape.take_back(2);
  if (!isMatrix)
    tile = l.toUB(tile, range);
  return Value::ofTile(tile::ReshapeOp::create(l.builder, l.loc(range), tile.tileType().withShape(shape), tile.ir));
}

static Value broadcastTo(Lowering &l, const Arguments &args) {
  Value tile = l.expectTile(args, 0);
  auto shape = tile ? restAsShape(l, args) : std::nullopt;
  if (!shape || !l.checkTileType(*shape, tile.elementType(), args.range))
    return {};
  llvm::ArrayRef<int64_t> source = tile.tileType().getShape();
  bool fits = source.size() <= shape->size();
  for (size_t i = 1; fits && i <= source.size(); ++i)
    fits = source[source.size() - i] == 1 || source[source.size() - i] == (*shape)[shape->size() - i];
  if (!fits)
    return l.fail(args.range, "RuntimeError",
                  "a tile " + formatShape(source) + " cannot be broadcast to " + formatShape(*shape),
                  "from the right, each dimension must be equal or 1");
  if (source == llvm::ArrayRef<int64_t>(*shape))
    return tile;
  tile = l.toUB(tile, args.range);
  return Value::ofTile(
      tile::BroadcastOp::create(l.builder, l.loc(args.range), tile.tileType().withShape(*shape), tile.ir));
}

static Value reshape(Lowering &l, const Arguments &args) {
  Value tile = l.expectTile(args, 0);
  auto shape = tile ? restAsShape(l, args) : std::nullopt;
  if (!shape || !l.checkTileType(*shape, tile.elementType(), args.range))
    return {};
  if (l.tileType(*shape, DType::Int8).getNumElements() != tile.tileType().getNumElements())
    return l.fail(args.range, "RuntimeError",
                  "a tile " + formatShape(tile.tileType().getShape()) + " cannot be reshaped to " +
                      formatShape(*shape) + ": the number of elements differs");
  return reshapeTo(l, tile, *shape, args.range);
}

static Value ravel(Lowering &l, const Arguments &args) {
  Value tile = l.expectTile(args, 0);
  return tile ? reshapeTo(l, tile, tile.tileType().getNumElements(), args.range) : Value();
}

// Sorted unique axes in [0, rank); nothing after an error.
static std::optional<llvm::SmallVector<int64_t>> axes(Lowering &l, const Arguments &args, int64_t rank) {
  auto result = l.expectInts(args.rest, "an axis");
  if (!result)
    return std::nullopt;
  for (int64_t &axis : *result) {
    if (axis < -rank || axis >= rank) {
      l.fail(args.range, "RuntimeError",
             "axis " + llvm::Twine(axis) + " is out of range for rank " + llvm::Twine(rank));
      return std::nullopt;
    }
    axis += axis < 0 ? rank : 0;
  }
  llvm::sort(*result);
  result->erase(llvm::unique(*result), result->end());
  return result;
}

static Value expandDims(Lowering &l, const Arguments &args) {
  Value tile = l.expectTile(args, 0);
  if (!tile)
    return {};
  auto at = axes(l, args, tile.tileType().getRank() + args.rest.size());
  if (!at)
    return {};
  llvm::SmallVector<int64_t> shape(tile.tileType().getShape());
  for (int64_t axis : *at)
    shape.insert(shape.begin() + std::min<int64_t>(axis, shape.size()), 1);
  if (!l.checkTileType(shape, tile.elementType(), args.range))
    return {};
  return reshapeTo(l, tile, shape, args.range);
}

static Value squeeze(Lowering &l, const Arguments &args) {
  Value tile = l.expectTile(args, 0);
  if (!tile)
    return {};
  llvm::ArrayRef<int64_t> source = tile.tileType().getShape();
  auto at = axes(l, args, source.size());
  if (!at)
    return {};
  llvm::SmallVector<int64_t> shape;
  for (auto [axis, dim] : llvm::enumerate(source)) {
    bool named = llvm::is_contained(*at, int64_t(axis));
    if (named && dim != 1)
      return l.fail(args.range, "RuntimeError",
                    "axis " + llvm::Twine(axis) + " of the tile " + formatShape(source) +
                        " is not 1 and cannot be squeezed");
    if (dim != 1 || !(named || at->empty()))
      shape.push_back(dim);
  }
  if (shape.empty())
    shape.push_back(1);
  return reshapeTo(l, tile, shape, args.range);
}

static Value fill(Lowering &l, llvm::ArrayRef<int64_t> shape, const Argument &value, DType dtype, isa::Memory memory,
                  const Range &range) {
  if (!l.checkTileType(shape, dtype, range))
    return {};
  mlir::Value scalar = l.toScalar(value.value, dtype, value.range);
  if (!scalar)
    return {};
  return Value::ofTile(tile::SplatOp::create(l.builder, l.loc(range), l.tileType(shape, dtype, memory), scalar));
}

static Value full(Lowering &l, const Arguments &args) {
  auto shape = l.expectShape(args[0], "the shape of a tile");
  if (!shape)
    return {};
  if (!l.isNumeric(args[1].value))
    return l.fail(args[1].range, "TypeError", "asc2.full fills with a number, not with " + l.describe(args[1].value));
  DType dtype = l.dtypeOf(args[1].value);
  if (args[1].value.isHost() && dtype == DType::Int1)
    dtype = DType::Int32; // bool counts as int
  if (args[2]) {
    std::optional<DType> given = l.expectDType(args[2], "dtype");
    if (!given)
      return {};
    dtype = *given;
  }
  std::optional<isa::Memory> memory = l.expectLocation(args[3]);
  return memory ? fill(l, *shape, args[1], dtype, *memory, args.range) : Value();
}

static Value fullLike(Lowering &l, const Arguments &args) {
  Value tile = l.expectTile(args, 0);
  std::optional<isa::Memory> memory = tile ? l.expectLocation(args[2]) : std::nullopt;
  if (!memory)
    return {};
  return fill(l, tile.tileType().getShape(), args[1], tile.elementType(), *memory, args.range);
}

static Value zeros(Lowering &l, const Arguments &args) {
  auto shape = l.expectShape(args[0], "the shape of a tile");
  std::optional<DType> dtype = !shape ? std::nullopt : args[1] ? l.expectDType(args[1], "dtype") : DType::Int32;
  std::optional<isa::Memory> memory = dtype ? l.expectLocation(args[2]) : std::nullopt;
  if (!memory)
    return {};
  return fill(l, *shape, {Value::ofHost(l.host.makeInt(0)), args.range}, *dtype, *memory, args.range);
}

static Value zerosLike(Lowering &l, const Arguments &args) {
  Value tile = l.expectTile(args, 0);
  std::optional<isa::Memory> memory = tile ? l.expectLocation(args[1]) : std::nullopt;
  if (!memory)
    return {};
  return fill(l, tile.tileType().getShape(), {Value::ofHost(l.host.makeInt(0)), args.range}, tile.elementType(),
              *memory, args.range);
}

static Value concat(Lowering &l, const Arguments &args) {
  if (args.rest.empty())
    return l.fail(args.range, "RuntimeError", "asc2.concat needs at least one tile");
  llvm::SmallVector<mlir::Value> operands;
  llvm::SmallVector<int64_t> shape;
  tile::TileType first;
  for (const Argument &argument : args.rest) {
    Value tile = l.read(argument.value);
    if (!tile.isTile())
      return l.fail(argument.range, "TypeError", "asc2.concat joins tiles, not " + l.describe(tile));
    tile::TileType type = tile.tileType();
    if (type.getMemory() != isa::Memory::UB || tile.elementType() == DType::Int1)
      return l.fail(argument.range, "RuntimeError",
                    "asc2.concat joins tiles of whole bytes in UB, not " + l.describe(tile));
    if (!first) {
      first = type;
      shape.assign(type.getShape().begin(), type.getShape().end());
    } else if (type.getElementType() != first.getElementType() ||
               type.getShape().drop_front() != first.getShape().drop_front()) {
      return l.fail(argument.range, "RuntimeError",
                    "asc2.concat cannot join " + l.describe(tile) + " with a tile " + formatShape(first.getShape()) +
                        " " + name(fromMlir(first.getElementType())));
    } else {
      shape[0] += type.getShape()[0];
    }
    operands.push_back(tile.ir);
  }
  if (!l.checkTileType(shape, fromMlir(first.getElementType()), args.range))
    return {};
  return Value::ofTile(tile::ConcatOp::create(l.builder, l.loc(args.range), first.withShape(shape), operands));
}

llvm::ArrayRef<BuiltinEntry> shapeBuiltins() {
  static constexpr BuiltinEntry entries[] = {
      {"asc2.broadcast_to", "input, *shape", broadcastTo},
      {"asc2.reshape", "input, *shape", reshape},
      {"asc2.ravel", "input", ravel},
      {"asc2.expand_dims", "input, *axis", expandDims},
      {"asc2.squeeze", "input, *axis", squeeze},
      {"asc2.full", "shape, value, dtype=None, location=UB", full},
      {"asc2.full_like", "input, value, location=UB", fullLike},
      {"asc2.zeros", "shape, dtype=int32, location=UB", zeros},
      {"asc2.zeros_like", "input, location=UB", zerosLike},
      {"asc2.concat", "*tiles", concat},
  };
  return entries;
}

} // namespace tilesmith::frontend
