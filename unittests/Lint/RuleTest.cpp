// Rules: what the registry holds, what a rule hears, what switching it does.
#include "Source.h"

#include "llvm/ADT/Twine.h"

#include <gtest/gtest.h>

#include <set>

using namespace tilesmith::lint;
using Strings = std::vector<std::string>;

namespace {

// A rule of this test alone: no launch inside a loop that was seen before it.
const RuleInfo fakeInfo{
    .id = "XX001",
    .name = "fake",
    .what = "",
    .why = "",
    .bad = "",
    .good = "",
};
struct Fake final : RuleOn<Fake, Loop, Launch> {
  void on(const Loop &, Findings &) { hasLoop = true; }
  void on(const Launch &launch, Findings &findings) {
    if (hasLoop)
      findings.add(launch, "after a loop");
  }
  bool hasLoop = false;
};

const RuleInfo anywhereInfo{
    .id = "XX002",
    .name = "anywhere",
    .isAnywhere = true,
    .what = "",
    .why = "",
    .bad = "",
    .good = "",
};
struct Anywhere final : RuleOn<Anywhere, HostCompute> {
  void on(const HostCompute &compute, Findings &findings) { findings.add(compute, "computes"); }
};
const RuleInfo insideInfo{
    .id = "XX003",
    .name = "inside",
    .what = "",
    .why = "",
    .bad = "",
    .good = "",
};

std::vector<std::string> findingsOf(llvm::ArrayRef<RuleEntry> rules, const std::string &text) {
  Source source(text);
  RuleSet set(rules);
  follow(*source.tree, source.file, std::nullopt, set);
  std::vector<std::string> result;
  for (const Finding &finding : set.getFindings().sorted())
    result.push_back(
        (finding.rule->id + " " + std::to_string(finding.range.line) + " " + finding.call + ": " + finding.reason)
            .str());
  return result;
}

std::vector<std::string> idsOf(const Report &report) {
  std::vector<std::string> ids;
  for (const Finding &violation : report.violations)
    ids.push_back(violation.rule->id.str());
  return ids;
}

} // namespace

TEST(LintRules, ARuleHearsWhatItSubscribedTo) {
  EXPECT_EQ(findingsOf({entryOf<Fake>(fakeInfo)},
                       candidate("        for i in y.shape:\n            x = run(x)\n        return x\n")),
            (Strings{"XX001 10 double: after a loop"}));
  EXPECT_TRUE(findingsOf({entryOf<Fake>(fakeInfo)}, candidate("        return run(x)\n")).empty());
}

TEST(LintRules, StateOfARuleIsOfOneCandidate) {
  RuleEntry fake = entryOf<Fake>(fakeInfo);
  EXPECT_EQ(
      findingsOf({fake}, candidate("        for i in y.shape:\n            x = run(x)\n        return x\n")).size(),
      1u);
  EXPECT_TRUE(findingsOf({fake}, candidate("        return run(x)\n")).empty());
}

TEST(LintRules, OnlyRulesOfAnywhereHearOfTheConstructor) {
  const std::string text =
      candidate("        return run(x)\n", "def setup():\n    return -nn.Parameter(torch.zeros(3))\nSETUP = setup()\n");
  EXPECT_EQ(findingsOf({entryOf<Anywhere>(anywhereInfo)}, text), (Strings{"XX002 13 -: computes"}));
  EXPECT_TRUE(findingsOf({entryOf<Anywhere>(insideInfo)}, text).empty());
}

TEST(LintRules, APlaceIsReportedOnce) {
  const std::string text =
      candidate("        for i in range(3):\n            x = run(torch.relu(x))\n        return x\n");
  EXPECT_EQ(findingsOf({entryOf<Anywhere>(anywhereInfo), entryOf<Anywhere>(insideInfo)}, text),
            (Strings{"XX002 15 torch.relu: computes"}));
}

TEST(LintRules, IdsAndNamesAreUniqueAndEveryRuleIsDocumented) {
  std::set<std::string> seen;
  EXPECT_GE(allRules().size(), 25u);
  for (const RuleEntry &entry : allRules()) {
    const RuleInfo &info = *entry.info;
    EXPECT_TRUE(seen.insert(info.id.str()).second && seen.insert(info.name.str()).second) << info.id.str();
    EXPECT_FALSE(info.what.empty() || info.why.empty() || info.bad.empty() || info.good.empty()) << info.id.str();
    unsigned subscriptions = 0;
    entry.make()->subscribe([&](EventKind, Rule::Hear) { ++subscriptions; });
    EXPECT_GT(subscriptions, 0u) << info.id.str();
  }
}

TEST(LintRules, ARuleThatIsOffIsSilent) {
  Source source(candidate("        return torch.relu(run(x))\n"));
  ValidateOptions options;
  EXPECT_EQ(idsOf(validate(*source.tree, source.file, options)), (Strings{"DG301"}));
  options.off = {"DG301"};
  Report report = validate(*source.tree, source.file, options);
  EXPECT_TRUE(idsOf(report).empty());
  EXPECT_TRUE(report.isValid());
}

TEST(LintRules, ARuleThatIsOffUnlessAskedForCanBeSwitchedOnAndOffWins) {
  Source source(candidate("        for i in range(3):\n            x = run(x)\n        return x\n"));
  ValidateOptions options;
  EXPECT_TRUE(validate(*source.tree, source.file, options).isValid());
  options.on = {"DG601"};
  EXPECT_EQ(idsOf(validate(*source.tree, source.file, options)), (Strings{"DG601"}));
  options.off = {"DG601"};
  EXPECT_TRUE(validate(*source.tree, source.file, options).isValid());
}

TEST(LintRules, AWarningRefusesNothing) {
  static const RuleInfo info{
      .id = "XX004",
      .name = "warning",
      .severity = Severity::Warning,
      .what = "",
      .why = "",
      .bad = "",
      .good = "",
  };
  Source source(candidate("        return torch.relu(run(x))\n"));
  Report report = validate(*source.tree, source.file, std::nullopt, {entryOf<Anywhere>(info)});
  EXPECT_TRUE(report.isValid());
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_EQ(report.warnings[0].call, "torch.relu");
}

TEST(LintRules, TheFirstTypeThatOccursIsTheVerdict) {
  Source noKernel(
      "import torch\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return torch.relu(x)\n");
  Report report = validate(*noKernel.tree, noKernel.file, ValidateOptions());
  EXPECT_EQ(report.regressionType, 1);
  EXPECT_TRUE(report.violations.empty());
  Source unused(candidate("        return torch.relu(x)\n"));
  report = validate(*unused.tree, unused.file, ValidateOptions());
  EXPECT_EQ(report.regressionType, 2);
  EXPECT_EQ(report.kernelCalled.error, "ModelNew.forward launches no kernel");
  ValidateOptions options;
  options.off = {"DG202"};
  EXPECT_EQ(validate(*unused.tree, unused.file, options).regressionType, 3);
}
