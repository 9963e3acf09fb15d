// Running blocks: results, host threads, addresses, limits.
#include "CoreTesting.h"
#include <numeric>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace tilesmith;
using namespace tilesmith::machine;
using namespace tilesmith::machine::testing;

namespace {

constexpr int64_t tile = 1024;

// z = x + y, one tile per block.
void addKernel(TsCore *core, const int64_t *args) {
  int64_t offset = tsm_block_idx(core, 0) * tile * 4;
  load(core, ub(0), args[0] + offset, tile * 4);
  load(core, ub(4096), args[1] + offset, tile * 4);
  passFlag(core, MTE2, V);
  tsm_add(core, 0, F32, ub(8192), ub(0), ub(4096), tile);
  passFlag(core, V, MTE3);
  store(core, args[2] + offset, ub(8192), tile * 4);
}

struct Add {
  std::vector<float> x, y, z;
  Bench bench;

  explicit Add(int64_t blocks)
      : x(iota(size_t(blocks * tile))), y(iota(size_t(blocks * tile), 7)), z(x.size(), -1), bench(addKernel) {
    bench.arrays(x, y, z);
    bench.launch.blocks = blocks;
  }
  bool right() const {
    for (size_t i = 0; i < z.size(); ++i)
      if (z[i] != x[i] + y[i])
        return false;
    return true;
  }
};

} // namespace

TEST(Launch, AddsOneTilePerBlock) {
  Add add(20);
  EXPECT_TRUE(add.bench.run().findings.empty());
  EXPECT_TRUE(add.right());
}

TEST(Launch, ResultsDoNotDependOnHostThreads) {
  for (unsigned threads : {1u, 2u, 8u}) {
    Add add(333);
    add.bench.launch.threads = threads;
    EXPECT_TRUE(add.bench.run().findings.empty()) << threads;
    EXPECT_TRUE(add.right()) << threads;
  }
}

TEST(Launch, SeveralThreadsLaunchAtOnce) {
  std::vector<std::thread> callers;
  std::atomic<int> right{0};
  for (int i = 0; i < 4; ++i)
    callers.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        Add add(64);
        add.bench.run();
        right += add.right();
      }
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(right, 80);
}

