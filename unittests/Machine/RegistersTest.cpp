// What calls leave behind in a core for later calls: masks, registers of operands, buffer ids, the current pipe.
#include "CoreTesting.h"
#include <algorithm>

using namespace tilesmith;
using namespace tilesmith::machine;
using namespace tilesmith::machine::testing;

namespace {

constexpr int64_t size = 256, one = 0x3f800000;

void zero(TsCore *core) {
  tsm_duplicate(core, 0, F32, ub(0), 0, size);
  tsm_pipe_barrier(core, 0, V);
}
// `repeat` times 64 ones, those that the mask chooses.
void ones(TsCore *core, int64_t mask, int64_t repeat) { tsm_duplicate_r(core, 0, F32, ub(0), one, mask, repeat, 1, 8); }
void finish(TsCore *core, const int64_t *args, int64_t bytes = size * 4) {
  passFlag(core, V, MTE3);
  store(core, args[0], ub(0), bytes);
}

// Where a kernel leaves ones, as runs "first+count".
std::string runs(TsKernelFn kernel, Late late = Late::None) {
  std::vector<float> out(size, -1);
  Bench bench(kernel);
  bench.arrays(out);
  bench.launch.late = late;
  LaunchResult result = bench.run();
  if (!result.findings.empty())
    return result.findings[0].text;
  std::string text;
  for (size_t i = 0; i < out.size();) {
    size_t end = i;
    while (end < out.size() && out[end] == 1)
      ++end;
    if (end > i)
      text += (text.empty() ? "" : " ") + std::to_string(i) + "+" + std::to_string(end - i);
    i = std::max(end, i + 1);
  }
  return text;
}

} // namespace

TEST(Registers, AMaskGivenWithACallStaysForTheNext) {
  EXPECT_EQ(runs([](TsCore *core, const int64_t *args) {
              zero(core);
              ones(core, TS_MASK_GIVEN + 5, 1);
              tsm_pipe_barrier(core, 0, V);
              ones(core, TS_MASK_BITS, 3);
              finish(core, args);
            }),
            "0+5 64+5 128+5");
}

TEST(Registers, APlainNumberOfLanesLeavesTheRegisterAlone) {
  EXPECT_EQ(runs([](TsCore *core, const int64_t *args) {
              zero(core);
              ones(core, 5, 1);
              tsm_pipe_barrier(core, 0, V);
              ones(core, TS_MASK_BITS, 1);
              finish(core, args);
            }),
            "0+64");
}

TEST(Registers, LanesBeyondARepeatDoNotExist) {
  EXPECT_EQ(runs([](TsCore *core, const int64_t *args) {
              zero(core);
              ones(core, TS_MASK_GIVEN + 100, 1); // a float repeat has 64
              finish(core, args);
            }),
            "0+64");
}

TEST(Registers, ANumberMayNameMoreLanesThanTheRegisterHasBits) {
  std::vector<int8_t> out(256, -1);
  Bench bench(
      [](TsCore *core, const int64_t *args) {
        constexpr int64_t I8 = int64_t(DType::I8);
        tsm_duplicate(core, 0, I8, ub(0), 0, 256);
        tsm_pipe_barrier(core, 0, V);
        tsm_duplicate_r(core, 0, I8, ub(0), 1, TS_MASK_GIVEN + 200, 1, 1, 8);
        finish(core, args, 256);
      },
      Arch::C310);
  bench.arrays(out);
  EXPECT_EQ(bench.run().findings.size(), 0u);
  EXPECT_EQ(std::count(out.begin(), out.end(), 1), 200);
}

TEST(Registers, ScatteredLanesAreThoseOfTheCallNotOfItsExecution) {
  // In late mode the call runs after the register has changed.
  for (Late late : {Late::None, Late::Consumers, Late::Producers})
    EXPECT_EQ(runs(
                  [](TsCore *core, const int64_t *args) {
                    zero(core);
                    tsm_mask_lanes(core, 0b1110011, 0);
                    ones(core, TS_MASK_BITS, 1);
                    tsm_mask_lanes(core, -1, -1);
                    finish(core, args);
                  },
                  late),
              "0+2 4+3");
}

TEST(Registers, CounterModeCountsElementsOfTheWholeCall) {
  EXPECT_EQ(runs([](TsCore *core, const int64_t *args) {
              zero(core);
              tsm_mask_mode(core, 1);
              ones(core, TS_MASK_GIVEN + 150, 1);
              finish(core, args);
            }),
            "0+150");
}

TEST(Registers, CounterModeFollowsTheStridesOfTheCall) {
  EXPECT_EQ(runs([](TsCore *core, const int64_t *args) {
              zero(core);
              tsm_mask_mode(core, 1);
              tsm_mask_first(core, 70);
              tsm_duplicate_r(core, 0, F32, ub(0), one, TS_MASK_BITS, 1, 1, 16); // repeats 512 bytes apart
              finish(core, args);
            }),
            "0+64 128+6");
}

