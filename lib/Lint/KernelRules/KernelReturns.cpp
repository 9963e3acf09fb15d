// TS103 kernel-returns: a kernel returns a value.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS103",
    .name = "kernel-returns",
    .level = Level::Error,
    .what = "A kernel returns a value.",
    .why =
        "A launch has no result; what a kernel computes it stores. Only functions that kernels call return something.",
    .use = "store the value into an output tensor",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    return asc2.load(x, [64], tile_id=[0])
)py",
    .good = R"py(
@asc2.jit
def first(x):
    return asc2.load(x, [64], tile_id=[0])

@asc2.jit
def kernel(x_ptr, y_ptr, size):
    asc2.store(first(asc2.tensor(x_ptr, [size])), asc2.tensor(y_ptr, [size]), tile_id=[0])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const Function *kernel : file.entries(ascLanguages))
    kernel->each<Return>([&](const Return &stmt, const Place &) {
      if (stmt.value)
        report.add(stmt.range, "kernel '" + kernel->name().str() + "' returns a value");
    });
}

KernelRuleEntry ruleKernelReturns() { return {&info, check}; }

} // namespace tilesmith::lint
