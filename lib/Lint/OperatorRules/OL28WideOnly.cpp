// OL28 wide-only: sigmoid, softmax, sin or cos in an entry that has tensors of other types than DT_FP32.
#include "tilesmith/Lint/KernelRule.h"

#include "../Kernels/Pypto.h"
#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL28",
    .name = "wide-only",
    .level = Level::S2,
    .role = Role::Impl,
    .stages = buildStages,
    .what = "sigmoid, softmax, sin or cos in an entry that has tensors of other types than DT_FP32.",
    .why = "They compute in float32, and narrower types are converted there and back.",
    .use = "DT_FP32 parameters",
    .bad = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP16), out: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP16)):
    pypto.set_vec_tile_shapes(16, 64)
    out[:] = pypto.sigmoid(x)
)py",
    .good = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32), out: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    out[:] = pypto.sigmoid(x)
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  static constexpr llvm::StringLiteral wide[] = {"sigmoid", "softmax", "sin", "cos"};
  for (const Function *entry : pypto::literalEntries(file)) {
    bool isNarrow = llvm::any_of(entry->def->parameters, [&](const Parameter &it) {
      const Expr *dtype = pypto::dtypeOf(file, it, *entry);
      std::string path = file.path(dtype, entry->parent ? *entry->parent : file.getModule());
      return !path.empty() && !llvm::StringRef(path).ends_with("DT_FP32"); // one that is not known is left alone
    });
    if (!isNarrow)
      continue;
    for (const Function *function : pypto::codeOf(file, *entry, report.isCompat()))
      for (const CallFact &call : function->calls) {
        auto *method = llvm::dyn_cast<Attribute>(call.call->callee);
        bool isMethod = method && call.path.empty() && !report.isCompat() && !file.functionOf(method, *function);
        std::string name = pypto::calledName(call);
        if ((isMethod || llvm::StringRef(call.path).starts_with("pypto.")) && llvm::is_contained(wide, name))
          report.add(call.call->range, name + " computes in float32, and a tensor of the entry is not DT_FP32");
      }
  }
}

KernelRuleEntry ruleOL28WideOnly() { return {&info, check}; }

} // namespace tilesmith::lint
