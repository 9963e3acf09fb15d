// What the tools that read IR know: the dialects, the passes and the pipeline.
#ifndef TILESMITH_TOOLS_REGISTRATION_H
#define TILESMITH_TOOLS_REGISTRATION_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/Passes.h"
#include "tilesmith/Dialect/Isa/IsaDialect.h"
#include "tilesmith/Dialect/Tile/Tile.h"
#include "tilesmith/Target/AscendC/Emit.h"
#include "tilesmith/Target/Host/LowerToLLVM.h"
#include "tilesmith/Transforms/Graph/GraphPasses.h"
#include "tilesmith/Transforms/Passes.h"
#include "tilesmith/Transforms/Pipeline.h"
#include "tilesmith/Transforms/Plan/PlanPasses.h"
#include "tilesmith/Transforms/Triton/TritonPasses.h"

namespace tilesmith {

inline void registerTilesmith(mlir::DialectRegistry &registry) {
  registry.insert<mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::scf::SCFDialect, tile::TileDialect,
                  graph::GraphDialect, triton::TritonDialect, isa::IsaDialect, asc::AscDialect>();
  mlir::registerTransformsPasses();
  ascendc::registerEmitAscendCPass();
  host::registerLowerIsaToLLVMPass();
  registerTilesmithPlanPasses();
  registerTilesmithPasses();
  registerTilesmithGraphPasses();
  registerGraphToTilePipeline();
  registerTilesmithTritonPasses();
  registerTritonToTilePipeline();
  registerTileToIsaPipeline();
}

} // namespace tilesmith

#endif // TILESMITH_TOOLS_REGISTRATION_H
