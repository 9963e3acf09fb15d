// Blocks of a cube core and two vector cores: who runs what, what their flags mean, what is found and what it costs.
#include "CoreTesting.h"

using namespace tilesmith;
using namespace tilesmith::machine;
using namespace tilesmith::machine::testing;

namespace {

using isa::KernelType;

bool isCube(TsCore *core) { return tsm_core_kinds(core) == 1; }
int64_t sub(TsCore *core) { return tsm_sub_block_idx(core); }
int64_t l1(int64_t offset) { return at(Memory::L1, offset); }

constexpr int64_t bytes = 1024;

Bench bench(TsKernelFn kernel, const char *platform = "Ascend910B1", KernelType type = KernelType::MixAic_1_2) {
  Bench bench(kernel);
  bench.platform = *findPlatform(platform);
  bench.launch.type = type;
  bench.launch.mode = Mode::Checked;
  return bench;
}

std::string order; // what the cores did, in order

std::string all(const LaunchResult &result) {
  std::string text;
  for (const Finding &finding : result.findings)
    text += (text.empty() ? "" : "\n") + finding.id.str() + ": " + finding.text;
  return text;
}

void setFlag(TsCore *core, int64_t pipe, int64_t mode, int64_t id, int64_t loc = 0) {
  tsm_cross_core_set(core, loc, pipe, mode, id);
}
void waitFlag(TsCore *core, int64_t id, int64_t pipe = S, int64_t mode = 0, int64_t loc = 0) {
  tsm_cross_core_wait(core, loc, pipe, mode, id);
}

// A vector core stores its half, the cube core loads both to L1. `flags` bit 0: the set, bit 1: the wait.
template <int flags> void vectorFirst(TsCore *core, const int64_t *args) {
  int64_t block = tsm_block_idx(core, 0);
  if (!isCube(core)) {
    tsm_duplicate(core, 0, F32, ub(0), 0, bytes / 4);
    passFlag(core, V, MTE3);
    store(core, args[0] + block * bytes, ub(0), bytes, 1);
    if (flags & 1)
      setFlag(core, MTE3, 2, 3);
    return;
  }
  if (flags & 2)
    waitFlag(core, 3);
  load(core, l1(0), args[0] + 2 * block * bytes, 2 * bytes, 2);
}

// The cube core hands each tile over; vector cores read it. With `back` they say when they have.
template <int tiles, bool back> void cubeFirst(TsCore *core, const int64_t *args) {
  for (int64_t i = 0; i < tiles; ++i) {
    if (isCube(core)) {
      if (back && i > 0)
        waitFlag(core, 1);
      tsm_set_value(core, 1, F32, args[0], i);
      setFlag(core, S, 2, 0, 2);
    } else {
      waitFlag(core, 0);
      load(core, ub(0), args[0], 32, 3);
      if (back && i + 1 < tiles)
        setFlag(core, MTE2, 2, 1);
      tsm_pipe_barrier(core, 0, MTE2);
    }
  }
}

} // namespace

TEST(Mixed, EachCoreRunsTheBodyOnceAndKnowsItsPlace) {
  auto kernel = [](TsCore *core, const int64_t *) {
    order += (isCube(core) ? 'c' : 'v') + std::to_string(tsm_block_idx(core, 0)) + "/" +
             std::to_string(tsm_block_num(core, 0)) + "." + std::to_string(sub(core)) + "/" +
             std::to_string(tsm_sub_block_num(core)) + " ";
  };
  Bench both = bench(kernel);
  both.launch.blocks = 2;
  order.clear();
  EXPECT_EQ(all(both.run()), "");
  EXPECT_EQ(order, "c0/2.0/1 v0/2.0/2 v1/2.1/2 c1/2.0/1 v2/2.0/2 v3/2.1/2 ");
  order.clear();
  both.launch.late = Late::Consumers; // so that whoever reads without waiting reads too early
  EXPECT_EQ(all(both.run()), "");
  EXPECT_EQ(order, "v1/2.1/2 v0/2.0/2 c0/2.0/1 v3/2.1/2 v2/2.0/2 c1/2.0/1 ");
  order.clear();
  both.launch.type = KernelType::MixAic_1_1;
  both.launch.late = Late::None;
  EXPECT_EQ(all(both.run()), "");
  EXPECT_EQ(order, "c0/2.0/1 v0/2.0/1 c1/2.0/1 v1/2.0/1 ");
}

