// From the objects of a call to argument kinds and the key of a specialisation.
#include "Kernel.h"
#include "PyHostEval.h"
#include "Settings.h"

namespace nb = nanobind;

namespace tilesmith::python {

Binding::~Binding() {
  while (made > 0)
    arguments[--made].~Argument();
  if (reinterpret_cast<std::byte *>(arguments) != storage)
    operator delete(arguments);
}

bool Binding::bind(PyObject *const *args, size_t count, PyObject *keywords, nb::object &options) {
  const std::vector<Parameter> &parameters = kernel.parameters;
  if (count > parameters.size()) {
    PyErr_Format(PyExc_TypeError, "%s() takes %zu arguments but %zu were given", kernel.name.c_str(), parameters.size(),
                 count);
    return false;
  }
  std::copy(args, args + count, values.begin());
  Py_ssize_t numKeywords = keywords ? PyTuple_GET_SIZE(keywords) : 0;
  for (Py_ssize_t k = 0; k < numKeywords; ++k) {
    PyObject *name = PyTuple_GET_ITEM(keywords, k);
    size_t index = 0;
    while (index < parameters.size() && parameters[index].name != name)
      ++index;
    // Keywords of a call are interned; those of f(**names) may not be.
    if (index == parameters.size())
      for (index = 0; index < parameters.size() && PyUnicode_Compare(parameters[index].name, name) != 0;)
        ++index;
    PyObject *value = args[count + size_t(k)];
    if (index == parameters.size()) {
      if (!options.is_valid())
        options = nb::dict();
      if (PyDict_SetItem(options.ptr(), name, value) != 0)
        return false;
      continue;
    }
    if (values[index]) {
      PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument '%U'", kernel.name.c_str(), name);
      return false;
    }
    values[index] = value;
  }
  std::string missing;
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (values[i])
      continue;
    values[i] = parameters[i].defaultValue.ptr();
    if (!values[i])
      missing += (missing.empty() ? "'" : ", '") + parameters[i].text + "'";
  }
  if (!missing.empty()) {
    PyErr_Format(PyExc_TypeError, "%s() misses its argument %s", kernel.name.c_str(), missing.c_str());
    return false;
  }
  return true;
}

bool Binding::classify() {
  auto append = [&](const auto &value) {
    key.append(llvm::StringRef(reinterpret_cast<const char *>(&value), sizeof value));
  };
  append(settings().platform);
  for (size_t i = 0; i < values.size(); ++i) {
    const Parameter &parameter = kernel.parameters[i];
    Argument &argument = *new (&arguments[i]) Argument;
    ++made;
    if (parameter.isConstExpr) {
      if (!addConstant(parameter, values[i]))
        return false;
      continue;
    }
    if (!readArgument(values[i], parameter.name, argument))
      return false;
    mock |= argument.mock;
    hasLayouts |= argument.layout != nullptr;
    key.push_back(argument.kind == Argument::Kind::Array ? 'A' : 'S');
    key.push_back(char(argument.dtype));
  }
  noalias.assign(values.size(), false);
  for (size_t i = 0; i < values.size(); ++i) {
    const Argument &a = arguments[i];
    if (kernel.parameters[i].isConstExpr || a.kind != Argument::Kind::Array)
      continue;
    bool alone = true;
    Extent extent = a.extent();
    for (size_t j = 0; j < values.size() && alone; ++j) {
      const Argument &b = arguments[j];
      bool isOther = j != i && !kernel.parameters[j].isConstExpr && b.kind == Argument::Kind::Array;
      alone = !isOther || !extent.meets(b.extent());
    }
    noalias[i] = alone;
    key.push_back(alone ? '1' : '0');
  }
  return true;
}

bool Binding::addConstant(const Parameter &parameter, PyObject *value) {
  auto append = [&](const auto &bits) {
    key.append(llvm::StringRef(reinterpret_cast<const char *>(&bits), sizeof bits));
  };
  if (parameter.constType.is_valid()) {
    int fits = PyObject_IsInstance(value, parameter.constType.ptr());
    if (fits < 0)
      return false;
    if (!fits) {
      PyErr_Format(PyExc_RuntimeError, "argument '%U' must be %s, but is %s", parameter.name,
                   reinterpret_cast<PyTypeObject *>(parameter.constType.ptr())->tp_name, Py_TYPE(value)->tp_name);
      return false;
    }
  }
  if (PyLong_CheckExact(value)) {
    int overflow = 0;
    long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (!overflow) {
      key.push_back('i');
      append(number);
      return true;
    }
  }
  if (PyFloat_CheckExact(value)) {
    key.push_back('f');
    append(PyFloat_AS_DOUBLE(value));
    return true;
  }
  if (value == Py_True || value == Py_False || value == Py_None) {
    key.push_back(value == Py_None ? 'n' : value == Py_True ? 't' : 'u');
    return true;
  }
  frontend::HostEval &host = hostEval();
  host.retain(value);
  if (std::optional<std::string> text = host.fingerprint(frontend::HostRef(&host, value))) {
    key.push_back('o');
    append(text->size());
    key += *text;
    return true;
  }
  // Known by its address only, for as long as the specialisation keeps it alive.
  persistent = false;
  key.push_back('p');
  append(value);
  constants.push_back(nb::borrow(value));
  return true;
}

} // namespace tilesmith::python
