// OL26 tensors-first: a tensor parameter stands behind one that is none.
#include "tilesmith/Lint/KernelRule.h"

#include "../Kernels/Pypto.h"
#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL26",
    .name = "tensors-first",
    .level = Level::S1,
    .role = Role::Impl,
    .stages = buildStages,
    .what = "A tensor parameter stands behind one that is none.",
    .why = "The first arguments of a call are the tensors, whatever the order of the parameters.",
    .use = "tensors first, then numbers",
    .bad = R"py(
@pypto.frontend.jit
def kernel(n: int, x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(16, 64)

def gelu_wrapper(x):
    kernel(4, x)
)py",
    .good = R"py(
@pypto.frontend.jit
def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32), n: int):
    pypto.set_vec_tile_shapes(16, 64)

def gelu_wrapper(x):
    kernel(x, 4)
)py",
};

static std::string sourceOf(const KernelFile &file, const Range &range) { return spelled(file.getSource(), range); }

// Both the parameters and the arguments of every call, or nothing if one of them cannot be reordered safely.
static std::vector<Edit> reorder(const KernelFile &file, const Function &entry, llvm::ArrayRef<unsigned> order) {
  std::vector<Edit> edits;
  std::string text;
  llvm::ArrayRef<Parameter> parameters = entry.def->parameters;
  for (unsigned from : order) {
    const Parameter &parameter = parameters[from];
    std::string one = parameter.defaultValue || parameter.isKeywordOnly ? "" : sourceOf(file, parameter.range);
    if (one.empty() || parameters[from].range.line != parameters.front().range.line)
      return {};
    text += (text.empty() ? "" : ", ") + one;
  }
  Range all = parameters.front().range;
  all.endColumn = parameters.back().range.endColumn;
  edits.push_back({all, text});
  for (const auto &function : file.all())
    for (const CallFact &call : function->calls) {
      auto *name = llvm::dyn_cast<Name>(call.call->callee);
      if (!name || name->id != entry.name())
        continue;
      Exprs arguments = call.call->arguments;
      if (arguments.size() != parameters.size())
        return {};
      std::string list;
      for (unsigned from : order) {
        std::string one = sourceOf(file, arguments[from]->range);
        if (one.empty() || llvm::isa<Starred>(arguments[from]) ||
            arguments[from]->range.line != arguments.front()->range.line)
          return {};
        list += (list.empty() ? "" : ", ") + one;
      }
      Range where = arguments.front()->range;
      where.endColumn = arguments.back()->range.endColumn;
      edits.push_back({where, list});
    }
  return edits;
}

static void check(const KernelFile &file, KernelReport &report) {
  for (const Function *entry : pypto::literalEntries(file)) {
    bool hasOther = false, isFirst = true;
    llvm::SmallVector<unsigned> order, others;
    for (auto [index, parameter] : llvm::enumerate(entry->def->parameters))
      (pypto::isTensor(file, parameter, *entry) ? order : others).push_back(index);
    order.append(others);
    for (const Parameter &parameter : entry->def->parameters) {
      bool isTensor = pypto::isTensor(file, parameter, *entry);
      if (isTensor && hasOther) {
        KernelFinding &finding =
            report.add(parameter.range, "tensor '" + parameter.name.str() + "' stands behind a parameter that is none");
        if (isFirst)
          finding.edits = reorder(file, *entry, order);
        isFirst = false;
      }
      hasOther |= !isTensor;
    }
  }
}

KernelRuleEntry ruleOL26TensorsFirst() { return {&info, check}; }

} // namespace tilesmith::lint
