// The kinds of values Python has.
#include "Lowering.h"

namespace tilesmith::frontend {

bool Kind::isSame(Lowering &l, const Value &a, const Value &b) const {
  if (a.ir != b.ir || a.cell != b.cell || a.dtype != b.dtype)
    return false;
  if (a.parts == b.parts)
    return true;
  if (!a.parts || !b.parts || a.items().size() != b.items().size())
    return false;
  for (auto [x, y] : llvm::zip_equal(a.items(), b.items()))
    if (!l.merge.isSame(x, y))
      return false;
  return true;
}

llvm::json::Value Kind::inspect(Lowering &l, const Value &value, llvm::SmallVectorImpl<mlir::Value> &) const {
  return llvm::json::Object{{"text", describe(l, value)}};
}

Truth Kind::truth(Lowering &l, const Value &value, const Range &range) const {
  l.errors.fail(range, "TypeError", l.values.describe(value) + " has no truth value inside a kernel");
  return {};
}

static mlir::Value take(mlir::ValueRange &leaves) {
  mlir::Value leaf = leaves.front();
  leaves = leaves.drop_front();
  return leaf;
}

static bool sameItems(Lowering &l, const Value &a, const Value &b) {
  if (a.items().size() != b.items().size())
    return false;
  for (auto [x, y] : llvm::zip_equal(a.items(), b.items()))
    if (!l.merge.sameStructure(x, y))
      return false;
  return true;
}

namespace {

class HostKind final : public Kind {
public:
  std::string describe(Lowering &l, const Value &value) const override {
    if (l.host.isNone(value.host))
      return "None";
    std::string type = l.host.typeName(value.host);
    return (llvm::StringRef("aeiou").contains(llvm::toLower(type[0])) ? "an " : "a ") + type;
  }
  // int32 for an int, float32 for a float, int1 for a bool: what a Python number becomes without further hints.
  DType dtypeOf(Lowering &l, const Value &value) const override {
    return l.host.asBool(value.host)    ? DType::I1
           : l.host.isInt(value.host)   ? DType::I32
           : l.host.asFloat(value.host) ? DType::F32
                                        : DType::Void;
  }
  HostRef toHost(Lowering &, const Value &value) const override { return value.host; }
  llvm::json::Value inspect(Lowering &l, const Value &value, llvm::SmallVectorImpl<mlir::Value> &) const override {
    return llvm::json::Object{{"constant", llvm::json::fixUTF8(l.host.repr(value.host))}};
  }
  // The same object, or equal ones of one type (1 and True are not the same, nor are 0.0 and -0.0).
  bool isSame(Lowering &l, const Value &a, const Value &b) const override {
    if (a.host == b.host)
      return true;
    if (l.host.typeName(a.host) != l.host.typeName(b.host))
      return false;
    std::optional<std::string> first = l.host.fingerprint(a.host), second = l.host.fingerprint(b.host);
    return first && second && *first == *second;
  }
};

class ScalarKind final : public Kind {
public:
  std::string describe(Lowering &, const Value &value) const override { return "a runtime " + name(value.dtype).str(); }
  llvm::StringRef className(const Value &) const override { return "asc.PlainValue"; }
  DType dtypeOf(Lowering &, const Value &value) const override { return value.dtype; }

  void flatten(Lowering &, const Value &value, llvm::SmallVectorImpl<mlir::Value> &leaves) const override {
    leaves.push_back(value.ir);
  }
  Value rebuild(Lowering &, const Value &like, mlir::ValueRange &leaves) const override {
    return Value::ofScalar(take(leaves), like.dtype);
  }
  bool sameStructure(Lowering &, const Value &a, const Value &b) const override { return a.dtype == b.dtype; }
  Target targetOf(const Value &value) const override { return Target{this, value.dtype, {}}; }
  Value convert(Lowering &l, const Value &value, const Target &target, const Range &range) const override {
    if (value.isScalar())
      return value.dtype == target.dtype ? value : Value();
    if (!l.values.isNumber(value))
      return {};
    mlir::Value scalar = l.scalars.convert(value, target.dtype, range);
    return scalar ? Value::ofScalar(scalar, target.dtype) : Value();
  }

