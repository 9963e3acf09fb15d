#include "Ast.h"
#include "AstOperators.h"

#include "llvm/ADT/SmallVector.h"

namespace nb = nanobind;

namespace tilesmith::python {
namespace {

using namespace ast;

// Deeper trees are refused; the front end has a lower limit of its own for what it lowers.
constexpr unsigned maxDepth = 1500;

[[noreturn]] void raise(PyObject *type, const char *message) {
  PyErr_SetString(type, message);
  throw nb::python_error();
}

class Converter {
public:
  Converter(Tree &tree, int lineOffset) : tree(tree), lineOffset(lineOffset) {}

  const FunctionDef *function(nb::handle node) {
    auto *result = tree.make<FunctionDef>(range(node));
    result->name = text(node, "name");
    result->nameRange = result->range;
    result->nameRange.endLine = result->range.line;
    result->nameRange.endColumn = result->range.column + 4 + result->name.size();
    nb::object arguments = node.attr("args");
    llvm::SmallVector<Parameter> parameters;
    for (const char *field : {"posonlyargs", "args", "kwonlyargs"})
      for (nb::handle argument : nb::list(arguments.attr(field)))
        parameters.push_back({text(argument, "arg"), range(argument)});
    result->parameters = tree.copy(llvm::ArrayRef<Parameter>(parameters));
    if (!arguments.attr("vararg").is_none())
      result->variadic = "*args";
    else if (!arguments.attr("kwarg").is_none())
      result->variadic = "**kwargs";
    result->body = body(node.attr("body"));
    return result;
  }

private:
  struct Depth {
    unsigned &depth;
    explicit Depth(unsigned &depth) : depth(depth) {
      if (++depth > maxDepth)
        raise(PyExc_RecursionError, "the source is nested too deep");
    }
    ~Depth() { --depth; }
  };

  static nb::object attribute(nb::handle node, const char *name) {
    PyObject *value = PyObject_GetAttrString(node.ptr(), name);
    if (!value)
      throw nb::python_error();
    return nb::steal(value);
  }

  static llvm::StringRef className(nb::handle node) {
    llvm::StringRef name = Py_TYPE(node.ptr())->tp_name;
    return name.substr(name.rfind('.') + 1);
  }

  Range range(nb::handle node) {
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
  llvm::StringRef copyText(nb::handle string) {
    nb::object bytes = nb::steal(PyUnicode_AsEncodedString(string.ptr(), "utf-8", "surrogatepass"));
    if (!bytes.is_valid())
      throw nb::python_error();
    return tree.copy(llvm::StringRef(PyBytes_AS_STRING(bytes.ptr()), PyBytes_GET_SIZE(bytes.ptr())));
  }
  llvm::StringRef text(nb::handle node, const char *field) { return copyText(attribute(node, field)); }

  Body body(nb::handle list) {
    llvm::SmallVector<const Stmt *> statements;
    for (nb::handle node : nb::borrow<nb::list>(list))
      statements.push_back(statement(node));
    return tree.copy(llvm::ArrayRef<const Stmt *>(statements));
  }
  Exprs expressions(nb::handle list) {
    llvm::SmallVector<const Expr *> result;
    for (nb::handle node : nb::borrow<nb::list>(list))
      result.push_back(expression(node));
    return tree.copy(llvm::ArrayRef<const Expr *>(result));
  }
  const Expr *child(nb::handle node, const char *field) { return expression(attribute(node, field)); }
  const Expr *optionalChild(nb::handle node, const char *field) {
    nb::object value = attribute(node, field);
    return value.is_none() ? nullptr : expression(value);
  }

  // Children of a construct we do not lower: every statement and expression below it, through helper nodes.
  void collect(nb::handle value, llvm::SmallVectorImpl<const Node *> &children) {
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
  void collectFields(nb::handle node, llvm::SmallVectorImpl<const Node *> &children) {
    for (nb::handle field : nb::borrow<nb::tuple>(attribute(node, "_fields"))) {
      PyObject *value = PyObject_GetAttr(node.ptr(), field.ptr());
      if (!value)
        throw nb::python_error();
      collect(nb::steal(value), children);
    }
  }
  static nb::handle types() {
    static nb::handle module = nb::module_::import_("ast").release(); // kept: at exit Python is gone before statics are
    return module;
  }
  template <typename T> const T *other(nb::handle node) {
    auto *result = tree.make<T>(range(node));
    result->className = tree.copy(className(node));
    llvm::SmallVector<const Node *> children;
    collectFields(node, children);
    result->children = tree.copy(llvm::ArrayRef<const Node *>(children));
    return result;
  }

  template <typename T> const T *conditional(nb::handle node) {
    auto *result = tree.make<T>(range(node));
    result->condition = child(node, "test");
    result->body = body(attribute(node, "body"));
    result->orElse = body(attribute(node, "orelse"));
    return result;
  }

  const Stmt *statement(nb::handle node) {
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
    if (name == "For") {
      auto *result = tree.make<For>(range(node));
      result->target = child(node, "target");
      result->iterable = child(node, "iter");
      result->body = body(attribute(node, "body"));
      result->orElse = body(attribute(node, "orelse"));
      return result;
    }
    if (name == "While")
      return conditional<While>(node);
    if (name == "If")
      return conditional<If>(node);
    if (name == "With") {
      auto *result = tree.make<With>(range(node));
      llvm::SmallVector<const Expr *> contexts, variables;
      for (nb::handle item : nb::borrow<nb::list>(attribute(node, "items"))) {
        contexts.push_back(child(item, "context_expr"));
        variables.push_back(optionalChild(item, "optional_vars"));
      }
      result->contexts = tree.copy(llvm::ArrayRef<const Expr *>(contexts));
      result->variables = tree.copy(llvm::ArrayRef<const Expr *>(variables));
      result->body = body(attribute(node, "body"));
      return result;
    }
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
    return other<OtherStmt>(node);
  }

  const Constant *constant(nb::handle node) {
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

  const Call *call(nb::handle node) {
    auto *result = tree.make<Call>(range(node));
    result->callee = child(node, "func");
    result->arguments = expressions(attribute(node, "args"));
    llvm::SmallVector<Keyword> keywords;
    for (nb::handle keyword : nb::borrow<nb::list>(attribute(node, "keywords"))) {
      nb::object name = attribute(keyword, "arg");
      keywords.push_back({name.is_none() ? llvm::StringRef() : copyText(name), child(keyword, "value"), range(keyword)});
    }
    result->keywords = tree.copy(llvm::ArrayRef<Keyword>(keywords));
    return result;
  }

  const Expr *expression(nb::handle node) {
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
    return other<OtherExpr>(node);
  }

  Tree &tree;
  int lineOffset;
  unsigned depth = 0;
};

} // namespace

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
    tree->function = Converter(*tree, offset).function(node);
    return tree;
  }
  raise(PyExc_ValueError, "the source holds no function; a kernel is written with def");
}

} // namespace tilesmith::python
