// Integer values as linear forms and upper bounds: what the address analysis needs to know of scalar code.
#ifndef TILESMITH_LIB_TRANSFORMS_PLAN_LINEAR_H
#define TILESMITH_LIB_TRANSFORMS_PLAN_LINEAR_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace tilesmith::plan {

// constant + sum of coefficient * value. Terms are distinct and have non-zero coefficients.
struct Linear {
  int64_t constant = 0;
  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 3> terms;

  void add(const Linear &other, int64_t factor = 1);
  int64_t coefficientOf(mlir::Value value) const;
  bool sameTerms(const Linear &other) const;
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
