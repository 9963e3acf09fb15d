// TS130 dead-code: device code behind a `return` that is always reached.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS130",
    .name = "dead-code",
    .level = Level::Warning,
    .what = "Device code behind a `return` that is always reached.",
    .why = "Upstream drops it without a word.",
    .use = "remove it, or remove the return",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    return
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])
    return
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const Function *function : file.onDevice(ascLanguages)) {
    Body body = function->def->body;
    for (size_t i = 0; i + 1 < body.size(); ++i)
      if (llvm::isa<Return>(body[i])) {
        report.add(body[i + 1]->range, "code behind a return");
        break;
      }
  }
}

KernelRuleEntry ruleDeadCode() { return {&info, check}; }

} // namespace tilesmith::lint
