// OL17 entry-in-test: a test file defines an entry.
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/STLExtras.h"

#include "../Kernels/Pypto.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL17",
    .name = "entry-in-test",
    .level = Level::S1,
    .role = Role::Test,
    .stages = buildStages,
    .what = "A test file defines an entry.",
    .why = "It would test a kernel of its own instead of the operator.",
    .use = "import the wrapper from the impl",
    .bad = R"py(
import pypto

@pypto.frontend.jit
def kernel(x: pypto.Tensor([64], pypto.DT_FP32)):
    pypto.set_vec_tile_shapes(64)
)py",
    .good = R"py(
import torch
from gelu_impl import gelu_wrapper

def test_gelu_l0():
    gelu_wrapper(torch.ones(4))
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  llvm::SmallVector<const Function *> literal = pypto::literalEntries(file);
  for (const auto &function : file.all())
    if (llvm::is_contained(literal, function.get()) || (!report.isCompat() && function->language == Language::Pypto))
      report.add(function->def->nameRange, "the test defines the entry '" + function->name().str() + "'");
}

KernelRuleEntry ruleOL17EntryInTest() { return {&info, check}; }

} // namespace tilesmith::lint
