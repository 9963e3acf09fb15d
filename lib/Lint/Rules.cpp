#include "Rules.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

namespace tilesmith::lint {

namespace {

struct Row {
  Effect effect;
  const char *names; // separated by spaces
};

llvm::StringMap<Effect> makeTable(llvm::ArrayRef<Row> rows) {
  llvm::StringMap<Effect> table;
  for (const Row &row : rows) {
    llvm::SmallVector<llvm::StringRef> names;
    llvm::StringRef(row.names).split(names, ' ', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef name : names)
      table[name] = row.effect;
  }
  return table;
}

llvm::StringSet<> makeSet(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> names;
  text.split(names, ' ', -1, /*KeepEmpty=*/false);
  llvm::StringSet<> set;
  for (llvm::StringRef name : names)
    set.insert(name);
  return set;
}

// Views that exist both as functions and as methods.
constexpr const char *views =
    "reshape transpose permute flatten unflatten squeeze unsqueeze swapaxes swapdims movedim moveaxis t "
    "broadcast_to as_strided ravel detach view_as_real view_as_complex atleast_1d atleast_2d atleast_3d "
    "adjoint";
constexpr const char *parts =
    "narrow select split chunk unbind tensor_split diagonal hsplit vsplit dsplit split_with_sizes";

const Row torchRows[] = {
    {Effect::Allocate,
     "empty empty_like empty_strided empty_permuted zeros zeros_like ones ones_like full full_like tensor arange "
     "linspace as_tensor asarray from_numpy scalar_tensor Tensor FloatTensor HalfTensor BFloat16Tensor DoubleTensor "
     "IntTensor "
     "LongTensor"},
    {Effect::View, views},
    {Effect::View, "broadcast_tensors nn.Parameter nn.parameter.Parameter nn.Buffer"},
    {Effect::Part, parts},
    {Effect::Copy, "clone index_select"},
    {Effect::Host,
     "Size device dtype finfo iinfo is_tensor is_floating_point is_complex is_storage is_nonzero numel promote_types "
     "result_type can_cast broadcast_shapes no_grad enable_grad inference_mode set_grad_enabled is_grad_enabled "
     "is_inference_mode_enabled autocast get_default_dtype get_default_device Generator manual_seed initial_seed "
     "get_device typename _assert _check is_autocast_enabled get_autocast_dtype get_autocast_gpu_dtype "
     "get_device_module "
     "are_deterministic_algorithms_enabled get_num_threads set_num_threads amp.autocast autograd.no_grad "
     "cuda.amp.autocast npu.amp.autocast profiler.record_function autograd.profiler.record_function "
     "utils.cpp_extension.CUDA_HOME compiler.is_compiling _dynamo.is_compiling jit.is_scripting jit.is_tracing "
     "autograd.function.once_differentiable overrides.is_tensor_like"},
};

const Row numpyRows[] = {
    {Effect::Allocate, "empty empty_like zeros zeros_like ones ones_like full full_like arange linspace"},
    {Effect::View,
     "reshape transpose squeeze expand_dims ravel swapaxes moveaxis broadcast_to asarray ascontiguousarray "
     "asanyarray atleast_1d atleast_2d atleast_3d require"},
    {Effect::Part, "split array_split hsplit vsplit"},
    {Effect::Copy, "array copy"},
    {Effect::CopyInto, "copyto"},
    {Effect::Host, "shape ndim size isscalar result_type can_cast dtype shares_memory may_share_memory"},
};

const Row methodRows[] = {
    {Effect::View, views},
    {Effect::View,
     "view view_as reshape_as expand expand_as contiguous requires_grad_ share_memory_ resolve_conj resolve_neg "
     "pin_memory rename refine_names align_to numpy __dlpack__ squeeze_ unsqueeze_ t_ transpose_ "
     "as_strided_ swapaxes_ resize_ resize_as_ detach_ unfold __array__"},
    {Effect::Part, parts},
    {Effect::Part, "__getitem__"},
    {Effect::Copy,
     "clone to type float half bfloat16 int long short char byte bool double cpu npu cuda xpu to_dense astype copy "
     "index_select type_as"},
    {Effect::Allocate, "new_empty new_zeros new_ones new_full new_tensor new_empty_strided"},
    {Effect::Host,
     "size stride numel dim nelement ndimension is_contiguous element_size storage_offset get_device is_floating_point "
     "is_complex is_signed is_pinned is_set_to is_same_size is_shared __len__ nbytes untyped_storage storage "
     "data_ptr_hash __dlpack_device__ __repr__ __format__ __hash__ __sizeof__ register_hook retain_grad has_names "
     "_is_view is_inference is_conj is_neg is_nonzero record_stream"},
    {Effect::Read, "item tolist __int__ __float__ __bool__ __index__ tobytes"},
    {Effect::Address, "data_ptr"},
    {Effect::Fill, "zero_ fill_ fill"},
    {Effect::CopyInto, "copy_"},
    {Effect::Self, "__enter__ __exit__ __iter__ __reversed__"},
};

Effect lookUp(const llvm::StringMap<Effect> &table, llvm::StringRef name) {
  auto at = table.find(name);
  return at == table.end() ? Effect::Compute : at->second;
}

// A module and everything below it.
bool isIn(llvm::StringRef path, llvm::StringRef module) {
  return path.consume_front(module) && (path.empty() || path.front() == '.');
}
bool isInAny(llvm::StringRef path, std::initializer_list<const char *> modules) {
  return llvm::any_of(modules, [&](const char *module) { return isIn(path, module); });
}

} // namespace

Effect effectOfTorch(llvm::StringRef name) {
  static const auto *table = new llvm::StringMap<Effect>(makeTable(torchRows));
  return lookUp(*table, name);
}
Effect effectOfNumpy(llvm::StringRef name) {
  static const auto *table = new llvm::StringMap<Effect>(makeTable(numpyRows));
  return lookUp(*table, name);
}
Effect effectOfMethod(llvm::StringRef name) {
  static const auto *table = new llvm::StringMap<Effect>(makeTable(methodRows));
  return lookUp(*table, name);
}

bool isHostAttribute(llvm::StringRef name) {
  static const auto *set = new llvm::StringSet<>(
      makeSet("shape dtype device ndim is_cuda is_npu is_cpu is_xpu is_meta is_sparse is_quantized is_leaf layout "
              "requires_grad names "
              "itemsize nbytes size strides flags _version grad_fn output_nr __name__ __doc__ name type_"));
  return set->contains(name);
}

bool isViewAttribute(llvm::StringRef name) {
  static const auto *set = new llvm::StringSet<>(makeSet("T mT H mH data real imag base flat _base"));
  return set->contains(name);
}

std::optional<Dsl> dslOfJit(llvm::StringRef path) {
  return llvm::StringSwitch<std::optional<Dsl>>(path)
      .Cases({"triton.jit", "triton.runtime.jit.jit", "triton.runtime.jit", "triton.JITFunction",
              "triton.runtime.JITFunction"},
             Dsl::Triton)
      .Cases(
          {"triton.runtime.jit.JITFunction", "triton.experimental.gluon.jit", "triton.experimental.gluon._runtime.jit"},
          Dsl::Triton)
      .Cases({"asc2.jit", "asc.jit", "asc.runtime.jit.jit", "asc.JITFunction", "asc2.JITFunction"}, Dsl::Asc2)
      .Default(std::nullopt);
}

bool isKernelLanguage(llvm::StringRef path) {
  return isInAny(
      path, {"triton.language", "triton.experimental.gluon.language", "triton.experimental.descriptor", "asc", "asc2"});
}

bool isPassThrough(llvm::StringRef path) {
  return isInAny(path, {"torch.compile",
                        "torch.compiler",
                        "torch.jit",
                        "torch._dynamo",
                        "torch.no_grad",
                        "torch.inference_mode",
                        "torch.enable_grad",
                        "torch.autocast",
                        "torch.amp",
                        "torch.cuda.amp",
                        "torch.npu.amp",
                        "torch.library.custom_op",
                        "torch.library.triton_op",
                        "torch.library.wrap_triton",
                        "torch.library.register_fake",
                        "torch.fx.wrap",
                        "torch.autograd.function.once_differentiable",
                        "torch.set_grad_enabled",
                        "triton.autotune",
                        "triton.heuristics",
                        "triton.runtime.autotuner",
                        "triton.runtime.Autotuner",
                        "triton.runtime.Heuristics",
                        "numba",
                        "dataclasses",
                        "functools.update_wrapper",
                        "functools.total_ordering",

                        "contextlib.contextmanager",
                        "typing",
                        "typing_extensions",
                        "abc",
                        "pytest",
                        "atexit.register"});
}

llvm::StringRef whyForbidden(llvm::StringRef path, bool &always) {
  always = true;
  if (isInAny(path, {"builtins.eval", "builtins.exec", "builtins.compile", "builtins.?"}))
    return "runs code that is not in the source";
  if (isInAny(path,
              {"gc", "inspect", "sys._getframe", "sys._current_frames", "sys.settrace", "sys.setprofile", "traceback"}))
    return "looks at other code in the process";
  if (isInAny(path, {"builtins.open", "io.open", "os.open", "codecs.open", "linecache", "runpy", "pickle.load",
                     "marshal", "torch.load", "numpy.load", "numpy.fromfile", "numpy.loadtxt", "numpy.memmap"}))
    return "reads files: the task, its reference or results may be among them";
  if (isInAny(path,
              {"unittest.mock", "mock", "torch.library.Library", "torch.library.impl",
               "torch.overrides.TorchFunctionMode", "torch.utils._python_dispatch", "torch.set_default_tensor_type",
               "torch.nn.modules.module", "torch.library.define", "torch.library.register_kernel"}))
    return "replaces operations of a library";
  if (isInAny(path, {"functools.singledispatch", "functools.singledispatchmethod"}))
    return "chooses what is called behind the source";
  if (isInAny(path, {"types.FunctionType", "types.CodeType", "types.LambdaType", "ctypes.pythonapi"}))
    return "runs code that is not in the source";
  always = false;
  if (isInAny(path, {"subprocess",
                     "ctypes",
                     "cffi",
                     "multiprocessing",
                     "threading",
                     "_thread",
                     "concurrent",
                     "asyncio",
                     "socket",
                     "urllib",
                     "requests",
                     "http",
                     "signal",
                     "atexit",
                     "shutil",
                     "tempfile",
                     "pickle",
                     "pty",
                     "mmap",
                     "code",
                     "codeop",
                     "zipimport",
                     "pkgutil",
                     "importlib.util",
                     "importlib.machinery",
                     "torch.multiprocessing",
                     "torch.utils.cpp_extension",
                     "torch.hub",
                     "torch.distributed"}))
    return "leaves the process or the thread of forward";
  if (isIn(path, "os") &&
      !isInAny(path, {"os.environ", "os.getenv", "os.path", "os.cpu_count", "os.getpid", "os.sep", "os.fspath"}))
    return "leaves the process or the thread of forward";
  return "";
}

bool isHostModule(llvm::StringRef path) {
  return isInAny(path, {"math",      "os.environ", "os.getenv",   "os.path",    "os.cpu_count", "os.getpid",
                        "time",      "random",     "warnings",    "logging",    "typing",       "collections",
                        "itertools", "enum",       "dataclasses", "contextlib", "pathlib",      "string",
                        "re",        "json",       "platform",    "numbers",    "fractions",    "decimal",
                        "cmath",     "statistics", "hashlib",     "uuid",       "triton",       "packaging",
                        "types",     "abc",        "sys",         "weakref",    "textwrap",     "pprint"});
}

bool isHarmlessBuiltin(llvm::StringRef name) {
  static const auto *set = new llvm::StringSet<>(makeSet(
      "len isinstance issubclass hasattr id type print repr str format hash callable bool int float complex range "
      "slice "
      "object bytes bytearray ascii bin hex oct chr ord super property staticmethod classmethod dir input "
      "Exception ValueError TypeError RuntimeError NotImplementedError AssertionError KeyError IndexError ImportError "
      "AttributeError OSError ArithmeticError ZeroDivisionError StopIteration Warning UserWarning DeprecationWarning "
      "BaseException KeyboardInterrupt MemoryError NotImplemented Ellipsis"));
  return set->contains(name);
}

bool isIntrospection(llvm::StringRef attribute) {
  static const auto *set = new llvm::StringSet<>(makeSet(
      "__subclasses__ __globals__ __code__ __closure__ __builtins__ __getattribute__ __reduce__ __reduce_ex__ __mro__ "
      "f_back f_globals f_locals gi_frame tb_frame f_code __self__ __func__ __wrapped__"));
  return set->contains(attribute);
}

bool isSetting(llvm::StringRef path) {
  return isInAny(path,
                 {"torch.backends", "torch._dynamo.config", "torch._inductor.config", "torch._functorch.config"}) ||
         path.contains(".config.") || path.contains(".options.") || path.contains(".knobs.");
}

bool isReferenceModule(llvm::StringRef module) {
  llvm::StringRef last = module.substr(module.rfind('.') + 1);
  return last.ends_with("_torch") || last == "reference";
}

bool isWeightName(llvm::StringRef name) {
  return name.contains("weight") || name.contains("bias") || name.starts_with("running_") || name == "in_proj" ||
         name == "data";
}

bool isTensorBase(llvm::StringRef path) {
  return path == "torch.Tensor" || path == "torch._tensor.Tensor" || path.ends_with("TorchFunctionMode") ||
         path.ends_with("TorchDispatchMode") || path.ends_with("FakeTensor") || path.ends_with("FakeTensorMode");
}

} // namespace tilesmith::lint
