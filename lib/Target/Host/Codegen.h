// llvm dialect to an object file, apart from the rest because the headers it needs are the slowest to compile.
#ifndef TILESMITH_LIB_TARGET_HOST_CODEGEN_H
#define TILESMITH_LIB_TARGET_HOST_CODEGEN_H

#include "tilesmith/Target/Host/Jit.h"

namespace tilesmith::host {

// The lowered module must have been made by lowerToLLVM.
llvm::Expected<std::vector<char>> generateObject(mlir::ModuleOp lowered, const CompileOptions &options);

// The element functions as bitcode (lib/Machine/Element/ElementBitcode.cpp).
llvm::StringRef elementBitcode();

} // namespace tilesmith::host

#endif // TILESMITH_LIB_TARGET_HOST_CODEGEN_H
