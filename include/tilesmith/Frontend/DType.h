// Element types as the user names them (`asc.float16`), and their place in MLIR.
//
// Elements of tiles and tensors carry their sign in their type (`ui8`). Runtime scalars are signless integers; whether
// one is unsigned is known from its DType only.
#ifndef TILESMITH_FRONTEND_DTYPE_H
#define TILESMITH_FRONTEND_DTYPE_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace mlir {
class MLIRContext;
class Type;
} // namespace mlir

namespace tilesmith::frontend {

enum class DType : uint8_t {
  Void,
  Int1,
  Int8,
  Int16,
  Int32,
  Int64,
  UInt8,
  UInt16,
  UInt32,
  UInt64,
  Float16,
  BFloat16,
  Float32,
  Float64,
};

llvm::StringRef name(DType dtype);
std::optional<DType> parseDType(llvm::StringRef name);

unsigned bitWidth(DType dtype);
inline bool isFloat(DType dtype) { return dtype >= DType::Float16; }
inline bool isUnsigned(DType dtype) { return dtype >= DType::UInt8 && dtype <= DType::UInt64; }
inline bool isInteger(DType dtype) { return dtype != DType::Void && !isFloat(dtype); }
// The element types a tile may have; Int1 is the result of a comparison.
bool isTileElement(DType dtype);

// The type of a scalar.
mlir::Type toMlir(mlir::MLIRContext *context, DType dtype);
// The type of an element of a tile, tensor or array, and back.
mlir::Type toElement(mlir::MLIRContext *context, DType dtype);
DType fromMlir(mlir::Type type);

} // namespace tilesmith::frontend

#endif // TILESMITH_FRONTEND_DTYPE_H
