// TS305 unaligned-tile: the last axis of a tile of a constant shape is not a multiple of 32 bytes.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS305",
    .name = "unaligned-tile",
    .level = Level::Warning,
    .isPortability = true,
    .what = "The last axis of a tile of a constant shape is not a multiple of 32 bytes.",
    .why = "The chip moves blocks of 32 bytes. Ours pads and clips; upstream stops with an error of alignment.",
    .use = "a multiple of 8 elements (float32) or 16 (float16); load and store clip what lies outside of the tensor",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [100], tile_id=[0]), x, tile_id=[0])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [96], tile_id=[0]), x, tile_id=[0])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const Function *function : file.onDevice({Language::Asc2}))
    for (const CallFact &call : function->calls) {
      auto *shape = call.path == "asc2.load"
                        ? llvm::dyn_cast_or_null<Sequence>(file.meaning(argument(*call.call, 1, "shape"), *function))
                        : nullptr;
      if (!shape || shape->elements.empty())
        continue;
      std::optional<int64_t> last = file.computed(shape->elements.back(), *function);
      if (last && *last > 1 && *last % 8 != 0)
        report.add(shape->elements.back()->range,
                   std::to_string(*last) + " elements are no whole blocks of 32 bytes in any type of up to 4 bytes");
    }
}

KernelRuleEntry ruleUnalignedTile() { return {&info, check}; }

} // namespace tilesmith::lint
