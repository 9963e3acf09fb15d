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
  auto look = [&](const std::string &path, const Range &range) {
    llvm::StringRef rest = path;
    if (!rest.consume_front("pypto."))
      return;
    // Of `pypto.Tensor.x` and other members only the first name is known.
    bool isMember = rest.contains('.') && !rest.starts_with("experimental.") && !rest.starts_with("frontend.");
    bool isOurs = rest == "loop_axis" && !report.isCompat();
    if (!isMember && !isOurs && rest != "*" && !pypto::hasName(rest))
      report.add(range, path + " does not exist");
  };
  for (const auto &function : file.all()) {
    function->each<Attribute>(
        [&](const Attribute &attribute, const Place &) { look(file.path(&attribute, *function), attribute.range); });
    if (report.isCompat())
      continue;
    function->each<Import>([&](const Import &stmt, const Place &) {
      for (const ImportedName &name : stmt.names)
        if (stmt.isFrom)
          look(stmt.module.str() + "." + name.name.str(), stmt.range);
    });
    for (const CallFact &call : function->calls) // getattr(pypto, "empty")
      if (auto *name = llvm::dyn_cast<Name>(call.call->callee);
          name && name->id == "getattr" && call.call->arguments.size() == 2 &&
          file.path(call.call->arguments[0], *function) == "pypto")
        if (auto *text = llvm::dyn_cast_or_null<Constant>(file.meaning(call.call->arguments[1], *function));
            text && text->constant == ConstantKind::String)
          look("pypto." + text->text.str(), call.call->range);
  }
}

KernelRuleEntry ruleOL55UnknownName() { return {&info, check}; }

} // namespace tilesmith::lint
