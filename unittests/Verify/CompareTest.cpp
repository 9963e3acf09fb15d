// The gate against a plain loop written from its definition, on every dtype, with special values and awkward sizes.
#include "tilesmith/Verify/Compare.h"
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <sys/mman.h>
#include <unistd.h>

using namespace tilesmith::verify;

namespace {

constexpr DType everyDtype[] = {
#define X(NAME, TEXT, SIZE, KIND) DType::NAME,
    TILESMITH_VERIFY_DTYPES(X)
#undef X
};

struct Bytes {
  DType dtype;
  std::vector<uint8_t> data;
  int64_t count() const { return int64_t(data.size()) / sizeOf(dtype); }
  Elements elements() const { return {dtype, data.empty() ? reinterpret_cast<const uint8_t *>("") : data.data()}; }
};

// A value stored in a dtype, by search among neighbours where the format has no C++ type.
void store(DType dtype, uint8_t *to, double value) {
  auto put = [&](auto typed) { std::memcpy(to, &typed, sizeof(typed)); };
  switch (dtype) {
  case DType::Bool:
    return put(uint8_t(value != 0));
  case DType::U8:
    return put(uint8_t(int64_t(value)));
  case DType::I8:
    return put(int8_t(int64_t(value)));
  case DType::U16:
    return put(uint16_t(int64_t(value)));
  case DType::I16:
    return put(int16_t(int64_t(value)));
  case DType::U32:
    return put(uint32_t(int64_t(value)));
  case DType::I32:
    return put(int32_t(int64_t(value)));
  case DType::U64:
    return put(uint64_t(int64_t(value)));
  case DType::I64:
    return put(int64_t(value));
  case DType::F16:
    return put(_Float16(value));
  case DType::BF16: {
    float wide = float(value);
    uint32_t bits;
    std::memcpy(&bits, &wide, 4);
    return put(uint16_t(bits >> 16));
  }
  case DType::F32:
    return put(float(value));
  case DType::F64:
    return put(value);
  case DType::C64:
    put(float(value));
    to += 4;
    return put(float(-value));
  case DType::C128:
    put(value);
    to += 8;
    return put(-value);
  default: { // a byte
    uint8_t best = 0;
    double distance = INFINITY;
    for (int byte = 0; byte < 256; ++byte) {
      uint8_t b = uint8_t(byte);
      double there = asDouble(dtype, &b);
      if (std::isnan(value) ? std::isnan(there) : std::fabs(there - value) < distance || there == value) {
        best = b;
        distance = std::isnan(value) ? 0 : std::fabs(there - value);
      }
    }
    return put(best);
  }
  }
}

Bytes make(DType dtype, const std::vector<double> &values) {
  Bytes bytes{dtype, std::vector<uint8_t>(values.size() * size_t(sizeOf(dtype)))};
  for (size_t i = 0; i < values.size(); ++i)
    store(dtype, bytes.data.data() + i * size_t(sizeOf(dtype)), values[i]);
  return bytes;
}

// The definition, written down.
Comparison oracle(const Bytes &candidate, const Bytes &golden, double t) {
  Comparison result;
  int parts = kindOf(golden.dtype) == Kind::Complex ? 2 : 1;
  long double sum = 0;
  for (int64_t i = 0; i < golden.count(); ++i)
    for (int part = 0; part < parts; ++part) {
      const uint8_t *pa = candidate.data.data() + i * sizeOf(candidate.dtype),
                    *pg = golden.data.data() + i * sizeOf(golden.dtype);
      double a = part && kindOf(candidate.dtype) != Kind::Complex ? 0 : asDouble(candidate.dtype, pa, part);
      double g = asDouble(golden.dtype, pg, part);
      ++result.count;
      result.nanPlaces += std::isnan(a) != std::isnan(g);
      result.infPlaces += std::isinf(a) != std::isinf(g);
      result.infSigns += std::isinf(a) && std::isinf(g) && (a > 0) != (g > 0);
      if (!std::isfinite(a) || !std::isfinite(g))
        continue;
      ++result.finite;
      if (candidate.dtype != golden.dtype)
        a = roundedTo(golden.dtype, a);
      double rel = std::fabs(a - g) / std::max(std::fabs(g), t);
      if (std::isfinite(float(g)) && (std::isfinite(float(a)) || !std::isfinite(a)))
        rel = std::fabs(float(a) - float(g)) / std::max(std::fabs(float(g)), float(t));
      rel = std::isnan(rel) ? INFINITY : rel;
      sum += rel;
      result.mare = std::max(result.mare, rel);
    }
  result.mere = result.finite ? double(sum / result.finite) : 0;
  result.failure = result.nanPlaces                          ? Failure::NaNPlaces
                   : result.infPlaces                        ? Failure::InfPlaces
                   : result.infSigns                         ? Failure::InfSigns
                   : result.mere < t && result.mare < 10 * t ? Failure::None
                                                             : Failure::Numeric;
  return result;
}

std::vector<double> values(int64_t count, unsigned seed, double scale, bool special) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, scale);
  std::vector<double> result(static_cast<size_t>(count));
  for (double &value : result) {
    value = normal(random);
    if (special && random() % 37 == 0)
      value = std::vector<double>{NAN, INFINITY, -INFINITY, 0.0, -0.0, 1e300, 1e-300}[random() % 7];
  }
  return result;
}

