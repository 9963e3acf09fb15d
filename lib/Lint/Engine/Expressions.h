// Expressions: names, displays, comprehensions, conditions.
#ifndef TILESMITH_LINT_ENGINE_EXPRESSIONS_H
#define TILESMITH_LINT_ENGINE_EXPRESSIONS_H

#include "Part.h"

namespace tilesmith::lint {

class Expressions : public Part {
public:
  explicit Expressions(Interpreter &interpreter) : Part(interpreter) {}

  Value eval(const ast::Expr &expr);
  // In a scope.
  Value evalComprehension(const ast::Comprehension &expr, ObjectId around);

private:
  Value evalDeeper(const ast::Expr &expr);
  Value evalOther(const ast::OtherExpr &expr);
  Value evalCall(const ast::Call &call);
  Arguments evalArguments(const ast::Call &call);
  Value evalBoolOp(const ast::BoolOp &expr);
  Value evalIfExp(const ast::IfExp &expr);
  Value evalCompare(const ast::Compare &expr);
  Value evalSubscript(const ast::Subscript &expr);
  Value evalSequence(const ast::Sequence &expr);
  Value evalDict(const ast::Dict &expr);
  Value evalComprehension(const ast::Comprehension &expr);
  Value evalFString(const ast::JoinedStr &expr);
  Value evalConstant(const ast::Constant &constant);
};

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_ENGINE_EXPRESSIONS_H
