// Along an axis: reductions, where the largest stands, running sums; and products.
#include "Program.h"

namespace tilesmith::frontend::triton {

// A tile whose axis has size 1, as what the reduction gives: with the axis, without it, or as a number.
Value withoutAxis(Program &p, const Value &kept, int64_t axis, bool keep, const Range &range) {
  if (keep)
    return kept;
  Shape shape(shapeOf(kept));
  shape.erase(shape.begin() + axis);
  if (!shape.empty())
    return p.reshape(kept, shape, range);
  DType dtype = elementOf(kept);
  return Value::ofScalar(tile::ExtractOp::create(p.builder(), p.loc(range), p.l.ir.type(dtype), kept.ir), dtype);
}

// The tile and the axis; all elements are those of one axis. Nothing after an error.
static std::optional<std::pair<Value, int64_t>> along(Program &p, const Arguments &args, const Value &tile,
                                                      const Argument &axis) {
  if (!axis)
    return std::pair(p.reshape(tile, {typeOf(tile).getNumElements()}, args.range), int64_t(0));
  auto at = p.expectAxis(axis, typeOf(tile).getRank());
  if (!at)
    return std::nullopt;
  return std::pair(tile, *at);
}

static Value reduced(Program &p, tile::ReduceKind kind, const Value &tile, int64_t axis, const Range &range) {
  Shape shape(shapeOf(tile));
  shape[axis] = 1;
  return ofTensor(
      tile::ReduceOp::create(p.builder(), p.loc(range), typeOf(tile).withShape(shape), kind, tile.ir, axis));
}

static Value indexOf(Program &p, tile::ArgKind kind, const Value &tile, int64_t axis, const Range &range) {
  Shape shape(shapeOf(tile));
  shape[axis] = 1;
  return ofTensor(tile::ArgOp::create(p.builder(), p.loc(range), p.makeType(shape, DType::I32), kind, tile.ir, axis));
}

// Extremes of less than 32 bits are found and given in 32 bits.
static DType widened(DType dtype) {
  if (isFloat(dtype))
    return DType::F32;
  return bitWidth(dtype) >= 32 ? dtype : isUnsigned(dtype) ? DType::U32 : DType::I32;
}

Value reduce(Program &p, const Arguments &args) {
  Value value = args[0].value;
  if (value.isScalar())
    return value;
  value = p.expectTile(args, 0);
  tile::ReduceKind kind = *tile::symbolizeReduceKind(kindOf(args).lower());
  bool isSum = kind == tile::ReduceKind::Sum;
  std::optional<bool> keep = value ? p.l.expect.boolean(args[isSum ? 2 : 4], false, "keep_dims") : std::nullopt;
  std::optional<bool> indices = keep && !isSum ? p.l.expect.boolean(args[2], false, "return_indices")
                                : keep         ? std::optional(false)
                                               : std::nullopt;
  if (!indices)
    return {};
  DType dtype = elementOf(value), result = dtype;
  if (isSum && args[3]) {
    std::optional<DType> given = p.expectDType(args[3]);
    if (!given)
      return {};
    result = *given;
  } else if (isSum && !isFloat(dtype) && bitWidth(dtype) < 32) {
    result = isUnsigned(dtype) ? DType::U32 : DType::I32;
  } else if (!isSum) {
    result = widened(dtype);
  }
  auto axis = along(p, args, value, args[1]);
  if (!axis)
    return {};
  int64_t rank = typeOf(value).getRank();
  bool ofAll = !args[1];
  if (ofAll && *indices)
    return p.fail(args.range, "ValueError", "tl." + args.name.drop_front(7) + " with indices needs an axis");
  Value input = p.convert(axis->first, result, args.range);
  if (!input)
    return {};
  Value kept = reduced(p, kind, input, axis->second, args.range);
  Value best = withoutAxis(p, kept, axis->second, *keep && !ofAll, args.range);
  if (ofAll && *keep)
    best = p.reshape(kept, Shape(rank, 1), args.range);
  if (!*indices)
    return best;
  tile::ArgKind which = kind == tile::ReduceKind::Max ? tile::ArgKind::Max : tile::ArgKind::Min;
  Value where = withoutAxis(p, indexOf(p, which, input, axis->second, args.range), axis->second, *keep, args.range);
  return Value::ofSequence({best, where}, false);
}

Value arg(Program &p, const Arguments &args) {
  Value value = p.expectTile(args, 0);
  std::optional<bool> keep = value ? p.l.expect.boolean(args[3], false, "keep_dims") : std::nullopt;
  if (!keep)
    return {};
  auto axis = along(p, args, value, args[1]);
  if (!axis)
    return {};
  Value input = p.convert(axis->first, widened(elementOf(value)), args.range);
  tile::ArgKind which = *tile::symbolizeArgKind(kindOf(args).lower());
  return withoutAxis(p, indexOf(p, which, input, axis->second, args.range), axis->second, *keep, args.range);
}

Value cumsum(Program &p, const Arguments &args) {
  Value value = p.expectTile(args, 0);
  std::optional<bool> reverse = value ? p.l.expect.boolean(args[2], false, "reverse") : std::nullopt;
  auto axis = reverse ? p.expectAxis(args[1] ? args[1] : Argument{p.number(0), args.range}, typeOf(value).getRank())
                      : std::nullopt;
  if (!axis)
    return {};
  DType dtype = elementOf(value);
  if (args[3]) {
    std::optional<DType> given = p.expectDType(args[3]);
    if (!given)
      return {};
    dtype = *given;
  } else if (!isFloat(dtype) && bitWidth(dtype) < 32) {
    dtype = isUnsigned(dtype) ? DType::U32 : DType::I32;
  }
  Value input = p.convert(value, dtype, args.range);
  if (!input)
    return {};
  Value sums = ofTensor(tile::CumsumOp::create(p.builder(), p.loc(args.range), input.ir.getType(), input.ir, *axis));
  if (!*reverse)
    return sums;
  // From the end: all, less what stands before.
  Value all = p.broadcast(reduced(p, tile::ReduceKind::Sum, input, *axis, args.range), shapeOf(input), args.range);
  return p.binary(Op::Add, p.binary(Op::Sub, all, sums, args.range), input, args.range);
}

Value dot(Program &p, const Arguments &args) {
  Value a = p.expectTile(args, 0), b = a ? p.expectTile(args, 1) : Value();
  if (!b)
    return {};
  Shape left(shapeOf(a)), right(shapeOf(b));
  if (elementOf(a) != elementOf(b))
    return p.fail(args.range, "TypeError",
                  "Both operands must be same dtype. Got " + name(elementOf(a)) + " and " + name(elementOf(b)),
                  "convert one of them: .to(...)");
  DType element = elementOf(a);
  if (!isFloat(element) && element != DType::I8)
    return p.fail(args.range, "TypeError", "Unsupported dtype " + name(element) + " of tl.dot",
                  "products are of float16, bfloat16, float32 and int8");
  if (left.size() != right.size() || left.size() < 2 || left.size() > 3)
    return p.fail(args.range, "ValueError",
                  "Both inputs must be either 2D or 3D; (lhs: " + formatShape(left) + " vs rhs: " + formatShape(right) +
                      ")");
  if (left.back() != right.end()[-2] || (left.size() == 3 && left[0] != right[0]))
    return p.fail(args.range, "ValueError",
                  "First input shape (" + formatShape(left) + ") and second input shape " + formatShape(right) +
                      " are not compatible for matmul (second index of first shape (" + llvm::Twine(left.back()) +
                      ") must be equal to first index of second shape (" + llvm::Twine(right.end()[-2]) + ")");
  DType sum = isFloat(element) ? DType::F32 : DType::I32, result = sum;
  if (args[6]) {
    std::optional<DType> given = p.expectDType(args[6]);
    if (!given)
      return {};
    result = *given;
  }
  Shape shape(left);
  int64_t columns = shape.back() = right.back();
  // Matrices of bytes are turned in squares of 32, so they are widened to that: along the sum by zeros of the left one,
  // which leaves the right one free to repeat a row, along the columns by repeated ones that are left out at the end.
  constexpr int64_t square = 32;
  auto up = [](int64_t size) { return (size + square - 1) / square * square; };
  auto sized = [&](const Value &tile, int64_t axis, int64_t count) {
    Shape to(shapeOf(tile)), along(to.size(), 1);
    int64_t own = to[axis];
    to[axis] = along[axis] = count;
    Value index = p.reshape(p.arange(0, count, args.range), along, args.range);
    index = p.binary(Op::Min, index, p.number(own - 1), args.range);
    return p.gather(tile, p.broadcast(index, to, args.range), axis, args.range);
  };
  int64_t rank = left.size(), inner = left.back();
  if (element == DType::I8 && inner % square) {
    Shape along(rank, 1);
    along.back() = up(inner);
    Value counted = p.reshape(p.arange(0, along.back(), args.range), along, args.range);
    Value exists = p.compare(tile::CompareKind::LT, counted, p.number(inner), args.range);
    a = p.convert(p.select(exists, sized(a, rank - 1, up(inner)), p.number(0), args.range), DType::I8, args.range);
    b = sized(b, rank - 2, up(inner));
  }
  bool isWidened = element == DType::I8 && columns % square;
  if (isWidened) {
    b = sized(b, rank - 1, up(columns));
    shape.back() = up(columns);
  }
  if (!p.checkType(shape, sum, args.range))
    return {};
  mlir::Location at = p.loc(args.range);
  tile::TileType type = p.makeType(shape, sum);
  mlir::Value product =
      tile::MatmulOp::create(p.builder(), at, type.withMemory(isa::Memory::L0C), a.ir, b.ir, mlir::Value());
  llvm::SmallVector<mlir::Value> zeros(shape.size(), nullptr);
  for (mlir::Value &zero : zeros)
    zero = p.l.ir.i32(0, args.range);
  Value made = ofTensor(tile::CopyOp::create(p.builder(), at, type, product, zeros));
  if (isWidened)
    made = sized(made, rank - 1, shape.back() = columns);
  if (args[2]) {
    Value acc = p.expectTile(args, 2);
    if (!acc)
      return {};
    if (Shape(shapeOf(acc)) != shape)
      return p.fail(args[2].range, "ValueError",
                    "acc of tl.dot must have the shape " + formatShape(shape) + ", not " + p.describe(acc));
    DType own = elementOf(acc);
    made = p.binary(Op::Add, p.convert(acc, sum, args.range), made, args.range);
    result = args[6] ? result : own;
  }
  return p.convert(made, result, args.range);
}

} // namespace tilesmith::frontend::triton
