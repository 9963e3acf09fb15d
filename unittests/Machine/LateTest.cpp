// Late mode: a kernel with a missing wait computes something else, a complete one does not.
#include "CoreTesting.h"

using namespace tilesmith;
using namespace tilesmith::machine;
using namespace tilesmith::machine::testing;

namespace {

constexpr int64_t tile = 64, bytes = tile * 4;

// What the kernel leaves in an array of `count` floats, given 0, 1, 2 ... .
std::vector<float> outcome(TsKernelFn kernel, Arch arch, Late late, size_t count = tile) {
  std::vector<float> x = iota(count), y(count, -1);
  Bench bench(kernel, arch);
  bench.launch.late = late;
  LaunchResult result = bench.arrays(x, y).run();
  EXPECT_EQ(only(result), "0 findings");
  return y;
}

bool survives(TsKernelFn kernel, Arch arch, size_t count = tile) {
  std::vector<float> normal = outcome(kernel, arch, Late::None, count);
  return outcome(kernel, arch, Late::Consumers, count) == normal &&
         outcome(kernel, arch, Late::Producers, count) == normal;
}

} // namespace

TEST(Late, CompleteKernelIsUnchanged) {
  auto kernel = [](TsCore *core, const int64_t *args) {
    load(core, ub(0), args[0], bytes);
    passFlag(core, MTE2, V);
    tsm_adds(core, 0, F32, ub(1024), ub(0), 0x3f800000, tile);
    tsm_pipe_barrier(core, 0, V);
    tsm_adds(core, 0, F32, ub(2048), ub(1024), 0x3f800000, tile);
    passFlag(core, V, MTE3);
    store(core, args[1], ub(2048), bytes);
  };
  EXPECT_TRUE(survives(kernel, Arch::C220));
  EXPECT_TRUE(survives(kernel, Arch::C310));
}

TEST(Late, MissingWaitBeforeUseShows) {
  auto kernel = [](TsCore *core, const int64_t *args) {
    load(core, ub(0), args[0], bytes); // nobody waits for it
    tsm_adds(core, 0, F32, ub(1024), ub(0), 0x3f800000, tile);
    passFlag(core, V, MTE3);
    store(core, args[1], ub(1024), bytes);
  };
  EXPECT_FALSE(survives(kernel, Arch::C220));
  EXPECT_FALSE(survives(kernel, Arch::C310));
}

TEST(Late, MissingReverseWaitShows) {
  // Two tiles through one buffer; the second load does not wait until V has read the first.
  auto kernel = [](TsCore *core, const int64_t *args) {
    for (int64_t i = 0; i < 2; ++i) {
      load(core, ub(0), args[0] + i * bytes, bytes);
      passFlag(core, MTE2, V, i);
      tsm_adds(core, 0, F32, ub(1024 + i * bytes), ub(0), 0x3f800000, tile);
    }
    passFlag(core, V, MTE3);
    store(core, args[1], ub(1024), 2 * bytes);
  };
  EXPECT_FALSE(survives(kernel, Arch::C220, 2 * tile));
  auto complete = [](TsCore *core, const int64_t *args) {
    tsm_set_flag(core, 0, V, MTE2, 0);
    for (int64_t i = 0; i < 2; ++i) {
      tsm_wait_flag(core, 0, V, MTE2, 0);
      load(core, ub(0), args[0] + i * bytes, bytes);
      passFlag(core, MTE2, V, i);
      tsm_adds(core, 0, F32, ub(1024 + i * bytes), ub(0), 0x3f800000, tile);
      tsm_set_flag(core, 0, V, MTE2, 0);
    }
    tsm_wait_flag(core, 0, V, MTE2, 0);
    passFlag(core, V, MTE3);
    store(core, args[1], ub(1024), 2 * bytes);
  };
  EXPECT_TRUE(survives(complete, Arch::C220, 2 * tile));
}

