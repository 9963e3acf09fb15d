// Replay against rows of public calibration tables: what boards measured, in microseconds.
#include "TraceKernels.h"
#include <gtest/gtest.h>

using namespace tilesmith;
using namespace tilesmith::machine;
using namespace tilesmith::machine::test;

namespace {

const Platform &b1 = platform("Ascend910B1");
const Platform &p9589 = platform("Ascend950PR_9589");
const Platform &p9599 = platform("Ascend950PR_9599");

constexpr int64_t square = 8192 * 8192;

Timing run(const std::vector<BlockTrace> &traces, const Platform &on) { return replay(traces, on, {}); }

void expectMicroseconds(const std::vector<BlockTrace> &traces, const Platform &on, double measured, double tolerance) {
  double ours = microseconds(run(traces, on), on);
  EXPECT_NEAR(ours, measured, measured * tolerance);
}

} // namespace

TEST(ReplayMeasured, AddOnOneCoreIsBoundByTheLatencyOfItsLoads) {
  expectMicroseconds(addKernel(square / 16, 4096, 1, 1), b1, 6909.6 / 16, 0.10);
  expectMicroseconds(addKernel(square / 16, 4096, 1, 1), p9589, 8924.0 / 16, 0.10);
}

TEST(ReplayMeasured, AddOnAllCoresIsBoundByHbm) {
  expectMicroseconds(addKernel(square, 4096, 48, 1), b1, 306.6, 0.25);
  expectMicroseconds(addKernel(square, 16384, 48, 1), b1, 268.5, 0.10);
  expectMicroseconds(addKernel(square, 16384, 48, 2), b1, 264.0, 0.10);
  expectMicroseconds(addKernel(square, 4096, 64, 1), p9589, 310.5, 0.25);
  expectMicroseconds(addKernel(square, 16384, 64, 2), p9589, 251.7, 0.10);
  EXPECT_EQ(run(addKernel(square, 16384, 48, 2), b1).bound, "HBM");
}

TEST(ReplayMeasured, AddOnHalfTheMemoryBandwidth) {
  expectMicroseconds(addKernel(int64_t(16000000) * 20 / 8000 * 8000, 8000, 20, 1), platform("Ascend910B4"), 3134.1,
                     0.10);
}

TEST(ReplayMeasured, SmallCopiesAreBoundByTheirIssue) {
  expectMicroseconds(readKernel(12288 / 2, 1, 64, 48), b1, 564.8 / 4, 0.10);
  expectMicroseconds(readKernel(12288 / 2, 1, 64, 64), p9589, 884.0 / 4, 0.10);
}

TEST(ReplayMeasured, StridedCopiesPayForEachRow) {
  expectMicroseconds(readKernel(12288, 64, 64, 48), b1, 233.5, 0.10);
  expectMicroseconds(readKernel(12288, 64, 64, 64), p9589, 208.6, 0.10);
  expectMicroseconds(readKernel(12288, 64, 64, 24, true), b1, 300.7, 0.10);
  expectMicroseconds(readKernel(12288, 64, 64, 32, true), p9589, 245.0, 0.10);
}

TEST(ReplayMeasured, LargeCopiesReachHbm) {
  expectMicroseconds(readKernel(12288, 64, 1024, 48), b1, 215.8, 0.10);
  expectMicroseconds(readKernel(12288, 64, 1024, 64), p9589, 188.5, 0.10);
  expectMicroseconds(readKernel(12288, 64, 256, 24, true), b1, 230.2, 0.10);
  expectMicroseconds(readKernel(12288, 64, 256, 32, true), p9589, 190.5, 0.10);
}

// 8192 cubed was measured; half the side is an eighth of the work.
TEST(ReplayMeasured, LargeMatmulIsBoundByTheCube) {
  auto cube = matmulKernel(4096, 256, 256, 32, Arch::C310);
  expectMicroseconds(cube, p9589, 2668.0 / 8, 0.10);
  EXPECT_EQ(run(cube, p9589).bound, "M");
  expectMicroseconds(matmulKernel(3072, 256, 256, 24, Arch::C310), p9589, 206.7, 0.10);
  expectMicroseconds(matmulKernel(4096, 128, 256, 24, Arch::C220), b1, 4053.0 / 8, 0.25);
}

TEST(ReplayMeasured, KernelsThatFitL2LeaveTheirResultsThere) {
  ChainVf vf(1, 8192);
  vf.load().chain(isa::CostClass::TwoSource, 12).chain(isa::CostClass::Transcendental);
  const TsVfDesc &gelu = vf.chain(isa::CostClass::Divide).store().desc;
  expectMicroseconds(vectorKernel(1024 * 1024, 2, 72, gelu), p9599, 4.49, 0.25);
  expectMicroseconds(vectorKernel(2048 * 2048, 4, 72, gelu), p9599, 15.37, 0.25);
  expectMicroseconds(vectorKernel(4096 * 4096, 2, 72, gelu), p9599, 30.14, 0.25);
}

TEST(ReplayMeasured, RowReductions) {
  auto rows = [](int64_t cols) { return ChainVf(8192 / cols, cols).load().reduce(isa::CostClass::ReduceMax); };
  ChainVf of32Rows = rows(32), of16Rows = rows(16);
  const TsVfDesc &of32 = of32Rows.desc, &of16 = of16Rows.desc;
  expectMicroseconds(vectorKernel(26624 * 32, 4, 72, of32, 32), p9599, 4.43, 0.25);
  expectMicroseconds(vectorKernel(143360 * 16, 4, 72, of16, 16), p9599, 8.13, 0.25);
}
