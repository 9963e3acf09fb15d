// Shared between the steps of lower-isa-to-llvm.
#ifndef TILESMITH_LIB_TARGET_HOST_LOWERING_H
#define TILESMITH_LIB_TARGET_HOST_LOWERING_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "tilesmith/Dialect/Isa/IsaDialect.h"
#include "tilesmith/Target/Host/Metadata.h"

namespace tilesmith::host {

// The functions of a module that its kernels have in common: external ones are declared once.
class Declarations {
public:
  explicit Declarations(mlir::ModuleOp module) : module(module) {}

  mlir::LLVM::LLVMFuncOp declare(llvm::StringRef name, mlir::Type result, llvm::ArrayRef<mlir::Type> params);

  mlir::ModuleOp module;
  unsigned numVectorFunctions = 0, numTexts = 0;

private:
  llvm::StringMap<mlir::LLVM::LLVMFuncOp> functions;
};

// The kernel being lowered: its source locations are numbered once.
class Lowering {
public:
  Lowering(Declarations &declared, Metadata &metadata)
      : declared(declared), module(declared.module), metadata(metadata) {}

  // Calls the entry, declaring it by the types of the arguments. `result` null: no result.
  mlir::LLVM::CallOp call(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name, mlir::Type result,
                          mlir::ValueRange args);

  uint32_t index(mlir::Location loc);
  // A pointer to a text that ends with a zero.
  mlir::Value text(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef text);
  // The number of what a probe describes; equal ones have one.
  int64_t site(llvm::StringRef text);
  mlir::Value locationIndex(mlir::OpBuilder &builder, mlir::Location loc);
  // The core of the kernel around the builder.
  static mlir::Value core(mlir::Operation *op);

  Declarations &declared;
  mlir::ModuleOp module;
  Metadata &metadata;

private:
  llvm::DenseMap<mlir::Attribute, uint32_t> locations;
  llvm::StringMap<int64_t> sites;
};

mlir::Value constant(mlir::OpBuilder &builder, mlir::Location loc, int64_t value, unsigned width = 64);

// The int64 a value of the C ABI travels in, and back. Floats as their bits, integers sign-extended (or zero-extended).
mlir::Value toBits(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, bool isUnsigned);
mlir::Value fromBits(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value bits, mlir::Type type);

// Step 1, on arith and scf: no scalar operation can trap or run for ever.
void guardScalars(mlir::LLVM::LLVMFuncOp kernel, Lowering &lowering);

// Step 2: each isa.vf becomes a native function and one call of tsm_vf.
mlir::LogicalResult lowerVectorFunctions(mlir::LLVM::LLVMFuncOp kernel, Lowering &lowering);

} // namespace tilesmith::host

#endif // TILESMITH_LIB_TARGET_HOST_LOWERING_H
