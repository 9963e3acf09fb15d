// From the objects of a call to argument kinds and the key of a specialisation.
#include "Errors.h"
#include "Kernel.h"
#include "Misuse.h"
#include "PyHostEval.h"
#include <nanobind/stl/string_view.h>

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
    raiseCallError(self, kernel.name + "() takes " + std::to_string(parameters.size()) + " arguments but " +
                             std::to_string(count) + " were given");
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
      raiseCallError(self, kernel.name + "() got multiple values for argument '" + parameters[index].text + "'");
      return false;
    }
    values[index] = value;
  }
  if (options.is_valid() && !checkOptions(options))
    return false;
  std::string missing;
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (values[i])
      continue;
    values[i] = parameters[i].defaultValue.ptr();
    if (!values[i])
      missing += (missing.empty() ? "'" : ", '") + parameters[i].text + "'";
  }
  if (!missing.empty()) {
    raiseCallError(self, kernel.name + "() is missing argument" +
                             (missing.find(',') == std::string::npos ? " " : "s ") + missing);
    return false;
  }
  return true;
}

// Keywords that are not parameters must be options.
bool Binding::checkOptions(const nb::object &options) {
  nb::list unexpected;
  for (auto [key, value] : nb::borrow<nb::dict>(options))
    if (!findOption(nb::cast<std::string_view>(key)))
      unexpected.append(key);
  if (!unexpected.size())
    return true;
  unexpected.attr("sort")();
  raiseMisuse(PyExc_TypeError, "unexpected", nb::handle(self), unexpected);
  return false;
}

bool Binding::classify() {
  for (size_t i = 0; i < values.size(); ++i) {
    const Parameter &parameter = kernel.parameters[i];
    Argument &argument = *new (&arguments[i]) Argument;
    ++made;
    if (parameter.isConstExpr) {
      if (!addConstant(parameter, values[i]))
        return false;
      continue;
    }
    // A struct is known while compiling, as what tells a kernel its sizes should be.
    if (PyObject_HasAttrString(reinterpret_cast<PyObject *>(Py_TYPE(values[i])), "__tilesmith_state__")) {
      argument.constant = true;
      if (!addConstant(parameter, values[i]))
        return false;
      continue;
    }
    if (!readArgument(values[i], parameter.name, argument)) {
      if (!PyErr_Occurred())
        raiseMisuse(PyExc_TypeError, "argument", kernel.name.c_str(), parameter.text.c_str(), nb::handle(values[i]));
      return false;
    }
    mock |= argument.mock;
    hasLayouts |= argument.layout != nullptr;
    if (argument.kind == Argument::Kind::Array)
      key.addArray(argument.dtype, argument.extent());
    else
      key.addScalar(argument.dtype);
  }
  key.finish(*settings().platform);
  return true;
}

bool Binding::addConstant(const Parameter &parameter, PyObject *value) {
  if (parameter.constType.is_valid()) {
    int fits = PyObject_IsInstance(value, parameter.constType.ptr());
    if (fits < 0)
      return false;
    if (!fits) {
      raiseMisuse(PyExc_RuntimeError, "constant", parameter.text.c_str(), parameter.constType, nb::handle(value));
      return false;
    }
  }
  if (PyLong_CheckExact(value)) {
    int overflow = 0;
    long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (!overflow) {
      key.addInt(number);
      return true;
    }
  }
  if (PyFloat_CheckExact(value)) {
    key.addFloat(PyFloat_AS_DOUBLE(value));
    return true;
  }
  if (value == Py_None) {
    key.addNone();
    return true;
  }
  if (value == Py_True || value == Py_False) {
    key.addBool(value == Py_True);
    return true;
  }
  if (std::optional<std::string> text = hostEval().fingerprint(hostEval().borrow(value))) {
    key.addFingerprint(*text);
    return true;
  }
  key.addAddress(value);
  byAddress.push_back(value);
  return true;
}

PyObject *Binding::constant(llvm::StringRef name) const {
  for (size_t i = 0; i < values.size(); ++i)
    if (isConstant(i) && kernel.parameters[i].text == name)
      return values[i];
  return nullptr;
}

// What a Specialiser asks --------------------------------------------------------------------------------------------

static frontend::DType frontendType(isa::DType dtype) {
  return frontend::parseDType(dtypeName(dtype)).value_or(frontend::DType::Void);
}

bool Binding::describe(runtime::CompileRequest &request) {
  PyHostEval &host = hostEval();
  const frontend::HostFunction *function = host.asJitFunction(host.borrow(self));
  if (!function) {
    raiseHostError(host.takeError());
    return false;
  }
  request.host = &host;
  if (hooks().keepIr)
    request.tileIr = &hooks().ir;
  request.kernel.function = function->tree;
  request.kernel.file = function->file;
  request.kernel.scope = function->scope;
  request.kernel.language = kernel.language;
  for (size_t i = 0; i < values.size(); ++i) {
    frontend::ParamSpec spec;
    const Argument &argument = arguments[i];
    if (isConstant(i)) {
      spec.kind = frontend::ParamSpec::ConstExpr;
      spec.value = host.unwrap(host.borrow(values[i]));
    } else {
      spec.kind = argument.kind == Argument::Kind::Array ? frontend::ParamSpec::Pointer : frontend::ParamSpec::Scalar;
      spec.dtype = frontendType(argument.dtype);
    }
    request.kernel.params.push_back(std::move(spec));
  }
  return true;
}

void Binding::beginRecording() { hostEval().beginRecording(); }
runtime::RecordedReads Binding::endRecording() { return hostEval().endRecording(); }

bool Binding::holds(const std::vector<runtime::HostRead> &reads) {
  return python::holds(hostEval(), self, reads, constants());
}

std::unique_ptr<runtime::RememberedReads> Binding::remember(std::vector<runtime::HostRead> reads) {
  return std::make_unique<HostReads>(hostEval(), self, std::move(reads), constants());
}

bool Binding::unchanged(const runtime::RememberedReads &reads) {
  return static_cast<const HostReads &>(reads).unchanged(hostEval(), self, constants());
}

std::vector<frontend::HostRef> Binding::keptAlive() {
  std::vector<frontend::HostRef> kept;
  for (PyObject *object : byAddress)
    kept.push_back(hostEval().borrow(object));
  return kept;
}

void Binding::wait(llvm::function_ref<void()> blocking) {
  Py_BEGIN_ALLOW_THREADS;
  blocking();
  Py_END_ALLOW_THREADS;
}

} // namespace tilesmith::python
