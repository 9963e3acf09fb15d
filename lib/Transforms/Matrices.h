// Tiles on their way into matrix products, as far as tile IR tells.
#ifndef TILESMITH_TRANSFORMS_MATRICES_H
#define TILESMITH_TRANSFORMS_MATRICES_H

#include "tilesmith/Transforms/Passes.h"

namespace tilesmith {

inline isa::Memory memoryOf(mlir::Value tile) { return mlir::cast<tile::TileType>(tile.getType()).getMemory(); }

// Views of matrices only drop or add dimensions of size 1 in front.
bool isMatrixView(tile::ReshapeOp op);

// What a view of a matrix is a view of, through views of views.
mlir::Value behindViews(mlir::Value tile);

// A transpose of matrices, whatever stands before the last two dimensions: products can read past it.
bool turnsMatrix(tile::TransposeOp op);
// What a tile is a view of, through transposes of matrices, too; and whether their number is odd.
std::pair<mlir::Value, bool> behindTurns(mlir::Value tile);

// An operation after which products still read the same matrix: a view, or one that turns it.
bool isSameMatrix(mlir::Operation *op);

// A tile that products read, through operations that only drop leading dimensions of size 1 or turn matrices, and
// nothing else.
bool feedsOnlyProducts(mlir::Value tile);
// The first reader of the tile that is none of these; null: there is none.
mlir::Operation *readerBesidesProducts(mlir::Value tile);

// Rows and columns of a matrix in L1 are rounded up to this: 16 of them, and as many as lie in 32 bytes, because
// matrices are turned in squares.
int64_t matrixUnit(mlir::Type element);
// Whether what a load finds outside its tensor is zero, which adds nothing to a product.
bool padsWithZero(tile::LoadOp load);
// Bytes of the matrix in L1.
int64_t bytesInL1(tile::TileType type);

// Puts a loaded tile somewhere else, with its views.
void moveTo(mlir::Value tile, isa::Memory memory);

} // namespace tilesmith

#endif // TILESMITH_TRANSFORMS_MATRICES_H
