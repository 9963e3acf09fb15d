// The elements of the last axis in order.
#include "Program.h"

#include "llvm/Support/MathExtras.h"

namespace tilesmith::frontend::triton {

// Wide integers, which the chip does not sort: a bitonic network along the last axis.
static Value sortedByPairs(Program &p, Value tile, bool descending, const Range &range) {
  DType dtype = elementOf(tile);
  Shape shape(shapeOf(tile));
  int64_t axis = int64_t(shape.size()) - 1, size = shape[axis], full = llvm::PowerOf2Ceil(size);
  shape[axis] = full;
  Value counted = p.countedAlong(shape, axis, range);
  auto number = [&](int64_t value) { return p.number(value); };
  auto isClear = [&](int64_t bit) {
    return p.compare(tile::CompareKind::EQ, p.binary(Op::And, counted, number(bit), range), number(0), range);
  };
  if (full != size) { // what sorts behind everything fills up
    unsigned bits = bitWidth(dtype) - (isUnsigned(dtype) ? 0 : 1);
    int64_t most = bits == 63 ? INT64_MAX : (int64_t(1) << bits) - 1;
    Value last = number(!descending ? most : isUnsigned(dtype) ? 0 : -most - 1);
    Value index = p.binary(Op::Min, counted, number(size - 1), range);
    Value given = p.gather(tile, p.broadcast(index, shape, range), axis, range);
    Value exists = p.compare(tile::CompareKind::LT, counted, number(size), range);
    tile = p.select(exists, given, p.convert(last, dtype, range), range);
  }
  for (int64_t run = 2; tile && run <= full; run *= 2)
    for (int64_t distance = run / 2; tile && distance > 0; distance /= 2) {
      Value index = p.binary(Op::Xor, counted, number(distance), range);
      Value other = p.gather(tile, p.broadcast(index, shape, range), axis, range);
      auto kind = descending ? tile::CompareKind::NE : tile::CompareKind::EQ;
      Value takesLess = p.compare(kind, isClear(distance), isClear(run), range);
      Value less = p.binary(Op::Min, tile, other, range), more = p.binary(Op::Max, tile, other, range);
      tile = p.select(takesLess, less, more, range);
    }
  return tile && full != size ? sliced(p, tile, axis, 0, size, range) : tile;
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
    return sortedByPairs(p, tile, *descending, args.range);
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

} // namespace tilesmith::frontend::triton
