// The road from tile IR to isa IR: which passes, in which order.
#ifndef TILESMITH_TRANSFORMS_PIPELINE_H
#define TILESMITH_TRANSFORMS_PIPELINE_H

#include "tilesmith/Isa/Isa.h"
#include "tilesmith/Transforms/Plan/Reuse.h"
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
  int64_t slots = 2;                                 // buffers per ring in pipelined loops; 1: no pipelining
  bool vfFusion = true;                              // C310: join operations into vector functions
  Reuse reuse = Reuse::UnderPressure;                // buffers in UB
  Reuse reuseInOut = Reuse::UnderPressure;           // those of them that are loaded from or stored to global memory
  bool insertSync = true;
  bool autoSync = true;     // without insertSync: order within the vector pipe, as the vendor's compiler does
  bool verifySync = false;  // replay the flags of every kernel; slow
  int64_t withoutSync = -1; // leave out this synchronisation of the finished kernel; negative: none
};

// Appends everything to a module's pass manager. The module's functions with `tile.kernel` become kernels of isa IR.
void buildTileToIsaPipeline(mlir::OpPassManager &passes, const PipelineOptions &options);

// Makes the pipeline known to tools as --tile-to-isa.
void registerTileToIsaPipeline();

} // namespace tilesmith

#endif // TILESMITH_TRANSFORMS_PIPELINE_H
