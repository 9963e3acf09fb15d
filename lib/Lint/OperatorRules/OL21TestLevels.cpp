// OL21 test-levels: a test file does not have functions of both levels, `_l0` and `_l1`.
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/StringExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL21",
    .name = "test-levels",
    .level = Level::S2,
    .role = Role::Test,
    .stages = buildStages,
    .what = "A test file does not have functions of both levels, `_l0` and `_l1`.",
    .why = "Level 0 is the quick test of one shape, level 1 the shapes of the specification.",
    .use = "def test_<op>_l0(), def test_<op>_l1()",
    .bad = R"py(
def test_gelu_l0():
    pass
)py",
    .good = R"py(
def test_gelu_l0():
    pass

def test_gelu_level1():
    pass
)py",
};

// A word with a number behind it that has no further digits: `_l1` is not in `_l10`.
static bool names(llvm::StringRef name, llvm::StringRef word) {
  for (size_t at = name.find(word); at != llvm::StringRef::npos; at = name.find(word, at + 1))
    if (at + word.size() == name.size() || !llvm::isDigit(name[at + word.size()]))
      return true;
  return false;
}

static void check(const KernelFile &file, KernelReport &report) {
  bool levels[2] = {false, false};
  for (const auto &function : file.all())
    for (int level : {0, 1}) {
      std::string digit = std::to_string(level);
      levels[level] |=
          function->def && (names(function->name(), "_l" + digit) || names(function->name(), "level" + digit));
    }
  for (int level : {0, 1})
    if (!levels[level])
      report.add({1, 0, 1, 0}, "no test of level " + std::to_string(level));
}

KernelRuleEntry ruleOL21TestLevels() { return {&info, check}; }

} // namespace tilesmith::lint
