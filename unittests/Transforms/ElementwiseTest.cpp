// Element-wise kernels on both architectures, with a tile that ends inside the array.
#include "KernelRun.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>

using namespace tilesmith;
using namespace tilesmith::testing;

namespace {

constexpr int64_t tileSize = 256;

// One array in, one out; `body` computes %r (type `to`) from %a (type `from`).
std::string elementwise(const std::string &from, const std::string &to, const std::string &body) {
  std::string zero = from[0] == 'f' || from[0] == 'b' ? "0.0" : "0";
  return "func.func @k(%x: !tile.ptr<" + from + ">, %y: !tile.ptr<" + to +
         ">, %n: i32) attributes {tile.kernel} {\n"
         "  %size = arith.constant 256 : i32\n"
         "  %zero = arith.constant " +
         zero + " : " + from +
         "\n"
         "  %tx = tile.tensor %x, [%n] : !tile.ptr<" +
         from + "> -> !tile.tensor<?x" + from +
         ">\n"
         "  %ty = tile.tensor %y, [%n] : !tile.ptr<" +
         to + "> -> !tile.tensor<?x" + to +
         ">\n"
         "  %i = tile.block_idx\n"
         "  %off = arith.muli %i, %size : i32\n"
         "  %a = tile.load %tx[%off], %zero : !tile.tensor<?x" +
         from + ">, " + from + " -> !tile.tile<256x" + from + ", UB>\n" + body +
         "  tile.store %r, %ty[%off] : !tile.tile<256x" + to + ", UB>, !tile.tensor<?x" + to +
         ">\n"
         "  return\n}\n";
}

template <typename From, typename To>
std::vector<To> apply(const std::string &ir, isa::Arch arch, const std::vector<From> &x) {
  std::vector<Argument> arguments = {Argument::array(x), Argument::array(std::vector<To>(x.size())),
                                     Argument::scalar(int64_t(x.size()))};
  run(ir, arch, arguments, (x.size() + tileSize - 1) / tileSize);
  return arguments[1].values<To>();
}

std::vector<float> spread(float low, float high, size_t count) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = low + (high - low) * float(i) / float(count - 1);
  return values;
}

struct Function {
  const char *name;
  std::function<double(double)> reference;
  float low, high;
};

const Function functions[] = {
    {"abs", [](double x) { return std::fabs(x); }, -5, 5},
    {"neg", [](double x) { return -x; }, -5, 5},
    {"exp", [](double x) { return std::exp(x); }, -20, 20},
    {"exp2", [](double x) { return std::exp2(x); }, -20, 20},
    {"log", [](double x) { return std::log(x); }, 0.001f, 1000},
    {"log2", [](double x) { return std::log2(x); }, 0.001f, 1000},
    {"sqrt", [](double x) { return std::sqrt(x); }, 0, 1000},
    {"rsqrt", [](double x) { return 1 / std::sqrt(x); }, 0.001f, 1000},
    {"reciprocal", [](double x) { return 1 / x; }, 0.001f, 1000},
    {"relu", [](double x) { return x > 0 ? x : 0; }, -5, 5},
    {"erf", [](double x) { return std::erf(x); }, -6, 6},
    {"sin", [](double x) { return std::sin(x); }, -30, 30},
    {"cos", [](double x) { return std::cos(x); }, -30, 30},
    {"tan", [](double x) { return std::tan(x); }, -30, 30},
    {"sinh", [](double x) { return std::sinh(x); }, -80, 80},
    {"cosh", [](double x) { return std::cosh(x); }, -80, 80},
    {"tanh", [](double x) { return std::tanh(x); }, -12, 12},
    {"floor", [](double x) { return std::floor(x); }, -300, 300},
    {"ceil", [](double x) { return std::ceil(x); }, -300, 300},
};

class Elementwise : public ::testing::TestWithParam<isa::Arch> {};
INSTANTIATE_TEST_SUITE_P(OnBoth, Elementwise, ::testing::Values(isa::Arch::C220, isa::Arch::C310),
                         [](const auto &info) { return std::string(isa::stringify(info.param)); });

