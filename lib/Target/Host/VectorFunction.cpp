#include "Lowering.h"
using namespace mlir;
namespace tilesmith::host {
LogicalResult lowerVectorFunctions(LLVM::LLVMFuncOp kernel, Lowering &lowering) { return success(); }
}
