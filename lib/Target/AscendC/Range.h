// Which values an integer of the kernel can have, as far as its definition tells. Decides where plain C operators do
// what the wrapping operators of the IR do.
#ifndef TILESMITH_LIB_TARGET_ASCENDC_RANGE_H
#define TILESMITH_LIB_TARGET_ASCENDC_RANGE_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace tilesmith::ascendc {

// Both ends included. Wide enough for any sum or product of two 64-bit integers.
struct Range {
  __int128 low, high;

  bool isOne() const { return low == high; }
  bool within(const Range &other) const { return other.low <= low && high <= other.high; }
};

// All values of an integer type (index has 64 bits; one bit counts 0 and 1).
Range rangeOfType(mlir::Type type);

class Ranges {
public:
  Range of(mlir::Value value);
  // What the operation would give without wrapping; empty where nothing is known.
  std::optional<Range> unwrapped(mlir::Operation *op);

private:
  Range compute(mlir::Value value);

  llvm::DenseMap<mlir::Value, Range> known;
};

} // namespace tilesmith::ascendc

#endif // TILESMITH_LIB_TARGET_ASCENDC_RANGE_H
