// unitFlag: a product and a write-out hand each other L0C. Order, late mode and time agree on who waits for whom.
#include "CoreTesting.h"
#include "TraceBuilder.h"

using namespace tilesmith;
using namespace tilesmith::machine;

namespace {

namespace build = tilesmith::machine::test;
using build::TraceBuilder;

TraceBuilder cubeReady() {
  TraceBuilder b;
  b.loadNz(0, 0, 256, 256, 256).barrier(Pipe::ALL);
  b.call(Opcode::LoadData_2d, {build::l0a(0), build::l1(0), 0, 64, 1, 0, 0})
      .call(Opcode::LoadData_2d, {build::l0b(0), build::l1(0), 0, 64, 1, 0, 0});
  b.barrier(Pipe::ALL);
  return b;
}
void product(TraceBuilder &b, int64_t unitFlag, int64_t n = 128, int64_t at = 0, int64_t k = 16) {
  b.call(Opcode::Mmad, {build::l0c(at), build::l0a(0), build::l0b(0), 128, n, k, unitFlag, 1}, DType::F32);
}
void writeOut(TraceBuilder &b, int64_t unitFlag, int64_t n = 128, int64_t at = 0, int64_t to = 1 << 20) {
  b.call(Opcode::FixpipeToGm, {build::gm(to), build::l0c(at), n, 128, 128, n, 0, 0, unitFlag}, DType::F32, DType::F32);
}
std::string check(const TraceBuilder &builder) {
  std::vector<Finding> findings;
  checkOrder(builder.trace, build::platform("Ascend910B1"), findings);
  std::string text;
  for (const Finding &finding : findings)
    text += (text.empty() ? "" : " ") + finding.id.str();
  return text;
}
Timing timeOf(const TraceBuilder &builder, std::string_view platform = "Ascend910B1") {
  return replay({&builder.trace, 1}, build::platform(platform), {});
}

} // namespace

TEST(UnitFlag, OrdersResultsBothWays) {
  TraceBuilder b = cubeReady();
  for (int64_t i = 0; i < 3; ++i) {
    product(b, 2);
    product(b, 3);
    writeOut(b, 3, 128, 0, (1 << 20) + i * 65536);
  }
  EXPECT_EQ(check(b), "");
  EXPECT_TRUE(timeOf(b).stuck.empty());
}

// M is held back by the result before, S goes on and issues the write-out that frees it.
TEST(UnitFlag, WritingOutMayBeIssuedLater) {
  TraceBuilder b = cubeReady();
  product(b, 3);
  product(b, 3);
  writeOut(b, 3);
  writeOut(b, 3, 128, 0, 2 << 20);
  EXPECT_EQ(check(b), "");
  EXPECT_TRUE(timeOf(b).stuck.empty());
}

TEST(UnitFlag, OrdersNothingElse) {
  TraceBuilder off = cubeReady();
  product(off, 0);
  writeOut(off, 0);
  EXPECT_EQ(check(off), "order.raw");

  TraceBuilder factors = cubeReady(); // MTE1 overwrites L0A while the product may still read it
  product(factors, 3);
  writeOut(factors, 3);
  factors.flag(Pipe::FIX, Pipe::MTE1).call(Opcode::LoadData_2d, {build::l0a(0), build::l1(0), 0, 64, 1, 0, 0});
  EXPECT_EQ(check(factors), "order.war");

  TraceBuilder next = cubeReady(); // the next product does not wait for the write-out
  product(next, 3);
  writeOut(next, 3);
  product(next, 0);
  EXPECT_EQ(check(next), "order.war");
}

TEST(UnitFlag, WhatNobodyHandsOverHangs) {
  TraceBuilder never = cubeReady();
  product(never, 2);
  writeOut(never, 3);
  EXPECT_EQ(check(never), "deadlock.unit-flag");
  ASSERT_EQ(timeOf(never).stuck.size(), 1u);
  EXPECT_EQ(waitsForEver(timeOf(never).stuck[0].wait),
            "FIX waits by unitFlag for a result in L0C that no Mmad with unitFlag 3 hands over before it");

  TraceBuilder wider = cubeReady(); // 16 columns more than were computed
  product(wider, 3, 112);
  writeOut(wider, 3, 128);
  EXPECT_EQ(check(wider), "deadlock.unit-flag");

  TraceBuilder undrained = cubeReady();
  product(undrained, 3);
  undrained.flag(Pipe::M, Pipe::FIX);
  writeOut(undrained, 0);
  undrained.flag(Pipe::FIX, Pipe::M);
  product(undrained, 2);
  EXPECT_EQ(check(undrained), "deadlock.unit-flag");
  ASSERT_EQ(timeOf(undrained).stuck.size(), 1u);
  EXPECT_EQ(waitsForEver(timeOf(undrained).stuck[0].wait),
            "M waits by unitFlag for L0C to be written out, which no Fixpipe with unitFlag 3 does");
}

