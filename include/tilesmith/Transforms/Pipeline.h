// The road from tile IR to isa IR: which passes, in which order.
#ifndef TILESMITH_TRANSFORMS_PIPELINE_H
#define TILESMITH_TRANSFORMS_PIPELINE_H

#include "tilesmith/Isa/Isa.h"
#include "tilesmith/Options/Options.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <string>

namespace mlir {
class OpPassManager;
}

namespace tilesmith {

struct PipelineOptions {
  isa::Arch arch = isa::Arch::C220;
  std::string platform;                              // name of the chip, for messages
  std::array<int64_t, isa::numMemory> capacity = {}; // bytes per memory; 0: the smallest part of the architecture
  int64_t bankGroups = 0;                            // of UB; 0: no matter where buffers start
  int64_t bankBytes = 0;                             // that have one bank in each group
  KernelOptions kernel;                              // what the user said; every pass reads its own
  bool verifySync = false;                           // replay the flags of every kernel; slow
  bool direct = true;                                // tiles may cross from memory to memory of a block's cores
  bool placesBuffers = false;                        // a kernel of asc leaves buffers to the planner

  int64_t capacityOf(isa::Memory memory) const;
};

// Appends everything to a module's pass manager. The module's functions with `tile.kernel` become kernels of isa IR.
void buildTileToIsaPipeline(mlir::OpPassManager &passes, const PipelineOptions &options);

// The same for kernels of the asc language, whose authors wrote instructions, addresses and flags themselves.
void buildAscToIsaPipeline(mlir::OpPassManager &passes, const PipelineOptions &options);

// Makes the pipeline known to tools as --tile-to-isa.
void registerTileToIsaPipeline();

} // namespace tilesmith

#endif // TILESMITH_TRANSFORMS_PIPELINE_H