std::string unary(const std::string &name, const std::string &type) {
  return "  %r = tile.unary " + name + " %a : !tile.tile<256x" + type + ", UB>\n";
}

TEST_P(Elementwise, FunctionsOfF32MeetTheGate) {
  for (const Function &function : functions) {
    std::vector<float> x = spread(function.low, function.high, 2999);
    if (function.low < 0)
      for (int i = 0; i < 1000; ++i)
        x.push_back(std::ldexp(1.0f + i / 1000.0f, -i % 24)); // close to zero
    std::vector<float> y = apply<float, float>(elementwise("f32", "f32", unary(function.name, "f32")), GetParam(), x);
    for (size_t i = 0; i < x.size(); ++i) {
      double expected = function.reference(x[i]);
      // Where the function itself is steep, a relative error of 1e-5 is already the last bits of the argument.
      double tolerance = std::string(function.name) == "tan" || std::string(function.name) == "exp2" ? 1e-5 : 1.5e-6;
      ASSERT_NEAR(y[i], expected, tolerance * std::max(std::fabs(expected), std::ldexp(1.0, -13)))
          << function.name << "(" << x[i] << ")";
    }
  }
}

TEST_P(Elementwise, FunctionsOfF16AreRoundedOnce) {
  for (const Function &function : functions) {
    std::vector<Half> x;
    for (float value : spread(std::max(function.low, -8.0f), std::min(function.high, 8.0f), 700))
      x.push_back(Half(value));
    std::vector<Half> y = apply<Half, Half>(elementwise("f16", "f16", unary(function.name, "f16")), GetParam(), x);
    for (size_t i = 0; i < x.size(); ++i) {
      double expected = function.reference(double(x[i]));
      ASSERT_NEAR(double(y[i]), expected, 5.1e-4 * std::max(std::fabs(expected), 1e-4))
          << function.name << "(" << double(x[i]) << ")";
    }
  }
}

// Two operands made from one array: a and a shifted copy of its values, so that both vary.
const char *binaryKinds[] = {"add", "sub", "mul", "div", "max", "min"};

template <typename T> T evaluate(const std::string &kind, T a, T b) {
  if (kind == "add")
    return T(a + b);
  if (kind == "sub")
    return T(a - b);
  if (kind == "mul")
    return T(a * b);
  if (kind == "div")
    return T(a / b);
  return kind == "max" ? std::max(a, b) : std::min(a, b);
}

template <typename T> std::vector<T> integers(size_t count) {
  std::vector<T> values(count);
  uint64_t state = 88172645463325252ull;
  for (T &value : values) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    value = T(state >> 20);
    if (value == 0)
      value = 3;
  }
  return values;
}

template <typename T> void checkIntegers(const std::string &type, isa::Arch arch) {
  std::vector<T> x = integers<T>(333);
  std::string tile = "!tile.tile<256x" + type + ", UB>";
  using Wide = std::make_unsigned_t<T>;
  for (std::string kind : binaryKinds) {
    // b = 7 - a, so that both sides change; both tile-tile and tile-scalar forms run.
    std::string body = "  %seven = arith.constant 7 : " + type + "\n  %b = tile.binary sub %seven, %a : " + type +
                       ", " + tile + " -> " + tile + "\n  %c = tile.binary " + kind + " %b, %a : " + tile + ", " +
                       tile + " -> " + tile + "\n  %r = tile.binary " + kind + " %c, %seven : " + tile + ", " + type +
                       " -> " + tile + "\n";
    std::vector<T> y = apply<T, T>(elementwise(type, type, body), arch, x);
    for (size_t i = 0; i < x.size(); ++i) {
      T b = T(Wide(7) - Wide(x[i]));
      auto wrap = [&](T p, T q) -> T {
        if (kind == "add")
          return T(uint64_t(p) + uint64_t(q));
        if (kind == "sub")
          return T(uint64_t(p) - uint64_t(q));
        if (kind == "mul")
          return T(uint64_t(p) * uint64_t(q));
        return evaluate<T>(kind, p, q);
      };
      T expected = wrap(wrap(b, x[i]), T(7));
      ASSERT_EQ(int64_t(y[i]), int64_t(expected)) << kind << " " << type << " of " << int64_t(x[i]);
    }
  }
}

