// OL02 parameter-rebound: a parameter of the entry is bound to something else.
#include "tilesmith/Lint/KernelRule.h"

#include "../Kernels/Pypto.h"
#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL02",
    .name = "parameter-rebound",
    .level = Level::S1,
    .role = Role::Impl,
    .stages = buildStages,
    .what = "A parameter of the entry is bound to something else.",
    .why = "The name then means a value of its own; the caller's tensor is not written.",
    .use = "out[:] = ...",
    .bad = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32), out: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    out = x + x
)py",
    .good = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32), out: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    y = x + x
    out[:] = y
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const Function *entry : pypto::literalEntries(file)) {
    auto tell = [&](const Expr &target, const Range &at) {
      auto *name = llvm::dyn_cast<Name>(&target);
      if (name && llvm::any_of(entry->def->parameters, [&](const Parameter &it) { return it.name == name->id; }))
        report.add(at, "parameter '" + name->id.str() + "' is bound to something else");
    };
    entry->each<Assign>([&](const Assign &stmt, const Place &) {
      for (const Expr *target : stmt.targets) {
        tell(*target, target->range);
        if (auto *sequence = llvm::dyn_cast<Sequence>(target))
          for (const Expr *element : sequence->elements)
            tell(*element, element->range);
      }
    });
    entry->each<AugAssign>([&](const AugAssign &stmt, const Place &) { tell(*stmt.target, stmt.range); });
    entry->each<AnnAssign>([&](const AnnAssign &stmt, const Place &) {
      if (stmt.value)
        tell(*stmt.target, stmt.range);
    });
  }
}

KernelRuleEntry ruleOL02ParameterRebound() { return {&info, check}; }

} // namespace tilesmith::lint
