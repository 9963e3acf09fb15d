// Which language a kernel is written in. Kernels of whole tensors say so. Most others are of tiles; one that calls an
// instruction is lowered again as asc.
#include "tilesmith/Frontend/Frontend.h"

#include "Asc/Asc.h"
#include "Asc2/Asc2.h"
#include "Pypto/Pypto.h"
#include "Triton/Triton.h"

namespace tilesmith::frontend {

mlir::OwningOpRef<mlir::ModuleOp> lowerKernel(mlir::MLIRContext &context, const KernelRequest &request, HostEval &host,
                                              Diagnostic &error) {
  if (request.language == "pypto")
    return lowerKernel(context, pypto::language(), request, host, error);
  if (request.language == "triton")
    return lowerKernel(context, triton::language(), request, host, error);
  mlir::OwningOpRef<mlir::ModuleOp> module = lowerKernel(context, asc2::language(), request, host, error);
  if (module || !asc::isOurs(error.missing))
    return module;
  error = Diagnostic();
  return lowerKernel(context, asc::language(), request, host, error);
}

} // namespace tilesmith::frontend
