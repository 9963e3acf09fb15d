// Statements without control flow of their own: assignments, with, assert, return; and those that are refused.
#ifndef TILESMITH_LIB_FRONTEND_PYTHON_STATEMENTS_H
#define TILESMITH_LIB_FRONTEND_PYTHON_STATEMENTS_H

#include "Part.h"

namespace tilesmith::frontend {

// How a statement ends.
enum class Flow { Next, Returned, Failed };

class Statements : public Part {
public:
  using Part::Part;

  Flow lower(ast::Body body);
  bool assign(const ast::Expr &target, Value value, const Range &valueRange);

private:
  Flow lower(const ast::Stmt &stmt);
  bool unpack(const ast::Sequence &target, const Value &value, const Range &valueRange);
  bool assignItem(const ast::Subscript &target, const Value &value);
  bool lowerAugAssign(const ast::AugAssign &stmt);
  bool lowerAssert(const ast::Assert &stmt);
  Flow lowerReturn(const ast::Return &stmt);
  Flow lowerWith(const ast::With &stmt);
  Flow lowerHostWith(const ast::With &stmt, const Value &context);
  Flow lowerWithBody(const ast::With &stmt, const Value &entered);
  Flow refuse(const ast::OtherStmt &stmt);
  bool raises(const ast::OtherStmt &stmt);

  unsigned steps = 0; // statements executed, to stop endless unrolling
};

} // namespace tilesmith::frontend

#endif // TILESMITH_LIB_FRONTEND_PYTHON_STATEMENTS_H
