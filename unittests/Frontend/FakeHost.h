// A host without Python: None, numbers, strings and builtins known by their names.
#ifndef TILESMITH_UNITTESTS_FRONTEND_FAKEHOST_H
#define TILESMITH_UNITTESTS_FRONTEND_FAKEHOST_H

#include "tilesmith/Frontend/HostEval.h"

#include <map>
#include <variant>

namespace tilesmith::frontend {

class FakeHost final : public HostEval {
public:
  struct BuiltinName {
    std::string text;
    bool operator==(const BuiltinName &) const = default;
  };
  using Object = std::variant<std::monostate, bool, int64_t, double, std::string, BuiltinName>;

  // Names every function sees: `make` finds the builtin "wires.make".
  std::map<std::string, std::string, std::less<>> builtins;

  HostRef make(Object object) { return HostRef(this, new Counted{std::move(object), 1}); }

  void retain(void *object) override { ++static_cast<Counted *>(object)->count; }
  void release(void *object) override {
    auto *counted = static_cast<Counted *>(object);
    if (--counted->count == 0)
      delete counted;
  }
  HostError takeError() override { return std::exchange(error, {}); }

  HostRef makeNone() override { return make(std::monostate()); }
  HostRef makeBool(bool value) override { return make(value); }
  HostRef makeInt(int64_t value) override { return make(value); }
  HostRef makeBigInt(llvm::StringRef) override { return refuse("a big int"); }
  HostRef makeFloat(double value) override { return make(value); }
  HostRef makeString(llvm::StringRef text) override { return make(text.str()); }
  HostRef makeBytes(llvm::StringRef) override { return refuse("bytes"); }
  HostRef makeEllipsis() override { return refuse("an ellipsis"); }
  HostRef makeDType(DType dtype) override { return make(name(dtype).str()); }
  HostRef makeSequence(llvm::ArrayRef<HostRef>, bool) override { return refuse("a sequence"); }
  HostRef makeSlice(const HostRef &, const HostRef &, const HostRef &) override { return refuse("a slice"); }

  bool isNone(const HostRef &object) override { return std::holds_alternative<std::monostate>(get(object)); }
  bool isSequence(const HostRef &) override { return false; }
  std::optional<bool> asBool(const HostRef &object) override { return as<bool>(object); }
  bool isInt(const HostRef &object) override { return std::holds_alternative<int64_t>(get(object)); }
  std::optional<int64_t> asInt(const HostRef &object) override { return as<int64_t>(object); }
  std::optional<double> asFloat(const HostRef &object) override { return as<double>(object); }
  std::optional<std::string> asString(const HostRef &object) override { return as<std::string>(object); }
  std::optional<DType> asDType(const HostRef &) override { return std::nullopt; }
  std::string repr(const HostRef &object) override { return isInt(object) ? std::to_string(*asInt(object)) : "?"; }
  std::string typeName(const HostRef &object) override {
    static constexpr llvm::StringLiteral names[] = {"NoneType", "bool", "int", "float", "str", "builtin"};
    return names[get(object).index()].str();
  }
  bool isCallable(const HostRef &object) override { return std::holds_alternative<BuiltinName>(get(object)); }
  std::string builtinName(const HostRef &object) override {
    auto *builtin = std::get_if<BuiltinName>(&get(object));
    return builtin ? builtin->text : "";
  }
  const HostFunction *asJitFunction(const HostRef &) override { return nullptr; }

  HostRef getAttr(const HostRef &, llvm::StringRef) override { return refuse("attributes"); }
  HostRef getItem(const HostRef &, const HostRef &) override { return refuse("items"); }
  HostRef call(const HostRef &, llvm::ArrayRef<HostRef>, llvm::ArrayRef<std::pair<llvm::StringRef, HostRef>>) override {
    return refuse("calls");
  }
  HostRef binary(ast::Operator op, const HostRef &lhs, const HostRef &rhs) override {
    if (op == ast::Operator::Add && isInt(lhs) && isInt(rhs))
      return makeInt(*asInt(lhs) + *asInt(rhs));
    return refuse("this operator");
  }
  HostRef unary(ast::UnaryOperator, const HostRef &) override { return refuse("this operator"); }
  HostRef compare(ast::CompareOperator, const HostRef &, const HostRef &) override { return refuse("this operator"); }
  std::optional<bool> truth(const HostRef &object) override { return asBool(object); }
  bool iterate(const HostRef &, llvm::SmallVectorImpl<HostRef> &) override { return false; }
  HostRef format(const HostRef &, char, llvm::StringRef) override { return refuse("formats"); }
  bool isInstance(const HostRef &, const HostRef &) override { return false; }
  bool warn(llvm::StringRef, llvm::StringRef, unsigned) override { return true; }

  HostRef lookup(const HostRef &, llvm::StringRef name) override {
    auto it = builtins.find(name);
    return it == builtins.end() ? HostRef() : make(BuiltinName{it->second});
  }
  std::optional<std::string> fingerprint(const HostRef &object) override {
    return isInt(object) ? std::optional(repr(object)) : std::nullopt;
  }
  void noteRead(llvm::StringRef, const HostRef &) override {}

private:
  struct Counted {
    Object object;
    unsigned count;
  };
  static const Object &get(const HostRef &object) { return static_cast<Counted *>(object.get())->object; }
  template <typename T> static std::optional<T> as(const HostRef &object) {
    auto *value = std::get_if<T>(&get(object));
    return value ? std::optional<T>(*value) : std::nullopt;
  }
  HostRef refuse(const char *what) {
    error = {"TypeError", std::string("the fake host has no ") + what, {}};
    return {};
  }

  HostError error;
};

} // namespace tilesmith::frontend

#endif // TILESMITH_UNITTESTS_FRONTEND_FAKEHOST_H
