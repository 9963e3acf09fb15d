// Random tile programs must give the same bits on both architectures, fused and unfused, in every late mode, without a
// finding: instructions through UB and vector functions are two independent ways to the same values.
//
// TILESMITH_FUZZ=n runs n programs instead of a few; TILESMITH_FUZZ_SEED starts at another one.
#include "KernelRun.h"

#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace tilesmith;
using namespace tilesmith::testing;

namespace {

constexpr int64_t rows = 4, outputs = 6;

class Program {
public:
  explicit Program(uint64_t seed) : random(seed) {
    cols = pick(std::vector<int64_t>{64, 72, 200, 8, 40});
    line("func.func @k(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i32, %s: f32) attributes {tile.kernel} {");
    line("  %zero = arith.constant 0 : i32");
    line("  %one = arith.constant 1 : i32");
    line("  %fzero = arith.constant 0.0 : f32");
    line("  %fc = arith.constant 0.75 : f32");
    line("  %tx = tile.tensor %x, [] : !tile.ptr<f32> -> !tile.tensor<8x" + std::to_string(cols) + "xf32>");
    line("  %ty = tile.tensor %y, [] : !tile.ptr<f32> -> !tile.tensor<" + std::to_string(rows * outputs) + "x" +
         std::to_string(cols) + "xf32>");
    load("full");
    load("full");
    load("row");
    body(12);
    for (int64_t i = 0; i < outputs; ++i)
      store();
    line("  return");
    line("}");
  }

  std::string text;
  int64_t cols;

private:
  using Values = std::map<std::string, std::vector<std::string>>; // kind -> names in scope

  int pick(int bound) { return int(random() % uint64_t(bound)); }
  template <typename T> T pick(const std::vector<T> &from) { return from[pick(int(from.size()))]; }
  std::string fresh() { return "%v" + std::to_string(next++); }
  void line(const std::string &what) { text += what + "\n"; }
  std::string shape(const std::string &kind) {
    std::string r = std::to_string(rows), c = std::to_string(cols);
    return kind == "full"     ? r + "x" + c
           : kind == "row"    ? "1x" + c
           : kind == "column" ? r + "x1"
           : kind == "flat"   ? std::to_string(rows * cols)
                              : "1x1";
  }
  std::string tile(const std::string &kind, const std::string &type = "f32") {
    return "!tile.tile<" + shape(kind) + "x" + type + ", UB>";
  }
  bool has(const std::string &kind) { return !values[kind].empty(); }
  std::string any(const std::string &kind) {
    if (pick(2)) // the latest values, so that chains grow
      return values[kind].back();
    return pick(values[kind]);
  }
  std::string define(const std::string &kind, const std::string &expression) {
    std::string name = fresh();
    line("  " + name + " = " + expression);
    values[kind].push_back(name);
    return name;
  }

  void load(const std::string &kind) {
    define(kind, "tile.load %tx[" + std::string(pick(2) ? "%zero" : "%one") + ", %zero], %fzero : !tile.tensor<8x" +
                     std::to_string(cols) + "xf32>, f32 -> " + tile(kind));
  }
  void store() {
    std::string row = fresh();
    line("  " + row + " = arith.constant " + std::to_string(rows * (stored++ % outputs)) + " : i32");
    line("  tile.store " + any("full") + ", %ty[" + row + ", %zero] : " + tile("full") + ", !tile.tensor<" +
         std::to_string(rows * outputs) + "x" + std::to_string(cols) + "xf32>");
  }

