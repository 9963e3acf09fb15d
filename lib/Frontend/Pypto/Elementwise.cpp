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
Value Operator::operand(const Argument &argument, llvm::StringRef what) {
  Value value = values.read(argument.value);
  if (isArray(value))
    return read(value, argument.range);
  if (value.isHost() && !values.isNumber(value)) {
    HostRef number = host.getAttr(value.host, "value");
    host.takeError();
    if (number && host.typeName(value.host) == "Element")
      return Value::ofHost(number);
  }
  if (values.isNumeric(value))
    return value;
  return fail(argument.range, "TypeError", what + " must be a tensor or a number, not " + describe(value));
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
  Value lhs = o.operand(args[0], "input"), rhs = lhs ? o.operand(args[1], "other") : Value();
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
  Value lhs = o.expectTensor(args[0], "input"), rhs = lhs ? o.operand(args[1], "other") : Value();
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
  Value x = o.operand(args[1], "input"), y = x ? o.operand(args[2], "other") : Value();
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
    Value bound = o.operand(given, isUpper ? "max" : "min");
    x = bound ? o.binary(isUpper ? BinaryKind::Min : BinaryKind::Max, x, bound, args.range) : Value();
    if (!x)
      return {};
  }
  return x;
}

// Rounded to a whole number, as the mode says; nothing: there is no such mode.
static Value rounded(Operator &o, const Value &x, llvm::StringRef mode, const Range &range) {
  if (mode == "CAST_FLOOR")
    return o.unary(UnaryKind::Floor, x, range);
  if (mode == "CAST_CEIL")
    return o.unary(UnaryKind::Ceil, x, range);
  if (mode == "CAST_RINT")
    return o.unary(UnaryKind::Round, x, range);
  Value whole = o.unary(UnaryKind::Trunc, x, range);
  if (mode != "CAST_ROUND")
    return whole;
  auto real = [&](double number) { return Value::ofHost(o.host.makeFloat(number)); };
  Value rest = o.binary(BinaryKind::Sub, x, whole, range); // exact
  Value away = o.select(o.compare(CompareKind::GE, o.unary(UnaryKind::Abs, rest, range), real(0.5), range),
                        o.select(o.compare(CompareKind::LT, x, real(0), range),
                                 o.filled(shapeOf(x), real(-1), DType::F32, range),
                                 o.filled(shapeOf(x), real(1), DType::F32, range), range),
                        o.filled(shapeOf(x), real(0), DType::F32, range), range);
  return o.binary(BinaryKind::Add, whole, away, range);
}

// Whole numbers to an integer type: what it cannot hold goes to its ends, or keeps the low bits.
static Value toInteger(Operator &o, const Value &x, DType from, DType to, bool saturates, const Range &range) {
  bool isNarrow = to == DType::I8 || to == DType::U8 || to == DType::I16;
  if (saturates || !isNarrow)
    return o.cast(x, to, range);
  Value low = o.cast(o.cast(x, DType::I32, range), to, range);
  if (from != DType::F16)
    return low;
  // Infinities of halves go to the ends either way.
  Value isBeyond =
      o.compare(CompareKind::GT, o.unary(UnaryKind::Abs, x, range), Value::ofHost(o.host.makeFloat(65504)), range);
  Value chosen =
      o.select(isBeyond, o.cast(o.cast(x, to, range), DType::I32, range), o.cast(low, DType::I32, range), range);
  return o.cast(chosen, to, range);
}

// Halves that are not the nearest: the nearest one, or its neighbour. A neighbour is what a number about one unit in
// the last place away is rounded to.
static Value toHalf(Operator &o, const Value &given, DType to, llvm::StringRef mode, const Range &range) {
  auto real = [&](double number) { return Value::ofHost(o.host.makeFloat(number)); };
  auto two = [&](BinaryKind kind, const Value &a, const Value &b) { return o.binary(kind, a, b, range); };
  bool isHalf = to == DType::F16, isTurned = mode != "CAST_ROUND";
  Value x = given;
  // What the nearest would be infinite of lies above the largest half.
  if (isTurned) {
    double most = isHalf ? 0x1.ffdffep15 : 0x1.fefffep127;
    x = two(BinaryKind::Max, two(BinaryKind::Min, x, real(most)), real(-most));
  }
  Value nearest = o.cast(x, to, range), wide = o.cast(nearest, DType::F32, range);
  Value unit = two(BinaryKind::Mul, o.unary(UnaryKind::Abs, wide, range), real((isHalf ? 0x1p-11 : 0x1p-8) * 1.03125));
  if (isHalf)
    unit = two(BinaryKind::Max, unit, real(0x1.8p-25));
  Value below = o.cast(two(BinaryKind::Sub, wide, unit), to, range),
        above = o.cast(two(BinaryKind::Add, wide, unit), to, range);
  Value down = o.select(o.compare(CompareKind::GT, wide, x, range), below, nearest, range);
  Value up = o.select(o.compare(CompareKind::LT, wide, x, range), above, nearest, range);
  // Infinities and NaN stay.
  auto ofNumbers = [&](const Value &made) {
    Value isNumber = o.compare(CompareKind::LT, o.unary(UnaryKind::Abs, given, range),
                               real(std::numeric_limits<float>::infinity()), range);
    return o.select(isNumber, made, o.cast(given, to, range), range);
  };
  if (mode == "CAST_FLOOR")
    return ofNumbers(down);
  if (mode == "CAST_CEIL")
    return ofNumbers(up);
  // Half way between the two neighbours, ties to even: the other one is odd.
  if (mode == "CAST_ODD") {
    Value middle = two(BinaryKind::Mul,
                       two(BinaryKind::Add, o.cast(down, DType::F32, range), o.cast(up, DType::F32, range)), real(0.5));
    return ofNumbers(o.select(o.compare(CompareKind::EQ, o.cast(middle, to, range), down, range), up, down, range));
  }
  Value isNegative = o.compare(CompareKind::LT, x, real(0), range);
  if (mode == "CAST_TRUNC")
    return ofNumbers(o.select(isNegative, up, down, range));
  // Ties go away from zero.
  Value away = o.select(isNegative, below, above, range);
  Value isTie = o.compare(CompareKind::EQ, two(BinaryKind::Sub, o.cast(away, DType::F32, range), x),
                          two(BinaryKind::Sub, x, wide), range);
  return o.select(o.binary(BinaryKind::And, isTie, o.compare(CompareKind::NE, wide, x, range), range), away, nearest,
                  range);
}

