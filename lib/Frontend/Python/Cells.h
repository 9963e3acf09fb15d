// Values that change in place. A cell holds the IR value such a value has now; a builtin replaces it, and every name
// bound to the value sees the new one. Control flow carries the cells that change in it.
#ifndef TILESMITH_LIB_FRONTEND_PYTHON_CELLS_H
#define TILESMITH_LIB_FRONTEND_PYTHON_CELLS_H

#include "mlir/IR/Value.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace tilesmith::frontend {

class Cells {
public:
  struct Cell {
    mlir::Value value;
    llvm::StringLiteral noun; // as messages name it: "an accumulator"
    bool operator==(const Cell &other) const { return value == other.value; }
  };
  using State = llvm::SmallVector<Cell>;

  unsigned make(mlir::Value value, llvm::StringLiteral noun) {
    cells.push_back({value, noun});
    return cells.size() - 1;
  }
  size_t size() const { return cells.size(); }
  mlir::Value get(unsigned cell) const { return cells[cell].value; }
  llvm::StringRef noun(unsigned cell) const { return cells[cell].noun; }
  void set(unsigned cell, mlir::Value value) { cells[cell].value = value; }

  // At a branch: all cells as they are, and back to them. Cells made since are gone then.
  const State &state() const { return cells; }
  void restore(const State &state) { cells = state; }
  // The first cell of `before` that has changed since; none: its size.
  unsigned firstChanged(const State &before) const {
    unsigned cell = 0;
    while (cell < before.size() && before[cell] == cells[cell])
      ++cell;
    return cell;
  }

private:
  State cells;
};

} // namespace tilesmith::frontend

#endif // TILESMITH_LIB_FRONTEND_PYTHON_CELLS_H
