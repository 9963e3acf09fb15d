// How a tensor lies in memory, when its strides are given.
//
// Tile IR has tensors whose last dimension is dense. One whose elements lie next to each other along another dimension
// is described with that dimension last, and its tiles are transposed on the way in and out; one without such a
// dimension gets a last dimension of size 1. Names, shapes and offsets of the user keep their own order.
#ifndef TILESMITH_LIB_FRONTEND_ASC2_TENSORS_H
#define TILESMITH_LIB_FRONTEND_ASC2_TENSORS_H

#include "Kinds.h"

namespace tilesmith::frontend::asc2 {

class Tiles;

struct Layout : Parts {
  // Of a tensor; one without strides is dense and in order.
  static const Layout &of(const Value &tensor);

  llvm::SmallVector<int64_t> order; // the user's dimension that stands at each place; empty: as the user has them
  bool hasUnit = false;             // a dimension of size 1 follows

  llvm::SmallVector<int64_t> shape(llvm::ArrayRef<int64_t> shape) const;
  llvm::SmallVector<mlir::Value> offsets(Tiles &t, llvm::ArrayRef<mlir::Value> offsets, const Range &range) const;
  // A loaded tile as the user sees it, and a tile of the user as it is stored.
  Value tile(Tiles &t, mlir::Value loaded, llvm::ArrayRef<int64_t> shape, const Range &range) const;
  mlir::Value stored(Tiles &t, const Value &tile, const Range &range) const;

  // Each reports what is wrong.
  bool checkAlignment(Tiles &t, llvm::ArrayRef<int64_t> shape, DType dtype, const Range &range) const;
  bool checkLocation(Tiles &t, isa::Memory memory, const Range &range) const;
  bool checkMask(Tiles &t, const Range &range) const;
};

} // namespace tilesmith::frontend::asc2

#endif // TILESMITH_LIB_FRONTEND_ASC2_TENSORS_H
