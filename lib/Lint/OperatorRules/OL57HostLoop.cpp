// OL57 host-loop: a `while`, a `for` over something other than pypto's loops or range, or a comprehension of
// pypto calls, in kernel code.
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/STLExtras.h"

#include "../Kernels/Pypto.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL57",
    .name = "host-loop",
    .level = Level::S0,
    .role = Role::Impl,
    .stages = buildStages,
    .what = "A `while`, a `for` over something other than pypto's loops or range, or a comprehension of pypto calls, "
            "in kernel code.",
    .why = "It runs while the kernel is compiled, and every round is written out.",
    .use = "pypto.loop, pypto.loop_unroll; range for a few rounds",
    .bad = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    n = 4
    while n:
        n = n - 1
)py",
    .good = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    sizes = [n * 2 for n in (1, 2)]
    for i in pypto.loop(4):
        pass

def gelu_wrapper(shapes):
    for shape in shapes:
        print(shape)
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const Function *function : pypto::kernelCode(file, report.isCompat())) {
    for (const LoopFact &loop : function->loops) {
      auto *range = loop.over ? llvm::dyn_cast<Name>(loop.over->callee) : nullptr;
      if (llvm::isa<While>(loop.stmt))
        report.add(llvm::cast<While>(loop.stmt)->condition->range, "while in kernel code");
      else if (!pypto::isLoop(loop.path) && !(range && range->id == "range"))
        report.add(loop.asFor()->iterable->range, "a loop over something other than pypto.loop");
    }
    function->each<Comprehension>([&](const Comprehension &expr, const Place &) {
      bool calls = false;
      forEachBelow(expr, [&](const Node &node) {
        auto *call = llvm::dyn_cast<Call>(&node);
        calls |= call && llvm::StringRef(file.path(call->callee, *function)).starts_with("pypto.");
        if (const Function *callee = call && !report.isCompat() ? file.functionOf(call->callee, *function) : nullptr)
          calls |= llvm::any_of(file.withHelpers(*callee), [](const Function *below) {
            return llvm::any_of(below->calls,
                                [](const CallFact &it) { return llvm::StringRef(it.path).starts_with("pypto."); });
          });
      });
      if (calls)
        report.add(expr.range, "a comprehension of pypto calls");
    });
  }
}

KernelRuleEntry ruleOL57HostLoop() { return {&info, check}; }

} // namespace tilesmith::lint
