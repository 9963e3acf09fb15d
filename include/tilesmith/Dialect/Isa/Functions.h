// The functions of a module: kernels and device functions.
//
// A kernel carries a kernel attribute (`isa.kernel`, or `tile.kernel` before it is lowered) and is launched by its
// name; a module holds any number of them. A device function carries none, has one block and is called by func.call.
// Nothing after inlineDeviceFunctions() meets a call: passes and targets see kernels alone.
#ifndef TILESMITH_DIALECT_ISA_FUNCTIONS_H
#define TILESMITH_DIALECT_ISA_FUNCTIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "tilesmith/Dialect/Isa/IsaDialect.h"

namespace tilesmith::isa {

// The kernels of the module, in the order of the text.
llvm::SmallVector<mlir::func::FuncOp> kernelsOf(mlir::ModuleOp module, llvm::StringRef kernelAttr = kernelAttrName);

// Puts the bodies of device functions where they are called and removes the functions. A place inside a body remembers
// its call. Fails at the call that cannot be replaced: of a kernel, of a function without a body, of one that calls
// itself, or of one that prints, since the lines of device_print belong to a kernel.
mlir::LogicalResult inlineDeviceFunctions(mlir::ModuleOp module, llvm::StringRef kernelAttr = kernelAttrName);

} // namespace tilesmith::isa

#endif // TILESMITH_DIALECT_ISA_FUNCTIONS_H
