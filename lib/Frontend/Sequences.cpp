// Python's builtins on sequences, where elements may be runtime values; and asc.array.
//
// All of them are followed while compiling: zip, enumerate, reversed and map give tuples, not iterators.
#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilesmith::frontend {

using ast::Operator;

static bool itemsOf(Lowering &l, const Argument &argument, llvm::SmallVectorImpl<Value> &items) {
  return l.toSequence(argument.value, items, argument.range, "the argument");
}

static Value tupleOf(Lowering &l, llvm::ArrayRef<Value> items) { return Value::ofSequence(items, false, l.region); }

template <bool isList> static Value sequence(Lowering &l, const Arguments &args) {
  llvm::SmallVector<Value> items;
  if (args[0] && !itemsOf(l, args[0], items))
    return {};
  return Value::ofSequence(items, isList, l.region);
}

static Value zip(Lowering &l, const Arguments &args) {
  llvm::SmallVector<llvm::SmallVector<Value>> columns(args.rest.size());
  size_t rows = args.rest.empty() ? 0 : SIZE_MAX;
  for (auto [column, argument] : llvm::zip_equal(columns, args.rest)) {
    if (!itemsOf(l, argument, column))
      return {};
    rows = std::min(rows, column.size());
  }
  llvm::SmallVector<Value> result;
  for (size_t row = 0; row < rows; ++row) {
    llvm::SmallVector<Value> items;
    for (const auto &column : columns)
      items.push_back(column[row]);
    result.push_back(tupleOf(l, items));
  }
  return tupleOf(l, result);
}

