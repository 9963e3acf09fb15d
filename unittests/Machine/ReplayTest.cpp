// Replay: single instructions, pipes and flags, shared memory, launches, and what must hold for any kernel.
#include "TraceKernels.h"
#include <gtest/gtest.h>
#include <map>

using namespace tilesmith;
using namespace tilesmith::machine;
using namespace tilesmith::machine::test;

namespace {

const Platform &b1 = platform("Ascend910B1");
const Platform &p9589 = platform("Ascend950PR_9589");

Timing run(const std::vector<BlockTrace> &traces, const Platform &on, ReplayOptions options = {}) {
  return replay(traces, on, options);
}
Timing run(const TraceBuilder &builder, const Platform &on, ReplayOptions options = {}) {
  return run(std::vector{builder.trace}, on, options);
}

// Cycles of a trace on one core, from its first call to its last effect.
int64_t cyclesOf(const TraceBuilder &builder, const Platform &on) { return run(builder, on).coreCycles; }

} // namespace

//===- Single instructions
//---------------------------------------------------------------------------------------------===//

namespace {

// Cycles of the last call alone, from the timeline.
int64_t duration(const TraceBuilder &builder, const Platform &on) {
  ReplayOptions options;
  options.timeline = true;
  Timing timing = run(builder, on, options);
  int64_t cycles = 0;
  for (const TimelineEntry &entry : timing.timeline)
    if (entry.loc == builder.last())
      cycles = entry.end - entry.begin;
  return cycles;
}

} // namespace

TEST(ReplayInstruction, VectorTimesOfTheBoard) {
  const Platform &b3 = platform("Ascend910B3");
  EXPECT_NEAR(double(duration(TraceBuilder().add(0, 32768, 65536, 4096, DType::F32), b3)), 160, 16);
  EXPECT_NEAR(double(duration(TraceBuilder().add(0, 32768, 65536, 4096, DType::F16), b3)), 92, 9);
  EXPECT_NEAR(double(duration(TraceBuilder().exp(0, 32768, 4096, DType::F32), b3)), 159, 16);
  EXPECT_NEAR(double(duration(TraceBuilder().call(Opcode::Div, {ub(0), ub(32768), ub(65536), 4096}, DType::F32), b3)),
              288, 29);
}

TEST(ReplayInstruction, SourcesInTheSameBankGroupsCostASecondCyclePerRepeat) {
  EXPECT_EQ(duration(TraceBuilder().add(0, 32768, 65536, 16384), b1), 23 + 2 * 128);
  EXPECT_EQ(duration(TraceBuilder().add(0, 32768, 65536 + 256, 16384), b1), 23 + 128);
}

// ADK-EX add on the 950: 95.0 and 99.9 cycles for 32 registers, 380 for 170, both sources in one bank.
TEST(ReplayInstruction, SourcesInOneBankOfAPairAreReadOneAfterTheOther) {
  auto add = [](int64_t src1, int64_t count) {
    return double(duration(TraceBuilder().add(196608, 0, src1, count), p9589));
  };
  EXPECT_NEAR(add(8192, 4096), 97.4, 4);
  EXPECT_NEAR(add(43520, 21760), 380, 8);
  double line = 1.247 * 170 + 55; // PTO A5
  EXPECT_NEAR(add(43520 + 256, 21760), line, 2);
  EXPECT_NEAR(add(0, 21760), line, 2);                   // equal rows are read once
  EXPECT_EQ(add(43520 + 128, 21760), add(43520, 21760)); // half of each register meets
}

TEST(ReplayInstruction, BlocksWrittenIntoOneBankGroupWaitForEachOther) {
  auto strided = [](int64_t blockStride) {
    return TraceBuilder().call(Opcode::AbsR, {ub(0), ub(98304), 128, 16, blockStride, 1, 8, 8});
  };
  EXPECT_EQ(duration(strided(1), b1), 23 + 16);
  EXPECT_EQ(duration(strided(8), b1), 23 + 4 * 16);
  EXPECT_EQ(duration(strided(16), b1), 23 + 8 * 16);
}

