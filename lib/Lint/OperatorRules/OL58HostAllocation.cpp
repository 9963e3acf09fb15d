// OL58 host-allocation: a wrapper allocates with pypto, or hands an output over that was allocated so.
#include "tilesmith/Lint/KernelRule.h"

#include "../Kernels/Pypto.h"
#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL58",
    .name = "host-allocation",
    .level = Level::S0,
    .role = Role::Impl,
    .stages = buildStages,
    .what = "A wrapper allocates with pypto, or hands an output over that was allocated so.",
    .why = "Host tensors are torch's; pypto.zeros and friends are operations of a kernel.",
    .use = "torch.empty(shape, dtype=..., device=x.device)",
    .bad = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32), out: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    out[:] = pypto.zeros(4, 64)

def gelu_wrapper(x):
    out = pypto.zeros(4, 64)
    kernel(x, out)
    return out
)py",
    .good = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32), out: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    out[:] = pypto.zeros(4, 64)

def gelu_wrapper(x):
    out = torch.empty(4, 64)
    kernel(x, out)
    return out
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  static constexpr llvm::StringLiteral makers[] = {"zeros", "ones", "full", "empty"};
  llvm::SmallVector<const Function *> hosts;
  for (const Function *wrapper : pypto::wrappers(file))
    for (const Function *host :
         report.isCompat() ? llvm::SmallVector<const Function *>{wrapper} : file.withHelpers(*wrapper))
      if (host->device == Language::None && !llvm::is_contained(hosts, host))
        hosts.push_back(host);
  if (!report.isCompat()) // what the file allocates while it is imported is a wrapper's, too
    hosts.push_back(&file.getModule());
  for (const Function *host : hosts)
    for (const CallFact &call : host->calls) {
      llvm::StringRef rest = call.path;
      if (!rest.consume_front("pypto.") || !llvm::is_contained(makers, rest))
        continue;
      KernelFinding &finding = report.add(call.call->range, "'" + host->name().str() + "' allocates with " + call.path);
      // The same call of torch, where its arguments mean the same: no type of pypto in it.
      bool isPlain = rest != "full" && file.imports("torch") && llvm::all_of(call.call->arguments, [&](const Expr *it) {
                       return !llvm::StringRef(file.path(it, *host)).starts_with("pypto.");
                     });
      if (isPlain && call.call->keywords.empty())
        finding.edits.push_back({call.call->callee->range, "torch." + rest.str()});
    }
}

KernelRuleEntry ruleOL58HostAllocation() { return {&info, check}; }

} // namespace tilesmith::lint