TEST(Late, MissingVectorBarrierShowsOnC220Only) {
  auto kernel = [](TsCore *core, const int64_t *args) {
    load(core, ub(0), args[0], bytes);
    passFlag(core, MTE2, V);
    tsm_adds(core, 0, F32, ub(1024), ub(0), 0x3f800000, tile);
    tsm_adds(core, 0, F32, ub(2048), ub(1024), 0x3f800000, tile);
    passFlag(core, V, MTE3);
    store(core, args[1], ub(2048), bytes);
  };
  EXPECT_FALSE(survives(kernel, Arch::C220));
  EXPECT_TRUE(survives(kernel, Arch::C310));
}

TEST(Late, BarrierOnAllCompletesEverything) {
  auto kernel = [](TsCore *core, const int64_t *args) {
    load(core, ub(0), args[0], bytes);
    tsm_pipe_barrier(core, 0, ALL);
    tsm_adds(core, 0, F32, ub(1024), ub(0), 0x3f800000, tile);
    tsm_pipe_barrier(core, 0, ALL);
    store(core, args[1], ub(1024), bytes);
  };
  EXPECT_TRUE(survives(kernel, Arch::C220));
}

TEST(Late, ScalarReadsTooEarlyWithoutAWait) {
  auto early = [](TsCore *core, const int64_t *args) {
    load(core, ub(0), args[0], bytes);
    int64_t value = tsm_get_value(core, 0, F32, ub(32));
    tsm_set_value(core, 0, F32, args[1], value);
  };
  EXPECT_EQ(outcome(early, Arch::C220, Late::None)[0], 8);
  EXPECT_NE(outcome(early, Arch::C220, Late::Consumers)[0], 8);
  auto waiting = [](TsCore *core, const int64_t *args) {
    load(core, ub(0), args[0], bytes);
    passFlag(core, MTE2, S);
    int64_t value = tsm_get_value(core, 0, F32, ub(32));
    tsm_set_value(core, 0, F32, args[1], value);
  };
  EXPECT_TRUE(survives(waiting, Arch::C220));
}

TEST(Late, OverlappingLoadsNeedABarrier) {
  // The second load reads nothing of the first, but a store sees only what a flag completed.
  auto kernel = [](TsCore *core, const int64_t *args) {
    store(core, args[1], ub(0), bytes); // primes nothing: stores poison
    load(core, ub(0), args[0], bytes);
    passFlag(core, MTE2, MTE3);
    store(core, args[1], ub(0), bytes);
  };
  std::vector<float> y = outcome(kernel, Arch::C220, Late::Producers);
  EXPECT_EQ(y, iota(tile)); // the two stores overlap and are applied in order
}

TEST(Late, SmallMmadsNeedABarrierBetweenThem) {
  // C = A B twice into the same result: 2 A B with a barrier. Fractals hold ones (0x3c00).
  static bool barrier, large;
  auto kernel = [](TsCore *core, const int64_t *args) {
    int64_t m = large ? 64 : 16, n = large ? 64 : 16;
    tsm_fill_l1(core, 0, F16, at(Memory::L1, 0), 1, 64, 0, 0x3c00);
    passFlag(core, MTE2, MTE1);
    tsm_load_data_2d(core, 0, F16, at(Memory::L0A, 0), at(Memory::L1, 0), 0, m / 16, 1, 0, 0);
    tsm_load_data_2d(core, 0, F16, at(Memory::L0B, 0), at(Memory::L1, 0), 0, n / 16, 1, 0, 0);
    passFlag(core, MTE1, M);
    tsm_mmad(core, 0, F32, F16, at(Memory::L0C, 0), at(Memory::L0A, 0), at(Memory::L0B, 0), m, n, 16, 0, 1);
    if (barrier)
      tsm_pipe_barrier(core, 0, M);
    tsm_mmad(core, 0, F32, F16, at(Memory::L0C, 0), at(Memory::L0A, 0), at(Memory::L0B, 0), m, n, 16, 0, 0);
    passFlag(core, M, FIX);
    tsm_fixpipe_to_gm(core, 0, F32, F32, args[1], at(Memory::L0C, 0), n, m, m, n, 0, 0, 0);
  };
  for (bool isLarge : {false, true})
    for (bool hasBarrier : {false, true}) {
      barrier = hasBarrier;
      large = isLarge;
      size_t count = isLarge ? 64 * 64 : 16 * 16;
      EXPECT_EQ(outcome(kernel, Arch::C220, Late::None, count), std::vector<float>(count, 32));
      EXPECT_EQ(survives(kernel, Arch::C220, count), isLarge || hasBarrier) << isLarge << hasBarrier;
    }
}

