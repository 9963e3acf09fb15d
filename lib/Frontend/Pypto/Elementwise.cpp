// Element-wise operations: one tensor, two, comparisons, choices, conversions.
#include "Operator.h"

#include <cmath>

namespace tilesmith::frontend::pypto {

using graph::BinaryKind;
using graph::UnaryKind;
using tile::CompareKind;

// The common element type of two operands, one of which is a tensor; nothing after an error.
std::optional<DType> Operator::operandType(const Value &lhs, const Value &rhs, const Range &range) {
  if (isTensor(lhs) && isTensor(rhs)) {
    if (elementOf(lhs) == elementOf(rhs))
      return elementOf(lhs);
    fail(range, "TypeError",
         "tensors of " + name(elementOf(lhs)) + " and " + name(elementOf(rhs)) + " do not go together",
         "convert one with pypto.cast");
    return std::nullopt;
  }
  const Value &number = isTensor(lhs) ? rhs : lhs;
  DType dtype = elementOf(isTensor(lhs) ? lhs : rhs);
  if (isInteger(dtype) && isFloat(values.dtypeOf(number))) {
    fail(range, "TypeError", "float scalar incompatible with integer tensor dtype", l.language.words().toFloat);
    return std::nullopt;
  }
  return dtype;
}

// An operand as IR of the shape: a tensor repeated, or a number of the element type. Null after an error.
static mlir::Value operandOf(Operator &o, const Value &value, llvm::ArrayRef<int64_t> shape, DType dtype,
                             const Range &range) {
  if (!isTensor(value))
    return o.scalars.convert(value, dtype, range);
  Value tensor = o.expand(o.cast(value, dtype, range), shape, range);
  return tensor.ir;
}

static llvm::SmallVector<Value, 2> tensorsOf(llvm::ArrayRef<Value> values) {
  llvm::SmallVector<Value, 2> tensors;
  llvm::copy_if(values, std::back_inserter(tensors), isTensor);
  return tensors;
}

// Halves are widened for what the chip cannot round once, and rounded at the end.
static bool isExact(BinaryKind kind) { return kind == BinaryKind::Max || kind == BinaryKind::Min; }

Value Operator::binary(BinaryKind kind, const Value &lhs, const Value &rhs, const Range &range, ResultType result) {
  std::optional<DType> dtype = operandType(lhs, rhs, range);
  auto common = dtype ? broadcast(tensorsOf({lhs, rhs}), range) : std::nullopt;
  if (!common)
    return {};
  DType given = *dtype, computed = given;
  if (isInteger(given) && result == ResultType::Widened)
    given = computed = DType::F32;
  if ((given == DType::F16 || given == DType::BF16) && !isExact(kind))
    computed = DType::F32;
  mlir::Value a = operandOf(*this, lhs, common->first, computed, range);
  mlir::Value b = a ? operandOf(*this, rhs, common->first, computed, range) : mlir::Value();
  if (!b)
    return {};
  auto op = graph::BinaryOp::create(builder(), loc(range), makeType(common->first, computed), kind, a, b, vectorTile());
  return cast(makeTensor(op, common->second), given, range);
}

Value Operator::compare(CompareKind kind, const Value &lhs, const Value &rhs, const Range &range) {
  std::optional<DType> dtype = operandType(lhs, rhs, range);
  auto common = dtype ? broadcast(tensorsOf({lhs, rhs}), range) : std::nullopt;
  if (!common)
    return {};
  DType computed = *dtype == DType::BF16 ? DType::F32 : *dtype;
  mlir::Value a = operandOf(*this, lhs, common->first, computed, range);
  mlir::Value b = a ? operandOf(*this, rhs, common->first, computed, range) : mlir::Value();
  if (!b)
    return {};
  return makeTensor(
      graph::CompareOp::create(builder(), loc(range), makeType(common->first, DType::I1), kind, a, b, vectorTile()),
      common->second);
}

Value Operator::select(const Value &condition, const Value &lhs, const Value &rhs, const Range &range) {
  auto common = broadcast(tensorsOf({condition, lhs, rhs}), range);
  if (!common)
    return {};
  DType dtype = isTensor(lhs)                  ? elementOf(lhs)
                : isTensor(rhs)                ? elementOf(rhs)
                : isFloat(values.dtypeOf(lhs)) ? DType::F32
                                               : DType::I32;
  if (isTensor(lhs) && isTensor(rhs) && elementOf(lhs) != elementOf(rhs))
    return fail(range, "TypeError",
                "tensors of " + name(elementOf(lhs)) + " and " + name(elementOf(rhs)) + " do not go together",
                "convert one with pypto.cast");
  mlir::Value chosen = expand(condition, common->first, range).ir;
  mlir::Value a = operandOf(*this, lhs, common->first, dtype, range);
  mlir::Value b = a ? operandOf(*this, rhs, common->first, dtype, range) : mlir::Value();
  if (!b)
    return {};
  return makeTensor(
      graph::SelectOp::create(builder(), loc(range), makeType(common->first, dtype), chosen, a, b, vectorTile()),
      common->second);
}

// A tensor, or a number: of Python, of the scalar code, or an Element.
static Value operandArgument(Operator &o, const Argument &argument, llvm::StringRef what) {
  Value value = o.values.read(argument.value);
  if (isArray(value))
    return o.read(value, argument.range);
  if (value.isHost() && !o.values.isNumber(value)) {
    HostRef number = o.host.getAttr(value.host, "value");
    o.host.takeError();
    if (number && o.host.typeName(value.host) == "Element")
      return Value::ofHost(number);
  }
  if (o.values.isNumeric(value))
    return value;
  return o.fail(argument.range, "TypeError", what + " must be a tensor or a number, not " + o.describe(value));
}

Value unary(Operator &o, const Arguments &args) {
  const Operation &operation = operationOf(args);
  Value x = o.expectTensor(args[0], "input");
  if (!x || !o.checkDType(x, operation.dtypes, args))
    return {};
  auto kind = UnaryKind(operation.kind);
  DType dtype = elementOf(x);
  if (isInteger(dtype) && operation.result == ResultType::Widened)
    return o.unary(kind, o.cast(x, DType::F32, args.range), args.range);
  bool rounds = kind == UnaryKind::Ceil || kind == UnaryKind::Floor || kind == UnaryKind::Trunc;
  if (isInteger(dtype)) {
    if (rounds)
      return x;
    Value zero = o.number(0);
    if (kind == UnaryKind::Relu)
      return o.binary(BinaryKind::Max, x, zero, args.range);
    Value negative = o.binary(BinaryKind::Mul, x, o.number(-1), args.range);
    return kind == UnaryKind::Neg ? negative : o.binary(BinaryKind::Max, x, negative, args.range);
  }
  bool isExact = kind == UnaryKind::Abs || kind == UnaryKind::Neg || kind == UnaryKind::Relu;
  if (dtype == DType::F32 || (isExact && dtype == DType::F16))
    return o.unary(kind, x, args.range);
  return o.cast(o.unary(kind, o.cast(x, DType::F32, args.range), args.range), dtype, args.range);
}

Value binary(Operator &o, const Arguments &args) {
  const Operation &operation = operationOf(args);
  Value lhs = operandArgument(o, args[0], "input"), rhs = lhs ? operandArgument(o, args[1], "other") : Value();
  if (!rhs)
    return {};
  if (!isTensor(lhs) &&
      !(isTensor(rhs) && (operation.kind == unsigned(BinaryKind::Max) || operation.kind == unsigned(BinaryKind::Min))))
    return o.fail(args[0].range, "TypeError", args.name + " takes a tensor first, not " + o.describe(lhs),
                  isTensor(rhs) ? "operators take a number on the left, too: 2.0 - x" : "");
  for (const Value &side : {lhs, rhs})
    if (isTensor(side) && !o.checkDType(side, operation.dtypes, args))
      return {};
  if (operation.kind == unsigned(BinaryKind::Pow) && isTensor(lhs) && isInteger(elementOf(lhs)) &&
      isFloat(o.values.dtypeOf(rhs)))
    lhs = o.cast(lhs, DType::F32, args.range);
  return o.binary(BinaryKind(operation.kind), lhs, rhs, args.range, operation.result);
}

Value compare(Operator &o, const Arguments &args) {
  const Operation &operation = operationOf(args);
  Value lhs = o.expectTensor(args[0], "input"), rhs = lhs ? operandArgument(o, args[1], "other") : Value();
  if (!rhs || !o.checkDType(lhs, operation.dtypes, args))
    return {};
  return o.compare(CompareKind(operation.kind), lhs, rhs, args.range);
}

Value round(Operator &o, const Arguments &args) {
  Value x = o.expectTensor(args[0], "input");
  std::optional<int64_t> decimals = !x ? std::nullopt : args[1] ? o.l.expect.integer(args[1], "decimals") : 0;
  if (!decimals || !o.checkDType(x, DTypes::Numbers, args))
    return {};
  DType dtype = elementOf(x);
  if (isInteger(dtype))
    return x;
  if (*decimals < -38 || *decimals > 38)
    return o.fail(args[1].range, "ValueError", "decimals must be between -38 and 38, not " + llvm::Twine(*decimals));
  Value wide = o.cast(x, DType::F32, args.range),
        scale = Value::ofHost(o.host.makeFloat(std::pow(10.0, double(*decimals))));
  if (*decimals)
    wide = o.binary(BinaryKind::Mul, wide, scale, args.range);
  wide = o.unary(UnaryKind::Round, wide, args.range);
  if (*decimals)
    wide = o.binary(BinaryKind::Div, wide, scale, args.range);
  return o.cast(wide, dtype, args.range);
}

// A tensor of truth values: what differs from 0.
static Value truthOf(Operator &o, const Value &x, const Range &range) {
  return elementOf(x) == DType::I1 ? x : o.compare(CompareKind::NE, x, o.number(0), range);
}

Value logicalNot(Operator &o, const Arguments &args) {
  Value x = o.expectTensor(args[0], "input");
  if (!x)
    return {};
  return elementOf(x) == DType::I1 ? o.unary(UnaryKind::Not, x, args.range)
                                   : o.compare(CompareKind::EQ, x, o.number(0), args.range);
}

Value logicalAnd(Operator &o, const Arguments &args) {
  Value x = o.expectTensor(args[0], "input"), y = x ? o.expectTensor(args[1], "other") : Value();
  if (!y)
    return {};
  Value a = truthOf(o, x, args.range), b = a ? truthOf(o, y, args.range) : Value();
  return b ? o.binary(BinaryKind::And, a, b, args.range) : Value();
}

Value where(Operator &o, const Arguments &args) {
  Value condition = o.expectTensor(args[0], "condition");
  if (!condition)
    return {};
  if (elementOf(condition) != DType::I1)
    return o.fail(args[0].range, "TypeError", "the condition must be a tensor of BOOL, not " + o.describe(condition),
                  "compare it: x != 0");
  Value x = operandArgument(o, args[1], "input"), y = x ? operandArgument(o, args[2], "other") : Value();
  return y ? o.select(condition, x, y, args.range) : Value();
}

Value clip(Operator &o, const Arguments &args) {
  Value x = o.expectTensor(args[0], "input");
  if (!x || !o.checkDType(x, DTypes::Numbers, args))
    return {};
  for (bool isUpper : {false, true}) {
    const Argument &given = args[isUpper ? 2 : 1];
    if (!given)
      continue;
    Value bound = operandArgument(o, given, isUpper ? "max" : "min");
    x = bound ? o.binary(isUpper ? BinaryKind::Min : BinaryKind::Max, x, bound, args.range) : Value();
    if (!x)
      return {};
  }
  return x;
}

Value cast(Operator &o, const Arguments &args) {
  Value x = o.expectTensor(args[0], "input");
  std::optional<DType> dtype = x ? o.expectDType(args[1]) : std::nullopt;
  if (!dtype)
    return {};
  std::string mode = args[2] && args[2].value.isHost()
                         ? o.host.asString(o.host.getAttr(args[2].value.host, "name")).value_or("")
                         : "CAST_NONE";
  o.host.takeError();
  DType from = elementOf(x);
  bool toInteger = isFloat(from) && isInteger(*dtype);
  if (mode == "CAST_NONE" || (toInteger && mode == "CAST_TRUNC") || (!toInteger && mode == "CAST_RINT") ||
      from == *dtype || isInteger(from))
    return o.cast(x, *dtype, args.range);
  if (!toInteger)
    return o.fail(args[2].range, "NotImplementedError",
                  "cast of " + name(from) + " to " + name(*dtype) + " with " + mode + " is not there yet",
                  "the default rounds to nearest even");
  Value wide = o.cast(x, DType::F32, args.range);
  if (mode == "CAST_FLOOR")
    wide = o.unary(UnaryKind::Floor, wide, args.range);
  else if (mode == "CAST_CEIL")
    wide = o.unary(UnaryKind::Ceil, wide, args.range);
  else if (mode == "CAST_RINT")
    wide = o.unary(UnaryKind::Round, wide, args.range);
  else
    return o.fail(args[2].range, "NotImplementedError",
                  "cast of " + name(from) + " to " + name(*dtype) + " with " + mode + " is not there yet");
  return o.cast(wide, *dtype, args.range);
}

} // namespace tilesmith::frontend::pypto
