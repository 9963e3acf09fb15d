#include "Names.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace tilesmith::lint {

namespace {

// Names with something known about each. Names of rows are separated by spaces; the first row with a name holds.
template <typename T> class Table {
public:
  struct Row {
    T what;
    llvm::StringRef names;
  };

  Table(std::initializer_list<Row> rows) {
    for (const Row &row : rows) {
      llvm::SmallVector<llvm::StringRef> names;
      row.names.split(names, ' ', -1, /*KeepEmpty=*/false);
      for (llvm::StringRef name : names)
        table.try_emplace(name, row.what, order++);
    }
  }

  std::optional<T> find(llvm::StringRef name) const {
    auto at = table.find(name);
    return at == table.end() ? std::nullopt : std::optional(at->second.first);
  }

  // A name stands for itself and everything below it; among several the first in the table holds.
  std::optional<T> findAbove(llvm::StringRef path) const {
    auto best = table.end();
    for (size_t end = path.find('.');; end = path.find('.', end + 1)) {
      auto at = table.find(path.take_front(end));
      if (at != table.end() && (best == table.end() || at->second.second < best->second.second))
        best = at;
      if (end == llvm::StringRef::npos)
        return best == table.end() ? std::nullopt : std::optional(best->second.first);
    }
  }

private:
  llvm::StringMap<std::pair<T, unsigned>> table;
  unsigned order = 0;
};

enum class Attribute : uint8_t { Host, View };
enum class Builtin : uint8_t { Plain, Harmless, Holds };
enum class Module : uint8_t { PassThrough, Host, Device };

} // namespace

Effect effectOfTorch(llvm::StringRef name) {
  static const auto *table = new Table<Effect>{
#define EFFECT(effect, names) {Effect::effect, names},
#include "Torch.def"
#include "Views.def"
#undef EFFECT
  };
  return table->find(name).value_or(Effect::Compute);
}

Effect effectOfNumpy(llvm::StringRef name) {
  static const auto *table = new Table<Effect>{
#define EFFECT(effect, names) {Effect::effect, names},
#include "Numpy.def"
#undef EFFECT
  };
  return table->find(name).value_or(Effect::Compute);
}

Effect effectOfMethod(llvm::StringRef name) {
  static const auto *table = new Table<Effect>{
#define EFFECT(effect, names) {Effect::effect, names},
#include "Methods.def"
#include "Views.def"
#undef EFFECT
  };
  return table->find(name).value_or(Effect::Compute);
}

static std::optional<Attribute> attributeOf(llvm::StringRef name) {
  static const auto *table = new Table<Attribute>{
#define NAMES(kind, names) {Attribute::kind, names},
#include "Attributes.def"
#undef NAMES
  };
  return table->find(name);
}
bool isHostAttribute(llvm::StringRef name) { return attributeOf(name) == Attribute::Host; }
bool isViewAttribute(llvm::StringRef name) { return attributeOf(name) == Attribute::View; }

std::optional<Dsl> dslOfJit(llvm::StringRef path) {
  static const auto *table = new Table<Dsl>{
#define JIT(dsl, names) {Dsl::dsl, names},
#define LANGUAGE(names)
#include "Kernels.def"
#undef JIT
#undef LANGUAGE
  };
  return table->find(path);
}

bool isKernelLanguage(llvm::StringRef path) {
  static const auto *table = new Table<bool>{
#define JIT(dsl, names)
#define LANGUAGE(names) {true, names},
#include "Kernels.def"
#undef JIT
#undef LANGUAGE
  };
  return table->findAbove(path).has_value();
}

// A name may be listed for several reasons: one table each.
template <Module wanted> static bool isModule(llvm::StringRef path) {
  static const auto *table = new Table<bool>{
#define MODULES(kind, names) {true, Module::kind == wanted ? names : ""},
#include "Modules.def"
#undef MODULES
  };
  return table->findAbove(path).has_value();
}
bool isPassThrough(llvm::StringRef path) { return isModule<Module::PassThrough>(path); }
bool isHostModule(llvm::StringRef path) { return isModule<Module::Host>(path); }
bool isDeviceModule(llvm::StringRef path) { return isModule<Module::Device>(path); }

Conduct conductOf(llvm::StringRef path) {
  static const auto *table = new Table<Conduct>{
#define CONDUCT(conduct, names) {Conduct::conduct, names},
#include "Conduct.def"
#undef CONDUCT
  };
  return table->findAbove(path).value_or(Conduct::Unknown);
}

static std::optional<Builtin> builtinOf(llvm::StringRef name) {
  static const auto *table = new Table<Builtin>{
#define NAMES(kind, names) {Builtin::kind, names},
#include "Builtins.def"
#undef NAMES
  };
  return table->find(name);
}
bool isHarmlessBuiltin(llvm::StringRef name) { return builtinOf(name) == Builtin::Harmless; }
bool isHoldingBuiltin(llvm::StringRef name) { return builtinOf(name) == Builtin::Holds; }
bool isPlainBuiltin(llvm::StringRef name) { return builtinOf(name) == Builtin::Plain; }

llvm::StringRef withoutDetours(llvm::StringRef path) {
  static const auto *modules =
      new llvm::StringSet<>{"sys",       "os",      "builtins",   "gc",        "inspect",   "ctypes",
                            "threading", "_thread", "subprocess", "importlib", "atexit",    "socket",
                            "marshal",   "pickle",  "linecache",  "runpy",     "traceback", "multiprocessing",
                            "signal",    "mmap",    "shutil",     "tempfile",  "operator"};
  llvm::StringRef root = path.take_until([](char c) { return c == '.'; });
  bool isTorch = root == "torch" || root == "torch_npu";
  bool isLanguage = root == "asc" || root == "asc2" || root == "pypto" || root == "triton";
  for (size_t end = path.size(); (end = path.rfind('.', end)) != llvm::StringRef::npos && end;) {
    llvm::StringRef rest = path.substr(end + 1), name = rest.take_until([](char c) { return c == '.'; });
    llvm::StringRef plain = name.ltrim('_');
    bool isOfTorch = isTorch && (name == "multiprocessing" || name == "signal"); // torch's own
    if (!isOfTorch && (modules->contains(plain) || modules->contains(name)))
      return modules->contains(name) ? rest : rest.substr(name.size() - plain.size());
    if (isLanguage && (name == "torch" || name == "numpy"))
      return rest;
  }
  return path;
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
