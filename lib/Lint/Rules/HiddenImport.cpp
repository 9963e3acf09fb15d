// DG407 hidden-import: A module is imported by a name that is not in the source.
#include "tilesmith/Lint/Rule.h"

namespace tilesmith::lint {

static const RuleInfo info{
    .id = "DG407",
    .name = "hidden-import",
    .what = "A module is imported by a name that is not in the source.",
    .why = "It may be any module, the reference included.",
    .bad = R"(
import importlib


class ModelNew(nn.Module):
    def forward(self, x):
        name = ''.join(chr(c) for c in (116, 111))
        return run(importlib.import_module(name).relu(x))
)",
    .good = R"(
import importlib


class ModelNew(nn.Module):
    def forward(self, x):
        math = importlib.import_module('math')
        return run(x)
)",
};

namespace {

struct HiddenImport final : RuleOn<HiddenImport, Imported> {
  void on(const Imported &imported, Findings &findings) {
    if (!imported.isNamed)
      findings.add(imported, "imports a module whose name is not in the source");
  }
};

} // namespace

RuleEntry ruleHiddenImport() { return entryOf<HiddenImport>(info); }

} // namespace tilesmith::lint
