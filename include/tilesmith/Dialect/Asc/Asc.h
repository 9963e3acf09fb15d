// The asc dialect: what a kernel of the asc language holds beside instructions. See AscOps.td.
#ifndef TILESMITH_DIALECT_ASC_ASC_H
#define TILESMITH_DIALECT_ASC_ASC_H

#include "tilesmith/Dialect/Isa/IsaDialect.h"

#include "tilesmith/Dialect/Asc/AscDialect.h.inc"
#define GET_OP_CLASSES
#include "tilesmith/Dialect/Asc/AscOps.h.inc"

namespace tilesmith::asc {

// On a kernel beside isa.kernel: its author wrote queues and flags, and what the vendor's compiler orders by itself is
// added.
inline constexpr llvm::StringLiteral kernelAttrName = "asc.kernel";

// It is traced to be written, not to be run: asc.write instead of calls.
inline constexpr llvm::StringLiteral writtenAttrName = "asc.written";

// Its cores wait for each other.
inline constexpr llvm::StringLiteral waitsAttrName = "asc.waits";
// Of kernels that register matrix objects: both kinds of cores run them, unless they are told otherwise.
inline constexpr llvm::StringLiteral matmulAttrName = "asc.matmul";
// The type of such a kernel: the cube core serves the vector cores of its block.
inline isa::KernelType typeWithMatmul(std::optional<isa::KernelType> said, bool cubeOnly) {
  return said.value_or(cubeOnly ? isa::KernelType::AicOnly : isa::KernelType::MixAic_1_2);
}

} // namespace tilesmith::asc

#endif // TILESMITH_DIALECT_ASC_ASC_H
