// What the grouping of operations into vector functions (VectorGroups.cpp) and their bodies (VectorFunctions.cpp)
// share.
#ifndef TILESMITH_TRANSFORMS_LOWERTOISA_VECTORGROUPS_H
#define TILESMITH_TRANSFORMS_LOWERTOISA_VECTORGROUPS_H

#include "Lowering.h"

namespace tilesmith {

// Rows and columns an operation needs; rows 0: any shape of `elements`.
struct Space {
  int64_t elements = 0, rows = 0, cols = 0;
  isa::VfWalk walk = isa::VfWalk::Full; // of a broadcast's operand
};
// Nothing: the operation is not for vector functions.
std::optional<Space> spaceOf(mlir::Operation *op);

inline bool isTile(mlir::Value value) { return llvm::isa<tile::TileType>(value.getType()); }
// A tile through the operations that only rename it.
mlir::Value rootOf(mlir::Value value);
// The tile a scalar operand was extracted from: registers can take it from there, no scalar is needed.
mlir::Value extractedFrom(mlir::Value scalar);
bool isConstant(mlir::Value value);
// Whether something outside `members` uses the value.
bool isUsedOutside(mlir::Value value, const llvm::SmallPtrSetImpl<mlir::Operation *> &members);

} // namespace tilesmith

#endif // TILESMITH_TRANSFORMS_LOWERTOISA_VECTORGROUPS_H
