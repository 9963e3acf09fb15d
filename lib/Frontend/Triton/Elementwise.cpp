// Operators and functions element by element, on tiles and numbers.
#include "Program.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilesmith::frontend::triton {

namespace arith = mlir::arith;
using tile::BinaryKind;
using tile::CompareKind;
using tile::UnaryKind;

static llvm::StringRef spelling(Op op) {
  static constexpr llvm::StringLiteral names[] = {"+", "-",  "*",  "/",       "//",      "%",          "&",     "|",
                                                  "^", "<<", ">>", "maximum", "minimum", "comparison", "select"};
  return names[unsigned(op)];
}

static BinaryKind kindOf(Op op) {
  static constexpr BinaryKind kinds[] = {BinaryKind::Add, BinaryKind::Sub, BinaryKind::Mul, BinaryKind::Div,
                                         BinaryKind::Div, BinaryKind::Rem, BinaryKind::And, BinaryKind::Or,
                                         BinaryKind::Xor, BinaryKind::Shl, BinaryKind::Shr, BinaryKind::Max,
                                         BinaryKind::Min};
  return kinds[unsigned(op)];
}

// Two numbers of one type.
static Value ofNumbers(Program &p, Op op, const Value &a, const Value &b, DType dtype, const Range &range) {
  static constexpr ast::Operator operators[] = {ast::Operator::Add,    ast::Operator::Sub,      ast::Operator::Mul,
                                                ast::Operator::Div,    ast::Operator::FloorDiv, ast::Operator::Mod,
                                                ast::Operator::BitAnd, ast::Operator::BitOr,    ast::Operator::BitXor,
                                                ast::Operator::LShift, ast::Operator::RShift};
  if (op != Op::Max && op != Op::Min)
    return p.scalars.binary(operators[unsigned(op)], a, b, range);
  mlir::Location at = p.loc(range);
  auto result = [&](mlir::Value ir) { return Value::ofScalar(ir, dtype); };
  bool isMax = op == Op::Max;
  if (isFloat(dtype))
    return result(isMax ? arith::MaxNumFOp::create(p.builder(), at, a.ir, b.ir).getResult()
                        : arith::MinNumFOp::create(p.builder(), at, a.ir, b.ir).getResult());
  if (isUnsigned(dtype) || dtype == DType::I1)
    return result(isMax ? arith::MaxUIOp::create(p.builder(), at, a.ir, b.ir).getResult()
                        : arith::MinUIOp::create(p.builder(), at, a.ir, b.ir).getResult());
  return result(isMax ? arith::MaxSIOp::create(p.builder(), at, a.ir, b.ir).getResult()
                      : arith::MinSIOp::create(p.builder(), at, a.ir, b.ir).getResult());
}

Value Program::binary(Op op, const Value &lhs, const Value &rhs, const Range &range) {
  for (const Value *side : {&lhs, &rhs})
    if (!isValue(*side))
      return fail(range, "TypeError",
                  "operator " + spelling(op) + " is not defined for " + describe(lhs) + " and " + describe(rhs),
                  isPointer(*side) ? "load it first: tl.load(pointer)" : "");
  std::optional<DType> promoted = promote(op, lhs, rhs, range);
  if (!promoted)
    return {};
  DType dtype = *promoted;
  bool isBitwise = op == Op::And || op == Op::Or || op == Op::Xor || op == Op::Shl || op == Op::Shr;
  if (isBitwise && isFloat(dtype))
    return fail(range, "TypeError",
                "Unexpected type: operator " + spelling(op) + " is defined for integers, not for " + describe(lhs) +
                    " and " + describe(rhs));
  if (op == Op::FloorDiv && isFloat(dtype))
    return fail(range, "TypeError",
                "operator // is defined for integers, not for " + describe(lhs) + " and " + describe(rhs),
                "divide with / and take tl.floor");
  if (op == Op::Div && !isFloat(dtype))
    dtype = DType::F32;
  if (dtype == DType::I1 && (op == Op::Add || op == Op::Sub))
    op = Op::Xor; // one bit wraps
  if (dtype == DType::I1 && op == Op::Mul)
    op = Op::And;
  if (dtype == DType::I1 && op == Op::Max)
    op = Op::Or;
  if (dtype == DType::I1 && op == Op::Min)
    op = Op::And;
  if (dtype == DType::I1 && op != Op::And && op != Op::Or && op != Op::Xor)
    dtype = DType::I32;
  Value a = convert(lhs, dtype, range), b = a ? convert(rhs, dtype, range) : Value();
  if (!b)
    return {};
  if (!isTensor(a) && !isTensor(b))
    return ofNumbers(*this, op, a, b, dtype, range);
  auto shape = commonShape(shapeOfAny(a), shapeOfAny(b), range);
  if (!shape)
    return {};
  bool bothTiles = dtype == DType::I1 || op == Op::Shl || op == Op::Shr; // what tile IR has for tiles only
  auto operand = [&](const Value &value) {
    return isTensor(value) || bothTiles ? broadcast(value, *shape, range).ir : value.ir;
  };
  tile::TileType type = makeType(*shape, dtype);
  if ((op == Op::Shl || op == Op::Shr) && !isTensor(b)) // a number shifts all
    return ofTensor(
        tile::BinaryOp::create(builder(), loc(range), type, triton::kindOf(op), broadcast(a, *shape, range).ir, b.ir));
  if (op == Op::Shl || op == Op::Shr) { // the chip shifts all by one number: bit by bit of the distances
    Value result = broadcast(a, *shape, range);
    for (int64_t bit = 1; result && bit < int64_t(bitWidth(dtype)); bit *= 2) {
      Value on = compare(CompareKind::NE, binary(Op::And, b, number(bit), range), number(0), range);
      result = on ? select(on, binary(op, result, number(bit), range), result, range) : Value();
    }
    return result;
  }
  return ofTensor(tile::BinaryOp::create(builder(), loc(range), type, triton::kindOf(op), operand(a), operand(b)));
}

