#include "Kernel.h"
#include "Errors.h"
#include "PyHostEval.h"
#include "Settings.h"
#include <mutex>
#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace tilesmith::python {
namespace {

struct KernelObject {
  PyObject_HEAD Kernel *kernel;
};

ConstantValue constantsOf(Binding &binding) {
  return [&](llvm::StringRef name) -> PyObject * {
    for (auto [parameter, value] : llvm::zip_equal(binding.kernel.parameters, binding.values))
      if (parameter.isConstExpr && parameter.text == name)
        return value;
    return nullptr;
  };
}

frontend::DType frontendType(isa::DType dtype) {
  return frontend::parseDType(dtypeName(dtype)).value_or(frontend::DType::Void);
}

// The part of the key that is the same in every process.
std::string diskKey(const Binding &binding) {
  llvm::StringRef key = binding.key;
  std::string kinds = key.drop_front(sizeof(const machine::Platform *)).str();
  const Kernel &kernel = binding.kernel;
  return runtime::digest({runtime::buildId(), host::hostFingerprint(), std::string(settings().platform->name),
                          std::to_string(settings().platform->digest), kernel.sourceKey, kernel.optionsKey, kinds});
}

std::shared_ptr<Specialisation> load(Binding &binding, runtime::CompiledKernel compiled, HostReads reads) {
  llvm::Expected<host::LoadedKernel> code =
      compiled.object.empty() ? host::LoadedKernel() : host::loadKernel(compiled.object, compiled.metadata.kernel);
  if (!code) {
    PyErr_Format(PyExc_RuntimeError, "the compiled kernel '%s' cannot be loaded: %s", binding.kernel.name.c_str(),
                 llvm::toString(code.takeError()).c_str());
    return nullptr;
  }
  auto result = std::make_shared<Specialisation>();
  result->code = std::move(*code);
  result->metadata = std::move(compiled.metadata);
  result->written = std::move(compiled.written);
  result->reads = std::move(reads);
  result->constants = binding.constants;
  return result;
}

std::shared_ptr<Specialisation> loadFromDisk(Binding &binding, const std::string &key) {
  frontend::HostEval &host = hostEval();
  ConstantValue constants = constantsOf(binding);
  auto entry = diskCache().find(
      key, [&](const std::vector<runtime::HostRead> &reads) { return holds(host, binding.self, reads, constants); });
  if (!entry)
    return nullptr;
  std::optional<runtime::CompiledKernel> kernel =
      runtime::CompiledKernel::fromCache(entry->metadata, std::move(entry->object));
  if (!kernel)
    return nullptr;
  auto result = load(binding, std::move(*kernel), HostReads(host, binding.self, std::move(entry->reads), constants));
  if (!result)
    PyErr_Clear(); // an object that does not load is compiled again
  return result;
}

// Compilations of a process run one after another: they share the MLIR context and the record of host reads, and
// evaluating host values may let another thread run. Waiting is done without Python's lock.
class CompileTurn {
public:
  CompileTurn() {
    if (nested || mutex().try_lock())
      return;
    Py_BEGIN_ALLOW_THREADS;
    mutex().lock();
    Py_END_ALLOW_THREADS;
  }
  ~CompileTurn() {
    if (!nested)
      mutex().unlock();
    mine = nested;
  }
  // A host value whose evaluation launches a kernel: the thread would wait for itself.
  bool isNested() const { return nested; }

private:
  static std::mutex &mutex() {
    static auto *instance = new std::mutex;
    return *instance;
  }
  static thread_local bool mine;
  bool nested = std::exchange(mine, true);
};
thread_local bool CompileTurn::mine = false;

// False with a Python exception set.
bool describe(Binding &binding, runtime::CompileRequest &request) {
  PyHostEval &host = hostEval();
  Py_INCREF(binding.self);
  frontend::HostRef self(&host, binding.self);
  const frontend::HostFunction *function = host.asJitFunction(self);
  if (!function) {
    raiseHostError(host.takeError());
    return false;
  }
  request.host = &host;
  request.platform = settings().platform;
  request.options = binding.kernel.options;
  request.noalias.assign(binding.noalias.begin(), binding.noalias.end());
  request.kernel.function = function->tree;
  request.kernel.file = function->file;
  request.kernel.scope = function->scope;
  for (size_t i = 0; i < binding.values.size(); ++i) {
    frontend::ParamSpec spec;
    const Argument &argument = binding.arguments[i];
    if (binding.kernel.parameters[i].isConstExpr) {
      spec.kind = frontend::ParamSpec::ConstExpr;
      host.retain(binding.values[i]);
      spec.value = host.unwrap(frontend::HostRef(&host, binding.values[i]));
    } else {
      spec.kind = argument.kind == Argument::Kind::Array ? frontend::ParamSpec::Pointer : frontend::ParamSpec::Scalar;
      spec.dtype = frontendType(argument.dtype);
    }
    request.kernel.params.push_back(std::move(spec));
  }
  return true;
}

std::shared_ptr<Specialisation> compile(Binding &binding, const std::string *key) {
  PyHostEval &host = hostEval();
  runtime::CompileRequest request;
  if (!describe(binding, request))
    return nullptr;
  if (settings().keepIr)
    request.tileIr = &settings().ir;
  ++settings().compilations;
  host.beginRecording();
  runtime::CompileError error;
  std::optional<runtime::CompiledKernel> compiled = runtime::compile(request, error);
  RecordedReads recorded = host.endRecording();
  if (!compiled)
    return raiseCompileError(error, binding.kernel.captureExceptions), nullptr;
  if (key && recorded.complete) {
    diskCache().store(*key, binding.kernel.name, {recorded.reads, compiled->describe(), compiled->object});
    reportCacheWarning();
  }
  // A value that nothing leads to cannot be checked again: the kernel is compiled for this launch only.
  binding.persistent &= recorded.complete;
  return load(binding, std::move(*compiled),
              HostReads(host, binding.self, std::move(recorded.reads), constantsOf(binding)));
}

// Checking a candidate may run Python, and with it another thread that adds to the map: nothing is held across the
// check.
std::shared_ptr<Specialisation> findInMemory(Binding &binding) {
  ConstantValue constants = constantsOf(binding);
  for (size_t i = 0;; ++i) {
    auto found = binding.kernel.specialisations.find(binding.key);
    if (found == binding.kernel.specialisations.end() || i >= found->second.size())
      return nullptr;
    std::shared_ptr<Specialisation> candidate = found->second[i];
    if (candidate->reads.unchanged(hostEval(), binding.self, constants))
      return candidate;
  }
}

// Type `Kernel` ------------------------------------------------------------------------------------------------------

// True, False, or nothing if the option is not given or None.
std::optional<bool> option(const nb::dict &options, const char *name) {
  if (!options.contains(name) || options[name].is_none())
    return std::nullopt;
  return PyObject_IsTrue(options[name].ptr()) == 1;
}

Reuse reuseOf(std::optional<bool> wanted, Reuse otherwise) {
  return wanted ? (*wanted ? Reuse::Always : Reuse::Never) : otherwise;
}

// What a kernel_type says about the cores, by its number: only vector cores, only cube cores, or both.
host::CoreKind coreOf(int64_t kernelType) {
  if (kernelType >= 6) // MIX_AIC_1_1, MIX_AIC_1_2
    return host::CoreKind::Mix;
  return kernelType % 2 ? host::CoreKind::Cube : host::CoreKind::Vector; // AIV and AIC alternate
}

runtime::CompileOptions compileOptions(const nb::dict &given) {
  runtime::CompileOptions options;
  options.printIr = option(given, "print_ir_before_all").value_or(false);
  options.vfFusion = option(given, "vf_fusion");
  std::optional<bool> reuse = option(given, "reuse_ub");
  options.reuse = reuseOf(reuse, Reuse::UnderPressure);
  // Without a word for them, loaded and stored buffers never share if no buffer may.
  options.reuseInOut = reuseOf(option(given, "reuse_ub_in_out"), reuse == false ? Reuse::Never : Reuse::UnderPressure);
  options.insertSync = option(given, "insert_sync").value_or(true);
  options.autoSync = option(given, "auto_sync").value_or(true);
  options.runPasses = option(given, "run_passes").value_or(true);
  options.stripLocations = option(given, "strip_loc").value_or(false);
  if (given.contains("opt_level"))
    options.level = nb::cast<int>(given["opt_level"]);
  if (given.contains("without_sync") && !given["without_sync"].is_none())
    options.withoutSync = nb::cast<int64_t>(given["without_sync"]);
  if (given.contains("kernel_type") && !given["kernel_type"].is_none()) {
    options.core = coreOf(nb::cast<int64_t>(given["kernel_type"]));
    options.coreReason = "kernel_type " + nb::cast<std::string>(given["kernel_type"].attr("name"));
  }
  return options;
}

// Kernel(name, parameters, source_key, options, options_key, dump_folder); parameters are (name, is_const, const_type,
// default...).
int kernelInit(PyObject *self, PyObject *args, PyObject *keywords) {
  const char *name = nullptr, *sourceKey = nullptr, *optionsKey = nullptr, *dumpFolder = nullptr;
  PyObject *parameters = nullptr, *options = nullptr;
  if (!PyArg_ParseTuple(args, "sO!sO!ss", &name, &PyTuple_Type, &parameters, &sourceKey, &PyDict_Type, &options,
                        &optionsKey, &dumpFolder))
    return -1;
  auto kernel = std::make_unique<Kernel>();
  kernel->name = name;
  kernel->sourceKey = sourceKey;
  kernel->optionsKey = optionsKey;
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
  nb::dict chosen = nb::borrow<nb::dict>(options);
  kernel->alwaysCompile = option(chosen, "always_compile").value_or(false);
  kernel->captureExceptions = option(chosen, "capture_exceptions").value_or(true);
  kernel->verifySync = option(chosen, "verify_sync").value_or(false);
  kernel->options = compileOptions(chosen);
  if (chosen.contains("custom_builtins"))
    for (auto [key, value] : nb::borrow<nb::dict>(chosen["custom_builtins"]))
      if (PyUnicode_CompareWithASCIIString(key.ptr(), "range") != 0) // the language's own
        kernel->customBuiltins = chosen["custom_builtins"];
  kernel->options.dumpFolder = dumpFolder;
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

PyObject *kernelClear(PyObject *self, PyObject *) {
  if (isReady(self))
    kernelOf(self).specialisations.clear();
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
    {Py_tp_methods, kernelMethods},
    {0, nullptr},
};
PyType_Spec kernelSpec = {"_tilesmith.Kernel", sizeof(KernelObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                          kernelSlots};

} // namespace

std::shared_ptr<Specialisation> specialise(Binding &binding) {
  Kernel &kernel = binding.kernel;
  CustomBuiltins names(kernel.customBuiltins.ptr());
  if (!kernel.alwaysCompile)
    if (auto known = findInMemory(binding))
      return known;
  CompileTurn turn;
  if (turn.isNested()) {
    PyErr_Format(PyExc_RuntimeError, "kernel '%s' cannot be compiled while this thread compiles another one",
                 kernel.name.c_str());
    return nullptr;
  }
  if (kernel.alwaysCompile)
    return compile(binding, nullptr);
  if (auto known = findInMemory(binding)) // another thread was faster
    return known;

  std::shared_ptr<Specialisation> result;
  bool byValue = binding.persistent;
  bool onDisk = byValue && !kernel.options.printIr && kernel.options.runPasses && kernel.options.dumpFolder.empty();
  std::string key = onDisk ? diskKey(binding) : std::string();
  if (onDisk)
    result = loadFromDisk(binding, key);
  if (!result)
    result = compile(binding, onDisk ? &key : nullptr);
  // What read a value that nothing leads to could not be checked later.
  if (result && binding.persistent == byValue) {
    constexpr size_t mostVariants =
        64; // of host values; a constant that changes with every launch must not fill memory
    std::vector<std::shared_ptr<Specialisation>> &variants = kernel.specialisations[binding.key];
    if (variants.size() == mostVariants)
      variants.erase(variants.begin());
    variants.push_back(result);
  }
  return result;
}

bool isWritten(const Binding &binding, const Specialisation &specialisation, size_t parameter) {
  size_t index = 0;
  for (size_t i = 0; i < parameter; ++i)
    index += !binding.kernel.parameters[i].isConstExpr;
  return !binding.kernel.parameters[parameter].isConstExpr && index < specialisation.written.size() &&
         specialisation.written[index];
}

namespace {

// One step of the compiler on its own: nothing is cached, so what it reads from the host need not be remembered.
template <typename Result>
std::optional<Result> compileStep(Binding &binding, std::optional<Result> (*step)(const runtime::CompileRequest &,
                                                                                  runtime::CompileError &)) {
  CustomBuiltins names(binding.kernel.customBuiltins.ptr());
  CompileTurn turn;
  if (turn.isNested()) {
    PyErr_Format(PyExc_RuntimeError, "kernel '%s' cannot be compiled while this thread compiles another one",
                 binding.kernel.name.c_str());
    return std::nullopt;
  }
  runtime::CompileRequest request;
  if (!describe(binding, request))
    return std::nullopt;
  hostEval().beginRecording();
  runtime::CompileError error;
  std::optional<Result> result = step(request, error);
  hostEval().endRecording();
  if (!result)
    raiseCompileError(error, binding.kernel.captureExceptions);
  return result;
}

} // namespace

std::optional<runtime::EmittedKernel> emit(Binding &binding) { return compileStep(binding, runtime::emit); }

bool trace(Binding &binding) {
  std::optional<std::string> text = compileStep(binding, runtime::trace);
  if (text)
    settings().ir = std::move(*text);
  return bool(text);
}

bool isReady(PyObject *object) { return reinterpret_cast<KernelObject *>(object)->kernel; }

Kernel &kernelOf(PyObject *object) { return *reinterpret_cast<KernelObject *>(object)->kernel; }

void registerKernel(nb::module_ &module) {
  PyObject *type = PyType_FromSpec(&kernelSpec);
  if (!type || PyModule_AddObject(module.ptr(), "Kernel", type) != 0)
    throw nb::python_error();
}

} // namespace tilesmith::python
