// OL56 early-unroll: a loop has an `unroll_list` of several values before stage 7.
#include "tilesmith/Lint/KernelRule.h"

#include "../Kernels/Pypto.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL56",
    .name = "early-unroll",
    .level = Level::S0,
    .role = Role::Impl,
    .stages = stage(4) | stage(5) | stage(6),
    .what = "A loop has an `unroll_list` of several values before stage 7.",
    .why = "Every value is a path of its own, and every branch doubles them. Tuning comes when the result is right.",
    .use = "a list of one value; several at stage 7",
    .bad = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    for i in pypto.loop(4, unroll_list=[4, 2, 1]):
        pass
)py",
    .good = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    for i in pypto.loop(4, unroll_list=[4]):
        pass
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  if (report.stage() >= 7)
    return;
  for (const auto &function : file.all())
    for (const CallFact &call : function->calls) {
      const Expr *given = pypto::isLoop(call.path) ? keyword(*call.call, "unroll_list") : nullptr;
      auto *list = llvm::dyn_cast_or_null<Sequence>(report.isCompat() ? given : file.meaning(given, *function));
      if (list && list->elements.size() > 1)
        report.add(given->range, "unroll_list with " + std::to_string(list->elements.size()) + " values");
    }
}

KernelRuleEntry ruleOL56UnrollList() { return {&info, check}; }

} // namespace tilesmith::lint
