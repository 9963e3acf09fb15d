// TS407 launch-host-value: a string, list or dictionary is handed to a parameter that is not ConstExpr.
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS407",
    .name = "launch-host-value",
    .level = Level::Error,
    .what = "A string, list or dictionary is handed to a parameter that is not ConstExpr.",
    .why = "A launch hands over arrays and numbers.",
    .use = "annotate the parameter as asc.ConstExpr[...]",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size, mode):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])

def launch(x):
    kernel[8](x, x.size, "fast")
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size, mode: asc.ConstExpr[str]):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])

def launch(x):
    kernel[8](x, x.size, "fast")
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const LaunchFact &launch : file.launches()) {
    if (!llvm::is_contained(ascLanguages, launch.kernel->language))
      continue;
    llvm::ArrayRef<Parameter> parameters = launch.kernel->def->parameters;
    for (auto [index, parameter] : llvm::enumerate(parameters)) {
      const Expr *value = argument(*launch.call, index, parameter.name);
      auto *constant = llvm::dyn_cast_or_null<Constant>(value);
      auto *list = llvm::dyn_cast_or_null<Sequence>(value);
      bool isHost =
          (constant && constant->constant == ConstantKind::String) || list || llvm::isa_and_nonnull<Dict>(value);
      if (isHost && !isConstExpr(file, parameter, *launch.kernel))
        report.add(value->range, "'" + parameter.name.str() + "' takes an array or a number");
    }
  }
}

KernelRuleEntry ruleLaunchHostValue() { return {&info, check}; }

} // namespace tilesmith::lint
