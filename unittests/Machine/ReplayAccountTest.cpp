// Where the time of a launch goes: parts that add up, lines, traffic, and what the timeline has beside its bars.
#include "TraceKernels.h"
#include <gtest/gtest.h>
#include <numeric>

using namespace tilesmith;
using namespace tilesmith::machine;
using namespace tilesmith::machine::test;

namespace {

const Platform &b1 = platform("Ascend910B1");
const Platform &p9589 = platform("Ascend950PR_9589");

Timing run(const std::vector<BlockTrace> &traces, const Platform &on, const ReplayOptions &options = {}) {
  return replay(traces, on, options);
}

double atFullRate(const Timing &timing, const Platform &on) { // cycles
  return (double(timing.hbmRead) / double(on.hbmMBps) + double(timing.hbmWritten) / double(on.hbmWriteMBps)) *
         on.clockMHz;
}

} // namespace

TEST(ReplayAccount, ThePartsOfEveryCoreAddUpToItsTime) {
  for (int64_t blocks : {1, 5, 48, 100}) {
    Timing timing = run(addKernel(2 * MiB, 4096, blocks, 2), b1);
    ASSERT_EQ(timing.cores.size(), size_t(std::min<int64_t>(blocks, b1.vectorCores)));
    int64_t ran = 0;
    for (const CoreUse &core : timing.cores) {
      Ticks sum = 0;
      LaneTicks busy = {};
      for (auto [lanes, time] : core.together) {
        sum += time;
        for (unsigned lane = 0; lane < numLanes; ++lane)
          busy[lane] += lanes >> lane & 1 ? time : 0;
      }
      EXPECT_EQ(sum, core.end - core.start);
      EXPECT_EQ(busy, core.busy);
      EXPECT_LE(core.end, timing.cycles * ticksPerCycle);
      ran += core.blocks;
    }
    EXPECT_EQ(ran, blocks);
  }
}

TEST(ReplayAccount, BusyTimesOfAllCoresAreThoseOfThePipes) {
  Timing timing = run(addKernel(2 * MiB, 4096, 100, 2), b1);
  for (unsigned pipe = 0; pipe < lanesPerKind; ++pipe) {
    Ticks sum = 0, most = 0;
    for (const CoreUse &core : timing.cores) {
      Ticks busy = core.busy[laneOf(isa::CoreKind::AIV, pipe)];
      sum += busy;
      most = std::max(most, busy);
    }
    EXPECT_NEAR(double(sum) / ticksPerCycle, double(timing.busy[pipe]), 1);
    EXPECT_NEAR(double(most) / ticksPerCycle, double(timing.busyMax[pipe]), 1) << "over all blocks of a core";
  }
}

TEST(ReplayAccount, LinesOfACoreSumUpToItsPipes) {
  Timing timing = run(addKernel(2 * MiB, 4096, 8, 2), b1);
  const CoreUse &core = timing.cores[timing.critical];
  LaneTicks sum = {};
  for (const LineUse &line : timing.lines)
    for (unsigned lane = 0; lane < numLanes; ++lane)
      sum[lane] += line.busy[lane];
  EXPECT_EQ(sum, core.busy);
  EXPECT_EQ(timing.cycles, (core.end + ticksPerCycle - 1) / ticksPerCycle);
}

// 48 blocks for 3 tiles: the last core starts late, does nothing and ends last.
TEST(ReplayAccount, TheCriticalCoreIsOneThatHadWork) {
  std::vector<BlockTrace> kernel = addKernel(3 * 4096 * 4, 4096, 3, 1);
  while (kernel.size() < 48) {
    TraceBuilder nothing(int64_t(kernel.size()));
    nothing.call(Opcode::BlockIdx, {});
    kernel.push_back(nothing.trace);
  }
  Timing timing = run(kernel, b1);
  EXPECT_EQ(timing.idleBlocks, 45);
  EXPECT_LT(timing.critical, 3u);
  EXPECT_GT(timing.cores[timing.critical].working(), 0);
  EXPECT_LT(timing.cores[timing.critical].end, timing.cycles * ticksPerCycle / 2);
}

