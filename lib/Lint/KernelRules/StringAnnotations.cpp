// TS133 string-annotations: `from __future__ import annotations` in a file with ConstExpr parameters.
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS133",
    .name = "string-annotations",
    .level = Level::Warning,
    .isPortability = true,
    .what = "`from __future__ import annotations` in a file with ConstExpr parameters.",
    .why = "It turns annotations into strings, and upstream then takes ConstExpr parameters for numbers of the launch. "
           "Ours reads the strings.",
    .use = "leave the import out",
    .bad = R"py(
from __future__ import annotations
import asc
import asc2

@asc2.jit
def kernel(x_ptr, size, tile: asc.ConstExpr[int]):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [tile], tile_id=[0]), x, tile_id=[0])
)py",
    .good = R"py(
from __future__ import annotations
import asc2

@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  bool hasConstExpr = llvm::any_of(file.entries(ascLanguages), [&](const Function *kernel) {
    return llvm::any_of(kernel->def->parameters, [&](const Parameter &it) { return isConstExpr(file, it, *kernel); });
  });
  file.getModule().each<Import>([&](const Import &stmt, const Place &) {
    if (hasConstExpr && stmt.isFrom && stmt.module == "__future__" &&
        llvm::any_of(stmt.names, [](const ImportedName &it) { return it.name == "annotations"; }))
      report.add(stmt.range, "annotations are strings here, which upstream does not read");
  });
}

KernelRuleEntry ruleStringAnnotations() { return {&info, check}; }

} // namespace tilesmith::lint
