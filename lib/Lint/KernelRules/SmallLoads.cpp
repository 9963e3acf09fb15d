// TS601 small-loads: a load of less than 512 bytes.
#include "tilesmith/Lint/KernelRule.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS601",
    .name = "small-loads",
    .level = Level::Info,
    .isOn = false,
    .what = "A load of less than 512 bytes.",
    .why = "A move costs the same start-up however little it carries, and global memory is read by 512 bytes.",
    .use = "a larger tile",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [16], tile_id=[0]), x, tile_id=[0])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [4096], tile_id=[0]), x, tile_id=[0])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const Function *function : file.onDevice({Language::Asc2}))
    for (const CallFact &call : function->calls) {
      auto *shape = call.path == "asc2.load"
                        ? llvm::dyn_cast_or_null<Sequence>(file.meaning(argument(*call.call, 1, "shape"), *function))
                        : nullptr;
      int64_t elements = shape && !shape->elements.empty() ? 1 : 0;
      for (size_t i = 0; shape && i != shape->elements.size() && elements <= 4096; ++i)
        elements *= std::clamp<int64_t>(file.computed(shape->elements[i], *function).value_or(1 << 20), 0, 1 << 20);
      if (elements && elements * 4 < 512)
        report.add(shape->range, "a load of " + std::to_string(elements) + " elements has at most " +
                                     std::to_string(elements * 4) + " bytes");
    }
}

KernelRuleEntry ruleSmallLoads() { return {&info, check}; }

} // namespace tilesmith::lint
