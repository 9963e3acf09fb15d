// isa IR to Ascend C source: what the Machine runs is what the chip will get.
//
// Every instruction op, and every isa.vf, becomes exactly one call; buffers are static tensors at the planned
// addresses, flags and barriers are written out, there are no queues and nothing is inserted. Scalar code keeps the
// meaning the host gives it: integers wrap, a division without a value is 0, casts to integers saturate. The text
// depends on the IR and on `sourceLine` only.
#ifndef TILESMITH_TARGET_ASCENDC_EMIT_H
#define TILESMITH_TARGET_ASCENDC_EMIT_H

#include "mlir/IR/BuiltinOps.h"
#include <functional>
#include <memory>
#include <string>

namespace mlir {
class Pass;
} // namespace mlir

namespace tilesmith::ascendc {

struct EmitOptions {
  // The text of a line of the kernel's Python source, for comments; null or an empty result: the place alone is
  // written.
  std::function<std::string(llvm::StringRef file, unsigned line)> sourceLine;
};

// The name of a kernel's function: that of the kernel, unless C++ gives it another meaning.
std::string kernelSymbol(llvm::StringRef kernel);

// Appends the translation unit of a module of planned and synchronised kernels. What Ascend C cannot say is reported at
// the op; `out` is left as it was then.
mlir::LogicalResult emitAscendC(mlir::ModuleOp module, std::string &out, const EmitOptions &options = {});

// tilesmith-opt --emit-ascendc: prints the source of every kernel of the module to stdout.
void registerEmitAscendCPass();

} // namespace tilesmith::ascendc

#endif // TILESMITH_TARGET_ASCENDC_EMIT_H
