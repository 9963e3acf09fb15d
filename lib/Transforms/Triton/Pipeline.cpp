#include "tilesmith/Transforms/Triton/TritonPasses.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace tilesmith {

void buildTritonToTilePipeline(OpPassManager &passes) {
  OpPassManager &kernel = passes.nest<func::FuncOp>();
  kernel.addPass(createCanonicalizerPass()); // what the front end left as arithmetic of constants
  kernel.addPass(createCSEPass());
  kernel.addPass(createVersionWraps());
  kernel.addPass(createOrderPrograms());
  kernel.addPass(createCarryScalars());
  kernel.addPass(createLowerAccesses());
  kernel.addPass(createCanonicalizerPass()); // offsets and masks that nothing reads any more
  kernel.addPass(createCSEPass());
  kernel.addPass(createFormAccumulators());
}

void registerTritonToTilePipeline() {
  PassPipelineRegistration<>("triton-to-tile-ir", "the whole road from tiles of offsets to tile IR",
                             [](OpPassManager &passes) { buildTritonToTilePipeline(passes); });
}

} // namespace tilesmith
