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

// The result of the first of two kinds that defines the operator.
static std::optional<Value> ofKinds(const Value &lhs, const Value &rhs,
                                    llvm::function_ref<std::optional<Value>(const Kind &)> ask) {
  std::optional<Value> result = ask(*lhs.kind);
  return result || lhs.kind == rhs.kind ? result : ask(*rhs.kind);
}

Value Operators::binary(Operator op, Value lhs, Value rhs, const Range &range) {
  lhs = values.read(lhs), rhs = values.read(rhs);
  if (auto result = ofKinds(lhs, rhs, [&](const Kind &kind) { return kind.binary(l, op, lhs, rhs, range); }))
    return *result;
  if ((lhs.isScalar() && values.isNumeric(rhs)) || (rhs.isScalar() && values.isNumeric(lhs))) {
    std::optional<Value> own = l.language.numberBinary(l, op, lhs, rhs, range);
    return own ? *own : scalars.binary(op, lhs, rhs, range);
  }
  if (op == Operator::Add && (lhs.is(kinds::address) || rhs.is(kinds::address)))
    return rhs.is(kinds::address) ? moveAddress(rhs, lhs, range) : moveAddress(lhs, rhs, range);
  HostRef left = values.toHost(lhs), right = values.toHost(rhs);
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
    if (isAny(lhs) && isAny(rhs) && values.toSequence(lhs, items, range, "") &&
        values.toSequence(rhs, items, range, ""))
      return Value::ofSequence(items, (lhs.isSequence() ? lhs : rhs).sequence().isList, l.ir.region());
  }
  if (op == Operator::Mul && (lhs.isSequence() || rhs.isSequence()))
    if (Value repeated = repeatSequence(lhs.isSequence() ? lhs : rhs, lhs.isSequence() ? right : left, range);
        repeated || l.errors.hasFailed())
      return repeated;
  return fail(range, "TypeError",
              "operator " + ast::spelling(op) + " is not defined for " + describe(lhs) + " and " + describe(rhs),
              l.advice.address(lhs.is(kinds::address) ? lhs : rhs));
}

// A sequence of runtime values, several times over; nothing if the number of times is not an int.
Value Operators::repeatSequence(const Value &sequence, HostRef times, const Range &range) {
  constexpr int64_t mostItems = 4096; // each is a value of its own
  if (!times || !host.isInt(times))
    return {};
  std::optional<int64_t> count = host.asInt(times);
  llvm::ArrayRef<Value> once = sequence.items();
  if (!count || *count > mostItems / std::max<int64_t>(once.size(), 1))
    return fail(range, "OverflowError", "a sequence of runtime values can have " + llvm::Twine(mostItems) + " items");
  llvm::SmallVector<Value> items;
  for (int64_t i = 0; i < *count; ++i)
    llvm::append_range(items, once);
  return Value::ofSequence(items, sequence.sequence().isList, l.ir.region());
}

Value Operators::moveAddress(const Value &address, const Value &elements, const Range &range) {
  if (!values.isInteger(elements))
    return fail(range, "TypeError", "an address moves by an integer number of elements, not by " + describe(elements));
  Value offset = address.items().empty() ? elements : binary(Operator::Add, address.items()[0], elements, range);
  mlir::Value ir = offset ? scalars.convert(offset, DType::I32, range) : mlir::Value();
  return ir ? Value::ofAddress(address.ir, address.dtype, Value::ofScalar(ir, DType::I32)) : Value();
}

Value Operators::unary(ast::UnaryOperator op, Value operand, const Range &range) {
  operand = values.read(operand);
  if (op == ast::UnaryOperator::Not) {
    Truth result = values.truth(operand, range);
    if (!result.valid)
      return {};
    if (result.isKnown)
      return Value::ofHost(host.makeBool(!result.known));
    mlir::Value one = l.ir.constant(DType::I1, 1, range);
    return Value::ofScalar(arith::XOrIOp::create(builder(), loc(range), result.runtime, one), DType::I1);
  }
  if (HostRef object = values.toHost(operand)) {
    Value result = Value::ofHost(host.unary(op, object));
    return result ? result : failHost(range);
  }
  if (std::optional<Value> result = operand.kind->unary(l, op, operand, range))
    return *result;
  if (operand.isScalar())
    if (std::optional<Value> own = l.language.numberUnary(l, op, operand, range))
      return *own;
  if (operand.isScalar() && op == ast::UnaryOperator::UAdd)
    return operand;
  if (operand.isScalar() && op == ast::UnaryOperator::USub) {
    if (isFloat(operand.dtype))
      return Value::ofScalar(arith::NegFOp::create(builder(), loc(range), operand.ir), operand.dtype);
    return scalars.binary(Operator::Sub, number(0), operand, range);
  }
  return fail(range, operand.isScalar() ? "NotImplementedError" : "TypeError",
              "operator " + ast::spelling(op) + " is not defined for " + describe(operand));
}

Value Operators::compare(CompareOperator op, Value lhs, Value rhs, const Range &range) {
  lhs = values.read(lhs), rhs = values.read(rhs);
  if (op == CompareOperator::Is || op == CompareOperator::IsNot) {
    bool same = lhs.isHost() && rhs.isHost() ? lhs.host == rhs.host
                                             : lhs.kind == rhs.kind && lhs.ir == rhs.ir && lhs.parts == rhs.parts;
    return Value::ofHost(host.makeBool(same == (op == CompareOperator::Is)));
  }
  if (op == CompareOperator::In || op == CompareOperator::NotIn) {
    HostRef left = values.toHost(lhs), right = values.toHost(rhs);
    if (!left || !right)
      return fail(range, "TypeError",
                  "`" + ast::spelling(op) + "` needs values known while compiling, not " + describe(left ? rhs : lhs));
    Value result = Value::ofHost(host.compare(op, left, right));
    return result ? result : failHost(range);
  }
  if (auto result = ofKinds(lhs, rhs, [&](const Kind &kind) { return kind.compare(l, op, lhs, rhs, range); }))
    return *result;
  if ((lhs.isScalar() && values.isNumeric(rhs)) || (rhs.isScalar() && values.isNumeric(lhs))) {
    std::optional<Value> own = l.language.numberCompare(l, op, lhs, rhs, range);
    return own ? *own : scalars.compare(op, lhs, rhs, range);
  }
  HostRef left = values.toHost(lhs), right = values.toHost(rhs);
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

} // namespace tilesmith::frontend
