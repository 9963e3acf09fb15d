// Scalars and tools: ceildiv, number, cast, ranges, static_assert; and Python builtins that meet runtime values.
#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilesmith::frontend {

namespace arith = mlir::arith;
using ast::Operator;

static Value ceildiv(Lowering &l, const Arguments &args) {
  for (unsigned i : {0, 1})
    if (!l.isNumeric(args[i].value))
      return l.fail(args[i].range, "TypeError", "asc.ceildiv needs integers, not " + l.describe(args[i].value));
  // (x + y - 1) // y, where y - 1 is known if y is.
  Value y = args[1].value, one = Value::ofHost(l.host.makeInt(1));
  Value less = l.binary(Operator::Sub, y, one, args.range);
  Value sum = less ? l.binary(Operator::Add, args[0].value, less, args.range) : Value();
  return sum ? l.binary(Operator::FloorDiv, sum, y, args.range) : Value();
}

static Value convert(Lowering &l, const Arguments &args) {
  std::optional<DType> dtype = l.expectDType(args[1], "dtype");
  if (!dtype)
    return {};
  if (*dtype == DType::Void)
    return l.fail(args[1].range, "TypeError", "a scalar cannot be void");
  mlir::Value ir = l.toScalar(args[0].value, *dtype, args[0].range);
  return ir ? Value::ofScalar(ir, *dtype) : Value();
}

// range(stop), range(start, stop[, step]): 1 to 3 numbers.
static Value makeRange(Lowering &l, const Arguments &args, bool isStatic) {
  if (args.rest.empty() || args.rest.size() > 3)
    return l.fail(args.range, "ValueError",
                  args.name + " takes 1 to 3 positional arguments, " + llvm::Twine(args.rest.size()) + " were given");
  for (const Argument &argument : args.rest) {
    bool ok = l.isNumeric(argument.value) && !isFloat(l.dtypeOf(argument.value));
    if (isStatic)
      ok = argument.value.isHost() && l.host.isInt(argument.value.host) && l.host.asInt(argument.value.host);
    if (!ok)
      return l.fail(argument.range, "TypeError",
                    args.name + " takes " + (isStatic ? "ints known while compiling" : "integers") + ", not " +
                        l.describe(argument.value),
                    isStatic && argument.value.isScalar() ? "use asc2.range for a loop with runtime bounds" : "");
  }
  Value number[3] = {Value::ofHost(l.host.makeInt(0)), args.rest[0].value, Value::ofHost(l.host.makeInt(1))};
  for (auto [i, argument] : llvm::enumerate(args.rest))
    if (args.rest.size() > 1)
      number[i] = argument.value;
  Value range = Value::ofSequence(number, false);
  range.kind = Value::Range;
  range.parts->isStatic = isStatic;
  if (isStatic && *l.host.asInt(number[2].host) == 0)
    return l.fail(args.range, "ValueError", "the step of asc.static_range must not be 0");
  return range;
}

static Value range(Lowering &l, const Arguments &args) {
  Value range = makeRange(l, args, false);
  if (!range)
    return {};
  if (args[0]) {
    std::optional<int64_t> factor = l.expectInt(args[0], "unroll_factor");
    if (!factor)
      return {};
    if (*factor < 1)
      return l.fail(args[0].range, "ValueError", "unroll_factor must be at least 1, not " + llvm::Twine(*factor));
    // Unrolling never changes results; beyond this it only takes the compiler's time.
    static constexpr int64_t largest = 64;
    range.parts->unrollFactor = std::min(*factor, largest);
  }
  std::optional<bool> parallel = l.expectBool(args[1], false, "parallel");
  if (!parallel)
    return {};
  range.parts->parallel = *parallel;
  return range;
}

static Value plainRange(Lowering &l, const Arguments &args) { return makeRange(l, args, false); }
static Value staticRange(Lowering &l, const Arguments &args) { return makeRange(l, args, true); }

static Value staticAssert(Lowering &l, const Arguments &args) {
  Lowering::Truth truth = l.truth(args[0].value, args[0].range);
  if (!truth.valid)
    return {};
  if (!truth.isKnown)
    return l.fail(args[0].range, "RuntimeError",
                  "asc.static_assert needs a value known while compiling, not " + l.describe(args[0].value));
  if (truth.known)
    return l.none();
  std::string message;
  if (args[1])
    if (HostRef text = l.toHost(args[1].value))
      message = l.host.asString(text).value_or(l.host.repr(text));
  return l.fail(args.range, "AssertionError", message);
}

static Value isStatic(Lowering &l, const Arguments &args) {
  bool all = llvm::all_of(args[0].value.items(), [](const Value &dim) { return dim.isHost(); });
  return Value::ofHost(l.host.makeBool(all));
}

static Value isDynamicDim(Lowering &l, const Arguments &args) {
  std::optional<int64_t> index = l.expectInt(args[1], "the index of a dimension");
  if (!index)
    return {};
  Value dim = l.getItem(args[0].value, args[1].value, args.range);
  return dim ? Value::ofHost(l.host.makeBool(!dim.isHost())) : Value();
}

static Value append(Lowering &l, const Arguments &args) {
  const Value &list = args[0].value;
  if (list.parts->region != l.region)
    return l.fail(args.range, "RuntimeError", "a list cannot be changed inside a runtime loop or branch");
  list.parts->items.push_back(args[1].value);
  return l.none();
}

// Python builtins. With values known while compiling Python itself is asked; these see at least one runtime value.

