// The kinds of values asc2 adds to Python.
#ifndef TILESMITH_LIB_FRONTEND_ASC2_KINDS_H
#define TILESMITH_LIB_FRONTEND_ASC2_KINDS_H

#include "Python/Kind.h"

#include "tilesmith/Dialect/Tile/Tile.h"

namespace tilesmith::frontend::asc2 {

namespace kinds {
extern const Kind *const tile;        // a value in on-chip memory
extern const Kind *const accumulator; // result of zeros_acc: a cell that matmul_acc writes
extern const Kind *const tensor;      // an array in global memory; items: its dims
extern const Kind *const mask;        // asc2.mask(...); items: count, bits, other, each or None
} // namespace kinds

inline bool isTile(const Value &value) { return value.is(kinds::tile); }
inline tile::TileType tileType(const Value &tile) { return llvm::cast<tile::TileType>(tile.ir.getType()); }
inline llvm::ArrayRef<int64_t> shapeOf(const Value &tile) { return tileType(tile).getShape(); }
inline DType elementType(const Value &tile) { return fromMlir(tileType(tile).getElementType()); }

Value ofTile(mlir::Value ir);
Value ofAccumulator(unsigned cell);
// The dimensions of a tile or tensor: a tuple with methods of its own.
Value ofShape(llvm::ArrayRef<Value> dims);
// `layout`: its dimensions, and how it lies in memory (Tensors.h).
struct Layout;
Value ofTensor(mlir::Value ir, DType dtype, std::shared_ptr<Layout> layout);

// "[4, 64]"
std::string formatShape(llvm::ArrayRef<int64_t> shape);

} // namespace tilesmith::frontend::asc2

#endif // TILESMITH_LIB_FRONTEND_ASC2_KINDS_H
