// DG303 torch-layer: A layer of torch.nn is called, or made inside forward.
#include "tilesmith/Lint/Rule.h"

namespace tilesmith::lint {

static const RuleInfo info{
    .id = "DG303",
    .name = "torch-layer",
    .what = "A layer of torch.nn is called, or made inside forward.",
    .why = "A layer computes. It may be made in __init__ for its weights, which are handed to kernels.",
    .bad = R"(
class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 8)

    def forward(self, x):
        return self.fc(run(x))
)",
    .good = R"(
class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 8)

    def forward(self, x):
        out = torch.empty_like(x)
        double[(1,)](self.fc.weight, out, x.numel(), BLOCK=64)
        return out
)",
};

namespace {

struct TorchLayer final : RuleOn<TorchLayer, LayerUse> {
  void on(const LayerUse &layer, Findings &findings) {
    findings.add(layer, layer.isCalled ? "calls a layer of torch.nn" : "makes a layer of torch.nn inside forward");
  }
};

} // namespace

RuleEntry ruleTorchLayer() { return entryOf<TorchLayer>(info); }

} // namespace tilesmith::lint
