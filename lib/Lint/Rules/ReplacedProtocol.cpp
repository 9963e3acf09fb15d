// DG402 replaced-protocol: The file changes what calling something means: hooks on modules, metaclasses,
// `__subclasshook__`, `__getattribute__` of ModelNew, kernels registered for operations.
#include "tilesmith/Lint/Rule.h"

namespace tilesmith::lint {

static const RuleInfo info{
    .id = "DG402",
    .name = "replaced-protocol",
    .isAnywhere = true,
    .what = "The file changes what calling something means: hooks on modules, metaclasses, `__subclasshook__`, "
            "`__getattribute__` of ModelNew, kernels registered for operations.",
    .why = "The forward in the source is then not what runs.",
    .bad = R"(
class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_forward_hook(lambda module, args, out: torch.relu(out))

    def forward(self, x):
        return run(x)
)",
    .good = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        return run(x)
)",
};

namespace {

struct ReplacedProtocol final : RuleOn<ReplacedProtocol, Replaced> {
  void on(const Replaced &replaced, Findings &findings) {
    switch (replaced.what) {
    case Replaced::What::OfOtherModule:
      return;
    case Replaced::What::AttributeLookup:
      return findings.add(replaced, "replaces how attributes of ModelNew are found");
    case Replaced::What::ObjectCreation:
      return findings.add(replaced, "replaces how objects of the class are made");
    case Replaced::What::Membership:
      return findings.add(replaced, "replaces what belongs to the class");
    case Replaced::What::Function:
      return findings.add(replaced, "replaces what the function does");
    case Replaced::What::ModuleCall:
      return findings.add(replaced, "hooks change what forward gives");
    }
  }
};

} // namespace

RuleEntry ruleReplacedProtocol() { return entryOf<ReplacedProtocol>(info); }

} // namespace tilesmith::lint
