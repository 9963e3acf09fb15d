// Runtime numbers: what Python numbers become beside them, and what operators mean for them.
#ifndef TILESMITH_LIB_FRONTEND_PYTHON_SCALARS_H
#define TILESMITH_LIB_FRONTEND_PYTHON_SCALARS_H

#include "Part.h"

#include "llvm/ADT/StringSet.h"

namespace tilesmith::frontend {

class Scalars : public Part {
public:
  using Part::Part;

  // A number or scalar as an IR scalar of `dtype`; null on error. A number with a fraction does not become an integer.
  mlir::Value convert(const Value &value, DType dtype, const Range &range);
  mlir::Value cast(mlir::Value value, DType from, DType to, const Range &range);

  Value binary(ast::Operator op, Value lhs, Value rhs, const Range &range);
  Value compare(ast::CompareOperator op, Value lhs, Value rhs, const Range &range);
  Value choose(mlir::Value condition, const Value &lhs, const Value &rhs, const Range &range);

private:
  // A float beside an integer scalar: its integer part, with a warning if it has another.
  Value truncated(const Value &value, DType dtype, const Range &range);

  llvm::StringSet<> warned;
};

} // namespace tilesmith::frontend

#endif // TILESMITH_LIB_FRONTEND_PYTHON_SCALARS_H
