// TS136 loop-bound-types: the bounds of a loop are of different types.
#include "../Kernels/Types.h"
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS136",
    .name = "loop-bound-types",
    .level = Level::Warning,
    .isPortability = true,
    .what = "The start, stop and step of a loop are of different types.",
    .why = "Upstream compares the index with the stop and adds the step in one type, and refuses bounds that do not "
           "share it. A bound with a point is refused by ours, too.",
    .use = "convert them to one type before the loop, such as asc.int32",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size, first: np.int64, last: np.int32):
    x = asc2.tensor(x_ptr, [size])
    for i in asc2.range(first, last):
        asc2.store(asc2.load(x, [64], tile_id=[i]) * 2, x, tile_id=[i])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size, first: np.int64, last: np.int64):
    x = asc2.tensor(x_ptr, [size])
    for i in asc2.range(first, last, 2):
        asc2.store(asc2.load(x, [64], tile_id=[i]) * 2, x, tile_id=[i])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const Function *function : file.onDevice({Language::Asc, Language::Asc2}))
    for (const LoopFact &loop : function->loops) {
      if (!loop.over || (loop.path != "asc2.range" && loop.path != "asc.range"))
        continue;
      std::string known;
      for (const Expr *bound : loop.over->arguments) {
        std::string type = writtenType(file, bound, *function);
        if (differ(known, type)) {
          report.add(bound->range, "this bound is " + type + ", another one is " + known);
          break;
        }
        if (known.empty() || known == "integer")
          known = type;
      }
    }
}

KernelRuleEntry ruleLoopBoundTypes() { return {&info, check}; }

} // namespace tilesmith::lint
