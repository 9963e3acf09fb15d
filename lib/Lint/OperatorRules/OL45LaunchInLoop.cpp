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

// Whether something that is called, or handed over to be called, leads to an entry: itself, or a host function that
// calls one.
static bool launches(const KernelFile &file, const Expr *callee, const Function &in, bool isCompat) {
  llvm::SmallVector<const Function *> entries = pypto::literalEntries(file);
  if (isCompat) {
    auto *name = llvm::dyn_cast<Name>(callee);
    return name && llvm::is_contained(entries, file.find(name->id));
  }
  if (auto *lambda = llvm::dyn_cast<Lambda>(callee)) {
    bool result = false;
    for (const Stmt *stmt : lambda->function->body)
      forEachBelow(*stmt, [&](const Node &node) {
        auto *call = llvm::dyn_cast<Call>(&node);
        result |= call && launches(file, call->callee, in, isCompat);
      });
    return result;
  }
  const Function *function = file.functionOf(callee, in);
  if (!function || llvm::is_contained(entries, function))
    return function;
  if (function->device != Language::None)
    return false;
  return llvm::any_of(file.withHelpers(*function), [&](const Function *below) {
    return llvm::any_of(below->calls, [&](const CallFact &it) {
      return llvm::is_contained(entries, file.functionOf(it.call->callee, *below));
    });
  });
}

static void checkHost(const KernelFile &file, const Function &function, llvm::StringRef name, KernelReport &report) {
  auto tell = [&](const Range &range) {
    report.add(range, "'" + name.str() + "' launches once for every round of a loop");
  };
  for (const CallFact &call : function.calls) {
    for (int loop = call.loop; loop >= 0; loop = function.loops[loop].parent) {
      const LoopFact &fact = function.loops[loop];
      auto *range = fact.over ? llvm::dyn_cast<Name>(fact.over->callee) : nullptr;
      bool isRange = range && range->id == "range";
      if ((isRange || !report.isCompat()) && launches(file, call.call->callee, function, report.isCompat())) {
        tell(call.call->range);
        break;
      }
    }
    auto *called = llvm::dyn_cast<Name>(call.call->callee);
    if (!report.isCompat() && called && called->id == "map" && !call.call->arguments.empty() &&
        launches(file, call.call->arguments[0], function, false))
      tell(call.call->range);
  }
  if (report.isCompat())
    return;
  function.each<Comprehension>([&](const Comprehension &expr, const Place &) {
    forEachBelow(expr, [&](const Node &node) {
      auto *call = llvm::dyn_cast<Call>(&node);
      if (call && launches(file, call->callee, function, false))
        tell(call->range);
    });
  });
}

static void check(const KernelFile &file, KernelReport &report) {
  llvm::SmallVector<const Function *> seen;
  for (const auto &function : file.all()) {
    llvm::StringRef name = function->name();
    bool isHost =
        name == "host_wrapper" || name.ends_with("_wrapper") || name.starts_with("launch_") || name.starts_with("run_");
    if (!function->def || !isHost || function->device != Language::None)
      continue;
    llvm::SmallVector<const Function *> parts{function.get()};
    if (!report.isCompat())
      parts = file.withHelpers(*function);
    for (const Function *part : parts)
      if (!llvm::is_contained(seen, part)) {
        seen.push_back(part);
        checkHost(file, *part, part->name(), report);
      }
  }
}

KernelRuleEntry ruleOL45LaunchInLoop() { return {&info, check}; }

} // namespace tilesmith::lint