TEST(Mixed, AKernelSaysItsTypeBeforeAnythingElse) {
  auto first = [](TsCore *core, const int64_t *) {
    tsm_kernel_type(core, 1, int64_t(KernelType::MixAic_1_2));
    order += isCube(core) ? 'c' : 'v';
  };
  auto tooLate = [](TsCore *core, const int64_t *) {
    tsm_block_idx(core, 0);
    tsm_kernel_type(core, 1, int64_t(KernelType::MixAic_1_2));
  };
  for (Late late : {Late::None, Late::Consumers}) {
    Bench said = bench(first);
    said.launch.type = {};
    said.launch.serial = true;
    said.launch.blocks = 2;
    said.launch.late = late;
    order.clear();
    LaunchResult result = said.run();
    EXPECT_EQ(all(result), "");
    EXPECT_EQ(order, late == Late::None ? "cvvcvv" : "vvcvvc");
    EXPECT_EQ(result.type, KernelType::MixAic_1_2);
  }
  Bench late = bench(tooLate);
  late.launch.type = {};
  late.launch.serial = true;
  EXPECT_EQ(only(late.run()), "kernel.type: a mixed kernel says its type before anything else it does, in every block: "
                              "which cores run it depends on it");
}

TEST(Mixed, ACoreHasOnlyItsOwnUnits) {
  auto kernel = [](TsCore *core, const int64_t *) {
    tsm_duplicate(core, 1, F32, ub(0), 0, 64);
    tsm_fill_l1(core, 2, F16, l1(0), 1, 16, 0, 0);
  };
  EXPECT_EQ(all(bench(kernel).run()),
            "core.no-unit: duplicate needs a vector core (AIV); AIC of block 0 is a cube core (AIC)\n"
            "core.no-unit: fill_l1 needs a cube core (AIC); AIV 0 of block 0 is a vector core (AIV)");
}

// One source serves both kinds: flags and barriers of pipes a core lacks are compiled away in people's own code, and
// only there.
TEST(Mixed, FlagsOfPipesTheCoreLacksAreLeftOut) {
  auto kernel = [](TsCore *core, const int64_t *) {
    passFlag(core, MTE2, V);
    passFlag(core, MTE1, M);
    tsm_pipe_barrier(core, 0, V);
    tsm_pipe_barrier(core, 0, M);
  };
  Bench own = bench(kernel);
  own.launch.autoSync = true;
  own.launch.keepTraces = true;
  LaunchResult result = own.run();
  EXPECT_EQ(all(result), "");
  ASSERT_EQ(result.traces.size(), 3u);
  for (const BlockTrace &trace : result.traces)
    EXPECT_EQ(trace.calls.size(), 3u);
  own.launch.autoSync = false;
  EXPECT_FALSE(own.run().findings.empty());
}

TEST(Mixed, AWaitOfTheCubeCoreCollectsBothVectorCores) {
  for (const char *platform : {"Ascend910B1", "Ascend950PR_9599"})
    for (Late late : {Late::None, Late::Consumers, Late::Producers})
      for (int64_t blocks : {1, 3, 100}) { // 100: in waves
        std::vector<float> data(size_t(blocks * 2 * bytes / 4), 1);
        Bench complete = bench(vectorFirst<3>, platform);
        complete.launch.blocks = blocks;
        complete.launch.late = late;
        EXPECT_EQ(all(complete.arrays(data).run()), "");
        EXPECT_EQ(data, std::vector<float>(data.size(), 0));
      }
}

TEST(Mixed, AMissingSetOrWaitIsFound) {
  std::vector<float> data(2 * bytes / 4);
  EXPECT_EQ(all(bench(vectorFirst<2>).arrays(data).run()),
            "deadlock.cross-wait: AIC of block 0 waits on S for cross-core flag 3, which nothing sets any more");
  std::string race = all(bench(vectorFirst<1>).arrays(data).run());
  EXPECT_NE(race.find("cross.read-write: AIC of block 0 reads x["), std::string::npos) << race;
  EXPECT_NE(race.find("while AIV 1 of block 0 writes it"), std::string::npos) << race;
  EXPECT_NE(
      race.find("cross.unpaired-set: cross-core flag 3 of AIC of block 0 is still set (1 more than it waited for) "
                "when the kernel ends: it leaks into the next one"),
      std::string::npos)
      << race;
}

