// Matrix products: every input type, sizes that do not fill fractals, K loops, relu and casts on the way out.
#include "KernelRun.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace tilesmith;
using namespace tilesmith::testing;

namespace {

class Cube : public ::testing::TestWithParam<isa::Arch> {};
INSTANTIATE_TEST_SUITE_P(OnBoth, Cube, ::testing::Values(isa::Arch::C220, isa::Arch::C310),
                         [](const auto &info) { return std::string(isa::stringify(info.param)); });

template <typename T> std::vector<T> numbers(int64_t count, uint32_t state) {
  std::vector<T> values(count);
  for (T &value : values) {
    state = state * 1664525 + 1013904223;
    value = T(float(int32_t(state >> 8) % 401 - 200) / 100);
  }
  return values;
}

struct Product {
  int64_t m, n, k;             // of the arrays
  int64_t tileM, tileN, tileK; // one block computes one tile of the result, looping over k
  std::string type, out = "f32";
  bool relu = false;
};

std::string kernel(const Product &p) {
  auto number = [](int64_t value) { return std::to_string(value); };
  std::string a = number(p.tileM) + "x" + number(p.tileK) + "x" + p.type,
              b = number(p.tileK) + "x" + number(p.tileN) + "x" + p.type;
  std::string shape = number(p.tileM) + "x" + number(p.tileN) + "x", acc = "!tile.tile<" + shape + "f32, L0C>";
  std::string result = "%sum", type = acc, tail;
  if (p.relu) {
    tail += "  %relu = tile.unary relu " + result + " : " + type + "\n";
    result = "%relu";
  }
  if (p.out != "f32") {
    std::string to = "!tile.tile<" + shape + p.out + ", L0C>";
    tail += "  %cast = tile.cast " + result + " : " + type + " -> " + to + "\n";
    result = "%cast", type = to;
  }
  return "func.func @k(%a: !tile.ptr<" + p.type + ">, %b: !tile.ptr<" + p.type + ">, %c: !tile.ptr<" + p.out +
         ">, %m: i32, %n: i32, %kk: i32) attributes {tile.kernel} {\n"
         "  %c0 = arith.constant 0 : i32\n  %zero = arith.constant 0.0 : " +
         p.type +
         "\n"
         "  %sm = arith.constant " +
         number(p.tileM) + " : i32\n  %sn = arith.constant " + number(p.tileN) + " : i32\n  %sk = arith.constant " +
         number(p.tileK) +
         " : i32\n"
         "  %ta = tile.tensor %a, [%m, %kk] : !tile.ptr<" +
         p.type + "> -> !tile.tensor<?x?x" + p.type +
         ">\n"
         "  %tb = tile.tensor %b, [%kk, %n] : !tile.ptr<" +
         p.type + "> -> !tile.tensor<?x?x" + p.type +
         ">\n"
         "  %tc = tile.tensor %c, [%m, %n] : !tile.ptr<" +
         p.out + "> -> !tile.tensor<?x?x" + p.out +
         ">\n"
         "  %i = tile.block_idx\n  %cols = arith.ceildivsi %n, %sn : i32\n"
         "  %bm = arith.divsi %i, %cols : i32\n  %bn = arith.remsi %i, %cols : i32\n"
         "  %om = arith.muli %bm, %sm : i32\n  %on = arith.muli %bn, %sn : i32\n"
         "  %start = tile.zeros_acc : " +
         acc +
         "\n"
         "  %sum = scf.for %k = %c0 to %kk step %sk iter_args(%p = %start) -> (" +
         acc +
         ") : i32 {\n"
         "    %la = tile.load %ta[%om, %k], %zero : !tile.tensor<?x?x" +
         p.type + ">, " + p.type + " -> !tile.tile<" + a +
         ", L0A>\n"
         "    %lb = tile.load %tb[%k, %on], %zero : !tile.tensor<?x?x" +
         p.type + ">, " + p.type + " -> !tile.tile<" + b +
         ", L0B>\n"
         "    %q = tile.matmul %la, %lb, %p : " +
         acc + " : !tile.tile<" + a + ", L0A>, !tile.tile<" + b + ", L0B> -> " + acc +
         "\n"
         "    scf.yield %q : " +
         acc + "\n  }\n" + tail + "  tile.store " + result + ", %tc[%om, %on] : " + type + ", !tile.tensor<?x?x" +
         p.out + ">\n  return\n}\n";
}

template <typename T, typename Out> void check(const Product &p, isa::Arch arch, double tolerance) {
  std::vector<T> a = numbers<T>(p.m * p.k, 1), b = numbers<T>(p.k * p.n, 2);
  std::vector<Argument> arguments = {
      Argument::array(a),    Argument::array(b),    Argument::array(std::vector<Out>(p.m * p.n, Out(7))),
      Argument::scalar(p.m), Argument::scalar(p.n), Argument::scalar(p.k)};
  int64_t blocks = ((p.m + p.tileM - 1) / p.tileM) * ((p.n + p.tileN - 1) / p.tileN);
  run(kernel(p), arch, arguments, blocks);
  std::vector<Out> c = arguments[2].values<Out>();
  for (int64_t i = 0; i < p.m; ++i)
    for (int64_t j = 0; j < p.n; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < p.k; ++k)
        sum += double(a[i * p.k + k]) * double(b[k * p.n + j]);
      if (p.relu)
        sum = std::max(sum, 0.0);
      ASSERT_NEAR(double(c[i * p.n + j]), sum, tolerance * (std::fabs(sum) + 1))
          << p.type << " " << p.m << "x" << p.n << "x" << p.k << " at " << i << ", " << j;
    }
}

TEST_P(Cube, SizesThatFillTheirTiles) {
  check<Half, float>({64, 48, 96, 32, 48, 32, "f16"}, GetParam(), 1e-5);
  check<float, float>({64, 48, 96, 32, 48, 32, "f32"}, GetParam(), 1e-5);
  check<float, float>({16, 16, 16, 16, 16, 16, "f32"}, GetParam(), 1e-5);
}

TEST_P(Cube, PartialTilesOnEverySide) {
  check<Half, float>({50, 70, 45, 32, 32, 32, "f16"}, GetParam(), 1e-5);
  check<float, float>({50, 70, 45, 32, 32, 32, "f32"}, GetParam(), 1e-5);
  check<float, float>({21, 19, 11, 32, 32, 16, "f32"}, GetParam(), 1e-5);
}

TEST_P(Cube, TilesThatDoNotFillFractals) {
  check<Half, float>({20, 24, 40, 20, 24, 20, "f16"}, GetParam(), 1e-5);
  check<float, float>({20, 24, 36, 20, 8, 12, "f32"}, GetParam(), 1e-5);
  check<Half, float>({1, 32, 64, 1, 32, 32, "f16"}, GetParam(), 1e-5);
}

TEST_P(Cube, ReluAndCastsOnTheWayOut) {
  check<Half, Half>({32, 32, 64, 32, 32, 32, "f16", "f16", true}, GetParam(), 1e-3);
  check<Half, float>({40, 32, 64, 32, 32, 32, "f16", "f32", true}, GetParam(), 1e-5);
}

TEST_P(Cube, AnEmptySumIsZero) { check<Half, float>({20, 30, 0, 32, 32, 32, "f16"}, GetParam(), 0); }

} // namespace
