#include "tilesmith/Transforms/Pipeline.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "tilesmith/Transforms/Passes.h"
#include "tilesmith/Transforms/Plan/PlanPasses.h"

using namespace mlir;

namespace tilesmith {

// The smallest part of each architecture.
static int64_t defaultCapacity(isa::Arch arch, isa::Memory memory) {
  bool c310 = arch == isa::Arch::C310;
  switch (memory) {
  case isa::Memory::UB:
    return c310 ? 253952 : 196608;
  case isa::Memory::L1:
    return 524288;
  case isa::Memory::L0A:
  case isa::Memory::L0B:
    return 65536;
  case isa::Memory::L0C:
    return c310 ? 262144 : 131072;
  default:
    return 0;
  }
}

int64_t PipelineOptions::capacityOf(isa::Memory memory) const {
  int64_t bytes = capacity[unsigned(memory)];
  return bytes ? bytes : defaultCapacity(arch, memory);
}

static std::unique_ptr<Pass> planMemory(const PipelineOptions &options) {
  auto capacity = [&](isa::Memory memory) { return options.capacityOf(memory); };
  return createPlanMemory({options.platform, capacity(isa::Memory::UB), capacity(isa::Memory::L1),
                           capacity(isa::Memory::L0A), capacity(isa::Memory::L0B), capacity(isa::Memory::L0C),
                           options.bankGroups, options.bankBytes, options.kernel});
}

void buildTileToIsaPipeline(OpPassManager &passes, const PipelineOptions &options) {
  passes.addPass(createInlineDeviceFunctions());
  OpPassManager &kernel = passes.nest<func::FuncOp>();
  std::string arch(isa::stringify(options.arch));
  auto capacity = [&](isa::Memory memory) { return options.capacityOf(memory); };

  // Offsets and bounds the front end left as arithmetic of constants decide which tests can be left out.
  GreedyRewriteConfig once;
  once.setMaxIterations(2).setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  kernel.addPass(createCanonicalizerPass(once));
  const KernelOptions &wanted = options.kernel;
  bool insertSync = wanted.insertSync.value_or(true);
  kernel.addPass(createUnrollLoops({wanted}));
  kernel.addPass(createSplitBatches({wanted}));
  kernel.addPass(createExpandIndices({wanted}));
  kernel.addPass(createExpandMath({wanted}));
  kernel.addPass(createLegaliseDtypes({arch, wanted}));
  kernel.addPass(createCSEPass());
  kernel.addPass(createHandOver({wanted}));
  if (wanted.optLevel >= 2)
    kernel.addPass(createSkewLoops({/*ahead=*/options.arch == isa::Arch::C310, wanted}));
  passes.addPass(createSplitCores({wanted}));
  passes.addNestedPass<func::FuncOp>(createSplitRows({wanted}));
  if (options.direct)
    passes.addPass(createDirectChannels({arch, capacity(isa::Memory::UB), capacity(isa::Memory::L1), wanted}));
  OpPassManager &half = passes.nest<func::FuncOp>();
  half.addPass(createLowerChannels({arch, wanted}));
  half.addPass(createChunkTiles({capacity(isa::Memory::UB), wanted}));
  half.addPass(createPlace({arch, wanted}));
  if (wanted.optLevel >= 2) {
    half.addPass(createDeepenLoads({arch, capacity(isa::Memory::L1), wanted}));
    half.addPass(createDivideLoads({arch, capacity(isa::Memory::L1), wanted}));
  }
  half.addPass(createDivideResults({capacity(isa::Memory::L0C), wanted}));
  half.addPass(createSplitProducts(
      {arch, capacity(isa::Memory::L0A), capacity(isa::Memory::L0B), capacity(isa::Memory::L0C), wanted}));
  half.addPass(createLowerToIsa({arch, wanted}));
  half.addPass(createCSEPass());
  half.addPass(createLoopInvariantCodeMotionPass());
  if (wanted.optLevel >= 2) {
    half.addPass(createFlattenLoops({capacity(isa::Memory::L0C), wanted}));
    half.addPass(createPreloadTiles({capacity(isa::Memory::L1), wanted}));
    half.addPass(createPipelineLoops({/*slots=*/2, wanted}));
  }
  half.addPass(planMemory(options));
  if (insertSync || wanted.autoSync)
    half.addPass(createSynchronise({/*withinVector=*/!insertSync, wanted}));
  if (insertSync && options.verifySync)
    half.addPass(createVerifySynchronise({wanted}));
  if (insertSync && wanted.withoutSync)
    half.addPass(createLeaveOutSync({wanted}));
  passes.addPass(createJoinCores());
  passes.addNestedPass<func::FuncOp>(createVerifyCrossFlags());
}

void buildAscToIsaPipeline(OpPassManager &passes, const PipelineOptions &options) {
  OpPassManager &kernel = passes.nest<func::FuncOp>();
  GreedyRewriteConfig once;
  once.setMaxIterations(2).setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  kernel.addPass(createCanonicalizerPass(once));
  kernel.addPass(createCSEPass());
  const KernelOptions &wanted = options.kernel;
  kernel.addPass(createAscToIsa({std::string(isa::stringify(options.arch)), wanted}));
  // Buffers without an address are the planner's, and whoever leaves the placing to it leaves the order to it, too.
  kernel.addPass(planMemory(options));
  if (wanted.insertSync.value_or(options.placesBuffers))
    kernel.addPass(createSynchronise({/*withinVector=*/false, wanted}));
}

namespace {
struct PipelineFlags : PassPipelineOptions<PipelineFlags> {
  Option<std::string> arch{*this, "arch", llvm::cl::desc("C220 or C310"), llvm::cl::init("C220")};
  Option<KernelOptions> kernel{*this, "options", llvm::cl::desc("options of kernels by the names of docs/options.md")};
  Option<bool> verifySync{*this, "verify-sync", llvm::cl::desc("replay the flags"), llvm::cl::init(false)};
};
} // namespace

void registerTileToIsaPipeline() {
  PassPipelineRegistration<PipelineFlags>(
      "tile-to-isa", "the whole road from tile IR to isa IR", [](OpPassManager &passes, const PipelineFlags &flags) {
        PipelineOptions options;
        options.arch = isa::symbolize<isa::Arch>(flags.arch.getValue()).value_or(isa::Arch::C220);
        options.kernel = flags.kernel;
        options.verifySync = flags.verifySync;
        buildTileToIsaPipeline(passes, options);
      });
}

} // namespace tilesmith
