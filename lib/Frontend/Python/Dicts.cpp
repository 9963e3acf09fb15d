// Dictionaries a kernel makes: keys are known while compiling, values may be anything.
//
// They end with compilation: control flow at run time takes the values through, and does not change the dictionary.
#include "Lowering.h"

namespace tilesmith::frontend {

namespace {

// Where a key is; nothing: it is not there.
std::optional<size_t> find(Lowering &l, const Value &dict, const HostRef &key) {
  for (auto [i, own] : llvm::enumerate(dict.dict().keys)) {
    HostRef same = l.host.compare(ast::CompareOperator::Eq, own, key);
    if (same && l.host.truth(same).value_or(false))
      return i;
    l.host.takeError();
  }
  return std::nullopt;
}

HostRef keyOf(Lowering &l, const Value &value, const Range &range) {
  HostRef key = l.values.toHost(value);
  if (!key)
    l.errors.fail(range, "TypeError", "a key must be known while compiling, not " + l.values.describe(value));
  return key;
}

bool put(Lowering &l, const Value &dict, const Value &index, const Value &value, const Range &range) {
  HostRef key = keyOf(l, index, range);
  if (!key)
    return false;
  if (std::optional<size_t> at = find(l, dict, key)) {
    dict.parts->items[*at] = value;
    return true;
  }
  dict.dict().keys.push_back(key);
  dict.parts->items.push_back(value);
  return true;
}

class DictKind final : public Kind {
public:
  std::string describe(Lowering &, const Value &value) const override {
    return "a dict of " + std::to_string(value.items().size());
  }
  llvm::StringRef className(const Value &) const override { return "dict"; }
  void flatten(Lowering &l, const Value &value, llvm::SmallVectorImpl<mlir::Value> &leaves) const override {
    for (const Value &item : value.items())
      l.merge.flatten(item, leaves);
  }
  Value rebuild(Lowering &l, const Value &like, mlir::ValueRange &leaves) const override {
    Value made = Value::ofDict(l.ir.region());
    made.dict().keys = like.dict().keys;
    for (const Value &item : like.items())
      made.parts->items.push_back(l.merge.rebuild(item, leaves));
    return made;
  }
  bool isSame(Lowering &l, const Value &a, const Value &b) const override {
    return a.dict().keys == b.dict().keys && Kind::isSame(l, a, b);
  }
  bool sameStructure(Lowering &l, const Value &a, const Value &b) const override {
    return a.dict().keys == b.dict().keys && llvm::all_of(llvm::zip_equal(a.items(), b.items()), [&](auto pair) {
             return l.merge.sameStructure(std::get<0>(pair), std::get<1>(pair));
           });
  }
  Truth truth(Lowering &, const Value &value, const Range &) const override {
    return Truth{true, true, !value.items().empty(), {}};
  }
  llvm::StringRef method(const Value &, llvm::StringRef name) const override {
    for (llvm::StringRef known : {"dict.get", "dict.keys", "dict.values", "dict.items"})
      if (known.drop_front(5) == name)
        return known;
    return {};
  }
  std::vector<std::string> names(const Value &) const override { return {"get", "keys", "values", "items"}; }

  bool hasItems() const override { return true; }
  std::optional<Value> item(Lowering &l, const Value &base, const Value &index, const Range &range) const override {
    HostRef key = keyOf(l, index, range);
    if (!key)
      return Value();
    if (std::optional<size_t> at = find(l, base, key))
      return base.items()[*at];
    return l.errors.fail(range, "KeyError", l.host.repr(key));
  }
  bool setItem(Lowering &l, const Value &base, const Value &index, const Value &value,
               const Range &range) const override {
    if (base.dict().region != l.ir.region())
      return bool(l.errors.fail(range, "RuntimeError", "a dict cannot be changed inside a runtime loop or branch",
                                "bind the value to a name"));
    return put(l, base, index, value, range);
  }
};
constexpr DictKind dictKind;

Value keysOf(Lowering &l, const Value &dict) {
  llvm::SmallVector<Value> keys;
  for (const HostRef &key : dict.dict().keys)
    keys.push_back(Value::ofHost(key));
  return Value::ofSequence(keys, true, l.ir.region());
}

Value get(Lowering &l, const Arguments &args) {
  HostRef key = keyOf(l, args[1].value, args[1].range);
  if (!key)
    return {};
  std::optional<size_t> at = find(l, args[0].value, key);
  return at ? args[0].value.items()[*at] : args[2] ? args[2].value : Value::ofHost(l.host.makeNone());
}
Value keys(Lowering &l, const Arguments &args) { return keysOf(l, args[0].value); }
Value allValues(Lowering &l, const Arguments &args) {
  return Value::ofSequence(args[0].value.items(), true, l.ir.region());
}
Value pairs(Lowering &l, const Arguments &args) {
  llvm::SmallVector<Value> pairs;
  for (auto [key, item] : llvm::zip_equal(args[0].value.dict().keys, args[0].value.items()))
    pairs.push_back(Value::ofSequence({Value::ofHost(key), item}, false, l.ir.region()));
  return Value::ofSequence(pairs, true, l.ir.region());
}

} // namespace

namespace kinds {
const Kind *const dict = &dictKind;
} // namespace kinds

Value Expressions::lowerDict(const ast::Dict &expr) {
  Value dict = Value::ofDict(l.ir.region());
  for (auto [key, item] : llvm::zip_equal(expr.keys, expr.values)) {
    Value index = key ? lower(*key) : Value();
    if (key && !index)
      return {};
    Value value = lower(*item);
    if (!value)
      return {};
    if (key) {
      if (!put(l, dict, index, value, key->range))
        return {};
      continue;
    }
    if (!value.is(kinds::dict))
      return fail(item->range, "TypeError", "** takes a dict of the kernel, not " + describe(value));
    for (auto [own, one] : llvm::zip_equal(value.dict().keys, value.items()))
      if (!put(l, dict, Value::ofHost(own), one, item->range))
        return {};
  }
  return dict;
}

llvm::ArrayRef<Builtin::Row> dictBuiltins() {
  static constexpr Builtin::Row rows[] = {
      {"dict.get", get, "self, key, default=None"},
      {"dict.keys", keys, "self"},
      {"dict.values", allValues, "self"},
      {"dict.items", pairs, "self"},
  };
  return rows;
}

} // namespace tilesmith::frontend
