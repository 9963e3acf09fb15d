// What divides a number of the tile IR, as far as its definition tells.
#ifndef TILESMITH_LIB_TRANSFORMS_DIVISOR_H
#define TILESMITH_LIB_TRANSFORMS_DIVISOR_H

#include "mlir/IR/Value.h"

namespace tilesmith {

// A number that divides the value whatever the kernel's arguments; 0 divides only 0.
int64_t divisorOf(mlir::Value value);

} // namespace tilesmith

#endif // TILESMITH_LIB_TRANSFORMS_DIVISOR_H
