// Host objects: Python values a kernel uses while it is compiled.
//
// The front end knows nothing of CPython. It holds host objects as opaque references and asks HostEval to evaluate
// them; the extension module implements HostEval. Every evaluation can fail: it then returns a null reference (or
// nothing), and takeError() tells what was raised.
//
// Invariants
//  - a HostRef keeps its object alive
//  - values reached through globals, closures or attributes are reported with noteRead(), so that a cached compilation
//    can be checked against the values it read
#ifndef TILESMITH_FRONTEND_HOSTEVAL_H
#define TILESMITH_FRONTEND_HOSTEVAL_H

#include "tilesmith/Frontend/Ast.h"
#include "tilesmith/Frontend/DType.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilesmith::frontend {

class HostEval;

// A counted reference to a host object, or null.
class HostRef {
public:
  HostRef() = default;
  // Takes over one reference that `eval` already counted.
  HostRef(HostEval *eval, void *object) : eval(eval), object(object) {}
  HostRef(const HostRef &other);
  HostRef(HostRef &&other) noexcept : eval(other.eval), object(std::exchange(other.object, nullptr)) {}
  HostRef &operator=(HostRef other) noexcept {
    std::swap(eval, other.eval);
    std::swap(object, other.object);
    return *this;
  }
  ~HostRef();

  explicit operator bool() const { return object; }
  void *get() const { return object; }
  // Identity (`is`), not equality.
  bool operator==(const HostRef &other) const { return object == other.object; }

private:
  HostEval *eval = nullptr;
  void *object = nullptr;
};

// What a host object raised.
struct HostError {
  std::string type, message;
  HostRef exception = {};
  std::string place =
      {}; // where a function of the user raised it: "broken, at helper.py:12"; empty if it has no such place
};

// A jit function as the front end sees it: its tree, where its names are looked up, its parameters.
struct HostFunction {
  struct Parameter {
    bool isConstExpr = false;
    HostRef constExprType; // T of ConstExpr[T], or null
    HostRef defaultValue;  // or null
  };
  const ast::FunctionDef *tree = nullptr;
  const ast::SourceFile *file = nullptr;
  HostRef scope;
  std::vector<Parameter> parameters; // as in the tree
  bool keepsNumbers = false;         // numbers given to it stay known while compiling
};

class HostEval {
public:
  virtual ~HostEval() = default;

  virtual void retain(void *object) = 0;
  virtual void release(void *object) = 0;
  virtual HostError takeError() = 0;

  // Making values.
  virtual HostRef makeNone() = 0;
  virtual HostRef makeBool(bool value) = 0;
  virtual HostRef makeInt(int64_t value) = 0;
  virtual HostRef makeBigInt(llvm::StringRef digits) = 0;
  virtual HostRef makeFloat(double value) = 0;
  virtual HostRef makeString(llvm::StringRef text) = 0;
  virtual HostRef makeBytes(llvm::StringRef bytes) = 0;
  virtual HostRef makeEllipsis() = 0;
  virtual HostRef makeDType(DType dtype) = 0;
  virtual HostRef makeSequence(llvm::ArrayRef<HostRef> items, bool isList) = 0;
  virtual HostRef makeSlice(const HostRef &lower, const HostRef &upper, const HostRef &step) = 0;

  // Asking what a value is. A bool is no int here; an int subclass (IntEnum, numpy integer) is.
  virtual bool isNone(const HostRef &object) = 0;
  virtual bool isSequence(const HostRef &object) = 0; // tuple, list, torch.Size, range, a vector of numbers
  virtual std::optional<bool> asBool(const HostRef &object) = 0;
  virtual bool isInt(const HostRef &object) = 0;
  virtual std::optional<int64_t> asInt(const HostRef &object) = 0;  // nothing if it does not fit
  virtual std::optional<double> asFloat(const HostRef &object) = 0; // of a float only
  virtual std::optional<std::string> asString(const HostRef &object) = 0;
  virtual std::optional<DType> asDType(const HostRef &object) = 0;
  virtual std::string repr(const HostRef &object) = 0; // shortened; never fails
  virtual std::string typeName(const HostRef &object) = 0;
  virtual bool isCallable(const HostRef &object) = 0;
  // Name of an `asc`/`asc2` builtin or of a Python builtin with a meaning of its own here ("asc2.load", "len"); empty
  // if none.
  virtual std::string builtinName(const HostRef &object) = 0;
  // Access to a jit function; nothing if the object is none. Fails (nothing, with an error pending) if its source is
  // unusable.
  virtual const HostFunction *asJitFunction(const HostRef &object) = 0;
  // The same of a Python function without a decorator that a kernel calls; nothing if it cannot be followed, or need
  // not be because all arguments are known and it uses nothing of the language.
  virtual const HostFunction *asFunction(const HostRef &, bool /*allKnown*/) { return nullptr; }

  // Evaluating.
  virtual HostRef getAttr(const HostRef &object, llvm::StringRef name) = 0;
  virtual HostRef getItem(const HostRef &object, const HostRef &index) = 0;
  virtual HostRef call(const HostRef &callee, llvm::ArrayRef<HostRef> arguments,
                       llvm::ArrayRef<std::pair<llvm::StringRef, HostRef>> keywords) = 0;
  virtual HostRef binary(ast::Operator op, const HostRef &lhs, const HostRef &rhs) = 0;
  virtual HostRef unary(ast::UnaryOperator op, const HostRef &operand) = 0;
  virtual HostRef compare(ast::CompareOperator op, const HostRef &lhs, const HostRef &rhs) = 0;
  virtual std::optional<bool> truth(const HostRef &object) = 0;
  virtual bool iterate(const HostRef &object, llvm::SmallVectorImpl<HostRef> &items) = 0;
  virtual HostRef format(const HostRef &object, char conversion, llvm::StringRef spec) = 0;
  virtual bool isInstance(const HostRef &object, const HostRef &type) = 0;

  // Tells the user something about a line of the source that is legal but hardly meant. False if the host makes it an
  // error.
  virtual bool warn(llvm::StringRef message, llvm::StringRef file, unsigned line) = 0;

  // The value of a name in a function's closure, globals or the allowed Python builtins; null without an error if there
  // is none.
  virtual HostRef lookup(const HostRef &scope, llvm::StringRef name) = 0;
  // For "did you mean": the names a function sees, the attributes of an object.
  virtual std::vector<std::string> namesIn(const HostRef &) { return {}; }
  virtual std::vector<std::string> attributesOf(const HostRef &) { return {}; }
  // The package an object comes from, for a function with its name: "numpy.exp"; "numpy" for the module. Empty:
  // unknown.
  virtual std::string originOf(const HostRef &) { return {}; }
  // A value that does not depend on addresses and changes whenever the object's meaning does; nothing if unknown.
  virtual std::optional<std::string> fingerprint(const HostRef &object) = 0;
  // The compilation used this value. `path` leads to it from the kernel: "SIZE", "cfg.tile", "helper>SCALE" (a name of
  // a called jit function), "$mode.tile" (from a ConstExpr parameter); empty if nothing leads to it.
  virtual void noteRead(llvm::StringRef path, const HostRef &object) = 0;
};

inline HostRef::HostRef(const HostRef &other) : eval(other.eval), object(other.object) {
  if (object)
    eval->retain(object);
}
inline HostRef::~HostRef() {
  if (object)
    eval->release(object);
}

} // namespace tilesmith::frontend

#endif // TILESMITH_FRONTEND_HOSTEVAL_H
