// Composed functions of two tiles as basic ones: remainders and powers. Part of expand-math.
#ifndef TILESMITH_TRANSFORMS_EXPANDBINARY_H
#define TILESMITH_TRANSFORMS_EXPANDBINARY_H

#include "TileBuilder.h"

namespace tilesmith {

bool isComposed(tile::BinaryKind kind);
// Of any element type; floats are computed in f32 and rounded once.
mlir::Value expandBinary(TileBuilder &t, tile::BinaryOp op);

} // namespace tilesmith

#endif // TILESMITH_TRANSFORMS_EXPANDBINARY_H
