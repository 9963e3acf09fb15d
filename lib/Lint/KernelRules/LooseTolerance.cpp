// TS502 loose-tolerance: a comparison with a tolerance of more than 10 %, or an absolute one above 1.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS502",
    .name = "loose-tolerance",
    .level = Level::Warning,
    .what = "A comparison with a tolerance of more than 10 %, or an absolute one above 1.",
    .why = "So much hides rows that are missing and results that are zero.",
    .use = "rtol and atol of the type: 1e-3 for float16, 1e-5 for float32",
    .bad = R"py(
def test_kernel(result, expected):
    np.testing.assert_allclose(result, expected, rtol=0.5)
)py",
    .good = R"py(
def test_kernel(result, expected):
    np.testing.assert_allclose(result, expected, rtol=1e-3, atol=1e-3)
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const auto &function : file.all())
    for (const CallFact &call : function->calls) {
      if (!isCheck(call.path) && call.path != "numpy.allclose" && call.path != "torch.allclose")
        continue;
      for (auto [name, largest] : {std::pair("rtol", 0.1), std::pair("atol", 1.0)}) {
        auto *value = llvm::dyn_cast_or_null<Constant>(file.meaning(keyword(*call.call, name), *function));
        if (!value)
          continue;
        double number = value->constant == ConstantKind::Int     ? double(value->integer)
                        : value->constant == ConstantKind::Float ? value->number
                                                                 : 0;
        if (number > largest)
          report.add(keyword(*call.call, name)->range, std::string(name) + " is too loose");
      }
    }
}

KernelRuleEntry ruleLooseTolerance() { return {&info, check}; }

} // namespace tilesmith::lint
