// TS135 unknown-name: a name that the language does not have.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS135",
    .name = "unknown-name",
    .level = Level::Error,
    .what = "A name that the language does not have.",
    .why = "The compiler will refuse it. Names of other languages, and of other versions, are the usual reason.",
    .use = "`tilesmith api --search WORD` finds what there is",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.swish(asc2.load(x, [64], tile_id=[0])), x, tile_id=[0])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.exp(asc2.load(x, [64], tile_id=[0])), x, tile_id=[0])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  eachOnDevice<Attribute>(file, ascLanguages, [&](const Attribute &attribute, const Place &, const Function &in) {
    std::string path = file.path(&attribute, in);
    llvm::StringRef rest = path;
    if ((rest.consume_front("asc2.") || rest.consume_front("asc.")) && !rest.contains('.') && !report.exports(path))
      report.add(attribute.range, path + " does not exist");
  });
}

KernelRuleEntry ruleUnknownName() { return {&info, check}; }

} // namespace tilesmith::lint
