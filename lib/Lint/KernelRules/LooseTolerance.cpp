// TS502 loose-tolerance: a comparison with a tolerance of more than 10 %, or an absolute one above 1.
#include "tilesmith/Lint/KernelRule.h"

#include <tuple>

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
      bool isAllclose = llvm::StringRef(call.path).ends_with("allclose"); // the others have none at these places
      for (auto [index, name, largest] : {std::tuple(2u, "rtol", 0.1), std::tuple(3u, "atol", 1.0)}) {
        const Expr *given = isAllclose ? argument(*call.call, index, name) : keyword(*call.call, name);
        auto *value = llvm::dyn_cast_or_null<Constant>(given ? file.meaning(given, *function) : nullptr);
        double number = 0;
        if (value && value->constant == ConstantKind::Float)
          number = value->number;
        else if (auto integer = given ? file.computed(given, *function) : std::nullopt)
          number = double(*integer);
        if (number > largest)
          report.add(given->range, std::string(name) + " is too loose");
      }
    }
}

KernelRuleEntry ruleLooseTolerance() { return {&info, check}; }

} // namespace tilesmith::lint
