// asc2.mask: element-wise operations on some elements of a tile.
//
// Inside a mask the result of an element-wise operation is selected: elements the mask does not choose become `other`.
// Stores carry the choice themselves, as an element that is not chosen must not even be written with what it was. Masks
// inside masks choose what all of them choose; the innermost `other` counts.
#ifndef TILESMITH_LIB_FRONTEND_ASC2_MASKS_H
#define TILESMITH_LIB_FRONTEND_ASC2_MASKS_H

#include "Kinds.h"

#include "Python/Part.h"

namespace tilesmith::frontend::asc2 {

class Tiles;

class Masks {
public:
  explicit Masks(Tiles &tiles) : t(tiles) {}

  bool enter(const Value &mask, const Range &range);
  void leave() { masks.pop_back(); }

  bool isActive() const { return !masks.empty(); }
  // The result of an element-wise operation under the mask. Outside of masks this does nothing.
  Value apply(const Value &result, const Range &range);
  // What is built for one number: it is the element 0 of its tile.
  void whenFirstChosen(const Range &range, llvm::function_ref<void()> build);
  // What a store carries; null where there is none.
  mlir::Value count() const { return masks.empty() ? mlir::Value() : masks.back().count; }
  mlir::DenseI64ArrayAttr words() const;

private:
  // Together with those around it: which elements it chooses, and what the others become.
  struct Mask {
    mlir::Value count;               // the first so many, or null
    std::optional<llvm::APInt> bits; // those with their bit set
    Value other;
    Range otherRange;
  };

  Tiles &t;
  llvm::SmallVector<Mask, 2> masks; // innermost last
};

} // namespace tilesmith::frontend::asc2

#endif // TILESMITH_LIB_FRONTEND_ASC2_MASKS_H
