// What the engine tells about small programs, whatever rules make of it.
#include "Source.h"

#include <gtest/gtest.h>

using namespace tilesmith::lint;
using Strings = std::vector<std::string>;

TEST(LintEngine, LaunchesAreToldWhereTheyAreWritten) {
  Recorder seen(candidate("        return run(x)\n"));
  EXPECT_EQ(seen.spelled(EventKind::Launch), (Strings{"double"}));
  for (const Launch &launch : seen.all<Launch>()) {
    EXPECT_EQ(launch.range.line, 10u);
    EXPECT_TRUE(launch.call);
  }
  EXPECT_TRUE(seen.spelled(EventKind::HostCompute).empty());
}

TEST(LintEngine, ComputationsAreToldAsTheyAreSpelled) {
  Recorder seen(candidate("        z = torch.relu(x) @ y\n        return run(z.sum() + 1)\n"));
  EXPECT_EQ(seen.spelled(EventKind::HostCompute), (Strings{"torch.relu", "@", "z.sum()", "+"}));
}

TEST(LintEngine, WhatIsReturnedSaysWhereItComesFrom) {
  Recorder seen(candidate("        if x.shape[0] > 3:\n            return y\n        return run(x)\n"));
  std::vector<Returned> returned = seen.all<Returned>();
  ASSERT_EQ(returned.size(), 2u);
  EXPECT_TRUE(returned[0].hasTensors && !returned[0].isEarned && !returned[0].isStale);
  EXPECT_EQ(returned[0].range.line, 15u);
  EXPECT_TRUE(returned[1].hasTensors && returned[1].isEarned);
}

TEST(LintEngine, ATensorOfAnEarlierCallIsStale) {
  Recorder seen(
      candidate("        if not hasattr(self, 'kept'):\n            self.kept = run(x)\n        return self.kept\n"));
  bool isStale = false;
  for (const Returned &returned : seen.all<Returned>())
    isStale |= returned.isStale;
  EXPECT_TRUE(isStale);
}

TEST(LintEngine, TensorsKeptWhereTheyCannotBeFollowed) {
  Recorder seen(candidate("        KEPT[0] = x\n        return run(x)\n", "import store\nKEPT = store.make()\n"));
  std::vector<TensorKept> kept = seen.all<TensorKept>();
  ASSERT_FALSE(kept.empty());
  EXPECT_FALSE(kept[0].inCache);
  EXPECT_EQ(kept[0].spelled, "KEPT[0]");
}

TEST(LintEngine, ForeignCallsSayWhatTheyAreGivenAndHowTheyBehave) {
  Recorder seen(candidate(
      "        a = helpers.size(x.shape)\n        b = helpers.work(x)\n        eval('x')\n        return run(b)\n",
      "import helpers\n"));
  bool size = false, work = false, hidden = false;
  for (const ForeignCall &call : seen.all<ForeignCall>()) {
    size |= call.path == "helpers.size" && !call.handsTensors;
    work |= call.path == "helpers.work" && call.handsTensors && call.conduct == Conduct::Unknown;
    hidden |= call.path == "builtins.eval" && call.conduct == Conduct::RunsHiddenCode;
  }
  EXPECT_TRUE(size && work && hidden);
}

TEST(LintEngine, AModuleWithTheNameOfSomethingInsideIsAModule) {
  // `kernel` and `container` are words of the engine's own; calls of such modules were once taken for its own.
  Recorder seen(
      candidate("        return run(kernel.run(x)), container.append(x)\n", "import kernel\nimport container\n"));
  EXPECT_EQ(seen.spelled(EventKind::ForeignCall), (Strings{"kernel.run", "container.append"}));
}

TEST(LintEngine, NumbersReadFromTensorsAreFollowedIntoTensors) {
  Recorder seen(candidate(
      "        n = x.item() * 2\n        z = torch.full((3,), n)\n        z[0] = n\n        return run(z)\n"));
  std::vector<HostValue> values = seen.all<HostValue>();
  bool isMade = false, isStored = false;
  for (const HostValue &value : values) {
    isMade |= value.use == HostValue::Use::InNewTensor;
    isStored |= value.use == HostValue::Use::InTensor;
  }
  EXPECT_TRUE(isMade && isStored);
}

TEST(LintEngine, PhasesTellTheImportFromForward) {
  Recorder seen(candidate("        return run(x)\n", "torch.relu = None\n"));
  std::vector<Replaced> replaced = seen.all<Replaced>();
  ASSERT_EQ(replaced.size(), 1u);
  EXPECT_EQ(replaced[0].phase, Phase::Import);
  EXPECT_EQ(replaced[0].path, "torch.relu");
}

TEST(LintEngine, HandlersAroundLaunchesAndLoops) {
  Recorder seen(candidate(
      "        for i in range(3):\n            try:\n                x = run(x)\n            except Exception:\n"
      "                pass\n        return x\n"));
  EXPECT_EQ(seen.spelled(EventKind::Loop), (Strings{"for"}));
  bool isFallback = false;
  for (const HandlerRead &handler : seen.all<HandlerRead>())
    isFallback |= handler.isAroundLaunch && handler.isSwallowed;
  EXPECT_TRUE(isFallback);
}

TEST(LintEngine, TheFileAsAWhole) {
  Recorder seen(candidate("        return run(x)\n"));
  ASSERT_EQ(seen.all<KernelsRead>().size(), 1u);
  const KernelsRead kernels = seen.all<KernelsRead>()[0];
  ASSERT_EQ(kernels.kernels.size(), 1u);
  EXPECT_EQ(kernels.kernels[0].name, "double");
  EXPECT_TRUE(kernels.kernels[0].stores && kernels.kernels[0].usesLanguage);
  ASSERT_EQ(seen.all<ForwardFollowed>().size(), 1u);
  EXPECT_EQ(seen.all<ForwardFollowed>()[0].called, (Strings{"double"}));
  EXPECT_TRUE(seen.all<ForwardFollowed>()[0].isComplete);
}

TEST(LintEngine, GivesUpOnWhatDoublesAtEachLevel) {
  std::string before = "def f0(x):\n    return run(x)\n";
  for (int i = 1; i != 30; ++i)
    before += "def f" + std::to_string(i) + "(x):\n    return f" + std::to_string(i - 1) + "(f" +
              std::to_string(i - 1) + "(x))\n";
  Recorder seen(candidate("        return f29(x)\n", before));
  EXPECT_EQ(seen.all<GaveUp>().size(), 1u);
  EXPECT_FALSE(seen.all<ForwardFollowed>()[0].isComplete);
}
