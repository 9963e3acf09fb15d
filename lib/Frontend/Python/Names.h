// The functions being lowered, innermost last, and what their names are bound to.
#ifndef TILESMITH_LIB_FRONTEND_PYTHON_NAMES_H
#define TILESMITH_LIB_FRONTEND_PYTHON_NAMES_H

#include "Value.h"

#include "tilesmith/Frontend/Diagnostic.h"

#include "mlir/IR/BuiltinAttributes.h"

#include "llvm/ADT/StringMap.h"

#include <map>

namespace tilesmith::frontend {

using ast::Range;

// A name: its value, where it was bound, and, once the value went out of reach, why. Where control flow leaves values
// that do not go together the name is out of reach too, and whoever reads it gets the error.
struct Binding {
  Value value;
  Range range;
  std::string gone;
  std::shared_ptr<const Diagnostic> conflict;
};
using Env = llvm::StringMap<Binding>;

// What a loop carries beyond the runtime values its body rebinds. Grows until the loop's types are stable.
struct LoopPlan {
  std::map<std::string, Target, std::less<>> promoted; // numbers that become runtime values
  llvm::SmallVector<unsigned> cells;                   // cells written by the body
  std::map<std::string, Binding, std::less<>> gone;    // names whose value does not survive an iteration
};

// One function being lowered: the kernel, or a jit function inlined into it.
struct Frame {
  const ast::FunctionDef *function = nullptr;
  const ast::SourceFile *file = nullptr;
  mlir::StringAttr fileName;
  HostRef scope;
  std::string path; // leads from the kernel to this function's names, see HostEval::noteRead
  bool pathKnown = true;
  Env env;
  Frame *around = nullptr; // of a function defined inside another one: that one
  unsigned number = 0;     // no other frame has it
  std::map<const ast::Stmt *, LoopPlan> plans;
  Value returned;
  unsigned region = 0; // region the function was called in
  Frame *caller = nullptr;
  Range callRange;
};

// As messages call it: a lambda has no name.
inline llvm::StringRef titleOf(const ast::FunctionDef &function) {
  return function.name.empty() ? "lambda" : function.name;
}

class Names {
public:
  Frame &frame() const { return *current; }
  unsigned depth() const { return calls; }
  // Until the frame is left, it is the current one; its caller is the one before.
  void enter(Frame &frame);
  void leave();
  // Whether the frame a nested function was defined in is still there.
  bool isAlive(const FunctionParts &nested) const;

  void bind(llvm::StringRef name, Value value, const Range &range);
  // Names bound in a region that ended: they are remembered, so that a later use can say what happened.
  void expire(const Env &after, llvm::StringRef where);

private:
  Frame *current = nullptr;
  unsigned calls = 0;  // frames around the current one
  unsigned frames = 0; // so far
};

} // namespace tilesmith::frontend

#endif // TILESMITH_LIB_FRONTEND_PYTHON_NAMES_H
