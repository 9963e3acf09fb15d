// TS131 host-type-parameter: a parameter of a kernel is annotated as str, tuple, list or dict.
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS131",
    .name = "host-type-parameter",
    .level = Level::Error,
    .what = "A parameter of a kernel is annotated as str, tuple, list or dict.",
    .why = "A launch hands over arrays and numbers. Anything else must be known while the kernel is compiled.",
    .use = "annotate it as asc.ConstExpr[...]",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size, mode: str):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size, mode: asc.ConstExpr[str]):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const Function *kernel : file.entries(ascLanguages))
    for (const Parameter &parameter : kernel->def->parameters) {
      auto *subscript = llvm::dyn_cast_or_null<Subscript>(parameter.annotation);
      auto *name = llvm::dyn_cast_or_null<Name>(subscript ? subscript->value : parameter.annotation);
      static constexpr llvm::StringLiteral types[] = {"str", "tuple", "list", "dict"};
      if (name && llvm::is_contained(types, name->id))
        report.add(parameter.range, "parameter '" + parameter.name.str() + "' is a " + name->id.str() +
                                        " that the compiler does not know");
    }
}

KernelRuleEntry ruleHostTypeParameter() { return {&info, check}; }

} // namespace tilesmith::lint
