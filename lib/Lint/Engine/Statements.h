// Statements: definitions, imports, assignments.
#ifndef TILESMITH_LINT_ENGINE_STATEMENTS_H
#define TILESMITH_LINT_ENGINE_STATEMENTS_H

#include "Part.h"

namespace tilesmith::lint {

class Statements : public Part {
public:
  explicit Statements(Interpreter &interpreter) : Part(interpreter) {}

  void exec(ast::Body body);
  void assign(const ast::Expr &target, const Value &value);
  Value defineFunction(const ast::FunctionDef &function);

private:
  void exec(const ast::Stmt &stmt);
  void execOther(const ast::OtherStmt &stmt);
  void execImport(const ast::Import &stmt);
  void execDelete(const ast::OtherStmt &stmt);
  void execClass(const ast::ClassDef &stmt);
  void execReturn(const ast::Return &stmt);
  void execExit(const ast::OtherStmt &stmt);
  Value decorate(Value value, ast::Exprs decorators);
  void assignSequence(const ast::Sequence &target, const Value &value);
  void assignSubscript(const ast::Subscript &target, const Value &value);
  void assignElement(const Atom &tensor, const ast::Subscript &target, const Value &value);
  void assignEntry(const Atom &container, const Value &index, const Value &given);
  void callClassHooks(ObjectId cls, const Arguments &options);
};

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_ENGINE_STATEMENTS_H
