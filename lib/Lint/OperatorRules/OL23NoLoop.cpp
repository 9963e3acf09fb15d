// OL23 no-loop: the entry has no loop, nor has a function it calls.
#include "tilesmith/Lint/KernelRule.h"

#include "../Kernels/Pypto.h"
#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL23",
    .name = "no-loop",
    .level = Level::S2,
    .role = Role::Impl,
    .stages = buildStages,
    .what = "The entry has no loop, nor has a function it calls.",
    .why = "A kernel without a loop takes one shape and leaves nothing to be overlapped.",
    .use = "`for _ in pypto.loop(1):` around the body, or a loop over tiles",
    .bad = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32), out: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    out[:] = x + x
)py",
    .good = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32), out: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    for _ in pypto.loop(1):
        out[:] = x + x
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const Function *entry : pypto::primaryEntries(file)) {
    bool loops = llvm::any_of(file.withHelpers(*entry), [](const Function *function) {
      return llvm::any_of(function->calls, [](const CallFact &it) { return pypto::isLoop(it.path); });
    });
    if (!loops)
      report.add(entry->def->nameRange, "'" + entry->name().str() + "' has no loop");
  }
}

KernelRuleEntry ruleOL23NoLoop() { return {&info, check}; }

} // namespace tilesmith::lint
