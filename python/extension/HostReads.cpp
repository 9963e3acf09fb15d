#include "HostReads.h"

namespace nb = nanobind;

namespace tilesmith::python {
namespace {

using frontend::HostEval;
using frontend::HostRef;
using runtime::HostRead;

HostRef wrap(HostEval &host, PyObject *object) {
  host.retain(object);
  return HostRef(&host, object);
}

// Walks attributes; null if one is missing.
HostRef walk(HostEval &host, HostRef value, llvm::StringRef attributes) {
  while (value && !attributes.empty()) {
    auto [name, rest] = attributes.split('.');
    value = host.getAttr(value, name);
    if (!value)
      (void)host.takeError();
    attributes = rest;
  }
  return value;
}

// Splits a path at its last '>': the jit function whose names it uses, and the path in there.
HostRef resolve(HostEval &host, HostRef function, llvm::StringRef path, const ConstantValue &constant) {
  auto [callee, rest] = path.split('>');
  if (!rest.empty()) {
    HostRef next = resolve(host, function, callee, constant);
    return next ? resolve(host, next, rest, constant) : HostRef();
  }
  auto [root, attributes] = path.split('.');
  if (root.consume_front("$")) {
    PyObject *value = constant(root);
    return value ? walk(host, wrap(host, value), attributes) : HostRef();
  }
  // The function's own names; asking for its tree would parse it, which a cached kernel does not need.
  // A Python function that is followed has none beside it.
  bool isPlain = PyFunction_Check(static_cast<PyObject *>(function.get()));
  HostRef scope = isPlain ? function : host.getAttr(function, "fn");
  if (!scope) {
    (void)host.takeError();
    return HostRef();
  }
  HostRef value = host.lookup(scope, root);
  return value ? walk(host, std::move(value), attributes) : HostRef();
}

bool matches(HostEval &host, PyObject *function, const HostRead &read, const ConstantValue &constant) {
  HostRef value = resolve(host, wrap(host, function), read.path, constant);
  if (!value)
    return false;
  std::optional<std::string> now = host.fingerprint(value);
  return now && *now == read.fingerprint;
}

// Objects that mean the same for as long as they live.
bool cannotChange(PyObject *object) {
  if (object == Py_None || PyLong_CheckExact(object) || PyFloat_CheckExact(object) || PyBool_Check(object) ||
      PyUnicode_CheckExact(object) || PyBytes_CheckExact(object) || PyFunction_Check(object) ||
      PyCFunction_Check(object) || PyType_Check(object) || PyModule_Check(object))
    return true;
  if (PyTuple_CheckExact(object)) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(object); ++i)
      if (!cannotChange(PyTuple_GET_ITEM(object, i)))
        return false;
    return true;
  }
  nb::object module = nb::steal(PyObject_GetAttrString(reinterpret_cast<PyObject *>(Py_TYPE(object)), "__module__"));
  if (!module.is_valid())
    PyErr_Clear();
  return module.is_valid() && PyUnicode_Check(module.ptr()) &&
         llvm::StringRef(PyUnicode_AsUTF8(module.ptr())).starts_with("asc."); // dtypes, locations, jit functions
}

bool isOwnModule(PyObject *object) {
  if (!PyModule_Check(object))
    return false;
  const char *name = PyModule_GetName(object);
  if (!name)
    PyErr_Clear();
  llvm::StringRef text(name ? name : "");
  return text == "asc" || text == "asc2" || text.starts_with("asc.") || text.starts_with("asc2.") || text == "pypto" ||
         text.starts_with("tilesmith.triton") || text == "triton" || text.starts_with("triton.");
}

} // namespace

bool holds(HostEval &host, PyObject *function, const std::vector<HostRead> &reads, const ConstantValue &constant) {
  return llvm::all_of(reads, [&](const HostRead &read) { return matches(host, function, read, constant); });
}

HostReads::HostReads(HostEval &host, PyObject *function, std::vector<HostRead> recorded,
                     const ConstantValue &constant) {
  nb::object fn = nb::getattr(nb::handle(function), "fn", nb::none());
  for (HostRead &item : recorded) {
    Read read;
    llvm::StringRef path = item.path;
    auto [root, attributes] = path.split('.');
    if (!path.contains('>') && !path.starts_with("$") && PyFunction_Check(fn.ptr())) {
      nb::object globals = nb::borrow(PyFunction_GetGlobals(fn.ptr()));
      nb::object name = nb::steal(PyUnicode_FromStringAndSize(root.data(), Py_ssize_t(root.size())));
      PyObject *closure = PyFunction_GetClosure(fn.ptr());
      auto *code = reinterpret_cast<PyCodeObject *>(PyFunction_GetCode(fn.ptr()));
      nb::object freeNames = nb::steal(PyCode_GetFreevars(code));
      for (Py_ssize_t i = 0; closure && i < PyTuple_GET_SIZE(freeNames.ptr()); ++i)
        if (PyUnicode_Compare(PyTuple_GET_ITEM(freeNames.ptr(), i), name.ptr()) == 0)
          read.cell = nb::borrow(PyTuple_GET_ITEM(closure, i));
      PyObject *found = read.cell.is_valid() ? PyCell_GET(read.cell.ptr()) : PyDict_GetItem(globals.ptr(), name.ptr());
      if (found) {
        read.root = nb::borrow(found);
        read.dict = std::move(globals);
        PyObject *interned = name.release().ptr();
        PyUnicode_InternInPlace(&interned);
        read.name = nb::steal(interned);
        read.plain = attributes.empty() || isOwnModule(found);
        read.constantValue = !attributes.empty() || cannotChange(found);
      }
    }
    read.recorded = std::move(item);
    reads.push_back(std::move(read));
  }
}

bool HostReads::unchanged(HostEval &host, PyObject *function, const ConstantValue &constant) const {
  for (const Read &read : reads) {
    if (read.plain && read.constantValue) {
      PyObject *now =
          read.cell.is_valid() ? PyCell_GET(read.cell.ptr()) : PyDict_GetItem(read.dict.ptr(), read.name.ptr());
      if (now == read.root.ptr())
        continue;
    }
    if (!matches(host, function, read.recorded, constant))
      return false;
  }
  return true;
}

} // namespace tilesmith::python
