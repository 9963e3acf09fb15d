// DG306 unresolved-operator: An operator is applied to something that holds tensors, and nothing in the file says what
// it means there: a bound method, a function, an object of a class that derives from one outside of the file.
#include "tilesmith/Lint/Rule.h"

namespace tilesmith::lint {

static const RuleInfo info{
    .id = "DG306",
    .name = "unresolved-operator",
    .what = "An operator is applied to something that holds tensors, and nothing in the file says what it means there: "
            "a bound method, a function, an object of a class that derives from one outside of the file.",
    .why =
        "A value that came out of an expression holding a tensor is a tensor unless it is shown to be something else, "
        "and an operator on a tensor computes.",
    .bad = R"(
from fractions import Fraction


class Number(Fraction):
    pass


class ModelNew(nn.Module):
    def forward(self, x):
        return run((Number(x) + 1).numerator)
)",
    .good = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        shape = list(x.shape) + [1]
        return run(x).view(shape)
)",
};

namespace {

struct UnresolvedOperators final : RuleOn<UnresolvedOperators, UnresolvedOperator> {
  void on(const UnresolvedOperator &event, Findings &findings) {
    findings.add(event, "an operator on tensors whose meaning cannot be resolved");
  }
};

} // namespace

RuleEntry ruleUnresolvedOperators() { return entryOf<UnresolvedOperators>(info); }

} // namespace tilesmith::lint
