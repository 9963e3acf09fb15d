// Which type an operation computes in, and conversions.
//
// The rules are Triton's own, in its order. A Python number takes no part if its kind (truth value, integer, float) is
// not above that of the other operand.
#include "Program.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilesmith::frontend::triton {

static int kindRank(DType dtype) { return dtype == DType::I1 ? 0 : isFloat(dtype) ? 2 : 1; }

// The type a Python number has by itself: int32, uint32, int64 or uint64 by its size, float32.
static DType numberType(Program &p, const Value &number) {
  if (p.host.asBool(number.host))
    return DType::I1;
  if (p.host.asFloat(number.host))
    return DType::F32;
  std::optional<int64_t> value = p.host.asInt(number.host);
  if (!value)
    return DType::U64;
  if (*value >= INT32_MIN && *value <= INT32_MAX)
    return DType::I32;
  return *value >= 0 && *value <= int64_t(UINT32_MAX) ? DType::U32 : DType::I64;
}

static bool isNatural(DType dtype) { return isUnsigned(dtype) || dtype == DType::I1; }

std::optional<DType> Program::promote(Op op, const Value &lhs, const Value &rhs, const Range &range) {
  bool divides = op == Op::Div || op == Op::FloorDiv || op == Op::Mod;
  auto isHalf = [](DType dtype) { return dtype == DType::F16 || dtype == DType::BF16; };
  DType a = lhs.isHost() ? numberType(*this, lhs) : values.dtypeOf(lhs);
  DType b = rhs.isHost() ? numberType(*this, rhs) : values.dtypeOf(rhs);
  if (lhs.isHost() != rhs.isHost()) {
    DType number = lhs.isHost() ? a : b, other = lhs.isHost() ? b : a;
    if (kindRank(number) <= kindRank(other))
      return divides && op != Op::FloorDiv && isHalf(other) ? DType::F32 : other;
  }
  if (a == DType::F32 || b == DType::F32)
    return DType::F32;
  bool toSingle = divides && op != Op::FloorDiv;
  if (a == DType::F16 || b == DType::F16)
    return toSingle ? DType::F32 : DType::F16;
  if (a == DType::BF16 || b == DType::BF16)
    return !toSingle && a == b ? DType::BF16 : DType::F32;
  if (divides && op != Op::Div && isNatural(a) != isNatural(b)) {
    fail(range, "TypeError",
         "Cannot use " + llvm::StringRef(op == Op::Mod ? "%" : "//") + " with " + name(a) + " and " + name(b) +
             " because they have different signedness; this is unlikely to result in a useful answer",
         "Cast them to the same signedness.");
    return std::nullopt;
  }
  if (isNatural(a) == isNatural(b))
    return bitWidth(a) >= bitWidth(b) ? a : b;
  DType natural = isNatural(a) ? a : b, other = isNatural(a) ? b : a;
  return bitWidth(natural) >= bitWidth(other) ? natural : other;
}

Value Program::convert(const Value &value, DType dtype, const Range &range) {
  if (value.isHost() && values.isNumber(value) && dtype == DType::I1) {
    std::optional<bool> truth = host.truth(value.host);
    return truth ? Value::ofScalar(l.ir.constant(DType::I1, *truth, range), DType::I1) : failHost(range);
  }
  if (!isTensor(value)) {
    mlir::Value number = scalars.convert(value, dtype, range);
    return number ? Value::ofScalar(number, dtype) : Value();
  }
  DType from = elementOf(value);
  if (from == dtype)
    return value;
  tile::TileType type = makeType(shapeOf(value), dtype);
  mlir::Location at = loc(range);
  if (from == DType::I1) {
    mlir::Value one = scalars.convert(number(1), dtype, range), zero = scalars.convert(number(0), dtype, range);
    return ofTensor(tile::SelectOp::create(builder(), at, type, value.ir, one, zero));
  }
  if (dtype == DType::I1) {
    mlir::Value zero = scalars.convert(number(0), from, range);
    return ofTensor(tile::CompareOp::create(builder(), at, type, tile::CompareKind::NE, value.ir, zero));
  }
  return ofTensor(tile::CastOp::create(builder(), at, type, value.ir));
}

tile::TileType Program::makeType(llvm::ArrayRef<int64_t> shape, DType dtype) {
  return tile::TileType::get(&l.ir.context, shape, l.ir.element(dtype), isa::Memory::UB);
}

