// Operations that are a few others, and those that ask where an element stands.
#include "Operator.h"

namespace tilesmith::frontend::pypto {

using graph::BinaryKind;
using graph::UnaryKind;
using tile::CompareKind;

Value Operator::iota(llvm::ArrayRef<int64_t> shape, int64_t axis, DType dtype, const Range &range) {
  return makeTensor(
      graph::IotaOp::create(builder(), loc(range), makeType(shape, dtype), axis, i32(number(0), range), vectorTile()),
      fullExtents(shape));
}

static Value real(Operator &o, double number) { return Value::ofHost(o.host.makeFloat(number)); }

// Two tensors, or a tensor and a number, of floats.
static bool operands(Operator &o, const Arguments &args, Value &a, Value &b) {
  a = o.expectTensor(args[0], "input");
  b = a ? o.operand(args[1], "other") : Value();
  return b && o.checkDType(a, operationOf(args).dtypes, args) &&
         (!isTensor(b) || o.checkDType(b, operationOf(args).dtypes, args));
}

// In FP32, rounded once to the type of the first tensor.
template <typename Compute> static Value inFloat(Operator &o, const Arguments &args, Compute compute) {
  Value a, b;
  if (!operands(o, args, a, b))
    return {};
  DType dtype = elementOf(a);
  a = o.cast(a, DType::F32, args.range);
  if (isTensor(b))
    b = o.cast(b, DType::F32, args.range);
  Value made = compute(a, b);
  return made ? o.cast(made, dtype, args.range) : Value();
}

Value hypot(Operator &o, const Arguments &args) {
  const Range &range = args.range;
  return inFloat(o, args, [&](Value a, Value b) {
    // Scaled by the larger one, so that squares stay within the range of floats.
    Value x = o.unary(UnaryKind::Abs, a, range), y = isTensor(b) ? o.unary(UnaryKind::Abs, b, range) : b;
    Value most = o.binary(BinaryKind::Max, x, y, range),
          least = most ? o.binary(BinaryKind::Min, x, y, range) : Value();
    if (!least)
      return Value();
    Value safe = o.select(o.compare(CompareKind::EQ, most, real(o, 0), range), real(o, 1), most, range);
    Value part = o.binary(BinaryKind::Div, least, safe, range);
    Value root =
        o.unary(UnaryKind::Sqrt,
                o.binary(BinaryKind::Add, o.binary(BinaryKind::Mul, part, part, range), real(o, 1), range), range);
    return o.binary(BinaryKind::Mul, most, root, range);
  });
}

Value expDifference(Operator &o, const Arguments &args) {
  return inFloat(o, args, [&](Value a, Value b) {
    Value difference = o.binary(BinaryKind::Sub, a, b, args.range);
    return difference ? o.unary(UnaryKind::Exp, difference, args.range) : Value();
  });
}

static Value quotient(Operator &o, const Arguments &args, UnaryKind rounding) {
  Value a, b;
  if (!operands(o, args, a, b))
    return {};
  DType dtype = elementOf(a);
  Value made = o.binary(BinaryKind::Div, a, b, args.range, ResultType::Widened);
  if (!made)
    return {};
  made = o.unary(rounding, o.cast(made, DType::F32, args.range), args.range);
  return o.cast(made, dtype, args.range);
}
Value floorDiv(Operator &o, const Arguments &args) { return quotient(o, args, UnaryKind::Floor); }
Value ceilDiv(Operator &o, const Arguments &args) { return quotient(o, args, UnaryKind::Ceil); }

static Value leaky(Operator &o, const Value &x, const Value &slope, const Range &range) {
  Value scaled = o.binary(BinaryKind::Mul, x, slope, range);
  return scaled ? o.select(o.compare(CompareKind::GT, x, real(o, 0), range), x, scaled, range) : Value();
}
Value leakyRelu(Operator &o, const Arguments &args) {
  Value x = o.expectTensor(args[0], "other");
  if (!x || !o.checkDType(x, operationOf(args).dtypes, args))
    return {};
  return leaky(o, x, args[1] ? args[1].value : real(o, 0.01), args.range);
}
// One weight, or one for each channel: the second axis.
Value prelu(Operator &o, const Arguments &args) {
  Value x = o.expectTensor(args[0], "self"), weight = x ? o.expectTensor(args[1], "weight") : Value();
  if (!weight || !o.checkDType(x, operationOf(args).dtypes, args))
    return {};
  if (shapeOf(weight).size() == 1 && shapeOf(weight)[0] != 1 && shapeOf(x).size() > 1) {
    Shape shape(shapeOf(x).size(), 1);
    shape[1] = shapeOf(weight)[0];
    weight = o.reshape(weight, shape, o.fullExtents(shape), args.range);
  }
  return leaky(o, x, weight, args.range);
}

Value axpy(Operator &o, const Arguments &args) {
  Value y = o.expectTensor(args[0], "y"), x = y ? o.expectTensor(args[1], "x") : Value();
  if (!x || !o.checkDType(y, operationOf(args).dtypes, args))
    return {};
  Value alpha = args[2] ? args[2].value : real(o, 1);
  Value scaled = o.binary(BinaryKind::Mul, x, alpha, args.range);
  Value sum = scaled ? o.binary(BinaryKind::Add, y, scaled, args.range) : Value();
  if (!sum || !(isMemory(args[0].value) || isLocal(args[0].value)))
    return sum;
  llvm::SmallVector<Value> origin(shapeOf(sum).size(), o.number(0));
  return o.assemble(sum, args[0].value, origin, args.range) ? args[0].value : Value();
}

// Negative numbers, and -0: 1 / x is negative where the sign is set, but of NaNs.
static Value isNegative(Operator &o, const Value &x, const Range &range) {
  Value wide = o.cast(x, DType::F32, range);
  return o.compare(CompareKind::LT,
                   o.select(o.compare(CompareKind::EQ, wide, real(o, 0), range),
                            o.unary(UnaryKind::Reciprocal, wide, range), wide, range),
                   real(o, 0), range);
}
Value signBit(Operator &o, const Arguments &args) {
  Value x = o.expectTensor(args[0], "input");
  return x && o.checkDType(x, operationOf(args).dtypes, args) ? isNegative(o, x, args.range) : Value();
}
Value copySign(Operator &o, const Arguments &args) {
  const Range &range = args.range;
  return inFloat(o, args, [&](Value a, Value b) {
    if (!isTensor(b))
      b = o.filled(shapeOf(a), b, DType::F32, range);
    Value size = b ? o.unary(UnaryKind::Abs, a, range) : Value();
    return size ? o.select(isNegative(o, b, range), o.unary(UnaryKind::Neg, size, range), size, range) : Value();
  });
}
Value sign(Operator &o, const Arguments &args) {
  Value x = o.expectTensor(args[0], "input");
  if (!x || !o.checkDType(x, operationOf(args).dtypes, args))
    return {};
  DType dtype = elementOf(x);
  const Range &range = args.range;
  Value wide = o.cast(x, DType::F32, range);
  Value one = o.filled(shapeOf(x), real(o, 1), DType::F32, range);
  Value below =
      o.select(o.compare(CompareKind::LT, wide, real(o, 0), range), o.unary(UnaryKind::Neg, one, range), wide, range);
  Value made = o.select(o.compare(CompareKind::GT, wide, real(o, 0), range), one, below, range);
  return o.cast(o.makeTensor(made.ir, Extents(x.items())), dtype, range);
}

Value isNan(Operator &o, const Arguments &args) {
  Value x = o.expectTensor(args[0], "input");
  return x && o.checkDType(x, operationOf(args).dtypes, args) ? o.compare(CompareKind::NE, x, x, args.range) : Value();
}
Value isFinite(Operator &o, const Arguments &args) {
  Value x = o.expectTensor(args[0], "input");
  if (!x || !o.checkDType(x, operationOf(args).dtypes, args))
    return {};
  Value size = o.unary(UnaryKind::Abs, o.cast(x, DType::F32, args.range), args.range);
  return o.compare(CompareKind::LT, size, real(o, std::numeric_limits<float>::infinity()), args.range);
}

// Integers bit by bit.
Value bitwise(Operator &o, const Arguments &args) {
  const Operation &operation = operationOf(args);
  Value a = o.expectTensor(args[0], "input"), b = a ? o.operand(args[1], "other") : Value();
  if (!b)
    return {};
  if (isFloat(elementOf(a)))
    return o.fail(args[0].range, "TypeError", args.name + " is not defined for tensors of " + name(elementOf(a)));
  return o.binary(BinaryKind(operation.kind), a, b, args.range);
}
Value bitwiseNot(Operator &o, const Arguments &args) {
  Value x = o.expectTensor(args[0], "input");
  if (!x)
    return {};
  if (elementOf(x) == DType::I1)
    return o.unary(UnaryKind::Not, x, args.range);
  if (isFloat(elementOf(x)))
    return o.fail(args[0].range, "TypeError", args.name + " is not defined for tensors of " + name(elementOf(x)));
  return o.binary(BinaryKind::Xor, x, o.number(-1), args.range);
}

// Where elements stand
// -------------------------------------------------------------------------------------------------

// What is filled in: a number of the tensor's kind.
static Value fillNumber(Operator &o, const Argument &argument, DType dtype) {
  Value number = argument ? o.operand(argument, "value") : o.number(0);
  if (number && isInteger(dtype) && isFloat(o.values.dtypeOf(number)))
    return o.fail(argument.range, "ValueError", "a float cannot fill a tensor of integers");
  return number;
}

static bool checkConstant(Operator &o, const Argument &mode) {
  if (!mode || (mode.value.isHost() && o.host.asString(mode.value.host) == "constant"))
    return true;
  return bool(o.fail(mode.range, "ValueError", "only mode=\"constant\" is there, not " + o.describe(mode.value)));
}

// Beyond the valid extents, the number.
static Value filledBeyond(Operator &o, const Value &x, const Value &number, const Range &range) {
  Value made = x;
  for (auto [axis, size] : llvm::enumerate(shapeOf(x))) {
    const Value &extent = x.items()[axis];
    if (o.known(extent) == size)
      continue;
    Value inside = o.compare(CompareKind::LT, o.iota(shapeOf(x), axis, DType::I32, range), extent, range);
    made = inside ? o.select(inside, made, number, range) : Value();
    if (!made)
      return {};
  }
  return o.makeTensor(made.ir, o.fullExtents(shapeOf(x)));
}

Value fillPad(Operator &o, const Arguments &args) {
  Value x = o.expectTensor(args[0], "x");
  if (!x || !checkConstant(o, args[1]) || !o.checkDType(x, operationOf(args).dtypes, args))
    return {};
  Value number = fillNumber(o, args[2], elementOf(x));
  return number ? filledBeyond(o, x, number, args.range) : Value();
}

// (0, right) or (0, right, 0, bottom).
Value pad(Operator &o, const Arguments &args) {
  Value x = o.expectTensor(args[0], "x");
  std::optional<Extents> given = x && checkConstant(o, args[2]) ? o.expectNumbers(args[1], "padding") : std::nullopt;
  if (!given || !o.checkDType(x, operationOf(args).dtypes, args))
    return {};
  Shape shape(shapeOf(x));
  if ((given->size() != 2 && given->size() != 4) || given->size() / 2 > shape.size())
    return o.fail(args[1].range, "ValueError", "padding must be (0, right) or (0, right, 0, bottom)");
  for (auto [i, item] : llvm::enumerate(*given)) {
    std::optional<int64_t> size = o.known(item);
    if (!size || *size < 0 || (i % 2 == 0 && *size != 0))
      return o.fail(args[1].range, "ValueError",
                    "padding must be ints of at least 0, and 0 at the left and the top, not " + o.describe(item));
    if (i % 2)
      shape[shape.size() - 1 - i / 2] += *size;
  }
  Value number = fillNumber(o, args[3], elementOf(x));
  Value around = number ? o.filled(shape, number, elementOf(x), args.range) : Value();
  if (!around)
    return {};
  llvm::SmallVector<mlir::Value> begins(shape.size(), o.i32(o.number(0), args.range)), valid;
  Extents extents;
  for (auto [axis, extent] : llvm::enumerate(x.items())) {
    valid.push_back(o.i32(extent, args.range));
    extents.push_back(o.plus(extent, o.number(shape[axis] - shapeOf(x)[axis]), args.range));
  }
  return o.makeTensor(graph::InsertOp::create(o.builder(), o.loc(args.range), around.ir.getType(), x.ir, around.ir,
                                              begins, valid, o.vectorTile()),
                      extents);
}

// tril and triu: what is on the other side of the diagonal becomes 0.
Value triangle(Operator &o, const Arguments &args) {
  const Operation &operation = operationOf(args);
  Value x = o.expectTensor(args[0], "input");
  if (!x || !o.checkDType(x, operation.dtypes, args))
    return {};
  int64_t rank = shapeOf(x).size();
  if (rank < 2)
    return o.fail(args[0].range, "ValueError", args.name + " needs at least two axes, not " + o.describe(x));
  Value diagonal = args[1] ? args[1].value : o.number(0);
  if (!o.values.isInteger(diagonal))
    return o.fail(args[1].range, "TypeError", "diagonal must be an integer, not " + o.describe(diagonal));
  Value row = o.iota(shapeOf(x), rank - 2, DType::I32, args.range),
        column = o.iota(shapeOf(x), rank - 1, DType::I32, args.range);
  Value limit = o.binary(BinaryKind::Add, row, diagonal, args.range);
  Value kept = limit ? o.compare(CompareKind(operation.kind), column, limit, args.range) : Value();
  Value zero = isFloat(elementOf(x)) ? real(o, 0) : o.number(0);
  Value made = kept ? o.select(kept, x, zero, args.range) : Value();
  return made ? o.makeTensor(made.ir, Extents(x.items())) : Value();
}

// Sums and products of beginnings: each step joins ranges twice as long.
static Value ofBeginnings(Operator &o, BinaryKind kind, const Value &x, int64_t axis, const Arguments &args) {
  const Range &range = args.range;
  Shape shape(shapeOf(x));
  if (llvm::any_of(shape, mlir::ShapedType::isDynamic))
    return o.fail(range, "NotImplementedError",
                  args.name + " of a tensor whose size only the launch tells is not there yet");
  bool isWhole = isInteger(elementOf(x));
  int64_t nothing = kind == BinaryKind::Mul;
  Value made = o.cast(x, isWhole ? DType::I64 : DType::F32, range);
  for (int64_t step = 1; made && step < shape[axis]; step *= 2) {
    Value place = o.iota(shape, axis, DType::I32, range);
    Value before =
        o.binary(BinaryKind::Max, o.binary(BinaryKind::Sub, place, o.number(step), range), o.number(0), range);
    Value shifted = o.makeTensor(
        graph::GatherOp::create(o.builder(), o.loc(range), made.ir.getType(), made.ir, before.ir, axis, o.vectorTile()),
        Extents(made.items()));
    Value other = o.select(o.compare(CompareKind::GE, place, o.number(step), range), shifted,
                           isWhole ? o.number(nothing) : real(o, nothing), range);
    made = o.binary(kind, made, other, range);
  }
  return made ? o.makeTensor(made.ir, Extents(x.items())) : Value();
}

Value cumprod(Operator &o, const Arguments &args) {
  Value x = o.expectTensor(args[0], "input");
  std::optional<int64_t> axis = x ? o.expectAxis(args[1], shapeOf(x).size()) : std::nullopt;
  if (!axis || !o.checkDType(x, operationOf(args).dtypes, args))
    return {};
  Value made = ofBeginnings(o, BinaryKind::Mul, x, *axis, args);
  return made && isFloat(elementOf(x)) ? o.cast(made, elementOf(x), args.range) : made;
}

// Of floats there is an operation; integers are added exactly.
Value cumsum(Operator &o, const Arguments &args) {
  Value x = o.expectTensor(args[0], "input");
  std::optional<int64_t> axis = x ? o.expectAxis(args[1], shapeOf(x).size()) : std::nullopt;
  if (!axis || !o.checkDType(x, operationOf(args).dtypes, args))
    return {};
  if (isInteger(elementOf(x)))
    return ofBeginnings(o, BinaryKind::Add, x, *axis, args);
  Value wide = o.cast(x, DType::F32, args.range);
  auto op = graph::CumsumOp::create(o.builder(), o.loc(args.range), wide.ir, *axis, o.vectorTile());
  return o.cast(o.makeTensor(op, Extents(x.items())), elementOf(x), args.range);
}

} // namespace tilesmith::frontend::pypto
