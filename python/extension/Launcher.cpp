// kernel[blocks]: a callable that binds arguments, finds the specialisation and runs it. No Python code on this path
// once the kernel is compiled.
#include "Debug.h"
#include "Errors.h"
#include "Gathered.h"
#include "Kernel.h"
#include "Library.h"
#include "Misuse.h"
#include "Observe.h"
#include "RemoteDevice.h"
#include <chrono>
#include <cstdlib>
#include <nanobind/stl/string.h>
#include <set>
#include <structmember.h>
#include <unistd.h>

namespace nb = nanobind;

namespace tilesmith::python {
namespace {

struct LauncherObject {
  PyObject_HEAD vectorcallfunc vectorcall;
  PyObject *kernel;
  int64_t blocks;
  PyObject *stream; // or null
};

PyTypeObject *launcherType;

bool checkWrites(const Binding &binding, const Specialisation &specialisation) {
  for (size_t i = 0; i < binding.values.size(); ++i) {
    if (binding.arguments[i].readOnly && isWritten(binding, specialisation, i)) {
      PyObject *name = binding.kernel.parameters[i].name;
      PyErr_Format(PyExc_ValueError,
                   "argument '%U' is read-only, but the kernel '%s' writes to it\nhelp: pass a copy: %U.copy()", name,
                   binding.kernel.name.c_str(), name);
      return false;
    }
  }
  return true;
}

// A placeholder has no memory to run on.
bool checkPresent(const Binding &binding) {
  for (size_t i = 0; i < binding.values.size(); ++i)
    if (!binding.isConstant(i) && binding.arguments[i].absent) {
      PyErr_Format(PyExc_ValueError,
                   "argument '%U' is a placeholder, which has no memory: launch '%s' with arrays, or dry "
                   "(asc.profile(dry=True))",
                   binding.kernel.parameters[i].name, binding.kernel.name.c_str());
      return false;
    }
  return true;
}

} // namespace

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

namespace {

bool checkBlocks(const Kernel &kernel, int64_t blocks, const machine::Platform &platform, nb::object shown = {}) {
  if (blocks > 0 && blocks <= platform.maxBlocks)
    return true;
  if (!shown.is_valid())
    shown = nb::int_(blocks);
  raiseMisuse(PyExc_ValueError, "block_range", kernel.name.c_str(), shown, platform.maxBlocks,
              std::string(platform.name).c_str());
  return false;
}

bool isInteger(PyObject *value) {
  nb::object index = nb::steal(PyIndex_Check(value) ? PyNumber_Index(value) : nullptr);
  PyErr_Clear();
  return index.is_valid();
}

// The number of blocks an object names, or nothing with a Python exception set.
std::optional<int64_t> readBlocks(const Kernel &kernel, PyObject *count) {
  nb::object index = nb::steal(PyBool_Check(count) ? nullptr : PyNumber_Index(count));
  if (!index.is_valid()) {
    PyErr_Clear();
    raiseMisuse(PyExc_TypeError, "block_count", kernel.name.c_str(), nb::handle(count));
    return std::nullopt;
  }
  int overflow = 0;
  long long blocks = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (!checkBlocks(kernel, overflow ? -1 : blocks, *settings().platform, index))
    return std::nullopt;
  return blocks;
}

// Options in a call that are about this launch alone are taken out of the dict.
bool takeLaunchOptions(PyObject *self, PyObject *options, int64_t &blocks, nb::object &stream) {
  if (PyObject *count = PyDict_GetItemString(options, "core_num")) {
    std::optional<int64_t> given = readBlocks(kernelOf(self), count);
    if (!given)
      return false;
    blocks = *given;
    PyDict_DelItemString(options, "core_num");
  }
  if (PyObject *named = PyDict_GetItemString(options, "stream")) {
    stream = nb::borrow(named);
    PyDict_DelItemString(options, "stream");
  }
  return true;
}

} // namespace

void showOutput(const std::vector<machine::BlockOutput> &output, const host::Metadata &metadata) {
  nb::list sites, places, blocks;
  for (const host::PrintSite &site : metadata.prints) {
    nb::list values;
    for (const std::string &value : site.values)
      values.append(value);
    sites.append(nb::make_tuple(site.format, values));
  }
  for (const host::SourceLocation &location : metadata.locations)
    places.append(nb::make_tuple(location.file, location.line));
  for (const machine::BlockOutput &block : output) {
    static_assert(sizeof(machine::PrintedElement) == 40); // as asc.runtime.output reads it
    nb::bytes elements(block.elements.data(), block.elements.size() * sizeof(machine::PrintedElement));
    blocks.append(nb::make_tuple(block.block, elements, block.droppedLines));
  }
  nb::module_::import_("asc.runtime.output").attr("show")(sites, places, blocks);
}

namespace {

// Somebody wants to see what would be compiled or launched.
PyObject *runReplaced(Binding &binding, int64_t blocks) {
  bool isTraced = hooks().compilerReplaced;
  if (isTraced ? !trace(binding) : !specialise(binding))
    return nullptr;
  nb::handle self = binding.self;
  if (isTraced)
    self.attr("_run_compiler")(hooks().ir);
  if (hooks().launcherReplaced)
    self.attr("_run_launcher")(blocks);
  Py_RETURN_NONE;
}

// The last argument of a kernel with both kinds of cores: memory of its own, by a name no other argument has.
nb::dict workspaceOf(const Binding &binding, int64_t bytes) {
  nb::object array = nb::module_::import_("numpy").attr("full")(bytes, -1, "int8");
  std::string name = "workspace";
  for (const Parameter &parameter : binding.kernel.parameters)
    if (parameter.text == name)
      name += "_";
  nb::dict entry;
  entry["name"] = name;
  entry["dtype"] = "int8";
  entry["value"] = array;
  entry["array"] = true;
  entry["address"] = array.attr("ctypes").attr("data");
  entry["bytes"] = bytes;
  entry["written"] = true;
  entry["read_only"] = false;
  entry["contiguous"] = true;
  return entry;
}

// What a launch needs on a device: the source, the blocks, and one entry for each parameter of the kernel that is no
// constant: (name, dtype, value) and for arrays (address, bytes, written), for scalars their bits. True if the launch
// shall take place here as well; none if there was an error.
std::optional<bool> handToEmitter(Binding &binding, int64_t blocks, const Settings &now) {
  std::optional<runtime::EmittedKernel> emitted = emit(binding);
  if (!emitted)
    return std::nullopt;
  nb::list arguments;
  for (size_t i = 0, parameter = 0; i < binding.values.size(); ++i) {
    if (binding.isConstant(i))
      continue;
    const Argument &argument = binding.arguments[i];
    nb::dict entry;
    entry["name"] = binding.kernel.parameters[i].text;
    entry["dtype"] = dtypeName(argument.dtype);
    entry["value"] = nb::borrow(binding.values[i]);
    entry["array"] = argument.kind == Argument::Kind::Array;
    if (argument.kind == Argument::Kind::Array) {
      entry["address"] = reinterpret_cast<uintptr_t>(argument.data);
      entry["bytes"] = argument.size;
      entry["written"] = parameter < emitted->written.size() && emitted->written[parameter];
      entry["read_only"] = argument.readOnly;
      entry["contiguous"] = !argument.layout;
    } else {
      entry["bits"] = argument.bits;
    }
    ++parameter;
    arguments.append(entry);
  }
  if (emitted->workspace >= 0)
    arguments.append(workspaceOf(binding, emitted->sharedWorkspace + emitted->workspace * blocks));
  nb::dict facts;
  facts["kernel"] = emitted->name;
  facts["symbol"] = emitted->symbol;
  facts["source"] = emitted->source;
  isa::BlockCores cores = isa::coresOf(emitted->type);
  facts["core"] = cores.mixed() ? "mixed" : cores.aic ? "cube" : "vector";
  facts["blocks"] = blocks;
  facts["platform"] = std::string(now.platform->name);
  facts["arguments"] = arguments;
  return now.emitter(facts).ptr() == Py_True;
}

// Somebody wants to know of launches before they run.
void tellListener(const Binding &binding, int64_t blocks, nb::object listener) {
  nb::dict arguments;
  for (size_t i = 0; i < binding.values.size(); ++i)
    arguments[nb::borrow(binding.kernel.parameters[i].name)] = nb::borrow(binding.values[i]);
  listener(nb::borrow(binding.self), blocks, arguments);
}

// A kernel with both kinds of cores has memory of its own for each block.
bool checkWorkspace(const std::string &kernel, int64_t bytes, int64_t shared, int64_t blocks) {
  int64_t most = int64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE) / 2;
  if (shared > most) {
    PyErr_Format(PyExc_MemoryError,
                 "kernel '%s' needs %lld bytes of workspace, more than half of this machine's memory", kernel.c_str(),
                 (long long)shared);
    return false;
  }
  if (bytes <= 0 || blocks <= (most - shared) / bytes)
    return true;
  PyErr_Format(PyExc_MemoryError,
               "kernel '%s' needs %lld bytes of workspace for each block, on %lld blocks more than half of this "
               "machine's memory; "
               "use fewer blocks, each of which does more",
               kernel.c_str(), (long long)bytes, (long long)blocks);
  return false;
}

// A kernel that needs room behind its arrays says so once.
static bool tellOfSlack(const std::string &kernel) {
  static std::set<std::string> told;
  if (!told.insert(kernel).second)
    return true;
  std::string text =
      kernel + " reads or writes past the end of an array, into the room that slack (or TILESMITH_SLACK) gives it; " +
      "what it writes there is lost, and without the room it is the error bounds.gm-read or bounds.gm-write";
  return PyErr_WarnEx(PyExc_RuntimeWarning, text.c_str(), 1) == 0;
}

// What findings call the n-th argument that is no constant.
runtime::ArgumentWords describeArgument(const Binding &binding, size_t number) {
  size_t i = 0;
  for (; i < binding.values.size(); ++i)
    if (!binding.isConstant(i) && number-- == 0)
      break;
  const Argument &argument = binding.arguments[i];
  return {binding.kernel.parameters[i].text, argument.dtype, shapeOf(argument, binding.values[i])};
}

PyObject *run(Binding &binding, int64_t blocks) {
  if (nb::object listener = settings().listener; listener.is_valid())
    tellListener(binding, blocks, listener);
  if (const Settings &now = settings(); now.emitter.is_valid()) {
    std::optional<bool> runsHere = handToEmitter(binding, blocks, now);
    if (!runsHere)
      return nullptr;
    if (!*runsHere)
      Py_RETURN_NONE;
  }
  if (hooks().compilerReplaced || hooks().launcherReplaced)
    return runReplaced(binding, blocks);
  bool debugInfo = binding.kernel.options.debugInfo;
  bool dry = settings().launch.dry;
  if (settings().debugger.is_valid() && !dry && !debugInfo && needsDebugInfo(settings().debugger))
    return runDebugged(binding, blocks, settings().debugger);
  std::shared_ptr<Specialisation> specialisation = specialise(binding);
  if (!specialisation || !checkWrites(binding, *specialisation))
    return nullptr;
  const Settings &now = settings();
  const machine::Platform &platform = *now.platform;
  if (!checkBlocks(binding.kernel, blocks, platform))
    return nullptr;
  if (now.dryRun || binding.mock || !(specialisation->code || remoteDevice()))
    Py_RETURN_NONE;
  if (!dry && !checkPresent(binding))
    return nullptr;
  Gathered gathered;
  if (!gathered.plan(binding, *specialisation))
    return nullptr;
  if (remoteDevice())
    return launchRemotely(binding, blocks, *specialisation) ? Py_NewRef(Py_None) : nullptr;
  runtime::LaunchTarget target;
  target.function = specialisation->code.function();
  target.platform = &platform;
  target.type = specialisation->metadata.typeOfLaunch(binding.kernel.options.kernelType);
  target.serial = specialisation->metadata.serial;
  target.autoSync = specialisation->metadata.autoSync;
  target.workspace = specialisation->metadata.workspace;
  target.sharedWorkspace = specialisation->metadata.sharedWorkspace;
  if (!checkWorkspace(binding.kernel.name, target.workspace, target.sharedWorkspace, blocks))
    return nullptr;
  target.interrupted = interrupted;
  target.compiled = true;
  target.arrayAt = specialisation->metadata.arrayAt;
  if (specialisation->metadata.breakpoints && !dry && !debugInfo && !now.debugger.is_valid() &&
      !now.emitter.is_valid()) {
    if (nb::object debugger = debuggerForBreakpoints(binding); debugger.is_valid())
      return runDebugged(binding, blocks, std::move(debugger));
  }
  std::optional<DebuggedLaunch> debugged;
  if (now.debugger.is_valid() && !dry) {
    debugged.emplace(now.debugger, specialisation->metadata);
    if (!debugged->begin(binding, blocks, platform))
      return nullptr;
    target.debugger = &*debugged;
    target.interrupted = nullptr; // Ctrl-C is the debugger's
  }
  Launched launch(now, specialisation->metadata, blocks);
  if (binding.kernel.options.verifySync)
    launch.how.mode = std::max(launch.how.mode, machine::Mode::Checked);
  static const int64_t slackOfAll = [] {
    const char *text = std::getenv("TILESMITH_SLACK");
    return text ? std::max<int64_t>(std::atoll(text), 0) : 0;
  }();
  launch.how.slack = binding.kernel.options.slack.value_or(slackOfAll);
  machine::LaunchResult result;
  Py_BEGIN_ALLOW_THREADS;
  gathered.gather();
  llvm::SmallVector<runtime::BoundArgument, 12> bound;
  for (size_t i = 0; i < binding.values.size(); ++i) {
    if (binding.isConstant(i))
      continue;
    const Argument &argument = binding.arguments[i];
    bool isArray = argument.kind == Argument::Kind::Array;
    bound.push_back({isArray,
                     {gathered.dataOf(binding, i), argument.size},
                     argument.bits,
                     isArray && isWritten(binding, *specialisation, i),
                     argument.absent});
  }
  result = runtime::launch(target, blocks, bound, launch.how,
                           [&](size_t argument) { return describeArgument(binding, argument); });
  if (!dry)
    gathered.scatter();
  Py_END_ALLOW_THREADS;
  if (PyErr_Occurred() || PyErr_CheckSignals() != 0 || (debugged && !debugged->end()))
    return nullptr;
  if (result.usedSlack && !tellOfSlack(specialisation->metadata.kernel))
    return nullptr;
  if (!result.output.empty() && !dry)
    showOutput(result.output, specialisation->metadata);
  launch.owner = std::move(specialisation);
  launch.stream = binding.stream;
  if (!observe(result, launch, [&](ArrayFacts &facts) {
        for (size_t i = 0; i < binding.values.size(); ++i)
          if (!binding.isConstant(i) && binding.arguments[i].kind == Argument::Kind::Array)
            facts.add(binding.kernel.parameters[i].text, binding.arguments[i]);
      }))
    return nullptr;
  Py_RETURN_NONE;
}

// kernel[blocks].ascendc(...): the source this launch has on the chip.
PyObject *emitSource(Binding &binding, int64_t) {
  std::optional<runtime::EmittedKernel> emitted = emit(binding);
  return emitted ? PyUnicode_FromStringAndSize(emitted->source.data(), Py_ssize_t(emitted->source.size())) : nullptr;
}

// Binds the arguments and does `action`. Nothing may leave this function but a result or a Python exception.
PyObject *withBinding(LauncherObject *launcher, PyObject *const *args, size_t count, PyObject *keywords,
                      PyObject *(*action)(Binding &, int64_t)) {
  try {
    nb::object options, derived, stream = nb::borrow(launcher->stream);
    PyObject *self = launcher->kernel;
    int64_t blocks = launcher->blocks;
    for (;;) {
      Binding binding(kernelOf(self), self);
      if (!binding.bind(args, count, keywords, options))
        return nullptr;
      if (options.is_valid() && !derived.is_valid() && !takeLaunchOptions(self, options.ptr(), blocks, stream))
        return nullptr;
      if (options.is_valid() && !derived.is_valid() && PyDict_Size(options.ptr())) {
        // Options in the call: the same kernel with these options, made once and kept by Python.
        derived = nb::handle(self).attr("_with_options")(options);
        self = derived.ptr();
        options.reset();
        continue;
      }
      binding.stream = stream;
      return binding.classify() ? action(binding, blocks) : nullptr;
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

PyObject *launcherCall(PyObject *callable, PyObject *const *args, size_t flags, PyObject *keywords) {
  return withBinding(reinterpret_cast<LauncherObject *>(callable), args, size_t(PyVectorcall_NARGS(flags)), keywords,
                     run);
}

PyObject *launcherAscendC(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *keywords) {
  return withBinding(reinterpret_cast<LauncherObject *>(self), args, size_t(count), keywords, emitSource);
}

void launcherDealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  Py_DECREF(reinterpret_cast<LauncherObject *>(self)->kernel);
  Py_XDECREF(reinterpret_cast<LauncherObject *>(self)->stream);
  type->tp_free(self);
  Py_DECREF(type);
}

PyMemberDef launcherMembers[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(LauncherObject, vectorcall), READONLY, nullptr},
    {"core_num", T_LONGLONG, offsetof(LauncherObject, blocks), READONLY, "Number of blocks."},
    {"kernel", T_OBJECT, offsetof(LauncherObject, kernel), READONLY, "The jit function."},
    {nullptr, 0, 0, 0, nullptr},
};
PyMethodDef launcherMethods[] = {
    {"ascendc", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(launcherAscendC)),
     METH_FASTCALL | METH_KEYWORDS,
     "The kernel as Ascend C source for these arguments, on the current platform. Nothing is launched."},
    {nullptr, nullptr, 0, nullptr},
};
constexpr const char *launcherDoc =
    "A kernel with its number of blocks. Called with the kernel's arguments it launches, and returns when "
    "the launch is complete; options of jit may be given as keywords, too.";
PyType_Slot launcherSlots[] = {
    {Py_tp_doc, const_cast<char *>(launcherDoc)},
    {Py_tp_dealloc, reinterpret_cast<void *>(launcherDealloc)},
    {Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
    {Py_tp_members, launcherMembers},
    {Py_tp_methods, launcherMethods},
    {0, nullptr},
};
PyType_Spec launcherSpec = {"_tilesmith.Launcher", sizeof(LauncherObject), 0,
                            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL, launcherSlots};

} // namespace

PyObject *makeLauncher(PyObject *kernel, PyObject *configuration) {
  if (!isReady(kernel)) {
    PyErr_SetString(PyExc_RuntimeError, "this jit function was not initialised");
    return nullptr;
  }
  // A stream is not a number: two of them are a grid of two dimensions.
  const Kernel &called = kernelOf(kernel);
  PyObject *count = configuration;
  bool isTuple = PyTuple_Check(configuration);
  Py_ssize_t size = isTuple ? PyTuple_GET_SIZE(configuration) : 1;
  if (size < 1 || size > 2 || (size == 2 && isInteger(PyTuple_GET_ITEM(configuration, 1))) ||
      PyList_Check(configuration)) {
    raiseMisuse(PyExc_TypeError, "brackets", called.name.c_str(), nb::handle(configuration));
    return nullptr;
  }
  if (isTuple)
    count = PyTuple_GET_ITEM(configuration, 0);
  std::optional<int64_t> blocks = readBlocks(called, count);
  if (!blocks)
    return nullptr;
  auto *launcher = PyObject_New(LauncherObject, launcherType);
  if (!launcher)
    return nullptr;
  launcher->vectorcall = launcherCall;
  launcher->kernel = Py_NewRef(kernel);
  launcher->blocks = *blocks;
  launcher->stream = size == 2 ? Py_NewRef(PyTuple_GET_ITEM(configuration, 1)) : nullptr;
  return reinterpret_cast<PyObject *>(launcher);
}

void registerLauncher(nb::module_ &module) {
  launcherType = reinterpret_cast<PyTypeObject *>(PyType_FromSpec(&launcherSpec));
  if (!launcherType ||
      PyModule_AddObject(module.ptr(), "Launcher", Py_NewRef(reinterpret_cast<PyObject *>(launcherType))) != 0)
    throw nb::python_error();
}

} // namespace tilesmith::python
