#include "Kernel.h"
#include "Errors.h"
#include "Misuse.h"
#include "Options.h"
#include "PyHostEval.h"
#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace tilesmith::python {

// A kernel that writes nothing and prints nothing is hardly meant; said once. False with a Python exception set.
static bool warnNoEffect(Binding &binding, const Specialisation &made) {
  Kernel &kernel = binding.kernel;
  if (kernel.warnedNoEffect || !made.metadata.prints.empty() || llvm::is_contained(made.written, true))
    return true;
  const frontend::HostFunction *function = hostEval().asJitFunction(hostEval().borrow(binding.self));
  if (!function)
    return false;
  kernel.warnedNoEffect = true;
  std::string text = "kernel '" + kernel.name + "' has no effect: it writes to no array and prints nothing; " +
                     (kernel.language == "pypto" ? "out[:] = x writes a result"
                                                 : "asc2.store(tile, tensor, tile_id=[i]) writes a result");
  return hostEval().warn(text, function->file->name, function->tree->nameRange.line);
}

std::shared_ptr<Specialisation> specialise(Binding &binding) {
  Kernel &kernel = binding.kernel;
  CustomBuiltins names(kernel.customBuiltins.ptr());
  if (!kernel.options.alwaysCompile)
    if (auto known = kernel.specialiser.find(binding, binding.key))
      return known;
  runtime::SpecialiseError error;
  auto result = kernel.specialiser.specialise(binding, binding.key, *settings().platform, error);
  if (!result)
    raiseSpecialiseError(error, kernel.options.captureExceptions);
  else
    reportCacheWarning();
  return result && warnNoEffect(binding, *result) ? result : nullptr;
}

std::optional<runtime::EmittedKernel> emit(Binding &binding) {
  CustomBuiltins names(binding.kernel.customBuiltins.ptr());
  runtime::SpecialiseError error;
  auto emitted = binding.kernel.specialiser.emit(binding, binding.key, *settings().platform, error);
  if (!emitted)
    raiseSpecialiseError(error, binding.kernel.options.captureExceptions);
  return emitted;
}

bool trace(Binding &binding) {
  CustomBuiltins names(binding.kernel.customBuiltins.ptr());
  runtime::SpecialiseError error;
  auto text = binding.kernel.specialiser.trace(binding, binding.key, *settings().platform, error);
  if (text)
    hooks().ir = std::move(*text);
  else
    raiseSpecialiseError(error, binding.kernel.options.captureExceptions);
  return bool(text);
}

bool isWritten(const Binding &binding, const Specialisation &specialisation, size_t parameter) {
  size_t index = 0;
  for (size_t i = 0; i < parameter; ++i)
    index += !binding.isConstant(i);
  return !binding.isConstant(parameter) && index < specialisation.written.size() && specialisation.written[index];
}

namespace {

struct KernelObject {
  PyObject_HEAD Kernel *kernel;
};

// Kernel(name, parameters, source, options, dump_folder); parameters are (name, is_const, const_type, default...).
int kernelInit(PyObject *self, PyObject *args, PyObject *keywords) {
  const char *name = nullptr, *source = nullptr, *dumpFolder = nullptr;
  PyObject *parameters = nullptr, *options = nullptr;
  if (!PyArg_ParseTuple(args, "sO!sO!s", &name, &PyTuple_Type, &parameters, &source, &PyDict_Type, &options,
                        &dumpFolder))
    return -1;
  nb::dict chosen = nb::borrow<nb::dict>(options);
  KernelOptions wanted;
  if (!readOptions(chosen, wanted))
    return -1;
  auto kernel = std::make_unique<Kernel>(runtime::Specialiser::Kernel{name, source, wanted, dumpFolder});
  for (nb::handle item : nb::borrow<nb::tuple>(parameters)) {
    PyObject *text = nullptr, *type = nullptr, *value = nullptr;
    int isConst = 0;
    if (!PyArg_ParseTuple(item.ptr(), "UpO|O", &text, &isConst, &type, &value))
      return -1;
    Parameter parameter;
    Py_INCREF(text);
    PyUnicode_InternInPlace(&text);
    parameter.name = text;
    parameter.text = PyUnicode_AsUTF8(text);
    parameter.isConstExpr = isConst;
    if (type != Py_None)
      parameter.constType = nb::borrow(type);
    if (value)
      parameter.defaultValue = nb::borrow(value);
    if (!isConst)
      kernel->argumentNames.push_back(parameter.text);
    kernel->parameters.push_back(std::move(parameter));
  }
  if (nb::object language = nb::getattr(nb::handle(self), "language", nb::none()); !language.is_none())
    kernel->language = nb::cast<std::string>(language);
  if (chosen.contains("custom_builtins"))
    for (auto [key, value] : nb::borrow<nb::dict>(chosen["custom_builtins"]))
      if (PyUnicode_CompareWithASCIIString(key.ptr(), "range") != 0) // the language's own
        kernel->customBuiltins = chosen["custom_builtins"];
  delete std::exchange(reinterpret_cast<KernelObject *>(self)->kernel, kernel.release());
  return 0;
}

void kernelDealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  if (PyType_IS_GC(type))
    PyObject_GC_UnTrack(self);
  delete reinterpret_cast<KernelObject *>(self)->kernel;
  type->tp_free(self);
  Py_DECREF(type);
}

