// What each element function computes, against plain scalar references; and the same on every CPU build.
#include "ElementKernels.h"
#include "RoundingReference.h"
#include "tilesmith/Support/CpuLevel.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <string_view>
#include <vector>

using namespace tilesmith::unittests;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNaN = std::numeric_limits<float>::quiet_NaN();

// The builds this host can run.
std::vector<std::pair<const char *, const ElementKernel *>> builds() {
  const std::pair<const char *, const ElementKernel *> all[] = {
      {"baseline", elementKernelsBaseline}, {"avx2", elementKernelsAvx2}, {"avx512", elementKernelsAvx512}};
  return {all, all + int(tilesmith::hostCpuLevel()) + 1};
}

uint32_t bitsOf(float x) { return std::bit_cast<uint32_t>(x); }
float floatOf(uint32_t x) { return std::bit_cast<float>(x); }

const ElementKernel &find(const ElementKernel *table, std::string_view name) {
  for (; table->name; ++table)
    if (name == table->name)
      return *table;
  ADD_FAILURE() << "no kernel named " << name;
  std::abort();
}

std::vector<uint32_t> run(std::string_view name, const std::vector<uint32_t> &a, const std::vector<uint32_t> &b,
                          const ElementKernel *table = elementKernelsBaseline) {
  std::vector<uint32_t> dst(b);
  find(table, name).run(dst.data(), a.data(), b.data(), static_cast<int64_t>(a.size()));
  return dst;
}

const std::vector<uint32_t> &specials() {
  static const std::vector<uint32_t> values = [] {
    std::vector<uint32_t> v;
    for (float x : {0.0f,
                    1.0f,
                    0.5f,
                    1.5f,
                    2.5f,
                    3.0f,
                    0x1p-149f,
                    0x1p-126f,
                    0x1p-127f,
                    0x1p-24f,
                    0x1p-25f,
                    0x1.8p-25f,
                    65504.0f,
                    65519.0f,
                    65520.0f,
                    65536.0f,
                    127.5f,
                    128.0f,
                    255.5f,
                    32767.5f,
                    65535.5f,
                    0x1p+31f,
                    0x1.fffffep+30f,
                    0x1p+32f,
                    0x1.fffffep+31f,
                    88.7228f,
                    88.73f,
                    104.0f,
                    103.97f,
                    87.4f,
                    0x1.fep+127f,
                    0x1.ffp+127f,
                    std::numeric_limits<float>::max(),
                    kInf,
                    kNaN})
      for (float y : {x, -x})
        v.push_back(bitsOf(y));
    return v;
  }();
  return values;
}

// All exponents and signs with random mantissas, then the specials.
std::vector<uint32_t> floats(size_t perExponent, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<uint32_t> v;
  for (uint32_t top = 0; top < 512; ++top)
    for (size_t i = 0; i < perExponent; ++i)
      v.push_back(top << 23 | (random() & 0x7fffff));
  v.insert(v.end(), specials().begin(), specials().end());
  return v;
}

std::vector<uint32_t> shuffled(std::vector<uint32_t> v, unsigned seed) {
  std::mt19937 random(seed);
  for (size_t i = v.size(); i-- > 1;)
    std::swap(v[i], v[random() % (i + 1)]);
  return v;
}

void expectFloats(std::string_view name, const std::vector<uint32_t> &a, const std::vector<uint32_t> &b,
                  const std::function<float(float, float)> &reference) {
  auto result = run(name, a, b);
  for (size_t i = 0; i < a.size(); ++i) {
    float want = reference(floatOf(a[i]), floatOf(b[i])), got = floatOf(result[i]);
    bool same = std::isnan(want) ? std::isnan(got) : bitsOf(want) == result[i];
    ASSERT_TRUE(same) << name << "(" << std::hexfloat << floatOf(a[i]) << ", " << floatOf(b[i]) << ") = " << got
                      << ", want " << want;
  }
}

void expectInts(std::string_view name, const std::vector<uint32_t> &a, const std::vector<uint32_t> &b,
                const std::function<int32_t(int32_t, int32_t)> &reference) {
  auto result = run(name, a, b);
  for (size_t i = 0; i < a.size(); ++i)
    ASSERT_EQ(reference(a[i], b[i]), static_cast<int32_t>(result[i]))
        << name << "(" << static_cast<int32_t>(a[i]) << ", " << static_cast<int32_t>(b[i]) << ")";
}

