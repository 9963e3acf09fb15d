// What is known from blocks and launches with the same calls is never something else than what observing them gives.
#include "CoreTesting.h"

using namespace tilesmith;
using namespace tilesmith::machine;
using namespace tilesmith::machine::testing;

namespace {

constexpr int64_t tile = 1024, blocks = 60;

// Two tiles of each block, from x to y. The block args[2] stores its tiles without waiting for them; the block args[3]
// reads its second tile from where it stored the first one.
void copyKernel(TsCore *core, const int64_t *args) {
  int64_t block = tsm_block_idx(core, 0), x = args[0] + block * 2 * tile * 4, y = args[1] + block * 2 * tile * 4;
  for (int64_t i = 0; i < 2; ++i) {
    load(core, ub(i * tile * 4), block == args[3] && i == 1 ? y : x + i * tile * 4, tile * 4, 1);
    passFlag(core, MTE2, block == args[2] ? V : MTE3, i);
    store(core, y + i * tile * 4, ub(i * tile * 4), tile * 4, 2);
  }
}

struct Copy {
  std::vector<float> x = iota(size_t(blocks * 2 * tile)), y = std::vector<float>(x.size());
  Bench bench{copyKernel};

  Copy() {
    bench.arrays(x, y);
    bench.launch.blocks = blocks;
    bench.launch.mode = Mode::Checked;
  }
  // On the part itself: a copy of it could be another one the next time.
  LaunchResult run(int64_t hasty = -1, int64_t itself = -1) {
    std::vector<int64_t> args = {bench.args[0], bench.args[1], hasty, itself};
    bench.launch.platform = findPlatform("Ascend910B1");
    bench.launch.args = args;
    bench.launch.global = bench.ranges;
    return launch(bench.launch);
  }
};

void expectEqual(const Timing &left, const Timing &right) {
  EXPECT_EQ(left.cycles, right.cycles);
  EXPECT_EQ(left.coreCycles, right.coreCycles);
  EXPECT_EQ(left.busy, right.busy);
  EXPECT_EQ(left.hbmBytes, right.hbmBytes);
  EXPECT_EQ(left.byLoc, right.byLoc);
  EXPECT_EQ(left.bound, right.bound);
  EXPECT_EQ(left.cores.size(), right.cores.size());
  ASSERT_EQ(left.traffic.size(), right.traffic.size());
  for (size_t i = 0; i < left.traffic.size(); ++i)
    EXPECT_EQ(left.traffic[i].read, right.traffic[i].read);
}

} // namespace

TEST(KnownLaunches, AHazardOfOneBlockIsFoundAmongCleanOnes) {
  for (int64_t hasty : {-1, 7, -1, 7, 0, int(blocks) - 1, -1}) {
    LaunchResult result = Copy().run(hasty);
    if (hasty < 0) {
      EXPECT_TRUE(result.findings.empty());
      continue;
    }
    ASSERT_EQ(result.findings.size(), 1u) << hasty;
    EXPECT_EQ(result.findings[0].id.str(), "order.raw");
    EXPECT_EQ(result.findings[0].block, hasty);
  }
}

TEST(KnownLaunches, ABlockThatReadsWhatItWroteIsLookedAtItself) {
  for (int64_t itself : {-1, 30, -1, 30}) {
    LaunchResult result = Copy().run(-1, itself);
    ASSERT_EQ(result.findings.size(), itself < 0 ? 0u : 1u);
    if (itself < 0)
      continue;
    EXPECT_EQ(result.findings[0].id.str(), "order.raw");
    EXPECT_EQ(result.findings[0].block, itself);
  }
}

TEST(KnownLaunches, TimeIsWhatReplayGives) {
  int64_t cycles[2] = {};
  for (bool warm : {false, true}) {
    Copy copy;
    copy.bench.launch.replay.warmL2 = warm;
    LaunchResult first = copy.run(), again = copy.run();
    copy.bench.launch.keepTraces = true;
    LaunchResult anew = copy.run();
    expectEqual(first.timing, anew.timing);
    expectEqual(again.timing, anew.timing);
    EXPECT_EQ(again.calls, anew.calls);
    EXPECT_EQ(copy.y, copy.x);
    cycles[warm] = again.timing.cycles;
  }
  EXPECT_GT(cycles[false], cycles[true]);
}

TEST(KnownLaunches, ArraysElsewhereAndOtherOptionsHaveTimesOfTheirOwn) {
  Copy copy;
  std::vector<ArrayRange> arrays = {{copy.bench.args[0], int64_t(copy.x.size() * 4)}};
  EXPECT_TRUE(copy.run().timing.traffic.empty());
  copy.bench.launch.replay.arrays = arrays;
  ASSERT_EQ(copy.run().timing.traffic.size(), 1u);
  EXPECT_EQ(copy.run().timing.traffic[0].read, arrays[0].size);
  copy.bench.launch.blocks = blocks - 1; // the last tile is not read beyond its array then
  int64_t aligned = copy.run().timing.cycles;
  copy.bench.args[0] += 32; // across the lines of L2 and units of GM
  EXPECT_NE(copy.run().timing.cycles, aligned);
  copy.bench.args[0] -= 32;
  EXPECT_EQ(copy.run().timing.cycles, aligned);
}

TEST(KnownLaunches, FlagsThatLeakAreFoundEveryTime) {
  auto leaky = [](TsCore *core, const int64_t *args) {
    load(core, ub(0), args[0] + tsm_block_idx(core, 0) * tile * 4, tile * 4, 1);
    tsm_set_flag(core, 2, MTE2, V, 0);
  };
  for (int round = 0; round < 3; ++round) {
    Copy copy;
    copy.bench.launch.kernel = leaky;
    LaunchResult result = copy.run();
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].id.str(), "flag.unpaired-set");
    EXPECT_EQ(result.findings[0].count, blocks);
  }
}
