// TS132 runtime-shape: the shape of a tile holds a number that is only known when the kernel runs.
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS132",
    .name = "runtime-shape",
    .level = Level::Error,
    .what = "The shape of a tile holds a number that is only known when the kernel runs.",
    .why = "Buffers are planned while compiling. A number in the shape of a load or a new tile must be a literal or "
           "asc.ConstExpr.",
    .use = "annotate the parameter as asc.ConstExpr[int]",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size, tile):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [tile], tile_id=[0]), x, tile_id=[0])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size, tile: asc.ConstExpr[int]):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [tile], tile_id=[0]), x, tile_id=[0])
)py",
};

// A parameter in it that is not ConstExpr, or null.
static const Name *findRuntime(const KernelFile &file, const Expr *expr, const Function &kernel) {
  const Name *found = nullptr;
  forEachBelow(*expr, [&](const Node &node) {
    auto *name = llvm::dyn_cast<Name>(&node);
    if (!name || found)
      return;
    for (const Parameter &parameter : kernel.def->parameters)
      if (parameter.name == name->id && kernel.bound.lookup(name->id).size() == 1 &&
          !isConstExpr(file, parameter, kernel))
        found = name;
  });
  return found;
}

static void check(const KernelFile &file, KernelReport &report) {
  for (const Function *kernel : file.entries({Language::Asc2}))
    for (const CallFact &call : kernel->calls) {
      static constexpr llvm::StringLiteral makers[] = {"asc2.zeros", "asc2.ones", "asc2.full", "asc2.empty"};
      bool isLoad = call.path == "asc2.load";
      if (!isLoad && !llvm::is_contained(makers, call.path))
        continue;
      const Expr *shape = file.meaning(argument(*call.call, isLoad ? 1 : 0, "shape"), *kernel);
      if (auto *sequence = llvm::dyn_cast_or_null<Sequence>(shape))
        for (const Expr *extent : sequence->elements)
          if (const Name *name = findRuntime(file, file.meaning(extent, *kernel), *kernel))
            report.add(extent->range, "'" + name->id.str() + "' in the shape of a tile is not known while compiling");
    }
}

KernelRuleEntry ruleRuntimeShape() { return {&info, check}; }

} // namespace tilesmith::lint
