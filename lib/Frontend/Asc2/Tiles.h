// What asc2 keeps about a kernel, and what its builtins share: tile types, conversions, checks of arguments.
#ifndef TILESMITH_LIB_FRONTEND_ASC2_TILES_H
#define TILESMITH_LIB_FRONTEND_ASC2_TILES_H

#include "Elementwise.h"
#include "Kinds.h"
#include "Masks.h"

#include "Python/Lowering.h"

#include "llvm/ADT/StringSwitch.h"

namespace tilesmith::frontend::asc2 {

class Tiles final : public Session {
public:
  explicit Tiles(Lowering &lowering) : Session(lowering), masks(*this), elementwise(*this) {}
  static Tiles &of(Lowering &lowering) { return static_cast<Tiles &>(lowering.session()); }

  // Arguments of builtins. Each reports what is wrong and returns nothing then.
  Value expectTile(const Arguments &args, unsigned index);
  // What to do with a value that is not a tile, as a line of help; empty: nothing is known.
  std::string toTile(const Value &value);
  Value expectTensor(const Arguments &args, unsigned index);
  std::optional<llvm::SmallVector<int64_t>> expectShape(const Argument &argument, llvm::StringRef what);
  std::optional<isa::Memory> expectLocation(const Argument &argument);
  bool checkTileType(llvm::ArrayRef<int64_t> shape, DType dtype, const Range &range);
  bool checkAlignment(llvm::ArrayRef<int64_t> shape, DType dtype, const Range &range);

  tile::TileType makeType(llvm::ArrayRef<int64_t> shape, DType dtype, isa::Memory memory = isa::Memory::UB);
  Value makeAccumulator(mlir::Value start);
  Value cast(const Value &tile, DType dtype, const Range &range);
  // The tile in UB, where element-wise operations work.
  Value toUB(const Value &tile, const Range &range);
  // The shape both broadcast to, as in NumPy; nothing after an error.
  std::optional<llvm::SmallVector<int64_t>> commonShape(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b,
                                                        llvm::StringRef what, const Range &range);
  Value broadcast(const Value &tile, llvm::ArrayRef<int64_t> shape, const Range &range);
  // The element type of `lhs op rhs` (both tiles or both numeric); nothing after an error.
  std::optional<DType> promote(DType lhs, DType rhs, llvm::StringRef what, const Range &range);

  Masks masks;
  Elementwise elementwise;
};

// The builtin a function on tiles is.
template <Value (*lower)(Tiles &, const Arguments &)> Value on(Lowering &l, const Arguments &args) {
  return lower(Tiles::of(l), args);
}

// What Python declares: signatures, and the builtins behind methods ("sum" to "asc2.reduce_sum"; empty: none).
llvm::ArrayRef<Declaration> declarations();
llvm::StringRef tileMethod(llvm::StringRef name);
llvm::StringRef shapeMethod(llvm::StringRef name);
std::vector<std::string> tileMethodNames();

// The tile with its axes in another order; none given: reversed.
Value transposed(Tiles &t, Value tile, llvm::ArrayRef<int64_t> axes, const Range &range);

llvm::ArrayRef<Builtin::Row> tensorBuiltins();
llvm::ArrayRef<Builtin::Row> memoryBuiltins();
llvm::ArrayRef<Builtin::Row> elementwiseBuiltins();
llvm::ArrayRef<Builtin::Row> reduceBuiltins();
llvm::ArrayRef<Builtin::Row> shapeBuiltins();
llvm::ArrayRef<Builtin::Row> indexBuiltins();
llvm::ArrayRef<Builtin::Row> matmulBuiltins();
llvm::ArrayRef<Builtin::Row> maskBuiltins();
llvm::ArrayRef<Builtin::Row> printBuiltins();
llvm::ArrayRef<Builtin::Row> rangeBuiltins();

} // namespace tilesmith::frontend::asc2

#endif // TILESMITH_LIB_FRONTEND_ASC2_TILES_H
