// The operations a received tile goes through, as the body of a loop over groups of its rows.
#ifndef TILESMITH_TRANSFORMS_ROWGROUP_H
#define TILESMITH_TRANSFORMS_ROWGROUP_H

#include "Axes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include <memory>

namespace tilesmith {

// Whether the load takes a tile out of a channel.
bool isReceived(tile::LoadOp load);

class RowGroup {
public:
  RowGroup(tile::LoadOp load, const Axes &axes, int64_t parts);

  // Whether it can be done part by part.
  explicit operator bool() const { return possible; }

  bool contains(mlir::Operation *op) const { return ops.contains(op); }
  bool sharesWith(const RowGroup &other) const;

  // Bytes of UB a part takes: of tiles that live at once, and of second ones of each that comes or goes.
  int64_t live() const;
  int64_t rings() const;
  // Bytes of whole tiles that only this loop needs.
  int64_t kept() const;

  // Puts the operations one behind the other, as a vector function likes them, where they stay whole.
  void gather();
  // Makes the loop. What the other groups read of its tiles is what the loop leaves.
  void rewrite(llvm::ArrayRef<std::unique_ptr<RowGroup>> groups);

  tile::LoadOp load;
  int64_t parts;

private:
  // Tiles of which the loop reads, or makes, some rows at a time; of those it makes, the tile in whose place.
  struct Border {
    llvm::SetVector<mlir::Value> entering, leaving;
    llvm::DenseMap<mlir::Value, mlir::Value> place;
  };

  llvm::SetVector<mlir::Operation *> reach(const Axes &axes) const;
  void takeOperands(const Axes &axes);
  llvm::DenseSet<mlir::Value> inRegisters() const;
  bool isInside(mlir::Value value) const;
  bool takesPlace(mlir::Operation *op, const llvm::DenseMap<mlir::Value, mlir::Operation *> &last) const;
  llvm::SmallVector<mlir::Operation *> behind() const;
  llvm::SmallVector<mlir::Operation *> movingBehind() const;
  bool isApart() const;
  Border borderOf() const;
  bool borderIsOfRows() const;

  llvm::SetVector<mlir::Operation *> ops;
  llvm::DenseMap<mlir::Value, int64_t> axisOf; // of tiles that are taken apart
  bool possible = false;
};

} // namespace tilesmith

#endif // TILESMITH_TRANSFORMS_ROWGROUP_H
