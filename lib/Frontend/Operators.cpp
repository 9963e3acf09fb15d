// Operators: on host objects they are Python's own, on scalars arith, on tiles tile operations.
#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilesmith::frontend {

namespace arith = mlir::arith;
using ast::CompareOperator;
using ast::Operator;

// Host arithmetic that would need gigabytes is refused before Python tries.
static bool isHuge(HostEval &host, Operator op, const HostRef &lhs, const HostRef &rhs) {
  static constexpr int64_t limit = 1 << 16;
  auto magnitude = [&](const HostRef &object) -> int64_t {
    if (!host.isInt(object))
      return 0;
    std::optional<int64_t> value = host.asInt(object);
    return value && *value != INT64_MIN ? std::abs(*value) : INT64_MAX;
  };
  if (op == Operator::Pow)
    return host.isInt(lhs) && magnitude(lhs) > 1 && magnitude(rhs) > 1024;
  if (op == Operator::LShift)
    return magnitude(rhs) > limit;
  if (op == Operator::Mul || op == Operator::Mod)
    return (!host.isInt(lhs) && !host.asFloat(lhs) && magnitude(rhs) > limit) ||
           (!host.isInt(rhs) && !host.asFloat(rhs) && magnitude(lhs) > limit);
  return false;
}

static std::optional<tile::BinaryKind> tileKind(Operator op) {
  switch (op) {
  case Operator::Add:
    return tile::BinaryKind::Add;
  case Operator::Sub:
    return tile::BinaryKind::Sub;
  case Operator::Mul:
    return tile::BinaryKind::Mul;
  case Operator::Div:
  case Operator::FloorDiv:
    return tile::BinaryKind::Div;
  case Operator::LShift:
    return tile::BinaryKind::Shl;
  case Operator::RShift:
    return tile::BinaryKind::Shr;
  case Operator::BitAnd:
    return tile::BinaryKind::And;
  case Operator::BitOr:
    return tile::BinaryKind::Or;
  case Operator::BitXor:
    return tile::BinaryKind::Xor;
  default:
    return std::nullopt;
  }
}

Value Lowering::binary(Operator op, Value lhs, Value rhs, const Range &range) {
  lhs = read(lhs), rhs = read(rhs);
  if (lhs.isTile() || rhs.isTile()) {
    if (op == Operator::MatMul) {
      CallSite site{range, "@", {{lhs, range}, {rhs, range}}, {}};
      return callBuiltin("asc2.matmul", site);
    }
    if (std::optional<tile::BinaryKind> kind = tileKind(op))
      return tileBinary(*kind, lhs, rhs, range);
    return fail(range, "NotImplementedError", "operator " + ast::spelling(op) + " is not defined for tiles");
  }
  if ((lhs.isScalar() && isNumeric(rhs)) || (rhs.isScalar() && isNumeric(lhs)))
    return scalarBinary(op, lhs, rhs, range);
  if (op == Operator::Add && (lhs.kind == Value::Address || rhs.kind == Value::Address)) {
    if (rhs.kind == Value::Address)
      std::swap(lhs, rhs);
    if (!isNumeric(rhs) || isFloat(dtypeOf(rhs)))
      return fail(range, "TypeError", "an address moves by an integer number of elements, not by " + describe(rhs));
    Value offset = lhs.items().empty() ? rhs : binary(Operator::Add, lhs.items()[0], rhs, range);
    if (!offset)
      return {};
    mlir::Value ir = toScalar(offset, DType::Int32, range);
    return ir ? Value::ofAddress(lhs.ir, lhs.dtype, Value::ofScalar(ir, DType::Int32)) : Value();
  }
  HostRef left = toHost(lhs), right = toHost(rhs);
  if (left && right) {
    if (isHuge(host, op, left, right))
      return fail(range, "OverflowError",
                  "the result of " + host.repr(left) + " " + ast::spelling(op) + " " + host.repr(right) +
                      " is too large");
    Value result = Value::ofHost(host.binary(op, left, right));
    return result ? result : failHost(range);
  }
  // Tuples and lists that hold runtime values.
  if (op == Operator::Add) {
    llvm::SmallVector<Value> items;
    auto isAny = [&](const Value &value) {
      return value.isSequence() || (value.isHost() && host.isSequence(value.host));
    };
    if (isAny(lhs) && isAny(rhs) && toSequence(lhs, items, range, "") && toSequence(rhs, items, range, ""))
      return Value::ofSequence(items, lhs.isSequence() ? lhs.parts->isList : rhs.parts->isList, region);
  }
  return fail(range, "TypeError",
              "operator " + ast::spelling(op) + " is not defined for " + describe(lhs) + " and " + describe(rhs));
}

enum class NumberKind { Real, Integer, Natural };

