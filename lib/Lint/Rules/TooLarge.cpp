// DG501 too-large: The candidate is too large or too deeply nested to be followed.
#include "tilesmith/Lint/Rule.h"

namespace tilesmith::lint {

static const RuleInfo info{
    .id = "DG501",
    .name = "too-large",
    .what = "The candidate is too large or too deeply nested to be followed.",
    .why = "What was not followed was not judged.",
    .bad = R"(
def f0(x):
    return run(x)


def f1(x):
    return f0(f0(x))


def f2(x):
    return f1(f1(x))


def f3(x):
    return f2(f2(x))


def f4(x):
    return f3(f3(x))


def f5(x):
    return f4(f4(x))


def f6(x):
    return f5(f5(x))


def f7(x):
    return f6(f6(x))


def f8(x):
    return f7(f7(x))


def f9(x):
    return f8(f8(x))


def f10(x):
    return f9(f9(x))


def f11(x):
    return f10(f10(x))


def f12(x):
    return f11(f11(x))


def f13(x):
    return f12(f12(x))


def f14(x):
    return f13(f13(x))


def f15(x):
    return f14(f14(x))


def f16(x):
    return f15(f15(x))


def f17(x):
    return f16(f16(x))


def f18(x):
    return f17(f17(x))


def f19(x):
    return f18(f18(x))


class ModelNew(nn.Module):
    def forward(self, x):
        return f19(x)
)",
    .good = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        return run(x)
)",
};

namespace {

struct TooLarge final : RuleOn<TooLarge, GaveUp> {
  void on(const GaveUp &gaveUp, Findings &findings) {
    findings.add(gaveUp, "the code is too large or too deeply nested to be followed");
  }
};

} // namespace

RuleEntry ruleTooLarge() { return entryOf<TooLarge>(info); }

} // namespace tilesmith::lint
