// Operators by the class names of CPython's syntax tree.
#ifndef TILESMITH_PYTHON_ASTOPERATORS_H
#define TILESMITH_PYTHON_ASTOPERATORS_H

#include "tilesmith/Frontend/Ast.h"

#include "llvm/ADT/StringSwitch.h"

namespace tilesmith::python {

using ast::CompareOperator;
using ast::Operator;
using ast::UnaryOperator;

inline Operator binaryOperator(llvm::StringRef name) {
  return llvm::StringSwitch<Operator>(name)
      .Case("Add", Operator::Add)
      .Case("Sub", Operator::Sub)
      .Case("Mult", Operator::Mul)
      .Case("MatMult", Operator::MatMul)
      .Case("Div", Operator::Div)
      .Case("Mod", Operator::Mod)
      .Case("Pow", Operator::Pow)
      .Case("LShift", Operator::LShift)
      .Case("RShift", Operator::RShift)
      .Case("BitOr", Operator::BitOr)
      .Case("BitXor", Operator::BitXor)
      .Case("BitAnd", Operator::BitAnd)
      .Default(Operator::FloorDiv);
}

inline UnaryOperator unaryOperator(llvm::StringRef name) {
  return llvm::StringSwitch<UnaryOperator>(name)
      .Case("Invert", UnaryOperator::Invert)
      .Case("Not", UnaryOperator::Not)
      .Case("UAdd", UnaryOperator::UAdd)
      .Default(UnaryOperator::USub);
}

inline CompareOperator compareOperator(llvm::StringRef name) {
  return llvm::StringSwitch<CompareOperator>(name)
      .Case("Eq", CompareOperator::Eq)
      .Case("NotEq", CompareOperator::NotEq)
      .Case("Lt", CompareOperator::Lt)
      .Case("LtE", CompareOperator::LtE)
      .Case("Gt", CompareOperator::Gt)
      .Case("GtE", CompareOperator::GtE)
      .Case("Is", CompareOperator::Is)
      .Case("IsNot", CompareOperator::IsNot)
      .Case("In", CompareOperator::In)
      .Default(CompareOperator::NotIn);
}

} // namespace tilesmith::python

#endif // TILESMITH_PYTHON_ASTOPERATORS_H
