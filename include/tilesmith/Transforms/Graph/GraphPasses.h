// The passes from whole tensors to tile IR. See GraphPasses.td for the list.
#ifndef TILESMITH_TRANSFORMS_GRAPH_GRAPHPASSES_H
#define TILESMITH_TRANSFORMS_GRAPH_GRAPHPASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"
#include "tilesmith/Dialect/Asc/Asc.h"
#include "tilesmith/Dialect/Graph/Graph.h"

namespace tilesmith {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tilesmith/Transforms/Graph/GraphPasses.h.inc"

// Appends all of them to the pass manager of a module: kernels of whole tensors become kernels of tiles, others stay.
// Sparing: nothing that a product computes with stays on the chip.
void buildGraphToTilePipeline(mlir::OpPassManager &passes, bool sparing = false);

// Makes the pipeline known to tools as --graph-to-tile-ir.
void registerGraphToTilePipeline();

} // namespace tilesmith

#endif // TILESMITH_TRANSFORMS_GRAPH_GRAPHPASSES_H