// Distance in units of the last place of the exact result; subnormal results have the ulp of the smallest normal.
double ulps(float got, double want) {
  int exponent = 0;
  std::frexp(want, &exponent);
  exponent = want == 0 ? -125 : std::max(exponent, -125);
  return std::fabs(static_cast<double>(got) - want) / std::ldexp(1.0, exponent - 24);
}

double worstUlps(std::string_view name, const std::vector<uint32_t> &a,
                 const std::function<double(double)> &reference) {
  auto result = run(name, a, a);
  double worst = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    double want = reference(floatOf(a[i]));
    float got = floatOf(result[i]), nearest = static_cast<float>(want);
    if (std::isnan(want) || std::isinf(nearest)) {
      EXPECT_TRUE(std::isnan(want) ? std::isnan(got) : got == nearest)
          << name << "(" << std::hexfloat << floatOf(a[i]) << ") = " << got;
      continue;
    }
    worst = std::max(worst, ulps(got, want));
  }
  return worst;
}

const char *const kModes[] = {"Rint", "Floor", "Ceil", "Away", "Trunc", "Odd"};

//===-- Tests -----------------------------------------------------------------------------------------------------===//

TEST(Element, FloatArithmeticIsIeee) {
  auto a = floats(200, 1), b = shuffled(a, 2);
  expectFloats("add", a, b, [](float x, float y) { return x + y; });
  expectFloats("sub", a, b, [](float x, float y) { return x - y; });
  expectFloats("mul", a, b, [](float x, float y) { return x * y; });
  expectFloats("div", a, b, [](float x, float y) { return x / y; });
  expectFloats("sqrt", a, a, [](float x, float) { return std::sqrt(x); });
  expectFloats("reciprocal", a, a, [](float x, float) { return 1.0f / x; });
  expectFloats("rsqrt", a, a, [](float x, float) { return 1.0f / std::sqrt(x); });
  expectFloats("abs", a, a, [](float x, float) { return std::fabs(x); });
  expectFloats("neg", a, a, [](float x, float) { return -x; });
  expectFloats("fma", a, b, [](float x, float y) { return std::fma(x, y, y); });
}

TEST(Element, MaxAndMinLetNaNWinAndOrderZeros) {
  auto a = floats(50, 3), b = shuffled(a, 4);
  for (uint32_t x : specials())
    for (uint32_t y : specials())
      a.push_back(x), b.push_back(y);
  auto pick = [](float x, float y, bool larger) {
    if (std::isnan(x) || std::isnan(y))
      return kNaN;
    if (x == 0 && y == 0)
      return std::signbit(larger ? x : y) ? y : x;
    return (x > y) == larger ? x : y;
  };
  expectFloats("max", a, b, [&](float x, float y) { return x == y && x != 0 ? x : pick(x, y, true); });
  expectFloats("min", a, b, [&](float x, float y) { return x == y && x != 0 ? x : pick(x, y, false); });
}

TEST(Element, ReluKeepsNaNAndDropsNegativeZero) {
  auto a = floats(50, 5), b = shuffled(a, 6);
  expectFloats("relu", a, a, [](float x, float) { return std::isnan(x) ? x : x > 0 ? x : 0.0f; });
  expectFloats("leakyRelu", a, b, [](float x, float y) { return x >= 0 ? x : x * y; });
}

TEST(Element, ExpIsWithinOneUlpEverywhere) {
  auto a = floats(4000, 7);
  for (float x = -104.5f; x < 89.5f; x += 0x1p-10f)
    a.push_back(bitsOf(x));
  EXPECT_LT(worstUlps("exp", a, [](double x) { return std::exp(x); }), 1.0);
}

TEST(Element, LnIsWithinOneUlpEverywhere) {
  auto a = floats(4000, 8);
  for (float x = 0.25f; x < 4.0f; x += 0x1p-16f)
    a.push_back(bitsOf(x));
  EXPECT_LT(worstUlps("ln", a, [](double x) { return std::log(x); }), 1.0);
}

