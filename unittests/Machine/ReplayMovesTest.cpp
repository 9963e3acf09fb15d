// Mechanisms of moves to and from GM, each seen through a few instructions. Whole measured kernels are bench/correlate.
#include "TraceKernels.h"
#include <functional>
#include <gtest/gtest.h>

using namespace tilesmith;
using namespace tilesmith::machine;
using namespace tilesmith::machine::test;

namespace {

const Platform &b1 = platform("Ascend910B1");
const Platform &p9589 = platform("Ascend950PR_9589");

Timing run(const std::vector<BlockTrace> &traces, const Platform &on = b1) { return replay(traces, on, {}); }

int64_t cycles(const TraceBuilder &b, const Platform &on = b1) { return run({b.trace}, on).coreCycles; }

// The part with other numbers.
Platform changed(const Platform &base, const std::function<void(Platform &)> &change) {
  Platform other = base;
  change(other);
  return other;
}

constexpr int64_t bypass = int64_t(1) << Address::hintShift;

// Loads `bytes` from a place in GM that may carry hints.
TraceBuilder &loadFrom(TraceBuilder &b, int64_t address, int64_t bytes) {
  return b.call(Opcode::CopyGmToUb, {ub(0), address, 1, bytes, 0, 0, 0, 0, 0, 0});
}

} // namespace

TEST(ReplayMoves, LargeLoadsOfACoreDoNotOverlapAndSmallOnesDo) {
  for (const Platform *on : {&b1, &p9589}) {
    TraceBuilder one, two, small, many;
    one.load(0, MiB, 8192);
    two.load(0, MiB, 8192).load(8192, 2 * MiB, 8192);
    EXPECT_NEAR(double(cycles(two, *on)), 2.0 * double(cycles(one, *on)), 10) << on->name;
    small.load(0, MiB, 128);
    for (int i = 0; i < 13; ++i)
      many.load(i * 128, MiB + i * 128, 128);
    EXPECT_LT(cycles(many, *on), 4 * cycles(small, *on)) << on->name;
    Platform overlaps = changed(*on, [](Platform &p) { p.moveOverlap = 1 << 30; });
    EXPECT_LT(double(cycles(two, overlaps)), 1.5 * double(cycles(one, *on))) << on->name;
  }
}

// Blocks of 64 short rows are asked for row by row, so little of them is in flight.
TEST(ReplayMoves, StridedBlocksOverlap) {
  TraceBuilder one, two;
  one.load(0, MiB, 128, 64, 24448);
  two.load(0, MiB, 128, 64, 24448).load(8192, MiB + 128, 128, 64, 24448);
  EXPECT_NEAR(double(cycles(two) - cycles(one)), 64 * 8.3, 30);
}

TEST(ReplayMoves, EachWindowIsARoundTripOnThe950) {
  Platform hits = changed(p9589, [](Platform &p) { p.storeMissLatency = 0; }); // measured with lines that are in L2
  auto store = [](int64_t bytes, const Platform &on) {
    return double(cycles(TraceBuilder().store(MiB, 0, bytes), on));
  };
  EXPECT_NEAR(store(16 * KiB, hits), 346, 10);
  EXPECT_NEAR(store(20 * KiB, hits), 648, 20);
  EXPECT_NEAR(store(32 * KiB, hits), 691, 20);
  // A miss makes each of them longer.
  EXPECT_NEAR(store(16 * KiB, p9589) - store(16 * KiB, hits), p9589.storeMissLatency, 1);
  EXPECT_NEAR(store(32 * KiB, p9589) - store(32 * KiB, hits), 2 * p9589.storeMissLatency, 1);
}

TEST(ReplayMoves, PiecesAreCountedAsTheInstructionHasThem) {
  TraceBuilder whole, touching, apart;
  whole.load(0, MiB, 64 * 512);
  touching.load(0, MiB, 64, 512);
  apart.load(0, MiB, 64, 512, 64);
  EXPECT_LT(cycles(whole), cycles(touching));
  EXPECT_LT(cycles(touching), cycles(apart));
}

// So many short rows are in flight at a time, and from L2 each comes sooner. Long rows take the time of their bytes.
TEST(ReplayMoves, ShortRowsToL1ComeSoonerFromL2) {
  auto cold = [](int64_t rows, int64_t cols) {
    return double(cycles(TraceBuilder().loadNz(0, MiB, rows, cols, 8192)));
  };
  auto warm = [&](int64_t rows, int64_t cols) {
    TraceBuilder twice;
    twice.loadNz(0, MiB, rows, cols, 8192).flag(Pipe::MTE2, Pipe::MTE1).loadNz(0, MiB, rows, cols, 8192);
    return double(cycles(twice)) - cold(rows, cols);
  };
  EXPECT_NEAR(cold(512, 64), 512 * 5.66 + 230, 40);
  EXPECT_NEAR(warm(512, 64), 512 * 4.18 + 170, 40);
  EXPECT_NEAR(warm(512, 256), 512 * 5.66 + 170, 40);
  EXPECT_NEAR(warm(512, 512) - warm(512, 256), 512 * 512 / 160.0, 40);
}

TEST(ReplayMoves, RowsAcrossUnitsOfMemoryCostMore) {
  auto rows = [](int64_t shift, int64_t bytes) {
    std::vector<BlockTrace> traces;
    for (int64_t block = 0; block < 24; ++block) {
      TraceBuilder b(block);
      for (int i = 0; i < 8; ++i)
        b.load(0, MiB + shift + block * 8 * MiB + i * MiB, bytes, 64, 8192 - bytes);
      traces.push_back(std::move(b.trace));
    }
    return double(run(traces).cycles);
  };
  EXPECT_GT(rows(32, 512), 1.4 * rows(0, 512));
  EXPECT_EQ(rows(32, 256), rows(0, 256)); // they touch one unit all the same
}