// 1000 times Add of 64 repeats of f32 on a board (ADK-EX), 24 cycles and one per repeat where nothing meets. Equal rows
// are read once; a result meets the reads of later repeats, not its own.
TEST(ReplayInstruction, PlacesOfOperandsInBanks) {
  auto add = [](int64_t src1, int64_t dst, int64_t block = 1, int64_t repeat = 8) {
    TraceBuilder b;
    b.call(Opcode::AddR, {ub(dst), ub(0), ub(src1), 64, 64, 1, block, 1, 8, repeat, 8}, DType::F32);
    return double(duration(b, b1));
  };
  EXPECT_NEAR(add(0x10100, 0x20000), 88, 1);
  EXPECT_NEAR(add(0x4000, 0x10000), 154, 3);
  EXPECT_NEAR(add(0x10000, 0x14100), 154, 3);
  EXPECT_NEAR(add(0x10100, 0x4000), 88, 1);
  EXPECT_NEAR(add(0x10100, 0x4020), 139, 6);
  EXPECT_NEAR(add(0x10100, 0x10100), 88, 1);
  EXPECT_NEAR(add(0x10100, 0x10100, 0, 1), 133, 6);
  EXPECT_NEAR(add(0x10100, 0x10100, 0, 8), 88, 1);
}

TEST(ReplayInstruction, CountAndRepeatFormsAgree) {
  TraceBuilder count, repeat;
  count.call(Opcode::Exp, {ub(0), ub(32768), 1024}, DType::F32);
  repeat.call(Opcode::ExpR, {ub(0), ub(32768), 64, 16, 1, 1, 8, 8}, DType::F32);
  EXPECT_EQ(duration(count, b1), duration(repeat, b1));
  // Part of a repeat is a repeat.
  TraceBuilder more;
  more.call(Opcode::Exp, {ub(0), ub(32768), 961}, DType::F32);
  EXPECT_EQ(duration(more, b1), duration(count, b1));
}

TEST(ReplayInstruction, BackToBackInstructionsHideTheirStart) {
  TraceBuilder two, apart;
  two.exp(0, 65536, 8192).exp(16384, 65536, 8192);
  apart.exp(0, 65536, 8192).barrier(Pipe::V).exp(16384, 65536, 8192);
  EXPECT_EQ(cyclesOf(apart, b1) - cyclesOf(two, b1),
            b1.vector[unsigned(isa::CostClass::Transcendental)].fixed + b1.barrier);
}

TEST(ReplayInstruction, MovesAloneTakeWhatTheTableSays) {
  // Misses on one core of a 910B1: KPP.
  for (auto [bytes, cycles] :
       {std::pair(4 * KiB, 291.0), {8 * KiB, 321.0}, {16 * KiB, 404.0}, {32 * KiB, 712.0}, {64 * KiB, 1426.0}})
    EXPECT_NEAR(double(duration(TraceBuilder().load(0, MiB, bytes), b1)), cycles, cycles * 0.15) << bytes;
  // Stores to the same place again.
  for (auto [bytes, cycles] :
       {std::pair(1 * KiB, 151.0), {8 * KiB, 237.0}, {16 * KiB, 316.0}, {32 * KiB, 507.0}, {64 * KiB, 993.0}})
    EXPECT_NEAR(double(duration(TraceBuilder().load(0, MiB, bytes).barrier(Pipe::ALL).store(MiB, 0, bytes), b1)),
                cycles, cycles * 0.15)
        << bytes;
  // And elsewhere.
  EXPECT_EQ(duration(TraceBuilder().store(MiB, 0, 8 * KiB), b1),
            duration(TraceBuilder().load(0, MiB, 8 * KiB).barrier(Pipe::ALL).store(MiB, 0, 8 * KiB), b1) +
                b1.storeMissLatency);
  // Hits: the same bytes again.
  for (auto [bytes, cycles] :
       {std::pair(8 * KiB, 239.0), {32 * KiB, 485.0}, {64 * KiB, 747.0}, {128 * KiB, 1229.0}, {192 * KiB, 1765.0}})
    EXPECT_NEAR(double(duration(TraceBuilder().load(0, MiB, bytes).barrier(Pipe::MTE2).load(0, MiB, bytes), b1)),
                cycles, cycles * 0.15)
        << bytes;
}

