// TS113 async-in-kernel: `async` or `await` in device code, or an async function as a kernel.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS113",
    .name = "async-in-kernel",
    .level = Level::Error,
    .what = "`async` or `await` in device code, or an async function as a kernel.",
    .why = "The chip orders work by its pipes and flags, not by an event loop.",
    .use = "a plain function; loads and stores overlap without being asked",
    .bad = R"py(
@asc2.jit
async def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])
)py",
    .good = R"py(
async def serve():
    await other()
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const Function *function : file.onDevice(ascLanguages))
    if (function->isAsync)
      report.add(function->def->nameRange, "an async function cannot run on the device");
  eachOnDevice<AsyncStmt>(file, ascLanguages, [&](const AsyncStmt &stmt, const Place &, const Function &) {
    if (!llvm::isa<FunctionDef>(stmt.stmt))
      report.add(stmt.range, "async in device code");
  });
  eachOnDevice<OtherExpr>(file, ascLanguages, [&](const OtherExpr &expr, const Place &, const Function &) {
    if (expr.className == "Await")
      report.add(expr.range, "await in device code");
  });
}

KernelRuleEntry ruleAsyncInKernel() { return {&info, check}; }

} // namespace tilesmith::lint
