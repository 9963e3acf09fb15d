// How often things in a vector function change: which loop of its nest they belong to.
//
// A register changes as often as the fastest changing thing it is made of. Everything that writes, counts or runs
// vector functions asks here, so that an operation is done, printed and counted in the same loop.
#ifndef TILESMITH_DIALECT_ISA_VFLEVELS_H
#define TILESMITH_DIALECT_ISA_VFLEVELS_H

#include "tilesmith/Dialect/Isa/IsaDialect.h"

namespace tilesmith::isa {

// Never, with the row, with the chunk of columns.
enum class VfLevel : uint8_t { Call, Row, Chunk };

class VfLevels {
public:
  VfLevels() = default;
  // With the walks as they are written ...
  explicit VfLevels(VfOp vf);
  // ... or as `walkOf` says for a load or store.
  VfLevels(VfOp vf, llvm::function_ref<VfWalk(mlir::Operation *)> walkOf);

  VfLevel of(mlir::Value reg) const { return registers.lookup(reg); }
  // Where the op is done: what has a result with it, a store as it walks, a reduction with every chunk.
  VfLevel of(mlir::Operation *op) const { return ops.lookup(op); }

private:
  llvm::DenseMap<mlir::Value, VfLevel> registers;
  llvm::DenseMap<mlir::Operation *, VfLevel> ops;
};

} // namespace tilesmith::isa

#endif // TILESMITH_DIALECT_ISA_VFLEVELS_H
