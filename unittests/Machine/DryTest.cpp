// Dry launches: the time of a launch without its work, the least time, and the limit of replay.
#include "CoreTesting.h"
#include "TraceKernels.h"
#include <cstring>

using namespace tilesmith;
using namespace tilesmith::machine;
using namespace tilesmith::machine::testing;

namespace {

constexpr int64_t tile = 1024, I32 = int64_t(DType::I32);

// z = x + y, one tile per block.
void addTiles(TsCore *core, const int64_t *args) {
  int64_t offset = tsm_block_idx(core, 0) * tile * 4;
  load(core, ub(0), args[0] + offset, tile * 4);
  load(core, ub(4096), args[1] + offset, tile * 4);
  passFlag(core, MTE2, V);
  tsm_add(core, 0, F32, ub(8192), ub(0), ub(4096), tile);
  passFlag(core, V, MTE3);
  store(core, args[2] + offset, ub(8192), tile * 4);
}

// Copies as many tiles as the first number of its first array says.
void copySome(TsCore *core, const int64_t *args) {
  int64_t tiles = tsm_get_value(core, 7, I32, args[0]);
  for (int64_t i = 0; i < tiles; ++i) {
    load(core, ub(0), args[1] + i * tile * 4, tile * 4);
    passFlag(core, MTE2, MTE3);
    store(core, args[2] + i * tile * 4, ub(0), tile * 4);
    passFlag(core, MTE3, MTE2);
  }
}

struct Arrays {
  std::vector<float> x = iota(20 * tile), y = iota(20 * tile, 7), z = std::vector<float>(20 * tile, -1);
  Bench bench;

  explicit Arrays(TsKernelFn kernel, int64_t blocks = 1) : bench(kernel) {
    bench.arrays(x, y, z);
    bench.platform = *findPlatform("Ascend910B1");
    bench.launch.blocks = blocks;
    bench.launch.mode = Mode::Timed;
  }
  LaunchResult run(bool dry) {
    bench.launch.dry = dry;
    return bench.run();
  }
};

void expectSameTime(const Timing &dry, const Timing &full) {
  EXPECT_EQ(dry.cycles, full.cycles);
  EXPECT_EQ(dry.coreCycles, full.coreCycles);
  EXPECT_EQ(dry.busy, full.busy);
  EXPECT_EQ(dry.hbmBytes, full.hbmBytes);
  EXPECT_EQ(dry.bound, full.bound);
  EXPECT_EQ(dry.byLoc, full.byLoc);
}

} // namespace

TEST(Dry, TakesTheTimeOfTheLaunchAndTouchesNothing) {
  Arrays arrays(addTiles, 20);
  LaunchResult full = arrays.run(false);
  arrays.z.assign(arrays.z.size(), -1);
  for (GlobalRange &range : arrays.bench.ranges)
    range.host = nullptr; // whoever touches it dies
  LaunchResult dry = arrays.run(true);
  EXPECT_TRUE(dry.findings.empty());
  EXPECT_FALSE(dry.needsData);
  expectSameTime(dry.timing, full.timing);
  EXPECT_EQ(arrays.z, std::vector<float>(arrays.z.size(), -1));
}

TEST(Dry, ChecksBoundsLikeAnyLaunch) {
  Arrays arrays(addTiles, 21); // one block too many
  EXPECT_EQ(arrays.run(true).findings.size(), arrays.run(false).findings.size());
  EXPECT_FALSE(arrays.run(true).findings.empty());
}

TEST(Dry, AnswersScalarReadsOfDataThatStays) {
  Arrays arrays(copySome);
  int32_t tiles = 5;
  std::memcpy(arrays.x.data(), &tiles, sizeof tiles);
  arrays.bench.ranges[0].constant = true;
  LaunchResult dry = arrays.run(true), full = arrays.run(false);
  EXPECT_FALSE(dry.needsData);
  EXPECT_GT(dry.calls, 5 * 6);
  expectSameTime(dry.timing, full.timing);
}

