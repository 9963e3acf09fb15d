// The printer of one kernel.
#ifndef TILESMITH_LIB_TARGET_ASCENDC_PRINTER_H
#define TILESMITH_LIB_TARGET_ASCENDC_PRINTER_H

#include "Expressions.h"
#include "Places.h"
#include "VectorFunction.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tilesmith/Dialect/Isa/IsaDialect.h"

namespace tilesmith::ascendc {

// Rewrites the kernel for printing: offsets become numbers of elements instead of bytes, what is left unused goes.
void prepare(mlir::func::FuncOp kernel);

class Printer {
public:
  Printer(mlir::func::FuncOp kernel, const EmitOptions &options)
      : kernel(kernel), places(options, kernel.getLoc()), values(helpers, names),
        functions(kernel.getName(), fileNames, places) {}

  mlir::LogicalResult print(std::string &out);

private:
  // Kernel.cpp: the frame around the statements.
  mlir::LogicalResult printSignature();
  mlir::LogicalResult printTensors();

  // Statements.cpp
  mlir::LogicalResult printBlock(mlir::Block &block);
  mlir::LogicalResult printStatement(mlir::Operation &op);
  mlir::LogicalResult printFor(mlir::scf::ForOp loop);
  mlir::LogicalResult printWhile(mlir::scf::WhileOp loop);
  mlir::LogicalResult printIf(mlir::scf::IfOp branch);
  mlir::LogicalResult declare(mlir::Value value, const llvm::Twine &initialiser, bool isConst = true);
  // A variable for a value that is assigned later, with this value first (or none).
  mlir::LogicalResult declareMutable(mlir::Value value, mlir::Value initial, llvm::StringRef otherwise);
  // Assigns all at once: no value is lost to an earlier assignment.
  void assign(mlir::ValueRange targets, mlir::ValueRange sources);

  // Buffers.cpp
  std::string buffer(mlir::Value value);
  // A buffer and the elements it lies further on, for calls that take both.
  std::pair<std::string, std::string> bufferAndIndex(mlir::Value value);
  bool isInlinedBuffer(mlir::Operation *op);
  mlir::LogicalResult printBuffer(mlir::Operation &op);
  // "AscendC::LocalTensor<half>"
  std::string tensorType(isa::BufferType type);

  // Calls.cpp
  mlir::LogicalResult printInstruction(isa::InstructionOpInterface op);
  mlir::LogicalResult printTableCall(isa::InstructionOpInterface op);
  mlir::LogicalResult printVectorFunction(isa::VfOp vf);
  mlir::LogicalResult printFlag(isa::InstructionOpInterface op);
  mlir::LogicalResult printAtomic(isa::SetAtomicOp op);
  mlir::LogicalResult printDevicePrint(isa::DevicePrintOp op);
  std::string argument(isa::InstructionOpInterface op, unsigned operand);
  std::string member(isa::InstructionOpInterface op, unsigned operand, llvm::StringRef type);

  mlir::func::FuncOp kernel;
  std::string symbol;
  Names fileNames, names;
  Helpers helpers;
  Places places;
  Expressions values;
  VectorFunctions functions;
  Text text;
};

} // namespace tilesmith::ascendc

#endif // TILESMITH_LIB_TARGET_ASCENDC_PRINTER_H