  // Bounded results, so that programs of any length stay away from infinity.
  void operation() {
    std::string kind = pick(std::vector<std::string>{"full", "full", "full", "row", "column", "flat", "single"});
    if (!has(kind))
      kind = "full";
    std::string type = tile(kind), x = any(kind);
    switch (pick(13)) {
    case 0:
      define(kind, "tile.unary " + pick(std::vector<std::string>{"abs", "neg", "relu", "floor", "tanh", "ceil"}) + " " +
                       x + " : " + type);
      return;
    case 1:
    case 2:
      define(kind, "tile.binary " + pick(std::vector<std::string>{"add", "sub", "max", "min"}) + " " + x + ", " +
                       any(kind) + " : " + type + ", " + type + " -> " + type);
      return;
    case 3: {
      std::string bounded = define(kind, "tile.unary tanh " + x + " : " + type);
      define(kind, "tile.binary mul " + bounded + ", " + any(kind) + " : " + type + ", " + type + " -> " + type);
      return;
    }
    case 4: {
      std::string s = pick(2) ? "%s" : "%fc";
      bool left = pick(2);
      define(kind, "tile.binary " + pick(std::vector<std::string>{"add", "sub", "mul", "div", "max"}) + " " +
                       (left ? x + ", " + s : s + ", " + x) + " : " + (left ? type + ", f32" : "f32, " + type) +
                       " -> " + type);
      if (!left) // a quotient may be infinite
        define(kind, "tile.unary tanh " + values[kind].back() + " : " + type);
      return;
    }
    case 5: {
      std::string mask = fresh();
      std::string bits = tile(kind, "i1");
      line("  " + mask + " = tile.compare " + pick(std::vector<std::string>{"lt", "ge", "ne"}) + " " + x + ", " +
           any(kind) + " : " + type + ", " + type + " -> " + bits);
      bool isScalar = pick(2);
      define(kind, "tile.select " + mask + ", " + x + ", " + (isScalar ? "%fc" : any(kind)) + " : " + bits + ", " +
                       type + ", " + (isScalar ? "f32" : type) + " -> " + type);
      return;
    }
    case 6: {
      std::string to = pick(std::vector<std::string>{"f16", "bf16", "i32", "i16"});
      std::string narrow = fresh();
      line("  " + narrow + " = tile.cast " + x + " : " + type + " -> " + tile(kind, to));
      if (to[0] == 'i' || pick(2)) {
        std::string twice = fresh();
        line("  " + twice + " = tile.binary " + pick(std::vector<std::string>{"add", "max", "sub"}) + " " + narrow +
             ", " + narrow + " : " + tile(kind, to) + ", " + tile(kind, to) + " -> " + tile(kind, to));
        narrow = twice;
      }
      define(kind, "tile.cast " + narrow + " : " + tile(kind, to) + " -> " + type);
      return;
    }
    case 7: {
      bool across = pick(2);
      std::string to = across ? "column" : "row", full = any("full");
      define(to, "tile.reduce " + pick(std::vector<std::string>{"sum", "max", "min"}) + " " + full +
                     (across ? " [1] : " : " [0] : ") + tile("full") + " -> " + tile(to));
      define(to, "tile.unary tanh " + values[to].back() + " : " + tile(to));
      return;
    }
    case 8: {
      std::string one = define("single", "tile.reduce " + pick(std::vector<std::string>{"max", "sum"}) + " " +
                                             any("full") + " [0, 1] : " + tile("full") + " -> " + tile("single"));
      one = define("single", "tile.unary tanh " + one + " : " + tile("single"));
      std::string scalar = fresh();
      line("  " + scalar + " = tile.extract " + one + " : " + tile("single") + " -> f32");
      if (pick(2)) {
        std::string more = fresh();
        line("  " + more + " = arith.addf " + scalar + ", %fc : f32");
        scalar = more;
      }
      define("full",
             "tile.binary add " + any("full") + ", " + scalar + " : " + tile("full") + ", f32 -> " + tile("full"));
      return;
    }
    case 9: {
      std::string from = pick(std::vector<std::string>{"row", "column", "single"});
      if (has(from))
        define("full", "tile.broadcast " + any(from) + " : " + tile(from) + " -> " + tile("full"));
      return;
    }
    case 10:
      if (pick(2) && has("flat"))
        define("full", "tile.reshape " + any("flat") + " : " + tile("flat") + " -> " + tile("full"));
      else
        define("flat", "tile.reshape " + any("full") + " : " + tile("full") + " -> " + tile("flat"));
      return;
    case 11:
      load(pick(2) ? "full" : "row");
      return;
    case 12:
      store();
      return;
    }
  }

  void body(int count) {
    for (int i = 0; i < count; ++i) {
      if (depth < 2 && pick(8) == 0)
        pick(3) ? loop() : branch();
      else
        operation();
    }
  }

