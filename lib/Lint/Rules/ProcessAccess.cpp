// DG404 process-access: Other code in the process is looked at: frames, the garbage collector, inspect, modules out
// of sys.modules.
#include "tilesmith/Lint/Rule.h"

#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

static const RuleInfo info{
    .id = "DG404",
    .name = "process-access",
    .isAnywhere = true,
    .what = "Other code in the process is looked at: frames, the garbage collector, inspect, modules out of "
            "sys.modules.",
    .why = "The reference and the harness may be in the same process.",
    .bad = R"(
import sys


class ModelNew(nn.Module):
    def forward(self, x):
        return run(sys.modules['__main__'].reference(x))
)",
    .good = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        return run(x)
)",
};

namespace {

// Modules that a candidate may as well import.
constexpr llvm::StringLiteral candidatesOwn[] = {"torch", "numpy", "triton", "torch_npu", "asc", "asc2", "math"};

struct ProcessAccess final : RuleOn<ProcessAccess, ForeignCall, ModuleReached> {
  void on(const ForeignCall &call, Findings &findings) {
    if (call.conduct == Conduct::InspectsProcess)
      findings.add(call, "looks at other code in the process");
  }
  void on(const ModuleReached &reached, Findings &findings) {
    llvm::StringRef root = llvm::StringRef(reached.module).take_until([](char c) { return c == '.'; });
    if (!llvm::is_contained(candidatesOwn, root))
      findings.add(reached, "reaches other modules of the process through sys.modules");
  }
};

} // namespace

RuleEntry ruleProcessAccess() { return entryOf<ProcessAccess>(info); }

} // namespace tilesmith::lint
