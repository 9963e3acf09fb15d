// The tile dialect: kernels as the user wrote them. See TileOps.td.
//
// A kernel is a func.func with the unit attribute `tile.kernel`; array parameters are !tile.ptr, scalars builtin types.
// scf.for may carry `tile.unroll_factor` (i64) and `tile.parallel` (unit).
#ifndef TILESMITH_DIALECT_TILE_TILE_H
#define TILESMITH_DIALECT_TILE_TILE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tilesmith/Isa/Isa.h"

#include "tilesmith/Dialect/Tile/TileDialect.h.inc"
#include "tilesmith/Dialect/Tile/TileEnums.h.inc"
#define GET_TYPEDEF_CLASSES
#include "tilesmith/Dialect/Tile/TileTypes.h.inc"
#define GET_OP_CLASSES
#include "tilesmith/Dialect/Tile/TileOps.h.inc"

namespace tilesmith::tile {

// The type of a scalar of an element type: integers are signless outside tiles.
inline mlir::Type scalarTypeOf(mlir::Type elementType) {
  auto integer = mlir::dyn_cast<mlir::IntegerType>(elementType);
  return integer ? mlir::IntegerType::get(elementType.getContext(), integer.getWidth()) : elementType;
}

inline constexpr llvm::StringLiteral kernelAttrName = "tile.kernel";
inline constexpr llvm::StringLiteral breakpointsAttrName = "tile.breakpoints"; // its source has asc2.breakpoint()
inline constexpr llvm::StringLiteral mixedAttrName =
    "tile.mixed"; // it needs both kinds of cores, and channels are there
inline constexpr llvm::StringLiteral unrollFactorAttrName = "tile.unroll_factor";
inline constexpr llvm::StringLiteral parallelAttrName = "tile.parallel";

} // namespace tilesmith::tile

#endif // TILESMITH_DIALECT_TILE_TILE_H
