// Python's builtins on sequences, where elements may be runtime values; and asc.array.
//
// All of them are followed while compiling: zip, enumerate, reversed and map give tuples, not iterators.
#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilesmith::frontend {

using ast::Operator;

static bool itemsOf(Lowering &l, const Argument &argument, llvm::SmallVectorImpl<Value> &items) {
  return l.values.toSequence(argument.value, items, argument.range, "the argument");
}

static Value tupleOf(Lowering &l, llvm::ArrayRef<Value> items) {
  return Value::ofSequence(items, false, l.ir.region());
}

template <bool isList> static Value sequence(Lowering &l, const Arguments &args) {
  llvm::SmallVector<Value> items;
  if (args[0] && !itemsOf(l, args[0], items))
    return {};
  return Value::ofSequence(items, isList, l.ir.region());
}

using Rows = llvm::SmallVector<llvm::SmallVector<Value>>;

// What the sequences have at each position, up to the end of the shortest; false after an error.
static bool transpose(Lowering &l, llvm::ArrayRef<Argument> sequences, Rows &rows) {
  for (auto [column, argument] : llvm::enumerate(sequences)) {
    llvm::SmallVector<Value> items;
    if (!itemsOf(l, argument, items))
      return false;
    rows.resize(column ? std::min(rows.size(), items.size()) : items.size());
    for (auto [row, item] : llvm::zip(rows, items))
      row.push_back(item);
  }
  return true;
}

static Value zip(Lowering &l, const Arguments &args) {
  Rows rows;
  if (!transpose(l, args.rest, rows))
    return {};
  llvm::SmallVector<Value> result;
  for (const auto &row : rows)
    result.push_back(tupleOf(l, row));
  return tupleOf(l, result);
}

static Value enumerate(Lowering &l, const Arguments &args) {
  llvm::SmallVector<Value> items;
  if (!itemsOf(l, args[0], items))
    return {};
  Value index = args[1] ? args[1].value : Value::ofHost(l.host.makeInt(0));
  for (Value &item : items) {
    item = tupleOf(l, {index, item});
    index = l.operators.binary(Operator::Add, index, Value::ofHost(l.host.makeInt(1)), args.range);
    if (!index)
      return {};
  }
  return tupleOf(l, items);
}

static Value reversed(Lowering &l, const Arguments &args) {
  llvm::SmallVector<Value> items;
  if (!itemsOf(l, args[0], items))
    return {};
  std::reverse(items.begin(), items.end());
  return tupleOf(l, items);
}

static Value map(Lowering &l, const Arguments &args) {
  if (args.rest.empty())
    return l.errors.fail(args.range, "TypeError", "map needs a function and at least one sequence");
  Rows rows;
  if (!transpose(l, args.rest, rows))
    return {};
  llvm::SmallVector<Value> result;
  for (const auto &row : rows) {
    CallSite site;
    site.range = args.range;
    for (const Value &item : row)
      site.positional.push_back({item, args.range});
    Value item = l.calls.call(args[0].value, "", site);
    if (!item)
      return {};
    result.push_back(item);
  }
  return tupleOf(l, result);
}

static Value sum(Lowering &l, const Arguments &args) {
  llvm::SmallVector<Value> items;
  if (!itemsOf(l, args[0], items))
    return {};
  Value total = args[1] ? args[1].value : Value::ofHost(l.host.makeInt(0));
  bool isZero = !args[1];
  for (const Value &item : items) {
    total = isZero ? item : l.operators.binary(Operator::Add, total, item, args.range); // 0 + x is x, whatever its type
    isZero = false;
    if (!total)
      return {};
  }
  return total;
}

template <bool isAll> static Value quantifier(Lowering &l, const Arguments &args) {
  llvm::SmallVector<Value> items;
  if (!itemsOf(l, args[0], items))
    return {};
  mlir::Value result;
  for (const Value &item : items) {
    Truth truth = l.values.truth(item, args.range);
    if (!truth.valid)
      return {};
    if (truth.isKnown && truth.known != isAll)
      return Value::ofHost(l.host.makeBool(!isAll));
    if (truth.isKnown)
      continue;
    if (!result)
      result = truth.runtime;
    else if (isAll)
      result = mlir::arith::AndIOp::create(l.ir.builder(), l.ir.loc(args.range), result, truth.runtime);
    else
      result = mlir::arith::OrIOp::create(l.ir.builder(), l.ir.loc(args.range), result, truth.runtime);
  }
  return result ? Value::ofScalar(result, DType::I1) : Value::ofHost(l.host.makeBool(isAll));
}

static Value divmod(Lowering &l, const Arguments &args) {
  Value quotient = l.operators.binary(Operator::FloorDiv, args[0].value, args[1].value, args.range);
  Value remainder = quotient ? l.operators.binary(Operator::Mod, args[0].value, args[1].value, args.range) : Value();
  return remainder ? tupleOf(l, {quotient, remainder}) : Value();
}

static Value knownOnly(Lowering &l, const Arguments &args) {
  return l.errors.fail(args.range, "TypeError",
                       args.name + " needs values known while compiling, not " + l.values.describe(args[0].value));
}

// asc.array(dtype, length or values, fill): a list of runtime scalars of one type.
static Value array(Lowering &l, const Arguments &args) {
  static constexpr int64_t mostElements = 1024; // each is a value of its own
  std::optional<DType> dtype = l.expect.dtype(args[0], "dtype");
  if (!dtype)
    return {};
  if (*dtype == DType::Void)
    return l.errors.fail(args[0].range, "TypeError", "an array cannot hold void");
  llvm::SmallVector<Value> items;
  if (l.values.isNumeric(args[1].value)) {
    std::optional<int64_t> length = l.expect.integer(args[1], "the length of an array");
    if (!length)
      return {};
    if (*length < 0 || *length > mostElements)
      return l.errors.fail(args[1].range, "ValueError",
                           "an array has 0 to " + llvm::Twine(mostElements) + " elements, not " + llvm::Twine(*length));
    items.assign(*length, args[2] ? args[2].value : Value::ofHost(l.host.makeInt(0)));
  } else if (!l.values.toSequence(args[1].value, items, args[1].range, "the values of an array")) {
    return {};
  } else if (args[2]) {
    return l.errors.fail(args[2].range, "ValueError", "fill_value goes with a length, not with values");
  }
  for (Value &item : items) {
    mlir::Value ir = l.scalars.convert(item, *dtype, args[args[2] ? 2 : 1].range);
    if (!ir)
      return {};
    item = Value::ofScalar(ir, *dtype);
  }
  Value result = Value::ofSequence(items, true, l.ir.region());
  result.sequence().arrayOf = *dtype;
  return result;
}

llvm::ArrayRef<Builtin::Row> sequenceBuiltins() {
  static constexpr Builtin::Row entries[] = {
      {"tuple", sequence<false>, "items=()"},
      {"list", sequence<true>, "items=()"},
      {"zip", zip, "*sequences"},
      {"enumerate", enumerate, "items, start=0"},
      {"reversed", reversed, "items"},
      {"map", map, "function, *sequences"},
      {"sum", sum, "items, start=0"},
      {"all", quantifier<true>, "items"},
      {"any", quantifier<false>, "items"},
      {"divmod", divmod, "x, y"},
      {"sorted", knownOnly, "items, *, key=None, reverse=False"},
      {"round", knownOnly, "number, ndigits=None"},
      {"asc.array", array},
  };
  return entries;
}

} // namespace tilesmith::frontend