TEST(Element, EveryHalfLoadsAsItsValueAndStoresBack) {
  std::vector<uint32_t> packed(32768), widened(65536);
  for (uint32_t i = 0; i < 65536; ++i)
    reinterpret_cast<uint16_t *>(packed.data())[i] = static_cast<uint16_t>(i);
  std::vector<uint32_t> back(32768);
  for (auto [level, table] : builds())
    for (bool isF16 : {true, false}) {
      SCOPED_TRACE(level);
      find(table, isF16 ? "loadF16" : "loadBF16").run(widened.data(), packed.data(), nullptr, 65536);
      for (uint32_t i = 0; i < 65536; ++i) {
        int exponent = isF16 ? i >> 10 & 31 : i >> 7 & 255, bias = isF16 ? 15 : 127, width = isF16 ? 10 : 7;
        int fraction = i & ((1 << width) - 1), top = isF16 ? 31 : 255;
        double value = exponent == top ? (fraction ? NAN : INFINITY)
                                       : std::ldexp(exponent ? fraction + (1 << width) : fraction,
                                                    std::max(exponent, 1) - bias - width);
        float want = static_cast<float>(i & 0x8000 ? -value : value);
        if (std::isnan(want))
          ASSERT_TRUE(std::isnan(floatOf(widened[i]))) << i;
        else
          ASSERT_EQ(bitsOf(want), widened[i]) << i;
      }
      find(table, isF16 ? "storeF16" : "storeBF16").run(back.data(), widened.data(), nullptr, 65536);
      for (uint32_t i = 0; i < 65536; ++i) {
        uint16_t got = reinterpret_cast<uint16_t *>(back.data())[i];
        bool isNaN = (i & 0x7fff) > (isF16 ? 0x7c00u : 0x7f80u);
        ASSERT_EQ(isNaN ? i | (isF16 ? 0x200 : 0x40) : i, got);
      }
    }
}

TEST(Element, RoundingToHalvesFollowsTheModes) {
  auto a = floats(2000, 9);
  std::mt19937 random(10);
  // Around every f16 tie and every exactly representable value.
  for (uint32_t i = 0; i < 40000; ++i) {
    uint32_t half = random() & 0x7fff, exponent = half >> 10;
    if (exponent == 31)
      continue;
    double value = std::ldexp(exponent ? (half & 1023) + 1024.5 : (half & 1023) + 0.5, std::max(exponent, 1u) - 25.0);
    uint32_t bits = bitsOf(static_cast<float>(value));
    for (uint32_t near : {bits - 1, bits, bits + 1})
      a.push_back(near | random() << 31);
    uint32_t bf = (random() & 0xffff0000u) | 0x8000u;
    for (uint32_t near : {bf - 1, bf, bf + 1})
      a.push_back(near);
  }
  for (std::string_view mode : kModes) {
    expectFloats("f16" + std::string(mode), a, a, [&](float x, float) { return roundReference(x, 10, -14, 15, mode); });
    expectFloats("bf16" + std::string(mode), a, a,
                 [&](float x, float) { return roundReference(x, 7, -126, 127, mode); });
  }
}

TEST(Element, FloatToIntegerSaturatesAndNaNIsZero) {
  auto a = floats(500, 11);
  std::mt19937 random(12);
  for (int i = 0; i < 20000; ++i)
    a.push_back(bitsOf(static_cast<float>(static_cast<int>(random() % 140000) - 70000) / 2));
  for (std::string_view mode : kModes) {
    if (mode == "Odd")
      continue;
    expectFloats("integral" + std::string(mode), a, a,
                 [&](float x, float) { return static_cast<float>(integralReference(x, mode)); });
    auto expectType = [&](std::string type, double low, double high) {
      auto result = run(type + std::string(mode), a, a);
      for (size_t i = 0; i < a.size(); ++i) {
        double x = floatOf(a[i]);
        double want = std::isnan(x) ? 0 : std::clamp(integralReference(x, mode), low, high);
        double got = low == 0 ? static_cast<double>(result[i]) : static_cast<double>(static_cast<int32_t>(result[i]));
        ASSERT_EQ(want, got) << type << mode << "(" << std::hexfloat << x << ")";
      }
    };
    expectType("i32", INT32_MIN, INT32_MAX);
    expectType("u32", 0, UINT32_MAX);
    expectType("i16", INT16_MIN, INT16_MAX);
    expectType("u16", 0, UINT16_MAX);
    expectType("i8", INT8_MIN, INT8_MAX);
    expectType("u8", 0, UINT8_MAX);
  }
}

