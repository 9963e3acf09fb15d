// TS129 number-in-loop: a name that begins as a literal number is changed inside a loop.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS129",
    .name = "number-in-loop",
    .level = Level::Warning,
    .isPortability = true,
    .what = "A name that begins as a literal number is changed inside a loop.",
    .why = "Upstream keeps the literal: `n = 0` and `n += 1` in a loop is 1 afterwards, and `total = 0.0` that becomes "
           "a runtime number is refused. Ours does what Python says.",
    .use = "seed a sum with a reduction of zeros, and compute counts from the loop's index",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    total = 0.0
    for i in asc2.range(size):
        total = total + asc2.reduce_sum(asc2.load(x, [64], tile_id=[i]))
    asc2.store(asc2.full([64], total, asc.float32), x, tile_id=[0])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    total = asc2.reduce_sum(asc2.zeros([64], asc.float32))
    for i in asc2.range(size):
        total = total + asc2.reduce_sum(asc2.load(x, [64], tile_id=[i]))
    asc2.store(asc2.full([64], total, asc.float32), x, tile_id=[0])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  auto isNumber = [](const Expr *value) {
    auto *constant = llvm::dyn_cast<Constant>(value);
    return constant && (constant->constant == ConstantKind::Int || constant->constant == ConstantKind::Float);
  };
  for (const Function *function : file.onDevice({Language::Asc2})) {
    llvm::StringMap<int> begun; // names that are literals, and in which loop
    auto isRuntime = [&](int loop) {
      for (; loop >= 0; loop = function->loops[loop].parent)
        if (function->loops[loop].path == "asc2.range" || llvm::isa<While>(function->loops[loop].stmt))
          return true;
      return false;
    };
    auto change = [&](const Expr *target, const Range &range, int loop) {
      auto *name = llvm::dyn_cast<Name>(target);
      auto found = name ? begun.find(name->id) : begun.end();
      if (found != begun.end() && found->second != loop && isRuntime(loop))
        report.add(range, "'" + name->id.str() + "' begins as a literal and changes in a loop");
    };
    function->each<Stmt>([&](const Stmt &stmt, const Place &place) {
      if (auto *augmented = llvm::dyn_cast<AugAssign>(&stmt))
        change(augmented->target, stmt.range, place.loop);
      auto *assign = llvm::dyn_cast<Assign>(&stmt);
      auto *name = assign && assign->targets.size() == 1 ? llvm::dyn_cast<Name>(assign->targets[0]) : nullptr;
      if (name && isNumber(assign->value))
        begun.try_emplace(name->id, place.loop);
      else if (name)
        change(name, stmt.range, place.loop);
    });
  }
}

KernelRuleEntry ruleNumberInLoop() { return {&info, check}; }

} // namespace tilesmith::lint