TEST_P(Elementwise, IntegerArithmeticIsExactAndWraps) {
  checkIntegers<int8_t>("i8", GetParam());
  checkIntegers<int16_t>("i16", GetParam());
  checkIntegers<int32_t>("i32", GetParam());
}

TEST_P(Elementwise, FloatArithmeticWithScalarsOnEitherSide) {
  std::vector<float> x = spread(-3, 4, 300);
  for (std::string kind : binaryKinds) {
    std::string tile = "!tile.tile<256xf32, UB>";
    std::string body = "  %s = arith.constant 1.3 : f32\n  %l = tile.binary " + kind + " %s, %a : f32, " + tile +
                       " -> " + tile + "\n  %m = tile.binary " + kind + " %a, %s : " + tile + ", f32 -> " + tile +
                       "\n  %r = tile.binary sub %l, %m : " + tile + ", " + tile + " -> " + tile + "\n";
    std::vector<float> y = apply<float, float>(elementwise("f32", "f32", body), GetParam(), x);
    for (size_t i = 0; i < x.size(); ++i)
      ASSERT_EQ(y[i], evaluate<float>(kind, 1.3f, x[i]) - evaluate<float>(kind, x[i], 1.3f)) << kind << " " << x[i];
  }
}

TEST_P(Elementwise, ComparisonsAndSelection) {
  const std::pair<const char *, std::function<bool(double, double)>> kinds[] = {
      {"lt", [](double a, double b) { return a < b; }},  {"gt", [](double a, double b) { return a > b; }},
      {"eq", [](double a, double b) { return a == b; }}, {"le", [](double a, double b) { return a <= b; }},
      {"ge", [](double a, double b) { return a >= b; }}, {"ne", [](double a, double b) { return a != b; }}};
  for (auto &[name, test] : kinds) {
    std::vector<int32_t> x;
    for (int i = 0; i < 300; ++i)
      x.push_back(i % 7 == 0 ? 100000007 : i * 1000003 - 100000000);
    std::string tile = "!tile.tile<256xi32, UB>", mask = "!tile.tile<256xi1, UB>";
    std::string body = "  %s = arith.constant 100000007 : i32\n  %t = arith.constant -5 : i32\n  %m = tile.compare " +
                       std::string(name) + " %a, %s : " + tile + ", i32 -> " + mask +
                       "\n  %r = tile.select %m, %a, %t : " + mask + ", " + tile + ", i32 -> " + tile + "\n";
    std::vector<int32_t> y = apply<int32_t, int32_t>(elementwise("i32", "i32", body), GetParam(), x);
    for (size_t i = 0; i < x.size(); ++i)
      ASSERT_EQ(y[i], test(x[i], 100000007) ? x[i] : -5) << name << " " << x[i];
  }
}

TEST_P(Elementwise, MasksCombine) {
  std::string tile = "!tile.tile<256xf32, UB>", mask = "!tile.tile<256xi1, UB>";
  std::string body = "  %s = arith.constant 1.0 : f32\n  %t = arith.constant 2.0 : f32\n"
                     "  %p = tile.compare gt %a, %s : " +
                     tile + ", f32 -> " + mask +
                     "\n"
                     "  %q = tile.compare lt %a, %t : " +
                     tile + ", f32 -> " + mask +
                     "\n"
                     "  %both = tile.binary and %p, %q : " +
                     mask + ", " + mask + " -> " + mask +
                     "\n"
                     "  %one = tile.binary xor %p, %q : " +
                     mask + ", " + mask + " -> " + mask +
                     "\n"
                     "  %none = tile.unary not %one : " +
                     mask +
                     "\n"
                     "  %u = tile.select %both, %s, %zero : " +
                     mask + ", f32, f32 -> " + tile +
                     "\n"
                     "  %r = tile.select %none, %u, %t : " +
                     mask + ", " + tile + ", f32 -> " + tile + "\n";
  std::vector<float> x = spread(0, 3, 301);
  std::vector<float> y = apply<float, float>(elementwise("f32", "f32", body), GetParam(), x);
  for (size_t i = 0; i < x.size(); ++i) {
    bool p = x[i] > 1, q = x[i] < 2;
    ASSERT_EQ(y[i], p != q ? 2.0f : p && q ? 1.0f : 0.0f) << x[i];
  }
}

