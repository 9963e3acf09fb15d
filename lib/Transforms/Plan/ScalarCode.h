// Scalar code computed while compiling, as the chip computes it.
//
// Two halves of a kernel may say one number in different words; who follows both needs what they come to, exactly. A
// number is known or not: what tiles hold nobody knows here, and whatever depends on that is not known either.
#ifndef TILESMITH_LIB_TRANSFORMS_PLAN_SCALARCODE_H
#define TILESMITH_LIB_TRANSFORMS_PLAN_SCALARCODE_H

#include "mlir/IR/Operation.h"
#include <optional>

namespace tilesmith::plan {

// An integer, an address, or the bits of a float as a double.
struct Scalar {
  bool known = false;
  int64_t bits = 0;

  static Scalar of(int64_t value) { return {true, value}; }
  static Scalar of(double value) { return {true, llvm::bit_cast<int64_t>(value)}; }
  double real() const { return llvm::bit_cast<double>(bits); }
};

// A number of the type: integers wrap to their width and carry their sign.
Scalar scalarOf(int64_t value, mlir::Type type);

// What computes an operation of one result from its operands, or null: it is not scalar arithmetic.
using Evaluate = Scalar (*)(mlir::Operation *op, llvm::ArrayRef<Scalar> operands);
Evaluate evaluatorOf(mlir::Operation *op);

} // namespace tilesmith::plan

#endif // TILESMITH_LIB_TRANSFORMS_PLAN_SCALARCODE_H
