// Element-wise operations on tiles: what operators and builtins both mean.
#ifndef TILESMITH_LIB_FRONTEND_ASC2_ELEMENTWISE_H
#define TILESMITH_LIB_FRONTEND_ASC2_ELEMENTWISE_H

#include "Kinds.h"

#include "Python/Part.h"

namespace tilesmith::frontend::asc2 {

class Tiles;

class Elementwise {
public:
  explicit Elementwise(Tiles &tiles) : t(tiles) {}

  Value unary(tile::UnaryKind kind, const Value &operand, const Range &range);
  // At least one side is a tile.
  Value binary(tile::BinaryKind kind, Value lhs, Value rhs, const Range &range);
  Value compare(tile::CompareKind kind, Value lhs, Value rhs, const Range &range);

private:
  bool checkShift(const Value &lhs, const Value &rhs, const Range &range);
  bool unify(Value &lhs, Value &rhs, llvm::StringRef what, const Range &range);

  Tiles &t;
};

} // namespace tilesmith::frontend::asc2

#endif // TILESMITH_LIB_FRONTEND_ASC2_ELEMENTWISE_H
