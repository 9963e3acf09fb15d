// OL47 one-tile-call: tile shapes are set once at the top, for two or more sub-kernels.
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL47",
    .name = "one-tile-call",
    .level = Level::S3,
    .role = Role::Impl,
    .stages = buildStages,
    .what = "Tile shapes are set once at the top, for two or more sub-kernels.",
    .why = "Sub-kernels have other shapes; the tiles of one are seldom right for the next.",
    .use = "let every pypto_* sub-kernel set its own tile shapes",
    .bad = R"py(
def pypto_square(x):
    return x * x

def pypto_twice(x):
    return x + x

def _gelu_kernel_impl(x, out):
    pypto.set_vec_tile_shapes(16, 64)
    out[:] = pypto_twice(pypto_square(x))
)py",
    .good = R"py(
def pypto_square(x):
    pypto.set_vec_tile_shapes(16, 64)
    return x * x

def pypto_twice(x):
    pypto.set_vec_tile_shapes(16, 64)
    return x + x

def _gelu_kernel_impl(x, out):
    out[:] = pypto_twice(pypto_square(x))
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  auto setsTiles = [](const Function &function) {
    return llvm::count_if(function.calls, [](const CallFact &it) {
      return it.path == "pypto.set_vec_tile_shapes" || it.path == "pypto.set_cube_tile_shapes";
    });
  };
  for (const auto &function : file.all()) {
    if (!function->name().ends_with("_kernel_impl") || setsTiles(*function) != 1)
      continue;
    // Sub-kernels behind the call, that neither set tiles nor call what does.
    unsigned line = 0, bare = 0;
    for (const CallFact &call : function->calls)
      if (call.path == "pypto.set_vec_tile_shapes" || call.path == "pypto.set_cube_tile_shapes")
        line = call.call->range.line;
    for (const CallFact &call : function->calls) {
      const Function *callee = file.functionOf(call.call->callee, *function);
      if (callee && callee->name().starts_with("pypto_") && call.call->range.line > line)
        bare += llvm::none_of(file.withHelpers(*callee), [&](const Function *it) { return setsTiles(*it) != 0; });
    }
    if (bare >= 2)
      report.add(function->def->nameRange, "one call sets the tiles of " + std::to_string(bare) + " sub-kernels");
  }
}

KernelRuleEntry ruleOL47OneTileCall() { return {&info, check}; }

} // namespace tilesmith::lint
