// if, the conditional expression, and `and`/`or`. A condition known while compiling leaves no trace in the IR.
#ifndef TILESMITH_LIB_FRONTEND_PYTHON_BRANCHES_H
#define TILESMITH_LIB_FRONTEND_PYTHON_BRANCHES_H

#include "Cells.h"
#include "Statements.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilesmith::frontend {

class Branches : public Part {
public:
  using Part::Part;

  Flow lowerIf(const ast::If &stmt);
  Value lowerIfExp(const ast::IfExp &expr);
  Value lowerBoolOp(const ast::BoolOp &expr, unsigned index = 0);

private:
  struct Branch;
  struct Merged;

  bool lowerRuntimeIf(const ast::If &stmt, mlir::Value condition);
  bool lowerBranch(Branch &branch, ast::Body body, const Env &before, const Cells::State &cells);
  std::vector<Merged> mergeNames(const ast::If &stmt, Branch (&branches)[2]);
  Value mergeValues(llvm::StringRef name, Value (&sides)[2], const Range (&ranges)[2], Branch (&branches)[2]);
  mlir::scf::IfOp buildIf(const ast::If &stmt, mlir::Value condition, Branch (&branches)[2]);
  mlir::scf::IfOp buildIf(mlir::Location at, mlir::TypeRange types, mlir::Value condition, Branch (&branches)[2],
                          bool hasElse);
  void inlineHere(Branch &branch);

  Value lowerRuntimeIfExp(const ast::IfExp &expr, mlir::Value condition);
  bool unify(const ast::IfExp &expr, Value (&sides)[2], Branch (&branches)[2]);
  Value lowerRuntimeBoolOp(const ast::BoolOp &expr, unsigned index, const Value &lhs, mlir::Value condition);
  Value beside(const Value &lhs, const Value &rhs, const Range &range);
};

} // namespace tilesmith::frontend

#endif // TILESMITH_LIB_FRONTEND_PYTHON_BRANCHES_H
