// TS106 print-in-kernel: `print` in device code.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS106",
    .name = "print-in-kernel",
    .level = Level::Error,
    .what = "`print` in device code.",
    .why = "The chip has no console. Both compilers refuse it.",
    .use = "asc2.device_print(tile), or look at the kernel with `tilesmith debug`",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    tile = asc2.load(x, [64], tile_id=[0])
    print(tile)
    asc2.store(tile, x, tile_id=[0])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])

print("host code may print")
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  eachOnDevice<Call>(file, ascLanguages, [&](const Call &call, const Place &, const Function &in) {
    auto *name = llvm::dyn_cast_or_null<Name>(file.meaning(call.callee, in));
    if (file.path(call.callee, in) == "builtins.print")
      report.add(call.range, "print in device code");
    else if (name && name->id == "print" && !in.bound.contains("print") && !file.find("print"))
      report.add(call.range, "print in device code");
  });
}

KernelRuleEntry rulePrintInKernel() { return {&info, check}; }

} // namespace tilesmith::lint
