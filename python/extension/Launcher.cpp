// kernel[blocks]: a callable that binds arguments, finds the specialisation and runs it. No Python code on this path once
// the kernel is compiled.
#include "Errors.h"
#include "Kernel.h"
#include "Settings.h"
#include <nanobind/stl/string.h>
#include <chrono>
#include <structmember.h>

namespace nb = nanobind;

namespace tilesmith::python {
namespace {

struct LauncherObject {
  PyObject_HEAD
  vectorcallfunc vectorcall;
  PyObject *kernel;
  int64_t blocks;
};

PyTypeObject *launcherType;

// What `asc.profile()` says about the arguments: the largest array and its type.
void describeArguments(const Binding &binding, nb::dict &facts) {
  int64_t elements = 0;
  const char *dtype = "";
  nb::list arguments;
  for (size_t i = 0; i < binding.values.size(); ++i) {
    const Argument &argument = binding.arguments[i];
    if (binding.kernel.parameters[i].isConstExpr || argument.kind != Argument::Kind::Array)
      continue;
    int64_t count = argument.size / std::max(1u, isa::sizeOf(argument.dtype));
    arguments.append(nb::make_tuple(binding.kernel.parameters[i].text, dtypeName(argument.dtype), count));
    if (count > elements) {
      elements = count;
      dtype = dtypeName(argument.dtype);
    }
  }
  facts["arrays"] = arguments;
  facts["elements"] = elements;
  facts["dtype"] = dtype;
}

bool checkWrites(const Binding &binding, const Specialisation &specialisation) {
  for (size_t i = 0, parameter = 0; i < binding.values.size(); ++i) {
    if (binding.kernel.parameters[i].isConstExpr)
      continue;
    bool written = parameter < specialisation.written.size() && specialisation.written[parameter];
    ++parameter;
    if (written && binding.arguments[i].readOnly) {
      PyErr_Format(PyExc_ValueError, "argument '%U' is read-only, but the kernel '%s' writes to it", binding.kernel.parameters[i].name,
                   binding.kernel.name.c_str());
      return false;
    }
  }
  return true;
}

// Whether the user pressed Ctrl-C. Python's signal handlers run on the main thread only; asked at most every 50 ms, as
// asking takes Python's lock.
bool interrupted() {
  using Clock = std::chrono::steady_clock;
  static thread_local Clock::time_point next = Clock::now() + std::chrono::milliseconds(50);
  Clock::time_point now = Clock::now();
  if (now < next)
    return false;
  next = now + std::chrono::milliseconds(50);
  PyGILState_STATE state = PyGILState_Ensure();
  bool raised = PyErr_Occurred() || PyErr_CheckSignals() != 0; // on other threads this does nothing
  PyGILState_Release(state);
  return raised;
}

PyObject *run(Binding &binding, int64_t blocks) {
  std::shared_ptr<Specialisation> specialisation = specialise(binding);
  if (!specialisation || !checkWrites(binding, *specialisation))
    return nullptr;
  const Settings &now = settings();
  if (now.dryRun || binding.mock)
    Py_RETURN_NONE;

  llvm::SmallVector<runtime::BoundArgument, 12> bound;
  for (size_t i = 0; i < binding.values.size(); ++i) {
    if (binding.kernel.parameters[i].isConstExpr)
      continue;
    const Argument &argument = binding.arguments[i];
    bool isArray = argument.kind == Argument::Kind::Array;
    bound.push_back({isArray, {argument.data, argument.size}, argument.bits});
  }
  const machine::Platform &platform = *now.platform;
  runtime::LaunchTarget target{specialisation->code.function(), &platform, specialisation->metadata.serial, interrupted};
  runtime::LaunchSettings how = now.launch;
  machine::LaunchResult result;
  Py_BEGIN_ALLOW_THREADS;
  result = runtime::launch(target, blocks, bound, how, binding.kernel.argumentNames);
  Py_END_ALLOW_THREADS;
  if (PyErr_Occurred() || PyErr_CheckSignals() != 0)
    return nullptr;

  if (now.recorder.is_valid()) {
    nb::dict facts = describeLaunch(result, specialisation->metadata, platform, how.mode >= machine::Mode::Timed);
    facts["blocks"] = blocks;
    describeArguments(binding, facts);
    now.recorder.attr("append")(facts);
  }
  bool failed = llvm::any_of(result.findings, [](const machine::Finding &f) { return f.severity == machine::Severity::Error; });
  if (failed && now.raiseFindings)
    return raiseFindings(result.findings, specialisation->metadata), nullptr;
  Py_RETURN_NONE;
}

// Nothing may leave this function but a result or a Python exception.
PyObject *launcherCall(PyObject *callable, PyObject *const *args, size_t flags, PyObject *keywords) {
  auto *launcher = reinterpret_cast<LauncherObject *>(callable);
  try {
    nb::object options, derived;
    PyObject *self = launcher->kernel;
    for (;;) {
      Binding binding(kernelOf(self), self);
      if (!binding.bind(args, size_t(PyVectorcall_NARGS(flags)), keywords, options))
        return nullptr;
      if (options.is_valid() && !derived.is_valid()) {
        // Options in the call: the same kernel with these options, made once and kept by Python.
        derived = nb::handle(self).attr("_with_options")(options);
        self = derived.ptr();
        options.reset();
        continue;
      }
      return binding.classify() ? run(binding, launcher->blocks) : nullptr;
    }
  } catch (nb::python_error &error) {
    error.restore();
  } catch (const nb::builtin_exception &error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  } catch (const std::bad_alloc &) {
    PyErr_NoMemory();
  } catch (const std::exception &error) {
    PyErr_Format(PyExc_RuntimeError, "launch failed: %s", error.what());
  }
  return nullptr;
}

void launcherDealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  Py_DECREF(reinterpret_cast<LauncherObject *>(self)->kernel);
  type->tp_free(self);
  Py_DECREF(type);
}

PyMemberDef launcherMembers[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(LauncherObject, vectorcall), READONLY, nullptr},
    {"core_num", T_LONGLONG, offsetof(LauncherObject, blocks), READONLY, "Number of blocks."},
    {"kernel", T_OBJECT, offsetof(LauncherObject, kernel), READONLY, "The jit function."},
    {nullptr, 0, 0, 0, nullptr},
};
PyType_Slot launcherSlots[] = {
    {Py_tp_dealloc, reinterpret_cast<void *>(launcherDealloc)},
    {Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
    {Py_tp_members, launcherMembers},
    {0, nullptr},
};
PyType_Spec launcherSpec = {"_tilesmith.Launcher", sizeof(LauncherObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL, launcherSlots};

} // namespace

PyObject *makeLauncher(PyObject *kernel, PyObject *configuration) {
  if (!isReady(kernel)) {
    PyErr_SetString(PyExc_RuntimeError, "this jit function was not initialised");
    return nullptr;
  }
  PyObject *count = configuration;
  if (PyTuple_Check(configuration)) {
    Py_ssize_t size = PyTuple_GET_SIZE(configuration);
    if (size < 1 || size > 2) {
      PyErr_SetString(PyExc_TypeError, "a kernel is launched as kernel[core_num] or kernel[core_num, stream]");
      return nullptr;
    }
    count = PyTuple_GET_ITEM(configuration, 0);
  }
  PyObject *index = PyNumber_Index(count);
  if (!index) {
    PyErr_Format(PyExc_TypeError, "core_num must be an integer, not %s", Py_TYPE(count)->tp_name);
    return nullptr;
  }
  int overflow = 0;
  long long blocks = PyLong_AsLongLongAndOverflow(index, &overflow);
  Py_DECREF(index);
  constexpr long long most = 1 << 16; // what a block index of the chip can count
  if (overflow || blocks <= 0 || blocks > most) {
    PyErr_Format(PyExc_ValueError, "core_num must be between 1 and %lld, not %S", most, count);
    return nullptr;
  }
  auto *launcher = PyObject_New(LauncherObject, launcherType);
  if (!launcher)
    return nullptr;
  launcher->vectorcall = launcherCall;
  launcher->kernel = Py_NewRef(kernel);
  launcher->blocks = blocks;
  return reinterpret_cast<PyObject *>(launcher);
}

void registerLauncher(nb::module_ &module) {
  launcherType = reinterpret_cast<PyTypeObject *>(PyType_FromSpec(&launcherSpec));
  if (!launcherType || PyModule_AddObject(module.ptr(), "Launcher", Py_NewRef(reinterpret_cast<PyObject *>(launcherType))) != 0)
    throw nb::python_error();
}

} // namespace tilesmith::python
