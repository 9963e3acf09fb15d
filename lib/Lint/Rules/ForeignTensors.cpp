// DG304 foreign-tensors: Tensors are handed to a function of a module that is not in the file.
#include "tilesmith/Lint/Rule.h"

namespace tilesmith::lint {

static const RuleInfo info{
    .id = "DG304",
    .name = "foreign-tensors",
    .what = "Tensors are handed to a function of a module that is not in the file.",
    .why = "What happens to them there cannot be seen.",
    .bad = R"(
import helpers


class ModelNew(nn.Module):
    def forward(self, x):
        return run(helpers.prepare(x))
)",
    .good = R"(
import helpers


class ModelNew(nn.Module):
    def forward(self, x):
        block = helpers.block_size(x.shape)
        return run(x)
)",
};

namespace {

struct ForeignTensors final : RuleOn<ForeignTensors, ForeignCall> {
  void on(const ForeignCall &call, Findings &findings) {
    if (call.conduct == Conduct::Unknown && call.handsTensors)
      findings.add(call, "hands tensors to code that is not in this file");
  }
};

} // namespace

RuleEntry ruleForeignTensors() { return entryOf<ForeignTensors>(info); }

} // namespace tilesmith::lint