bool holdsSpecials(DType dtype) { return kindOf(dtype) == Kind::Float || kindOf(dtype) == Kind::Complex; }

} // namespace

TEST(Compare, AgreesWithTheDefinitionOnEveryDtype) {
  for (DType dtype : everyDtype) {
    if (dtype == DType::Bool)
      continue;
    for (int64_t count : {1, 15, 16, 17, 2047, 2048, 2049, 5000}) {
      for (double error : {0.0, 0.3, 3.0, 30.0}) {
        std::vector<double> g = values(count, unsigned(count), 40, holdsSpecials(dtype)), a = g;
        for (size_t i = 0; i < a.size(); i += 3)
          a[i] *= 1 + error * thresholdOf(dtype);
        Bytes candidate = make(dtype, a), golden = make(dtype, g);
        Comparison ours = compare(candidate.elements(), golden.elements(), count),
                   plain = oracle(candidate, golden, thresholdOf(dtype));
        SCOPED_TRACE(std::string(nameOf(dtype)) + " " + std::to_string(count) + " " + std::to_string(error));
        EXPECT_EQ(ours.finite, plain.finite);
        EXPECT_EQ(ours.mare, plain.mare);
        EXPECT_NEAR(ours.mere, plain.mere, 1e-12 * plain.mere);
        EXPECT_EQ(ours.failure, plain.failure);
      }
    }
  }
}

TEST(Compare, AgreesWithTheDefinitionOnEveryPairOfDtypes) {
  for (DType from : everyDtype)
    for (DType to : everyDtype) {
      if (to == DType::Bool || (kindOf(from) == Kind::Complex && kindOf(to) != Kind::Complex))
        continue;
      std::vector<double> g = values(300, 7, 20, holdsSpecials(from) && holdsSpecials(to));
      Bytes candidate = make(from, g), golden = make(to, g);
      Comparison ours = compare(candidate.elements(), golden.elements(), 300),
                 plain = oracle(candidate, golden, thresholdOf(to));
      SCOPED_TRACE(std::string(nameOf(from)) + " -> " + std::string(nameOf(to)));
      EXPECT_EQ(ours.failure, plain.failure);
      EXPECT_EQ(ours.nanPlaces, plain.nanPlaces);
      EXPECT_EQ(ours.infPlaces, plain.infPlaces);
      EXPECT_EQ(ours.mare, plain.mare);
    }
}

// Earlier checks win: a result that fails several reports the first.
TEST(Compare, OrderOfChecks) {
  auto failure = [](std::vector<double> a, std::vector<double> g) {
    Bytes candidate = make(DType::F32, a), golden = make(DType::F32, g);
    return compare(candidate.elements(), golden.elements(), int64_t(g.size())).failure;
  };
  EXPECT_EQ(failure({NAN, 1, INFINITY, 9}, {1, INFINITY, -INFINITY, 1}), Failure::NaNPlaces);
  EXPECT_EQ(failure({INFINITY, INFINITY, 9}, {1, -INFINITY, 1}), Failure::InfPlaces);
  EXPECT_EQ(failure({INFINITY, 9}, {-INFINITY, 1}), Failure::InfSigns);
  EXPECT_EQ(failure({NAN, 9}, {NAN, 1}), Failure::Numeric);
  EXPECT_EQ(failure({NAN, INFINITY}, {NAN, INFINITY}), Failure::None);
  EXPECT_EQ(failure({}, {}), Failure::None);
  EXPECT_EQ(failure({-0.0}, {0.0}), Failure::None);
}

TEST(Compare, BooleansAreExactWhateverTheCandidateHolds) {
  Bytes golden = make(DType::Bool, {1, 0, 1, 0});
  auto failure = [&](DType dtype, std::vector<double> a) {
    Bytes candidate = make(dtype, a);
    return compare(candidate.elements(), golden.elements(), 4);
  };
  EXPECT_TRUE(failure(DType::Bool, {1, 0, 1, 0}).passed());
  EXPECT_TRUE(failure(DType::F32, {1, 0, 1, 0}).passed());
  EXPECT_EQ(failure(DType::F64, {1 + 1e-12, 0, 1, 0}).failure, Failure::Bool);
  Comparison wrong = failure(DType::Bool, {1, 0, 0, 0});
  EXPECT_EQ(wrong.failure, Failure::Bool);
  EXPECT_EQ(wrong.firstAt, 2);
  EXPECT_EQ(wrong.unequal, 1);
  EXPECT_EQ(failure(DType::F32, {NAN, 0, 1, 0}).failure, Failure::NaNPlaces);
}

