// What modules hold beside kernels: classes, imports, handlers, lambdas, comprehensions.
#include "Ast.h"
#include "AstConverter.h"

namespace tilesmith::python {

using namespace ast;

static nb::handle types() {
  static nb::handle module = nb::module_::import_("ast").release(); // kept: at exit Python is gone before statics are
  return module;
}

// Children of a construct we do not lower: every statement and expression below it, through helper nodes.
void AstConverter::collect(nb::handle value, llvm::SmallVectorImpl<const Node *> &children) {
  Depth guard(depth);
  if (PyList_Check(value.ptr())) {
    for (nb::handle item : nb::borrow<nb::list>(value))
      collect(item, children);
    return;
  }
  if (nb::isinstance(value, types().attr("expr")))
    children.push_back(expression(value));
  else if (nb::isinstance(value, types().attr("stmt")))
    children.push_back(statement(value));
  else if (nb::isinstance(value, types().attr("AST")))
    collectFields(value, children);
}

void AstConverter::collectFields(nb::handle node, llvm::SmallVectorImpl<const Node *> &children) {
  for (nb::handle field : nb::borrow<nb::tuple>(attribute(node, "_fields"))) {
    PyObject *value = PyObject_GetAttr(node.ptr(), field.ptr());
    if (!value)
      throw nb::python_error();
    collect(nb::steal(value), children);
  }
}

template <typename T> void AstConverter::setOther(T &result, nb::handle node) {
  result.className = tree.copy(className(node));
  llvm::SmallVector<const Node *> children;
  collectFields(node, children);
  result.children = copy(children);
}
template <typename T> const T *AstConverter::other(nb::handle node) {
  auto *result = tree.make<T>(range(node));
  setOther(*result, node);
  return result;
}
template <typename T> T *AstConverter::makeDetailed(nb::handle node) {
  auto *result = tree.make<T>(range(node));
  result->detail = T::nodeDetail;
  result->className = tree.copy(className(node));
  return result;
}

const Stmt *AstConverter::classDef(nb::handle node) {
  auto *result = makeDetailed<ClassDef>(node);
  result->name = text(node, "name");
  result->bases = expressions(attribute(node, "bases"));
  result->keywords = keywords(attribute(node, "keywords"));
  result->decorators = expressions(attribute(node, "decorator_list"));
  result->body = body(attribute(node, "body"));
  return result;
}

const Stmt *AstConverter::import(nb::handle node, bool isFrom) {
  auto *result = makeDetailed<Import>(node);
  result->isFrom = isFrom;
  if (isFrom) {
    long level = PyLong_AsLong(attribute(node, "level").ptr());
    std::string module(size_t(std::max(level, 0L)), '.');
    result->module = tree.copy(module + optionalText(node, "module").str());
  }
  llvm::SmallVector<ImportedName> names;
  for (nb::handle alias : nb::borrow<nb::list>(attribute(node, "names")))
    names.push_back({text(alias, "name"), optionalText(alias, "asname")});
  result->names = copy(names);
  return result;
}

const Stmt *AstConverter::tryStmt(nb::handle node) {
  auto *result = makeDetailed<Try>(node);
  result->body = body(attribute(node, "body"));
  llvm::SmallVector<Handler> handlers;
  for (nb::handle handler : nb::borrow<nb::list>(attribute(node, "handlers")))
    handlers.push_back({optionalChild(handler, "type"), optionalText(handler, "name"), body(attribute(handler, "body")),
                        range(handler)});
  result->handlers = copy(handlers);
  result->orElse = body(attribute(node, "orelse"));
  result->finally = body(attribute(node, "finalbody"));
  return result;
}

// Names a pattern binds: the fields `name` and `rest` of its nodes.
static void collectCaptures(nb::handle pattern, unsigned depth, llvm::function_ref<void(nb::handle)> add) {
  if (depth > 200)
    raise(PyExc_RecursionError, "the pattern is nested too deep");
  for (const char *field : {"name", "rest"})
    if (nb::hasattr(pattern, field))
      if (nb::object name = pattern.attr(field); !name.is_none())
        add(name);
  if (nb::hasattr(pattern, "pattern"))
    if (nb::object inner = pattern.attr("pattern"); !inner.is_none())
      collectCaptures(inner, depth + 1, add);
  for (const char *field : {"patterns", "kwd_patterns"})
    if (nb::hasattr(pattern, field))
      for (nb::handle inner : nb::borrow<nb::list>(pattern.attr(field)))
        collectCaptures(inner, depth + 1, add);
}

const Stmt *AstConverter::match(nb::handle node) {
  auto *result = makeDetailed<Match>(node);
  result->subject = child(node, "subject");
  llvm::SmallVector<MatchCase> cases;
  for (nb::handle item : nb::borrow<nb::list>(attribute(node, "cases"))) {
    llvm::SmallVector<llvm::StringRef> captures;
    nb::object pattern = attribute(item, "pattern");
    collectCaptures(pattern, 0, [&](nb::handle name) { captures.push_back(copyText(name)); });
    const Expr *guard = optionalChild(item, "guard");
    bool isWildcard = className(pattern) == "MatchAs" && attribute(pattern, "pattern").is_none();
    cases.push_back({copy(captures), isWildcard && !guard, guard, body(attribute(item, "body"))});
  }
  result->cases = copy(cases);
  return result;
}

const Expr *AstConverter::lambda(nb::handle node) {
  auto *result = makeDetailed<Lambda>(node);
  auto *function = tree.make<FunctionDef>(result->range);
  function->nameRange = result->range;
  parameters(attribute(node, "args"), *function);
  const Expr *value = child(node, "body");
  auto *statement = tree.make<Return>(value->range);
  statement->value = value;
  const Stmt *body = statement;
  function->body = tree.copy(llvm::ArrayRef<const Stmt *>(body));
  result->function = function;
  return result;
}

const Expr *AstConverter::comprehension(nb::handle node, bool isDict) {
  auto *result = makeDetailed<Comprehension>(node);
  result->key = isDict ? child(node, "key") : nullptr;
  result->element = child(node, isDict ? "value" : "elt");
  llvm::SmallVector<Generator> generators;
  for (nb::handle item : nb::borrow<nb::list>(attribute(node, "generators")))
    generators.push_back({child(item, "target"), child(item, "iter"), expressions(attribute(item, "ifs"))});
  result->generators = copy(generators);
  return result;
}

const Stmt *AstConverter::detailedStatement(nb::handle node, llvm::StringRef name) {
  if (name == "ClassDef")
    return classDef(node);
  if (name == "Import" || name == "ImportFrom")
    return import(node, name == "ImportFrom");
  if (name == "Try" || name == "TryStar")
    return tryStmt(node);
  if (name == "Match")
    return match(node);
  if (name == "Global" || name == "Nonlocal") {
    auto *result = makeDetailed<Global>(node);
    result->isNonlocal = name == "Nonlocal";
    result->names = texts(attribute(node, "names"));
    return result;
  }
  if (name == "AsyncFunctionDef" || name == "AsyncFor" || name == "AsyncWith") {
    auto *result = makeDetailed<AsyncStmt>(node);
    result->stmt = name == "AsyncFunctionDef" ? static_cast<const Stmt *>(function(node))
                   : name == "AsyncFor"       ? static_cast<const Stmt *>(forLoop<For>(node))
                                              : static_cast<const Stmt *>(with<With>(node));
    return result;
  }
  return other<OtherStmt>(node);
}

const Expr *AstConverter::detailedExpression(nb::handle node, llvm::StringRef name) {
  if (name == "Lambda")
    return lambda(node);
  if (name == "ListComp" || name == "SetComp" || name == "GeneratorExp" || name == "DictComp")
    return comprehension(node, name == "DictComp");
  if (name == "Dict") {
    auto *result = makeDetailed<Dict>(node);
    result->keys = expressionsOrNulls(attribute(node, "keys"));
    result->values = expressions(attribute(node, "values"));
    return result;
  }
  if (name == "NamedExpr") {
    auto *result = makeDetailed<NamedExpr>(node);
    result->target = child(node, "target");
    result->value = child(node, "value");
    return result;
  }
  return other<OtherExpr>(node);
}

std::unique_ptr<ast::Tree> parseModule(const ast::SourceFile &source) {
  // CPython takes a C string: what follows a null byte would silently be left out.
  if (source.text.find('\0') != std::string::npos)
    raise(PyExc_ValueError, "source code cannot contain null bytes");
  PyCompilerFlags flags = {PyCF_ONLY_AST | PyCF_IGNORE_COOKIE, PY_MINOR_VERSION};
  nb::object module =
      nb::steal(Py_CompileStringExFlags(source.text.c_str(), source.name.c_str(), Py_file_input, &flags, -1));
  if (!module.is_valid())
    throw nb::python_error();
  auto tree = std::make_unique<ast::Tree>();
  tree->module = AstConverter(*tree, 0).body(module.attr("body"));
  return tree;
}

} // namespace tilesmith::python
