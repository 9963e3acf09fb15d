// TS302 stores-nothing: a kernel of tiles stores nothing.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS302",
    .name = "stores-nothing",
    .level = Level::Error,
    .what = "A kernel of tiles stores nothing.",
    .why = "What a kernel does not store nobody can see. Its launch leaves every array as it was.",
    .use = "asc2.store(tile, tensor, ...)",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    y = asc2.load(x, [64], tile_id=[0]) * 2
)py",
    .good = R"py(
@asc2.jit
def put(tile, x):
    asc2.store(tile, x, tile_id=[0])

@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    put(asc2.load(x, [64], tile_id=[0]) * 2, x)
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const Function *kernel : file.entries({Language::Asc2})) {
    bool stores = false;
    for (const Function *function : file.withHelpers(*kernel))
      for (const CallFact &call : function->calls) {
        auto *callee = llvm::dyn_cast<Attribute>(call.call->callee);
        llvm::StringRef name =
            call.path.empty() ? (callee ? callee->name : "") : llvm::StringRef(call.path).rsplit('.').second;
        bool isOutside = call.path.empty() ? false : !llvm::StringRef(call.path).starts_with("asc");
        stores |= isOutside || name.contains("store") || name.contains("atomic") || name.contains("scatter") ||
                  name.contains("print") || name == "copy" || name == "breakpoint" || name == "inline";
      }
    if (!stores)
      report.add(kernel->def->nameRange, "kernel '" + kernel->name().str() + "' stores nothing");
  }
}

KernelRuleEntry ruleStoresNothing() { return {&info, check}; }

} // namespace tilesmith::lint
