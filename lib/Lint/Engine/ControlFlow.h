// Branches, loops, handlers, contexts and matches.
#ifndef TILESMITH_LINT_ENGINE_CONTROLFLOW_H
#define TILESMITH_LINT_ENGINE_CONTROLFLOW_H

#include "Operators.h"

namespace tilesmith::lint {

class ControlFlow : public Part {
public:
  explicit ControlFlow(Interpreter &interpreter) : Part(interpreter) {}

  // Runs both sides of a branch from the same state and joins what is left of them.
  void branch(Truth truth, const ast::Expr *condition, llvm::function_ref<void()> first,
              llvm::function_ref<void()> second, bool mayFallThrough = true);
  // Something that may happen or not.
  void perhaps(llvm::function_ref<void()> side);

  void execIf(const ast::If &stmt);
  void execFor(const ast::For &stmt);
  void execWhile(const ast::While &stmt);
  void execTry(const ast::Try &stmt);
  void execWith(const ast::With &stmt);
  void execMatch(const ast::Match &stmt);

private:
  // A body that runs at least once; the second round sees what the first left.
  void loop(bool isEndless, llvm::function_ref<void()> body, ast::Body orElse);
};

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_ENGINE_CONTROLFLOW_H