TEST(Mixed, OneVectorCoreAloneDoesNotSatisfyTheCubeCore) {
  auto kernel = [](TsCore *core, const int64_t *) {
    if (isCube(core))
      return waitFlag(core, 3);
    if (sub(core) == 1)
      return;
    setFlag(core, MTE3, 2, 3);
    setFlag(core, MTE3, 2, 3);
  };
  std::string text = all(bench(kernel).run());
  EXPECT_NE(text.find("deadlock.cross-wait: AIC of block 0 waits on S for cross-core flag 3"), std::string::npos)
      << text;
}

TEST(Mixed, ASetOfTheCubeCoreReachesBothVectorCores) {
  std::vector<float> data(64);
  EXPECT_EQ(all(bench(cubeFirst<10, true>).arrays(data).run()), "");
  std::string race = all(bench(cubeFirst<2, false>).arrays(data).run());
  EXPECT_NE(race.find("cross.read-write"), std::string::npos) << race; // the second tile overwrites the first
}

TEST(Mixed, FlagsCountToFifteen) {
  std::vector<float> data(64);
  auto ahead = [](TsCore *core, const int64_t *) {
    for (int i = 0; i < 16; ++i)
      isCube(core) ? setFlag(core, FIX, 2, 5, 7) : waitFlag(core, 5);
  };
  EXPECT_EQ(
      all(bench(ahead).run()),
      "cross.flag-overflow: cross-core flag 5 may be set more than 15 times ahead of its waits: nothing orders this "
      "set after the wait that makes room for it");
  EXPECT_EQ(all(bench(cubeFirst<40, true>).arrays(data).run()), ""); // never more than one ahead
}

TEST(Mixed, ModesReachWhoTheyName) {
  auto pair = [](TsCore *core, const int64_t *) { // mode 1: both vector cores, not the cube core
    if (isCube(core))
      return;
    setFlag(core, MTE3, 1, 2);
    waitFlag(core, 2);
  };
  EXPECT_EQ(all(bench(pair).run()), "");
  auto everywhere = [](TsCore *core, const int64_t *) { // mode 0: cores of one kind of all blocks
    setFlag(core, isCube(core) ? FIX : MTE3, 0, 4);
    waitFlag(core, 4);
  };
  Bench blocks = bench(everywhere);
  blocks.launch.blocks = 5;
  EXPECT_EQ(all(blocks.run()), "");
  blocks.launch.blocks = 25;
  EXPECT_NE(all(blocks.run())
                .find("cross.waves: blocks that wait for each other must all run at once: the launch has 25 "
                      "and the chip 24 cores"),
            std::string::npos);
  auto one = [](TsCore *core, const int64_t *) { // mode 4: one vector core each way, on its own ids
    if (isCube(core)) {
      setFlag(core, FIX, 4, 3);
      setFlag(core, FIX, 4, 16 + 3);
      waitFlag(core, 6, S, 4);
      waitFlag(core, 16 + 6, S, 4);
    } else {
      waitFlag(core, 3, V, 4);
      setFlag(core, MTE3, 4, 6);
    }
  };
  EXPECT_EQ(all(bench(one, "Ascend950PR_9599").run()), "");
  EXPECT_NE(all(bench(one).run()).find("cross.no-flag: Ascend910B1 has no cross-core flags of mode 4"),
            std::string::npos);
}

TEST(Mixed, BlocksOfOneCoreHaveNoFlagsInside) {
  auto kernel = [](TsCore *core, const int64_t *) { setFlag(core, MTE3, 2, 1); };
  Bench alone = bench(kernel, "Ascend910B1", KernelType::AivOnly);
  alone.launch.serial = true;
  EXPECT_EQ(only(alone.run()),
            "cross.no-flag: a cross-core flag of mode 2 is between the cube core and the vector cores "
            "of a block; a block of this kernel is one core");
}

