// The arrays in global memory that operations of tile IR touch.
#ifndef TILESMITH_TRANSFORMS_ARRAYS_H
#define TILESMITH_TRANSFORMS_ARRAYS_H

#include "tilesmith/Transforms/Passes.h"

namespace tilesmith {

// The tensor an operation reads or writes; null: it touches none.
mlir::Value tensorOf(mlir::Operation *op);
// Of an operation that touches a tensor.
inline bool writesTensor(mlir::Operation *op) { return !llvm::isa<tile::LoadOp, tile::GetOp, tile::GatherRowsOp>(op); }

// What holds the tensor's elements: a parameter of the kernel. Of parameters that may overlap it is the first.
mlir::Value arrayOf(mlir::Value tensor);

} // namespace tilesmith

#endif // TILESMITH_TRANSFORMS_ARRAYS_H