static Value len(Lowering &l, const Arguments &args) {
  const Value &value = args[0].value;
  if (value.isSequence())
    return Value::ofHost(l.host.makeInt(value.items().size()));
  return l.fail(args[0].range, "TypeError", l.describe(value) + " has no len()",
                l.read(value).isTile() || value.kind == Value::Tensor ? "use .shape[0] or .size" : "");
}

static bool isKindOf(const Value &value, llvm::StringRef type) {
  switch (value.kind) {
  case Value::Tile:
  case Value::Accumulator:
    return type == "asc2.Tile";
  case Value::Tensor:
    return type == "asc2.Tensor";
  case Value::Address:
    return type == "asc.GlobalAddress";
  case Value::Scalar:
    return type == "asc.PlainValue";
  case Value::Sequence:
    return type == (value.parts->isList ? "list" : "tuple");
  default:
    return false;
  }
}

static Value isInstance(Lowering &l, const Arguments &args) {
  llvm::SmallVector<Value> types;
  if (args[1].value.isHost() && !l.host.isSequence(args[1].value.host))
    types.push_back(args[1].value);
  else if (!l.toSequence(args[1].value, types, args[1].range, "the types of isinstance"))
    return {};
  bool any = false;
  for (const Value &type : types) {
    HostRef object = l.toHost(type);
    if (!object)
      return l.fail(args[1].range, "TypeError", "isinstance needs a type, not " + l.describe(type));
    any |= isKindOf(args[0].value, l.host.builtinName(object));
  }
  return Value::ofHost(l.host.makeBool(any));
}

template <DType dtype> static Value toNumber(Lowering &l, const Arguments &args) {
  if (!args[0].value.isScalar())
    return l.fail(args[0].range, "TypeError", l.describe(args[0].value) + " is not a number",
                  l.read(args[0].value).isTile() ? "convert a tile with .to(...)" : "");
  return Value::ofScalar(l.castScalar(args[0].value.ir, args[0].value.dtype, dtype, args.range), dtype);
}

template <bool isMax> static Value extremum(Lowering &l, const Arguments &args) {
  llvm::SmallVector<Value> items;
  if (args.rest.size() == 1) {
    if (!l.toSequence(args.rest[0].value, items, args.rest[0].range, "the argument"))
      return {};
  } else {
    for (const Argument &argument : args.rest)
      items.push_back(argument.value);
  }
  Value best;
  for (const Value &item : items) {
    if (!l.isNumeric(item))
      return l.fail(args.range, "TypeError", args.name + " of runtime values takes numbers, not " + l.describe(item),
                    l.read(item).isTile()
                        ? (isMax ? "use asc2.maximum or asc2.reduce_max" : "use asc2.minimum or asc2.reduce_min")
                        : "");
    if (!best) {
      best = item;
      continue;
    }
    // Python keeps the first of equal values.
    Value better = l.compare(isMax ? ast::CompareOperator::Gt : ast::CompareOperator::Lt, item, best, args.range);
    if (!better)
      return {};
    if (better.isHost()) {
      best = *l.host.truth(better.host) ? item : best;
      continue;
    }
    DType dtype = best.isScalar() ? best.dtype : item.dtype;
    mlir::Value a = l.toScalar(item, dtype, args.range), b = a ? l.toScalar(best, dtype, args.range) : mlir::Value();
    if (!b)
      return {};
    best = Value::ofScalar(arith::SelectOp::create(l.builder, l.loc(args.range), better.ir, a, b), dtype);
  }
  return best ? best : l.fail(args.range, "ValueError", args.name + " of nothing");
}

static Value abs(Lowering &l, const Arguments &args) {
  const Value &value = args[0].value;
  if (!value.isScalar())
    return l.fail(args[0].range, "TypeError", "abs() is not defined for " + l.describe(value),
                  l.read(value).isTile() ? "use asc2.abs" : "");
  Value negative = l.unary(ast::UnaryOperator::USub, value, args.range);
  Value isNegative =
      negative ? l.compare(ast::CompareOperator::Lt, value, Value::ofHost(l.host.makeInt(0)), args.range) : Value();
  if (!isNegative)
    return {};
  return Value::ofScalar(arith::SelectOp::create(l.builder, l.loc(args.range), isNegative.ir, negative.ir, value.ir),
                         value.dtype);
}

llvm::ArrayRef<BuiltinEntry> scalarBuiltins() {
  static constexpr BuiltinEntry entries[] = {
      {"asc.ceildiv", "x, y", ceildiv},
      {"asc.number", "value, dtype", convert},
      {"PlainValue.cast", "self, dtype", convert},
      {"asc.static_assert", "test, message=None", staticAssert},
      {"asc2.range", "*bounds, unroll_factor=1, parallel=False", range},
      {"range", "*bounds, unroll_factor=1, parallel=False", range},
      {"asc.range", "*bounds", plainRange},
      {"asc.static_range", "*bounds", staticRange},
      {"Shape.is_static", "self", isStatic},
      {"Shape.is_dynamic_dim", "self, index", isDynamicDim},
      {"list.append", "self, item", append},
      {"len", "object", len},
      {"isinstance", "object, types", isInstance},
      {"int", "value", toNumber<DType::Int32>},
      {"float", "value", toNumber<DType::Float32>},
      {"bool", "value", toNumber<DType::Int1>},
      {"min", "*values", extremum<false>},
      {"max", "*values", extremum<true>},
      {"abs", "value", abs},
  };
  return entries;
}

} // namespace tilesmith::frontend
