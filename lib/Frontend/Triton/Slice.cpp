// Parts of tiles: taken out, put in, and single elements.
#include "Program.h"

namespace tilesmith::frontend::triton {

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
    Value counted = p.countedAlong(slice->sizes, d, args.range);
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
    Value counted = p.countedAlong(shapeOf(full), d, range);
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

} // namespace tilesmith::frontend::triton
