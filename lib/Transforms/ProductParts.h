// Products in parts: pieces of their operands, and what happens to a part of a result on its way out of L0C.
#ifndef TILESMITH_TRANSFORMS_PRODUCTPARTS_H
#define TILESMITH_TRANSFORMS_PRODUCTPARTS_H

#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Transforms/Passes.h"
#include "llvm/Support/MathExtras.h"

namespace tilesmith {

inline int64_t toFractals(int64_t size) { return llvm::alignTo(size, isa::fractalRows); }
inline int64_t sizeOf(tile::TileType type) { return type.getElementType().getIntOrFloatBitWidth() / 8; }
inline int64_t depthOf(tile::MatmulOp product) { return product.getLhs().getType().getShape()[1]; }

// A matrix in L1 from which pieces are copied: the part of `source` that starts at `offsets`, perhaps turned on the
// way.
struct Operand {
  mlir::Value source;
  llvm::SmallVector<mlir::Value> offsets;
  isa::Memory target;
  bool turned;

  // The piece of so many rows and columns, `row` and `column` further on.
  mlir::Value piece(mlir::OpBuilder &b, mlir::Location loc, mlir::Value row, int64_t rows, mlir::Value column,
                    int64_t columns) const;
};
// None: the operand does not come from L1.
std::optional<Operand> operandOf(mlir::Value tile);

// Whether a result may leave L0C in parts: what it passes on its way to stores works on each element alone.
bool leavesInParts(mlir::Operation *op);

// Row, column, height and width of a part of a matrix.
using PartPlace = std::array<int64_t, 4>;
// What `op` does with the whole, done with the part at a place of it, before `where`; its result, if it has one.
mlir::Value leavePart(mlir::Operation *op, mlir::Value part, const PartPlace &place, mlir::Operation *where);

// The product that adds to this one's result, in the same block.
tile::MatmulOp nextProduct(tile::MatmulOp product);
// Erases the product, and copies that only it read.
void eraseProduct(tile::MatmulOp product);

} // namespace tilesmith

#endif // TILESMITH_TRANSFORMS_PRODUCTPARTS_H