TEST(ReplayInstruction, CubeCyclesAreFractals) {
  auto mmad = [](DType inputs) { return TraceBuilder().mmad(128, 256, 64, true, inputs); };
  EXPECT_EQ(duration(mmad(DType::F16), b1), 8 * 16 * 4 + b1.cubeHead + b1.cubeTail);
  EXPECT_EQ(duration(mmad(DType::I8), b1), 8 * 16 * 2 + b1.cubeHead + b1.cubeTail);
  EXPECT_EQ(duration(mmad(DType::F32), b1), 8 * 16 * 8 * 2 + b1.cubeHead + b1.cubeTail);
  EXPECT_EQ(duration(TraceBuilder().mmad(1, 1, 1, true), b1), duration(TraceBuilder().mmad(16, 16, 16, true), b1));
}

TEST(ReplayInstruction, LoadsOfTheRightMatrixAreHalfAsFastOnC220) {
  auto load = [](int64_t dst) { return TraceBuilder().call(Opcode::LoadData_2d, {dst, l1(0), 0, 128, 1, 0, 0}); };
  EXPECT_EQ(duration(load(l0a(0)), b1), 65536 / 256 + b1.l1ToL0a.latency);
  EXPECT_EQ(duration(load(l0b(0)), b1), 65536 / 128 + b1.l1ToL0b.latency);
  // One that follows another is slower.
  TraceBuilder two = load(l0a(0));
  two.call(Opcode::LoadData_2d, {l0a(0), l1(0), 0, 128, 1, 0, 0});
  EXPECT_EQ(duration(two, b1), 65536 / 256 * 13 / 10 + b1.l1ToL0a.latency); // of the second
}

TEST(ReplayInstruction, ScalarAccessesHoldTheIssue) {
  TraceBuilder b;
  for (int i = 0; i < 100; ++i)
    b.get(ub(0));
  EXPECT_EQ(cyclesOf(b, b1), 100 * b1.scalarAccess);
}

//===- Vector functions
//------------------------------------------------------------------------------------------------===//

namespace {

ChainVf elementwise(int64_t cols, isa::CostClass cost, int ops, int loads) {
  return ChainVf(1, cols).load(loads).chain(cost, ops).store();
}

double vfCycles(const ChainVf &vf, const Platform &platform = p9589) {
  return double(duration(TraceBuilder().vf(vf.desc, {}), platform));
}

} // namespace

TEST(ReplayVectorFunction, AgreesWithThePublishedFormulas) {
  for (int64_t n : {8, 32, 128, 512}) {
    EXPECT_NEAR(vfCycles(elementwise(64 * n, isa::CostClass::TwoSource, 1, 2)), 1.247 * double(n) + 55,
                3 + 0.02 * double(n));
    EXPECT_NEAR(vfCycles(elementwise(64 * n, isa::CostClass::OneSource, 1, 1)), 1.059 * double(n) + 53,
                3 + 0.02 * double(n));
    EXPECT_NEAR(vfCycles(elementwise(64 * n, isa::CostClass::Transcendental, 1, 1)), 1.967 * double(n) + 62.7,
                3 + 0.04 * double(n));
    EXPECT_NEAR(vfCycles(elementwise(64 * n, isa::CostClass::Divide, 1, 1)), 1.908 * double(n) + 64.5,
                3 + 0.1 * double(n));
  }
}

