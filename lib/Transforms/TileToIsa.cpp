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

void buildTileToIsaPipeline(OpPassManager &passes, const PipelineOptions &options) {
  passes.addPass(createInlineDeviceFunctions());
  OpPassManager &kernel = passes.nest<func::FuncOp>();
  std::string arch(isa::stringify(options.arch));
  auto capacity = [&](isa::Memory memory) {
    int64_t bytes = options.capacity[unsigned(memory)];
    return bytes ? bytes : defaultCapacity(options.arch, memory);
  };

  // Offsets and bounds the front end left as arithmetic of constants decide which tests can be left out.
  GreedyRewriteConfig once;
  once.setMaxIterations(2).setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  kernel.addPass(createCanonicalizerPass(once));
  kernel.addPass(createUnrollLoops());
  kernel.addPass(createExpandMath());
  kernel.addPass(createLegaliseDtypes({arch}));
  kernel.addPass(createCSEPass());
  kernel.addPass(createPlace({arch}));
  kernel.addPass(createLowerToIsa({arch, options.vfFusion}));
  kernel.addPass(createCSEPass());
  kernel.addPass(createLoopInvariantCodeMotionPass());
  if (options.slots > 1)
    kernel.addPass(createPipelineLoops({options.slots}));
  kernel.addPass(createPlanMemory({options.platform, capacity(isa::Memory::UB), capacity(isa::Memory::L1),
                                   capacity(isa::Memory::L0A), capacity(isa::Memory::L0B), capacity(isa::Memory::L0C),
                                   options.reuse, options.reuseInOut}));
  if (options.insertSync || options.autoSync)
    kernel.addPass(createSynchronise({/*withinVector=*/!options.insertSync}));
  if (options.insertSync && options.verifySync)
    kernel.addPass(createVerifySynchronise());
  if (options.insertSync && options.withoutSync >= 0)
    kernel.addPass(createLeaveOutSync({options.withoutSync}));
}

namespace {
struct PipelineFlags : PassPipelineOptions<PipelineFlags> {
  Option<std::string> arch{*this, "arch", llvm::cl::desc("C220 or C310"), llvm::cl::init("C220")};
  Option<bool> fuse{*this, "fuse", llvm::cl::desc("join operations into vector functions"), llvm::cl::init(true)};
  Option<int64_t> slots{*this, "slots", llvm::cl::desc("buffers per ring in pipelined loops"), llvm::cl::init(2)};
  Option<bool> sync{*this, "sync", llvm::cl::desc("make dependencies between pipes explicit"), llvm::cl::init(true)};
  Option<bool> autoSync{*this, "auto-sync", llvm::cl::desc("without sync: only within the vector pipe"),
                        llvm::cl::init(false)};
  Option<bool> verifySync{*this, "verify-sync", llvm::cl::desc("replay the flags"), llvm::cl::init(false)};
};
} // namespace

void registerTileToIsaPipeline() {
  PassPipelineRegistration<PipelineFlags>(
      "tile-to-isa", "the whole road from tile IR to isa IR", [](OpPassManager &passes, const PipelineFlags &flags) {
        PipelineOptions options;
        options.arch = isa::symbolize<isa::Arch>(flags.arch.getValue()).value_or(isa::Arch::C220);
        options.vfFusion = flags.fuse;
        options.slots = flags.slots;
        options.insertSync = flags.sync;
        options.autoSync = flags.autoSync;
        options.verifySync = flags.verifySync;
        buildTileToIsaPipeline(passes, options);
      });
}

} // namespace tilesmith
