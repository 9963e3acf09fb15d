// The body of one vector function being printed.
#ifndef TILESMITH_LIB_TARGET_ASCENDC_VECTORBODY_H
#define TILESMITH_LIB_TARGET_ASCENDC_VECTORBODY_H

#include "Types.h"
#include "VectorFunction.h"
#include "tilesmith/Dialect/Isa/VfLevels.h"

namespace tilesmith::ascendc {

using isa::VfLevel;

class VectorBody {
public:
  VectorBody(isa::VfOp vf, VectorFunctions &functions, Places &places, Text &text);
  mlir::LogicalResult print(llvm::StringRef name, llvm::ArrayRef<std::string> parameterNames);

private:
  // VectorFunction.cpp: the nest.
  mlir::LogicalResult declareRegisters();
  mlir::LogicalResult printLevel(VfLevel level);
  mlir::LogicalResult printColumns();
  void openLoop(llvm::StringRef counter, int64_t trips);

  // VectorMemory.cpp
  mlir::LogicalResult printLoad(isa::VfLoadOp load);
  mlir::LogicalResult printStore(isa::VfStoreOp store);
  void loadBits(isa::VfLoadOp load);
  void storeBits(isa::VfStoreOp store);
  // The first `count` lanes, at any place.
  void storeAnywhere(const std::string &to, mlir::Type element, const std::string &reg, const std::string &count);
  void storeFirst(mlir::Value buffer, isa::VfWalk walk, llvm::StringRef reg);
  // The pointer to what the walk reaches in this trip.
  std::string address(mlir::Value buffer, isa::VfWalk walk, int64_t pitch);
  // Whether every chunk of the walk starts on 32 bytes.
  bool isAligned(mlir::Value buffer, isa::VfWalk walk);
  bool mayOverlap(mlir::Value one, mlir::Value other);
  bool overtakesLoad(isa::VfStoreOp store);

  // VectorOps.cpp
  mlir::LogicalResult printOp(mlir::Operation &op);
  mlir::LogicalResult printCompute(isa::VfComputeOp op);
  mlir::LogicalResult printCast(isa::VfComputeOp op);
  mlir::LogicalResult printReciprocal(isa::VfComputeOp op, bool ofSquareRoot);
  mlir::LogicalResult printMaskLogic(isa::VfComputeOp op);
  void call(const llvm::Twine &function, llvm::ArrayRef<std::string> arguments);
  // Converts between registers; `round` of the exact ones is not used.
  std::string castCall(mlir::Type to, mlir::Type from, isa::RoundMode round);
  std::string temporary(mlir::Type element, llvm::StringRef name);
  // The number a register holds in all lanes, if it is a constant or an argument.
  std::optional<std::string> scalarOf(mlir::Value reg);

  // Reductions.
  mlir::Type accumulatorType(isa::VfReduceOp op);
  std::string neutralOf(isa::VfReduceOp op);
  mlir::LogicalResult accumulate(isa::VfReduceOp op);
  mlir::LogicalResult finishReduction(isa::VfReduceOp op);
  mlir::LogicalResult reduceGroups(isa::VfReduceOp op);

  isa::VfOp vf;
  VectorFunctions &functions;
  Places &places;
  Text &text;
  Names names;
  int64_t rows, cols;
  std::string mask; // of the level being printed
  isa::VfLevels levels;
  llvm::DenseMap<mlir::Value, std::string> registers; // and parameters
  llvm::DenseMap<mlir::Operation *, std::string> accumulators;
};

} // namespace tilesmith::ascendc

#endif // TILESMITH_LIB_TARGET_ASCENDC_VECTORBODY_H