namespace {

// Gelu, then three operations with a second operand, over 64 registers as in the measured kernel.
const isa::CostClass twoSource = isa::CostClass::TwoSource, special = isa::CostClass::Transcendental,
                     divide = isa::CostClass::Divide;
ChainVf geluAndMore(bool isSplit) {
  ChainVf vf(1, 64 * 64);
  vf.load().chain(twoSource, 5).chain(special).chain(twoSource).chain(divide);
  if (!isSplit)
    return vf.step(TS_VF_LOAD, 1).chain(twoSource, 3).store();
  vf.store();
  auto second = [&](int kind, int16_t result, std::initializer_list<int16_t> operands) {
    vf.step(kind, result, operands, 5);
  };
  vf.step(int(VfStepKind::Barrier), -1, {}, 4);
  second(TS_VF_LOAD, 1, {});
  second(TS_VF_LOAD, 2, {});
  for (int i = 0; i < 3; ++i)
    second(int(twoSource), 1, {1, 2});
  second(TS_VF_STORE, -1, {1});
  return vf;
}

Platform without(int32_t Platform::*limit) {
  Platform platform = p9589;
  platform.*limit = 0;
  platform.digest = 0;
  return platform;
}

} // namespace

// A long chain fills the window before it fills the ports; two loops over halves of it do not.
TEST(ReplayVectorFunction, SplittingALoopHidesItsChain) {
  double whole = vfCycles(geluAndMore(false)) / 64, split = vfCycles(geluAndMore(true)) / 64;
  EXPECT_GT(whole, 1.1 * split);
  // The ports alone would take (10 + 2 * 4) / 2 cycles for each register.
  EXPECT_GT(split, 9.0);
  EXPECT_LT(split, 12.0);
}

// Ablations: each limit is a line of the platform and can be switched off there.
TEST(ReplayVectorFunction, LimitsAreNumbersOfThePlatform) {
  double all = vfCycles(geluAndMore(false));
  Platform unlimited = without(&Platform::vfWindow);
  unlimited.vfRegisters = 0;
  EXPECT_LT(vfCycles(geluAndMore(false), unlimited), 0.9 * all);
  EXPECT_GT(vfCycles(geluAndMore(false), without(&Platform::vfForward)), 1.1 * all);
  EXPECT_LE(vfCycles(geluAndMore(false), without(&Platform::vfIssue)), all);
}

TEST(ReplayVectorFunction, AnOperationMoreIsNeverFree) {
  double before = 0;
  for (int ops = 1; ops < 40; ++ops) {
    double now = vfCycles(elementwise(6400, twoSource, ops, 2));
    EXPECT_GE(now, before) << ops;
    EXPECT_GE(now, 100 * ops / 2) << ops; // two ports
    before = now;
  }
}

TEST(ReplayVectorFunction, SpecialFunctionsOfNarrowElementsTakeTwice) {
  ChainVf wide = elementwise(64 * 128, special, 1, 1), narrow = wide;
  for (TsVfStep &step : narrow.steps)
    step.narrow = true;
  EXPECT_NEAR(vfCycles(narrow) - vfCycles(wide), 128 * 2, 8);
}

TEST(ReplayVectorFunction, RowsCostTheirReduction) {
  double copied = vfCycles(ChainVf(128, 64).load().chain(twoSource)),
         reduced = vfCycles(ChainVf(128, 64).load().reduce(isa::CostClass::ReduceAdd));
  // One unit reduces, every second cycle.
  EXPECT_GE(reduced, copied + 50);
  EXPECT_LT(reduced, 60 + 128 * 6);
}

// Whatever a platform file says, there is an end.
TEST(ReplayVectorFunction, AnyNumbersGiveAnEnd) {
  for (int32_t number : {0, 1, 1000, 2000000000}) {
    Platform odd = p9589;
    odd.digest = 0;
    odd.vfPorts = odd.vfLoadPorts = odd.vfStorePorts = odd.vfIssue = odd.vfWindow = odd.vfRegisters = number;
    odd.vfMemory = odd.vfForward = odd.vfNarrowSpecial = odd.vfLoad = odd.vfStore = odd.vfRow = number;
    for (VfCost &cost : odd.vfCost)
      cost = {number, number};
    EXPECT_GT(vfCycles(geluAndMore(false), odd), 0) << number;
  }
}

//===- Pipes, flags and queues
//-----------------------------------------------------------------------------------------===//

