// TS306 tile-too-large: a tile of a constant shape that no memory of the platform can hold.
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "TS306",
    .name = "tile-too-large",
    .level = Level::Error,
    .what = "A tile of a constant shape that no memory of the platform can hold.",
    .why = "UB has 192 KiB on the 910B and 248 KiB on the 950, L1 has 512 KiB on both. One tile must fit into one of "
           "them.",
    .use = "a smaller tile and a loop over the rest",
    .bad = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [1048576], tile_id=[0]), x, tile_id=[0])
)py",
    .good = R"py(
@asc2.jit
def kernel(x_ptr, size):
    x = asc2.tensor(x_ptr, [size])
    asc2.store(asc2.load(x, [8192], tile_id=[0]), x, tile_id=[0])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  constexpr int64_t largest = 512 << 10; // bytes of L1; the smallest element has one
  for (const Function *function : file.onDevice({Language::Asc2}))
    for (const CallFact &call : function->calls) {
      static constexpr llvm::StringLiteral makers[] = {"asc2.zeros", "asc2.ones", "asc2.full", "asc2.empty"};
      bool isLoad = call.path == "asc2.load";
      if (!isLoad && !llvm::is_contained(makers, call.path))
        continue;
      auto *shape =
          llvm::dyn_cast_or_null<Sequence>(file.meaning(argument(*call.call, isLoad ? 1 : 0, "shape"), *function));
      int64_t elements = shape ? 1 : 0;
      for (size_t i = 0; shape && i != shape->elements.size() && elements && elements <= largest; ++i)
        elements *= std::clamp<int64_t>(file.computed(shape->elements[i], *function).value_or(0), 0, 1 << 20);
      if (elements > largest)
        report.add(shape->range,
                   "a tile of more than " + std::to_string(largest) + " elements fits into no memory of a core");
    }
}

KernelRuleEntry ruleTileTooLarge() { return {&info, check}; }

} // namespace tilesmith::lint
