#include "tilesmith/Transforms/Graph/GraphPasses.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace tilesmith {

void buildGraphToTilePipeline(OpPassManager &passes, bool sparing) {
  OpPassManager &kernel = passes.nest<func::FuncOp>();
  kernel.addPass(createCheckWritten());
  kernel.addPass(createCanonicalizerPass()); // what the front end left as arithmetic of constants
  kernel.addPass(createCSEPass());
  kernel.addPass(createExpandComposites());
  kernel.addPass(createCutGrids({/*open=*/true}));
  kernel.addPass(createChunkReductions());
  kernel.addPass(createSpillTensors());
  kernel.addPass(createFindIndependent());
  kernel.addPass(createCutGrids());
  kernel.addPass(
      createSpillTensors({/*products=*/true, /*most=*/sparing ? 0 : 1 << 16})); // what cutting has left too large
  kernel.addPass(createCutGrids());
  kernel.addPass(createDistribute());
  kernel.addPass(createGraphToTile());
}

void registerGraphToTilePipeline() {
  PassPipelineRegistration<>("graph-to-tile-ir", "the whole road from whole tensors to tile IR",
                             [](OpPassManager &passes) { buildGraphToTilePipeline(passes); });
}

} // namespace tilesmith
