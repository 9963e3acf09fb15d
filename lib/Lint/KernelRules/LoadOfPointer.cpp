// TS307 load-of-pointer: asc2.load or asc2.store is given a parameter of the kernel as the tensor.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS307",
    .name = "load-of-pointer",
    .level = Level::Error,
    .what = "asc2.load or asc2.store is given a parameter of the kernel as the tensor.",
    .why = "A parameter is an address without a shape. Loads clip at the shape, so they need one.",
    .use = "x = asc2.tensor(x_ptr, [size])",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, y_ptr, size):
    y = asc2.tensor(y_ptr, [size])
    asc2.store(asc2.load(x_ptr, [64], tile_id=[0]), y, tile_id=[0])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, y_ptr, size):
    x_ptr = asc2.tensor(x_ptr, [size])
    y = asc2.tensor(y_ptr, [size])
    asc2.store(asc2.load(x_ptr, [64], tile_id=[0]), y, tile_id=[0])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const Function *kernel : file.entries({Language::Asc2}))
    for (const CallFact &call : kernel->calls) {
      bool isLoad = call.path == "asc2.load", isStore = call.path == "asc2.store";
      auto *name = llvm::dyn_cast_or_null<Name>(
          isLoad || isStore ? argument(*call.call, isLoad ? 0 : 1, isLoad ? "src" : "dst") : nullptr);
      if (!name || kernel->bound.lookup(name->id).size() != 1)
        continue;
      for (const Parameter &parameter : kernel->def->parameters)
        if (parameter.name == name->id && !isConstExpr(file, parameter, *kernel))
          report.add(name->range, "'" + name->id.str() + "' is an address, not a tensor");
    }
}

KernelRuleEntry ruleLoadOfPointer() { return {&info, check}; }

} // namespace tilesmith::lint
