// isa IR to MLIR's llvm dialect.
//
// A kernel becomes `void @ts_kernel_<name>(ptr core, ptr args)`; every instruction op exactly one call of the Machine's
// C ABI, every isa.vf one tsm_vf with a native body. Scalar code cannot trap: see ScalarGuards.cpp.
#ifndef TILESMITH_TARGET_HOST_LOWERTOLLVM_H
#define TILESMITH_TARGET_HOST_LOWERTOLLVM_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "tilesmith/Target/Host/Metadata.h"

namespace tilesmith::host {

// Lowers the one kernel of the module in place and describes it. Fails with a diagnostic.
mlir::LogicalResult lowerToLLVM(mlir::ModuleOp module, Metadata &metadata);

// The same as a pass: `lower-isa-to-llvm`. The table of source locations becomes the module attribute `isa.locations`.
std::unique_ptr<mlir::Pass> createLowerIsaToLLVMPass();
void registerLowerIsaToLLVMPass();

} // namespace tilesmith::host

#endif // TILESMITH_TARGET_HOST_LOWERTOLLVM_H