bool Program::checkType(llvm::ArrayRef<int64_t> shape, DType dtype, const Range &range) {
  static constexpr int64_t maxElements = 1 << 20;
  static constexpr size_t maxRank = 8;
  if (dtype != DType::I1 && !isTileElement(dtype))
    return bool(fail(range, "TypeError", "tensors of " + name(dtype) + " are not supported on this chip",
                     "tensors hold float16, bfloat16, float32 and integers of 8 to 64 bits"));
  if (shape.size() > maxRank)
    return bool(fail(range, "ValueError", "tensors have at most " + llvm::Twine(maxRank) + " dimensions"));
  int64_t elements = 1;
  for (int64_t size : shape)
    if (size < 1 || __builtin_mul_overflow(elements, size, &elements) || elements > maxElements)
      return bool(fail(range, "ValueError",
                       "numel of a tensor " + formatShape(shape) + " exceeds triton maximum tensor numel (" +
                           llvm::Twine(maxElements) + "), or a dimension is not positive"));
  return true;
}

// Arguments ---------------------------------------------------------------------------------------------------------

Value Program::expectValue(const Arguments &args, unsigned index) {
  const Value &value = args[index].value;
  if (isValue(value))
    return value;
  return fail(args[index].range, "TypeError", args.name + " needs a tensor or a number, not " + describe(value),
              isPointer(value) ? "load it first: tl.load(pointer)" : "");
}

Value Program::expectTile(const Arguments &args, unsigned index) {
  const Value &value = args[index].value;
  if (isTensor(value))
    return value;
  return fail(args[index].range, "TypeError",
              args.name + " needs a tensor with at least one dimension, not " + describe(value));
}

std::optional<Shape> Program::expectShape(const Argument &argument) {
  llvm::SmallVector<Value> items;
  if (values.isNumber(argument.value))
    items.push_back(argument.value);
  else if (!values.toSequence(argument.value, items, argument.range, "a shape"))
    return std::nullopt;
  Shape shape;
  for (const Value &item : items) {
    std::optional<int64_t> size = item.isHost() && host.isInt(item.host) ? host.asInt(item.host) : std::nullopt;
    if (!size || *size < 1) {
      fail(argument.range, "ValueError",
           "Shape element " + llvm::Twine(shape.size()) + " must have type `constexpr[int]` and be positive, not " +
               describe(item),
           "annotate the parameter it comes from with tl.constexpr");
      return std::nullopt;
    }
    shape.push_back(*size);
  }
  return shape;
}

std::optional<Shape> Program::restAsShape(const Arguments &args) {
  if (args.rest.size() == 1 && !values.isNumeric(args.rest[0].value))
    return expectShape(args.rest[0]);
  Value all = Value::ofSequence({}, false);
  for (const Argument &argument : args.rest)
    all.parts->items.push_back(argument.value);
  return expectShape({all, args.range});
}

std::optional<DType> Program::expectDType(const Argument &argument) {
  if (argument.value.isHost())
    if (std::optional<DType> dtype = host.asDType(argument.value.host))
      return dtype;
  fail(argument.range, "TypeError", "Expected dtype such as tl.float32, not " + describe(argument.value));
  return std::nullopt;
}

std::optional<int64_t> Program::expectAxis(const Argument &argument, int64_t rank) {
  std::optional<int64_t> axis = l.expect.integer(argument, "an axis");
  if (!axis)
    return std::nullopt;
  if (*axis < -rank || *axis >= rank) {
    fail(argument.range, "ValueError",
         "invalid axis " + llvm::Twine(*axis) + ", expected 0 <= axis < " + llvm::Twine(rank));
    return std::nullopt;
  }
  return *axis < 0 ? *axis + rank : *axis;
}

// The text an argument is, or its default. Nothing where it is no text.
static std::optional<std::string> textOf(Program &p, const Argument &argument, llvm::StringRef otherwise) {
  if (!argument || p.values.isNone(argument.value))
    return otherwise.str();
  return argument.value.isHost() ? p.host.asString(argument.value.host) : std::nullopt;
}