TEST(ReplayPipes, DifferentPipesOverlapAndFlagsSerialiseThem) {
  TraceBuilder both, chained;
  both.load(0, MiB, 64 * KiB).exp(65536, 98304, 16384);
  chained.load(0, MiB, 64 * KiB).flag(Pipe::MTE2, Pipe::V).exp(65536, 98304, 16384);
  int64_t load = cyclesOf(TraceBuilder().load(0, MiB, 64 * KiB), b1),
          exp = cyclesOf(TraceBuilder().exp(65536, 98304, 16384), b1);
  EXPECT_NEAR(double(cyclesOf(both, b1)), double(std::max(load, exp)), 5);
  EXPECT_NEAR(double(cyclesOf(chained, b1)), double(load + exp), 5);
}

TEST(ReplayPipes, MovesWithoutAFlagBetweenThemOverlapTheirLatency) {
  TraceBuilder together, apart;
  for (int i = 0; i < 8; ++i) {
    together.load(i * 1024, MiB + i * 1024, 1024);
    apart.load(i * 1024, MiB + i * 1024, 1024).flag(Pipe::MTE2, Pipe::V, 0).flag(Pipe::V, Pipe::MTE2, 0);
  }
  EXPECT_GT(cyclesOf(apart, b1), 2 * cyclesOf(together, b1));
}

TEST(ReplayPipes, AWaitOnTheScalarUnitHoldsTheIssue) {
  TraceBuilder b;
  b.load(0, MiB, 64 * KiB).flag(Pipe::MTE2, Pipe::S).exp(65536, 98304, 16384);
  TraceBuilder chained;
  chained.load(0, MiB, 64 * KiB).flag(Pipe::MTE2, Pipe::V).exp(65536, 98304, 16384);
  EXPECT_NEAR(double(cyclesOf(b, b1)), double(cyclesOf(chained, b1)), 5);
}

TEST(ReplayPipes, ABarrierOfAllDrainsEverything) {
  TraceBuilder b;
  b.load(0, MiB, 64 * KiB).exp(65536, 98304, 16384).barrier(Pipe::ALL).store(4 * MiB, 65536, 32 * KiB);
  int64_t load = cyclesOf(TraceBuilder().load(0, MiB, 64 * KiB), b1),
          store = cyclesOf(TraceBuilder().store(4 * MiB, 65536, 32 * KiB), b1);
  EXPECT_NEAR(double(cyclesOf(b, b1)), double(load + store), 10);
}

// The queue holds 32 calls; the 34th vector call is issued only when the second one has started, and the load behind it
// waits for that.
TEST(ReplayPipes, AFullQueueHoldsTheScalarUnit) {
  auto loadBehind = [](int calls) {
    TraceBuilder b;
    for (int i = 0; i < calls; ++i)
      b.exp(0, 98304, 32768).barrier(Pipe::V);
    b.load(131072, MiB, 4 * KiB);
    ReplayOptions options;
    options.timeline = true;
    Timing timing = run(b, b1, options);
    int64_t begin = 0;
    for (const TimelineEntry &entry : timing.timeline)
      if (entry.pipe == Pipe::MTE2)
        begin = entry.begin;
    return begin - 460 * b1.clockMHz / 1000;
  };
  EXPECT_LT(loadBehind(16), 100);
  EXPECT_GT(loadBehind(24), 1000);
}

TEST(ReplayPipes, AWaitNobodySatisfiesEndsTheBlock) {
  TraceBuilder b;
  b.load(0, MiB, 4 * KiB).wait(Pipe::V, Pipe::MTE2).load(0, MiB, 4 * KiB);
  EXPECT_GT(cyclesOf(b, b1), 0);
  std::vector<BlockTrace> many(100, b.trace); // and the blocks behind it still run
  EXPECT_GT(run(many, b1).coreCycles, 50 * cyclesOf(b, b1));
}

//===- Shared memory
//---------------------------------------------------------------------------------------------------===//

