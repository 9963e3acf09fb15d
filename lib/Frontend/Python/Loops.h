// for and while.
//
// Names bound before the loop and rebound in its body are carried. Runtime values are carried at once; a Python number
// is assumed constant first, and if the body turns out to change it, the loop is built again with the number as a
// runtime value. The same happens when the body writes a cell. Each repetition adds to the loop's plan, so it ends.
#ifndef TILESMITH_LIB_FRONTEND_PYTHON_LOOPS_H
#define TILESMITH_LIB_FRONTEND_PYTHON_LOOPS_H

#include "Statements.h"

namespace tilesmith::frontend {

class Loops : public Part {
public:
  using Part::Part;

  Flow lowerFor(const ast::For &stmt);
  Flow lowerWhile(const ast::While &stmt);
  // A range as a statement (Language::loopsByStatement): the statements after it are its body.
  Flow lowerRest(const ast::ExprStmt &stmt, const Value &range, ast::Body rest);
  // The index of the innermost of these loops; nothing: there is none.
  Value innermostIndex();
  // A with statement that is a loop (Kind::isLoop).
  Flow lowerWith(const ast::With &stmt, const Value &context);

private:
  enum class Attempt { Done, Retry, Failed };
  struct Carried;

  Flow lowerRuntimeFor(const ast::For &stmt, const Value &range);
  Flow lowerStaticFor(const ast::For &stmt, const Value &range);
  Flow lowerForEach(const ast::For &stmt, llvm::ArrayRef<Value> items);
  Attempt tryFor(const ast::For &stmt, const Value &range, llvm::ArrayRef<mlir::Value> bounds, LoopPlan &plan);
  // A loop that runs as long as something holds: what that is, and what comes before its body.
  struct Conditional {
    const ast::Stmt &stmt;
    ast::Body body;
    Range where; // of the condition
    llvm::StringRef target;
    llvm::function_ref<Value()> condition;
    llvm::function_ref<bool()> begin;
  };
  Attempt tryWhile(const Conditional &loop, LoopPlan &plan);
  bool warnEndless(const Range &condition);
  Flow lowerLoop(const ast::Stmt &stmt, ast::Body body, llvm::function_ref<Attempt(LoopPlan &)> attempt);
  bool promoteAll(ast::Body body, const Env &env, LoopPlan &plan);

  bool startCarrying(Carried &carried, ast::Body body, llvm::StringRef target, const LoopPlan &plan);
  void enterLoop(Carried &carried, const LoopPlan &plan, mlir::ValueRange arguments);
  Attempt finishIteration(Carried &carried, LoopPlan &plan, llvm::SmallVectorImpl<mlir::Value> &yielded);
  void leaveLoop(Carried &carried, const LoopPlan &plan, mlir::ValueRange results);

  // A loop that was a statement, and the name of its index, which no source can spell.
  struct Rest {
    ast::For loop;
    ast::Name index;
    std::string name;
  };
  std::map<const ast::Stmt *, Rest> rests;
  llvm::SmallVector<llvm::StringRef> indices; // of those that are open, innermost last
};

} // namespace tilesmith::frontend

#endif // TILESMITH_LIB_FRONTEND_PYTHON_LOOPS_H
