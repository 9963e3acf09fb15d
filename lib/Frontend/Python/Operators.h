// Operators, attributes and items: on host objects they are Python's own, on scalars arithmetic, else the kind decides.
#ifndef TILESMITH_LIB_FRONTEND_PYTHON_OPERATORS_H
#define TILESMITH_LIB_FRONTEND_PYTHON_OPERATORS_H

#include "Part.h"

namespace tilesmith::frontend {

class Operators : public Part {
public:
  using Part::Part;

  Value binary(ast::Operator op, Value lhs, Value rhs, const Range &range);
  Value unary(ast::UnaryOperator op, Value operand, const Range &range);
  Value compare(ast::CompareOperator op, Value lhs, Value rhs, const Range &range);
  Value getAttribute(const Value &base, llvm::StringRef name, const Range &range);
  Value getItem(const Value &base, const Value &index, const Range &range);
  bool setItem(const Value &base, const Value &index, Value value, const Range &range, const Range &indexRange);

private:
  Value moveAddress(const Value &address, const Value &elements, const Range &range);
  Value repeatSequence(const Value &sequence, HostRef times, const Range &range);
  Value arrayItem(const Value &array, const Value &index, const Range &range);
  bool setArrayItem(const Value &array, const Value &index, const Value &value, const Range &range);
};

} // namespace tilesmith::frontend

#endif // TILESMITH_LIB_FRONTEND_PYTHON_OPERATORS_H