Value cast(Operator &o, const Arguments &args) {
  Value x = o.expectTensor(args[0], "input");
  std::optional<DType> dtype = x ? o.expectDType(args[1]) : std::nullopt;
  if (!dtype)
    return {};
  auto nameOf = [&](const Argument &argument, llvm::StringRef otherwise) {
    if (!argument || !argument.value.isHost())
      return otherwise.str();
    HostRef name = o.host.getAttr(argument.value.host, "name");
    o.host.takeError();
    return name ? o.host.asString(name).value_or("") : "";
  };
  std::string mode = nameOf(args[2], "CAST_NONE"), saturation = nameOf(args[3], "OFF");
  static constexpr llvm::StringLiteral modes[] = {"CAST_NONE", "CAST_RINT",  "CAST_ROUND", "CAST_FLOOR",
                                                  "CAST_CEIL", "CAST_TRUNC", "CAST_ODD"};
  if (!llvm::is_contained(modes, mode))
    return o.fail(args[2].range, "TypeError", "mode must be a pypto.CastMode, not " + o.describe(args[2].value));
  if (saturation != "OFF" && saturation != "ON")
    return o.fail(args[3].range, "TypeError",
                  "satmode must be a pypto.SaturationMode, not " + o.describe(args[3].value));
  DType from = elementOf(x), to = *dtype;
  bool saturates = saturation == "ON";
  if (isFloat(from) && isInteger(to) && to != DType::I1) {
    Value wide = o.cast(x, DType::F32, args.range);
    if (mode != "CAST_NONE" && mode != "CAST_TRUNC" && mode != "CAST_ODD")
      wide = rounded(o, wide, mode, args.range);
    return toInteger(o, wide, from, to, saturates, args.range);
  }
  if (from == to)
    return from == DType::F32 && mode != "CAST_NONE" && mode != "CAST_ODD" ? rounded(o, x, mode, args.range) : x;
  if (isInteger(from) && isInteger(to) && saturates && from != DType::I1 && to != DType::I1) {
    auto bound = [&](bool isUpper) -> std::optional<int64_t> {
      switch (to) {
      case DType::I8:
        return isUpper ? INT8_MAX : INT8_MIN;
      case DType::U8:
        return isUpper ? UINT8_MAX : 0;
      case DType::I16:
        return isUpper ? INT16_MAX : INT16_MIN;
      case DType::I32:
        return isUpper ? INT32_MAX : INT32_MIN;
      default:
        return std::nullopt;
      }
    };
    bool narrows = bitWidth(to) <= bitWidth(from) && bound(true);
    if (narrows && from != DType::I64)
      x = o.binary(BinaryKind::Max, o.binary(BinaryKind::Min, x, o.number(*bound(true)), args.range),
                   o.number(*bound(false)), args.range);
    else if (narrows)
      return o.fail(args[3].range, "NotImplementedError", "a conversion of INT64 that saturates is not there yet");
    return o.cast(x, to, args.range);
  }
  // A mode that a pair does not have is the default.
  bool isNearest = mode == "CAST_NONE" || mode == "CAST_RINT" || isInteger(from) || to == DType::F32 ||
                   (mode == "CAST_ODD" && (from != DType::F32 || to != DType::F16));
  if (!isNearest && (to == DType::F16 || to == DType::BF16))
    return toHalf(o, o.cast(x, DType::F32, args.range), to, mode, args.range);
  return o.cast(x, to, args.range);
}

} // namespace tilesmith::frontend::pypto