template <typename From, typename To>
void checkCast(const char *from, const char *to, isa::Arch arch, const std::vector<From> &x,
               std::function<To(From)> reference) {
  std::string body =
      std::string("  %r = tile.cast %a : !tile.tile<256x") + from + ", UB> -> !tile.tile<256x" + to + ", UB>\n";
  std::vector<To> y = apply<From, To>(elementwise(from, to, body), arch, x);
  for (size_t i = 0; i < x.size(); ++i)
    ASSERT_EQ(double(y[i]), double(reference(x[i]))) << from << " to " << to << " of " << double(x[i]);
}

TEST_P(Elementwise, EveryPairOfTypesConverts) {
  auto plain = [](auto from, auto to) { return [](decltype(from) x) { return decltype(to)(x); }; };
  std::vector<float> f = spread(-120, 120, 301);
  std::vector<Half> h(f.begin(), f.end());
  isa::Arch arch = GetParam();
  checkCast<float, Half>("f32", "f16", arch, f, plain(0.0f, Half()));
  checkCast<float, int32_t>("f32", "i32", arch, f, plain(0.0f, int32_t()));
  checkCast<float, int16_t>("f32", "i16", arch, f, plain(0.0f, int16_t()));
  checkCast<float, int8_t>("f32", "i8", arch, f, plain(0.0f, int8_t()));
  checkCast<Half, float>("f16", "f32", arch, h, plain(Half(), 0.0f));
  checkCast<Half, int32_t>("f16", "i32", arch, h, plain(Half(), int32_t()));
  checkCast<Half, int16_t>("f16", "i16", arch, h, plain(Half(), int16_t()));
  checkCast<Half, int8_t>("f16", "i8", arch, h, plain(Half(), int8_t()));
  std::vector<int8_t> i8 = integers<int8_t>(300);
  std::vector<int16_t> i16 = integers<int16_t>(300);
  std::vector<int32_t> i32 = integers<int32_t>(300);
  checkCast<int8_t, float>("i8", "f32", arch, i8, plain(int8_t(), 0.0f));
  checkCast<int8_t, Half>("i8", "f16", arch, i8, plain(int8_t(), Half()));
  checkCast<int8_t, int16_t>("i8", "i16", arch, i8, plain(int8_t(), int16_t()));
  checkCast<int8_t, int32_t>("i8", "i32", arch, i8, plain(int8_t(), int32_t()));
  checkCast<int16_t, float>("i16", "f32", arch, i16, plain(int16_t(), 0.0f));
  checkCast<int16_t, Half>("i16", "f16", arch, i16, plain(int16_t(), Half()));
  checkCast<int16_t, int8_t>("i16", "i8", arch, i16, plain(int16_t(), int8_t()));
  checkCast<int16_t, int32_t>("i16", "i32", arch, i16, plain(int16_t(), int32_t()));
  checkCast<int32_t, float>("i32", "f32", arch, i32, plain(int32_t(), 0.0f));
  checkCast<int32_t, int16_t>("i32", "i16", arch, i32, plain(int32_t(), int16_t()));
  checkCast<int32_t, int8_t>("i32", "i8", arch, i32, plain(int32_t(), int8_t()));
}

} // namespace