TEST(Registers, ACountFormMakesAllLanesActive) {
  EXPECT_EQ(runs([](TsCore *core, const int64_t *args) {
              tsm_mask_mode(core, 1);
              tsm_mask_first(core, 3);
              zero(core);
              ones(core, TS_MASK_BITS, 1);
              finish(core, args);
            }),
            "0+64");
}

TEST(Registers, ACopyOfBlocksLeavesTheMaskAlone) {
  EXPECT_EQ(runs([](TsCore *core, const int64_t *args) {
              zero(core);
              tsm_mask_first(core, 3);
              tsm_copy(core, 0, F32, ub(4096), ub(0), 64);
              ones(core, TS_MASK_BITS, 1);
              finish(core, args);
            }),
            "0+3");
}

TEST(Registers, ABlockBeginsWithAllLanes) {
  std::vector<float> out(size * 2, -1);
  Bench bench([](TsCore *core, const int64_t *args) {
    zero(core);
    ones(core, TS_MASK_BITS, 1);
    tsm_pipe_barrier(core, 0, ALL);
    store(core, args[0] + tsm_block_idx(core, 0) * size * 4, ub(0), size * 4);
    tsm_mask_lanes(core, 1, 0); // the other block of this host thread must not see it
    EXPECT_EQ(tsm_turn(core), 0);
    EXPECT_EQ(tsm_turn(core), 1);
    EXPECT_EQ(tsm_get_register(core, int64_t(isa::Register::Workspace)), 0);
    tsm_set_register(core, int64_t(isa::Register::Workspace), 7);
    EXPECT_EQ(tsm_get_register(core, int64_t(isa::Register::Workspace)), 7);
  });
  bench.arrays(out);
  bench.launch.blocks = 2;
  bench.launch.threads = 1;
  EXPECT_TRUE(bench.run().findings.empty());
  EXPECT_EQ(std::count(out.begin(), out.end(), 1.0f), 128);
}

TEST(Registers, AScaleCanBeSetBefore) {
  std::vector<int32_t> in(64, 6);
  std::vector<uint16_t> out(64);
  Bench bench([](TsCore *core, const int64_t *args) {
    constexpr int64_t I32 = int64_t(DType::I32), half = 0x3800, two = 0x4000;
    load(core, ub(0), args[0], 256);
    passFlag(core, MTE2, V);
    tsm_set_register(core, int64_t(isa::Register::DeqScale), half);
    tsm_cast_dequant(core, 0, F16, I32, ub(1024), ub(0), ub(0), TS_AS_SET, 32);
    tsm_cast_dequant(core, 0, F16, I32, ub(1088), ub(128), ub(128), two, 32);
    passFlag(core, V, MTE3);
    store(core, args[1], ub(1024), 128);
  });
  bench.arrays(in, out);
  EXPECT_TRUE(bench.run().findings.empty());
  EXPECT_EQ(out[0], 0x4200);  // 3
  EXPECT_EQ(out[32], 0x4a00); // 12
}

TEST(Registers, APipeThatLocksABufferIdWaitsForThoseThatUnlockedIt) {
  TsKernelFn kernel = [](TsCore *core, const int64_t *args) {
    tsm_buffer_lock(core, 0, MTE2, 3);
    load(core, ub(0), args[0], 1024);
    tsm_buffer_unlock(core, MTE2, 3);
    tsm_buffer_lock(core, 0, V, 3);
    tsm_adds(core, 0, F32, ub(1024), ub(0), one, 256);
    tsm_buffer_unlock(core, V, 3);
    tsm_buffer_lock(core, 0, MTE3, 3);
    store(core, args[0], ub(1024), 1024);
    tsm_buffer_unlock(core, MTE3, 3);
  };
  for (Arch arch : {Arch::C310, Arch::C220}) {
    std::vector<float> x(256, 1);
    Bench bench(kernel, arch);
    bench.arrays(x);
    bench.launch.late = Late::Consumers;
    bench.run();
    EXPECT_EQ(x[0] == 2, arch == Arch::C310); // the 910B has no buffer ids
  }
}

TEST(Registers, OnlyTheCurrentPipeCanBeDestroyed) {
  Bench bench([](TsCore *core, const int64_t *) {
    EXPECT_EQ(tsm_pipe_current(core), 0);
    tsm_pipe_init(core, 0, 11);
    tsm_pipe_init(core, 0, 12);
    tsm_pipe_destroy(core, 0, 11);
    EXPECT_EQ(tsm_pipe_current(core), 12);
    tsm_pipe_destroy(core, 0, 12);
    EXPECT_EQ(tsm_pipe_current(core), 0);
  });
  EXPECT_TRUE(bench.run().findings.empty());
}