// On the 950 a wait holds its pipe, and the scalar unit goes on: the set it issues next is what the cube core waits for
// before it sets the first one.
TEST(Mixed, AWaitOnAPipeDoesNotHoldTheCore) {
  auto kernel = [](TsCore *core, const int64_t *args) {
    if (isCube(core)) {
      waitFlag(core, 1);
      tsm_set_value(core, 0, F32, args[0], 0x40000000); // 2
      setFlag(core, S, 2, 0);
      return;
    }
    waitFlag(core, 0, MTE2);
    load(core, ub(0), args[0], 32);
    setFlag(core, MTE3, 2, 1);
    passFlag(core, MTE2, V);
    tsm_adds(core, 0, F32, ub(64), ub(0), 0x3f800000, 8);
    passFlag(core, V, MTE3);
    store(core, args[1] + sub(core) * 32, ub(64), 32);
  };
  for (Late late : {Late::None, Late::Consumers, Late::Producers}) {
    std::vector<float> in(8, 0), out(16, 0);
    Bench pipes = bench(kernel, "Ascend950PR_9599");
    pipes.launch.late = late;
    EXPECT_EQ(all(pipes.arrays(in, out).run()), "");
    EXPECT_EQ(out[0], 3);
    EXPECT_EQ(out[8], 3);
  }
}

TEST(Mixed, TimeGoesThroughFlags) {
  // The vector cores start when the cube core has loaded; all three begin together.
  auto after = [](TsCore *core, const int64_t *args) {
    if (isCube(core)) {
      load(core, l1(0), args[0], 65536);
      setFlag(core, MTE2, 2, 0);
    } else {
      waitFlag(core, 0);
      load(core, ub(0), args[0], 65536);
    }
  };
  auto beside = [](TsCore *core, const int64_t *args) { load(core, isCube(core) ? l1(0) : ub(0), args[0], 65536); };
  std::vector<float> data(65536 / 4);
  auto cycles = [&](TsKernelFn kernel, int64_t blocks) {
    Bench timed = bench(kernel);
    timed.launch.blocks = blocks;
    return timed.arrays(data).run().timing;
  };
  Timing chain = cycles(after, 1), together = cycles(beside, 1);
  EXPECT_GT(chain.cycles, together.cycles + 300);
  EXPECT_EQ(chain.coreCycles > together.coreCycles, true);
  unsigned cube = unsigned(isa::CoreKind::AIC), vector = unsigned(isa::CoreKind::AIV), mte2 = unsigned(Pipe::MTE2);
  EXPECT_GT(together.busyOf[cube][mte2], 0);
  EXPECT_GT(together.busyOf[vector][mte2], together.busyOf[cube][mte2]);
  EXPECT_EQ(together.busy[mte2], together.busyOf[cube][mte2] + together.busyOf[vector][mte2]);
  // 24 blocks fit at once, ten times as many take ten waves.
  EXPECT_GT(cycles(beside, 240).cycles, cycles(beside, 24).cycles + 3000);
}

TEST(Mixed, LaunchesAreRepeatable) {
  std::vector<float> data(64);
  LaunchResult first;
  for (int i = 0; i < 3; ++i) {
    Bench again = bench(cubeFirst<20, true>);
    again.launch.blocks = 4;
    again.launch.keepTraces = true;
    LaunchResult result = again.arrays(data).run();
    if (i == 0)
      first = std::move(result);
    else {
      EXPECT_EQ(result.callHash, first.callHash);
      EXPECT_EQ(result.timing.cycles, first.timing.cycles);
      EXPECT_EQ(all(result), all(first));
    }
  }
}

// Kernels step through their tiles by the number of blocks; a core that has ended must still come to the end of its
// loop.
TEST(Mixed, ACoreThatEndedStillKnowsItsBlocks) {
  auto kernel = [](TsCore *core, const int64_t *) {
    for (int64_t tile = tsm_block_idx(core, 0); tile < 100; tile += tsm_block_num(core, 0))
      if (isCube(core))
        waitFlag(core, 3);
  };
  EXPECT_EQ(only(bench(kernel).run()),
            "deadlock.cross-wait: AIC of block 0 waits on S for cross-core flag 3, which nothing sets any more");
}
