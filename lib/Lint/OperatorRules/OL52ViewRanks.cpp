// OL52 view-ranks: the lists of one `pypto.view` differ in length.
#include "tilesmith/Lint/KernelRule.h"

#include "../Kernels/Pypto.h"
#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL52",
    .name = "view-ranks",
    .level = Level::S1,
    .role = Role::Impl,
    .stages = buildStages,
    .what = "The lists of one `pypto.view` differ in length.",
    .why = "shape, offsets and valid_shape speak of the same axes.",
    .use = "one entry for each axis in all three; pypto.reshape changes the rank",
    .bad = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    part = pypto.view(x, [16, 64], [0])
)py",
    .good = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)
    part = pypto.reshape(pypto.view(x, [16, 64], [0, 0], valid_shape=[8, 64]), [1024])
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  for (const auto &function : file.all())
    for (const CallFact &call : function->calls) {
      auto *method = llvm::dyn_cast<Attribute>(call.call->callee);
      bool isMethod = method && method->name == "view" && call.path.empty() && function->device != Language::None &&
                      !report.isCompat();
      if (call.path != "pypto.view" && !isMethod)
        continue;
      unsigned first = isMethod ? 0 : 1;
      std::optional<size_t> rank;
      for (const Expr *list : {argument(*call.call, first, "shape"), argument(*call.call, first + 1, "offsets"),
                               keyword(*call.call, "valid_shape")}) {
        auto *sequence = llvm::dyn_cast_or_null<Sequence>(report.isCompat() ? list : file.meaning(list, *function));
        if (!sequence || llvm::any_of(sequence->elements, [](const Expr *it) { return llvm::isa<Starred>(it); }))
          continue;
        if (rank && *rank != sequence->elements.size()) {
          report.add(call.call->range, "lists of " + std::to_string(*rank) + " and " +
                                           std::to_string(sequence->elements.size()) + " axes in one view");
          break;
        }
        rank = sequence->elements.size();
      }
    }
}

KernelRuleEntry ruleOL52ViewRanks() { return {&info, check}; }

} // namespace tilesmith::lint
