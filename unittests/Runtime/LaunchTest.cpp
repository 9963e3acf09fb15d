// Launches through Runtime: binding, aliasing, and the check by late modes.
#include "tilesmith/Runtime/Launch.h"
#include "../Machine/CoreTesting.h"
#include <bit>
#include <gtest/gtest.h>

using namespace tilesmith;
using namespace tilesmith::machine::testing;
using runtime::BoundArgument;

namespace {

constexpr int64_t count = 256;

// y = x + x; with a scalar argument of 1 the load is not waited for.
void doubleKernel(TsCore *core, const int64_t *args) {
  load(core, ub(0), args[0], count * 4);
  if (args[2] == 0)
    passFlag(core, MTE2, V);
  tsm_add(core, 0, F32, ub(4096), ub(0), ub(0), count);
  passFlag(core, V, MTE3);
  store(core, args[1], ub(4096), count * 4);
}

BoundArgument array(std::vector<float> &values) {
  return {true, {reinterpret_cast<uint8_t *>(values.data()), int64_t(values.size() * 4)}, 0};
}

struct RuntimeLaunch : testing::Test {
  std::vector<float> x = iota(count), y = std::vector<float>(count);
  const std::vector<std::string> names = {"x", "y", "racy"};

  machine::LaunchResult run(bool racy, runtime::LaunchSettings settings = {}) {
    BoundArgument arguments[] = {array(x), array(y), {false, {}, racy}};
    runtime::LaunchTarget target{doubleKernel, machine::findPlatform("Ascend910B1")};
    return runtime::launch(target, 1, arguments, settings,
                           [&](size_t i) { return runtime::ArgumentWords{names[i], isa::DType::F32, {}}; });
  }
};

// Every block writes its number, all to one place or each to its own: the last one to run has the last word.
void lastWord(TsCore *core, const int64_t *args) {
  int64_t block = tsm_block_idx(core, 0);
  tsm_set_value(core, 0, int64_t(isa::DType::I32), args[1] + args[2] * 64 * block, block);
}

TEST_F(RuntimeLaunch, TellsWhatItTouched) {
  runtime::Touched touched;
  BoundArgument arguments[] = {array(x), array(y), {false, {}, 0}};
  runtime::LaunchTarget target{doubleKernel, machine::findPlatform("Ascend910B1")};
  target.touched = &touched;
  runtime::launch(target, 1, arguments, {});
  auto *from = reinterpret_cast<uint8_t *>(x.data()), *to = reinterpret_cast<uint8_t *>(y.data());
  ASSERT_EQ(touched.reads.size(), 1u);
  EXPECT_EQ(touched.reads[0].begin, from);
  EXPECT_EQ(touched.reads[0].end, from + count * 4);
  ASSERT_EQ(touched.writes.size(), 1u);
  EXPECT_EQ(touched.writes[0].begin, to);
  EXPECT_EQ(touched.writes[0].end, to + count * 4);
  EXPECT_EQ(y[3], 6);
}

TEST_F(RuntimeLaunch, BlocksThatRaceDependOnTheirOrder) {
  for (int apart : {0, 1}) {
    runtime::Touched touched;
    BoundArgument arguments[] = {array(x), array(y), {false, {}, apart}};
    runtime::LaunchTarget target{lastWord, machine::findPlatform("Ascend910B1")};
    target.type = isa::KernelType::AivOnly;
    target.touched = &touched;
    runtime::LaunchSettings settings;
    settings.mode = machine::Mode::Checked; // what runs twice is a launch that looks for races
    runtime::launch(target, 4, arguments, settings,
                    [&](size_t i) { return runtime::ArgumentWords{names[i], isa::DType::F32, {}}; });
    EXPECT_EQ(touched.orderMatters.empty(), apart == 1) << touched.orderMatters;
    EXPECT_EQ(std::bit_cast<int32_t>(y[0]), apart ? 0 : 3); // the second run leaves the arrays alone
  }
}

TEST_F(RuntimeLaunch, WritesInPlace) {
  EXPECT_TRUE(run(false).findings.empty());
  for (int i = 0; i < count; ++i)
    EXPECT_EQ(y[i], 2 * x[i]);
}

TEST_F(RuntimeLaunch, LateModesAgreeOnACleanKernelAndTouchNothing) {
  runtime::LaunchSettings settings;
  settings.verifyLate = true;
  std::vector<float> before = x;
  EXPECT_TRUE(run(false, settings).findings.empty());
  EXPECT_EQ(x, before);
  EXPECT_EQ(y[count - 1], 2 * x[count - 1]);
}

TEST_F(RuntimeLaunch, AMissingWaitShowsAsADifference) {
  runtime::LaunchSettings settings;
  settings.verifyLate = true;
  machine::LaunchResult result = run(true, settings);
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings[0].id, "late.differs");
  EXPECT_TRUE(result.findings[0].text.starts_with("y[0] comes out different when ")) << result.findings[0].text;
  EXPECT_EQ(y[count - 1], 2 * x[count - 1]) << "results are those of program order";
}

TEST_F(RuntimeLaunch, TimeOnlyWhenAskedFor) {
  EXPECT_EQ(run(false).timing.cycles, 0);
  runtime::LaunchSettings settings;
  settings.mode = machine::Mode::Timed;
  EXPECT_GT(run(false, settings).timing.cycles, 0);
}

} // namespace
