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
    llvm::SmallVector<const Call *, 2> ofOne;
    unsigned loops = 0;
    for (const Function *function : pypto::codeOf(file, *entry, report.isCompat()))
      for (const CallFact &call : function->calls) {
        if (!pypto::isLoop(call.path))
          continue;
        ++loops;
        Exprs bounds = call.call->arguments;
        auto is = [&](unsigned at, int64_t value) { return file.integer(bounds[at], *function) == value; };
        bool isOne =
            (bounds.size() == 1 && is(0, 1)) || (!report.isCompat() && bounds.size() > 1 && is(0, 0) && is(1, 1));
        if (call.path == "pypto.loop" && isOne)
          ofOne.push_back(call.call);
      }
    if (loops > 1)
      for (const Call *loop : ofOne)
        report.add(loop->range, "a loop of one round beside another loop");
  }
}

KernelRuleEntry ruleOL46LoopOfOne() { return {&info, check}; }

} // namespace tilesmith::lint