  Truth truth(Lowering &l, const Value &value, const Range &range) const override {
    return Truth{true, false, false, l.scalars.cast(value.ir, value.dtype, DType::I1, range)};
  }
  std::optional<Value> attribute(Lowering &l, const Value &value, llvm::StringRef name, const Range &) const override {
    if (std::optional<Value> own = l.language.scalarAttribute(l, value, name))
      return own;
    if (name != "dtype")
      return std::nullopt;
    return Value::ofHost(l.host.makeDType(value.dtype));
  }
  llvm::StringRef method(const Value &, llvm::StringRef name) const override { return scalarMethod(name); }
  std::optional<Value> item(Lowering &l, const Value &base, const Value &index, const Range &range) const override {
    return l.language.numberItem(l, base, index, range);
  }
  std::vector<std::string> names(const Value &) const override { return scalarMethodNames(); }
  llvm::StringRef origin() const override { return "number"; }
  llvm::json::Value inspect(Lowering &, const Value &value, llvm::SmallVectorImpl<mlir::Value> &ir) const override {
    ir.push_back(value.ir);
    return llvm::json::Object{{"scalar", name(value.dtype)}, {"value", int64_t(ir.size() - 1)}};
  }
};

class AddressKind final : public Kind {
public:
  std::string describe(Lowering &, const Value &value) const override {
    return "an address of " + name(value.dtype).str();
  }
  llvm::StringRef className(const Value &) const override { return "asc.GlobalAddress"; }
  DType dtypeOf(Lowering &, const Value &value) const override { return value.dtype; }

  void flatten(Lowering &l, const Value &value, llvm::SmallVectorImpl<mlir::Value> &leaves) const override {
    for (const Value &item : value.items())
      l.merge.flatten(item, leaves);
  }
  Value rebuild(Lowering &l, const Value &like, mlir::ValueRange &leaves) const override {
    if (like.items().empty())
      return like;
    return Value::ofAddress(like.ir, like.dtype, l.merge.rebuild(like.items()[0], leaves));
  }
  bool sameStructure(Lowering &l, const Value &a, const Value &b) const override {
    return a.ir == b.ir && sameItems(l, a, b);
  }
  // Base and offset, so that the offset can change.
  Value carried(Lowering &l, const Value &value, const Range &range) const override {
    if (!value.items().empty())
      return value;
    return Value::ofAddress(value.ir, value.dtype, Value::ofScalar(l.ir.i32(0, range), DType::I32));
  }
  llvm::json::Value inspect(Lowering &l, const Value &value, llvm::SmallVectorImpl<mlir::Value> &ir) const override {
    ir.push_back(value.ir);
    llvm::json::Object shown{{"array", name(value.dtype)}, {"value", int64_t(ir.size() - 1)}};
    if (!value.items().empty())
      shown["offset"] = l.probes.inspect(value.items()[0], ir);
    return shown;
  }
  std::optional<Value> attribute(Lowering &l, const Value &value, llvm::StringRef name, const Range &) const override {
    if (name != "dtype")
      return std::nullopt;
    return Value::ofHost(l.host.makeDType(value.dtype));
  }
};

class SequenceKind final : public Kind {
public:
  std::string describe(Lowering &, const Value &value) const override {
    return (value.sequence().isList ? "a list of " : "a tuple of ") + std::to_string(value.items().size());
  }
  llvm::StringRef className(const Value &value) const override { return value.sequence().isList ? "list" : "tuple"; }
  HostRef toHost(Lowering &l, const Value &value) const override {
    llvm::SmallVector<HostRef> items;
    for (const Value &item : value.items()) {
      items.push_back(l.values.toHost(item));
      if (!items.back())
        return {};
    }
    return l.host.makeSequence(items, value.sequence().isList);
  }

