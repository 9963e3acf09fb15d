// OL08 no-wrapper: no function at the top of the file ends in `_wrapper`.
#include "tilesmith/Lint/KernelRule.h"

#include "../Kernels/Pypto.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL08",
    .name = "no-wrapper",
    .level = Level::S1,
    .role = Role::Impl,
    .stages = buildStages,
    .what = "No function at the top of the file ends in `_wrapper`.",
    .why = "Tests and the pipeline call the operator through it.",
    .use = "def <op>_wrapper(x): allocate with torch, launch once, reshape back",
    .bad = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
)py",
    .good = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)

def gelu_wrapper(x):
    kernel(x)
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  if (pypto::wrappers(file).empty())
    report.add({1, 0, 1, 0}, "no function ends in _wrapper");
}

KernelRuleEntry ruleOL08NoWrapper() { return {&info, check}; }

} // namespace tilesmith::lint