// Write-backs that end after the launch, and writes that are faster than reads, once made "104.9 % reached".
TEST(ReplayAccount, NoLaunchIsFasterThanItsBytes) {
  for (const Platform *on : {&b1, &p9589})
    for (int64_t size : {64 * KiB, 1 * MiB, 16 * MiB, 128 * MiB, 512 * MiB})
      for (int64_t blocks : {1, 20, 48}) {
        Timing timing = run(addKernel(size, 8192, blocks, 2), *on);
        EXPECT_LE(atFullRate(timing, *on), double(timing.cycles)) << on->name << " " << size << " " << blocks;
        EXPECT_LE(double(timing.l2Bytes) / double(on->l2MBps) * on->clockMHz, double(timing.cycles));
        EXPECT_EQ(timing.hbmBytes, timing.hbmRead + timing.hbmWritten);
      }
}

TEST(ReplayAccount, TrafficIsToldPerArray) {
  std::vector<BlockTrace> kernel = addKernel(1 * MiB, 4096, 8, 2);
  int64_t first = std::numeric_limits<int64_t>::max(), last = 0, moved = 0;
  for (const BlockTrace &block : kernel)
    for (const Instr &instr : block.calls)
      for (unsigned i = 0; i < instr.numArgs && i < 2; ++i)
        if (instr.info().operands[i].kind == isa::OperandKind::Buffer && instr.address(i).memory() == Memory::GM) {
          first = std::min(first, instr.address(i).offset());
          last = std::max(last, instr.address(i).offset());
          ++moved;
        }
  ASSERT_GT(moved, 0);
  ArrayRange everything[] = {{first, last - first + MiB}, {last + 2 * MiB, MiB}};
  ReplayOptions options;
  options.arrays = everything;
  options.timeline = true;
  Timing timing = run(kernel, b1, options);
  ASSERT_EQ(timing.traffic.size(), 2u);
  EXPECT_EQ(timing.traffic[0].hbmRead, timing.hbmRead);
  EXPECT_EQ(timing.traffic[0].read, 2 * timing.traffic[0].written); // two arrays in, one out
  EXPECT_EQ(timing.traffic[1].read + timing.traffic[1].written, 0);
  int64_t told = 0;
  for (const TimelineEntry &entry : timing.timeline)
    told += entry.array == 0 ? entry.amount : 0;
  EXPECT_EQ(told, timing.traffic[0].read + timing.traffic[0].written);
}

TEST(ReplayAccount, OperandsInOneBankGroupAreCounted) {
  TraceBuilder meeting, apart;
  meeting.add(0, 32768, 65536, 16384);
  apart.add(0, 32768, 65536 + 256, 16384);
  EXPECT_EQ(run({meeting.trace}, b1).lines[0].conflicts, 128 * ticksPerCycle);
  EXPECT_EQ(run({apart.trace}, b1).lines[0].conflicts, 0);
}

TEST(ReplayAccount, AWaitKnowsItsSet) {
  ReplayOptions options;
  options.timeline = true;
  Timing timing = run(addKernel(1 * MiB, 4096, 2, 2), b1, options);
  ASSERT_FALSE(timing.flags.empty());
  for (const FlagEntry &flag : timing.flags) {
    EXPECT_GE(flag.set, 0);
    EXPECT_LE(flag.begin, flag.end);
    EXPECT_GE(flag.end, flag.set);
    EXPECT_NE(flag.setLoc, flag.waitLoc);
  }
  EXPECT_TRUE(run(addKernel(1 * MiB, 4096, 2, 2), b1).flags.empty());
}

TEST(ReplayAccount, AccessesLieInTheMemoriesOfTheCriticalCore) {
  ReplayOptions options;
  options.timeline = true;
  Timing timing = run(addKernel(1 * MiB, 4096, 4, 2), b1, options);
  ASSERT_FALSE(timing.accesses.empty());
  for (const AccessEntry &access : timing.accesses) {
    EXPECT_EQ(timing.timeline[access.entry].block, timing.criticalBlock);
    EXPECT_EQ(access.memory, Memory::UB);
    EXPECT_LT(access.begin, access.end);
    EXPECT_LE(int64_t(access.end), b1.capacityOf(Memory::UB));
  }
}

TEST(ReplayAccount, OperationsAreCounted) {
  TraceBuilder b;
  b.add(0, 32768, 65536, 1000);
  EXPECT_EQ(run({b.trace}, b1).vectorOps, 1000);
  Timing product = run(matmulKernel(512, 128, 128, 4, Arch::C220), b1);
  EXPECT_EQ(product.cubeOps, 2ll * 512 * 512 * 512);
}
