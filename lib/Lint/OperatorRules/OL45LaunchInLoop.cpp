// OL45 launch-in-loop: a host function launches the entry in a `for ... in range(...)`.
#include "tilesmith/Lint/KernelRule.h"

#include "../Kernels/Pypto.h"
#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL45",
    .name = "launch-in-loop",
    .level = Level::S0,
    .role = Role::Impl,
    .stages = buildStages,
    .what = "A host function launches the entry in a `for ... in range(...)`.",
    .why = "Every launch starts and drains the chip. Only a loop inside the kernel overlaps loads with arithmetic.",
    .use = "one launch on whole tensors, with pypto.loop inside",
    .bad = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)

def gelu_wrapper(x):
    for i in range(4):
        kernel(x[i])
)py",
    .good = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)

def gelu_wrapper(x):
    shape = []
    for i in range(2):
        shape.append(x.shape[i])
    kernel(x.reshape(shape))
)py",
};

// Whether a call leads to an entry: itself, or a host function of the file that calls one.
static bool launches(const KernelFile &file, const CallFact &call, bool isCompat) {
  llvm::SmallVector<const Function *> entries = pypto::literalEntries(file);
  auto isEntry = [&](const CallFact &it) {
    auto *name = llvm::dyn_cast<Name>(it.call->callee);
    return name && llvm::is_contained(entries, file.find(name->id));
  };
  if (isEntry(call))
    return true;
  auto *name = llvm::dyn_cast<Name>(call.call->callee);
  const Function *callee = name ? file.find(name->id) : nullptr;
  if (!callee || isCompat || callee->device != Language::None)
    return false;
  return llvm::any_of(file.withHelpers(*callee),
                      [&](const Function *below) { return llvm::any_of(below->calls, isEntry); });
}

static void check(const KernelFile &file, KernelReport &report) {
  for (const auto &function : file.all()) {
    llvm::StringRef name = function->name();
    bool isHost =
        name == "host_wrapper" || name.ends_with("_wrapper") || name.starts_with("launch_") || name.starts_with("run_");
    if (!function->def || !isHost || function->device != Language::None)
      continue;
    for (const CallFact &call : function->calls) {
      if (!launches(file, call, report.isCompat()))
        continue;
      for (int loop = call.loop; loop >= 0; loop = function->loops[loop].parent) {
        const LoopFact &fact = function->loops[loop];
        auto *range = fact.over ? llvm::dyn_cast<Name>(fact.over->callee) : nullptr;
        bool isRange = range && range->id == "range";
        if (isRange || !report.isCompat()) {
          report.add(call.call->range, "'" + name.str() + "' launches once for every round of a loop");
          break;
        }
      }
    }
  }
}

KernelRuleEntry ruleOL45LaunchInLoop() { return {&info, check}; }

} // namespace tilesmith::lint