Value Program::compare(CompareKind kind, const Value &lhs, const Value &rhs, const Range &range) {
  std::optional<DType> promoted = promote(Op::Compare, lhs, rhs, range);
  if (!promoted)
    return {};
  DType dtype = *promoted;
  bool isEquality = kind == CompareKind::EQ || kind == CompareKind::NE;
  if (dtype == DType::I1 && (!isEquality || isTensor(lhs) || isTensor(rhs))) {
    if (isEquality) {
      Value differs = binary(Op::Xor, lhs, rhs, range);
      return !differs || kind == CompareKind::NE ? differs : unary(ast::UnaryOperator::Invert, differs, range);
    }
    dtype = DType::I32;
  }
  Value a = convert(lhs, dtype, range), b = a ? convert(rhs, dtype, range) : Value();
  if (!b)
    return {};
  if (!isTensor(a) && !isTensor(b)) {
    static constexpr ast::CompareOperator operators[] = {ast::CompareOperator::Lt,  ast::CompareOperator::Gt,
                                                         ast::CompareOperator::Eq,  ast::CompareOperator::LtE,
                                                         ast::CompareOperator::GtE, ast::CompareOperator::NotEq};
    return scalars.compare(operators[unsigned(kind)], a, b, range);
  }
  if (!isTensor(a)) {
    static constexpr CompareKind mirrored[] = {CompareKind::GT, CompareKind::LT, CompareKind::EQ,
                                               CompareKind::GE, CompareKind::LE, CompareKind::NE};
    std::swap(a, b);
    kind = mirrored[unsigned(kind)];
  }
  auto shape = commonShape(shapeOfAny(a), shapeOfAny(b), range);
  if (!shape)
    return {};
  mlir::Value right = isTensor(b) ? broadcast(b, *shape, range).ir : b.ir;
  return ofTensor(tile::CompareOp::create(builder(), loc(range), makeType(*shape, DType::I1), kind,
                                          broadcast(a, *shape, range).ir, right));
}

Value Program::unary(ast::UnaryOperator op, const Value &operand, const Range &range) {
  DType dtype = values.dtypeOf(operand);
  if (op == ast::UnaryOperator::UAdd)
    return operand;
  if (op == ast::UnaryOperator::USub) {
    if (dtype == DType::I1)
      return fail(range, "ValueError", "wrong type argument to unary minus (" + name(dtype) + ")");
    if (isTensor(operand))
      return ofTensor(tile::UnaryOp::create(builder(), loc(range), operand.ir.getType(), UnaryKind::Neg, operand.ir));
    if (isFloat(dtype))
      return Value::ofScalar(arith::NegFOp::create(builder(), loc(range), operand.ir), dtype);
    return scalars.binary(ast::Operator::Sub, Value::ofScalar(l.ir.constant(dtype, 0, range), dtype), operand, range);
  }
  if (isFloat(dtype))
    return fail(range, "ValueError", "wrong type argument to unary invert (" + name(dtype) + ")");
  if (isTensor(operand))
    return ofTensor(tile::UnaryOp::create(builder(), loc(range), operand.ir.getType(), UnaryKind::Not, operand.ir));
  mlir::Value ones = l.ir.constant(dtype, dtype == DType::I1 ? 1 : -1, range);
  return Value::ofScalar(arith::XOrIOp::create(builder(), loc(range), operand.ir, ones), dtype);
}