  void loop() {
    Values outer = values;
    std::vector<std::string> kinds, inits, arguments, results;
    for (int i = 0, carried = 1 + pick(3); i < carried; ++i) {
      std::string kind = pick(std::vector<std::string>{"full", "full", "row"});
      kinds.push_back(kind);
      inits.push_back(any(kind));
      arguments.push_back(fresh());
      results.push_back(fresh());
    }
    auto types = [&] {
      std::string all;
      for (auto &kind : kinds)
        all += (all.empty() ? "" : ", ") + tile(kind);
      return all;
    };
    std::string header, heads;
    for (size_t i = 0; i < kinds.size(); ++i) {
      heads += (i ? ", " : "") + results[i];
      header += (i ? ", " : "") + arguments[i] + " = " + inits[i];
      values[kinds[i]].push_back(arguments[i]);
    }
    line("  " + heads + " = scf.for " + fresh() + " = %zero to %n step %one iter_args(" + header + ") -> (" + types() +
         ") : i32 {");
    ++depth;
    body(5);
    --depth;
    std::string yields;
    for (auto &kind : kinds)
      yields += (yields.empty() ? "" : ", ") + any(kind);
    line("  scf.yield " + yields + " : " + types());
    line(pick(4) ? "  }" : "  } {tile.unroll_factor = 2 : i64}");
    values = outer;
    for (size_t i = 0; i < kinds.size(); ++i)
      values[kinds[i]].push_back(results[i]);
  }

  void branch() {
    Values outer = values;
    std::string condition = fresh(), result = fresh(), other = fresh();
    line("  " + condition + " = arith.cmpi sgt, %n, %one : i32");
    line("  " + result + ", " + other + " = scf.if " + condition + " -> (" + tile("full") + ", " + tile("row") + ") {");
    for (int side = 0; side < 2; ++side) {
      ++depth;
      body(3);
      --depth;
      line("  scf.yield " + any("full") + ", " + any("row") + " : " + tile("full") + ", " + tile("row"));
      line(side ? "  }" : "  } else {");
      values = outer;
    }
    values["full"].push_back(result);
    values["row"].push_back(other);
  }

  std::mt19937_64 random;
  Values values;
  int next = 0, depth = 0;
  int64_t stored = 0;
};

TEST(Fuzz, BothArchitecturesAgreeToTheBit) {
  const char *count = std::getenv("TILESMITH_FUZZ"), *start = std::getenv("TILESMITH_FUZZ_SEED");
  uint64_t first = start ? std::strtoull(start, nullptr, 10) : 1;
  for (uint64_t seed = first; seed < first + (count ? std::strtoull(count, nullptr, 10) : 6); ++seed) {
    Program program(seed);
    std::vector<float> x(8 * program.cols);
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = std::sin(float(i) * 0.37f) * 3;
    for (int64_t trips : {0, 1, 3}) {
      std::vector<Argument> original = {Argument::array(x),
                                        Argument::array(std::vector<float>(rows * outputs * program.cols)),
                                        Argument::scalar(trips), Argument::scalar(1.25f)};
      std::vector<Argument> c220 = original, c310 = original, alone = original;
      run(program.text, isa::Arch::C220, c220);
      run(program.text, isa::Arch::C310, c310);
      run(program.text, isa::Arch::C310, alone, 1, /*fuse=*/false);
      ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << seed << ", " << trips << " trips\n" << program.text;
      std::vector<float> a = c220[1].values<float>(), b = c310[1].values<float>(), c = alone[1].values<float>();
      for (size_t i = 0; i < a.size(); ++i) {
        bool same = (std::isnan(a[i]) && std::isnan(b[i])) || a[i] == b[i];
        ASSERT_TRUE(same) << "seed " << seed << ", " << trips << " trips: element " << i << " is " << a[i]
                          << " on C220 and " << b[i] << " on C310\n"
                          << program.text;
        ASSERT_TRUE((std::isnan(c[i]) && std::isnan(b[i])) || c[i] == b[i])
            << "seed " << seed << ", " << trips << " trips: element " << i << " is " << b[i] << " fused and " << c[i]
            << " alone\n"
            << program.text;
      }
    }
  }
}

} // namespace
