// What tiles of integers and masks describe, read off the operations that made them.
//
// Analyse pointers: a tile of integers is a start and one stride for each dimension, plus tiles that are not described
// further. The sum of all of it is the tile, element by element.
//
// Analyse masks: a mask is an interval for each dimension, a condition for all of it, and truth values that are not
// described further. An element is chosen where all of these choose it.
#ifndef TILESMITH_LIB_TRANSFORMS_TRITON_POINTERS_H
#define TILESMITH_LIB_TRANSFORMS_TRITON_POINTERS_H

#include "Numbers.h"

namespace tilesmith::triton {

// A tile times a number. The tile has the rank of what it is part of; along axes of size 1 it is repeated.
struct Rest {
  mlir::Value tile;
  Int scale = 1;
  bool dependsOn(int64_t dim) const { return llvm::cast<tile::TileType>(tile.getType()).getShape()[dim] != 1; }
};

struct Positions {
  Int start;
  llvm::SmallVector<Int> strides;
  llvm::SmallVector<Rest> rest;

  bool isUniform() const {
    return rest.empty() && llvm::all_of(strides, [](const Int &stride) { return stride.is(0); });
  }
};

struct Choice {
  struct Interval {
    Int low, high;
    bool bounded = false;
  };
  llvm::SmallVector<Interval> intervals;
  mlir::Value condition; // i1; none: true
  llvm::SmallVector<Rest> rest;
};

class Reader {
public:
  // New operations are built where `b` stands, which everything that is read must dominate.
  Reader(mlir::OpBuilder &b, mlir::Location loc) : n(b, loc) {}

  Positions positions(mlir::Value tile);
  // No mask chooses everything.
  Choice choice(mlir::Value mask, llvm::ArrayRef<int64_t> shape);

  Numbers n;

private:
  Positions opaque(mlir::Value tile);
  Positions sum(mlir::Value lhs, mlir::Value rhs, llvm::ArrayRef<int64_t> shape, bool minus);
  Positions operand(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  std::optional<Positions> reshaped(tile::ReshapeOp op);
  bool addComparison(Choice &into, tile::CompareOp op, llvm::ArrayRef<int64_t> dims);
  void collect(Choice &into, mlir::Value mask, llvm::SmallVector<int64_t> dims);
};

} // namespace tilesmith::triton

#endif // TILESMITH_LIB_TRANSFORMS_TRITON_POINTERS_H