TEST(ReplayMemory, RereadingWhatL2HoldsNeedsNoHbm) {
  TraceBuilder b;
  b.load(0, MiB, 64 * KiB).barrier(Pipe::MTE2).load(0, MiB, 64 * KiB);
  Timing timing = run(b, b1);
  EXPECT_EQ(timing.hbmBytes, 64 * KiB);
  EXPECT_EQ(timing.l2Bytes, 128 * KiB);
}

// Cores that load from L2 and store into it at once wait for neither where stores have a rate of their own.
TEST(ReplayMemory, StoresPassBesideLoadsOfL2) {
  auto kernel = [](bool stores) {
    std::vector<BlockTrace> blocks;
    for (int64_t block = 0; block < 48; ++block) {
      TraceBuilder b;
      for (int i = 0; i < 40; ++i) {
        b.load(0, block * 64 * KiB, 64 * KiB);
        for (int64_t part = 0; part < 2 && stores; ++part)
          b.store(64 * MiB + (block * 2 + part) * 16 * KiB, 64 * KiB, 16 * KiB);
      }
      blocks.push_back(b.trace);
    }
    return blocks;
  };
  Platform shared = b1;
  shared.l2WriteMBps = 0;
  ASSERT_GT(b1.l2WriteMBps, 0);
  int64_t loads = run(kernel(false), b1).cycles, both = run(kernel(true), b1).cycles;
  EXPECT_LT(both, loads + loads / 20);
  EXPECT_GT(run(kernel(true), shared).cycles, loads + loads / 5);
  EXPECT_GT(run(kernel(true), b1).l2MBps, b1.l2MBps); // together they are more than loads alone could be
}

TEST(ReplayMemory, WhatL2CannotHoldIsReadAgain) {
  Platform small = b1;
  small.l2Bytes = 1 * MiB;
  TraceBuilder b;
  for (int pass = 0; pass < 2; ++pass)
    for (int64_t i = 0; i < 32; ++i)
      b.load(0, MiB + i * 64 * KiB, 64 * KiB).barrier(Pipe::MTE2);
  EXPECT_EQ(run(b, small).hbmBytes, 4 * MiB);
  EXPECT_EQ(run(b, b1).hbmBytes, 2 * MiB);
}

// Columns of a matrix do not bring their neighbours with them.
TEST(ReplayMemory, ResidencyIsExactForStridedRows) {
  TraceBuilder b;
  b.load(0, MiB, 128, 64, 8192 - 128).barrier(Pipe::MTE2).load(0, MiB + 128, 128, 64, 8192 - 128).barrier(Pipe::MTE2);
  b.load(0, MiB, 128, 64, 8192 - 128);
  EXPECT_EQ(run(b, b1).hbmBytes, 2 * 64 * 128);
}

TEST(ReplayMemory, RewritingALineOfL2CostsNoHbm) {
  TraceBuilder once, often;
  once.store(MiB, 0, 32 * KiB);
  for (int i = 0; i < 4; ++i)
    often.store(MiB, 0, 32 * KiB).barrier(Pipe::MTE3);
  EXPECT_EQ(run(often, b1).hbmBytes, run(once, b1).hbmBytes);
}

// A store that fits stays in L2 and drives out a few dirty lines of others; a kernel beyond L2 writes as much as it
// stores.
TEST(ReplayMemory, DirtyLinesGoToHbmWhenTheyLeave) {
  Platform small = b1;
  small.l2Bytes = 1 * MiB;
  auto stores = [&](int64_t bytes, const Platform &on) {
    TraceBuilder b;
    for (int64_t at = 0; at < bytes; at += 64 * KiB)
      b.store(MiB + at, 0, 64 * KiB);
    return run(b, on).hbmBytes;
  };
  EXPECT_NEAR(double(stores(256 * KiB, small)), 0.3 * 256 * KiB, 1024);
  EXPECT_NEAR(double(stores(8 * MiB, small)), 8.0 * MiB, 128 * KiB);
}

TEST(ReplayMemory, AWarmCacheServesWhatFits) {
  auto kernel = addKernel(4 * MiB, 16384, 48, 2); // 24 MiB
  Timing cold = run(kernel, b1), warm = run(kernel, b1, {.warmL2 = true});
  EXPECT_GE(cold.hbmBytes, 16 * MiB);
  EXPECT_LT(cold.hbmBytes, 24 * MiB);
  EXPECT_EQ(warm.hbmBytes, 0);
  EXPECT_LT(warm.cycles, cold.cycles);
}