// One of three operations, by the kind of number.
template <typename Real, typename Integer, typename Natural>
static mlir::Value emit(mlir::OpBuilder &builder, mlir::Location at, NumberKind kind, mlir::Value a, mlir::Value b) {
  if (kind == NumberKind::Real)
    return Real::create(builder, at, a, b);
  if (kind == NumberKind::Integer)
    return Integer::create(builder, at, a, b);
  return Natural::create(builder, at, a, b);
}

// The left scalar's type decides, else the right one's; the other side is converted, a float beside an integer
// truncated.
Value Lowering::scalarBinary(Operator op, Value lhs, Value rhs, const Range &range) {
  DType dtype = lhs.isScalar() ? lhs.dtype : rhs.dtype;
  if (dtype == DType::Int1 && !(op == Operator::BitAnd || op == Operator::BitOr || op == Operator::BitXor))
    dtype = DType::Int32; // a comparison's result counts as 0 or 1
  if (dtype == DType::Int1 && dtypeOf(lhs) != dtypeOf(rhs))
    dtype = DType::Int32;
  bool isReal = isFloat(dtype);
  auto undefined = [&] {
    return fail(range, op == Operator::Pow ? "NotImplementedError" : "TypeError",
                "operator " + ast::spelling(op) + " is not defined for runtime scalars of " + name(dtype));
  };
  bool isBitwise = op == Operator::LShift || op == Operator::RShift || op == Operator::BitAnd ||
                   op == Operator::BitOr || op == Operator::BitXor;
  if (op == Operator::Pow || op == Operator::MatMul || (isBitwise && isReal))
    return undefined();
  lhs = truncated(lhs, dtype, range);
  rhs = lhs ? truncated(rhs, dtype, range) : Value();
  if (!rhs)
    return {};
  mlir::Value a = toScalar(lhs, dtype, range);
  mlir::Value b = a ? toScalar(rhs, dtype, range) : mlir::Value();
  if (!b)
    return {};
  mlir::Location at = loc(range);
  auto result = [&](mlir::Value ir) { return Value::ofScalar(ir, dtype); };
  NumberKind kind = isReal ? NumberKind::Real : isUnsigned(dtype) ? NumberKind::Natural : NumberKind::Integer;
  switch (op) {
  case Operator::Add:
    return result(emit<arith::AddFOp, arith::AddIOp, arith::AddIOp>(builder, at, kind, a, b));
  case Operator::Sub:
    return result(emit<arith::SubFOp, arith::SubIOp, arith::SubIOp>(builder, at, kind, a, b));
  case Operator::Mul:
    return result(emit<arith::MulFOp, arith::MulIOp, arith::MulIOp>(builder, at, kind, a, b));
  case Operator::Div:
  case Operator::FloorDiv:
    return result(emit<arith::DivFOp, arith::DivSIOp, arith::DivUIOp>(builder, at, kind, a, b));
  case Operator::Mod:
    return result(emit<arith::RemFOp, arith::RemSIOp, arith::RemUIOp>(builder, at, kind, a, b));
  case Operator::LShift:
    return result(arith::ShLIOp::create(builder, at, a, b));
  case Operator::RShift:
    return result(emit<arith::ShRSIOp, arith::ShRSIOp, arith::ShRUIOp>(builder, at, kind, a, b));
  case Operator::BitAnd:
    return result(arith::AndIOp::create(builder, at, a, b));
  case Operator::BitOr:
    return result(arith::OrIOp::create(builder, at, a, b));
  case Operator::BitXor:
    return result(arith::XOrIOp::create(builder, at, a, b));
  default:
    return undefined();
  }
}

Value Lowering::unary(ast::UnaryOperator op, Value operand, const Range &range) {
  operand = read(operand);
  if (op == ast::UnaryOperator::Not) {
    Truth result = truth(operand, range);
    if (!result.valid)
      return {};
    if (result.isKnown)
      return Value::ofHost(host.makeBool(!result.known));
    mlir::Value one = constant(DType::Int1, 1, range);
    return Value::ofScalar(arith::XOrIOp::create(builder, loc(range), result.runtime, one), DType::Int1);
  }
  if (HostRef object = toHost(operand)) {
    Value result = Value::ofHost(host.unary(op, object));
    return result ? result : failHost(range);
  }
  if (op == ast::UnaryOperator::UAdd && (operand.isTile() || operand.isScalar()))
    return operand;
  if (operand.isTile())
    return tileUnary(op == ast::UnaryOperator::Invert ? tile::UnaryKind::Not : tile::UnaryKind::Neg, operand, range);
  if (operand.isScalar() && op == ast::UnaryOperator::USub) {
    if (isFloat(operand.dtype))
      return Value::ofScalar(arith::NegFOp::create(builder, loc(range), operand.ir), operand.dtype);
    return scalarBinary(Operator::Sub, Value::ofHost(host.makeInt(0)), operand, range);
  }
  return fail(range, operand.isScalar() ? "NotImplementedError" : "TypeError",
              "operator " + ast::spelling(op) + " is not defined for " + describe(operand));
}

