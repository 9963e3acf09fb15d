// HostEval on CPython objects. All calls need Python's lock.
#ifndef TILESMITH_PYTHON_PYHOSTEVAL_H
#define TILESMITH_PYTHON_PYHOSTEVAL_H

#include <nanobind/nanobind.h>

#include "tilesmith/Frontend/HostEval.h"
#include "tilesmith/Runtime/HostReads.h"

namespace tilesmith::python {

class PyHostEval final : public frontend::HostEval {
public:
  using HostRef = frontend::HostRef;

  // Between the two, noteRead() keeps what it is told.
  void beginRecording() { recorded = {}; }
  runtime::RecordedReads endRecording() { return std::move(recorded); }

  void retain(void *object) override { Py_INCREF(static_cast<PyObject *>(object)); }
  void release(void *object) override { Py_DECREF(static_cast<PyObject *>(object)); }
  frontend::HostError takeError() override;

  HostRef makeNone() override;
  HostRef makeBool(bool value) override;
  HostRef makeInt(int64_t value) override;
  HostRef makeBigInt(llvm::StringRef digits) override;
  HostRef makeFloat(double value) override;
  HostRef makeString(llvm::StringRef text) override;
  HostRef makeBytes(llvm::StringRef bytes) override;
  HostRef makeEllipsis() override;
  HostRef makeDType(frontend::DType dtype) override;
  HostRef makeSequence(llvm::ArrayRef<HostRef> items, bool isList) override;
  HostRef makeSlice(const HostRef &lower, const HostRef &upper, const HostRef &step) override;

  bool isNone(const HostRef &object) override;
  bool isSequence(const HostRef &object) override;
  std::optional<bool> asBool(const HostRef &object) override;
  bool isInt(const HostRef &object) override;
  std::optional<int64_t> asInt(const HostRef &object) override;
  std::optional<double> asFloat(const HostRef &object) override;
  std::optional<std::string> asString(const HostRef &object) override;
  std::optional<frontend::DType> asDType(const HostRef &object) override;
  std::string repr(const HostRef &object) override;
  std::string typeName(const HostRef &object) override;
  bool isCallable(const HostRef &object) override;
  std::string builtinName(const HostRef &object) override;
  const frontend::HostFunction *asJitFunction(const HostRef &object) override;
  const frontend::HostFunction *asFunction(const HostRef &object, bool allKnown) override;

  HostRef getAttr(const HostRef &object, llvm::StringRef name) override;
  HostRef getItem(const HostRef &object, const HostRef &index) override;
  HostRef call(const HostRef &callee, llvm::ArrayRef<HostRef> arguments,
               llvm::ArrayRef<std::pair<llvm::StringRef, HostRef>> keywords) override;
  HostRef binary(ast::Operator op, const HostRef &lhs, const HostRef &rhs) override;
  HostRef unary(ast::UnaryOperator op, const HostRef &operand) override;
  HostRef compare(ast::CompareOperator op, const HostRef &lhs, const HostRef &rhs) override;
  std::optional<bool> truth(const HostRef &object) override;
  bool iterate(const HostRef &object, llvm::SmallVectorImpl<HostRef> &items) override;
  HostRef format(const HostRef &object, char conversion, llvm::StringRef spec) override;
  bool warn(llvm::StringRef message, llvm::StringRef file, unsigned line) override;
  bool isInstance(const HostRef &object, const HostRef &type) override;

  // A scope is a Python function, or a tuple of two dicts: globals and closure.
  HostRef lookup(const HostRef &scope, llvm::StringRef name) override;
  std::optional<std::string> fingerprint(const HostRef &object) override;
  std::vector<std::string> namesIn(const HostRef &scope) override;
  std::vector<std::string> attributesOf(const HostRef &object) override;
  std::string originOf(const HostRef &object) override;
  void noteRead(llvm::StringRef path, const HostRef &object) override;

  // Takes over a new reference; null stays null.
  HostRef own(PyObject *object) { return HostRef(this, object); }
  HostRef borrow(PyObject *object);
  // The value of a ConstExpr object, which stands for it; other values as they are.
  HostRef unwrap(HostRef value);

private:
  runtime::RecordedReads recorded;
};

// The one evaluator of the process.
PyHostEval &hostEval();

// Names that kernels see besides Python's builtins while this exists, on this thread; null: none.
class CustomBuiltins {
public:
  explicit CustomBuiltins(PyObject *names);
  ~CustomBuiltins();
  CustomBuiltins(const CustomBuiltins &) = delete;

private:
  PyObject *before;
};

} // namespace tilesmith::python

#endif // TILESMITH_PYTHON_PYHOSTEVAL_H
