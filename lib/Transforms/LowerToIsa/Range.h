// What values an integer of the kernel can have, as far as a glance at its definition tells.
//
// Used to leave out tests that cannot fail. Arithmetic is taken not to overflow: an offset that does is outside every
// tensor the model can hold, and the Machine reports it.
#ifndef TILESMITH_TRANSFORMS_LOWERTOISA_RANGE_H
#define TILESMITH_TRANSFORMS_LOWERTOISA_RANGE_H

#include "mlir/IR/Value.h"
#include <limits>

namespace tilesmith {

struct Range {
  static constexpr int64_t least = std::numeric_limits<int32_t>::min(), most = std::numeric_limits<int32_t>::max();
  int64_t low = least, high = most; // inclusive
};

Range rangeOf(mlir::Value value, unsigned depth = 0);

} // namespace tilesmith

#endif // TILESMITH_TRANSFORMS_LOWERTOISA_RANGE_H
