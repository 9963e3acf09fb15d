// Loops and branches that carry tiles, scalars of global memory, atomics.
#include "KernelRun.h"

#include <functional>
#include <gtest/gtest.h>

using namespace tilesmith;
using namespace tilesmith::testing;

namespace {

class Flow : public ::testing::TestWithParam<isa::Arch> {};
INSTANTIATE_TEST_SUITE_P(OnBoth, Flow, ::testing::Values(isa::Arch::C220, isa::Arch::C310),
                         [](const auto &info) { return std::string(isa::stringify(info.param)); });

// Two tiles of 64 elements in (%a, %b), two out (%r, %s), and a run-time number %n.
std::string twoTiles(const std::string &body) {
  return R"(
func.func @k(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %tx = tile.tensor %x, [] : !tile.ptr<f32> -> !tile.tensor<128xf32>
  %ty = tile.tensor %y, [] : !tile.ptr<f32> -> !tile.tensor<128xf32>
  %a = tile.load %tx[%c0], %zero : !tile.tensor<128xf32>, f32 -> !tile.tile<64xf32, UB>
  %b = tile.load %tx[%c64], %zero : !tile.tensor<128xf32>, f32 -> !tile.tile<64xf32, UB>
)" + body +
         R"(
  tile.store %r, %ty[%c0] : !tile.tile<64xf32, UB>, !tile.tensor<128xf32>
  tile.store %s, %ty[%c64] : !tile.tile<64xf32, UB>, !tile.tensor<128xf32>
  return
}
)";
}

std::vector<float> ramp(int count) {
  std::vector<float> values(count);
  for (int i = 0; i < count; ++i)
    values[i] = float(i) * 0.5f - 7;
  return values;
}

void check(const std::string &body, isa::Arch arch, int64_t n,
           std::function<std::pair<float, float>(float, float)> reference) {
  std::vector<float> x = ramp(128);
  std::vector<Argument> arguments = {Argument::array(x), Argument::array(std::vector<float>(128)), Argument::scalar(n)};
  run(twoTiles(body), arch, arguments);
  std::vector<float> y = arguments[1].values<float>();
  for (int i = 0; i < 64; ++i) {
    auto [r, s] = reference(x[i], x[i + 64]);
    ASSERT_EQ(y[i], r) << "at " << i << " with n = " << n;
    ASSERT_EQ(y[i + 64], s) << "at " << i << " with n = " << n;
  }
}

#define TILE "!tile.tile<64xf32, UB>"

TEST_P(Flow, SwappedTilesDoNotAlias) {
  for (int64_t n : {0, 1, 2, 5})
    check("%r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (" TILE ", " TILE ") : i32 {\n"
          "  scf.yield %q, %p : " TILE ", " TILE "\n}\n",
          GetParam(), n, [&](float a, float b) { return n % 2 ? std::pair(b, a) : std::pair(a, b); });
}

TEST_P(Flow, CarriedTilesUseOldAndNewValues) {
  // p, q = q, p + q: the sum reads the old values of both.
  for (int64_t n : {0, 1, 4})
    check("%r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (" TILE ", " TILE ") : i32 {\n"
          "  %t = tile.binary add %p, %q : " TILE ", " TILE " -> " TILE "\n  scf.yield %q, %t : " TILE ", " TILE
          "\n}\n",
          GetParam(), n, [&](float a, float b) {
            for (int i = 0; i < n; ++i) {
              float t = a + b;
              a = b, b = t;
            }
            return std::pair(a, b);
          });
}

TEST_P(Flow, AccumulatorsAreUpdatedInPlaceAndTheInitialValueSurvives) {
  for (int64_t n : {0, 3})
    check("%r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (" TILE ") : i32 {\n"
          "  %t = tile.binary add %p, %b : " TILE ", " TILE " -> " TILE "\n  scf.yield %t : " TILE "\n}\n"
          "%s = tile.binary mul %a, %b : " TILE ", " TILE " -> " TILE "\n",
          GetParam(), n, [&](float a, float b) {
            float r = a;
            for (int i = 0; i < n; ++i)
              r += b;
            return std::pair(r, a * b);
          });
}

TEST_P(Flow, NestedLoopsCarryOneTile) {
  for (int64_t n : {0, 1, 3})
    check("%r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (" TILE ") : i32 {\n"
          "  %u = tile.binary mul %p, %one : " TILE ", f32 -> " TILE "\n"
          "  %t = scf.for %j = %c0 to %i step %c1 iter_args(%q = %p) -> (" TILE ") : i32 {\n"
          "    %v = tile.binary add %q, %b : " TILE ", " TILE " -> " TILE "\n    scf.yield %v : " TILE "\n  }\n"
          "  %w = tile.binary add %t, %u : " TILE ", " TILE " -> " TILE "\n  scf.yield %w : " TILE "\n}\n"
          "%s = tile.binary add %r, %one : " TILE ", f32 -> " TILE "\n",
          GetParam(), n, [&](float a, float b) {
            for (int i = 0; i < n; ++i) {
              float u = a, t = a;
              for (int j = 0; j < i; ++j)
                t += b;
              a = t + u;
            }
            return std::pair(a, a + 1);
          });
}

