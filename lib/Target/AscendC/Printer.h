// The printer of one kernel into a source file.
#ifndef TILESMITH_LIB_TARGET_ASCENDC_PRINTER_H
#define TILESMITH_LIB_TARGET_ASCENDC_PRINTER_H

#include "Expressions.h"
#include "Places.h"
#include "VectorFunction.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tilesmith/Dialect/Asc/Asc.h"
#include "tilesmith/Dialect/Isa/IsaDialect.h"

namespace tilesmith::ascendc {

// Rewrites the kernel for printing: offsets become numbers of elements instead of bytes, what is left unused goes.
void prepare(mlir::func::FuncOp kernel);

// A source file: what its kernels have in common, and the kernels.
struct SourceFile {
  Names names; // at file scope
  Helpers helpers;
  VectorFunctions functions{names};
  std::string title, kernels;
  std::optional<bool> cubeOnly; // of kernels with matrix objects

  SourceFile() { Helpers::reserve(names); }
  std::string text() const;
};

class Printer {
public:
  // `symbol` is the name of the kernel's function.
  Printer(mlir::func::FuncOp kernel, std::string symbol, SourceFile &unit, const EmitOptions &options)
      : kernel(kernel), symbol(std::move(symbol)), unit(unit), places(options, kernel.getLoc()),
        values(unit.helpers, names) {}

  // Adds the kernel to the file.
  mlir::LogicalResult print();

private:
  // Kernel.cpp: the frame around the statements.
  mlir::LogicalResult printSignature();
  mlir::LogicalResult printArrays();
  mlir::LogicalResult printAllocs(mlir::Region &region);

  // Statements.cpp
  mlir::LogicalResult printBlock(mlir::Block &block);
  mlir::LogicalResult printStatement(mlir::Operation &op);
  mlir::LogicalResult printFor(mlir::scf::ForOp loop);
  mlir::LogicalResult printWhile(mlir::scf::WhileOp loop);
  mlir::LogicalResult printIf(mlir::scf::IfOp branch);
  mlir::LogicalResult printHalf(mlir::Region &half, llvm::StringRef condition);
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

  // Written.cpp
  mlir::LogicalResult printWritten(asc::WriteOp op);
  bool isInlined(asc::WriteOp op);
  // Its text with the operands in their places; `result` stands for $r.
  std::string written(asc::WriteOp op, llvm::StringRef result = "");

  // Calls.cpp
  mlir::LogicalResult printInstruction(isa::InstructionOpInterface op);
  mlir::LogicalResult printTableCall(isa::InstructionOpInterface op);
  mlir::LogicalResult printVectorFunction(isa::VfOp vf);
  mlir::LogicalResult printCrossFlag(isa::InstructionOpInterface op);
  mlir::LogicalResult printFlag(isa::InstructionOpInterface op);
  mlir::LogicalResult printAtomic(isa::SetAtomicOp op);
  mlir::LogicalResult printFixpipeToUb(isa::FixpipeToUbOp op);
  mlir::LogicalResult printDevicePrint(isa::DevicePrintOp op);
  mlir::LogicalResult printByOffsets(isa::InstructionOpInterface op);
  mlir::LogicalResult printArange(isa::ArangeOp op);
  mlir::LogicalResult printGatherMask(isa::GatherMaskOp op);
  mlir::LogicalResult printMrgSort(isa::MrgSortOp op);
  std::string argument(isa::InstructionOpInterface op, unsigned operand);
  std::string member(isa::InstructionOpInterface op, unsigned operand, llvm::StringRef type);

  mlir::func::FuncOp kernel;
  std::string symbol;
  SourceFile &unit;
  Names names;
  Places places;
  Expressions values;
  unsigned numVectorFunctions = 0;
  Text text;
};

} // namespace tilesmith::ascendc

#endif // TILESMITH_LIB_TARGET_ASCENDC_PRINTER_H
