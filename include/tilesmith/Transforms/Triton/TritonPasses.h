// The passes from tiles of offsets to boxes. See TritonPasses.td for the list.
#ifndef TILESMITH_TRANSFORMS_TRITON_TRITONPASSES_H
#define TILESMITH_TRANSFORMS_TRITON_TRITONPASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"
#include "tilesmith/Dialect/Triton/Triton.h"

namespace tilesmith {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tilesmith/Transforms/Triton/TritonPasses.h.inc"

// Appends all of them to the pass manager of a module: accesses by offsets become accesses of tensors.
void buildTritonToTilePipeline(mlir::OpPassManager &passes);

// Makes the pipeline known to tools as --triton-to-tile-ir.
void registerTritonToTilePipeline();

} // namespace tilesmith

#endif // TILESMITH_TRANSFORMS_TRITON_TRITONPASSES_H
