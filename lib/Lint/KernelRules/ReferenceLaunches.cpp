// TS506 reference-launches: both sides of a comparison come from a launch.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS506",
    .name = "reference-launches",
    .level = Level::Error,
    .what = "Both sides of a comparison come from a launch.",
    .why = "A kernel that is compared with itself is always right.",
    .use = "compute the expected values with NumPy or torch",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])

def launch(x):
    kernel[8](x, x.size)
    return x

def test_kernel():
    x = np.ones(64, np.float32)
    result = launch(x)
    expected = launch(x.copy()).astype(np.float64)
    np.testing.assert_allclose(result, expected)
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])

def launch(x):
    kernel[8](x, x.size)
    return x

def test_kernel():
    x = np.ones(64, np.float32)
    np.testing.assert_allclose(launch(x), np.ones(64))
)py",
};

// Whether an expression is what a function that launches gave back, perhaps converted.
static bool isLaunched(const KernelFile &file, const Expr *expr, const Function &in, unsigned depth = 8) {
  auto *call = llvm::dyn_cast_or_null<Call>(file.meaning(expr, in));
  if (!call || !depth)
    return false;
  if (auto *method = llvm::dyn_cast<Attribute>(call->callee); method && file.path(method, in).empty())
    return isLaunched(file, method->value, in, depth - 1);
  auto *name = llvm::dyn_cast<Name>(call->callee);
  const Function *callee = name ? file.find(name->id) : nullptr;
  if (!callee || callee->device != Language::None)
    return false;
  for (const Function *below : file.withHelpers(*callee))
    for (const LaunchFact &launch : file.launches())
      if (launch.from == below)
        return true;
  return false;
}

static void check(const KernelFile &file, KernelReport &report) {
  for (const auto &function : file.all())
    for (const CallFact &call : function->calls) {
      bool compares = isCheck(call.path) || call.path == "numpy.allclose" || call.path == "torch.allclose" ||
                      call.path == "numpy.array_equal";
      if (compares && call.call->arguments.size() > 1 && isLaunched(file, call.call->arguments[0], *function) &&
          isLaunched(file, call.call->arguments[1], *function))
        report.add(call.call->range, "both sides come from a launch");
    }
}

KernelRuleEntry ruleReferenceLaunches() { return {&info, check}; }

} // namespace tilesmith::lint
