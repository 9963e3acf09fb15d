// Runtime numbers: conversions between types, arithmetic, comparison.
#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

namespace tilesmith::frontend {

namespace arith = mlir::arith;
using ast::CompareOperator;
using ast::Operator;

mlir::Value Scalars::convert(const Value &value, DType dtype, const Range &range) {
  if (value.isScalar())
    return cast(value.ir, value.dtype, dtype, range);
  if (!values.isNumber(value)) {
    fail(range, "TypeError", "expected a number, got " + describe(value));
    return {};
  }
  std::optional<bool> boolean = host.asBool(value.host);
  std::optional<double> real = host.asFloat(value.host);
  std::optional<int64_t> integer = boolean ? std::optional<int64_t>(*boolean) : host.asInt(value.host);
  if (isFloat(dtype)) {
    if (!real && !integer) {
      fail(range, "OverflowError", "the int " + host.repr(value.host) + " is too large for " + name(dtype));
      return {};
    }
    llvm::APFloat number(real ? *real : 0.0);
    if (!real)
      number.convertFromAPInt(llvm::APInt(64, *integer, true), true, llvm::APFloat::rmNearestTiesToEven);
    bool lost;
    number.convert(llvm::cast<mlir::FloatType>(l.ir.type(dtype)).getFloatSemantics(),
                   llvm::APFloat::rmNearestTiesToEven, &lost);
    return arith::ConstantOp::create(builder(), loc(range), builder().getFloatAttr(l.ir.type(dtype), number));
  }
  if (real) {
    if (std::trunc(*real) != *real || std::fabs(*real) >= 9.2e18) {
      fail(range, "TypeError", "the float " + host.repr(value.host) + " is not a value of " + name(dtype),
           l.language.words().toFloat);
      return {};
    }
    integer = int64_t(*real);
  }
  unsigned width = bitWidth(dtype);
  if (!integer && dtype == DType::U64) { // the upper half of its range
    llvm::APInt number;
    if (!llvm::StringRef(host.repr(value.host)).getAsInteger(10, number) && number.getActiveBits() <= width)
      return arith::ConstantOp::create(builder(), loc(range),
                                       builder().getIntegerAttr(l.ir.type(dtype), number.zextOrTrunc(width)));
  }
  bool fits = integer && (dtype == DType::I1    ? (*integer == 0 || *integer == 1)
                          : dtype == DType::U64 ? *integer >= 0
                          : isUnsigned(dtype)   ? llvm::isUIntN(width, *integer) && *integer >= 0
                                                : llvm::isIntN(width, *integer));
  if (!fits) {
    fail(range, "OverflowError", host.repr(value.host) + " does not fit into " + name(dtype),
         dtype == DType::I32 ? "asc.number(value, asc.int64) makes a wider scalar" : "");
    return {};
  }
  return l.ir.constant(dtype, *integer, range);
}

Value Scalars::truncated(const Value &value, DType dtype, const Range &range) {
  std::optional<double> real = value.isHost() && !isFloat(dtype) ? host.asFloat(value.host) : std::nullopt;
  if (!real || !(std::fabs(*real) < 9.2e18)) // not a number, or too large: whoever converts it says so
    return value;
  double whole = std::trunc(*real);
  if (whole != *real) {
    std::string text = "the float " + host.repr(value.host) + " becomes the " + name(dtype).str() + " " +
                       std::to_string(int64_t(whole)) + " beside a runtime " + name(dtype).str() +
                       "; use .cast(asc.float32) on the other operand to compute with floats";
    std::string place = frame().file->name + ":" + std::to_string(range.line) + ":" + std::to_string(range.column);
    if (warned.insert(place + text).second && !host.warn(text, frame().file->name, range.line))
      return failHost(range);
  }
  return Value::ofHost(host.makeInt(int64_t(whole)));
}

mlir::Value Scalars::cast(mlir::Value value, DType from, DType to, const Range &range) {
  if (from == to)
    return value;
  mlir::Location at = loc(range);
  mlir::Type target = l.ir.type(to);
  if (to == DType::I1) {
    mlir::Value zero = l.ir.constant(from, 0, range);
    if (isFloat(from))
      return arith::CmpFOp::create(builder(), at, arith::CmpFPredicate::UNE, value, zero);
    return arith::CmpIOp::create(builder(), at, arith::CmpIPredicate::ne, value, zero);
  }
  unsigned fromWidth = bitWidth(from), toWidth = bitWidth(to);
  if (isFloat(from) && isFloat(to)) {
    if (fromWidth == toWidth) { // float16 and bfloat16
      value = arith::ExtFOp::create(builder(), at, l.ir.type(DType::F32), value);
      return arith::TruncFOp::create(builder(), at, target, value);
    }
    if (fromWidth < toWidth)
      return arith::ExtFOp::create(builder(), at, target, value);
    return arith::TruncFOp::create(builder(), at, target, value);
  }
  bool isUnsignedSource = isUnsigned(from) || from == DType::I1;
  if (isFloat(to)) {
    if (isUnsignedSource)
      return arith::UIToFPOp::create(builder(), at, target, value);
    return arith::SIToFPOp::create(builder(), at, target, value);
  }
  if (isFloat(from)) {
    if (isUnsigned(to))
      return arith::FPToUIOp::create(builder(), at, target, value);
    return arith::FPToSIOp::create(builder(), at, target, value);
  }
  if (fromWidth == toWidth)
    return value;
  if (fromWidth > toWidth)
    return arith::TruncIOp::create(builder(), at, target, value);
  if (isUnsignedSource)
    return arith::ExtUIOp::create(builder(), at, target, value);
  return arith::ExtSIOp::create(builder(), at, target, value);
}

Value Scalars::choose(mlir::Value condition, const Value &lhs, const Value &rhs, const Range &range) {
  return Value::ofScalar(arith::SelectOp::create(builder(), loc(range), condition, lhs.ir, rhs.ir), lhs.dtype);
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
Value Scalars::binary(Operator op, Value lhs, Value rhs, const Range &range) {
  DType dtype = lhs.isScalar() ? lhs.dtype : rhs.dtype;
  if (dtype == DType::I1 && !(op == Operator::BitAnd || op == Operator::BitOr || op == Operator::BitXor))
    dtype = DType::I32; // a comparison's result counts as 0 or 1
  if (dtype == DType::I1 && values.dtypeOf(lhs) != values.dtypeOf(rhs))
    dtype = DType::I32;
  bool isReal = isFloat(dtype);
  auto undefined = [&] {
    return fail(range, op == Operator::Pow ? "NotImplementedError" : "TypeError",
                "operator " + ast::spelling(op) + " is not defined for runtime scalars of " + name(dtype),
                op == Operator::Pow ? "multiply: n * n; or compute it on the host and pass it as an argument" : "");
  };
  bool isBitwise = op == Operator::LShift || op == Operator::RShift || op == Operator::BitAnd ||
                   op == Operator::BitOr || op == Operator::BitXor;
  if (op == Operator::Pow || op == Operator::MatMul || (isBitwise && isReal))
    return undefined();
  lhs = truncated(lhs, dtype, range);
  rhs = lhs ? truncated(rhs, dtype, range) : Value();
  if (!rhs)
    return {};
  mlir::Value a = convert(lhs, dtype, range);
  mlir::Value b = a ? convert(rhs, dtype, range) : mlir::Value();
  if (!b)
    return {};
  mlir::Location at = loc(range);
  auto result = [&](mlir::Value ir) { return Value::ofScalar(ir, dtype); };
  NumberKind kind = isReal ? NumberKind::Real : isUnsigned(dtype) ? NumberKind::Natural : NumberKind::Integer;
  switch (op) {
  case Operator::Add:
    return result(emit<arith::AddFOp, arith::AddIOp, arith::AddIOp>(builder(), at, kind, a, b));
  case Operator::Sub:
    return result(emit<arith::SubFOp, arith::SubIOp, arith::SubIOp>(builder(), at, kind, a, b));
  case Operator::Mul:
    return result(emit<arith::MulFOp, arith::MulIOp, arith::MulIOp>(builder(), at, kind, a, b));
  case Operator::Div:
  case Operator::FloorDiv:
    return result(emit<arith::DivFOp, arith::DivSIOp, arith::DivUIOp>(builder(), at, kind, a, b));
  case Operator::Mod:
    return result(emit<arith::RemFOp, arith::RemSIOp, arith::RemUIOp>(builder(), at, kind, a, b));
  case Operator::LShift:
    return result(arith::ShLIOp::create(builder(), at, a, b));
  case Operator::RShift:
    return result(emit<arith::ShRSIOp, arith::ShRSIOp, arith::ShRUIOp>(builder(), at, kind, a, b));
  case Operator::BitAnd:
    return result(arith::AndIOp::create(builder(), at, a, b));
  case Operator::BitOr:
    return result(arith::OrIOp::create(builder(), at, a, b));
  case Operator::BitXor:
    return result(arith::XOrIOp::create(builder(), at, a, b));
  default:
    return undefined();
  }
}

// Compared in a type that holds both sides: an integer scalar beside a fraction is compared as float32.
Value Scalars::compare(CompareOperator op, Value lhs, Value rhs, const Range &range) {
  DType left = values.dtypeOf(lhs), right = values.dtypeOf(rhs);
  DType dtype = lhs.isScalar() ? left : right;
  if (lhs.isScalar() && rhs.isScalar() && isFloat(right) && !isFloat(left))
    dtype = right;
  const Value &number = lhs.isScalar() ? rhs : lhs;
  if (!isFloat(dtype) && number.isHost() && host.asFloat(number.host))
    dtype = DType::F32;
  if (dtype == DType::I1 && left != right)
    dtype = left == DType::I1 ? right : left;
  mlir::Value a = convert(lhs, dtype, range);
  mlir::Value b = a ? convert(rhs, dtype, range) : mlir::Value();
  if (!b)
    return {};
  mlir::Location at = loc(range);
  if (isFloat(dtype)) {
    static constexpr arith::CmpFPredicate predicates[] = {arith::CmpFPredicate::OEQ, arith::CmpFPredicate::UNE,
                                                          arith::CmpFPredicate::OLT, arith::CmpFPredicate::OLE,
                                                          arith::CmpFPredicate::OGT, arith::CmpFPredicate::OGE};
    return Value::ofScalar(arith::CmpFOp::create(builder(), at, predicates[unsigned(op)], a, b), DType::I1);
  }
  static constexpr arith::CmpIPredicate predicates[2][6] = {
      {arith::CmpIPredicate::eq, arith::CmpIPredicate::ne, arith::CmpIPredicate::slt, arith::CmpIPredicate::sle,
       arith::CmpIPredicate::sgt, arith::CmpIPredicate::sge},
      {arith::CmpIPredicate::eq, arith::CmpIPredicate::ne, arith::CmpIPredicate::ult, arith::CmpIPredicate::ule,
       arith::CmpIPredicate::ugt, arith::CmpIPredicate::uge}};
  bool isNatural = isUnsigned(dtype) || dtype == DType::I1;
  return Value::ofScalar(arith::CmpIOp::create(builder(), at, predicates[isNatural][unsigned(op)], a, b), DType::I1);
}

} // namespace tilesmith::frontend