TEST(UnitFlag, WhatStaysFullLeaks) {
  TraceBuilder b = cubeReady();
  product(b, 3);
  product(b, 3, 64, 65536);
  writeOut(b, 3);
  std::vector<Finding> findings;
  checkOrder(b.trace, build::platform("Ascend910B1"), findings);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].text,
            "32768 bytes of L0C are still full when the block ends: no Fixpipe with unitFlag 3 wrote them "
            "out, and the next kernel's Mmad with unitFlag waits for ever");
}

// A long product of 128 x 128 and its write-out take about as long as the longer of the two; by flags, their sum.
TEST(UnitFlag, PipesOverlap) {
  for (std::string_view platform : {"Ascend910B1", "Ascend950PR_9599"}) {
    auto kernel = [](bool byUnits) {
      TraceBuilder b;
      b.call(Opcode::CopyGmToL1Nz, {build::l1(0), build::gm(0), 1, 128, 256, 0, 256, 128, 1, 0}).barrier(Pipe::ALL);
      if (!byUnits)
        b.set(Pipe::FIX, Pipe::M);
      for (int64_t i = 0; i < 16; ++i) {
        if (!byUnits)
          b.wait(Pipe::FIX, Pipe::M);
        product(b, byUnits ? 3 : 0, 128, 0, 256);
        if (!byUnits)
          b.flag(Pipe::M, Pipe::FIX);
        writeOut(b, byUnits ? 3 : 0, 128, 0, 1 << 20);
        if (!byUnits)
          b.set(Pipe::FIX, Pipe::M);
      }
      if (!byUnits)
        b.wait(Pipe::FIX, Pipe::M);
      return b;
    };
    Timing flags = timeOf(kernel(false), platform), units = timeOf(kernel(true), platform);
    int64_t m = flags.busy[unsigned(Pipe::M)];
    EXPECT_LE(units.busy[unsigned(Pipe::M)], m); // the next begins while the last result is on its way
    EXPECT_LT(units.cycles, flags.cycles - std::min(m, flags.busy[unsigned(Pipe::FIX)]) * 3 / 4) << platform;
    EXPECT_GE(units.cycles, std::max(m, units.busy[unsigned(Pipe::FIX)])) << platform;
  }
}

namespace {

using namespace tilesmith::machine::testing;

// Two results through one part of L0C, the second twice the first. Fractals hold ones (0x3c00).
template <int64_t mmadFlag, int64_t fixFlag> void twoResults(TsCore *core, const int64_t *args) {
  tsm_fill_l1(core, 0, F16, at(Memory::L1, 0), 1, 64, 0, 0x3c00);
  passFlag(core, MTE2, MTE1);
  tsm_load_data_2d(core, 0, F16, at(Memory::L0A, 0), at(Memory::L1, 0), 0, 2, 1, 0, 0);
  tsm_load_data_2d(core, 0, F16, at(Memory::L0B, 0), at(Memory::L1, 0), 0, 2, 1, 0, 0);
  passFlag(core, MTE1, M);
  for (int64_t i = 0; i < 2; ++i) {
    tsm_mmad(core, 0, F32, F16, at(Memory::L0C, 0), at(Memory::L0A, 0), at(Memory::L0B, 0), 16, 16, 16 * (i + 1),
             mmadFlag, 1);
    tsm_fixpipe_to_gm(core, 0, F32, F32, args[1] + i * 1024, at(Memory::L0C, 0), 16, 16, 16, 16, 0, 0, fixFlag);
  }
}
std::vector<float> outcome(TsKernelFn kernel, Late late, std::string &found) {
  std::vector<float> x = iota(512), y(512, -1);
  Bench bench(kernel, Arch::C220);
  bench.launch.late = late;
  LaunchResult result = bench.arrays(x, y).run();
  found = result.findings.empty() ? "" : result.findings[0].id.str();
  return y;
}

} // namespace

TEST(UnitFlag, LateModeHandsOver) {
  std::vector<float> want(512, 16);
  std::fill(want.begin() + 256, want.end(), 32.0f);
  std::string found;
  for (Late late : {Late::None, Late::Consumers, Late::Producers}) {
    EXPECT_EQ(outcome(twoResults<3, 3>, late, found), want);
    EXPECT_EQ(found, "");
  }
  EXPECT_EQ(outcome(twoResults<0, 0>, Late::None, found), want);
  EXPECT_NE(outcome(twoResults<0, 0>, Late::Consumers, found), want);
  for (Late late : {Late::Consumers, Late::Producers}) {
    outcome(twoResults<0, 3>, late, found);
    EXPECT_EQ(found, "deadlock.unit-flag");
    outcome(twoResults<3, 0>, late, found);
    EXPECT_EQ(found, "deadlock.unit-flag");
  }
}
