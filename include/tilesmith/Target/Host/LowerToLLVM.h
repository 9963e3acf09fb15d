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

// Lowers the kernels of the module in place and describes each, in order. Fails with a diagnostic.
mlir::LogicalResult lowerToLLVM(mlir::ModuleOp module, std::vector<Metadata> &kernels);

// The same as a pass: `lower-isa-to-llvm`. The table of a kernel's source locations becomes its attribute
// `isa.locations`.
void registerLowerIsaToLLVMPass();

} // namespace tilesmith::host

#endif // TILESMITH_TARGET_HOST_LOWERTOLLVM_H
