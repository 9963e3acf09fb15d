// Integer values as linear forms and upper bounds: what the address analysis needs to know of scalar code.
#ifndef TILESMITH_LIB_TRANSFORMS_PLAN_LINEAR_H
#define TILESMITH_LIB_TRANSFORMS_PLAN_LINEAR_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace tilesmith::plan {

// A value, or the product of two: a row and the pitch of an array whose width is not known while compiling.
struct Term {
  mlir::Value value, factor; // factor may be null
  int64_t coefficient = 1;

  bool sameValues(const Term &other) const {
    return (value == other.value && factor == other.factor) ||
           (factor && value == other.factor && factor == other.value);
  }
};

// constant + sum of terms. Terms are distinct and have non-zero coefficients.
struct Linear {
  int64_t constant = 0;
  llvm::SmallVector<Term, 3> terms;

  void add(const Linear &other, int64_t factor = 1);
  void add(const Term &term);
  int64_t coefficientOf(mlir::Value value) const; // where the value stands alone
  bool sameTerms(const Linear &other) const;
  bool operator==(const Linear &other) const { return constant == other.constant && sameTerms(other); }
};

// Any integer value has a form: what cannot be taken apart is a term of its own. Wrapping is ignored; an offset that
// wraps is out of bounds anyway.
Linear linearOf(mlir::Value value);

std::optional<int64_t> constantOf(mlir::Value value);

// The largest value of a size or count, which are never negative.
std::optional<int64_t> upperBoundOf(mlir::Value value);

// The value below casts between integer types.
mlir::Value stripCasts(mlir::Value value);

} // namespace tilesmith::plan

#endif // TILESMITH_LIB_TRANSFORMS_PLAN_LINEAR_H