PyObject *kernelSubscript(PyObject *self, PyObject *configuration) { return makeLauncher(self, configuration); }

constexpr const char *notOnHost = "tilesmith_builtin"; // asc._builtin: the builtin that was called on the host

// f(...): a launch if the decorator names the blocks; else the plain function, which may be one the host uses, too.
PyObject *kernelCall(PyObject *self, PyObject *args, PyObject *keywords) {
  nb::object options = nb::steal(PyObject_GetAttrString(self, "options"));
  PyObject *blocks = options.is_valid() ? PyDict_GetItemString(options.ptr(), "core_num") : nullptr;
  if (blocks && PyObject_IsTrue(blocks) == 1) {
    nb::object launcher = nb::steal(makeLauncher(self, blocks));
    return launcher.is_valid() ? PyObject_Call(launcher.ptr(), args, keywords) : nullptr;
  }
  nb::object function = nb::steal(options.is_valid() ? PyObject_GetAttrString(self, "fn") : nullptr);
  PyObject *result = function.is_valid() ? PyObject_Call(function.ptr(), args, keywords) : nullptr;
  if (!result && PyErr_ExceptionMatches(PyExc_RuntimeError)) { // NotImplementedError is one
    PyObject *type = nullptr, *error = nullptr, *trace = nullptr;
    PyErr_Fetch(&type, &error, &trace);
    PyErr_NormalizeException(&type, &error, &trace);
    nb::object builtin = nb::steal(PyObject_GetAttrString(error, notOnHost));
    PyErr_Clear();
    if (!builtin.is_valid()) {
      PyErr_Restore(type, error, trace);
      return nullptr;
    }
    Py_XDECREF(type);
    Py_XDECREF(error);
    Py_XDECREF(trace);
    raiseMisuse(PyExc_RuntimeError, "no_blocks", kernelOf(self).name.c_str(), builtin);
    PyErr_Fetch(&type, &error, &trace);
    PyErr_NormalizeException(&type, &error, &trace);
    PyObject_SetAttrString(error, notOnHost, builtin.ptr()); // a kernel around this one says it of itself
    PyErr_Restore(type, error, trace);
  }
  return result;
}

PyObject *kernelClear(PyObject *self, PyObject *) {
  if (isReady(self))
    kernelOf(self).specialiser.clear();
  Py_RETURN_NONE;
}

PyMethodDef kernelMethods[] = {
    {"clear_cache", kernelClear, METH_NOARGS, "Forget the specialisations kept in memory."},
    {nullptr, nullptr, 0, nullptr},
};
constexpr const char *kernelDoc = "A jit function: its parameters, options and specialisations. kernel[core_num] and "
                                  "kernel[core_num, stream] give a Launcher.";
PyType_Slot kernelSlots[] = {
    {Py_tp_doc, const_cast<char *>(kernelDoc)},
    {Py_tp_init, reinterpret_cast<void *>(kernelInit)},
    {Py_tp_dealloc, reinterpret_cast<void *>(kernelDealloc)},
    {Py_mp_subscript, reinterpret_cast<void *>(kernelSubscript)},
    {Py_tp_call, reinterpret_cast<void *>(kernelCall)},
    {Py_tp_methods, kernelMethods},
    {0, nullptr},
};
PyType_Spec kernelSpec = {"_tilesmith.Kernel", sizeof(KernelObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                          kernelSlots};

} // namespace

bool isReady(PyObject *object) { return reinterpret_cast<KernelObject *>(object)->kernel; }

Kernel &kernelOf(PyObject *object) { return *reinterpret_cast<KernelObject *>(object)->kernel; }

void registerKernel(nb::module_ &module) {
  PyObject *type = PyType_FromSpec(&kernelSpec);
  if (!type || PyModule_AddObject(module.ptr(), "Kernel", type) != 0)
    throw nb::python_error();
}

} // namespace tilesmith::python
