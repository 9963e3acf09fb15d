// OL49 unrolled-outer: a loop with `unroll_list` has another loop inside.
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/STLExtras.h"

#include "../Kernels/Pypto.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL49",
    .name = "unrolled-outer",
    .level = Level::S1,
    .role = Role::Impl,
    .stages = buildStages,
    .what = "A loop with `unroll_list` has another loop inside.",
    .why = "Every factor is a copy of the inner loop, too.",
    .use = "give unroll_list to the innermost loop",
    .bad = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    for i in pypto.loop(4, unroll_list=[2]):
        for j in pypto.loop(4):
            pass
)py",
    .good = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    for i in pypto.loop(4):
        for j in pypto.loop(4, unroll_list=[2]):
            pass
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const Function *function : pypto::kernelCode(file, report.isCompat())) {
    auto tellAround = [&](int at) {
      for (; at >= 0; at = function->loops[at].parent) {
        const LoopFact &outer = function->loops[at];
        auto *list = outer.over ? keyword(*outer.over, "unroll_list") : nullptr;
        auto *none = llvm::dyn_cast_or_null<Constant>(list);
        if (pypto::isLoop(outer.path) && list && !(none && none->constant == ConstantKind::None))
          report.add(outer.over->range, "a loop with unroll_list has another loop inside");
      }
    };
    for (const LoopFact &inner : function->loops)
      if (pypto::isLoop(inner.path))
        tellAround(inner.parent);
    if (report.isCompat())
      continue;
    for (const CallFact &call : function->calls) // a loop in a function that is called inside
      if (const Function *callee = call.loop >= 0 ? file.functionOf(call.call->callee, *function) : nullptr)
        if (llvm::any_of(file.withHelpers(*callee), [](const Function *below) {
              return llvm::any_of(below->loops, [](const LoopFact &it) { return pypto::isLoop(it.path); });
            }))
          tellAround(call.loop);
  }
}

KernelRuleEntry ruleOL49UnrolledOuter() { return {&info, check}; }

} // namespace tilesmith::lint
