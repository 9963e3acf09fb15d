// TS701 machine-path: a path of one machine in a file of kernels.
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS701",
    .name = "machine-path",
    .level = Level::Warning,
    .what = "A path of one machine in a file of kernels.",
    .why = "The file runs nowhere else.",
    .use = "a path from an argument, from the environment, or relative to __file__",
    .bad = R"py(
DATA = np.load("/home/me/data.npy")

@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])
)py",
    .good = R"py(
DATA = np.load("data.npy")

@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  if (file.entries(ascLanguages).empty())
    return;
  static constexpr llvm::StringLiteral roots[] = {"/home/", "/root/", "/Users/", "/usr/local/Ascend",
                                                  "C:\\",   "/mnt/",  "/data/"};
  for (const auto &function : file.all())
    function->each<Constant>([&](const Constant &constant, const Place &) {
      if (constant.constant == ConstantKind::String && !constant.text.contains('\n') &&
          llvm::any_of(roots, [&](llvm::StringRef root) { return constant.text.starts_with(root); }))
        report.add(constant.range, "a path of one machine");
    });
}

KernelRuleEntry ruleMachinePath() { return {&info, check}; }

} // namespace tilesmith::lint
