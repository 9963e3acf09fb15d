// OL62 torch-in-impl: a wrapper computes with torch.
#include "tilesmith/Lint/KernelRule.h"

#include "../Names/Names.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL62",
    .name = "torch-in-impl",
    .level = Level::S0,
    .role = Role::Impl,
    .stages = buildStages,
    .isLatest = true,
    .what = "A wrapper computes with torch.",
    .why = "What torch computes the kernel does not, and the test passes all the same.",
    .use = "compute it in the kernel; torch allocates and reshapes",
    .bad = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)

def gelu_wrapper(x):
    kernel(x)
    return torch.nn.functional.gelu(x)
)py",
    .good = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32), out: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)

def gelu_wrapper(x):
    out = torch.empty_like(x)
    kernel(x.reshape(-1, 64), out)
    return out.reshape(x.shape)
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const auto &function : file.all()) {
    if (function->device != Language::None || !function->def)
      continue;
    for (const CallFact &call : function->calls) {
      llvm::StringRef rest = call.path;
      if (!rest.consume_front("torch.") || rest.starts_with("npu.") || rest.starts_with("testing.") ||
          rest == "manual_seed" || rest == "device" || rest.starts_with("Tensor") || rest.starts_with("Size") ||
          rest == "no_grad")
        continue;
      if (effectOfTorch(rest) == Effect::Compute)
        report.add(call.call->range, call.path + " computes on the host");
    }
  }
}

KernelRuleEntry ruleOL62TorchInImpl() { return {&info, check}; }

} // namespace tilesmith::lint
