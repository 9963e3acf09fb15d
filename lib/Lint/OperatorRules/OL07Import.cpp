// OL07 pypto-import: pypto is not imported as `import pypto`.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL07",
    .name = "pypto-import",
    .level = Level::S0,
    .role = Role::Impl,
    .stages = buildStages,
    .what = "pypto is not imported as `import pypto`.",
    .why = "The pipeline's tools find the kernel by the words `pypto.frontend.jit`.",
    .use = "import pypto",
    .bad = R"py(
import torch
import pypto as p

@p.frontend.jit
def kernel(x: p.Tensor([p.DYNAMIC, 64], p.DT_FP32)):
    p.set_vec_tile_shapes(16, 64)
)py",
    .good = R"py(
import torch
import pypto

@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  bool isImported = false, isTold = false;
  for (const auto &function : file.all())
    function->each<Import>([&](const Import &stmt, const Place &) {
      if (stmt.isFrom) {
        if (stmt.module == "pypto" || stmt.module.starts_with("pypto."))
          report.add(stmt.range, "names are imported from " + stmt.module.str()), isTold = true;
        return;
      }
      for (const ImportedName &name : stmt.names) {
        bool isPlain = name.name == "pypto" && name.alias.empty();
        isImported |= isPlain;
        if (isPlain || (name.name != "pypto" && !name.name.starts_with("pypto.")))
          continue;
        KernelFinding &finding = report.add(stmt.range, "pypto is imported in another form: " + name.name.str() +
                                                            (name.alias.empty() ? "" : " as " + name.alias.str()));
        isTold = true;
        if (stmt.names.size() == 1 && name.name == "pypto") { // the name of the module wherever the other one stood
          finding.edits.push_back({stmt.range, "import pypto"});
          for (const auto &in : file.all())
            in->each<Name>([&](const Name &use, const Place &) {
              if (use.id == name.alias && file.path(&use, *in) == "pypto")
                finding.edits.push_back({use.range, "pypto"});
            });
        } else if (stmt.names.size() == 1 && name.alias.empty()) {
          finding.edits.push_back({stmt.range, "import pypto"});
        }
      }
    });
  if (!isImported && !isTold)
    report.add({1, 0, 1, 0}, "the file does not import pypto");
}

KernelRuleEntry ruleOL07Import() { return {&info, check}; }

} // namespace tilesmith::lint
