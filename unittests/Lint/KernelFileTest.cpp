// What is read of a file of kernels: who runs on the device, what names stand for, what is launched.
#include "Source.h"

#include "tilesmith/Lint/KernelRule.h"

#include <gtest/gtest.h>

using namespace tilesmith::lint;

namespace {

struct File {
  explicit File(const std::string &text) : source(text), kernels(*source.tree, source.file) {}
  std::vector<std::string> onDevice() const {
    std::vector<std::string> names;
    for (const Function *function : kernels.onDevice({Language::Asc2}))
      names.push_back(function->name().str());
    return names;
  }
  Source source;
  KernelFile kernels;
};

using Strings = std::vector<std::string>;

TEST(KernelFile, FollowsHelpersOfKernelsOnly) {
  File file("import asc2\n"
            "def inner(t):\n    return t\n"
            "def helper(t):\n    return inner(t)\n"
            "def host(t):\n    return t\n"
            "@asc2.jit(always_compile=True)\ndef kernel(x):\n    helper(x)\n"
            "host(1)\n");
  EXPECT_EQ(file.onDevice(), (Strings{"inner", "helper", "kernel"}));
}

TEST(KernelFile, ResolvesImportsAndAliases) {
  File file("import asc2 as a\nfrom asc2 import load as l\nstore = a.store\n"
            "def f(x):\n    a.jit\n    l(x)\n    store(x)\n"
            "def g(a):\n    a.load(1)\n");
  const Function *f = file.kernels.find("f"), *g = file.kernels.find("g");
  ASSERT_EQ(f->calls.size(), 2u);
  EXPECT_EQ(f->calls[0].path, "asc2.load");
  EXPECT_EQ(f->calls[1].path, "asc2.store");
  EXPECT_EQ(g->calls[0].path, ""); // a parameter hides the module
}

TEST(KernelFile, FindsLaunches) {
  File file("import asc2\n"
            "@asc2.jit\ndef kernel(x):\n    asc2.tensor(x, [1])\n"
            "def run(x):\n    for i in range(3):\n        y = kernel[8](x)\n    kernel(x)\n");
  ASSERT_EQ(file.kernels.launches().size(), 2u);
  EXPECT_EQ(file.kernels.launches()[0].loop, 0);
  EXPECT_TRUE(file.kernels.launches()[0].isResultUsed);
  EXPECT_EQ(file.kernels.launches()[1].blocks, nullptr);
  EXPECT_FALSE(file.kernels.launches()[1].isResultUsed);
}

TEST(KernelFile, KnowsIntegersThroughAssignments) {
  File file("T = 64\nU = T\ndef f(x):\n    v = U\n    w = 1\n    w = 2\n    g(v, w, v * 2, x)\n");
  const Function *f = file.kernels.find("f");
  auto arguments = f->calls[0].call->arguments;
  EXPECT_EQ(file.kernels.integer(arguments[0], *f), 64);
  EXPECT_EQ(file.kernels.integer(arguments[1], *f), std::nullopt); // two values
  EXPECT_EQ(file.kernels.integer(arguments[2], *f), std::nullopt); // not a literal
  EXPECT_EQ(file.kernels.computed(arguments[2], *f), 128);
  EXPECT_EQ(file.kernels.integer(arguments[3], *f), std::nullopt);
}

TEST(KernelRules, HaveIdsAndNamesOfTheirOwn) {
  std::vector<std::string> words;
  for (const KernelRuleEntry &entry : allKernelRules())
    for (llvm::StringRef word : {llvm::StringRef(entry.info->id), llvm::StringRef(entry.info->name)}) {
      EXPECT_TRUE(std::find(words.begin(), words.end(), word.str()) == words.end()) << word.str();
      words.push_back(word.str());
    }
  EXPECT_GT(words.size(), 180u);
}

} // namespace
