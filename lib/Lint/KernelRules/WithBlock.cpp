// TS107 with-block: a `with` block in device code whose context is not one of the language.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS107",
    .name = "with-block",
    .level = Level::Error,
    .what = "A `with` block in device code whose context is not one of the language.",
    .why = "Device code has contexts for masks and ranges of code, and no files or locks.",
    .use = "`with asc2.mask(...)` is what a kernel can enter; do the rest on the host",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    with open("log") as log:
        asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    with asc2.mask(count=8):
        asc2.store(asc2.load(x, [64], tile_id=[0]) * 2, x, tile_id=[0])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  eachOnDevice<With>(file, ascLanguages, [&](const With &stmt, const Place &, const Function &in) {
    for (const Expr *context : stmt.contexts) {
      auto *call = llvm::dyn_cast<Call>(context);
      llvm::StringRef path = "";
      std::string known = file.path(call ? call->callee : context, in);
      path = known;
      // Matmul objects of asc are walked by `with matmul.iterate():`.
      auto *method = call ? llvm::dyn_cast<Attribute>(call->callee) : nullptr;
      bool isIterate = in.device == Language::Asc && method && path.empty() && method->name == "iterate";
      if (!isIterate && !path.starts_with("asc.") && !path.starts_with("asc2."))
        report.add(context->range, "this context cannot be entered in device code");
    }
  });
}

KernelRuleEntry ruleWithBlock() { return {&info, check}; }

} // namespace tilesmith::lint