TEST(Launch, WorksInAForkedChild) {
  Add warm(64); // the parent's workers exist
  warm.bench.run();
  pid_t child = fork();
  if (child == 0) {
    Add add(64);
    add.bench.run();
    _exit(add.right() ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(Launch, LaunchInsideAKernelHasACoreOfItsOwn) {
  auto outer = [](TsCore *core, const int64_t *args) {
    load(core, ub(0), args[0], 32);
    Add inner(3);
    inner.bench.run();
    store(core, args[1], ub(0), 32);
  };
  std::vector<float> x = iota(8), y(8);
  Bench bench(outer);
  EXPECT_TRUE(bench.arrays(x, y).run().findings.empty());
  EXPECT_EQ(x, y);
}

TEST(Launch, NothingToDo) {
  Launch empty;
  EXPECT_TRUE(launch(empty).findings.empty());
  Bench none(addKernel);
  none.launch.blocks = 0;
  EXPECT_TRUE(none.run().findings.empty());
}

TEST(Launch, SerialBlocksRunInOrder) {
  auto kernel = [](TsCore *core, const int64_t *args) {
    int64_t seen = tsm_get_value(core, 0, int64_t(DType::I32), args[0]);
    tsm_set_value(core, 0, int64_t(DType::I32), args[0] + 4 + 4 * tsm_block_idx(core, 0), seen);
    tsm_set_value(core, 0, int64_t(DType::I32), args[0], seen + 1);
  };
  std::vector<int32_t> order(65, 0);
  Bench bench(kernel);
  bench.arrays(order);
  bench.launch.blocks = 64;
  bench.launch.serial = true;
  EXPECT_TRUE(bench.run().findings.empty());
  EXPECT_EQ(order[0], 64);
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(order[size_t(i) + 1], i);
}

TEST(Launch, EndlessLoopIsStopped) {
  auto kernel = [](TsCore *core, const int64_t *) {
    while (tsm_tick(core, 5, 1))
      ;
  };
  Bench bench(kernel);
  bench.launch.maxTicks = 1000;
  LaunchResult result = bench.run();
  EXPECT_EQ(only(result), "limit.while: a while loop did not end within 1000 iterations; the launch was stopped");
  EXPECT_EQ(result.findings[0].loc, 5u);
}

// An endless loop is named, not the one inside that ends each time, nor the one around an endless one.
TEST(Launch, TheTimeLimitNamesTheLoopThatDoesNotEnd) {
  TsKernelFn outer = [](TsCore *core, const int64_t *) {
    while (tsm_tick(core, 5, 1))
      for (int i = 0; tsm_tick(core, 6, i < 10); ++i)
        ;
  };
  TsKernelFn inner = [](TsCore *core, const int64_t *) {
    for (int i = 0; tsm_tick(core, 5, i < 10); ++i)
      while (tsm_tick(core, 6, 1))
        ;
  };
  for (auto [kernel, loc] : {std::pair(outer, 5u), std::pair(inner, 6u)})
    for (Mode mode : {Mode::Fast, Mode::Timed}) {
      Bench bench(kernel);
      bench.launch.timeLimit = 0.05;
      bench.launch.mode = mode;
      LaunchResult result = bench.run();
      EXPECT_TRUE(only(result).starts_with("limit.while: this while loop has not ended after 0.05 s ("))
          << only(result);
      EXPECT_EQ(result.findings[0].loc, loc);
      EXPECT_NE(result.findings[0].help.find("TILESMITH_TIME_LIMIT"), std::string::npos);
      EXPECT_FALSE(result.complete);
      EXPECT_EQ(result.timing.cycles, 0);
    }
}

// Many short loops may take any time together: only one run of a loop counts.
TEST(Launch, TheTimeLimitIsThatOfOneRunOfALoop) {
  auto kernel = [](TsCore *core, const int64_t *) {
    for (int run = 0; run < 400; ++run)
      for (int i = 0; tsm_tick(core, 6, i < 20000); ++i)
        ;
  };
  Bench bench(kernel);
  bench.launch.timeLimit = 0.02;
  EXPECT_EQ(only(bench.run()), "0 findings");
}

TEST(Launch, AWaitThatNeverEndsIsAnErrorInEveryMode) {
  TsKernelFn without = [](TsCore *core, const int64_t *) { tsm_wait_flag(core, 7, V, MTE2, 1); };
  // Each pipe waits for a set that the other has behind its own wait.
  TsKernelFn circle = [](TsCore *core, const int64_t *) {
    tsm_wait_flag(core, 7, V, MTE2, 1);
    tsm_wait_flag(core, 8, MTE2, V, 1);
    tsm_set_flag(core, 9, V, MTE2, 1);
    tsm_set_flag(core, 9, MTE2, V, 1);
  };
  // What the wait needs is issued after a barrier that waits for it.
  TsKernelFn barrier = [](TsCore *core, const int64_t *) {
    tsm_wait_flag(core, 7, V, MTE2, 1);
    tsm_pipe_barrier(core, 8, ALL);
    tsm_set_flag(core, 9, V, MTE2, 1);
  };
  TsKernelFn scalar = [](TsCore *core, const int64_t *) {
    tsm_wait_flag(core, 7, V, S, 1);
    tsm_set_flag(core, 9, V, S, 1);
  };
  for (TsKernelFn kernel : {without, circle, barrier, scalar})
    for (Mode mode : {Mode::Fast, Mode::Timed, Mode::Checked, Mode::Traced}) {
      Bench bench(kernel);
      bench.launch.autoSync = mode == Mode::Fast; // people's own kernels are followed there, too
      bench.launch.mode = mode;
      bench.launch.blocks = 3;
      LaunchResult result = bench.run();
      ASSERT_FALSE(result.findings.empty());
      EXPECT_EQ(result.findings[0].id, "deadlock.wait-flag");
      EXPECT_TRUE(result.findings[0].loc == 7 || result.findings[0].loc == 8);
      EXPECT_FALSE(result.complete);
      EXPECT_EQ(result.timing.cycles, 0);
    }
}

// A set may come after its wait in the program, and more sets than a flag holds are another mistake.
TEST(Launch, WhatEndsIsNotADeadlock) {
  TsKernelFn later = [](TsCore *core, const int64_t *) {
    tsm_wait_flag(core, 1, MTE2, V, 0);
    tsm_set_flag(core, 2, MTE2, V, 0);
  };
  TsKernelFn overrun = [](TsCore *core, const int64_t *) {
    for (int i = 0; i < 20; ++i)
      tsm_set_flag(core, 1, MTE2, V, 0);
    for (int i = 0; i < 20; ++i)
      tsm_wait_flag(core, 2, MTE2, V, 0);
  };
  for (TsKernelFn kernel : {later, overrun})
    for (Mode mode : {Mode::Fast, Mode::Timed}) {
      Bench bench(kernel);
      bench.launch.autoSync = mode == Mode::Fast;
      bench.launch.mode = mode;
      LaunchResult result = bench.run();
      EXPECT_EQ(only(result), "0 findings");
      EXPECT_TRUE(result.complete);
    }
}

TEST(Launch, ScalarFaultIsAFinding) {
  auto kernel = [](TsCore *core, const int64_t *) { tsm_scalar_fault(core, 3, 0); };
  EXPECT_EQ(only(Bench(kernel).run()),
            "operand.scalar-division: an integer is divided by zero, or the quotient does not fit; 0 was used");
}

TEST(Launch, SameFindingOfAllBlocksIsOne) {
  auto kernel = [](TsCore *core, const int64_t *) {
    for (int i = 0; i < 3; ++i)
      tsm_abs(core, 9, F32, ub(196608), ub(0), 8);
  };
  Bench bench(kernel);
  bench.launch.blocks = 40;
  LaunchResult result = bench.run();
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].count, 120);
  EXPECT_EQ(result.findings[0].block, 0);
}

TEST(Launch, KeepsAHundredFindingsPerBlock) {
  auto kernel = [](TsCore *core, const int64_t *) {
    for (int64_t loc = 1; loc <= 500; ++loc)
      tsm_abs(core, loc, F32, ub(196608), ub(0), 8);
  };
  EXPECT_EQ(Bench(kernel).run().findings.size(), 100u);
}

TEST(DeviceAddresses, OverlappingArraysShareARange) {
  std::vector<uint8_t> bytes(4096);
  uint8_t *base = bytes.data();
  HostRange inputs[] = {{base + 1000, 500}, {base, 1100}, {base + 2000, 10},
                        {base + 2010, 10},  {nullptr, 0}, {base + 1200, 100}};
  std::vector<GlobalRange> ranges;
  std::vector<int64_t> addresses = assignDeviceAddresses(inputs, ranges);
  ASSERT_EQ(ranges.size(), 3u); // the touching pair stays apart
  EXPECT_EQ(addresses[0] - addresses[1], 1000);
  EXPECT_EQ(addresses[5] - addresses[1], 1200);
  EXPECT_EQ(ranges[0].device, addresses[1]);
  EXPECT_EQ(ranges[0].size, 1500);
  for (const GlobalRange &range : ranges)
    EXPECT_EQ(range.device % 512, 0);
  for (size_t i = 0; i + 1 < ranges.size(); ++i)
    EXPECT_LT(ranges[i].device + ranges[i].size, ranges[i + 1].device);
  // The same arrays elsewhere on the host get the same addresses.
  std::vector<uint8_t> other(8192);
  HostRange moved[6];
  for (int i = 0; i < 6; ++i)
    moved[i] = {inputs[i].data ? other.data() + 64 + (inputs[i].data - base) : nullptr, inputs[i].size};
  EXPECT_EQ(assignDeviceAddresses(moved, ranges), addresses);
}

TEST(Launch, AliasingArgumentsAreTheSameBytes) {
  auto kernel = [](TsCore *core, const int64_t *args) {
    load(core, ub(0), args[0], 64);
    store(core, args[1], ub(0), 32); // args[1] is 32 bytes further in the same array
  };
  std::vector<float> x = iota(16);
  std::vector<GlobalRange> ranges;
  auto *bytes = reinterpret_cast<uint8_t *>(x.data());
  HostRange inputs[] = {{bytes, 64}, {bytes + 32, 32}};
  Bench bench(kernel);
  bench.args = assignDeviceAddresses(inputs, bench.ranges);
  EXPECT_TRUE(bench.run().findings.empty());
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(x[size_t(i) + 8], float(i));
}

TEST(Abi, EveryEntryHasASymbol) {
  std::set<std::string> names;
  for (const AbiSymbol &symbol : abiSymbols()) {
    EXPECT_NE(symbol.address, nullptr) << symbol.name;
    EXPECT_TRUE(names.insert(symbol.name).second) << symbol.name << " is there twice";
  }
  for (unsigned i = 0; i < isa::numOpcodes; ++i)
    EXPECT_TRUE(names.contains("tsm_" + std::string(isa::getInstruction(isa::Opcode(i)).mnemonic))) << i;
}

TEST(Launch, AnalysisDoesNotDependOnHostThreads) {
  // A kernel with a hazard of its own, and one between blocks.
  auto kernel = [](TsCore *core, const int64_t *args) {
    int64_t offset = tsm_block_idx(core, 0) * tile * 4;
    load(core, ub(0), args[0] + offset, tile * 4, 1);
    tsm_add(core, 2, F32, ub(8192), ub(0), ub(0), tile); // nobody waited for the load
    passFlag(core, V, MTE3);
    store(core, args[2], ub(8192), tile * 4, 3); // all blocks to the same place
  };
  LaunchResult first;
  for (unsigned threads : {1u, 2u, 8u}) {
    Add add(48);
    add.bench.launch.kernel = kernel;
    add.bench.platform = *findPlatform("Ascend910B1");
    add.bench.launch.mode = Mode::Traced;
    add.bench.launch.threads = threads;
    LaunchResult result = add.bench.run();
    EXPECT_GE(result.findings.size(), 2u);
    EXPECT_EQ(result.calls, 48 * 6);
    EXPECT_GT(result.timing.cycles, 0);
    if (threads == 1) {
      first = std::move(result);
      continue;
    }
    EXPECT_EQ(result.timing.cycles, first.timing.cycles);
    EXPECT_EQ(result.timing.timeline.size(), first.timing.timeline.size());
    ASSERT_EQ(result.findings.size(), first.findings.size());
    for (size_t i = 0; i < first.findings.size(); ++i) {
      EXPECT_EQ(result.findings[i].id, first.findings[i].id);
      EXPECT_EQ(result.findings[i].text, first.findings[i].text);
      EXPECT_EQ(result.findings[i].block, first.findings[i].block);
      EXPECT_EQ(result.findings[i].count, first.findings[i].count);
    }
  }
}

TEST(Launch, CheckedRunOfACompleteKernelFindsNothing) {
  for (Late late : {Late::None, Late::Consumers, Late::Producers}) {
    Add add(30);
    add.bench.platform = *findPlatform("Ascend910B1");
    add.bench.launch.mode = Mode::Checked;
    add.bench.launch.late = late;
    LaunchResult result = add.bench.run();
    EXPECT_EQ(only(result), "0 findings");
    EXPECT_TRUE(add.right());
  }
}

TEST(Launch, CheckedAndLateBlocksStartFromNaNBytes) {
  auto kernel = [](TsCore *core, const int64_t *args) {
    tsm_pipe_barrier(core, 0, ALL);
    store(core, args[0] + tsm_block_idx(core, 0) * 64, ub(4096), 64);
    tsm_pipe_barrier(core, 0, ALL);
    tsm_duplicate(core, 0, F32, ub(4096), 0, 16); // for the next block to find
  };
  Add before(4); // fast launches leave anything behind
  before.bench.run();
  std::vector<uint32_t> seen(16 * 8);
  for (Late late : {Late::None, Late::Consumers}) {
    Bench bench(kernel);
    bench.platform = *findPlatform("Ascend910B1");
    bench.launch.blocks = 8;
    bench.launch.threads = 1;
    bench.launch.mode = Mode::Checked;
    bench.launch.late = late;
    bench.arrays(seen).run();
    EXPECT_EQ(seen, std::vector<uint32_t>(16 * 8, 0xFFFFFFFF));
  }
}

// An idle block of a matrix kernel was taken for a vector core, which has none of the kernel's flags.
TEST(Launch, IdleBlocksAreCoresOfTheKernelsKind) {
  auto kernel = [](TsCore *core, const int64_t *) {
    passFlag(core, MTE1, MTE2);
    if (tsm_block_idx(core, 0) == 0)
      tsm_fill_l1(core, 0, F16, at(Memory::L1, 0), 1, 16, 0, 0);
  };
  for (std::optional<isa::KernelType> type : {std::optional<isa::KernelType>(), {isa::KernelType::AicOnly}}) {
    Bench bench(kernel);
    bench.platform = *findPlatform("Ascend910B1");
    bench.launch.type = type;
    bench.launch.blocks = 2;
    bench.launch.mode = Mode::Checked;
    EXPECT_EQ(only(bench.run()), "0 findings");
  }
}