  void flatten(Lowering &l, const Value &value, llvm::SmallVectorImpl<mlir::Value> &leaves) const override {
    for (const Value &item : value.items())
      l.merge.flatten(item, leaves);
  }
  Value rebuild(Lowering &l, const Value &like, mlir::ValueRange &leaves) const override {
    llvm::SmallVector<Value> items;
    for (const Value &item : like.items())
      items.push_back(l.merge.rebuild(item, leaves));
    Value value = Value::ofSequence(items, like.sequence().isList, l.ir.region());
    value.sequence().methods = like.sequence().methods;
    value.sequence().arrayOf = like.sequence().arrayOf;
    return value;
  }
  bool isSame(Lowering &l, const Value &a, const Value &b) const override {
    return a.sequence().isList == b.sequence().isList && Kind::isSame(l, a, b);
  }
  bool sameStructure(Lowering &l, const Value &a, const Value &b) const override {
    return a.sequence().isList == b.sequence().isList && sameItems(l, a, b);
  }

  Truth truth(Lowering &, const Value &value, const Range &) const override {
    return Truth{true, true, !value.items().empty(), {}};
  }
  llvm::StringRef method(const Value &value, llvm::StringRef name) const override {
    if (value.sequence().methods)
      return value.sequence().methods(name);
    return value.sequence().isList && name == "append" ? "list.append" : "";
  }
  llvm::json::Value inspect(Lowering &l, const Value &value, llvm::SmallVectorImpl<mlir::Value> &ir) const override {
    llvm::json::Array items;
    for (const Value &item : value.items())
      items.push_back(l.probes.inspect(item, ir));
    return llvm::json::Object{{value.sequence().isList ? "list" : "tuple", std::move(items)}};
  }
};

class MethodKind final : public Kind {
public:
  std::string describe(Lowering &, const Value &value) const override { return "the method " + value.method().name; }
  bool isSame(Lowering &l, const Value &a, const Value &b) const override {
    return a.method().name == b.method().name && Kind::isSame(l, a, b);
  }
};

class FunctionKind final : public Kind {
public:
  std::string describe(Lowering &, const Value &value) const override {
    const ast::FunctionDef &tree = *value.function().tree;
    return tree.name.empty() ? "a lambda" : "the function " + tree.name.str();
  }
  bool isSame(Lowering &l, const Value &a, const Value &b) const override {
    const FunctionParts &x = a.function(), &y = b.function();
    return x.tree == y.tree && x.number == y.number &&
           llvm::all_of(llvm::zip_equal(x.items, y.items), [&](auto defaults) {
             auto &[one, other] = defaults;
             return bool(one) == bool(other) && (!one || l.merge.isSame(one, other));
           });
  }
};

class RangeKind final : public Kind {
public:
  std::string describe(Lowering &, const Value &) const override { return "a range"; }
  bool isSame(Lowering &l, const Value &a, const Value &b) const override {
    return a.range().isStatic == b.range().isStatic && a.range().attributes == b.range().attributes &&
           Kind::isSame(l, a, b);
  }
};

class SliceKind final : public Kind {
public:
  std::string describe(Lowering &, const Value &) const override { return "a slice"; }
  HostRef toHost(Lowering &l, const Value &value) const override {
    HostRef parts[3];
    for (auto [part, item] : llvm::zip_equal(parts, value.items()))
      if (!(part = l.values.toHost(item)))
        return {};
    return l.host.makeSlice(parts[0], parts[1], parts[2]);
  }
};

constexpr HostKind hostKind;
constexpr ScalarKind scalarKind;
constexpr AddressKind addressKind;
constexpr SequenceKind sequenceKind;
constexpr MethodKind methodKind;
constexpr FunctionKind functionKind;
constexpr RangeKind rangeKind;
constexpr SliceKind sliceKind;

} // namespace

namespace kinds {
const Kind *const host = &hostKind;
const Kind *const scalar = &scalarKind;
const Kind *const address = &addressKind;
const Kind *const sequence = &sequenceKind;
const Kind *const method = &methodKind;
const Kind *const function = &functionKind;
const Kind *const range = &rangeKind;
const Kind *const slice = &sliceKind;
} // namespace kinds

} // namespace tilesmith::frontend