static Value enumerate(Lowering &l, const Arguments &args) {
  llvm::SmallVector<Value> items;
  if (!itemsOf(l, args[0], items))
    return {};
  Value index = args[1] ? args[1].value : Value::ofHost(l.host.makeInt(0));
  for (Value &item : items) {
    item = tupleOf(l, {index, item});
    index = l.binary(Operator::Add, index, Value::ofHost(l.host.makeInt(1)), args.range);
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
  llvm::SmallVector<llvm::SmallVector<Value>> columns(args.rest.size());
  if (columns.empty())
    return l.fail(args.range, "TypeError", "map needs a function and at least one sequence");
  size_t rows = SIZE_MAX;
  for (auto [column, argument] : llvm::zip_equal(columns, args.rest)) {
    if (!itemsOf(l, argument, column))
      return {};
    rows = std::min(rows, column.size());
  }
  llvm::SmallVector<Value> result;
  for (size_t row = 0; row < rows; ++row) {
    CallSite site;
    site.range = args.range;
    for (const auto &column : columns)
      site.positional.push_back({column[row], args.range});
    Value item = l.callValue(args[0].value, "", site);
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
    total = isZero ? item : l.binary(Operator::Add, total, item, args.range); // 0 + x is x, whatever its type
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
    Lowering::Truth truth = l.truth(item, args.range);
    if (!truth.valid)
      return {};
    if (truth.isKnown && truth.known != isAll)
      return Value::ofHost(l.host.makeBool(!isAll));
    if (truth.isKnown)
      continue;
    if (!result)
      result = truth.runtime;
    else if (isAll)
      result = mlir::arith::AndIOp::create(l.builder, l.loc(args.range), result, truth.runtime);
    else
      result = mlir::arith::OrIOp::create(l.builder, l.loc(args.range), result, truth.runtime);
  }
  return result ? Value::ofScalar(result, DType::Int1) : Value::ofHost(l.host.makeBool(isAll));
}

static Value divmod(Lowering &l, const Arguments &args) {
  Value quotient = l.binary(Operator::FloorDiv, args[0].value, args[1].value, args.range);
  Value remainder = quotient ? l.binary(Operator::Mod, args[0].value, args[1].value, args.range) : Value();
  return remainder ? tupleOf(l, {quotient, remainder}) : Value();
}

static Value knownOnly(Lowering &l, const Arguments &args) {
  return l.fail(args.range, "TypeError",
                args.name + " needs values known while compiling, not " + l.describe(args[0].value));
}

// asc.array(dtype, length or values, fill): a list of runtime scalars of one type.
static Value array(Lowering &l, const Arguments &args) {
  static constexpr int64_t mostElements = 1024; // each is a value of its own
  std::optional<DType> dtype = l.expectDType(args[0], "dtype");
  if (!dtype)
    return {};
  if (*dtype == DType::Void)
    return l.fail(args[0].range, "TypeError", "an array cannot hold void");
  llvm::SmallVector<Value> items;
  if (l.isNumeric(args[1].value)) {
    std::optional<int64_t> length = l.expectInt(args[1], "the length of an array");
    if (!length)
      return {};
    if (*length < 0 || *length > mostElements)
      return l.fail(args[1].range, "ValueError",
                    "an array has 0 to " + llvm::Twine(mostElements) + " elements, not " + llvm::Twine(*length));
    items.assign(*length, args[2] ? args[2].value : Value::ofHost(l.host.makeInt(0)));
  } else if (!l.toSequence(args[1].value, items, args[1].range, "the values of an array")) {
    return {};
  } else if (args[2]) {
    return l.fail(args[2].range, "ValueError", "fill_value goes with a length, not with values");
  }
  for (Value &item : items) {
    mlir::Value ir = l.toScalar(item, *dtype, args[args[2] ? 2 : 1].range);
    if (!ir)
      return {};
    item = Value::ofScalar(ir, *dtype);
  }
  Value result = Value::ofSequence(items, true, l.region);
  result.parts->arrayOf = *dtype;
  return result;
}

static Value inlineCode(Lowering &l, const Arguments &args) {
  return l.fail(args.range, "NotImplementedError",
                "asc.inline is raw C++ for the chip's compiler and cannot be run here",
                "write it with asc2 operations");
}

// One of the elements, chosen when the kernel runs. Outside the array the last element is read, never foreign memory.
Value Lowering::arrayItem(const Value &array, const Value &index, const Range &range) {
  if (array.items().empty())
    return fail(range, "IndexError", "an array without elements cannot be indexed");
  Value result = array.items().back();
  for (size_t i = array.items().size() - 1; i-- > 0;) {
    Value here = scalarCompare(ast::CompareOperator::Eq, index, Value::ofHost(host.makeInt(i)), range);
    if (!here)
      return {};
    result = chooseScalar(here.ir, array.items()[i], result, range);
  }
  return result;
}

bool Lowering::assignArrayItem(const Value &array, const Value &index, const Value &value, const Range &range) {
  DType dtype = array.parts->arrayOf;
  mlir::Value ir = toScalar(value, dtype, range);
  if (!ir)
    return false;
  for (auto [i, item] : llvm::enumerate(array.parts->items)) {
    Value here = scalarCompare(ast::CompareOperator::Eq, index, Value::ofHost(host.makeInt(i)), range);
    if (!here)
      return false;
    item = chooseScalar(here.ir, Value::ofScalar(ir, dtype), item, range);
  }
  return true;
}

llvm::ArrayRef<BuiltinEntry> sequenceBuiltins() {
  static constexpr BuiltinEntry entries[] = {
      {"tuple", "items=()", sequence<false>},
      {"list", "items=()", sequence<true>},
      {"zip", "*sequences", zip},
      {"enumerate", "items, start=0", enumerate},
      {"reversed", "items", reversed},
      {"map", "function, *sequences", map},
      {"sum", "items, start=0", sum},
      {"all", "items", quantifier<true>},
      {"any", "items", quantifier<false>},
      {"divmod", "x, y", divmod},
      {"sorted", "items, *, key=None, reverse=False", knownOnly},
      {"round", "number, ndigits=None", knownOnly},
      {"asc.array", "dtype, len_or_values, fill_value=0", array},
      {"asc.inline", "*code", inlineCode},
  };
  return entries;
}

} // namespace tilesmith::frontend
