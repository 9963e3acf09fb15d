// TS303 always-compile: a kernel's decorator does not say `always_compile=True`.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS303",
    .name = "always-compile",
    .level = Level::Info,
    .isOn = false,
    .what = "A kernel's decorator does not say `always_compile=True`.",
    .why = "The workflow asks for it, because upstream's cache does not notice every change of what a kernel uses. "
           "Ours does.",
    .use = "@asc2.jit(always_compile=True)",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])
)py",
    .good = R"py(
@asc2.jit(always_compile=True)
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const Function *kernel : file.entries({Language::Asc2})) {
    auto *call = llvm::dyn_cast<Call>(kernel->decorator);
    auto *value = call ? llvm::dyn_cast_or_null<Constant>(keyword(*call, "always_compile")) : nullptr;
    if (!value || !value->integer)
      report.add(kernel->decorator->range, "kernel '" + kernel->name().str() + "' without always_compile=True");
  }
}

KernelRuleEntry ruleAlwaysCompile() { return {&info, check}; }

} // namespace tilesmith::lint
