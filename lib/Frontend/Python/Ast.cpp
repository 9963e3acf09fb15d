#include "tilesmith/Frontend/Ast.h"

#include "llvm/ADT/StringSet.h"

namespace tilesmith::ast {

llvm::StringRef spelling(Operator op) {
  static constexpr llvm::StringLiteral texts[] = {"+", "-", "*", "@", "/", "%", "**", "<<", ">>", "|", "^", "&", "//"};
  return texts[unsigned(op)];
}

llvm::StringRef spelling(UnaryOperator op) {
  static constexpr llvm::StringLiteral texts[] = {"~", "not", "+", "-"};
  return texts[unsigned(op)];
}

llvm::StringRef spelling(CompareOperator op) {
  static constexpr llvm::StringLiteral texts[] = {"==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in"};
  return texts[unsigned(op)];
}

llvm::StringRef SourceFile::getLine(unsigned line) const {
  if (line < firstLine)
    return {};
  llvm::StringRef rest = text;
  for (unsigned at = firstLine; at != line; ++at) {
    size_t end = rest.find('\n');
    if (end == llvm::StringRef::npos)
      return {};
    rest = rest.drop_front(end + 1);
  }
  return rest.take_until([](char c) { return c == '\n'; }).rtrim("\r\f");
}

namespace {

class NameCollector {
public:
  void addBody(Body body) {
    for (const Stmt *stmt : body)
      addStmt(*stmt);
  }
  llvm::SmallVector<llvm::StringRef> names;

private:
  void add(llvm::StringRef name) {
    if (seen.insert(name).second)
      names.push_back(name);
  }
  void addTarget(const Expr *target) {
    if (auto *name = llvm::dyn_cast<Name>(target)) {
      add(name->id);
    } else if (auto *sequence = llvm::dyn_cast<Sequence>(target)) {
      for (const Expr *element : sequence->elements)
        addTarget(element);
    } else if (auto *starred = llvm::dyn_cast<Starred>(target)) {
      addTarget(starred->value);
    }
  }

  void addStmt(const Stmt &stmt) {
    if (auto *assign = llvm::dyn_cast<Assign>(&stmt)) {
      for (const Expr *target : assign->targets)
        addTarget(target);
    } else if (auto *function = llvm::dyn_cast<FunctionDef>(&stmt)) {
      add(function->name);
    } else if (auto *aug = llvm::dyn_cast<AugAssign>(&stmt)) {
      addTarget(aug->target);
    } else if (auto *annotated = llvm::dyn_cast<AnnAssign>(&stmt)) {
      addTarget(annotated->target);
    } else if (auto *loop = llvm::dyn_cast<For>(&stmt)) {
      addTarget(loop->target);
      addBody(loop->body);
    } else if (auto *loop = llvm::dyn_cast<While>(&stmt)) {
      addBody(loop->body);
    } else if (auto *branch = llvm::dyn_cast<If>(&stmt)) {
      addBody(branch->body);
      addBody(branch->orElse);
    } else if (auto *with = llvm::dyn_cast<With>(&stmt)) {
      for (const Expr *variable : with->variables)
        if (variable)
          addTarget(variable);
      addBody(with->body);
    }
  }

  llvm::StringSet<> seen;
};

} // namespace

llvm::SmallVector<llvm::StringRef> collectAssignedNames(Body body) {
  NameCollector collector;
  collector.addBody(body);
  return std::move(collector.names);
}

} // namespace tilesmith::ast
