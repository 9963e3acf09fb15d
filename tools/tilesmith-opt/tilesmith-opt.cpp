// tilesmith-opt: runs passes on tile and isa IR given as text.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "tilesmith/Dialect/Isa/IsaDialect.h"
#include "tilesmith/Dialect/Tile/Tile.h"
#include "tilesmith/Target/AscendC/Emit.h"
#include "tilesmith/Target/Host/LowerToLLVM.h"
#include "tilesmith/Transforms/Passes.h"
#include "tilesmith/Transforms/Pipeline.h"
#include "tilesmith/Transforms/Plan/PlanPasses.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::scf::SCFDialect,
                  tilesmith::tile::TileDialect, tilesmith::isa::IsaDialect>();
  mlir::registerTransformsPasses();
  tilesmith::ascendc::registerEmitAscendCPass();
  tilesmith::host::registerLowerIsaToLLVMPass();
  tilesmith::registerTilesmithPlanPasses();
  tilesmith::registerTilesmithPasses();
  tilesmith::registerTileToIsaPipeline();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "Tilesmith optimizer driver\n", registry));
}