TEST(Late, AtomicStoresAddUp) {
  auto kernel = [](TsCore *core, const int64_t *args) {
    load(core, ub(0), args[0], bytes);
    passFlag(core, MTE2, MTE3);
    tsm_set_atomic(core, 0, int64_t(isa::AtomicOp::Add));
    store(core, args[1], ub(0), bytes);
    store(core, args[1], ub(0), bytes);
    tsm_set_atomic(core, 0, int64_t(isa::AtomicOp::None));
  };
  EXPECT_TRUE(survives(kernel, Arch::C220));
  EXPECT_EQ(outcome(kernel, Arch::C220, Late::Consumers)[3], 5); // -1 + 3 + 3
}

TEST(Late, AtomicModeDoesNotHideAMissingBarrier) {
  auto kernel = [](TsCore *core, const int64_t *args) {
    tsm_set_atomic(core, 0, int64_t(isa::AtomicOp::Add)); // concerns stores only
    load(core, ub(0), args[0], bytes);
    passFlag(core, MTE2, V);
    tsm_adds(core, 0, F32, ub(1024), ub(0), 0x3f800000, tile);
    tsm_adds(core, 0, F32, ub(2048), ub(1024), 0x3f800000, tile);
    passFlag(core, V, MTE3);
    store(core, args[1], ub(2048), bytes);
  };
  EXPECT_FALSE(survives(kernel, Arch::C220));
}

TEST(Deadlock, WaitWithoutSet) {
  auto kernel = [](TsCore *core, const int64_t *args) {
    tsm_wait_flag(core, 12, MTE2, V, 3);
    tsm_duplicate(core, 0, F32, ub(0), 0, 64);
  };
  Bench bench(kernel);
  bench.launch.late = Late::Consumers;
  LaunchResult result = bench.run();
  EXPECT_EQ(only(result), "deadlock.wait-flag: V waits for flag 3 from MTE2, which nothing sets before it");
  EXPECT_EQ(result.findings[0].loc, 12u);
}

TEST(Deadlock, ScalarWaitsForASetItHasNotIssued) {
  auto kernel = [](TsCore *core, const int64_t *args) {
    tsm_wait_flag(core, 2, V, S, 0);
    tsm_set_flag(core, 3, V, S, 0);
  };
  Bench bench(kernel);
  bench.launch.late = Late::Producers;
  EXPECT_EQ(only(bench.run()), "deadlock.wait-flag: S waits for flag 0 from V, which nothing sets before it");
}

TEST(Deadlock, TwoPipesWaitForEachOther) {
  auto kernel = [](TsCore *core, const int64_t *args) {
    tsm_wait_flag(core, 1, V, MTE2, 0);
    tsm_set_flag(core, 2, MTE2, V, 0);
    tsm_wait_flag(core, 3, MTE2, V, 0);
    tsm_set_flag(core, 4, V, MTE2, 0);
    // Whatever follows is skipped.
    tsm_duplicate(core, 5, F32, ub(1 << 30), 0, 64);
  };
  for (Late late : {Late::Consumers, Late::Producers}) {
    Bench bench(kernel);
    bench.launch.late = late;
    LaunchResult result = bench.run();
    ASSERT_EQ(result.findings.size(), 2u); // the bad call was refused when it was issued
    EXPECT_EQ(result.findings[1].id, "deadlock.wait-flag");
  }
}

TEST(Deadlock, WaitsOfPipesAheadOfTheirSetAreFine) {
  auto kernel = [](TsCore *core, const int64_t *args) {
    tsm_wait_flag(core, 1, MTE2, V, 0); // the set is issued later, on an independent pipe
    load(core, ub(0), args[0], 32);
    tsm_set_flag(core, 0, MTE2, V, 0);
    tsm_adds(core, 0, F32, ub(1024), ub(0), 0, 8);
    passFlag(core, V, MTE3);
    store(core, args[1], ub(1024), 32);
  };
  EXPECT_TRUE(survives(kernel, Arch::C220, 8));
}
