// TS203 parallel-accumulator: a loop that says `parallel=True` carries a value from one round to the next.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS203",
    .name = "parallel-accumulator",
    .level = Level::Error,
    .what = "A loop that says `parallel=True` carries a value from one round to the next.",
    .why = "With parallel=True the author promises that rounds do not depend on each other. An accumulator does.",
    .use = "leave parallel=True out, or give every round a value of its own",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, y_ptr, size):
    x, y = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [64])
    total = asc2.zeros([64], asc.float32)
    for i in asc2.range(size, parallel=True):
        total = total + asc2.load(x, [64], tile_id=[i])
    asc2.store(total, y, tile_id=[0])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, y_ptr, size):
    x, y = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
    for i in asc2.range(size, parallel=True):
        tile = asc2.load(x, [64], tile_id=[i])
        tile = tile * 2
        asc2.store(tile, y, tile_id=[i])
)py",
};

static bool mentions(const Node &node, llvm::StringRef id) {
  bool found = false;
  forEachBelow(node, [&](const Node &below) {
    auto *name = llvm::dyn_cast<Name>(&below);
    found |= name && name->id == id;
  });
  return found;
}

// Whether a name is bound before this place, in the same function.
static bool isBoundBefore(const Function &function, llvm::StringRef id, const Range &range) {
  for (const Parameter &parameter : function.def->parameters)
    if (parameter.name == id)
      return true;
  bool found = false;
  auto look = [&](const Expr &target, const Range &at) {
    if (at.line < range.line && mentions(target, id) && llvm::isa<Name, Sequence>(target))
      found = true;
  };
  function.each<Assign>([&](const Assign &stmt, const Place &) {
    for (const Expr *target : stmt.targets)
      look(*target, stmt.range);
  });
  function.each<AnnAssign>([&](const AnnAssign &stmt, const Place &) { look(*stmt.target, stmt.range); });
  return found;
}

static bool isInside(const Function &function, int loop, int outer) {
  for (; loop >= 0; loop = function.loops[loop].parent)
    if (loop == outer)
      return true;
  return false;
}

static void check(const KernelFile &file, KernelReport &report) {
  for (const Function *function : file.onDevice(ascLanguages))
    for (int index = 0; index != int(function->loops.size()); ++index) {
      const LoopFact &loop = function->loops[index];
      auto *parallel = loop.over ? llvm::dyn_cast_or_null<Constant>(keyword(*loop.over, "parallel")) : nullptr;
      if (!parallel || parallel->constant != ConstantKind::Bool || !parallel->integer)
        continue;
      auto tell = [&](const Expr &target, const Range &at) {
        auto *name = llvm::dyn_cast<Name>(&target);
        if (name && isBoundBefore(*function, name->id, loop.stmt->range))
          report.add(at, "'" + name->id.str() + "' is carried from round to round of a loop with parallel=True");
      };
      function->each<AugAssign>([&](const AugAssign &stmt, const Place &place) {
        if (isInside(*function, place.loop, index))
          tell(*stmt.target, stmt.range);
      });
      function->each<Assign>([&](const Assign &stmt, const Place &place) {
        auto *name = stmt.targets.size() == 1 ? llvm::dyn_cast<Name>(stmt.targets[0]) : nullptr;
        if (name && isInside(*function, place.loop, index) && mentions(*stmt.value, name->id))
          tell(*name, stmt.range);
      });
    }
}

KernelRuleEntry ruleParallelAccumulator() { return {&info, check}; }

} // namespace tilesmith::lint
