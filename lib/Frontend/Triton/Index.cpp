// Elements by their positions: reversed, gathered, joined, and axes combined by functions of the language.
#include "Program.h"

namespace tilesmith::frontend::triton {

Value Program::gather(const Value &tile, const Value &index, int64_t axis, const Range &range) {
  Shape shape(shapeOf(index));
  llvm::SmallVector<Value> indices;
  for (size_t d = 0; d < shape.size(); ++d)
    indices.push_back(int64_t(d) == axis ? index : broadcast(countedAlong(shape, d, range), shape, range));
  return gatherAt(tile, indices, shape, range);
}

Value Program::gatherAt(const Value &tile, llvm::ArrayRef<Value> indices, llvm::ArrayRef<int64_t> shape,
                        const Range &range) {
  Value position;
  int64_t stride = 1;
  for (int64_t d = typeOf(tile).getRank(); d-- > 0; stride *= shapeOf(tile)[d]) {
    Value at = convert(indices[d], DType::I32, range);
    at = at && stride != 1 ? binary(Op::Mul, at, number(stride), range) : at;
    position = at && position ? binary(Op::Add, position, at, range) : at;
    if (!position)
      return {};
  }
  position = broadcast(position, shape, range);
  if (!position)
    return {};
  DType dtype = elementOf(tile);
  bool isNarrow = dtype == DType::I1 || bitWidth(dtype) < 16;
  Value from = isNarrow ? convert(tile, DType::I16, range) : tile;
  auto type = makeType(shape, elementOf(from));
  Value result = ofTensor(tile::GatherOp::create(builder(), loc(range), type, from.ir, position.ir, /*inside=*/true));
  return isNarrow ? convert(result, dtype, range) : result;
}

Value Program::countedAlong(llvm::ArrayRef<int64_t> shape, size_t dim, const Range &range) {
  Shape along(shape.size(), 1);
  along[dim] = shape[dim];
  return reshape(arange(0, along[dim], range), along, range);
}

Value flip(Program &p, const Arguments &args) {
  Value tile = p.expectTile(args, 0);
  auto axis = tile ? p.expectAxis(args[1] ? args[1] : Argument{p.number(-1), args.range}, typeOf(tile).getRank())
                   : std::nullopt;
  if (!axis)
    return {};
  Shape along(shapeOf(tile).size(), 1);
  along[*axis] = shapeOf(tile)[*axis];
  Value counted = p.reshape(p.arange(0, along[*axis], args.range), along, args.range);
  Value index = p.binary(Op::Sub, p.number(along[*axis] - 1), counted, args.range);
  return p.gather(tile, p.broadcast(index, shapeOf(tile), args.range), *axis, args.range);
}

Value gather(Program &p, const Arguments &args) {
  Value tile = p.expectTile(args, 0), index = tile ? p.expectTile(args, 1) : Value();
  auto axis = index ? p.expectAxis(args[2], typeOf(tile).getRank()) : std::nullopt;
  if (!axis)
    return {};
  if (isFloat(elementOf(index)) || typeOf(index).getRank() != typeOf(tile).getRank())
    return p.fail(args[1].range, "ValueError",
                  "index of tl.gather is a tensor of integers with as many dimensions as src, not " +
                      p.describe(index));
  for (int64_t d = 0; d < typeOf(tile).getRank(); ++d)
    if (d != *axis && shapeOf(index)[d] != shapeOf(tile)[d])
      return p.fail(args.range, "ValueError",
                    "index dim " + llvm::Twine(d) + " must match the corresponding source dim");
  return p.gather(tile, p.convert(index, DType::I32, args.range), *axis, args.range);
}

Value cat(Program &p, const Arguments &args) {
  Value a = p.expectTile(args, 0), b = a ? p.expectTile(args, 1) : Value();
  if (!b)
    return {};
  if (elementOf(a) != elementOf(b) || typeOf(a).getRank() != typeOf(b).getRank())
    return p.fail(args.range, "ValueError",
                  "tl.cat joins tensors of one type and as many dimensions, not " + p.describe(a) + " and " +
                      p.describe(b));
  auto axis = p.expectAxis(args[3] ? args[3] : Argument{p.number(0), args.range}, typeOf(a).getRank());
  if (!axis)
    return {};
  for (int64_t d = 0; d < typeOf(a).getRank(); ++d)
    if (d != *axis && shapeOf(a)[d] != shapeOf(b)[d])
      return p.fail(args.range, "ValueError",
                    "tensors of tl.cat differ in dimension " + llvm::Twine(d) + ": " + p.describe(a) + " and " +
                        p.describe(b));
  Shape shape(shapeOf(a));
  int64_t first = shape[*axis], second = shapeOf(b)[*axis];
  shape[*axis] += second;
  if (shape.size() == 1)
    return ofTensor(tile::ConcatOp::create(p.builder(), p.loc(args.range), typeOf(a).withShape(shape),
                                           mlir::ValueRange{a.ir, b.ir}));
  Value counted = p.countedAlong(shape, *axis, args.range);
  Value before = p.binary(Op::Min, counted, p.number(first - 1), args.range);
  Value behind = p.binary(Op::Max, p.binary(Op::Sub, counted, p.number(first), args.range), p.number(0), args.range);
  Value left = p.gather(a, p.broadcast(before, shape, args.range), *axis, args.range);
  Value right = p.gather(b, p.broadcast(behind, shape, args.range), *axis, args.range);
  return p.select(p.compare(tile::CompareKind::LT, counted, p.number(first), args.range), left, right, args.range);
}

// Two tiles as one with a new last axis.
static Value joined(Program &p, const Value &a, const Value &b, const Range &range) {
  std::optional<DType> dtype = p.promote(Op::Choose, a, b, range);
  auto shape = dtype ? p.commonShape(p.shapeOfAny(a), p.shapeOfAny(b), range) : std::nullopt;
  if (!shape)
    return {};
  Value sides[2] = {p.convert(a, *dtype, range), p.convert(b, *dtype, range)};
  Shape wide(*shape);
  wide.push_back(2);
  for (Value &side : sides) {
    if (!side)
      return {};
    side = shape->empty() ? p.broadcast(side, {1}, range) : p.broadcast(side, *shape, range);
    Shape one(*shape);
    one.push_back(1);
    side = p.broadcast(p.reshape(side, one, range), wide, range);
  }
  Shape along(wide.size(), 1);
  along.back() = 2;
  Value second = p.compare(tile::CompareKind::EQ, p.reshape(p.arange(0, 2, range), along, range), p.number(1), range);
  return p.select(second, sides[1], sides[0], range);
}

Value join(Program &p, const Arguments &args) {
  Value a = p.expectValue(args, 0), b = a ? p.expectValue(args, 1) : Value();
  return b ? joined(p, a, b, args.range) : Value();
}

Value interleave(Program &p, const Arguments &args) {
  Value a = p.expectTile(args, 0), b = a ? p.expectTile(args, 1) : Value();
  Value both = b ? joined(p, a, b, args.range) : Value();
  if (!both)
    return {};
  Shape shape(shapeOf(both));
  shape.pop_back();
  shape.back() *= 2;
  return p.reshape(both, shape, args.range);
}

Value sliced(Program &p, const Value &tile, int64_t axis, int64_t start, int64_t count, const Range &range) {
  Shape shape(shapeOf(tile)), along(shape.size(), 1);
  shape[axis] = along[axis] = count;
  Value index = p.broadcast(p.reshape(p.arange(start, start + count, range), along, range), shape, range);
  return p.gather(tile, index, axis, range);
}

Value split(Program &p, const Arguments &args) {
  Value tile = p.expectTile(args, 0);
  if (!tile)
    return {};
  int64_t last = typeOf(tile).getRank() - 1;
  if (shapeOf(tile)[last] != 2)
    return p.fail(args.range, "ValueError", "tl.split needs a last axis of size 2, not " + p.describe(tile));
  auto half = [&](int64_t which) {
    return withoutAxis(p, sliced(p, tile, last, which, 1, args.range), last, false, args.range);
  };
  return Value::ofSequence({half(0), half(1)}, false);
}

// With a function of the language ------------------------------------------------------------------------------------

namespace {
using Tiles = llvm::SmallVector<Value>;
}

// One tile, or a tuple of tiles of one shape; and the axis.
static std::optional<std::pair<Tiles, int64_t>> tilesAlong(Program &p, const Arguments &args) {
  Tiles tiles;
  if (isTensor(args[0].value))
    tiles.push_back(args[0].value);
  else if (!p.values.toSequence(args[0].value, tiles, args[0].range, "what is combined"))
    return std::nullopt;
  for (const Value &tile : tiles)
    if (!isTensor(tile) || shapeOf(tile) != shapeOf(tiles[0])) {
      p.fail(args[0].range, "ValueError", args.name + " needs tensors of one shape, not " + p.describe(tile));
      return std::nullopt;
    }
  if (tiles.empty()) {
    p.fail(args[0].range, "ValueError", args.name + " needs a tensor");
    return std::nullopt;
  }
  if (p.values.isNone(args[1].value) || !args[1]) {
    for (Value &tile : tiles)
      tile = p.reshape(tile, {typeOf(tile).getNumElements()}, args.range);
    return std::pair(tiles, int64_t(0));
  }
  auto axis = p.expectAxis(args[1], typeOf(tiles[0]).getRank());
  return axis ? std::optional(std::pair(tiles, *axis)) : std::nullopt;
}

// The function of all of `a`, then all of `b`; as many tiles of the same types. Empty after an error.
static Tiles combined(Program &p, const Argument &function, llvm::ArrayRef<Value> a, llvm::ArrayRef<Value> b,
                      const Range &range) {
  CallSite site{range, {}, {}};
  for (llvm::ArrayRef<Value> side : {a, b})
    for (const Value &tile : side)
      site.positional.push_back({tile, range});
  Value result = p.l.calls.call(function.value, "", site);
  if (!result)
    return {};
  Tiles results;
  if (a.size() == 1 && !result.isSequence())
    results.push_back(result);
  else if (!p.values.toSequence(result, results, range, "what the function gives"))
    return {};
  bool fits = results.size() == a.size();
  for (size_t i = 0; fits && i < results.size(); ++i) {
    fits = p.isValue(results[i]);
    if (!fits)
      break;
    results[i] = p.convert(results[i], elementOf(a[i]), range);
    results[i] = results[i] ? p.broadcast(results[i], shapeOf(a[i]), range) : Value();
    if (!results[i])
      return {};
  }
  if (!fits) {
    p.fail(range, "ValueError", "the function must give as many values as it combines, " + llvm::Twine(a.size()));
    return {};
  }
  return results;
}

// A tree: the first half with the second one; what is left over at the end.
Value reduceWith(Program &p, const Arguments &args) {
  auto given = tilesAlong(p, args);
  std::optional<bool> keep = given ? p.l.expect.boolean(args[3], false, "keep_dims") : std::nullopt;
  if (!keep)
    return {};
  auto [tiles, axis] = *given;
  const Range &range = args.range;
  auto part = [&, axis = axis](llvm::ArrayRef<Value> from, int64_t start, int64_t count) {
    Tiles parts;
    for (const Value &tile : from)
      parts.push_back(sliced(p, tile, axis, start, count, range));
    return parts;
  };
  llvm::SmallVector<Tiles> left;
  for (int64_t size = shapeOf(tiles[0])[axis]; size > 1; size /= 2) {
    if (size % 2)
      left.push_back(part(tiles, size - 1, 1));
    tiles = combined(p, args[2], part(tiles, 0, size / 2), part(tiles, size / 2, size / 2), range);
    if (tiles.empty())
      return {};
  }
  for (const Tiles &rest : left) {
    tiles = combined(p, args[2], tiles, rest, range);
    if (tiles.empty())
      return {};
  }
  for (Value &tile : tiles)
    tile = withoutAxis(p, tile, axis, *keep, range);
  return isTensor(args[0].value) ? tiles[0] : Value::ofSequence(tiles, false);
}

// Each element with the one 1, 2, 4, ... places before it.
Value scanWith(Program &p, const Arguments &args) {
  auto given = tilesAlong(p, args);
  std::optional<bool> reverse = given ? p.l.expect.boolean(args[3], false, "reverse") : std::nullopt;
  if (!reverse)
    return {};
  auto [tiles, axis] = *given;
  const Range &range = args.range;
  Shape shape(shapeOf(tiles[0])), along(shape.size(), 1);
  int64_t size = along[axis] = shape[axis];
  Value counted = p.reshape(p.arange(0, size, range), along, range);
  auto turned = [&, axis = axis](const Value &tile) {
    Value index = p.binary(Op::Sub, p.number(size - 1), counted, range);
    return p.gather(tile, p.broadcast(index, shape, range), axis, range);
  };
  if (*reverse)
    for (Value &tile : tiles)
      tile = turned(tile);
  for (int64_t distance = 1; distance < size; distance *= 2) {
    Value before = p.binary(Op::Max, p.binary(Op::Sub, counted, p.number(distance), range), p.number(0), range);
    Value index = p.broadcast(before, shape, range);
    Tiles earlier;
    for (const Value &tile : tiles)
      earlier.push_back(p.gather(tile, index, axis, range));
    Tiles sums = combined(p, args[2], earlier, tiles, range);
    if (sums.empty())
      return {};
    Value reaches = p.compare(tile::CompareKind::GE, counted, p.number(distance), range);
    for (auto [tile, sum] : llvm::zip_equal(tiles, sums))
      tile = p.select(reaches, sum, tile, range);
  }
  if (*reverse)
    for (Value &tile : tiles)
      tile = turned(tile);
  return isTensor(args[0].value) ? tiles[0] : Value::ofSequence(tiles, false);
}

} // namespace tilesmith::frontend::triton
