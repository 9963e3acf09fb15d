// Along which axis tiles of a function may be taken apart, so that each part is computed from parts.
//
// From some tiles whose axis is given, axes follow through element-wise operations, broadcasts, reductions over other
// axes, loops and branches. A tile without one is whole: an operation needs all of its elements, or nothing ties it to
// a tile that has one. Loads, stores and channels take any part.
#ifndef TILESMITH_TRANSFORMS_AXES_H
#define TILESMITH_TRANSFORMS_AXES_H

#include "tilesmith/Transforms/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tilesmith {

class Axes {
public:
  static constexpr int64_t whole = -1;

  // `seeds`: tiles with the axis they should have. All axes have a size that `parts` divides.
  Axes(mlir::func::FuncOp function, llvm::ArrayRef<std::pair<mlir::Value, int64_t>> seeds, int64_t parts);

  int64_t of(mlir::Value tile) const;

private:
  // Two values of which one axis decides the other's: as operand and result of an operation, or as one value under two
  // names. `map[a]` is the second's axis for axis a of the first; whole: that axis cannot be taken apart.
  struct Tie {
    mlir::Value first, second;
    llvm::SmallVector<int64_t> map;
    bool always; // otherwise the second may be in parts while the first is whole
  };

  void tie(mlir::Value first, mlir::Value second, llvm::SmallVector<int64_t> map, bool always = true);
  void same(mlir::Value first, mlir::Value second);
  void tie(mlir::Operation *op);
  void tieReduction(tile::ReduceOp op);
  void tieBroadcast(tile::BroadcastOp op);
  void propose(mlir::Value value, int64_t axis);
  void settle();

  int64_t parts;
  std::vector<Tie> ties;
  llvm::DenseSet<mlir::Value> kept; // whole in any case
  llvm::DenseMap<mlir::Value, int64_t> axes;
};

} // namespace tilesmith

#endif // TILESMITH_TRANSFORMS_AXES_H
