// DG203 tensor-disguise: An object that only looks like a tensor is made in forward or returned: its class derives
// from torch.Tensor or defines `__torch_function__` or `__torch_dispatch__`.
#include "tilesmith/Lint/Rule.h"

namespace tilesmith::lint {

static const RuleInfo info{
    .id = "DG203",
    .name = "tensor-disguise",
    .what = "An object that only looks like a tensor is made in forward or returned: its class derives from "
            "torch.Tensor or defines `__torch_function__` or `__torch_dispatch__`.",
    .why = "Such an object answers operations by code of its own, later and unseen, when its values are looked "
           "at.",
    .bad = R"(
class Lazy:
    def __init__(self, value):
        self.value = value

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        return function(torch.relu(args[0].value))


class ModelNew(nn.Module):
    def forward(self, x):
        return Lazy(run(x))
)",
    .good = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        return run(x)
)",
};

namespace {

struct TensorDisguise final : RuleOn<TensorDisguise, ObjectMade, Returned> {
  void on(const ObjectMade &object, Findings &findings) {
    if (object.looksLikeTensor)
      findings.add(object, "makes an object that only looks like a tensor");
  }
  void on(const Returned &returned, Findings &findings) {
    if (returned.looksLikeTensor)
      findings.add(returned, "returns an object that only looks like a tensor");
  }
};

} // namespace

RuleEntry ruleTensorDisguise() { return entryOf<TensorDisguise>(info); }

} // namespace tilesmith::lint
