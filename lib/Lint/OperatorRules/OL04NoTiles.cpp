// OL04 no-tile-shapes: neither the entry nor a function it calls sets tile shapes.
#include "tilesmith/Lint/KernelRule.h"

#include "../Kernels/Pypto.h"
#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL04",
    .name = "no-tile-shapes",
    .level = Level::S1,
    .role = Role::Impl,
    .stages = buildStages,
    .what = "Neither the entry nor a function it calls sets tile shapes.",
    .why = "Without them the first operation fails: there is no default.",
    .use = "pypto.set_vec_tile_shapes(...) or pypto.set_cube_tile_shapes(...)",
    .bad = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32), out: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    # pypto.set_vec_tile_shapes(16, 64)
    out[:] = x + x
)py",
    .good = R"py(
def tiles():
    pypto.set_vec_tile_shapes(16, 64)

@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32), out: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    tiles()
    out[:] = x + x
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const Function *entry : pypto::literalEntries(file)) {
    bool sets = llvm::any_of(file.withHelpers(*entry), [](const Function *function) {
      return llvm::any_of(function->calls, [](const CallFact &it) {
        return it.path == "pypto.set_vec_tile_shapes" || it.path == "pypto.set_cube_tile_shapes";
      });
    });
    if (!sets)
      report.add(entry->def->nameRange, "'" + entry->name().str() + "' sets no tile shapes");
  }
}

KernelRuleEntry ruleOL04NoTiles() { return {&info, check}; }

} // namespace tilesmith::lint
