// TS205 missing-parallel: a loop over tiles that carries nothing from round to round does not say
// `parallel=True`.
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS205",
    .name = "missing-parallel",
    .level = Level::Info,
    .isOn = false,
    .what = "A loop over tiles that carries nothing from round to round does not say `parallel=True`.",
    .why = "Upstream overlaps rounds only where it is told that they are independent.",
    .use = "asc2.range(..., parallel=True)",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, y_ptr, size):
    x, y = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])
    for i in asc2.range(size):
        asc2.store(asc2.load(x, [64], tile_id=[i]) * 2, y, tile_id=[i])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, y_ptr, size):
    x, y = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [64])
    total = asc2.zeros([64], asc.float32)
    for i in asc2.range(size):
        total = total + asc2.load(x, [64], tile_id=[i])
    asc2.store(total, y, tile_id=[0])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const Function *function : file.onDevice({Language::Asc2}))
    for (int index = 0; index != int(function->loops.size()); ++index) {
      const LoopFact &loop = function->loops[index];
      if (loop.path != "asc2.range" || keyword(*loop.over, "parallel"))
        continue;
      bool stores = llvm::any_of(function->calls,
                                 [&](const CallFact &it) { return it.loop == index && it.path == "asc2.store"; });
      bool carries = false; // a name that is also bound outside, or that is read before it is written
      llvm::StringMap<unsigned> inside;
      auto note = [&](const Expr *target, int at) {
        if (auto *name = llvm::dyn_cast<Name>(target); name && at == index)
          ++inside[name->id];
      };
      function->each<AugAssign>([&](const AugAssign &stmt, const Place &place) {
        carries |= place.loop == index && llvm::isa<Name>(stmt.target);
      });
      function->each<Assign>([&](const Assign &stmt, const Place &place) {
        for (const Expr *target : stmt.targets)
          note(target, place.loop);
      });
      for (const auto &entry : inside)
        carries |= function->bound.lookup(entry.first()).size() > entry.second;
      if (stores && !carries)
        report.add(loop.over->range, "independent rounds without parallel=True");
    }
}

KernelRuleEntry ruleMissingParallel() { return {&info, check}; }

} // namespace tilesmith::lint
