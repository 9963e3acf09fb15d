#include "Library.h"
#include "Facts.h"
#include "Observe.h"
#include "tilesmith/Runtime/Library.h"
#include "tilesmith/Runtime/SourceText.h"
#include "llvm/ADT/STLExtras.h"
#include <bit>
#include <cmath>
#include <cstring>
#include <deque>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace tilesmith::python {
namespace {

struct CallTrace {
  machine::LaunchResult result;
  host::Metadata metadata;
  isa::Arch arch;
  std::shared_ptr<const void> owner;

  // None, or the first call that differs in words.
  nb::object differsFrom(const CallTrace &other) const {
    machine::CallDifference difference = machine::firstDifference(result.traces, other.result.traces, arch);
    if (difference.text.empty())
      return nb::none();
    std::string text = difference.text;
    auto place = [](uint32_t loc, const host::Metadata &metadata) {
      const host::SourceLocation &at = metadata.locations[loc < metadata.locations.size() ? loc : 0];
      return at.file.empty() ? std::string() : at.file + ":" + std::to_string(at.line);
    };
    if (std::string at = place(difference.leftLoc, metadata); !at.empty())
      text += "\n  left at " + at;
    if (std::string at = place(difference.rightLoc, other.metadata); !at.empty())
      text += "\n  right at " + at;
    return nb::cast(text);
  }

  // The facts of the same calls on another part of the architecture, or on this one with other numbers.
  nb::dict time(const std::string &name, bool warmL2) const {
    const machine::Platform *platform = machine::findPlatform(name);
    if (!platform || platform->arch != arch)
      throw nb::value_error(("no platform of the architecture these calls are for is called '" + name + "'").c_str());
    machine::LaunchResult timed;
    timed.type = result.type;
    timed.calls = result.calls;
    isa::BlockCores cores = result.type ? isa::coresOf(*result.type) : isa::BlockCores{0, 1};
    {
      nb::gil_scoped_release release;
      machine::ReplayOptions options;
      options.warmL2 = warmL2;
      timed.timing = machine::replay(result.traces, *platform, options, cores);
    }
    if (!timed.timing.stuck.empty())
      throw nb::value_error("the calls wait for something that never happens");
    nb::dict facts;
    describeTiming(facts, timed, metadata, *platform);
    return facts;
  }
};

struct LibraryKernel {
  const runtime::KernelLibrary *library;
  const TsLibraryKernel *kernel;
  std::vector<std::string> names; // of the parameters, where somebody knows them
  // Of the arrays that are passed as plain bytes: dtype and shape by parameter, where they are known.
  std::vector<std::pair<std::string, std::vector<int64_t>>> types;
  bool autoSync = true;      // people's own code: V is ordered with itself, as the vendor's compiler makes it
  bool plainPointers = true; // its code may read global memory past the Machine, so that its arrays must exist

  std::string parameterName(size_t i) const {
    return i < names.size() && !names[i].empty() ? names[i] : "argument " + std::to_string(i + 1);
  }
};

struct LibraryLauncher {
  LibraryKernel kernel;
  int64_t blocks;
};

[[noreturn]] void refuse(const std::string &name, const std::string &why) {
  throw nb::type_error((name + " " + why).c_str());
}

int64_t integerBits(const std::string &name, const TsParameter &parameter, nb::handle value) {
  nb::object index = nb::steal(PyNumber_Index(value.ptr()));
  if (!index.is_valid()) {
    PyErr_Clear();
    refuse(name, "must be an integer");
  }
  bool isSigned = parameter.kind == TS_SIGNED;
  int64_t bits = isSigned ? PyLong_AsLongLong(index.ptr()) : int64_t(PyLong_AsUnsignedLongLong(index.ptr()));
  bool fits = !PyErr_Occurred();
  PyErr_Clear();
  unsigned width = parameter.size * 8;
  if (fits && width < 64)
    fits = isSigned ? bits >= -(int64_t(1) << (width - 1)) && bits < int64_t(1) << (width - 1)
                    : uint64_t(bits) < uint64_t(1) << width;
  if (!fits)
    refuse(name, "does not fit into " + std::to_string(width) + (isSigned ? " signed bits" : " unsigned bits"));
  return bits;
}

int64_t floatBits(const std::string &name, const TsParameter &parameter, nb::handle value) {
  double number = PyFloat_AsDouble(value.ptr());
  if (PyErr_Occurred()) {
    PyErr_Clear();
    refuse(name, "must be a number");
  }
  if (parameter.size == 8)
    return std::bit_cast<int64_t>(number);
  float single = float(number);
  uint32_t bits = std::bit_cast<uint32_t>(single);
  if (parameter.size == 4)
    return bits;
  if (parameter.kind == TS_BFLOAT)
    return std::isnan(single) ? 0x7fc0 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  return std::bit_cast<uint16_t>(_Float16(single));
}

// The arguments of a call as a launch takes them.
struct BoundCall {
  std::deque<Argument> arrays; // and structs: they keep what `arguments` points to
  std::vector<runtime::BoundArgument> arguments;
  std::vector<std::string> names;
  bool mayBeAbsent = false; // the launch touches no data: its arrays may be placeholders

