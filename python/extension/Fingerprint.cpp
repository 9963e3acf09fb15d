// Fingerprints of host values: equal text means that a kernel compiles alike, in this process or another one.
#include "PyHostEval.h"
#include "PyTypes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

namespace nb = nanobind;

namespace tilesmith::python {
namespace {

constexpr unsigned maxDepth = 16;
constexpr Py_ssize_t maxItems = 4096;

bool add(PyObject *object, std::string &out, unsigned depth);

// "name" of an attribute that is a string; nothing otherwise.
bool addAttribute(PyObject *object, const char *attribute, std::string &out) {
  nb::object value = nb::steal(PyObject_GetAttrString(object, attribute));
  const char *text = value.is_valid() && PyUnicode_Check(value.ptr()) ? PyUnicode_AsUTF8(value.ptr()) : nullptr;
  if (!text) {
    PyErr_Clear();
    return false;
  }
  out += text;
  return true;
}

bool addQualifiedName(PyObject *object, std::string &out) {
  if (!addAttribute(object, "__module__", out))
    out += "?";
  out += ".";
  return addAttribute(object, "__qualname__", out);
}

bool addItems(PyObject *sequence, std::string &out, unsigned depth) {
  Py_ssize_t size = PySequence_Fast_GET_SIZE(sequence);
  if (size > maxItems)
    return false;
  for (Py_ssize_t i = 0; i < size; ++i) {
    if (!add(PySequence_Fast_GET_ITEM(sequence, i), out, depth + 1))
      return false;
    out += ",";
  }
  return true;
}

bool addDict(PyObject *dict, std::string &out, unsigned depth) {
  if (PyDict_GET_SIZE(dict) > maxItems)
    return false;
  PyObject *key = nullptr, *value = nullptr;
  for (Py_ssize_t position = 0; PyDict_Next(dict, &position, &key, &value);) {
    if (!add(key, out, depth + 1))
      return false;
    out += ":";
    if (!add(value, out, depth + 1))
      return false;
    out += ",";
  }
  return true;
}

bool addJitFunction(PyObject *object, std::string &out, unsigned depth) {
  llvm::SHA256 hash;
  for (const char *attribute : {"source", "filename"}) {
    std::string text;
    if (!addAttribute(object, attribute, text))
      return false;
    hash.update(text);
    hash.update(llvm::StringRef("\0", 1));
  }
  out += "jit:" + llvm::toHex(hash.final(), true);
  nb::object line = nb::steal(PyObject_GetAttrString(object, "first_line"));
  nb::object parameters = nb::steal(PyObject_GetAttrString(object, "parameters"));
  return line.is_valid() && parameters.is_valid() && add(line.ptr(), out, depth + 1) &&
         add(parameters.ptr(), out, depth + 1);
}

bool add(PyObject *object, std::string &out, unsigned depth) {
  if (depth > maxDepth)
    return false;
  if (object == Py_None || object == Py_Ellipsis || PyBool_Check(object)) {
    out += object == Py_None ? "None" : object == Py_Ellipsis ? "..." : object == Py_True ? "True" : "False";
    return true;
  }
  if (PyLong_CheckExact(object)) {
    nb::object text = nb::steal(PyNumber_ToBase(object, 16));
    out += std::string("i") + PyUnicode_AsUTF8(text.ptr());
    return true;
  }
  if (PyFloat_CheckExact(object)) {
    double value = PyFloat_AS_DOUBLE(object);
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    out += "f" + llvm::utohexstr(bits);
    return true;
  }
  if (PyUnicode_CheckExact(object)) {
    nb::object bytes = nb::steal(PyUnicode_AsEncodedString(object, "utf-8", "surrogatepass"));
    if (!bytes.is_valid())
      return false;
    out += "s" + std::to_string(PyBytes_GET_SIZE(bytes.ptr())) + ":";
    out.append(PyBytes_AS_STRING(bytes.ptr()), size_t(PyBytes_GET_SIZE(bytes.ptr())));
    return true;
  }
  if (PyBytes_CheckExact(object)) {
    out += "b" + std::to_string(PyBytes_GET_SIZE(object)) + ":";
    out.append(PyBytes_AS_STRING(object), size_t(PyBytes_GET_SIZE(object)));
    return true;
  }
  if (PyTuple_CheckExact(object) || PyList_CheckExact(object)) {
    out += PyTuple_CheckExact(object) ? "(" : "[";
    return addItems(object, out, depth) && (out += ")", true);
  }
  if (PyDict_CheckExact(object)) {
    out += "{";
    return addDict(object, out, depth) && (out += "}", true);
  }
  if (PyModule_Check(object)) {
    out += "module:";
    return addAttribute(object, "__name__", out);
  }
  if (std::string name = nameOfBuiltin(object); !name.empty()) {
    out += "builtin:" + name;
    return true;
  }
  if (PyType_Check(object) || PyCFunction_Check(object)) {
    out += "named:";
    return addQualifiedName(object, out);
  }
  if (isJitFunction(object))
    return addJitFunction(object, out, depth);
  if (PyFunction_Check(object)) {
    nb::object helper = nb::steal(PyObject_GetAttrString(object, helperAttribute));
    PyErr_Clear();
    return helper.is_valid() && addJitFunction(helper.ptr(), out, depth);
  }

  // What says itself what it is made of (asc.language.core.struct).
  if (PyObject_HasAttrString(reinterpret_cast<PyObject *>(Py_TYPE(object)), "__tilesmith_state__")) {
    nb::object state = nb::steal(PyObject_CallMethod(object, "__tilesmith_state__", nullptr));
    return state.is_valid() && add(state.ptr(), out += "struct:", depth + 1);
  }

  // Types whose instances are described by one attribute or by their items.
  llvm::StringRef type = Py_TYPE(object)->tp_name;
  out += type.str() + ":";
  if (PyObject *known = dataType(); known && reinterpret_cast<PyObject *>(Py_TYPE(object)) == known)
    return addAttribute(object, "name", out);
  if (type == "torch.Size" || type == "Size")
    return PyTuple_Check(object) && addItems(object, out, depth);
  if (type == "torch.dtype" || type.starts_with("numpy.dtype")) {
    nb::object text = nb::steal(PyObject_Str(object));
    out += text.is_valid() ? PyUnicode_AsUTF8(text.ptr()) : "";
    return text.is_valid();
  }
  if (type.starts_with("numpy.") && type != "numpy.ndarray") {
    nb::object item = nb::steal(PyObject_CallMethod(object, "item", nullptr));
    return item.is_valid() && Py_TYPE(item.ptr()) != Py_TYPE(object) && add(item.ptr(), out, depth + 1);
  }
  // Members of an enumeration: class and name say it all.
  nb::object members = nb::steal(PyObject_GetAttrString(reinterpret_cast<PyObject *>(Py_TYPE(object)), "__members__"));
  if (!members.is_valid()) {
    PyErr_Clear();
    return false;
  }
  if (!addQualifiedName(reinterpret_cast<PyObject *>(Py_TYPE(object)), out))
    return false;
  out += ".";
  if (!addAttribute(object, "name", out))
    return false;
  nb::object value = nb::steal(PyObject_GetAttrString(object, "value"));
  return value.is_valid() && add(value.ptr(), out, depth + 1);
}

} // namespace

std::optional<std::string> PyHostEval::fingerprint(const HostRef &object) {
  std::string text;
  bool known = add(static_cast<PyObject *>(object.get()), text, 0);
  PyErr_Clear();
  return known ? std::optional<std::string>(std::move(text)) : std::nullopt;
}

} // namespace tilesmith::python
