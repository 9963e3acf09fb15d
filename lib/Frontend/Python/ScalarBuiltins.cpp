// Numbers and tools: ceildiv, number, cast, static_assert; and Python builtins that meet runtime values.
#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilesmith::frontend {

namespace arith = mlir::arith;
using ast::Operator;

static Value ceildiv(Lowering &l, const Arguments &args) {
  for (unsigned i : {0, 1})
    if (!l.values.isNumeric(args[i].value))
      return l.errors.fail(args[i].range, "TypeError",
                           "asc.ceildiv needs integers, not " + l.values.describe(args[i].value));
  // (x + y - 1) // y, where y - 1 is known if y is.
  Value y = args[1].value, one = Value::ofHost(l.host.makeInt(1));
  Value less = l.operators.binary(Operator::Sub, y, one, args.range);
  Value sum = less ? l.operators.binary(Operator::Add, args[0].value, less, args.range) : Value();
  return sum ? l.operators.binary(Operator::FloorDiv, sum, y, args.range) : Value();
}

static Value convert(Lowering &l, const Arguments &args) {
  std::optional<DType> dtype = l.expect.dtype(args[1], "dtype");
  if (!dtype)
    return {};
  if (*dtype == DType::Void)
    return l.errors.fail(args[1].range, "TypeError", "a scalar cannot be void");
  mlir::Value ir = l.scalars.convert(args[0].value, *dtype, args[0].range);
  return ir ? Value::ofScalar(ir, *dtype) : Value();
}

static Value staticAssert(Lowering &l, const Arguments &args) {
  Truth truth = l.values.truth(args[0].value, args[0].range);
  if (!truth.valid)
    return {};
  if (!truth.isKnown)
    return l.errors.fail(args[0].range, "RuntimeError",
                         "asc.static_assert needs a value known while compiling, not " +
                             l.values.describe(args[0].value));
  if (truth.known)
    return Value::ofHost(l.host.makeNone());
  std::string message;
  if (args[1])
    if (HostRef text = l.values.toHost(args[1].value))
      message = l.host.asString(text).value_or(l.host.repr(text));
  return l.errors.fail(args.range, "AssertionError", message);
}

static Value append(Lowering &l, const Arguments &args) {
  const Value &list = args[0].value;
  if (list.sequence().region != l.ir.region())
    return l.errors.fail(args.range, "RuntimeError", "a list cannot be changed inside a runtime loop or branch");
  list.parts->items.push_back(args[1].value);
  return Value::ofHost(l.host.makeNone());
}

// Python builtins. With values known while compiling Python itself is asked; these see at least one runtime value.

static Value len(Lowering &l, const Arguments &args) {
  const Value &value = args[0].value;
  if (value.isSequence() || value.is(kinds::dict))
    return Value::ofHost(l.host.makeInt(value.items().size()));
  return l.errors.fail(args[0].range, "TypeError", l.values.describe(value) + " has no len()",
                       l.values.read(value).kind->instead("len"));
}

static Value isInstance(Lowering &l, const Arguments &args) {
  llvm::SmallVector<Value> types;
  if (args[1].value.isHost() && !l.host.isSequence(args[1].value.host))
    types.push_back(args[1].value);
  else if (!l.values.toSequence(args[1].value, types, args[1].range, "the types of isinstance"))
    return {};
  llvm::StringRef className = args[0].value.kind->className(args[0].value);
  bool any = false;
  for (const Value &type : types) {
    HostRef object = l.values.toHost(type);
    if (!object)
      return l.errors.fail(args[1].range, "TypeError", "isinstance needs a type, not " + l.values.describe(type));
    any |= !className.empty() && className == l.host.builtinName(object);
  }
  return Value::ofHost(l.host.makeBool(any));
}

template <DType dtype> static Value toNumber(Lowering &l, const Arguments &args) {
  if (!args[0].value.isScalar())
    return l.errors.fail(args[0].range, "TypeError", l.values.describe(args[0].value) + " is not a number",
                         l.values.read(args[0].value).kind->instead(args.name));
  return Value::ofScalar(l.scalars.cast(args[0].value.ir, args[0].value.dtype, dtype, args.range), dtype);
}

template <bool isMax> static Value extremum(Lowering &l, const Arguments &args) {
  llvm::SmallVector<Value> items;
  if (args.rest.size() == 1) {
    if (!l.values.toSequence(args.rest[0].value, items, args.rest[0].range, "the argument"))
      return {};
  } else {
    for (const Argument &argument : args.rest)
      items.push_back(argument.value);
  }
  Value best;
  for (const Value &item : items) {
    if (!l.values.isNumeric(item))
      return l.errors.fail(args.range, "TypeError",
                           args.name + " of runtime values takes numbers, not " + l.values.describe(item),
                           l.values.read(item).kind->instead(args.name));
    if (!best) {
      best = item;
      continue;
    }
    // Python keeps the first of equal values.
    Value better =
        l.operators.compare(isMax ? ast::CompareOperator::Gt : ast::CompareOperator::Lt, item, best, args.range);
    if (!better)
      return {};
    if (better.isHost()) {
      best = *l.host.truth(better.host) ? item : best;
      continue;
    }
    DType dtype = best.isScalar() ? best.dtype : item.dtype;
    mlir::Value a = l.scalars.convert(item, dtype, args.range),
                b = a ? l.scalars.convert(best, dtype, args.range) : mlir::Value();
    if (!b)
      return {};
    best = Value::ofScalar(arith::SelectOp::create(l.ir.builder(), l.ir.loc(args.range), better.ir, a, b), dtype);
  }
  return best ? best : l.errors.fail(args.range, "ValueError", args.name + " of nothing");
}

static Value abs(Lowering &l, const Arguments &args) {
  const Value &value = args[0].value;
  if (!value.isScalar())
    return l.errors.fail(args[0].range, "TypeError", "abs() is not defined for " + l.values.describe(value),
                         l.values.read(value).kind->instead("abs"));
  Value negative = l.operators.unary(ast::UnaryOperator::USub, value, args.range);
  Value isNegative =
      negative ? l.operators.compare(ast::CompareOperator::Lt, value, Value::ofHost(l.host.makeInt(0)), args.range)
               : Value();
  if (!isNegative)
    return {};
  return Value::ofScalar(
      arith::SelectOp::create(l.ir.builder(), l.ir.loc(args.range), isNegative.ir, negative.ir, value.ir), value.dtype);
}

llvm::ArrayRef<Builtin::Row> scalarBuiltins() {
  static constexpr Builtin::Row entries[] = {
      {"asc.ceildiv", ceildiv},
      {"PlainValue.ceildiv", ceildiv},
      {"asc.number", convert},
      {"PlainValue.cast", convert},
      {"asc.static_assert", staticAssert},
      {"list.append", append, "self, item"},
      {"len", len, "object"},
      {"isinstance", isInstance, "object, types"},
      {"int", toNumber<DType::I32>, "value"},
      {"float", toNumber<DType::F32>, "value"},
      {"bool", toNumber<DType::I1>, "value"},
      {"min", extremum<false>, "*values"},
      {"max", extremum<true>, "*values"},
      {"abs", abs, "value"},
  };
  return entries;
}

} // namespace tilesmith::frontend