  void add(const std::string &name, const TsParameter &parameter, nb::handle value) {
    names.push_back(name);
    arguments.push_back(bind(name, parameter, value));
  }

private:
  runtime::BoundArgument bind(const std::string &name, const TsParameter &parameter, nb::handle value) {
    switch (parameter.kind) {
    case TS_SIGNED:
    case TS_UNSIGNED:
      return {false, {}, integerBits(name, parameter, value)};
    case TS_FLOAT:
    case TS_BFLOAT:
      return {false, {}, floatBits(name, parameter, value)};
    case TS_POINTER:
      return value.is_none() ? runtime::BoundArgument{false, {}, 0} : array(name, value);
    default:
      return bytes(name, parameter, value);
    }
  }

  // Something with contiguous memory.
  const Argument &memory(const std::string &name, nb::handle value, const char *wanted) {
    nb::object text = nb::cast(name);
    Argument &argument = arrays.emplace_back();
    if (!readArgument(value.ptr(), text.ptr(), argument)) {
      if (PyErr_Occurred())
        throw nb::python_error();
      refuse(name, wanted);
    }
    if (argument.kind != Argument::Kind::Array)
      refuse(name, wanted);
    if (argument.layout)
      refuse(name, "must be contiguous");
    return argument;
  }

  runtime::BoundArgument array(const std::string &name, nb::handle value) {
    const Argument &argument = memory(name, value, "must be an array");
    if (argument.readOnly)
      throw nb::value_error((name + " is read-only; a C++ kernel may write to any of its arrays").c_str());
    if (argument.absent && !mayBeAbsent)
      throw nb::value_error((name + " is a placeholder, which has no memory; only a kernel that reads nothing through "
                                    "plain pointers can be launched on it, and only dry")
                                .c_str());
    return {true, {argument.data, argument.size}, 0, /*written=*/true, argument.absent};
  }

  runtime::BoundArgument bytes(const std::string &name, const TsParameter &parameter, nb::handle value) {
    const Argument &argument = memory(name, value, "must be the bytes of a struct");
    if (argument.size != int64_t(parameter.size))
      refuse(name, "is a struct of " + std::to_string(parameter.size) + " bytes, not " + std::to_string(argument.size));
    return {false, {}, int64_t(reinterpret_cast<intptr_t>(argument.data))};
  }
};

nb::dict describe(const runtime::Touched &touched) {
  auto listed = [](const std::vector<runtime::Touched::Span> &spans) {
    nb::list list;
    for (auto [begin, end] : spans)
      list.append(nb::make_tuple(uintptr_t(begin), uintptr_t(end)));
    return list;
  };
  nb::dict result;
  result["reads"] = listed(touched.reads);
  result["writes"] = listed(touched.writes);
  result["tables"] = listed(touched.tables);
  result["plain_loads"] = touched.plainLoads;
  result["plain_stores"] = touched.plainStores;
  return result;
}

// Runs on the current settings, like a jit function's launcher.
void call(const LibraryLauncher &launcher, const nb::args &args) {
  const TsLibraryKernel &kernel = *launcher.kernel.kernel;
  if (nb::len(args) != size_t(kernel.numParameters))
    throw nb::type_error((std::string(kernel.name) + " takes " + std::to_string(kernel.numParameters) +
                          " arguments, not " + std::to_string(nb::len(args)))
                             .c_str());
  BoundCall bound;
  bound.mayBeAbsent = settings().launch.dry && !launcher.kernel.plainPointers;
  for (size_t i = 0; i < size_t(kernel.numParameters); ++i)
    bound.add(launcher.kernel.parameterName(i), kernel.parameters[i], args[i]);
  if (settings().dryRun)
    return;

  host::Metadata metadata;
  Launched launch(settings(), metadata, launcher.blocks);
  runtime::LaunchTarget target;
  target.function = kernel.run;
  target.platform = &launch.platform;
  if (kernel.type >= 0 && kernel.type < int64_t(isa::numKernelType))
    target.type = isa::KernelType(kernel.type);
  target.autoSync = launcher.kernel.autoSync;
  target.plainPointers = launcher.kernel.plainPointers;
  target.serial = true; // whether it uses atomics is not known before it runs
  target.interrupted = interrupted;
  machine::LaunchResult result;
  runtime::Touched touched;
  if (launch.how.judged)
    target.touched = &touched;
  {
    nb::gil_scoped_release release;
    result = runtime::launch(target, launch.blocks, bound.arguments, launch.how, [&](size_t i) {
      runtime::ArgumentWords words{bound.names[i], {}, {}};
      if (i < launcher.kernel.types.size()) {
        words.dtype = dtypeOfName(launcher.kernel.types[i].first);
        words.shape = launcher.kernel.types[i].second;
      }
      return words;
    });
  }
  if (PyErr_Occurred() || PyErr_CheckSignals() != 0)
    throw nb::python_error();
  if (!result.printed.empty())
    nb::module_::import_("sys").attr("stdout").attr("write")(result.printed);

  metadata = launcher.kernel.library->describe(kernel, launch.platform.arch, result);
  if (!observe(result, launch, [&](ArrayFacts &facts) {
        for (const Argument &argument : bound.arrays)
          facts.add("", argument);
      }))
    throw nb::python_error();
  if (launch.how.judged && launch.recorder.is_valid())
    nb::borrow<nb::dict>(launch.recorder[-1])["touched"] = describe(touched);
}

nb::dict describe(const TsParameter &parameter) {
  static constexpr const char *kinds[] = {"pointer", "int", "uint", "float", "bfloat", "struct"};
  nb::dict result;
  result["kind"] = kinds[parameter.kind];
  result["size"] = parameter.size;
  if (parameter.kind == TS_POINTER) {
    result["element"] = kinds[parameter.element];
    result["element_size"] = parameter.elementSize;
  }
  return result;
}

} // namespace

