// TS134 mutable-global: device code reads a variable of the module that changes.
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS134",
    .name = "mutable-global",
    .level = Level::Warning,
    .what = "Device code reads a variable of the module that changes.",
    .why = "Its value is taken when the kernel is compiled. What the host assigns later is not seen, or costs another "
           "compilation, and upstream does not have it in its key at all.",
    .use = "pass it as an argument",
    .bad = R"py(
scale = 1
scale = 2

@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]) * scale, x, tile_id=[0])
)py",
    .good = R"py(
SCALE = 2

@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]) * SCALE, x, tile_id=[0])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  llvm::StringSet<> assignedElsewhere;
  for (const auto &function : file.all())
    if (function->device == Language::None)
      function->each<Global>(
          [&](const Global &stmt, const Place &) { assignedElsewhere.insert(stmt.names.begin(), stmt.names.end()); });
  const Function &module = file.getModule();
  eachOnDevice<Name>(file, ascLanguages, [&](const Name &name, const Place &, const Function &in) {
    for (const Function *at = &in; at; at = at->parent)
      if (at->bound.contains(name.id))
        return;
    auto found = module.bound.find(name.id);
    if (found == module.bound.end())
      return;
    auto *value = found->second.size() == 1 ? found->second[0] : nullptr;
    auto *list = llvm::dyn_cast_or_null<Sequence>(value);
    bool isMutable = (list && list->isList) || llvm::isa_and_nonnull<Dict>(value);
    bool isPlain = llvm::all_of(found->second, [](const Expr *it) { return it != nullptr; });
    if (isMutable || (isPlain && found->second.size() > 1) || assignedElsewhere.contains(name.id))
      report.add(name.range, "'" + name.id.str() + "' is a variable of the module that may change");
  });
}

KernelRuleEntry ruleMutableGlobal() { return {&info, check}; }

} // namespace tilesmith::lint
