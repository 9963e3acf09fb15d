// break, continue and return in the middle of a function, as structured control flow.
//
// A jump sets a flag, and what it jumps over is put under an if of the flag. Flags are ordinary names of the function,
// ones no source can spell: where a jump's condition is known while compiling the flag is, too, and leaves no trace.
//
// Only a function without a value may return in the middle: where a value comes from, all ways give it the same type.
#ifndef TILESMITH_LIB_FRONTEND_PYTHON_JUMPS_H
#define TILESMITH_LIB_FRONTEND_PYTHON_JUMPS_H

#include "tilesmith/Frontend/Ast.h"

#include "llvm/ADT/DenseMap.h"

namespace tilesmith::frontend {

class Jumps {
public:
  // The body of a function without jumps, made once.
  ast::Body without(const ast::FunctionDef &function);
  // A name that stands for a flag.
  static bool isFlag(llvm::StringRef name) { return name.starts_with("%"); }

private:
  struct Scope;
  // The statements with jumps as flags; `left` gets the flags that may be set when they end.
  using Flags = llvm::SmallVector<llvm::StringRef, 3>;
  ast::Body rewrite(ast::Body body, const Scope &scope, Flags &left);
  const ast::Stmt *rewrite(const ast::Stmt &stmt, const Scope &scope, Flags &left);
  ast::Body rewriteLoop(ast::Body body, const ast::Stmt &loop, const Scope &scope, Flags &left,
                        llvm::SmallVectorImpl<const ast::Stmt *> &before, llvm::StringRef &broken);
  const ast::Stmt *set(llvm::StringRef flag, bool value, const ast::Range &range);
  const ast::Expr *noneOf(llvm::ArrayRef<llvm::StringRef> flags, const ast::Range &range);

  ast::Tree tree;
  llvm::DenseMap<const ast::FunctionDef *, ast::Body> made;
  unsigned count = 0;
};

} // namespace tilesmith::frontend

#endif // TILESMITH_LIB_FRONTEND_PYTHON_JUMPS_H