// An integer of another type as the nearest one of `dtype`; floats are truncated first.
static Value saturated(Program &p, Value value, DType dtype, const Range &range) {
  if (isFloat(p.values.dtypeOf(value)))
    value = p.convert(value, DType::I32, range);
  DType from = value ? p.values.dtypeOf(value) : dtype;
  unsigned width = bitWidth(dtype), own = bitWidth(from);
  bool fromSigned = !isUnsigned(from), toSigned = !isUnsigned(dtype);
  if (value && fromSigned && !(toSigned && width >= own)) {
    int64_t low = toSigned ? -(int64_t(1) << (width - 1)) : 0;
    value = p.binary(Op::Max, value, p.number(low), range);
  }
  unsigned highBits = toSigned ? width - 1 : width;
  if (value && highBits < (fromSigned ? own - 1 : own))
    value = p.binary(Op::Min, value, p.number((int64_t(1) << highBits) - 1), range);
  return value ? p.convert(value, dtype, range) : Value();
}

// float32 as a narrower float, rounded towards 0: where rounding went away from 0, the number before it.
static Value towardsZero(Program &p, const Value &value, DType dtype, const Range &range) {
  mlir::Location at = p.loc(range);
  auto bitcast = [&](const Value &tile, DType to) {
    return ofTensor(tile::BitcastOp::create(p.builder(), at, p.makeType(shapeOf(tile), to), tile.ir));
  };
  auto size = [&](const Value &tile) { return p.function(tile::UnaryKind::Abs, tile, range); };
  Value near = p.convert(value, dtype, range);
  Value before = bitcast(p.binary(Op::Sub, bitcast(near, DType::I16), p.number(1), range), dtype);
  Value beyond = p.compare(tile::CompareKind::GT, size(p.convert(near, DType::F32, range)), size(value), range);
  return p.select(beyond, before, near, range);
}

// tl.cast(x, dtype), x.to(dtype).
Value cast(Program &p, const Arguments &args) {
  std::optional<DType> dtype = p.expectDType(args[1]);
  if (!dtype)
    return {};
  std::optional<bool> bitcast = p.l.expect.boolean(args[3], false, "bitcast");
  if (!bitcast)
    return {};
  if (isPointer(args[0].value))
    return p.fail(args.range, "NotImplementedError", "pointers cannot be converted yet");
  Value value = p.expectValue(args, 0);
  if (!value)
    return {};
  DType from = p.values.dtypeOf(value);
  if (*dtype != DType::I1 && (isTensor(value) || isFloat(*dtype)) &&
      !p.checkType(p.shapeOfAny(value), *dtype, args[1].range))
    return {};
  std::optional<std::string> rounding = textOf(p, args[2], "rtne"), overflow = textOf(p, args[4], "trunc");
  if (rounding != "rtne" && rounding != "rtz")
    return p.fail(args[2].range, "ValueError", "fp_downcast_rounding is \"rtne\" or \"rtz\"");
  if (overflow != "trunc" && overflow != "saturate")
    return p.fail(args[4].range, "ValueError", "overflow_mode is \"trunc\" or \"saturate\"");
  if (rounding == "rtz" && (from != DType::F32 || !isFloat(*dtype) || *dtype == DType::F32))
    return p.fail(args[2].range, "ValueError",
                  "fp_downcast_rounding should be set only for truncating fp conversions. Source scalar type is " +
                      name(from) + " and destination type is " + name(*dtype));
  if (rounding == "rtz" && !isTensor(value))
    return p.fail(args[2].range, "NotImplementedError", "numbers are rounded to nearest only; round a tensor");
  if (rounding == "rtz")
    return towardsZero(p, value, *dtype, args.range);
  if (overflow == "saturate" && !*bitcast && !isFloat(*dtype) && *dtype != DType::I1 && from != DType::I1)
    return saturated(p, value, *dtype, args.range);
  if (!*bitcast)
    return p.convert(value, *dtype, args.range);
  if (bitWidth(from) != bitWidth(*dtype))
    return p.fail(args.range, "ValueError",
                  "Cannot bitcast data-type of size " + llvm::Twine(bitWidth(from)) + " to data-type of size " +
                      llvm::Twine(bitWidth(*dtype)));
  if (from == *dtype)
    return value;
  mlir::Location at = p.loc(args.range);
  if (isTensor(value))
    return ofTensor(tile::BitcastOp::create(p.builder(), at, p.makeType(shapeOf(value), *dtype), value.ir));
  mlir::Value ir = p.scalars.convert(value, from, args.range);
  if (isFloat(from) || isFloat(*dtype))
    ir = mlir::arith::BitcastOp::create(p.builder(), at, p.l.ir.type(*dtype), ir);
  return Value::ofScalar(ir, *dtype);
}

Value constexprOf(Program &, const Arguments &args) { return args[0].value; }

} // namespace tilesmith::frontend::triton