TEST_P(Flow, BranchesYieldTiles) {
  for (int64_t n : {0, 1})
    check("%cond = arith.cmpi eq, %n, %c1 : i32\n"
          "%r, %s = scf.if %cond -> (" TILE ", " TILE ") {\n"
          "  %t = tile.binary add %a, %b : " TILE ", " TILE " -> " TILE "\n  scf.yield %t, %a : " TILE ", " TILE
          "\n} else {\n"
          "  %t = tile.binary sub %a, %b : " TILE ", " TILE " -> " TILE "\n  scf.yield %b, %t : " TILE ", " TILE
          "\n}\n",
          GetParam(), n, [&](float a, float b) { return n ? std::pair(a + b, a) : std::pair(b, a - b); });
}

TEST_P(Flow, WhileLoopsCarryTiles) {
  for (int64_t n : {0, 1, 3})
    check("%k, %r, %s = scf.while (%i = %c0, %p = %a, %q = %b) : (i32, " TILE ", " TILE ") -> (i32, " TILE ", " TILE
          ") {\n"
          "  %more = arith.cmpi slt, %i, %n : i32\n  scf.condition(%more) %i, %p, %q : i32, " TILE ", " TILE
          "\n} do {\n"
          "^bb0(%i: i32, %p: " TILE ", %q: " TILE "):\n"
          "  %t = tile.binary add %p, %q : " TILE ", " TILE " -> " TILE "\n  %j = arith.addi %i, %c1 : i32\n"
          "  scf.yield %j, %q, %t : i32, " TILE ", " TILE "\n}\n",
          GetParam(), n, [&](float a, float b) {
            for (int i = 0; i < n; ++i) {
              float t = a + b;
              a = b, b = t;
            }
            return std::pair(a, b);
          });
}

TEST_P(Flow, AFullReductionScalesTheTile) {
  check("%m = tile.reduce max %a [0] : " TILE " -> !tile.tile<1xf32, UB>\n"
        "%v = tile.extract %m : !tile.tile<1xf32, UB> -> f32\n"
        "%r = tile.binary sub %a, %v : " TILE ", f32 -> " TILE "\n"
        "%half = arith.mulf %v, %one : f32\n%s = tile.binary add %b, %half : " TILE ", f32 -> " TILE "\n",
        GetParam(), 0, [](float a, float b) { return std::pair(a - 24.5f, b + 24.5f); });
}

TEST_P(Flow, UnrolledLoopsGiveTheSame) {
  for (int64_t n : {0, 1, 5, 8})
    check("%r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (" TILE ") : i32 {\n"
          "  %t = tile.binary add %p, %b : " TILE ", " TILE " -> " TILE "\n  scf.yield %t : " TILE
          "\n} {tile.unroll_factor = 3 : i64}\n"
          "%s = tile.binary add %b, %one : " TILE ", f32 -> " TILE "\n",
          GetParam(), n, [&](float a, float b) {
            float r = a;
            for (int i = 0; i < n; ++i)
              r += b;
            return std::pair(r, b + 1);
          });
}

TEST_P(Flow, ScalarsOfGlobalMemory) {
  std::string ir = R"(
func.func @k(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>, %n: i32) attributes {tile.kernel} {
  %c2 = arith.constant 2 : i32
  %tx = tile.tensor %x, [%n, %n] : !tile.ptr<i32> -> !tile.tensor<?x?xi32>
  %ty = tile.tensor %y, [%n] : !tile.ptr<i32> -> !tile.tensor<?xi32>
  %v = tile.get %tx[%c2, %c2] : !tile.tensor<?x?xi32> -> i32
  tile.set %v, %ty[%c2] : i32, !tile.tensor<?xi32>
  tile.set %v, %ty[%n] : i32, !tile.tensor<?xi32>
  return
})";
  std::vector<int32_t> x(16);
  for (int i = 0; i < 16; ++i)
    x[i] = i * i;
  std::vector<Argument> arguments = {Argument::array(x), Argument::array(std::vector<int32_t>(4)),
                                     Argument::scalar(int64_t(4))};
  run(ir, GetParam(), arguments);
  EXPECT_EQ(arguments[1].values<int32_t>(), (std::vector<int32_t>{0, 0, 100, 0}));
}

TEST_P(Flow, AtomicsAddUpAcrossBlocks) {
  std::string ir = R"(
func.func @k(%x: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1.0 : f32
  %tx = tile.tensor %x, [%n] : !tile.ptr<f32> -> !tile.tensor<?xf32>
  %a = tile.splat %one : f32 -> !tile.tile<32xf32, UB>
  tile.atomic add %a, %tx[%c0] : !tile.tile<32xf32, UB>, !tile.tensor<?xf32>
  return
})";
  std::vector<Argument> arguments = {Argument::array(std::vector<float>(30, 2.0f)), Argument::scalar(int64_t(30))};
  run(ir, GetParam(), arguments, 4);
  EXPECT_EQ(arguments[0].values<float>(), std::vector<float>(30, 6.0f));
}

} // namespace
