// Expressions: names, constants, displays, f-strings, chains of comparisons.
#ifndef TILESMITH_LIB_FRONTEND_PYTHON_EXPRESSIONS_H
#define TILESMITH_LIB_FRONTEND_PYTHON_EXPRESSIONS_H

#include "Part.h"

namespace tilesmith::frontend {

class Expressions : public Part {
public:
  using Part::Part;

  Value lower(const ast::Expr &expr);
  Value lowerDict(const ast::Dict &expr);
  // A name followed by attributes. `path` leads to the value from the kernel, so that a cache can look at it again.
  // A function defined inside the kernel.
  Value lowerFunction(const ast::FunctionDef &function);
  Value lowerChain(const ast::Expr &expr, std::string &path, bool &hasPath);

  // Set while the text of an error is made: there an f-string describes a runtime value, which has no text.
  bool inMessage = false;

private:
  // `attribute` is asked of it next, or empty.
  Value lowerName(const ast::Name &name, llvm::StringRef attribute, std::string &path, bool &hasPath);
  Value lowerConstant(const ast::Constant &constant);
  Value lowerCompare(const ast::Compare &expr);
  Value lowerSequence(const ast::Sequence &expr);
  Value lowerJoinedStr(const ast::JoinedStr &expr);
  Value lowerSlice(const ast::Slice &expr);
  Value refuse(const ast::OtherExpr &expr);
  Value lowerComprehension(const ast::Comprehension &expr);
  bool addItems(const ast::Comprehension &expr, size_t depth, llvm::SmallVectorImpl<Value> &items);

  Value refuseRuntimeText(const ast::JoinedStr &expr, const Value &value);

  unsigned depth = 0;
};

} // namespace tilesmith::frontend

#endif // TILESMITH_LIB_FRONTEND_PYTHON_EXPRESSIONS_H
