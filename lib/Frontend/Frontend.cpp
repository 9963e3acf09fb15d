// Which language a kernel is written in: today there is one.
#include "tilesmith/Frontend/Frontend.h"

#include "Asc2/Asc2.h"

namespace tilesmith::frontend {

mlir::OwningOpRef<mlir::ModuleOp> lowerKernel(mlir::MLIRContext &context, const KernelRequest &request, HostEval &host,
                                              Diagnostic &error) {
  return lowerKernel(context, asc2::language(), request, host, error);
}

} // namespace tilesmith::frontend