TEST(ReplayMemory, StoresDoNotWaitForHbmUntilL2IsFull) {
  auto stores = [](int64_t bytesPerBlock) {
    std::vector<BlockTrace> traces;
    for (int64_t block = 0; block < 48; ++block) {
      TraceBuilder b(block);
      for (int64_t i = 0; i < bytesPerBlock; i += 64 * KiB)
        b.store(MiB + block * bytesPerBlock + i, 0, 64 * KiB);
      traces.push_back(std::move(b.trace));
    }
    return traces;
  };
  double absorbed = microseconds(run(stores(2 * MiB), b1), b1), drained = microseconds(run(stores(32 * MiB), b1), b1);
  EXPECT_LT(absorbed, 96 * 1.048576 / 1.77);               // 96 MiB in less than HBM needs
  EXPECT_GT(drained, (1536 - 192 - 48) * 1.048576 / 1.77); // 1.5 GiB: all but what L2 keeps
}

TEST(ReplayMemory, BandwidthIsSharedFairly) {
  auto reads = [](int64_t blocks) { return run(readKernel(6144, 64, 1024, blocks), b1); };
  double one = microseconds(reads(1), b1), eight = microseconds(reads(8), b1), all = microseconds(reads(48), b1);
  EXPECT_NEAR(eight, one / 8, one / 8 * 0.1);  // far from HBM's limit: as if alone
  EXPECT_GT(all, 6144 * 6144 * 2 / 1480000.0); // at the limit: never beyond it
}

//===- Launches
//--------------------------------------------------------------------------------------------------------===//

TEST(ReplayLaunch, BlocksBeyondTheCoresRunInWaves) {
  TraceBuilder b;
  for (int i = 0; i < 64; ++i)
    b.exp(0, 98304, 32768).barrier(Pipe::ALL);
  auto cycles = [&](size_t blocks) { return run(std::vector<BlockTrace>(blocks, b.trace), b1).cycles; };
  int64_t alone = cyclesOf(b, b1);
  EXPECT_EQ(cycles(96) - cycles(48), alone);
  EXPECT_GT(cycles(49), cycles(48) - 1);
  EXPECT_LT(cycles(49), cycles(96));
}

TEST(ReplayLaunch, CubeKernelsHaveTheCubeCores) {
  TraceBuilder b;
  for (int i = 0; i < 32; ++i)
    b.mmad(128, 256, 64, true);
  auto cycles = [&](size_t blocks) { return run(std::vector<BlockTrace>(blocks, b.trace), b1).cycles; };
  EXPECT_EQ(cycles(48) - cycles(24), cyclesOf(b, b1));
}

TEST(ReplayLaunch, AnEmptyKernelCostsItsLaunch) {
  EXPECT_EQ(run(TraceBuilder(), b1).cycles, 460 * 1850 / 1000);
  EXPECT_EQ(run(std::vector<BlockTrace>(48), b1).cycles, 9000 * 1850 / 1000);
  EXPECT_EQ(run(std::vector<BlockTrace>(), b1).cycles, 460 * 1850 / 1000);
}

TEST(ReplayLaunch, SaysWhatBindsIt) {
  TraceBuilder vector;
  for (int i = 0; i < 64; ++i)
    vector.exp(0, 98304, 32768).barrier(Pipe::V);
  EXPECT_EQ(run(vector, b1).bound, "V");
  TraceBuilder chain; // every pipe waits for another most of the time
  for (int i = 0; i < 8; ++i) {
    chain.load(0, MiB + i * KiB, 256).flag(Pipe::MTE2, Pipe::V).exp(16384, 0, 8192).flag(Pipe::V, Pipe::MTE3);
    chain.store(2 * MiB, 16384, 256).flag(Pipe::MTE3, Pipe::MTE2);
  }
  EXPECT_EQ(run(chain, b1).bound, "latency");
}

