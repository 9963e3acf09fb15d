// Scalar values of a kernel as C++ expressions.
//
// A value is written where it is used when it is a constant, or pure, nameless, and used once in its own block by
// something that evaluates it once; every other value is a variable. Each expression has the C++ type of its value,
// except that integer literals are ints.
#ifndef TILESMITH_LIB_TARGET_ASCENDC_EXPRESSIONS_H
#define TILESMITH_LIB_TARGET_ASCENDC_EXPRESSIONS_H

#include "Helpers.h"
#include "mlir/IR/Operation.h"
#include "tilesmith/Dialect/Isa/Ranges.h"

namespace tilesmith::ascendc {

using isa::Range;
using isa::rangeOfType;

class Expressions {
public:
  Expressions(Helpers &helpers, Names &names) : helpers(helpers), names(names) {}

  // The value as an argument or initialiser; parenthesised where it is to be an operand.
  std::string text(mlir::Value value);
  std::string operand(mlir::Value value);

  // Binds a value to a variable.
  void bind(mlir::Value value, std::string variable) { variables[value] = std::move(variable); }
  bool isBound(mlir::Value value) const { return variables.contains(value); }
  llvm::StringRef variable(mlir::Value value) const { return variables.find(value)->second; }
  // Whether the value has a name in Python.
  static bool isNamed(mlir::Value value);
  // A new variable named after the value's place in the source, or after `otherwise`.
  std::string name(mlir::Value value, llvm::StringRef otherwise = "v");

  // Whether the op's result is an expression at its only use. Needs no variable and no statement then.
  bool isInlined(mlir::Operation *op);
  // The right-hand side of an arith op. Failure: no way to write it, reported.
  mlir::FailureOr<std::string> compute(mlir::Operation *op);

  isa::Ranges ranges{isa::Arithmetic::Wraps}; // where plain C operators do what the wrapping operators of the IR do
  bool failed = false;                        // something could not be written; it was reported

private:
  std::string binary(mlir::Operation *op, llvm::StringRef symbol, llvm::StringRef helper);
  std::string divide(mlir::Operation *op, llvm::StringRef symbol, llvm::StringRef helper, bool isSigned);
  std::string shift(mlir::Operation *op);
  std::string compare(mlir::Operation *op);
  std::string convert(mlir::Operation *op);
  std::string floats(mlir::Operation *op, llvm::StringRef symbol);
  // The operand as a float, whatever float type it has.
  std::string wide(mlir::Value value, bool asOperand = true);
  std::string unsignedOperand(mlir::Value value);

  Helpers &helpers;
  Names &names;
  llvm::DenseMap<mlir::Value, std::string> variables;
  llvm::DenseMap<mlir::Operation *, bool> inlined;
};

} // namespace tilesmith::ascendc

#endif // TILESMITH_LIB_TARGET_ASCENDC_EXPRESSIONS_H
