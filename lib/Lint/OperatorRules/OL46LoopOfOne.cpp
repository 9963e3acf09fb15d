// OL46 loop-of-one: a kernel has a loop of one round beside another loop.
#include "tilesmith/Lint/KernelRule.h"

#include "../Kernels/Pypto.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL46",
    .name = "loop-of-one",
    .level = Level::S2,
    .role = Role::Impl,
    .stages = buildStages,
    .what = "A kernel has a loop of one round beside another loop.",
    .why = "A loop of one round is for kernels that have none. Beside another it is a region for nothing.",
    .use = "leave the loop of one round out",
    .bad = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32), out: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    for _ in pypto.loop(1):
        for i in pypto.loop(x.shape[0]):
            out[i:, 0:] = x[i:i + 1, :]
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
  for (const Function *entry : pypto::literalEntries(file)) {
    const Call *ofOne = nullptr;
    unsigned loops = 0;
    for (const Function *function : pypto::codeOf(file, *entry, report.isCompat()))
      for (const CallFact &call : function->calls) {
        if (!pypto::isLoop(call.path))
          continue;
        ++loops;
        if (call.path == "pypto.loop" && call.call->arguments.size() == 1 &&
            file.integer(call.call->arguments[0], *function) == 1)
          ofOne = call.call;
      }
    if (ofOne && loops > 1)
      report.add(ofOne->range, "a loop of one round beside another loop");
  }
}

KernelRuleEntry ruleOL46LoopOfOne() { return {&info, check}; }

} // namespace tilesmith::lint
