// Going through a syntax tree without caring what it holds.
#include "tilesmith/Lint/Kernels.h"

#include "llvm/ADT/TypeSwitch.h"

namespace tilesmith::lint {

using namespace ast;

namespace {

class Children {
public:
  explicit Children(llvm::function_ref<void(const Node &)> visit) : visit(visit) {}

  void of(const Node &node) {
    llvm::TypeSwitch<const Node *>(&node)
        .Case<FunctionDef>([&](auto *def) { function(*def); })
        .Case<Return, Starred, ExprStmt>([&](auto *it) { one(it->value); })
        .Case<Assign>([&](auto *it) { all(it->targets), one(it->value); })
        .Case<AugAssign>([&](auto *it) { one(it->target), one(it->value); })
        .Case<AnnAssign>([&](auto *it) { one(it->target), one(it->annotation), one(it->value); })
        .Case<For>([&](auto *it) { one(it->target), one(it->iterable), all(it->body), all(it->orElse); })
        .Case<While>([&](auto *it) { one(it->condition), all(it->body), all(it->orElse); })
        .Case<If>([&](auto *it) { one(it->condition), all(it->body), all(it->orElse); })
        .Case<With>([&](auto *it) { all(it->contexts), all(it->variables), all(it->body); })
        .Case<Assert>([&](auto *it) { one(it->condition), one(it->message); })
        .Case<BinOp>([&](auto *it) { one(it->lhs), one(it->rhs); })
        .Case<UnaryOp>([&](auto *it) { one(it->operand); })
        .Case<BoolOp, Compare>([&](auto *it) { all(it->operands); })
        .Case<Call>([&](auto *it) { one(it->callee), all(it->arguments), keywords(it->keywords); })
        .Case<Attribute>([&](auto *it) { one(it->value); })
        .Case<Subscript>([&](auto *it) { one(it->value), one(it->index); })
        .Case<Slice>([&](auto *it) { one(it->lower), one(it->upper), one(it->step); })
        .Case<Sequence>([&](auto *it) { all(it->elements); })
        .Case<IfExp>([&](auto *it) { one(it->condition), one(it->body), one(it->orElse); })
        .Case<JoinedStr>([&](auto *it) { all(it->parts); })
        .Case<FormattedValue>([&](auto *it) { one(it->value), one(it->format); })
        .Case<ClassDef>([&](auto *it) { all(it->decorators), all(it->bases), keywords(it->keywords), all(it->body); })
        .Case<Try>([&](auto *it) { tryStmt(*it); })
        .Case<Match>([&](auto *it) { match(*it); })
        .Case<AsyncStmt>([&](auto *it) { one(it->stmt); })
        .Case<Lambda>([&](auto *it) { one(it->function); })
        .Case<Dict>([&](auto *it) { all(it->keys), all(it->values); })
        .Case<Comprehension>([&](auto *it) { comprehension(*it); })
        .Case<NamedExpr>([&](auto *it) { one(it->target), one(it->value); })
        .Case<OtherStmt, OtherExpr>([&](auto *it) { all(it->children); });
  }

private:
  void one(const Node *node) {
    if (node)
      visit(*node);
  }
  template <typename T> void all(llvm::ArrayRef<const T *> nodes) {
    for (const T *node : nodes)
      one(node);
  }
  void keywords(llvm::ArrayRef<Keyword> keywords) {
    for (const Keyword &keyword : keywords)
      one(keyword.value);
  }
  void function(const FunctionDef &def) {
    all(def.decorators);
    for (const Parameter &parameter : def.parameters)
      one(parameter.annotation), one(parameter.defaultValue);
    all(def.otherAnnotations);
    all(def.body);
  }
  void tryStmt(const Try &stmt) {
    all(stmt.body);
    for (const Handler &handler : stmt.handlers)
      one(handler.type), all(handler.body);
    all(stmt.orElse), all(stmt.finally);
  }
  void match(const Match &stmt) {
    one(stmt.subject);
    for (const MatchCase &item : stmt.cases)
      one(item.guard), all(item.body);
  }
  void comprehension(const Comprehension &expr) {
    one(expr.key), one(expr.element);
    for (const Generator &generator : expr.generators)
      one(generator.target), one(generator.iterable), all(generator.conditions);
  }

  llvm::function_ref<void(const Node &)> visit;
};

} // namespace

void forEachChild(const Node &node, llvm::function_ref<void(const Node &)> visit) { Children(visit).of(node); }

void forEachBelow(const Node &node, llvm::function_ref<void(const Node &)> visit) {
  visit(node);
  if (llvm::isa<FunctionDef, ClassDef>(node))
    return;
  forEachChild(node, [&](const Node &child) { forEachBelow(child, visit); });
}

const Expr *keyword(const Call &call, llvm::StringRef name) {
  for (const Keyword &keyword : call.keywords)
    if (keyword.name == name)
      return keyword.value;
  return nullptr;
}

const Expr *argument(const Call &call, unsigned position, llvm::StringRef name) {
  return position < call.arguments.size() ? call.arguments[position] : keyword(call, name);
}

std::string spelled(const SourceFile &source, const Range &range) {
  if (range.line != range.endLine)
    return {};
  return source.getLine(range.line).slice(range.column, range.endColumn).str();
}

bool isString(const Expr *expr, llvm::StringRef text) {
  auto *constant = llvm::dyn_cast_or_null<Constant>(expr);
  return constant && constant->constant == ConstantKind::String && constant->text == text;
}

} // namespace tilesmith::lint
