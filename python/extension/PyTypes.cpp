#include "PyTypes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"

namespace nb = nanobind;

namespace tilesmith::python {

// A member of a module, imported once and kept.
static PyObject *member(PyObject *&cached, const char *module, const char *name) {
  if (!cached) {
    nb::object imported = nb::steal(PyImport_ImportModule(module));
    cached = imported.is_valid() ? PyObject_GetAttrString(imported.ptr(), name) : nullptr;
  }
  return cached;
}

PyObject *dataType() {
  static PyObject *type = nullptr;
  return member(type, "asc.language.core.dtype", "DataType");
}

bool isConstExpr(PyObject *object) {
  // By name first: almost nothing is one, and this is asked for every value read.
  llvm::StringRef name = Py_TYPE(object)->tp_name;
  if (!name.ends_with("ConstExpr") && !name.ends_with("constexpr"))
    return false;
  static PyObject *type = nullptr;
  PyObject *known = member(type, "asc.language.core.constexpr", "ConstExpr");
  PyErr_Clear();
  return known && PyType_IsSubtype(Py_TYPE(object), reinterpret_cast<PyTypeObject *>(known));
}

bool isJitFunction(PyObject *object) {
  if (PyFunction_Check(object) || PyModule_Check(object) || PyType_Check(object))
    return false;
  return PyObject_HasAttrString(object, "first_line") && PyObject_HasAttrString(object, "fn") &&
         PyObject_HasAttrString(object, "parameters") && PyObject_HasAttrString(object, "source");
}

static const llvm::DenseMap<PyObject *, const char *> &pythonBuiltins() {
  static const auto *table = [] {
    auto *map = new llvm::DenseMap<PyObject *, const char *>;
    for (const char *name :
         {"range", "len",       "isinstance", "min", "max", "abs", "int", "float",  "bool",   "tuple", "list",
          "zip",   "enumerate", "reversed",   "map", "sum", "all", "any", "divmod", "sorted", "round"})
      if (PyObject *object = PyDict_GetItemString(PyEval_GetBuiltins(), name))
        (*map)[Py_NewRef(object)] = name;
    return map;
  }();
  return *table;
}

std::string nameOfBuiltin(PyObject *object) {
  if (auto it = pythonBuiltins().find(object); it != pythonBuiltins().end())
    return it->second;
  PyObject *name = nullptr;
  if (PyType_Check(object)) {
    // Only the class itself, not those derived from it.
    PyObject *dict = reinterpret_cast<PyTypeObject *>(object)->tp_dict;
    name = dict ? PyDict_GetItemString(dict, "__tilesmith_name__") : nullptr;
    Py_XINCREF(name);
  } else {
    static PyObject *type = nullptr;
    PyObject *builtin = member(type, "asc._builtin", "Builtin");
    if (builtin && reinterpret_cast<PyObject *>(Py_TYPE(object)) == builtin)
      name = PyObject_GetAttrString(object, "name");
  }
  PyErr_Clear();
  std::string result;
  if (name && PyUnicode_Check(name))
    if (const char *text = PyUnicode_AsUTF8(name))
      result = text;
  Py_XDECREF(name);
  return result;
}

} // namespace tilesmith::python
