// tilesmith-reduce: shrinks the IR of a kernel as long as a tester finds it interesting.
#include "../Registration.h"
#include "ReduceKernel.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "llvm/Support/CommandLine.h"

static llvm::cl::extrahelp usage(R"(
Shrinks tile or isa IR as long as a tester finds it interesting:

  tilesmith-reduce kernel.mlir --reduce-kernel='test=./tester.sh' -o small.mlir

The tester gets the name of a file with IR as its last argument. It exits with 1 while the IR still shows what you are
after, and with 0 otherwise. For an error text of a pass:

  #!/bin/sh
  tilesmith-opt --tile-to-isa=arch=C310 "$1" 2>&1 | grep -q 'cannot order' && exit 1
  exit 0

--opt-reduction-pass='opt-pass=canonicalize,cse test=./tester.sh' tries passes instead; several passes run one after the other.
)");

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tilesmith::registerTilesmith(registry);
  tilesmith::reduce::registerReduceKernelPass();
  mlir::MLIRContext context(registry);
  context.loadAllAvailableDialects();
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
