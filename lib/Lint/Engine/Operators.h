// Operators, comparisons and truth.
#ifndef TILESMITH_LINT_ENGINE_OPERATORS_H
#define TILESMITH_LINT_ENGINE_OPERATORS_H

#include "Part.h"

namespace tilesmith::lint {

enum class Truth : uint8_t { False, True, Unknown };

class Operators : public Part {
public:
  explicit Operators(Interpreter &interpreter) : Part(interpreter) {}

  Value binary(ast::Operator op, const Value &lhs, const Value &rhs, const ast::Expr &site, llvm::StringRef spelled);
  Value unary(ast::UnaryOperator op, const Value &operand, const ast::Expr &site);
  Value compare(ast::CompareOperator op, const Value &lhs, const Value &rhs, const ast::Expr &site);
  Truth truthOf(const Value &value) const;

private:
  bool isUnresolved(const Value &value) const;
  Value unresolved(const Value &operands, const ast::Expr &site, llvm::StringRef spelled);
  Value operate(llvm::StringRef method, const Value &lhs, const Value &rhs, Site site);
  Value computed(const Value &lhs, const Value &rhs, const ast::Expr &site, llvm::StringRef spelled);
  Value combine(ast::Operator op, const Value &lhs, const Value &rhs);
  Value identity(bool isNot, const Value &lhs, const Value &rhs);
  Value membership(ast::CompareOperator op, const Value &item, const Value &container, const ast::Expr &site);
};

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_ENGINE_OPERATORS_H
