// From a Python kernel's syntax tree to tile IR.
//
// One call lowers one specialisation: parameters are pointers, runtime scalars or compile-time host objects. The result
// is a module with one func.func carrying `tile.kernel`; calls of other jit functions are inlined. Whatever the user
// wrote, the result is either a valid module or a diagnostic.
#ifndef TILESMITH_FRONTEND_FRONTEND_H
#define TILESMITH_FRONTEND_FRONTEND_H

#include "tilesmith/Frontend/Diagnostic.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <vector>

namespace tilesmith::frontend {

struct ParamSpec {
  enum Kind { Pointer, Scalar, ConstExpr } kind = Pointer;
  DType dtype = DType::Void; // Pointer, Scalar
  HostRef value;             // ConstExpr
};

struct KernelRequest {
  const ast::FunctionDef *function = nullptr;
  const ast::SourceFile *file = nullptr;
  HostRef scope;                 // where the kernel's names are looked up
  std::vector<ParamSpec> params; // one for each parameter of the function, in order, and what the language adds to them
  std::string language;          // "pypto"; empty: tiles or instructions, whichever it turns out to be
  bool written = false;          // calls of instructions as Ascend C, in place of what they do (asc.write)
  bool debugInfo = false;        // each statement tells a debugger what its names are
};

// Null if the kernel is wrong; `error` then says why.
mlir::OwningOpRef<mlir::ModuleOp> lowerKernel(mlir::MLIRContext &context, const KernelRequest &request, HostEval &host,
                                              Diagnostic &error);

} // namespace tilesmith::frontend

#endif // TILESMITH_FRONTEND_FRONTEND_H