TEST(Dry, EndsWhereItWouldNeedData) {
  Arrays arrays(copySome, 8);
  LaunchResult result = arrays.run(true);
  EXPECT_EQ(result.needsData, 7u);
  EXPECT_EQ(result.timing.cycles, 0);
  EXPECT_TRUE(result.findings.empty());

  Arrays onChip([](TsCore *core, const int64_t *) { tsm_get_value(core, 3, F32, ub(0)); });
  EXPECT_EQ(onChip.run(true).needsData, 3u);
  Arrays counts([](TsCore *core, const int64_t *) {
    tsm_duplicate(core, 9, F32, ub(0), 0, 64);
    tsm_kept(core);
  });
  EXPECT_EQ(counts.run(true).needsData, 9u);
  Arrays merged([](TsCore *core, const int64_t *) { tsm_merged(core); });
  EXPECT_TRUE(merged.run(true).needsData);
}

TEST(Dry, AFullLaunchAfterADryOneHasItsMemories) {
  Arrays arrays(addTiles, 20);
  arrays.run(true);
  EXPECT_TRUE(arrays.run(false).findings.empty());
  EXPECT_EQ(arrays.z[100], arrays.x[100] + arrays.y[100]);
}

TEST(Least, IsNeverMoreThanReplay) {
  for (const char *name : {"Ascend910B1", "Ascend950PR_9599"}) {
    const Platform &on = *findPlatform(name);
    auto expectBelow = [&](const std::vector<BlockTrace> &traces, double share) {
      int64_t cycles = replay(traces, on, {}).cycles, most = 0;
      for (const BlockTrace &trace : traces) {
        int64_t least = leastCycles(trace, on);
        EXPECT_LE(least, cycles);
        most = std::max(most, least);
      }
      EXPECT_GT(double(most), double(cycles) * share) << name; // or it would be of no use
    };
    expectBelow(test::addKernel(1 << 20, 4096, 1, 2), 0.2);
    expectBelow(test::addKernel(1 << 20, 4096, 40, 2), 0.05);
    expectBelow(test::readKernel(1024, 16, 64, 8), 0.1);
    expectBelow(test::matmulKernel(1024, 128, 128, 8, on.arch), 0.3);
  }
}

TEST(Least, OfALaunchIsThatOfItsFirstBlocks) {
  Arrays arrays(addTiles, 20);
  arrays.bench.launch.keepTraces = true;
  LaunchResult full = arrays.run(true);
  arrays.bench.launch.onlyFirst = 1;
  LaunchResult least = arrays.run(true);
  EXPECT_TRUE(least.timing.atLeast);
  EXPECT_EQ(least.timing.cycles, leastCycles(full.traces[0], arrays.bench.platform));
  EXPECT_EQ(least.calls, int64_t(full.traces[0].calls.size()));
  EXPECT_LT(least.timing.cycles, full.timing.cycles);
}

TEST(ReplayLimit, EndsAReplayThatTakesLongerAndNoOther) {
  const Platform &on = *findPlatform("Ascend910B1");
  std::vector<BlockTrace> traces = test::addKernel(1 << 22, 4096, 40, 2); // much is still on its way to HBM at the end
  Timing whole = replay(traces, on, {});
  auto limited = [&](int64_t cycles) {
    ReplayOptions options;
    options.maxCycles = cycles;
    return replay(traces, on, options);
  };
  Timing same = limited(whole.cycles);
  EXPECT_FALSE(same.atLeast);
  expectSameTime(same, whole);
  for (int64_t cycles : {whole.cycles - 1, whole.cycles / 2, int64_t(1)}) {
    Timing stopped = limited(cycles);
    EXPECT_TRUE(stopped.atLeast) << cycles;
    EXPECT_EQ(stopped.cycles, cycles + 1);
  }
}

TEST(Dry, BlocksEndAfterSoManyCalls) {
  Arrays arrays(addTiles, 20);
  arrays.bench.launch.keepTraces = true;
  LaunchResult whole = arrays.run(true);
  EXPECT_FALSE(whole.isPart);
  size_t calls = whole.traces[0].calls.size();
  arrays.bench.launch.maxCalls = int64_t(calls);
  EXPECT_FALSE(arrays.run(true).isPart);
  arrays.bench.launch.maxCalls = 4;
  LaunchResult part = arrays.run(true);
  EXPECT_TRUE(part.isPart);
  EXPECT_TRUE(part.findings.empty());
  EXPECT_EQ(part.calls, 20 * 4);
  EXPECT_LT(part.timing.cycles, whole.timing.cycles);
}