std::vector<uint32_t> integers(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<uint32_t> v = {0, 1, 2, 0xffffffff, 0xfffffffe, 0x7fffffff, 0x80000000, 0x80000001, 31, 32, 33, 255, 256};
  while (v.size() < count)
    v.push_back(static_cast<uint32_t>(random()) >> random() % 32);
  return v;
}

TEST(Element, IntegerToFloatFollowsTheModes) {
  auto a = integers(30000, 13);
  for (uint32_t shift = 0; shift < 8; ++shift)
    for (uint32_t low = 0; low < 512; ++low)
      for (uint32_t sign : {1u, ~0u})
        a.push_back((0x01000000u << shift) * 1u + low * sign), a.push_back(0u - ((0x00ffff00u << shift) + low));
  for (std::string_view mode : kModes)
    if (mode != "Odd") {
      auto result = run("f32" + std::string(mode), a, a);
      for (size_t i = 0; i < a.size(); ++i) {
        int32_t x = static_cast<int32_t>(a[i]);
        double size = std::fabs(static_cast<double>(x));
        double ulp = x ? std::ldexp(1.0, std::ilogb(size) - 23) : 1;
        double want = integralReference(x / ulp, mode) * ulp;
        ASSERT_EQ(want, static_cast<double>(floatOf(result[i]))) << mode << " " << x;
      }
    }
  auto result = run("f32Unsigned", a, a);
  for (size_t i = 0; i < a.size(); ++i)
    ASSERT_EQ(static_cast<float>(a[i]), floatOf(result[i]));
}

TEST(Element, IntegersWrapAndNeverTrap) {
  auto a = integers(20000, 14), b = shuffled(integers(20000, 15), 16);
  for (uint32_t x : integers(13, 0))
    for (uint32_t y : integers(13, 0))
      a.push_back(x), b.push_back(y);
  using I = int32_t;
  using U = uint32_t;
  expectInts("addInt", a, b, [](I x, I y) { return I(U(x) + U(y)); });
  expectInts("subInt", a, b, [](I x, I y) { return I(U(x) - U(y)); });
  expectInts("mulInt", a, b, [](I x, I y) { return I(U(x) * U(y)); });
  expectInts("divInt", a, b, [](I x, I y) { return y == 0 ? 0 : I(int64_t(x) / y); });
  expectInts("divUnsigned", a, b, [](I x, I y) { return y == 0 ? 0 : I(U(x) / U(y)); });
  expectInts("maxInt", a, b, [](I x, I y) { return std::max(x, y); });
  expectInts("minInt", a, b, [](I x, I y) { return std::min(x, y); });
  expectInts("maxUnsigned", a, b, [](I x, I y) { return I(std::max(U(x), U(y))); });
  expectInts("minUnsigned", a, b, [](I x, I y) { return I(std::min(U(x), U(y))); });
  expectInts("absInt", a, b, [](I x, I) { return x < 0 ? I(-U(x)) : x; });
  expectInts("negInt", a, b, [](I x, I) { return I(-U(x)); });
  expectInts("reluInt", a, b, [](I x, I) { return std::max(x, 0); });
  expectInts("and", a, b, [](I x, I y) { return x & y; });
  expectInts("or", a, b, [](I x, I y) { return x | y; });
  expectInts("xor", a, b, [](I x, I y) { return x ^ y; });
  expectInts("not", a, b, [](I x, I) { return ~x; });
  expectInts("shiftLeft", a, b, [](I x, I y) { return U(y) < 32 ? I(U(x) << y) : 0; });
  expectInts("shiftRight", a, b, [](I x, I y) { return U(y) < 32 ? x >> y : x < 0 ? -1 : 0; });
  expectInts("shiftRightUnsigned", a, b, [](I x, I y) { return U(y) < 32 ? I(U(x) >> y) : 0; });
  expectInts("ltInt", a, b, [](I x, I y) { return -(x < y); });
  expectInts("ltUnsigned", a, b, [](I x, I y) { return -(U(x) < U(y)); });
  expectInts("packMask", a, b, [](I x, I y) { return -(x < y); });
  expectInts("wrapI8", a, b, [](I x, I) { return int8_t(x); });
  expectInts("wrapI16", a, b, [](I x, I) { return int16_t(x); });
  expectInts("wrapU8", a, b, [](I x, I) { return uint8_t(x); });
  expectInts("wrapU16", a, b, [](I x, I) { return uint16_t(x); });
}

