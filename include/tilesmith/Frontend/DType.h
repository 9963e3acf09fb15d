// Element types as the user names them (`asc.float16`), and their place in MLIR.
//
// Elements of tiles and tensors carry their sign in their type (`ui8`). Runtime scalars are signless integers; whether
// one is unsigned is known from its DType only.
#ifndef TILESMITH_FRONTEND_DTYPE_H
#define TILESMITH_FRONTEND_DTYPE_H

#include "tilesmith/Isa/DType.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace mlir {
class MLIRContext;
class Type;
} // namespace mlir

namespace tilesmith::frontend {

using isa::DType;
using isa::isFloat, isa::isInteger, isa::isUnsigned;

llvm::StringRef name(DType dtype);
std::optional<DType> parseDType(llvm::StringRef name);

inline unsigned bitWidth(DType dtype) { return isa::bitsOf(dtype); }
// The element types a tile may have; I1 is the result of a comparison.
inline bool isTileElement(DType dtype) { return isa::infoOf(dtype).use == isa::DTypeUse::Tiles; }

// The type of a scalar.
mlir::Type toMlir(mlir::MLIRContext *context, DType dtype);
// The type of an element of a tile, tensor or array, and back.
mlir::Type toElement(mlir::MLIRContext *context, DType dtype);
DType fromMlir(mlir::Type type);

} // namespace tilesmith::frontend

#endif // TILESMITH_FRONTEND_DTYPE_H