// What is read past L2 leaves the lines of others where they are.
TEST(ReplayMoves, ReadsPastL2LeaveResultsInIt) {
  auto add = [](int64_t hint) {
    std::vector<BlockTrace> traces;
    constexpr int64_t tiles = 16, bytes = 64 * KiB;
    for (int64_t block = 0; block < 48; ++block) {
      TraceBuilder b(block);
      for (int64_t i = 0; i < tiles; ++i) {
        int64_t at = (block * tiles + i) * bytes;
        loadFrom(b, gm(MiB + at) | hint, bytes).flag(Pipe::MTE2, Pipe::MTE3);
        b.store(MiB + 48 * tiles * bytes + at, 0, bytes).flag(Pipe::MTE3, Pipe::MTE2);
      }
      traces.push_back(std::move(b.trace));
    }
    Platform small = changed(b1, [](Platform &p) { p.l2Bytes = 64 * MiB; });
    return run(traces, small);
  };
  Timing normal = add(0), past = add(bypass);
  EXPECT_EQ(past.hbmRead, normal.hbmRead);
  EXPECT_LT(past.hbmWritten * 2, normal.hbmWritten);
  EXPECT_LT(past.cycles, normal.cycles);
}

TEST(ReplayMoves, ALineInL2ServesReadsPastIt) {
  TraceBuilder b;
  b.load(0, MiB, 8192).barrier(Pipe::MTE2);
  loadFrom(b, gm(MiB) | bypass, 8192);
  EXPECT_EQ(run({b.trace}).hbmRead, 8192);
}

TEST(ReplayMoves, CoresThatReadTheSameBytesPastL2WaitForEachOther) {
  auto all = [](bool stagger) {
    std::vector<BlockTrace> traces;
    for (int64_t block = 0; block < 48; ++block) {
      TraceBuilder b(block);
      for (int64_t i = 0; i < 96; ++i)
        loadFrom(b, gm(MiB + (stagger * block * 2 + i) % 96 * 64 * KiB) | bypass, 64 * KiB);
      traces.push_back(std::move(b.trace));
    }
    return traces;
  };
  EXPECT_GT(double(run(all(false)).cycles), 1.2 * double(run(all(true)).cycles));
  Platform without = changed(b1, [](Platform &p) { p.sharedReadUb = p.sharedReadL1 = 0; });
  EXPECT_LT(run(all(true), without).cycles, run(all(true)).cycles);
}

TEST(ReplayMoves, LargeStoresWaitForHbmAndSmallOnesDoNot) {
  auto busy = [](int64_t bytes, const Platform &on) {
    return double(run(addKernel(48 * 64 * bytes / 2, bytes / 2, 48, 2), on).busy[unsigned(Pipe::MTE3)]);
  };
  Platform taken = changed(b1, [](Platform &p) { p.storeBuffer = 1 << 30; });
  EXPECT_GT(busy(32 * KiB, b1), 1.3 * busy(32 * KiB, taken));
  EXPECT_NEAR(busy(8 * KiB, b1), busy(8 * KiB, taken), 0.05 * busy(8 * KiB, taken));
}

TEST(ReplayMoves, FewRequestsDoNotFillHbm) {
  auto rate = [](int64_t cores) {
    Timing timing = run(readKernel(4096, 64, 1024, cores));
    return double(timing.hbmRead) / double(timing.cycles);
  };
  Platform even = changed(b1, [](Platform &p) { p.hbmSpread = 0; });
  EXPECT_LT(rate(8), rate(48));
  EXPECT_LT(run(readKernel(4096, 64, 1024, 48), even).cycles, run(readKernel(4096, 64, 1024, 48)).cycles);
}

// A core that finds lines another one has just asked for waits for them as that one does.
TEST(ReplayMoves, LinesThatAreOnTheirWayAreNotThereYet) {
  TraceBuilder first(0), second(1);
  first.load(0, MiB, 8192);
  second.load(0, MiB, 8192);
  Platform together = changed(p9589, [](Platform &p) { p.launchNsAllCores = p.launchNsOneCore; });
  Timing timing = run({first.trace, second.trace}, together);
  EXPECT_EQ(timing.hbmRead, 8192);
  EXPECT_NEAR(double(timing.coreCycles), 2.0 * double(run({first.trace}, together).coreCycles), 40);
}

TEST(ReplayMoves, CallsOfOnePlaceThatLieDifferentlyCostWhatTheyWouldElsewhere) {
  // Costs of calls that are alike are asked once for a place of the source (KnownCosts.h).
  for (const Platform *on : {&b1, &p9589}) {
    TraceBuilder samePlace, otherPlaces;
    for (int64_t offset : {0, 32, 0, 64, 500, 96, 0})
      for (TraceBuilder *b : {&samePlace, &otherPlaces}) {
        b->load(8192, MiB + offset, 2048, 4, 96).flag(Pipe::MTE2, Pipe::V).exp(0, 8192, 4096);
        b->load(8192 + offset / 32 * 32, 3 * MiB, 2048 + offset / 32 * 32).exp(offset / 32 * 32, 8192, 2048);
      }
    for (Instr &call : samePlace.trace.calls)
      call.loc = 1;
    EXPECT_EQ(cycles(samePlace, *on), cycles(otherPlaces, *on)) << on->name;
  }
}
