// DG204 kept-tensor: A tensor of an earlier call is returned, or a tensor is put where it may be kept for a later
// one: an attribute, a global, a dictionary, functools.cache, an object that is not in the file.
#include "tilesmith/Lint/Rule.h"

namespace tilesmith::lint {

static const RuleInfo info{
    .id = "DG204",
    .name = "kept-tensor",
    .what = "A tensor of an earlier call is returned, or a tensor is put where it may be kept for a later one: an "
            "attribute, a global, a dictionary, functools.cache, an object that is not in the file.",
    .why = "A call that returns what an earlier one computed does no work, and is wrong for other inputs. "
           "Buffers may be kept, if a kernel writes them in every call.",
    .bad = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        if not hasattr(self, 'out'):
            self.out = run(x)
        return self.out
)",
    .good = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        if not hasattr(self, 'out'):
            self.out = torch.empty_like(x)
        double[(1,)](x, self.out, x.numel(), BLOCK=64)
        return self.out
)",
};

namespace {

struct KeptTensor final : RuleOn<KeptTensor, TensorKept, Returned> {
  void on(const TensorKept &kept, Findings &findings) {
    findings.add(kept, kept.inCache ? "keeps tensors from call to call"
                                    : "keeps a tensor in an object that is not in this file");
  }
  void on(const Returned &returned, Findings &findings) {
    if (returned.isStale)
      findings.add(returned, "returns a tensor kept from an earlier call");
  }
};

} // namespace

RuleEntry ruleKeptTensor() { return entryOf<KeptTensor>(info); }

} // namespace tilesmith::lint
