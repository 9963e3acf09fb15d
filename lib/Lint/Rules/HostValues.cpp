// DG302 host-values: Numbers read from a tensor are computed with in Python and become contents of a tensor, or go
// through functions of math.
#include "tilesmith/Lint/Rule.h"

#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

static const RuleInfo info{
    .id = "DG302",
    .name = "host-values",
    .what = "Numbers read from a tensor are computed with in Python and become contents of a tensor, or go "
            "through functions of math.",
    .why = "That is computing on tensors, element by element. Numbers read from a tensor may become sizes.",
    .bad = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        values = [v * 2 for v in x.tolist()]
        return run(torch.tensor(values))
)",
    .good = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        n = int(x[0].item())
        return run(x[:n])
)",
};

namespace {

// Functions of math that sizes are computed with.
constexpr llvm::StringLiteral forSizes[] = {"math.floor", "math.ceil", "math.prod", "math.gcd",
                                            "math.lcm",   "math.log2", "math.isqrt"};

struct HostValues final : RuleOn<HostValues, HostValue> {
  void on(const HostValue &value, Findings &findings) {
    switch (value.use) {
    case HostValue::Use::InNewTensor:
      return findings.add(value, "makes a tensor of values computed on the host from tensor data");
    case HostValue::Use::InTensor:
      return findings.add(value, "stores values computed on the host from tensor data");
    case HostValue::Use::InFunction:
      if (!llvm::is_contained(forSizes, value.function))
        findings.add(value, "computes on values of a tensor on the host");
    }
  }
};

} // namespace

RuleEntry ruleHostValues() { return entryOf<HostValues>(info); }

} // namespace tilesmith::lint
