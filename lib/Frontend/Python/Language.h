// A language of kernels: what they can use beyond Python itself.
//
// A language is a folder beside this one. It has kinds of values (Kind.h), builtins that make and use them, and what it
// keeps about one kernel while that is lowered. Python asks it through this interface only.
#ifndef TILESMITH_LIB_FRONTEND_PYTHON_LANGUAGE_H
#define TILESMITH_LIB_FRONTEND_PYTHON_LANGUAGE_H

#include "Builtins.h"
#include "Part.h"
#include "Probes.h"

#include "tilesmith/Frontend/Frontend.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tilesmith::frontend {

// How the language calls what messages of Python recommend.
struct Words {
  llvm::StringRef jit;       // the decorator of its functions: "@asc2.jit"
  llvm::StringRef range;     // a loop at run time: "asc2.range"
  llvm::StringRef print;     // a call that prints n
  llvm::StringRef context;   // what its with statements take: "asc2.mask(...)"
  llvm::StringRef results;   // how a kernel gives results: "store results into a tensor"
  llvm::StringRef writeItem; // how to write what cannot be assigned
  llvm::StringRef toFloat;   // how to compute with a float beside integers
  llvm::StringRef describe;  // what makes an array of an address: "describe the array first: ..."
};

// What a language keeps about the kernel being lowered.
class Session : public Part {
public:
  using Part::Part;
  virtual ~Session() = default;
  // The parameters are bound; `added` are those the language has beside the function's own.
  virtual bool start(const KernelRequest &, llvm::ArrayRef<Value>) { return true; }
  // The kernel's last statement has been lowered; false after an error.
  virtual bool finish(const Range &) { return true; }
};

class Language {
public:
  virtual const Words &words() const = 0;
  // Its builtins come before those of Python: they may give `range` another meaning.
  virtual const Builtins &builtins() const = 0;
  // A call of a function with several forms, which the language chooses between itself. Nothing: it is not one of
  // these.
  virtual std::optional<Value> call(Lowering &, llvm::StringRef, CallSite &) const { return std::nullopt; }
  // What is said about a name that has no builtin: message and help.
  virtual std::pair<std::string, std::string> missing(llvm::StringRef name) const {
    return {name.str() + " is not supported inside a kernel", ""};
  }
  // What stands here for a name of another language or library: ("triton", "program_id"). The origin is a package or
  // what people import it as, "tile", "tensor" or "number" for attributes of those, or empty. Empty: nothing is known.
  virtual std::string instead(llvm::StringRef, llvm::StringRef, bool ofNumber = false) const { return ""; }
  // Whether launches give a kernel more than the parameters of its function (Session::start).
  virtual bool addsParameters() const { return false; }
  // Whether Python functions without a decorator are lowered where they are called. Else they are called while
  // compiling.
  virtual bool followsFunctions() const { return false; }
  // Whether a name that both branches of a runtime if bind, and that was not there before, lives on after it.
  virtual bool joinsNewNames() const { return false; }
  // Whether it has what Python does while compiling only: dictionaries, a = b = c, raise.
  virtual bool runsWhileCompiling() const { return false; }
  // Whether a range that is a statement of its own makes the rest of its block the body of a loop.
  virtual bool loopsByStatement() const { return false; }
  // An attribute that runtime numbers have in this language only; nothing: there is none.
  virtual std::optional<Value> scalarAttribute(Lowering &, const Value &, llvm::StringRef) const {
    return std::nullopt;
  }
  // What operators of two runtime numbers, or of one and a Python number, mean in this language only; nothing: what
  // they mean in Python's core.
  virtual std::optional<Value> numberBinary(Lowering &, ast::Operator, const Value &, const Value &,
                                            const Range &) const {
    return std::nullopt;
  }
  virtual std::optional<Value> numberUnary(Lowering &, ast::UnaryOperator, const Value &, const Range &) const {
    return std::nullopt;
  }
  virtual std::optional<Value> numberCompare(Lowering &, ast::CompareOperator, const Value &, const Value &,
                                             const Range &) const {
    return std::nullopt;
  }
  // What an item of a runtime number is; nothing: it has none.
  virtual std::optional<Value> numberItem(Lowering &, const Value &, const Value &, const Range &) const {
    return std::nullopt;
  }
  // An operation that keeps a loop which does nothing else: it may be meant to end never.
  virtual void keepLoop(mlir::OpBuilder &, mlir::Location) const {}

  virtual void loadDialects(mlir::MLIRContext &context) const = 0;
  virtual mlir::Type pointerType(mlir::MLIRContext &context, DType dtype) const = 0;
  virtual void markKernel(mlir::func::FuncOp kernel) const = 0;
  // Marks the place where a debugger may stop (Probes.h), and a kernel whose source has breakpoints. Nothing: the
  // language has no debugger.
  virtual void probe(mlir::OpBuilder &, mlir::Location, const ProbeSite &) const {}
  virtual void markBreakpoints(mlir::func::FuncOp) const {}
  // What a constant argument is in the kernel.
  virtual Value argument(Lowering &, const Value &value, const Range &) const { return value; }
  virtual std::unique_ptr<Session> begin(Lowering &lowering) const { return std::make_unique<Session>(lowering); }

protected:
  ~Language() = default;
};

// Lowers a kernel of the language; see lowerKernel.
mlir::OwningOpRef<mlir::ModuleOp> lowerKernel(mlir::MLIRContext &context, const Language &language,
                                              const KernelRequest &request, HostEval &host, Diagnostic &error);

} // namespace tilesmith::frontend

#endif // TILESMITH_LIB_FRONTEND_PYTHON_LANGUAGE_H
