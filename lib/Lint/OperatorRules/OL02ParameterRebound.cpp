// OL02 parameter-rebound: a parameter of the entry is bound to something else.
#include "tilesmith/Lint/KernelRule.h"

#include "../Kernels/Pypto.h"
#include "llvm/ADT/STLExtras.h"

#include <functional>

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
    auto one = [&](const Name &name, const Range &at) {
      if (llvm::any_of(entry->def->parameters, [&](const Parameter &it) { return it.name == name.id; }))
        report.add(at, "parameter '" + name.id.str() + "' is bound to something else");
    };
    // Names a target binds: not those of `out[...] = `.
    std::function<void(const Expr *, const Range *)> tell = [&](const Expr *target, const Range *at) {
      if (auto *name = llvm::dyn_cast_or_null<Name>(target))
        one(*name, at ? *at : name->range);
      else if (auto *sequence = llvm::dyn_cast_or_null<Sequence>(target))
        for (const Expr *element : sequence->elements)
          tell(element, at);
      else if (auto *starred = llvm::dyn_cast_or_null<Starred>(target))
        tell(starred->value, at);
    };
    entry->each<Assign>([&](const Assign &stmt, const Place &) {
      for (const Expr *target : stmt.targets)
        tell(target, nullptr);
    });
    entry->each<AugAssign>([&](const AugAssign &stmt, const Place &) { tell(stmt.target, &stmt.range); });
    entry->each<AnnAssign>([&](const AnnAssign &stmt, const Place &) {
      if (stmt.value)
        tell(stmt.target, &stmt.range);
    });
    entry->each<NamedExpr>([&](const NamedExpr &expr, const Place &) { tell(expr.target, nullptr); });
    if (report.isCompat())
      continue;
    entry->each<For>([&](const For &stmt, const Place &) { tell(stmt.target, nullptr); });
    entry->each<With>([&](const With &stmt, const Place &) {
      for (const Expr *variable : stmt.variables)
        tell(variable, nullptr);
    });
  }
}

KernelRuleEntry ruleOL02ParameterRebound() { return {&info, check}; }

} // namespace tilesmith::lint