Value Lowering::compare(CompareOperator op, Value lhs, Value rhs, const Range &range) {
  lhs = read(lhs), rhs = read(rhs);
  if (op == CompareOperator::Is || op == CompareOperator::IsNot) {
    bool same = lhs.isHost() && rhs.isHost() ? lhs.host == rhs.host
                                             : lhs.kind == rhs.kind && lhs.ir == rhs.ir && lhs.parts == rhs.parts;
    return Value::ofHost(host.makeBool(same == (op == CompareOperator::Is)));
  }
  if (op == CompareOperator::In || op == CompareOperator::NotIn) {
    HostRef left = toHost(lhs), right = toHost(rhs);
    if (!left || !right)
      return fail(range, "TypeError",
                  "`" + ast::spelling(op) + "` needs values known while compiling, not " + describe(left ? rhs : lhs));
    Value result = Value::ofHost(host.compare(op, left, right));
    return result ? result : failHost(range);
  }
  if ((lhs.isTile() && (rhs.isTile() || isNumeric(rhs))) || (rhs.isTile() && isNumeric(lhs))) {
    static constexpr tile::CompareKind kinds[] = {tile::CompareKind::EQ, tile::CompareKind::NE, tile::CompareKind::LT,
                                                  tile::CompareKind::LE, tile::CompareKind::GT, tile::CompareKind::GE};
    return tileCompare(kinds[unsigned(op)], lhs, rhs, range);
  }
  if ((lhs.isScalar() && isNumeric(rhs)) || (rhs.isScalar() && isNumeric(lhs)))
    return scalarCompare(op, lhs, rhs, range);
  HostRef left = toHost(lhs), right = toHost(rhs);
  if (left && right) {
    Value result = Value::ofHost(host.compare(op, left, right));
    return result ? result : failHost(range);
  }
  // A runtime value never equals None, a string, a type ...
  bool isEquality = op == CompareOperator::Eq || op == CompareOperator::NotEq;
  if (isEquality && lhs.isHost() != rhs.isHost())
    return Value::ofHost(host.makeBool(op == CompareOperator::NotEq));
  return fail(range, "TypeError",
              "`" + ast::spelling(op) + "` is not defined for " + describe(lhs) + " and " + describe(rhs));
}

// Compared in a type that holds both sides: an integer scalar beside a fraction is compared as float32.
Value Lowering::scalarCompare(CompareOperator op, Value lhs, Value rhs, const Range &range) {
  DType left = dtypeOf(lhs), right = dtypeOf(rhs);
  DType dtype = lhs.isScalar() ? left : right;
  if (lhs.isScalar() && rhs.isScalar() && isFloat(right) && !isFloat(left))
    dtype = right;
  const Value &number = lhs.isScalar() ? rhs : lhs;
  if (!isFloat(dtype) && number.isHost() && host.asFloat(number.host))
    dtype = DType::Float32;
  if (dtype == DType::Int1 && left != right)
    dtype = left == DType::Int1 ? right : left;
  mlir::Value a = toScalar(lhs, dtype, range);
  mlir::Value b = a ? toScalar(rhs, dtype, range) : mlir::Value();
  if (!b)
    return {};
  mlir::Location at = loc(range);
  if (isFloat(dtype)) {
    static constexpr arith::CmpFPredicate predicates[] = {arith::CmpFPredicate::OEQ, arith::CmpFPredicate::UNE,
                                                          arith::CmpFPredicate::OLT, arith::CmpFPredicate::OLE,
                                                          arith::CmpFPredicate::OGT, arith::CmpFPredicate::OGE};
    return Value::ofScalar(arith::CmpFOp::create(builder, at, predicates[unsigned(op)], a, b), DType::Int1);
  }
  static constexpr arith::CmpIPredicate predicates[2][6] = {
      {arith::CmpIPredicate::eq, arith::CmpIPredicate::ne, arith::CmpIPredicate::slt, arith::CmpIPredicate::sle,
       arith::CmpIPredicate::sgt, arith::CmpIPredicate::sge},
      {arith::CmpIPredicate::eq, arith::CmpIPredicate::ne, arith::CmpIPredicate::ult, arith::CmpIPredicate::ule,
       arith::CmpIPredicate::ugt, arith::CmpIPredicate::uge}};
  bool isNatural = isUnsigned(dtype) || dtype == DType::Int1;
  return Value::ofScalar(arith::CmpIOp::create(builder, at, predicates[isNatural][unsigned(op)], a, b), DType::Int1);
}

} // namespace tilesmith::frontend
