// OL55 unknown-pypto-name: a name that pypto does not have.
#include "tilesmith/Lint/KernelRule.h"

#include "../Kernels/Pypto.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL55",
    .name = "unknown-pypto-name",
    .level = Level::S0,
    .role = Role::Impl,
    .stages = stage(4) | stage(5) | stage(6),
    .what = "A name that pypto does not have.",
    .why = "The kernel cannot be compiled. The name is usually torch's.",
    .use = "`tilesmith api --search WORD` finds what there is; host tensors are allocated with torch.empty",
    .bad = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    y = pypto.empty(4)
)py",
    .good = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    y = pypto.experimental.nop(x)
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const auto &function : file.all())
    function->each<Attribute>([&](const Attribute &attribute, const Place &) {
      std::string path = file.path(&attribute, *function);
      llvm::StringRef rest = path;
      if (!rest.consume_front("pypto."))
        return;
      // Of `pypto.Tensor.x` and other members only the first name is known.
      bool isMember = rest.contains('.') && !rest.starts_with("experimental.") && !rest.starts_with("frontend.");
      bool isOurs = rest == "loop_axis" && !report.isCompat();
      if (!isMember && !isOurs && !pypto::hasName(rest))
        report.add(attribute.range, path + " does not exist");
    });
}

KernelRuleEntry ruleOL55UnknownName() { return {&info, check}; }

} // namespace tilesmith::lint
