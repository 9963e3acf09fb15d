// The passes from tile IR to isa IR. See Passes.td for the list, Pipeline.h for their order.
#ifndef TILESMITH_TRANSFORMS_PASSES_H
#define TILESMITH_TRANSFORMS_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"
#include "tilesmith/Dialect/Asc/Asc.h"
#include "tilesmith/Dialect/Tile/Tile.h"
#include "tilesmith/Transforms/OptionParser.h"

namespace tilesmith {

// The architecture a pass works for: its option, else the function's `isa.arch`; an error where neither says.
mlir::FailureOr<isa::Arch> getArch(mlir::func::FuncOp kernel, llvm::StringRef option);

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tilesmith/Transforms/Passes.h.inc"

} // namespace tilesmith

#endif // TILESMITH_TRANSFORMS_PASSES_H
