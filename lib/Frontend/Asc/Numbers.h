// Numbers of 64 bits, as calls of the Machine take them: known while compiling, or values of the running kernel.
//
// Arithmetic is C's on int64_t. What is known is computed here, so that choices between instructions which only depend
// on constants leave no trace in the IR.
#ifndef TILESMITH_LIB_FRONTEND_ASC_NUMBERS_H
#define TILESMITH_LIB_FRONTEND_ASC_NUMBERS_H

#include "Python/Lowering.h"

namespace tilesmith::frontend::asc {

struct Number {
  std::optional<int64_t> known;
  mlir::Value ir; // an i64, where it is not known

  Number() = default;
  Number(int64_t value) : known(value) {}
  // A constant of the IR is known.
  explicit Number(mlir::Value value);

  explicit operator bool() const { return known || ir; }
};

class Numbers : public Part {
public:
  using Part::Part;

  // As an i64 of the IR.
  mlir::Value value(const Number &number, const Range &range);
  // As an i1.
  mlir::Value condition(const Number &number, const Range &range);
  // A Python or runtime integer; an error of `what` otherwise.
  Number of(const Value &value, llvm::StringRef what, const Range &range);
  // A scalar's bits: floats as they are stored, integers by value.
  Number bits(mlir::Value scalar, DType dtype, const Range &range);
  // Cut to a C++ type of so many bits, and widened again.
  Number cut(const Number &number, unsigned bits, bool isSigned, const Range &range);
  // As a runtime scalar of Python, or a Python int where it is known.
  Value toPython(const Number &number, DType dtype, const Range &range);

  // An operator as C spells it. Of what is not an operator: none.
  Number binary(llvm::StringRef op, const Number &a, const Number &b, const Range &range);
  Number unary(llvm::StringRef op, const Number &a, const Range &range);
  Number choose(const Number &condition, const Number &a, const Number &b, const Range &range);

  Number add(const Number &a, const Number &b, const Range &range) { return binary("+", a, b, range); }
  Number mul(const Number &a, const Number &b, const Range &range) { return binary("*", a, b, range); }
  Number sub(const Number &a, const Number &b, const Range &range) { return binary("-", a, b, range); }
  Number roundUp(const Number &a, int64_t unit, const Range &range) {
    return mul(binary("/", add(a, unit - 1, range), unit, range), unit, range);
  }
};

} // namespace tilesmith::frontend::asc

#endif // TILESMITH_LIB_FRONTEND_ASC_NUMBERS_H