nb::object makeCallTrace(machine::LaunchResult result, host::Metadata metadata, isa::Arch arch,
                         std::shared_ptr<const void> owner) {
  return nb::cast(CallTrace{std::move(result), std::move(metadata), arch, std::move(owner)});
}

void registerLibrary(nb::module_ &module) {
  nb::class_<CallTrace>(module, "CallTrace")
      .def_prop_ro("hash", [](const CallTrace &trace) { return trace.result.callHash; })
      .def("differs_from", &CallTrace::differsFrom)
      .def("time", &CallTrace::time, nb::arg("platform"), nb::arg("warm_l2") = false);
  nb::class_<LibraryLauncher>(module, "LibraryLauncher")
      .def("__call__", [](const LibraryLauncher &launcher, const nb::args &args) { call(launcher, args); });
  nb::class_<LibraryKernel>(module, "LibraryKernel")
      .def_prop_ro("name", [](const LibraryKernel &kernel) { return std::string(kernel.kernel->name); })
      .def_prop_ro("parameters",
                   [](const LibraryKernel &kernel) {
                     nb::list list;
                     for (int64_t i = 0; i < kernel.kernel->numParameters; ++i)
                       list.append(describe(kernel.kernel->parameters[i]));
                     return list;
                   })
      // The same kernel with names for its parameters, and (dtype, shape) of arrays, for messages.
      .def(
          "named",
          [](const LibraryKernel &kernel, std::vector<std::string> names,
             std::vector<std::pair<std::string, std::vector<int64_t>>> types) {
            LibraryKernel copy = kernel;
            copy.names = std::move(names);
            copy.types = std::move(types);
            return copy;
          },
          nb::arg("names"), nb::arg("types") = nb::list())
      // The same kernel with the barriers it has and no others, for code that was emitted.
      .def("as_written",
           [](const LibraryKernel &kernel) {
             LibraryKernel copy = kernel;
             copy.autoSync = false;
             return copy;
           })
      // The same kernel, known to read global memory by calls only: its dry launches need no arrays.
      .def("without_plain_pointers",
           [](const LibraryKernel &kernel) {
             LibraryKernel copy = kernel;
             copy.plainPointers = false;
             return copy;
           })
      .def("__getitem__", [](const LibraryKernel &kernel, int64_t blocks) {
        if (blocks <= 0 || blocks > settings().platform->maxBlocks)
          throw nb::value_error(("core_num must be between 1 and " + std::to_string(settings().platform->maxBlocks) +
                                 " on " + std::string(settings().platform->name) + ", not " + std::to_string(blocks))
                                    .c_str());
        return LibraryLauncher{kernel, blocks};
      });
  module.def("install_crash_handler", &runtime::noteCrashes);
  module.def("load_kernel_library", [](const std::string &path) {
    std::string error;
    const runtime::KernelLibrary *library = runtime::KernelLibrary::open(path, error);
    if (!library)
      throw nb::value_error(error.c_str());
    nb::dict kernels;
    for (const TsLibraryKernel &kernel : library->kernels())
      kernels[kernel.name] = nb::cast(LibraryKernel{library, &kernel, {}, {}});
    return kernels;
  });
}

} // namespace tilesmith::python
