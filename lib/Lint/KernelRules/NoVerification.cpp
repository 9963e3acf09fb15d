// TS501 no-verification: a file that runs its kernel compares nothing with what is expected.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS501",
    .name = "no-verification",
    .level = Level::Warning,
    .what = "A file that runs its kernel compares nothing with what is expected.",
    .why = "A kernel that runs is not a kernel that is right. A printed word proves nothing.",
    .use = "np.testing.assert_allclose(result, expected, rtol=..., atol=...)",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])

def test_kernel():
    x = np.ones(64, np.float32)
    kernel[8](x, x.size)
    print("PASS allclose")
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])

def test_kernel():
    x = np.ones(64, np.float32)
    kernel[8](x, x.size)
    np.testing.assert_allclose(x, np.ones(64))
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  const Function *test = nullptr;
  bool compares = false;
  for (const auto &function : file.all()) {
    if (function->device != Language::None)
      continue;
    if (function->name().starts_with("test_") && !test)
      test = function.get();
    function->each<Assert>(
        [&](const Assert &stmt, const Place &) { compares |= !llvm::isa<Constant>(stmt.condition); });
    for (const CallFact &call : function->calls)
      compares |= isCheck(call.path);
    // `if not ok: raise`, or an exit.
    function->each<OtherStmt>(
        [&](const OtherStmt &stmt, const Place &place) { compares |= stmt.className == "Raise" && place.branches; });
  }
  if (test && !compares && !file.launches().empty())
    report.add(test->def->nameRange, "'" + test->name().str() + "' compares nothing with what is expected");
}

KernelRuleEntry ruleNoVerification() { return {&info, check}; }

} // namespace tilesmith::lint
