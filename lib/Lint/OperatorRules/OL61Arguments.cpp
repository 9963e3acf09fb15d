// OL61 wrong-arguments: a scalar stands first in an operation of tensors, or the type of pypto.zeros is given by
// position.
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL61",
    .name = "wrong-arguments",
    .level = Level::S1,
    .role = Role::Impl,
    .stages = buildStages,
    .isLatest = true,
    .what = "A scalar stands first in an operation of tensors, or the type of pypto.zeros is given by position.",
    .why = "The first operand of add, sub, mul and div is a tensor. zeros and ones take every position for an extent.",
    .use = "x * 2, and dtype=pypto.DT_FP32",
    .bad = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    y = pypto.mul(2.0, x)
    z = pypto.zeros([4, 64], pypto.DT_FP32)
)py",
    .good = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    y = pypto.mul(x, 2.0)
    z = pypto.zeros([4, 64], dtype=pypto.DT_FP32)
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  static constexpr llvm::StringLiteral binary[] = {"pypto.add", "pypto.sub", "pypto.mul", "pypto.div"};
  for (const auto &function : file.all())
    for (const CallFact &call : function->calls) {
      Exprs arguments = call.call->arguments;
      if (llvm::is_contained(binary, call.path) && !arguments.empty() &&
          llvm::isa<Constant>(file.meaning(arguments[0], *function)))
        report.add(arguments[0]->range, "a scalar stands first");
      if (call.path == "pypto.zeros" || call.path == "pypto.ones")
        for (const Expr *given : arguments)
          if (llvm::StringRef(file.path(given, *function)).contains(".DT_"))
            report.add(given->range, "a type by position is taken for an extent");
    }
}

KernelRuleEntry ruleOL61Arguments() { return {&info, check}; }

} // namespace tilesmith::lint
