// Blocks that wait for each other: in which order they run, what a wait covers, what it costs.
#include "CoreTesting.h"
#include "TraceBuilder.h"
#include <map>

using namespace tilesmith;
using namespace tilesmith::machine;
using namespace tilesmith::machine::testing;

namespace {

LaunchResult run(TsKernelFn kernel, int64_t blocks, Late late = Late::None) {
  Bench bench(kernel);
  bench.platform.vectorCores = 4;
  bench.launch.blocks = blocks;
  bench.launch.serial = true;
  bench.launch.late = late;
  return bench.run();
}

std::string order; // in which the blocks came by

void come(TsCore *core) { order += char('0' + tsm_block_idx(core, 0)); }

void barrier(TsCore *core, int64_t blocks) {
  tsm_cross_set(core, 1, MTE3, 3);
  tsm_cross_wait(core, 2, 3, blocks);
}

// Findings of two traces, by id.
std::string across(test::TraceBuilder &a, test::TraceBuilder &b) {
  std::vector<BlockTrace> blocks = {a.trace, b.trace};
  std::vector<Finding> findings;
  checkAcrossBlocks(blocks, *findPlatform("Ascend910B1"), findings);
  std::string ids;
  for (const Finding &finding : findings)
    ids += (ids.empty() ? "" : " ") + finding.id.str();
  return ids;
}

void meet(test::TraceBuilder &b, Pipe from) {
  b.call(Opcode::CrossSet, {int64_t(from), 3}).call(Opcode::CrossWait, {3, 2});
}

} // namespace

TEST(Cross, BlocksTakeTurnsInAFixedOrder) {
  auto kernel = [](TsCore *core, const int64_t *) {
    come(core);
    barrier(core, 3);
    come(core);
    barrier(core, 3);
    come(core);
  };
  for (Late late : {Late::None, Late::Consumers, Late::Producers}) {
    order.clear();
    EXPECT_TRUE(run(kernel, 3, late).findings.empty());
    EXPECT_EQ(order, "012201102"); // the last to come goes on; who waits is woken from the lowest
  }
}

TEST(Cross, AWaitNobodySatisfiesEndsTheBlockAlone) {
  auto kernel = [](TsCore *core, const int64_t *) {
    int64_t block = tsm_block_idx(core, 0);
    if (block == 1)
      return;
    barrier(core, 3);
    order += char('0' + block);
  };
  order.clear();
  LaunchResult result = run(kernel, 3);
  EXPECT_EQ(only(result),
            "deadlock.cross-wait: the block waits for cross-core flag 3: of 3 blocks that must set it for each wait, 2 "
            "sets were made in all");
  EXPECT_EQ(result.findings[0].count, 2);
  EXPECT_EQ(order, "02"); // every further call is skipped, the code itself goes on
}

TEST(Cross, AllBlocksMustRunAtOnce) {
  auto kernel = [](TsCore *core, const int64_t *) { barrier(core, 5); };
  EXPECT_EQ(only(run(kernel, 5)),
            "cross.waves: blocks that wait for each other must all run at once: the launch has 5 and the chip 4 cores");
}

TEST(Cross, BlocksBesideEachOtherCannotWait) {
  auto kernel = [](TsCore *core, const int64_t *) { tsm_cross_wait(core, 2, 3, 1); };
  EXPECT_EQ(only(Bench(kernel).run()),
            "cross.unsupported: blocks of this launch run beside each other and cannot wait for each other");
}

TEST(Cross, OperandsAreChecked) {
  auto pipe = [](TsCore *core, const int64_t *) { tsm_cross_set(core, 1, 9, 3); };
  auto none = [](TsCore *core, const int64_t *) { tsm_cross_wait(core, 1, 3, 0); };
  EXPECT_NE(only(run(pipe, 1)).find("no pipe 9 sets a flag for other blocks (0 to 6)"), std::string::npos);
  EXPECT_NE(only(run(none, 1)).find("a wait for other blocks needs at least one set, not 0"), std::string::npos);
}

TEST(Cross, ABarrierOrdersWhatItsSetCovers) {
  // Block 0 stores, both meet, block 1 loads.
  auto traces = [](Pipe from, bool barrier) {
    test::TraceBuilder a(0), b(1);
    a.fill(0, 64).flag(Pipe::V, Pipe::MTE3).store(0, 0, 128);
    if (barrier) {
      meet(a, from);
      meet(b, from);
    }
    b.load(0, 0, 128);
    return across(a, b);
  };
  EXPECT_EQ(traces(Pipe::MTE3, true), "");
  EXPECT_EQ(traces(Pipe::MTE3, false), "cross.read-write");
  EXPECT_EQ(traces(Pipe::V, true), "cross.read-write"); // V knows nothing of the store
}

TEST(Cross, WhatComesBehindTheBarrierOfAnotherIsNotCovered) {
  test::TraceBuilder a(0), b(1);
  meet(a, Pipe::MTE3);
  meet(b, Pipe::MTE3);
  a.fill(0, 64).flag(Pipe::V, Pipe::MTE3).store(0, 0, 128);
  b.fill(0, 64).flag(Pipe::V, Pipe::MTE3).store(64, 0, 128);
  EXPECT_EQ(across(a, b), "cross.write-write");
}

TEST(Cross, OrderIsTransitive) {
  // 0 signals 1, 1 signals 2: the store of 0 comes before the load of 2.
  std::vector<test::TraceBuilder> b;
  for (int64_t i = 0; i < 3; ++i)
    b.emplace_back(i);
  b[0].fill(0, 64).flag(Pipe::V, Pipe::MTE3).store(0, 0, 128).call(Opcode::CrossSet, {int64_t(Pipe::MTE3), 100});
  b[1].call(Opcode::CrossWait, {100, 1}).call(Opcode::CrossSet, {int64_t(Pipe::MTE3), 101});
  b[2].call(Opcode::CrossWait, {101, 1}).load(0, 0, 128);
  std::vector<BlockTrace> blocks;
  for (test::TraceBuilder &builder : b)
    blocks.push_back(builder.trace);
  std::vector<Finding> findings;
  checkAcrossBlocks(blocks, *findPlatform("Ascend910B1"), findings);
  EXPECT_TRUE(findings.empty());
}

TEST(Cross, TheCompilerOrdersScalarAccesses) {
  test::TraceBuilder b;
  b.load(0, 0, 256).get(test::ub(0)).flag(Pipe::MTE2, Pipe::V).exp(256, 0, 128).put(test::ub(256)).store(0, 256, 256);
  b.exp(512, 0, 64).store(512, 512, 128);
  std::vector<Finding> findings;
  for (const char *name : {"Ascend910B1", "Ascend950PR_9599"}) {
    BlockTrace block = b.trace;
    addCompilerOrder(block, *findPlatform(name));
    findings.clear();
    checkOrder(block, *findPlatform(name), findings);
    std::string left;
    for (const Finding &finding : findings)
      left += finding.id.str() + " " + finding.text + "\n";
    // The store still does not wait for V: that is nobody's work but the kernel's.
    EXPECT_EQ(findings.size(), 1u) << left;
    EXPECT_EQ(left.substr(0, left.find(':')), "order.raw MTE3 reads UB [512, 640) while V may still be writing it");
  }
}
