// DG405 file-access: Files are read, also at import.
#include "tilesmith/Lint/Rule.h"

namespace tilesmith::lint {

static const RuleInfo info{
    .id = "DG405",
    .name = "file-access",
    .isAnywhere = true,
    .what = "Files are read, also at import.",
    .why = "The task, its reference and stored results are files.",
    .bad = R"(
GOLDEN = torch.load('golden.pt')


class ModelNew(nn.Module):
    def forward(self, x):
        return run(x)
)",
    .good = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        return run(x)
)",
};

namespace {

struct FileAccess final : RuleOn<FileAccess, ForeignCall> {
  void on(const ForeignCall &call, Findings &findings) {
    if (call.conduct == Conduct::ReadsFiles)
      findings.add(call, "reads files: the task, its reference or results may be among them");
  }
};

} // namespace

RuleEntry ruleFileAccess() { return entryOf<FileAccess>(info); }

} // namespace tilesmith::lint
