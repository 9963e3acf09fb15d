#include "Numbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSwitch.h"

namespace tilesmith::frontend::asc {

namespace arith = mlir::arith;

Number::Number(mlir::Value value) : ir(value) {
  llvm::APInt constant;
  if (value && mlir::matchPattern(value, mlir::m_ConstantInt(&constant)) && constant.getBitWidth() <= 64)
    known = constant.getSExtValue();
}

mlir::Value Numbers::value(const Number &number, const Range &range) {
  return number.known ? l.ir.constant(DType::I64, *number.known, range) : number.ir;
}

mlir::Value Numbers::condition(const Number &number, const Range &range) {
  if (auto wide = number.ir ? number.ir.getDefiningOp<arith::ExtUIOp>() : nullptr)
    if (wide.getIn().getType().isInteger(1))
      return wide.getIn();
  mlir::Value zero = l.ir.constant(DType::I64, 0, range);
  return arith::CmpIOp::create(builder(), loc(range), arith::CmpIPredicate::ne, value(number, range), zero);
}

Number Numbers::of(const Value &given, llvm::StringRef what, const Range &range) {
  Value value = values.read(given);
  if (value.isHost()) {
    if (std::optional<bool> truth = host.asBool(value.host))
      return int64_t(*truth);
    if (std::optional<int64_t> number = host.asInt(value.host))
      return *number;
    if (host.isInt(value.host)) { // the upper half of uint64_t
      uint64_t number;
      if (!llvm::StringRef(host.repr(value.host)).getAsInteger(10, number))
        return int64_t(number);
    }
  }
  if (value.isScalar() && !isFloat(value.dtype)) {
    if (value.dtype == DType::I1)
      return Number(mlir::Value(arith::ExtUIOp::create(builder(), loc(range), l.ir.type(DType::I64), value.ir)));
    llvm::APInt constant;
    if (mlir::matchPattern(value.ir, mlir::m_ConstantInt(&constant)))
      return isUnsigned(value.dtype) ? int64_t(constant.getZExtValue()) : constant.getSExtValue();
    return Number(scalars.cast(value.ir, value.dtype, DType::I64, range));
  }
  fail(range, "TypeError", what + " is an integer, not " + describe(value));
  return {};
}

Number Numbers::bits(mlir::Value scalar, DType dtype, const Range &range) {
  mlir::Location at = loc(range);
  mlir::OpBuilder &b = builder();
  llvm::APFloat real(0.0);
  if (isFloat(dtype)) {
    if (mlir::matchPattern(scalar, mlir::m_ConstantFloat(&real)))
      return int64_t(real.bitcastToAPInt().getZExtValue());
    mlir::Type same = b.getIntegerType(bitWidth(dtype));
    scalar = arith::BitcastOp::create(b, at, same, scalar);
    return Number(mlir::Value(arith::ExtUIOp::create(b, at, b.getI64Type(), scalar)));
  }
  return of(Value::ofScalar(scalar, dtype), "a number", range);
}

Number Numbers::cut(const Number &number, unsigned bits, bool isSigned, const Range &range) {
  if (bits >= 64)
    return number;
  if (number.known) {
    llvm::APInt narrow = llvm::APInt(64, uint64_t(*number.known)).trunc(bits);
    return isSigned ? narrow.getSExtValue() : int64_t(narrow.getZExtValue());
  }
  mlir::OpBuilder &b = builder();
  mlir::Value narrow = arith::TruncIOp::create(b, loc(range), b.getIntegerType(bits), number.ir);
  return isSigned ? Number(mlir::Value(arith::ExtSIOp::create(b, loc(range), b.getI64Type(), narrow)))
                  : Number(mlir::Value(arith::ExtUIOp::create(b, loc(range), b.getI64Type(), narrow)));
}

Value Numbers::toPython(const Number &number, DType dtype, const Range &range) {
  if (number.known && dtype != DType::U64)
    return Value::ofHost(dtype == DType::I1 ? host.makeBool(*number.known != 0) : host.makeInt(*number.known));
  mlir::Value wide = value(number, range);
  if (dtype == DType::I1)
    return Value::ofScalar(condition(number, range), dtype);
  if (bitWidth(dtype) == 64)
    return Value::ofScalar(wide, dtype);
  return Value::ofScalar(arith::TruncIOp::create(builder(), loc(range), l.ir.type(dtype), wide), dtype);
}

static std::optional<int64_t> compute(llvm::StringRef op, int64_t a, int64_t b) {
  auto wrapped = [](uint64_t value) { return int64_t(value); };
  uint64_t x = uint64_t(a), y = uint64_t(b);
  bool divides = b != 0 && !(a == INT64_MIN && b == -1);
  return llvm::StringSwitch<std::optional<int64_t>>(op)
      .Case("+", wrapped(x + y))
      .Case("-", wrapped(x - y))
      .Case("*", wrapped(x * y))
      .Case("/", divides ? a / b : 0)
      .Case("%", divides ? a % b : 0)
      .Case("&", a & b)
      .Case("|", a | b)
      .Case("^", a ^ b)
      .Case("<<", b >= 0 && b < 64 ? wrapped(x << y) : 0)
      .Case(">>", b >= 0 && b < 64 ? a >> b : 0)
      .Case("==", a == b)
      .Case("!=", a != b)
      .Case("<", a < b)
      .Case("<=", a <= b)
      .Case(">", a > b)
      .Case(">=", a >= b)
      .Case("&&", a && b)
      .Case("||", a || b)
      .Default(std::nullopt);
}

Number Numbers::binary(llvm::StringRef op, const Number &a, const Number &b, const Range &range) {
  if (a.known && b.known)
    if (std::optional<int64_t> result = compute(op, *a.known, *b.known))
      return *result;
  if (op == "&&" && ((a.known && !*a.known) || (b.known && !*b.known)))
    return 0;
  if (op == "||" && ((a.known && *a.known) || (b.known && *b.known)))
    return 1;
  if ((op == "+" || op == "-") && b.known && *b.known == 0)
    return a;
  if (op == "+" && a.known && *a.known == 0)
    return b;
  if ((op == "*" || op == "/") && b.known && *b.known == 1)
    return a;
  if (op == "*" && a.known && *a.known == 1)
    return b;
  mlir::OpBuilder &build = builder();
  mlir::Location at = loc(range);
  auto truth = [&](mlir::Value condition) {
    return Number(mlir::Value(arith::ExtUIOp::create(build, at, build.getI64Type(), condition)));
  };
  if (op == "&&")
    return truth(arith::AndIOp::create(build, at, condition(a, range), condition(b, range)));
  if (op == "||")
    return truth(arith::OrIOp::create(build, at, condition(a, range), condition(b, range)));
  mlir::Value x = value(a, range), y = value(b, range);
  auto predicate = llvm::StringSwitch<std::optional<arith::CmpIPredicate>>(op)
                       .Case("==", arith::CmpIPredicate::eq)
                       .Case("!=", arith::CmpIPredicate::ne)
                       .Case("<", arith::CmpIPredicate::slt)
                       .Case("<=", arith::CmpIPredicate::sle)
                       .Case(">", arith::CmpIPredicate::sgt)
                       .Case(">=", arith::CmpIPredicate::sge)
                       .Default(std::nullopt);
  if (predicate)
    return truth(arith::CmpIOp::create(build, at, *predicate, x, y));
  mlir::Value result;
  switch (op.empty() ? 0 : op[0]) {
  case '+':
    result = arith::AddIOp::create(build, at, x, y);
    break;
  case '-':
    result = arith::SubIOp::create(build, at, x, y);
    break;
  case '*':
    result = arith::MulIOp::create(build, at, x, y);
    break;
  case '/':
    result = arith::DivSIOp::create(build, at, x, y);
    break;
  case '%':
    result = arith::RemSIOp::create(build, at, x, y);
    break;
  case '&':
    result = arith::AndIOp::create(build, at, x, y);
    break;
  case '|':
    result = arith::OrIOp::create(build, at, x, y);
    break;
  case '^':
    result = arith::XOrIOp::create(build, at, x, y);
    break;
  case '<':
    result = arith::ShLIOp::create(build, at, x, y);
    break;
  case '>':
    result = arith::ShRSIOp::create(build, at, x, y);
    break;
  default:
    llvm::report_fatal_error("an expression of the instruction table has an unknown operator");
  }
  return Number(result);
}

Number Numbers::unary(llvm::StringRef op, const Number &a, const Range &range) {
  if (op == "!")
    return binary("==", a, 0, range);
  if (op == "~")
    return binary("^", a, -1, range);
  return binary("-", 0, a, range);
}

Number Numbers::choose(const Number &condition, const Number &a, const Number &b, const Range &range) {
  if (condition.known)
    return *condition.known ? a : b;
  mlir::Value chosen = arith::SelectOp::create(builder(), loc(range), this->condition(condition, range),
                                               value(a, range), value(b, range));
  return Number(chosen);
}

} // namespace tilesmith::frontend::asc
