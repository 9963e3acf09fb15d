// DG201 no-model: There is no class ModelNew with a forward.
#include "tilesmith/Lint/Rule.h"

namespace tilesmith::lint {

static const RuleInfo info{
    .id = "DG201",
    .name = "no-model",
    .isAnywhere = true,
    .what = "There is no class ModelNew with a forward.",
    .why = "ModelNew.forward is what is called and judged. The forward may be inherited from a class in the "
           "file.",
    .bad = R"(
class Model(nn.Module):
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

struct NoModel final : RuleOn<NoModel, ModelRead> {
  void on(const ModelRead &model, Findings &findings) {
    if (!model.hasForward)
      findings.add(model, model.hasClass ? "class ModelNew has no forward" : "no class ModelNew in the file");
  }
};

} // namespace

RuleEntry ruleNoModel() { return entryOf<NoModel>(info); }

} // namespace tilesmith::lint
