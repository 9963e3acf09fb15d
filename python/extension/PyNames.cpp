// How the evaluator finds things by name: globals, closures, builtins, jit functions; and what it noted of them.
#include "Ast.h"
#include "PyHostEval.h"
#include "PyTypes.h"

#include "llvm/ADT/STLExtras.h"

namespace nb = nanobind;

namespace tilesmith::python {

using frontend::HostFunction;
using frontend::HostRef;

static PyObject *py(const HostRef &ref) { return static_cast<PyObject *>(ref.get()); }

HostRef PyHostEval::unwrap(HostRef value) {
  if (value && isConstExpr(py(value)))
    return own(PyObject_GetAttrString(py(value), "value"));
  return value;
}

static constexpr llvm::StringLiteral allowedBuiltins[] = {
    "abs",        "all",   "any",        "bool", "dict", "divmod", "enumerate", "float", "int",
    "isinstance", "len",   "issubclass", "list", "map",  "max",    "min",       "range", "repr",
    "reversed",   "round", "sorted",     "str",  "sum",  "tuple",  "type",      "zip"};

// Of the kernel this thread compiles or checks; borrowed.
static thread_local PyObject *customBuiltins;

CustomBuiltins::CustomBuiltins(PyObject *names) : before(std::exchange(customBuiltins, names)) {}
CustomBuiltins::~CustomBuiltins() { customBuiltins = before; }

HostRef PyHostEval::lookup(const HostRef &scope, llvm::StringRef name) {
  nb::object key = nb::steal(PyUnicode_FromStringAndSize(name.data(), Py_ssize_t(name.size())));
  if (!key.is_valid()) {
    PyErr_Clear();
    return {};
  }
  PyObject *globals = nullptr;
  if (PyFunction_Check(py(scope))) {
    globals = PyFunction_GET_GLOBALS(py(scope));
    nb::object names = nb::steal(PyCode_GetFreevars(reinterpret_cast<PyCodeObject *>(PyFunction_GET_CODE(py(scope)))));
    PyObject *cells = PyFunction_GET_CLOSURE(py(scope));
    for (Py_ssize_t i = 0; cells && i < PyTuple_GET_SIZE(names.ptr()); ++i)
      if (PyUnicode_Compare(PyTuple_GET_ITEM(names.ptr(), i), key.ptr()) == 0)
        if (PyObject *value = PyCell_GET(PyTuple_GET_ITEM(cells, i)))
          return unwrap(borrow(value));
  } else {
    globals = PyTuple_GET_ITEM(py(scope), 0);
    if (PyObject *value = PyDict_GetItemWithError(PyTuple_GET_ITEM(py(scope), 1), key.ptr()))
      return unwrap(borrow(value));
  }
  if (PyObject *value = PyDict_GetItemWithError(globals, key.ptr()))
    return unwrap(borrow(value));
  PyErr_Clear();
  if (PyObject *value = customBuiltins ? PyDict_GetItem(customBuiltins, key.ptr()) : nullptr)
    return unwrap(borrow(value));
  if (!llvm::is_contained(allowedBuiltins, name))
    return {};
  return borrow(PyDict_GetItem(PyEval_GetBuiltins(), key.ptr()));
}

// Appends the strings of an iterable of names, those that are meant for users.
static void addNames(nb::handle names, std::vector<std::string> &out) {
  nb::object list = nb::steal(names.is_valid() ? PySequence_List(names.ptr()) : nullptr);
  PyErr_Clear();
  if (list.is_valid())
    for (nb::handle name : nb::borrow<nb::list>(list))
      if (const char *text = PyUnicode_Check(name.ptr()) ? PyUnicode_AsUTF8(name.ptr()) : nullptr; text && *text != '_')
        out.push_back(text);
  PyErr_Clear();
}

std::vector<std::string> PyHostEval::namesIn(const HostRef &scope) {
  std::vector<std::string> names;
  if (PyFunction_Check(py(scope))) {
    addNames(nb::steal(PyCode_GetFreevars(reinterpret_cast<PyCodeObject *>(PyFunction_GET_CODE(py(scope))))), names);
    addNames(PyFunction_GET_GLOBALS(py(scope)), names);
  } else {
    addNames(PyTuple_GET_ITEM(py(scope), 1), names);
    addNames(PyTuple_GET_ITEM(py(scope), 0), names);
  }
  addNames(customBuiltins, names);
  names.insert(names.end(), std::begin(allowedBuiltins), std::end(allowedBuiltins));
  return names;
}

std::vector<std::string> PyHostEval::attributesOf(const HostRef &object) {
  std::vector<std::string> names;
  addNames(nb::steal(PyObject_Dir(py(object))), names);
  return names;
}

// The name of a function and the first part of its module's: "numpy.exp", whatever module defines it inside.
std::string PyHostEval::originOf(const HostRef &object) {
  auto text = [&](nb::object holder, const char *name) -> std::string {
    nb::object value = nb::steal(holder.is_valid() ? PyObject_GetAttrString(holder.ptr(), name) : nullptr);
    const char *utf8 = value.is_valid() && PyUnicode_Check(value.ptr()) ? PyUnicode_AsUTF8(value.ptr()) : nullptr;
    std::string result = utf8 ? utf8 : "";
    PyErr_Clear();
    return result;
  };
  nb::object given = nb::borrow(py(object));
  std::string name = text(given, "__name__");
  if (PyModule_Check(py(object)))
    return llvm::StringRef(name).split('.').first.str();
  std::string module = text(given, "__module__"); // a ufunc has none, its type has
  if (module.empty())
    module = text(nb::borrow(reinterpret_cast<PyObject *>(Py_TYPE(py(object)))), "__module__");
  return name.empty() || module.empty() ? "" : llvm::StringRef(module).split('.').first.str() + "." + name;
}

std::string PyHostEval::builtinName(const HostRef &object) { return nameOfBuiltin(py(object)); }

namespace {
struct ParsedFunction {
  ast::SourceFile file;
  std::unique_ptr<ast::Tree> tree;
  HostFunction function;
};
constexpr const char *capsuleName = "tilesmith.parsed";
} // namespace

// The parsed function is kept in an attribute of the jit function, so it lives as long.
const HostFunction *PyHostEval::asJitFunction(const HostRef &object) {
  if (!isJitFunction(py(object)))
    return nullptr;
  PyObject *known = PyObject_GetAttrString(py(object), "_parsed");
  if (known && PyCapsule_IsValid(known, capsuleName)) {
    auto *parsed = static_cast<ParsedFunction *>(PyCapsule_GetPointer(known, capsuleName));
    Py_DECREF(known);
    return &parsed->function;
  }
  Py_XDECREF(known);
  PyErr_Clear();
  try {
    nb::handle jit(py(object));
    auto parsed = std::make_unique<ParsedFunction>();
    parsed->file.name = nb::str(jit.attr("filename")).c_str();
    parsed->file.firstLine = nb::cast<unsigned>(jit.attr("first_line"));
    parsed->file.text = asString(getAttr(object, "source")).value_or("");
    parsed->tree = parseFunction(parsed->file);
    parsed->function.tree = parsed->tree->function;
    parsed->function.file = &parsed->file;
    parsed->function.scope = borrow(nb::object(jit.attr("fn")).ptr());
    for (nb::handle item : nb::borrow<nb::tuple>(jit.attr("parameters"))) {
      auto entry = nb::borrow<nb::tuple>(item);
      HostFunction::Parameter parameter;
      parameter.isConstExpr = nb::cast<bool>(entry[1]);
      if (!entry[2].is_none())
        parameter.constExprType = borrow(nb::object(entry[2]).ptr());
      if (nb::len(entry) > 3)
        parameter.defaultValue = unwrap(borrow(nb::object(entry[3]).ptr()));
      parsed->function.parameters.push_back(std::move(parameter));
    }
    parsed->function.keepsNumbers = PyObject_HasAttrString(py(object), "keeps_numbers");
    // A language may add parameters of its own.
    if (parsed->function.parameters.size() < parsed->tree->function->parameters.size()) {
      PyErr_SetString(PyExc_RuntimeError, "the source of the function has changed since it was imported");
      return nullptr;
    }
    nb::object capsule = nb::steal(PyCapsule_New(parsed.get(), capsuleName, [](PyObject *capsule) {
      delete static_cast<ParsedFunction *>(PyCapsule_GetPointer(capsule, capsuleName));
    }));
    const HostFunction *function = &parsed->function;
    if (!capsule.is_valid())
      return nullptr;
    parsed.release();
    if (PyObject_SetAttrString(py(object), "_parsed", capsule.ptr()) != 0)
      return nullptr;
    return function;
  } catch (nb::python_error &error) {
    error.restore();
  } catch (const std::exception &error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

// What follows a Python function is kept at it: pypto's Helper, which is as good as a jit function.
const HostFunction *PyHostEval::asFunction(const HostRef &object, bool allKnown) {
  if (!PyFunction_Check(py(object)))
    return nullptr;
  nb::object helper = nb::steal(PyObject_GetAttrString(py(object), helperAttribute));
  if (!helper.is_valid()) {
    PyErr_Clear();
    nb::object follow = nb::steal(PyImport_ImportModule("pypto._helpers"));
    helper = nb::steal(follow.is_valid() ? PyObject_CallMethod(follow.ptr(), "follow", "O", py(object)) : nullptr);
  }
  if (!helper.is_valid() || helper.is_none()) {
    PyErr_Clear();
    return nullptr;
  }
  nb::object needed = nb::steal(PyObject_GetAttrString(helper.ptr(), "uses_pypto"));
  if (allKnown && needed.ptr() != Py_True) // Python's own business
    return nullptr;
  const HostFunction *function = asJitFunction(borrow(helper.ptr()));
  PyErr_Clear();
  return function;
}

void PyHostEval::noteRead(llvm::StringRef path, const HostRef &object) {
  std::optional<std::string> value = path.empty() ? std::nullopt : fingerprint(object);
  if (!value) {
    recorded.complete = false;
    return;
  }
  runtime::HostRead read{path.str(), std::move(*value)};
  if (!llvm::is_contained(recorded.reads, read))
    recorded.reads.push_back(std::move(read));
}

} // namespace tilesmith::python
