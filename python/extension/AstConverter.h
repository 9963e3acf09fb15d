// The copying of CPython's syntax tree, node by node. Ast.cpp has what kernels are made of, AstModule.cpp what else
// modules hold.
#ifndef TILESMITH_PYTHON_ASTCONVERTER_H
#define TILESMITH_PYTHON_ASTCONVERTER_H

#include <nanobind/nanobind.h>

#include "tilesmith/Frontend/Ast.h"

#include "llvm/ADT/SmallVector.h"

namespace tilesmith::python {

namespace nb = nanobind;

[[noreturn]] void raise(PyObject *type, const char *message);

class AstConverter {
public:
  AstConverter(ast::Tree &tree, int lineOffset) : tree(tree), lineOffset(lineOffset) {}

  const ast::FunctionDef *function(nb::handle node);
  ast::Body body(nb::handle list);

private:
  // Deeper trees are refused; the front end has a lower limit of its own for what it lowers.
  static constexpr unsigned maxDepth = 1500;
  struct Depth {
    unsigned &depth;
    explicit Depth(unsigned &depth) : depth(depth) {
      if (++depth > maxDepth)
        raise(PyExc_RecursionError, "the source is nested too deep");
    }
    ~Depth() { --depth; }
  };

  // Fields of a node. `name` is a literal: its address finds the interned string.
  static nb::object attribute(nb::handle node, const char *name);
  static llvm::StringRef className(nb::handle node);
  ast::Range range(nb::handle node);

  llvm::StringRef copyText(nb::handle string);
  llvm::StringRef text(nb::handle node, const char *field) { return copyText(attribute(node, field)); }
  llvm::StringRef optionalText(nb::handle node, const char *field);
  llvm::ArrayRef<llvm::StringRef> texts(nb::handle list);
  template <typename T> llvm::ArrayRef<T> copy(const llvm::SmallVectorImpl<T> &items) {
    return tree.copy(llvm::ArrayRef<T>(items));
  }

  ast::Exprs expressions(nb::handle list);
  ast::Exprs expressionsOrNulls(nb::handle list);
  const ast::Expr *child(nb::handle node, const char *field) { return expression(attribute(node, field)); }
  const ast::Expr *optionalChild(nb::handle node, const char *field);
  llvm::ArrayRef<ast::Keyword> keywords(nb::handle list);

  const ast::Stmt *statement(nb::handle node);
  const ast::Expr *expression(nb::handle node);
  const ast::Constant *constant(nb::handle node);
  const ast::Call *call(nb::handle node);
  template <typename T> const T *conditional(nb::handle node);
  template <typename T> const T *forLoop(nb::handle node);
  template <typename T> const T *with(nb::handle node);
  void parameters(nb::handle arguments, ast::FunctionDef &function);

  // Constructs that are not lowered: null where only name and children are kept.
  const ast::Stmt *detailedStatement(nb::handle node, llvm::StringRef name);
  const ast::Expr *detailedExpression(nb::handle node, llvm::StringRef name);
  const ast::Stmt *classDef(nb::handle node);
  const ast::Stmt *import(nb::handle node, bool isFrom);
  const ast::Stmt *tryStmt(nb::handle node);
  const ast::Stmt *match(nb::handle node);
  const ast::Expr *lambda(nb::handle node);
  const ast::Expr *comprehension(nb::handle node, bool isDict);
  template <typename T> T *makeDetailed(nb::handle node);
  template <typename T> const T *other(nb::handle node);
  template <typename T> void setOther(T &result, nb::handle node);
  void collect(nb::handle value, llvm::SmallVectorImpl<const ast::Node *> &children);
  void collectFields(nb::handle node, llvm::SmallVectorImpl<const ast::Node *> &children);

  ast::Tree &tree;
  int lineOffset;
  unsigned depth = 0;
};

} // namespace tilesmith::python

#endif // TILESMITH_PYTHON_ASTCONVERTER_H