TEST(ReplayLaunch, BusyTimeGoesToItsSourceLines) {
  TraceBuilder b;
  b.exp(0, 98304, 32768).barrier(Pipe::V).exp(0, 98304, 1024);
  Timing timing = run(b, b1);
  ASSERT_GE(timing.byLoc.size(), 2u);
  EXPECT_EQ(timing.byLoc[0].first, 1u);
  EXPECT_EQ(timing.byLoc[1].first, 3u);
  EXPECT_EQ(timing.busy[unsigned(Pipe::V)], (31 + 4 * 256) + (31 + 4 * 8));
  EXPECT_EQ(timing.busy[unsigned(Pipe::V)], timing.busyMax[unsigned(Pipe::V)]);
}

TEST(ReplayLaunch, TheTimelineKeepsEachPipeInOrder) {
  ReplayOptions options;
  options.timeline = true;
  auto kernel = addKernel(1 * MiB, 4096, 8, 2);
  Timing timing = run(kernel, b1, options);
  size_t calls = 0;
  for (const BlockTrace &block : kernel)
    for (const Instr &instr : block.calls)
      calls += pipeOf(instr) != Pipe::S && instr.info().family != Family::Flag;
  EXPECT_EQ(timing.timeline.size(), calls);
  std::map<std::pair<int64_t, Pipe>, int64_t> last;
  for (const TimelineEntry &entry : timing.timeline) {
    EXPECT_LE(entry.begin, entry.end);
    EXPECT_LE(entry.end, timing.cycles);
    int64_t &end = last[{entry.block, entry.pipe}];
    EXPECT_GE(entry.end, end);
    end = entry.end;
  }
  EXPECT_TRUE(run(kernel, b1).timeline.empty());
}

//===- What must hold for any kernel
//-----------------------------------------------------------------------------------===//

TEST(ReplayProperty, SameTracesSameTiming) {
  auto kernel = addKernel(4 * MiB, 4096, 48, 2);
  Timing a = run(kernel, b1), b = run(kernel, b1);
  EXPECT_EQ(a.cycles, b.cycles);
  EXPECT_EQ(a.coreCycles, b.coreCycles);
  EXPECT_EQ(a.busy, b.busy);
  EXPECT_EQ(a.byLoc, b.byLoc);
}

TEST(ReplayProperty, MoreBytesAreNeverFaster) {
  for (const Platform *on : {&b1, &p9589}) {
    int64_t before = 0;
    for (int64_t bytes = 32; bytes <= 128 * KiB; bytes += 4064) {
      int64_t cycles = cyclesOf(TraceBuilder().load(0, MiB, bytes), *on);
      EXPECT_GE(cycles, before) << bytes;
      before = cycles;
    }
    before = 0;
    for (int64_t total = 1 * MiB; total <= 16 * MiB; total *= 2) {
      int64_t cycles = run(addKernel(total, 4096, 48, 1), *on).cycles;
      EXPECT_GE(cycles, before) << total;
      before = cycles;
    }
  }
}

TEST(ReplayProperty, DoubleBufferingIsNeverSlower) {
  for (const Platform *on : {&b1, &p9589})
    for (int64_t tile : {1024, 4096, 16384})
      for (int64_t blocks : {1, 8, 48}) {
        int64_t one = run(addKernel(4 * MiB, tile, blocks, 1), *on).cycles,
                two = run(addKernel(4 * MiB, tile, blocks, 2), *on).cycles;
        EXPECT_LE(two, one + one / 100) << tile << " " << blocks;
      }
}

TEST(ReplayProperty, MoreFlagsAreNeverFaster) {
  TraceBuilder few, many;
  for (int i = 0; i < 16; ++i) {
    few.load(i * 4096, MiB + i * 4096, 4096);
    many.load(i * 4096, MiB + i * 4096, 4096).flag(Pipe::MTE2, Pipe::V).flag(Pipe::V, Pipe::MTE2);
  }
  EXPECT_LE(cyclesOf(few, b1), cyclesOf(many, b1));
}
