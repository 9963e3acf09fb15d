// Elements by their positions: reversed, gathered, joined, sorted, and axes combined by functions of the language.
#include "Program.h"

#include "llvm/Support/MathExtras.h"

namespace tilesmith::frontend::triton {

// Elements of a tile, whose positions along an axis are those of `index`, a tile of the result's shape.
Value Program::gather(const Value &tile, const Value &index, int64_t axis, const Range &range) {
  Value position;
  int64_t stride = 1;
  for (int64_t d = typeOf(tile).getRank(); d-- > 0; stride *= shapeOf(tile)[d]) {
    Value at = index;
    if (d != axis) {
      Shape along(shapeOf(index).size(), 1);
      along[d] = shapeOf(index)[d];
      at = broadcast(reshape(arange(0, along[d], range), along, range), shapeOf(index), range);
    }
    at = stride == 1 ? at : binary(Op::Mul, at, number(stride), range);
    position = position ? binary(Op::Add, position, at, range) : at;
  }
  DType dtype = elementOf(tile);
  bool isNarrow = dtype == DType::I1 || bitWidth(dtype) < 16;
  Value from = isNarrow ? convert(tile, DType::I16, range) : tile;
  auto type = makeType(shapeOf(index), elementOf(from));
  Value result = ofTensor(tile::GatherOp::create(builder(), loc(range), type, from.ir, position.ir, /*inside=*/true));
  return isNarrow ? convert(result, dtype, range) : result;
}

Value Program::gatherAt(const Value &tile, llvm::ArrayRef<Value> indices, llvm::ArrayRef<int64_t> shape,
                        const Range &range) {
  int64_t stride = 1;
  Value position = convert(number(0), DType::I32, range);
  for (int64_t d = typeOf(tile).getRank(); position && d-- > 0; stride *= shapeOf(tile)[d]) {
    Value at = binary(Op::Mul, convert(indices[d], DType::I32, range), number(stride), range);
    position = at ? binary(Op::Add, position, at, range) : Value();
  }
  position = position ? broadcast(position, shape, range) : Value();
  if (!position)
    return {};
  DType dtype = elementOf(tile);
  bool isNarrow = dtype == DType::I1 || bitWidth(dtype) < 16;
  Value from = isNarrow ? convert(tile, DType::I16, range) : tile;
  auto type = makeType(shape, elementOf(from));
  Value result = ofTensor(tile::GatherOp::create(builder(), loc(range), type, from.ir, position.ir, /*inside=*/true));
  return isNarrow ? convert(result, dtype, range) : result;
}

// 0, 1, ... along one dimension of `shape`; all others have size 1.
static Value countedAlong(Program &p, llvm::ArrayRef<int64_t> shape, size_t dim, const Range &range) {
  Shape along(shape.size(), 1);
  along[dim] = shape[dim];
  return p.reshape(p.arange(0, along[dim], range), along, range);
}

// Offsets, sizes and strides of a slice of a tile; offsets may be numbers of the run.
struct Slice {
  llvm::SmallVector<Value> offsets;
  Shape sizes, strides;
};

static std::optional<Slice> sliceOf(Program &p, const Value &tile, const Argument &offsets, const Argument &sizes,
                                    const Argument &strides) {
  Slice slice;
  size_t rank = shapeOf(tile).size();
  if (!p.values.toSequence(offsets.value, slice.offsets, offsets.range, "offsets"))
    return std::nullopt;
  auto known = p.expectShape(sizes), steps = known ? p.expectShape(strides) : std::nullopt;
  if (!steps)
    return std::nullopt;
  if (slice.offsets.size() != rank || known->size() != rank || steps->size() != rank) {
    p.fail(offsets.range, "ValueError",
           "offsets, sizes and strides need one number for each dimension of " + p.describe(tile));
    return std::nullopt;
  }
  for (size_t d = 0; d < rank; ++d) {
    const Value &offset = slice.offsets[d];
    if (!p.values.isInteger(offset)) {
      p.fail(offsets.range, "TypeError", "an offset is an integer, not " + p.describe(offset));
      return std::nullopt;
    }
    int64_t first = offset.isHost() ? p.host.asInt(offset.host).value_or(-1) : 0;
    if (first < 0 || first + ((*known)[d] - 1) * (*steps)[d] >= shapeOf(tile)[d]) {
      p.fail(sizes.range, "ValueError",
             "the slice does not lie in dimension " + llvm::Twine(d) + " of " + p.describe(tile));
      return std::nullopt;
    }
  }
  slice.sizes = *known;
  slice.strides = *steps;
  return slice;
}

// Offsets of the run are kept inside the tile.
static Value firstOf(Program &p, const Slice &slice, const Value &tile, size_t d, const Range &range) {
  const Value &offset = slice.offsets[d];
  if (offset.isHost())
    return offset;
  int64_t last = shapeOf(tile)[d] - 1 - (slice.sizes[d] - 1) * slice.strides[d];
  return p.binary(Op::Min, p.binary(Op::Max, p.convert(offset, DType::I32, range), p.number(0), range), p.number(last),
                  range);
}

Value extractSlice(Program &p, const Arguments &args) {
  Value tile = p.expectTile(args, 0);
  auto slice = tile ? sliceOf(p, tile, args[1], args[2], args[3]) : std::nullopt;
  if (!slice)
    return {};
  llvm::SmallVector<Value> indices;
  for (size_t d = 0; d < slice->sizes.size(); ++d) {
    Value counted = countedAlong(p, slice->sizes, d, args.range);
    if (slice->strides[d] != 1)
      counted = p.binary(Op::Mul, counted, p.number(slice->strides[d]), args.range);
    indices.push_back(p.binary(Op::Add, counted, firstOf(p, *slice, tile, d, args.range), args.range));
    if (!indices.back())
      return {};
  }
  return p.gatherAt(tile, indices, slice->sizes, args.range);
}

Value insertSlice(Program &p, const Arguments &args) {
  Value full = p.expectTile(args, 0), sub = full ? p.expectTile(args, 1) : Value();
  auto slice = sub ? sliceOf(p, full, args[2], args[3], args[4]) : std::nullopt;
  if (!slice)
    return {};
  if (Shape(shapeOf(sub)) != slice->sizes)
    return p.fail(args[1].range, "ValueError",
                  "sizes are " + formatShape(slice->sizes) + ", which is not the shape of " + p.describe(sub));
  const Range &range = args.range;
  sub = p.convert(sub, elementOf(full), range);
  llvm::SmallVector<Value> indices;
  Value inside;
  for (size_t d = 0; sub && d < slice->sizes.size(); ++d) {
    int64_t step = slice->strides[d], size = slice->sizes[d];
    Value counted = countedAlong(p, shapeOf(full), d, range);
    Value from = p.binary(Op::Sub, counted, firstOf(p, *slice, full, d, range), range);
    Value at = step == 1 ? from : p.binary(Op::FloorDiv, from, p.number(step), range);
    at = p.binary(Op::Min, p.binary(Op::Max, at, p.number(0), range), p.number(size - 1), range);
    // In the slice is what the index leads back to.
    Value back = step == 1 ? at : p.binary(Op::Mul, at, p.number(step), range);
    Value here = p.compare(tile::CompareKind::EQ, back, from, range);
    inside = inside ? p.binary(Op::And, inside, here, range) : here;
    indices.push_back(at);
    if (!inside || !at)
      return {};
  }
  Value moved = sub ? p.gatherAt(sub, indices, shapeOf(full), range) : Value();
  return moved ? p.select(inside, moved, full, range) : Value();
}

Value getElement(Program &p, const Arguments &args) {
  Value tile = p.expectTile(args, 0);
  llvm::SmallVector<Value> indices;
  if (!tile || !p.values.toSequence(args[1].value, indices, args[1].range, "indices"))
    return {};
  if (indices.size() != shapeOf(tile).size())
    return p.fail(args[1].range, "ValueError", "get_element needs one index for each dimension of " + p.describe(tile));
  for (const Value &index : indices)
    if (!p.values.isInteger(index))
      return p.fail(args[1].range, "TypeError", "an index is an integer, not " + p.describe(index));
  Value one = p.gatherAt(tile, indices, {1}, args.range);
  if (!one)
    return {};
  DType dtype = elementOf(one);
  return Value::ofScalar(tile::ExtractOp::create(p.builder(), p.loc(args.range), p.l.ir.type(dtype), one.ir), dtype);
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
  if (typeOf(a).getRank() != 1 || typeOf(b).getRank() != 1 || elementOf(a) != elementOf(b))
    return p.fail(args.range, "NotImplementedError", "tl.cat joins two tensors of one dimension and one type yet");
  tile::TileType type = typeOf(a).withShape({shapeOf(a)[0] + shapeOf(b)[0]});
  return ofTensor(tile::ConcatOp::create(p.builder(), p.loc(args.range), type, mlir::ValueRange{a.ir, b.ir}));
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

// Elements `start` to `start + count` along an axis.
static Value sliced(Program &p, const Value &tile, int64_t axis, int64_t start, int64_t count, const Range &range) {
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

Value sort(Program &p, const Arguments &args) {
  Value tile = p.expectTile(args, 0);
  std::optional<bool> descending = tile ? p.l.expect.boolean(args[2], false, "descending") : std::nullopt;
  int64_t rank = descending ? typeOf(tile).getRank() : 0;
  auto axis = descending ? p.expectAxis(args[1] ? args[1] : Argument{p.number(-1), args.range}, rank) : std::nullopt;
  if (!axis)
    return {};
  if (*axis != rank - 1)
    return p.fail(args.range, "ValueError", "only minor dimension is currently supported");
  DType dtype = elementOf(tile), as = dtype == DType::F16 ? DType::F16 : DType::F32;
  if (!isFloat(dtype) && bitWidth(dtype) > 16)
    return p.fail(args[0].range, "NotImplementedError",
                  "the chip sorts floats and integers of 8 and 16 bits, not " + p.describe(tile));
  Value keys = p.convert(tile, as, args.range);
  if (!*descending)
    keys = p.unary(ast::UnaryOperator::USub, keys, args.range);
  auto type = p.makeType(shapeOf(keys), as);
  auto op = tile::SortOp::create(p.builder(), p.loc(args.range), type, p.makeType(shapeOf(keys), DType::I32), keys.ir);
  Value sorted = ofTensor(op.getValues());
  if (!*descending)
    sorted = p.unary(ast::UnaryOperator::USub, sorted, args.range);
  return p.convert(sorted, dtype, args.range);
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
