// Tilings of products: inside the memories, whatever is asked for; what is fixed is kept; what cannot fit is refused.
#include "tilesmith/Machine/CubeTiling.h"
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <tuple>

namespace {

TsCubeProblem problemOf(int32_t m, int32_t n, int32_t k, int32_t bits) {
  TsCubeProblem problem;
  tilesmith_cube_problem(&problem);
  problem.m = m;
  problem.n = n;
  problem.k = k;
  problem.bitsA = problem.bitsB = bits;
  problem.l1 = 512 << 10;
  problem.l0a = problem.l0b = 64 << 10;
  problem.l0c = 128 << 10;
  problem.bt = 1 << 10;
  return problem;
}

TEST(CubeTilingTest, AnySizeStaysInsideTheMemories) {
  std::mt19937 draw(5);
  auto size = [&](int32_t most) { return int32_t(1 + draw() % uint32_t(most)); };
  for (int i = 0; i < 2000; ++i) {
    int32_t bits = 8 << draw() % 3, bytes = bits / 8;
    TsCubeProblem problem = problemOf(size(5000), size(5000), size(9000), bits);
    problem.cores = size(48);
    problem.hasBias = draw() % 2;
    problem.doubleC = draw() % 2;
    problem.splitsK = draw() % 2;
    TsCubeTiling tiling;
    ASSERT_EQ(tilesmith_cube_tiling(&problem, &tiling), 0);
    auto parts = [](int32_t all, int32_t one) { return (all + one - 1) / one; };
    EXPECT_EQ(tiling.usedCoreNum, parts(problem.m, tiling.singleCoreM) * parts(problem.n, tiling.singleCoreN) *
                                      parts(problem.k, tiling.singleCoreK));
    EXPECT_LE(tiling.usedCoreNum, problem.cores);
    if (!problem.splitsK)
      EXPECT_EQ(tiling.singleCoreK, problem.k);
    EXPECT_EQ(tiling.baseM % 16 + tiling.baseN % 16 + tiling.baseK % (32 / bytes), 0);
    EXPECT_LE(tiling.baseM * tiling.baseN * 4 * tiling.dbL0C, problem.l0c);
    EXPECT_LE(tiling.baseM * tiling.baseK * bytes * tiling.dbL0A, problem.l0a);
    EXPECT_LE(tiling.baseN * tiling.baseK * bytes * tiling.dbL0B, problem.l0b);
    EXPECT_LE((tiling.depthA1 * tiling.baseM + tiling.depthB1 * tiling.baseN) * tiling.baseK * bytes, problem.l1);
    EXPECT_TRUE(tiling.depthA1 == tiling.stepM * tiling.stepKa || tiling.depthA1 == 2 * tiling.stepM * tiling.stepKa);
    if (problem.hasBias)
      EXPECT_LE(tiling.baseN * 4, problem.bt);
  }
}

TEST(CubeTilingTest, WhatIsFixedIsKeptOrRefused) {
  TsCubeProblem problem = problemOf(1024, 640, 256, 16);
  problem.fixM = 256;
  problem.fixN = 128;
  problem.firstN = 1;
  TsCubeTiling tiling = {};
  ASSERT_EQ(tilesmith_cube_tiling(&problem, &tiling), 0);
  EXPECT_EQ(std::tuple(tiling.baseM, tiling.baseN, tiling.iterateOrder), std::tuple(256, 128, 1));
  problem.fixM = problem.fixN = 512; // more than L0C
  TsCubeTiling before = tiling;
  EXPECT_EQ(tilesmith_cube_tiling(&problem, &tiling), -1);
  EXPECT_EQ(memcmp(&before, &tiling, sizeof tiling), 0);
  problem = problemOf(-1, -1, -1, 16); // no sizes
  EXPECT_EQ(tilesmith_cube_tiling(&problem, &tiling), -1);
}

} // namespace