Value Program::select(const Value &condition, const Value &lhs, const Value &rhs, const Range &range) {
  std::optional<DType> dtype = promote(Op::Choose, lhs, rhs, range);
  Value chosen = dtype ? convert(condition, DType::I1, range) : Value();
  Value a = chosen ? convert(lhs, *dtype, range) : Value(), b = a ? convert(rhs, *dtype, range) : Value();
  if (!b)
    return {};
  if (!isTensor(chosen) && !isTensor(a) && !isTensor(b))
    return scalars.choose(chosen.ir, a, b, range);
  auto shape = commonShape(shapeOfAny(chosen), shapeOfAny(a), range);
  if (shape)
    shape = commonShape(*shape, shapeOfAny(b), range);
  if (!shape)
    return {};
  Value mask = broadcast(chosen, *shape, range);
  if (*dtype == DType::I1) { // (c & a) | (~c & b)
    Value left = binary(Op::And, mask, a, range);
    Value right = binary(Op::And, unary(ast::UnaryOperator::Invert, mask, range), b, range);
    return binary(Op::Or, left, right, range);
  }
  auto side = [&](const Value &value) { return isTensor(value) ? broadcast(value, *shape, range).ir : value.ir; };
  return ofTensor(tile::SelectOp::create(builder(), loc(range), makeType(*shape, *dtype), mask.ir, side(a), side(b)));
}

// A number travels as a tile of one element, so that it has the bits a tile would have.
Value Program::function(UnaryKind kind, const Value &operand, const Range &range) {
  if (isTensor(operand))
    return ofTensor(tile::UnaryOp::create(builder(), loc(range), operand.ir.getType(), kind, operand.ir));
  DType dtype = values.dtypeOf(operand);
  Value one = broadcast(operand, {1}, range);
  mlir::Value result = tile::UnaryOp::create(builder(), loc(range), one.ir.getType(), kind, one.ir);
  return Value::ofScalar(tile::ExtractOp::create(builder(), loc(range), l.ir.type(dtype), result), dtype);
}

Value unary(Program &p, const Arguments &args) {
  Value operand = p.expectValue(args, 0);
  if (!operand)
    return {};
  UnaryKind kind = *tile::symbolizeUnaryKind(kindOf(args).lower());
  if (operand.isHost())
    operand = p.convert(operand, kind == UnaryKind::Abs && !p.host.asFloat(operand.host) ? DType::I32 : DType::F32,
                        args[0].range);
  if (!operand)
    return {};
  DType dtype = p.values.dtypeOf(operand);
  if (isFloat(dtype))
    return p.function(kind, operand, args.range);
  if (kind == UnaryKind::Abs && isUnsigned(dtype))
    return operand;
  if (kind == UnaryKind::Abs && dtype != DType::I1)
    return p.binary(Op::Max, operand, p.unary(ast::UnaryOperator::USub, operand, args.range), args.range);
  return p.fail(args[0].range, "TypeError",
                "Expected dtype ['fp32', 'fp64'] but got " + name(dtype) + ": " + args.name + " takes floats",
                "convert it: .to(tl.float32)");
}

// Without propagation a NaN on one side gives the other.
Value extremum(Program &p, const Arguments &args) {
  Value x = p.expectValue(args, 0), y = x ? p.expectValue(args, 1) : Value();
  if (!y)
    return {};
  if (x.isHost() && y.isHost())
    return p.fail(args.range, "TypeError", args.name + " needs at least one tensor",
                  "of numbers known while compiling: max, min");
  Op op = kindOf(args) == "Max" ? Op::Max : Op::Min;
  Value best = p.binary(op, x, y, args.range);
  bool all = args[2] && p.describe(args[2].value) != "None" && args[2].value.isHost() &&
             p.host.repr(args[2].value.host).find("ALL") != std::string::npos;
  if (!best || all || !isTensor(best) || !isFloat(elementOf(best)))
    return best;
  auto without = [&](const Value &other, const Value &side) {
    if (side.isHost())
      return best;
    Value isNumber = p.compare(CompareKind::EQ, side, side, args.range);
    return p.select(isNumber, best, other, args.range);
  };
  DType dtype = elementOf(best);
  best = without(p.convert(y, dtype, args.range), x);
  return best ? p.convert(without(p.convert(x, dtype, args.range), y), dtype, args.range) : Value();
}

