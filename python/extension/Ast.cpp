#include "Ast.h"
#include "AstConverter.h"
#include "AstOperators.h"

#include "llvm/ADT/DenseMap.h"

namespace tilesmith::python {

using namespace ast;

void raise(PyObject *type, const char *message) {
  PyErr_SetString(type, message);
  throw nb::python_error();
}

const FunctionDef *AstConverter::function(nb::handle node) {
  auto *result = tree.make<FunctionDef>(range(node));
  result->name = text(node, "name");
  result->nameRange = result->range;
  result->nameRange.endLine = result->range.line;
  result->nameRange.endColumn = result->range.column + 4 + result->name.size();
  parameters(attribute(node, "args"), *result);
  result->decorators = expressions(attribute(node, "decorator_list"));
  llvm::SmallVector<const Expr *> annotations;
  if (const Expr *ofResult = optionalChild(node, "returns"))
    annotations.push_back(ofResult);
  for (const char *field : {"vararg", "kwarg"})
    if (nb::object argument = attribute(attribute(node, "args"), field); !argument.is_none())
      if (const Expr *annotation = optionalChild(argument, "annotation"))
        annotations.push_back(annotation);
  result->otherAnnotations = copy(annotations);
  result->body = body(attribute(node, "body"));
  return result;
}

void AstConverter::parameters(nb::handle arguments, FunctionDef &function) {
  llvm::SmallVector<Parameter> parameters;
  for (const char *field : {"posonlyargs", "args", "kwonlyargs"})
    for (nb::handle argument : nb::borrow<nb::list>(attribute(arguments, field))) {
      Parameter parameter{text(argument, "arg"), range(argument)};
      parameter.isKeywordOnly = llvm::StringRef(field) == "kwonlyargs";
      parameter.annotation = optionalChild(argument, "annotation");
      parameters.push_back(parameter);
    }
  // Defaults belong to the last of the positional parameters; keyword-only ones have theirs, or null, in order.
  Exprs keywordDefaults = expressionsOrNulls(attribute(arguments, "kw_defaults"));
  Exprs defaults = expressions(attribute(arguments, "defaults"));
  size_t positional = parameters.size() - keywordDefaults.size();
  for (size_t i = 0; i != defaults.size(); ++i)
    parameters[positional - defaults.size() + i].defaultValue = defaults[i];
  for (size_t i = 0; i != keywordDefaults.size(); ++i)
    parameters[positional + i].defaultValue = keywordDefaults[i];
  function.parameters = copy(parameters);
  auto nameOf = [&](const char *field) {
    nb::object argument = attribute(arguments, field);
    return argument.is_none() ? llvm::StringRef() : text(argument, "arg");
  };
  function.restName = nameOf("vararg");
  function.keywordsName = nameOf("kwarg");
  if (!function.restName.empty())
    function.variadic = "*args";
  else if (!function.keywordsName.empty())
    function.variadic = "**kwargs";
}

nb::object AstConverter::attribute(nb::handle node, const char *name) {
  static auto *interned = new llvm::DenseMap<const char *, PyObject *>(); // kept: Python is gone before statics are
  PyObject *&key = (*interned)[name];
  if (!key && !(key = PyUnicode_InternFromString(name)))
    throw nb::python_error();
  PyObject *value = PyObject_GetAttr(node.ptr(), key);
  if (!value)
    throw nb::python_error();
  return nb::steal(value);
}

llvm::StringRef AstConverter::optionalText(nb::handle node, const char *field) {
  nb::object value = attribute(node, field);
  return value.is_none() ? llvm::StringRef() : copyText(value);
}

llvm::ArrayRef<llvm::StringRef> AstConverter::texts(nb::handle list) {
  llvm::SmallVector<llvm::StringRef> result;
  for (nb::handle item : nb::borrow<nb::list>(list))
    result.push_back(copyText(item));
  return copy(result);
}

Exprs AstConverter::expressionsOrNulls(nb::handle list) {
  llvm::SmallVector<const Expr *> result;
  for (nb::handle node : nb::borrow<nb::list>(list))
    result.push_back(node.is_none() ? nullptr : expression(node));
  return copy(result);
}

llvm::StringRef AstConverter::className(nb::handle node) {
  llvm::StringRef name = Py_TYPE(node.ptr())->tp_name;
  return name.substr(name.rfind('.') + 1);
}

Range AstConverter::range(nb::handle node) {
  auto number = [&](const char *name) {
    long value = PyLong_AsLong(attribute(node, name).ptr());
    if (value == -1 && PyErr_Occurred())
      throw nb::python_error();
    return unsigned(value);
  };
  unsigned line = number("lineno"), endLine = number("end_lineno");
  return {line + lineOffset, number("col_offset"), endLine + lineOffset, number("end_col_offset")};
}

// Strings may hold lone surrogates, which strict UTF-8 cannot carry.
llvm::StringRef AstConverter::copyText(nb::handle string) {
  nb::object bytes = nb::steal(PyUnicode_AsEncodedString(string.ptr(), "utf-8", "surrogatepass"));
  if (!bytes.is_valid())
    throw nb::python_error();
  return tree.copy(llvm::StringRef(PyBytes_AS_STRING(bytes.ptr()), PyBytes_GET_SIZE(bytes.ptr())));
}

Body AstConverter::body(nb::handle list) {
  llvm::SmallVector<const Stmt *> statements;
  for (nb::handle node : nb::borrow<nb::list>(list))
    statements.push_back(statement(node));
  return tree.copy(llvm::ArrayRef<const Stmt *>(statements));
}

Exprs AstConverter::expressions(nb::handle list) {
  llvm::SmallVector<const Expr *> result;
  for (nb::handle node : nb::borrow<nb::list>(list))
    result.push_back(expression(node));
  return tree.copy(llvm::ArrayRef<const Expr *>(result));
}

const Expr *AstConverter::optionalChild(nb::handle node, const char *field) {
  nb::object value = attribute(node, field);
  return value.is_none() ? nullptr : expression(value);
}

template <typename T> const T *AstConverter::conditional(nb::handle node) {
  auto *result = tree.make<T>(range(node));
  result->condition = child(node, "test");
  result->body = body(attribute(node, "body"));
  result->orElse = body(attribute(node, "orelse"));
  return result;
}

template <typename T> const T *AstConverter::forLoop(nb::handle node) {
  auto *result = tree.make<T>(range(node));
  result->target = child(node, "target");
  result->iterable = child(node, "iter");
  result->body = body(attribute(node, "body"));
  result->orElse = body(attribute(node, "orelse"));
  return result;
}

template <typename T> const T *AstConverter::with(nb::handle node) {
  auto *result = tree.make<T>(range(node));
  llvm::SmallVector<const Expr *> contexts, variables;
  for (nb::handle item : nb::borrow<nb::list>(attribute(node, "items"))) {
    contexts.push_back(child(item, "context_expr"));
    variables.push_back(optionalChild(item, "optional_vars"));
  }
  result->contexts = copy(contexts);
  result->variables = copy(variables);
  result->body = body(attribute(node, "body"));
  return result;
}

const Stmt *AstConverter::statement(nb::handle node) {
  Depth guard(depth);
  llvm::StringRef name = className(node);
  if (name == "FunctionDef")
    return function(node);
  if (name == "Return") {
    auto *result = tree.make<Return>(range(node));
    result->value = optionalChild(node, "value");
    return result;
  }
  if (name == "Assign") {
    auto *result = tree.make<Assign>(range(node));
    result->targets = expressions(attribute(node, "targets"));
    result->value = child(node, "value");
    return result;
  }
  if (name == "AugAssign") {
    auto *result = tree.make<AugAssign>(range(node));
    result->target = child(node, "target");
    result->op = binaryOperator(className(attribute(node, "op")));
    result->value = child(node, "value");
    return result;
  }
  if (name == "AnnAssign") {
    auto *result = tree.make<AnnAssign>(range(node));
    result->target = child(node, "target");
    result->annotation = child(node, "annotation");
    result->value = optionalChild(node, "value");
    return result;
  }
  if (name == "For")
    return forLoop<For>(node);
  if (name == "While")
    return conditional<While>(node);
  if (name == "If")
    return conditional<If>(node);
  if (name == "With")
    return with<With>(node);
  if (name == "Assert") {
    auto *result = tree.make<Assert>(range(node));
    result->condition = child(node, "test");
    result->message = optionalChild(node, "msg");
    return result;
  }
  if (name == "Expr") {
    auto *result = tree.make<ExprStmt>(range(node));
    result->value = child(node, "value");
    return result;
  }
  if (name == "Pass")
    return tree.make<Pass>(range(node));
  return detailedStatement(node, name);
}

const Constant *AstConverter::constant(nb::handle node) {
  auto *result = tree.make<Constant>(range(node));
  nb::object value = attribute(node, "value");
  PyObject *object = value.ptr();
  if (object == Py_None) {
    result->constant = ConstantKind::None;
  } else if (PyBool_Check(object)) {
    result->constant = ConstantKind::Bool;
    result->integer = object == Py_True;
  } else if (PyLong_Check(object)) {
    int overflow = 0;
    result->integer = PyLong_AsLongLongAndOverflow(object, &overflow);
    result->constant = overflow ? ConstantKind::BigInt : ConstantKind::Int;
    if (overflow) // hexadecimal: Python limits the length of decimal texts
      result->text = copyText(nb::steal(PyNumber_ToBase(object, 16)));
  } else if (PyFloat_Check(object)) {
    result->constant = ConstantKind::Float;
    result->number = PyFloat_AS_DOUBLE(object);
  } else if (PyUnicode_Check(object)) {
    result->constant = ConstantKind::String;
    result->text = copyText(value);
  } else if (PyBytes_Check(object)) {
    result->constant = ConstantKind::Bytes;
    result->text = tree.copy(llvm::StringRef(PyBytes_AS_STRING(object), PyBytes_GET_SIZE(object)));
  } else {
    result->constant = object == Py_Ellipsis ? ConstantKind::Ellipsis : ConstantKind::Complex;
  }
  return result;
}

llvm::ArrayRef<Keyword> AstConverter::keywords(nb::handle list) {
  llvm::SmallVector<Keyword> result;
  for (nb::handle keyword : nb::borrow<nb::list>(list))
    result.push_back({optionalText(keyword, "arg"), child(keyword, "value"), range(keyword)});
  return copy(result);
}

const Call *AstConverter::call(nb::handle node) {
  auto *result = tree.make<Call>(range(node));
  result->callee = child(node, "func");
  result->arguments = expressions(attribute(node, "args"));
  result->keywords = keywords(attribute(node, "keywords"));
  return result;
}

const Expr *AstConverter::expression(nb::handle node) {
  Depth guard(depth);
  llvm::StringRef name = className(node);
  if (name == "Name") {
    auto *result = tree.make<Name>(range(node));
    result->id = text(node, "id");
    return result;
  }
  if (name == "Constant")
    return constant(node);
  if (name == "Attribute") {
    auto *result = tree.make<Attribute>(range(node));
    result->value = child(node, "value");
    result->name = text(node, "attr");
    return result;
  }
  if (name == "Call")
    return call(node);
  if (name == "BinOp") {
    auto *result = tree.make<BinOp>(range(node));
    result->lhs = child(node, "left");
    result->op = binaryOperator(className(attribute(node, "op")));
    result->rhs = child(node, "right");
    return result;
  }
  if (name == "UnaryOp") {
    auto *result = tree.make<UnaryOp>(range(node));
    result->op = unaryOperator(className(attribute(node, "op")));
    result->operand = child(node, "operand");
    return result;
  }
  if (name == "BoolOp") {
    auto *result = tree.make<BoolOp>(range(node));
    result->isAnd = className(attribute(node, "op")) == "And";
    result->operands = expressions(attribute(node, "values"));
    return result;
  }
  if (name == "Compare") {
    auto *result = tree.make<Compare>(range(node));
    llvm::SmallVector<const Expr *> operands{child(node, "left")};
    llvm::append_range(operands, expressions(attribute(node, "comparators")));
    result->operands = tree.copy(llvm::ArrayRef<const Expr *>(operands));
    llvm::SmallVector<CompareOperator> operators;
    for (nb::handle op : nb::borrow<nb::list>(attribute(node, "ops")))
      operators.push_back(compareOperator(className(op)));
    result->operators = tree.copy(llvm::ArrayRef<CompareOperator>(operators));
    return result;
  }
  if (name == "Subscript") {
    auto *result = tree.make<Subscript>(range(node));
    result->value = child(node, "value");
    result->index = child(node, "slice");
    return result;
  }
  if (name == "Slice") {
    auto *result = tree.make<Slice>(range(node));
    result->lower = optionalChild(node, "lower");
    result->upper = optionalChild(node, "upper");
    result->step = optionalChild(node, "step");
    return result;
  }
  if (name == "Tuple" || name == "List") {
    auto *result = tree.make<Sequence>(range(node));
    result->isList = name == "List";
    result->elements = expressions(attribute(node, "elts"));
    return result;
  }
  if (name == "Starred") {
    auto *result = tree.make<Starred>(range(node));
    result->value = child(node, "value");
    return result;
  }
  if (name == "IfExp") {
    auto *result = tree.make<IfExp>(range(node));
    result->condition = child(node, "test");
    result->body = child(node, "body");
    result->orElse = child(node, "orelse");
    return result;
  }
  if (name == "JoinedStr") {
    auto *result = tree.make<JoinedStr>(range(node));
    result->parts = expressions(attribute(node, "values"));
    return result;
  }
  if (name == "FormattedValue") {
    auto *result = tree.make<FormattedValue>(range(node));
    result->value = child(node, "value");
    long conversion = PyLong_AsLong(attribute(node, "conversion").ptr());
    result->conversion = conversion > 0 ? char(conversion) : 0;
    result->format = optionalChild(node, "format_spec");
    return result;
  }
  return detailedExpression(node, name);
}

std::unique_ptr<ast::Tree> parseFunction(const ast::SourceFile &source) {
  // A function inside another one is indented. Under an `if` it parses as it is, and columns stay the file's.
  bool isIndented = !source.text.empty() && (source.text[0] == ' ' || source.text[0] == '\t');
  std::string text = isIndented ? "if 1:\n" + source.text : source.text;
  PyCompilerFlags flags = {PyCF_ONLY_AST, PY_MINOR_VERSION};
  nb::object module = nb::steal(Py_CompileStringExFlags(text.c_str(), source.name.c_str(), Py_file_input, &flags, -1));
  if (!module.is_valid())
    throw nb::python_error();
  nb::list body = nb::borrow<nb::list>(module.attr("body"));
  if (isIndented && nb::len(body) > 0)
    body = nb::borrow<nb::list>(body[0].attr("body"));
  for (nb::handle node : body) {
    llvm::StringRef name = Py_TYPE(node.ptr())->tp_name;
    if (name.ends_with("AsyncFunctionDef"))
      raise(PyExc_ValueError, "an async function cannot be a kernel");
    if (!name.ends_with("FunctionDef"))
      continue;
    auto tree = std::make_unique<ast::Tree>();
    int offset = int(source.firstLine) - 1 - (isIndented ? 1 : 0);
    tree->function = AstConverter(*tree, offset).function(node);
    return tree;
  }
  raise(PyExc_ValueError, "the source holds no function; a kernel is written with def");
}

} // namespace tilesmith::python