// Above 8192 an integer off by one passes the gate, and above 2^24 float32 cannot even see it: it must still be
// counted.
TEST(Compare, UnequalIntegersAreCountedWhereTheGateIsBlind) {
  std::vector<double> g(3000, 5e7), a = g;
  a[1234] += 1;
  for (DType dtype : {DType::I32, DType::U32, DType::I64, DType::U64}) {
    Bytes candidate = make(dtype, a), golden = make(dtype, g);
    Comparison result = compare(candidate.elements(), golden.elements(), 3000);
    EXPECT_TRUE(result.passed());
    EXPECT_EQ(result.unequal, 1);
    EXPECT_EQ(result.firstAt, 1234);
    EXPECT_EQ(result.candidateThere, 50000001);
  }
  Bytes candidate = make(DType::F64, a), golden = make(DType::I32, g);
  EXPECT_EQ(compare(candidate.elements(), golden.elements(), 3000).unequal, 1);
}

// Two float64 values that float32 can only call infinite are not equal.
TEST(Compare, LargeFloat64IsNotHiddenByWidening) {
  Bytes golden = make(DType::F64, {1e300, 1}), same = golden, other = make(DType::F64, {1e200, 1});
  EXPECT_TRUE(compare(same.elements(), golden.elements(), 2).passed());
  EXPECT_EQ(compare(other.elements(), golden.elements(), 2).failure, Failure::Numeric);
}

TEST(Compare, OverflowOfTheConversionFails) {
  Bytes golden = make(DType::F16, {60000, 1}), candidate = make(DType::F32, {1e5, 1});
  Comparison result = compare(candidate.elements(), golden.elements(), 2);
  EXPECT_EQ(result.failure, Failure::Numeric);
  EXPECT_EQ(result.mare, INFINITY);
  EXPECT_EQ(result.firstAt, 0);
}

// Same bits whatever the number of threads; several chunks, and a tail.
TEST(Compare, ThreadsDoNotChangeTheResult) {
  int64_t count = (3 << 20) + 12345;
  std::vector<double> g = values(count, 3, 1, false), a = g;
  for (size_t i = 0; i < a.size(); ++i)
    a[i] *= 1 + 1e-5 * double(i % 7);
  Bytes candidate = make(DType::F32, a), golden = make(DType::F32, g);
  Comparison one = compare(candidate.elements(), golden.elements(), count, {0, 1});
  for (unsigned threads : {2u, 3u, 7u}) {
    Comparison several = compare(candidate.elements(), golden.elements(), count, {0, threads});
    EXPECT_EQ(one.mere, several.mere);
    EXPECT_EQ(one.mare, several.mare);
  }
}

// A file gives the same as memory, at an offset that is no page, and only windows of it are mapped.
TEST(Compare, FilesAreComparedLikeMemory) {
  int64_t count = (2 << 20) + 5;
  Bytes golden = make(DType::F16, values(count, 4, 1, true)), candidate = golden;
  candidate.data[size_t(2 * (count - 1))] ^= 0x40;
  int fd = memfd_create("test", 0);
  ASSERT_EQ(pwrite(fd, golden.data.data(), golden.data.size(), 10), ssize_t(golden.data.size()));
  Elements file{DType::F16, nullptr, fd, 10};
  Comparison a = compare(candidate.elements(), golden.elements(), count),
             b = compare(candidate.elements(), file, count);
  EXPECT_EQ(a.mere, b.mere);
  EXPECT_EQ(a.mare, b.mare);
  EXPECT_EQ(a.firstAt, b.firstAt);
  close(fd);
  EXPECT_TRUE(compare(candidate.elements(), file, count).readFailed);
}

TEST(Compare, ConstantsStandForEveryElement) {
  Bytes golden = make(DType::F16, std::vector<double>(5000, 0.25));
  Elements constant{DType::F16};
  constant.constant = 0.25;
  EXPECT_TRUE(compare(constant, golden.elements(), 5000).passed());
  constant.constant = 0;
  EXPECT_EQ(compare(constant, golden.elements(), 5000).failure, Failure::Numeric);
  EXPECT_EQ(finiteMean(golden.elements(), 5000), 0.25);
  Bytes odd = make(DType::F32, {1, NAN, 3, INFINITY});
  EXPECT_EQ(finiteMean(odd.elements(), 4), 2.0);
}

TEST(Compare, QuantilesOfTheError) {
  std::vector<double> g(1000, 1.0), a = g;
  for (size_t i = 0; i < 100; ++i)
    a[i * 10] = 1.5;
  Bytes candidate = make(DType::F32, a), golden = make(DType::F32, g);
  EXPECT_EQ(relQuantiles(candidate.elements(), golden.elements(), 1000, {0.5, 0.89, 0.95, 1.0}),
            (std::vector<double>{0, 0, 0.5, 0.5}));
}