// Of truth values, or of whether elements are not 0.
Value logical(Program &p, const Arguments &args) {
  Value x = p.expectValue(args, 0), y = x ? p.expectValue(args, 1) : Value();
  Value a = y ? p.convert(x, DType::I1, args.range) : Value(), b = a ? p.convert(y, DType::I1, args.range) : Value();
  return b ? p.binary(kindOf(args) == "And" ? Op::And : Op::Or, a, b, args.range) : Value();
}

Value divide(Program &p, const Arguments &args) {
  Value x = p.expectValue(args, 0), y = x ? p.expectValue(args, 1) : Value();
  if (!y)
    return {};
  if (!isFloat(p.values.dtypeOf(x)) || !isFloat(p.values.dtypeOf(y)))
    return p.fail(args.range, "TypeError", "both operands of " + args.name + " must have floating scalar type");
  return p.binary(Op::Div, x, y, args.range);
}

Value power(Program &p, const Arguments &args) {
  Value x = p.expectValue(args, 0), y = x ? p.expectValue(args, 1) : Value();
  std::optional<DType> dtype = y ? p.promote(Op::Mul, x, y, args.range) : std::nullopt;
  if (!dtype)
    return {};
  if (!isFloat(*dtype))
    return p.fail(args.range, "TypeError", args.name + " takes floats, not " + p.describe(x) + " and " + p.describe(y),
                  "convert them: .to(tl.float32)");
  Value a = p.convert(x, *dtype, args.range), b = a ? p.convert(y, *dtype, args.range) : Value();
  auto shape = b ? p.commonShape(p.shapeOfAny(a), p.shapeOfAny(b), args.range) : std::nullopt;
  if (!shape)
    return {};
  bool isNumber = shape->empty();
  if (isNumber)
    shape->push_back(1);
  Value tile = p.broadcast(a, *shape, args.range);
  mlir::Value other = isTensor(b) ? p.broadcast(b, *shape, args.range).ir : b.ir;
  mlir::Location at = p.loc(args.range);
  Value result =
      ofTensor(tile::BinaryOp::create(p.builder(), at, p.makeType(*shape, *dtype), BinaryKind::Pow, tile.ir, other));
  if (!isNumber)
    return result;
  return Value::ofScalar(tile::ExtractOp::create(p.builder(), at, p.l.ir.type(*dtype), result.ir), *dtype);
}

// By halves of 16 bits: the chip multiplies 32 bits to 32.
Value mulHigh(Program &p, const Arguments &args) {
  Value x = p.expectValue(args, 0), y = x ? p.expectValue(args, 1) : Value();
  std::optional<DType> dtype = y ? p.promote(Op::Mul, x, y, args.range) : std::nullopt;
  if (!dtype)
    return {};
  if (*dtype != DType::U32 && *dtype != DType::I32)
    return p.fail(args.range, "TypeError",
                  args.name + " takes 32-bit integers, not " + p.describe(x) + " and " + p.describe(y));
  const Range &range = args.range;
  auto asNatural = [&](const Value &value) {
    Value given = p.convert(value, *dtype, range);
    return given ? p.convert(given, DType::U32, range) : given;
  };
  Value a = asNatural(x), b = a ? asNatural(y) : Value();
  if (!b)
    return {};
  auto low = [&](const Value &v) { return p.binary(Op::And, v, p.number(0xffff), range); };
  auto high = [&](const Value &v) { return p.binary(Op::Shr, v, p.number(16), range); };
  auto mul = [&](const Value &v, const Value &w) { return p.binary(Op::Mul, v, w, range); };
  auto add = [&](const Value &v, const Value &w) { return p.binary(Op::Add, v, w, range); };
  Value al = low(a), ah = high(a), bl = low(b), bh = high(b);
  Value first = mul(al, bl), middle = add(mul(ah, bl), high(first));
  Value other = add(mul(al, bh), low(middle));
  Value result = add(add(mul(ah, bh), high(middle)), high(other));
  return p.convert(result, *dtype, range);
}

Value where(Program &p, const Arguments &args) {
  Value condition = p.expectValue(args, 0), x = condition ? p.expectValue(args, 1) : Value();
  Value y = x ? p.expectValue(args, 2) : Value();
  return y ? p.select(condition, x, y, args.range) : Value();
}

} // namespace tilesmith::frontend::triton
