// OL25 empty-tensor: the annotation of a tensor has no shape, or an empty one; or a shape and no type.
#include "tilesmith/Lint/KernelRule.h"

#include "../Kernels/Pypto.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL25",
    .name = "empty-tensor",
    .level = Level::S1,
    .role = Role::Impl,
    .stages = buildStages,
    .what = "The annotation of a tensor has no shape, or an empty one; or a shape and no type.",
    .why = "The kernel is then compiled for whatever comes, and mistakes of callers are not noticed.",
    .use = "pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)",
    .bad = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor()):
    pypto.set_vec_tile_shapes(16, 64)
)py",
    .good = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const Function *entry : pypto::literalEntries(file))
    for (const Parameter &parameter : entry->def->parameters) {
      if (!pypto::isTensor(file, parameter, *entry))
        continue;
      const Expr *shape = pypto::shapeOf(file, parameter, *entry);
      auto *sequence = llvm::dyn_cast_or_null<Sequence>(shape);
      if (!shape || (sequence && sequence->elements.empty()))
        report.add(parameter.range, "tensor '" + parameter.name.str() + "' has no shape");
      else if (!pypto::dtypeOf(file, parameter, *entry))
        report.add(parameter.range, "tensor '" + parameter.name.str() + "' has no type").level = Level::S2;
    }
}

KernelRuleEntry ruleOL25EmptyTensor() { return {&info, check}; }

} // namespace tilesmith::lint