TEST(Element, ComparisonsWithNaNAreFalseExceptNotEqual) {
  auto a = floats(20, 17), b = shuffled(a, 18);
  for (size_t i = 0; i < a.size(); i += 3)
    b[i] = a[i];
  auto check = [&](const char *name, bool (*relation)(float, float)) {
    auto result = run(name, a, b);
    for (size_t i = 0; i < a.size(); ++i)
      ASSERT_EQ(relation(floatOf(a[i]), floatOf(b[i])) ? ~0u : 0u, result[i]) << name;
  };
  check("LT", [](float x, float y) { return x < y; });
  check("GT", [](float x, float y) { return x > y; });
  check("EQ", [](float x, float y) { return x == y; });
  check("LE", [](float x, float y) { return x <= y; });
  check("GE", [](float x, float y) { return x >= y; });
  check("NE", [](float x, float y) { return x != y; });
}

TEST(Element, TreesCombineNeighbours) {
  std::mt19937 random(19);
  std::vector<uint32_t> a(64);
  for (int round = 0; round < 100; ++round) {
    float level[64];
    for (int i = 0; i < 64; ++i) {
      level[i] = std::ldexp(static_cast<float>(random()) - 0x1p+31f, -static_cast<int>(random() % 40));
      a[i] = bitsOf(level[i]);
    }
    float largest = *std::max_element(level, level + 64), smallest = *std::min_element(level, level + 64);
    for (int width = 32; width; width /= 2)
      for (int i = 0; i < width; ++i)
        level[i] = level[2 * i] + level[2 * i + 1];
    ASSERT_EQ(bitsOf(level[0]), run("treeSum", a, a)[0]);
    ASSERT_EQ(bitsOf(largest), run("treeMax", a, a)[0]);
    ASSERT_EQ(bitsOf(smallest), run("treeMin", a, a)[0]);
  }
}

// A kernel must give the same bytes on a laptop and on a server.
TEST(Element, AllCpuBuildsGiveTheSameBits) {
  auto a = floats(300, 20), b = shuffled(a, 21);
  auto ia = integers(50000, 22), ib = shuffled(integers(50000, 23), 24);
  for (const ElementKernel *kernel = elementKernelsBaseline; kernel->name; ++kernel) {
    const auto &x = kernel->isFloat ? a : ia, &y = kernel->isFloat ? b : ib;
    auto want = run(kernel->name, x, y);
    for (auto [level, table] : builds()) {
      auto got = run(kernel->name, x, y, table);
      for (size_t i = 0; i < x.size(); ++i)
        ASSERT_EQ(want[i], got[i]) << level << ": " << kernel->name << " of " << std::hex << x[i] << ", " << y[i];
    }
  }
}

// Which operand's payload survives depends on the CPU and on how a compiler arranged the operands; so none does.
TEST(Element, NaNResultsAreCanonical) {
  std::vector<uint32_t> nans = {0x7fc00000, 0xffc00000, 0x7f800001, 0xff800001, 0x7fc12345, 0xffd54321, 0x7fbfffff};
  std::vector<uint32_t> a, b;
  for (uint32_t x : nans)
    for (uint32_t y : {nans[0], nans[1], nans[2], nans[4], bitsOf(1.0f), bitsOf(-0.0f), bitsOf(kInf)}) {
      a.insert(a.end(), {x, y});
      b.insert(b.end(), {y, x});
    }
  for (auto [level, table] : builds())
    for (const ElementKernel *kernel = table; kernel->name; ++kernel) {
      if (!kernel->isFloat || !kernel->givesFloat)
        continue;
      auto got = run(kernel->name, a, b, table);
      for (size_t i = 0; i < a.size(); ++i)
        if (std::isnan(floatOf(got[i])))
          ASSERT_EQ(got[i], 0x7fc00000u) << level << ": " << kernel->name << " of " << std::hex << a[i] << ", " << b[i];
    }
}

} // namespace
