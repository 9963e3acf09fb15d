// Element types against definitions that share nothing with lib/Verify: tables written out, and the compiler's own
// conversions.
#include "tilesmith/Verify/Elements.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

using namespace tilesmith::verify;

static float decoded(DType dtype, uint8_t byte) { return asFloat(dtype, &byte); }

TEST(Elements, NamesAreTorchsAndUnique) {
  EXPECT_EQ(dtypeNamed("float8_e4m3fn"), DType::F8E4M3FN);
  EXPECT_EQ(dtypeNamed("complex128"), DType::C128);
  EXPECT_EQ(dtypeNamed("float"), std::nullopt);
  for (int i = 0; i <= int(DType::C128); ++i)
    EXPECT_EQ(dtypeNamed(nameOf(DType(i))), DType(i));
}

TEST(Elements, ThresholdsAreTheSpecifiedOnes) {
  EXPECT_EQ(thresholdOf(DType::F16), 1.0 / 1024);
  EXPECT_EQ(thresholdOf(DType::BF16), 1.0 / 128);
  EXPECT_EQ(thresholdOf(DType::F8E4M3FN), 1.0 / 8);
  EXPECT_EQ(thresholdOf(DType::F8E5M2), 1.0 / 4);
  EXPECT_EQ(kHifloat32Threshold, 1.0 / 2048);
  for (DType other : {DType::F32, DType::F64, DType::I8, DType::I64, DType::U16, DType::Bool, DType::C64, DType::C128})
    EXPECT_EQ(thresholdOf(other), 1.0 / 8192);
}

TEST(Elements, BytesOfFloat8) {
  EXPECT_EQ(decoded(DType::F8E4M3FN, 0x38), 1.0f);
  EXPECT_EQ(decoded(DType::F8E4M3FN, 0x7E), 448.0f);
  EXPECT_EQ(decoded(DType::F8E4M3FN, 0x01), 0x1p-9f);
  EXPECT_TRUE(std::isnan(decoded(DType::F8E4M3FN, 0xFF)));
  EXPECT_EQ(decoded(DType::F8E5M2, 0x7B), 57344.0f);
  EXPECT_EQ(decoded(DType::F8E5M2, 0xFC), -INFINITY);
  EXPECT_TRUE(std::isnan(decoded(DType::F8E5M2, 0x7F)));
  EXPECT_EQ(decoded(DType::F8E4M3FNUZ, 0x7F), 240.0f);
  EXPECT_TRUE(std::isnan(decoded(DType::F8E4M3FNUZ, 0x80)));
  EXPECT_EQ(decoded(DType::F8E5M2FNUZ, 0x7F), 57344.0f);
}

// e5m2 is the upper byte of float16.
TEST(Elements, E5M2IsHalfOfFloat16) {
  for (int byte = 0; byte < 256; ++byte) {
    uint16_t half = uint16_t(byte << 8);
    uint8_t bytes[2];
    std::memcpy(bytes, &half, 2);
    float wide = asFloat(DType::F16, bytes), narrow = decoded(DType::F8E5M2, uint8_t(byte));
    EXPECT_TRUE(wide == narrow || (std::isnan(wide) && std::isnan(narrow))) << byte;
  }
}

// Every value of a format rounds to itself; a value just past the middle of two neighbours rounds away, the middle to
// even.
TEST(Elements, RoundingToFloat8) {
  for (DType dtype : {DType::F8E4M3FN, DType::F8E5M2, DType::F8E4M3FNUZ, DType::F8E5M2FNUZ})
    for (int byte = 0; byte < 0x7F; ++byte) {
      double low = decoded(dtype, uint8_t(byte)), high = decoded(dtype, uint8_t(byte + 1));
      if (!std::isfinite(low) || !std::isfinite(high))
        continue;
      EXPECT_EQ(roundedTo(dtype, low), low);
      EXPECT_EQ(roundedTo(dtype, -high), -high);
      double middle = (low + high) / 2;
      EXPECT_EQ(roundedTo(dtype, middle), byte % 2 ? high : low) << nameOf(dtype) << " " << byte;
      EXPECT_EQ(roundedTo(dtype, std::nextafter(middle, 1e9)), high);
      EXPECT_EQ(roundedTo(dtype, std::nextafter(middle, 0.0)), low);
    }
  EXPECT_TRUE(std::isnan(roundedTo(DType::F8E4M3FN, 1e4)));
  EXPECT_EQ(roundedTo(DType::F8E5M2, -1e6), -INFINITY);
}

// On the bits, as everybody writes it: add half a unit, and one more if the last kept bit is odd.
static double nearestBFloat(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  if (!std::isinf(value))
    bits += 0x7FFF + (bits >> 16 & 1);
  bits &= 0xFFFF0000;
  std::memcpy(&value, &bits, 4);
  return value;
}

TEST(Elements, RoundingToHalfTypes) {
  uint64_t state = 1;
  for (int i = 0; i < 200000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    float value;
    uint32_t bits = uint32_t(state >> 32);
    std::memcpy(&value, &bits, 4);
    if (std::isnan(value))
      continue;
    EXPECT_EQ(roundedTo(DType::F16, value), double(_Float16(value))) << value;
    EXPECT_EQ(roundedTo(DType::BF16, value), nearestBFloat(value)) << value;
  }
}

TEST(Elements, IntegersAreExactAndWrap) {
  int64_t large = (int64_t(1) << 53) + 1;
  EXPECT_TRUE(asInteger(DType::I64, reinterpret_cast<const uint8_t *>(&large)) == large);
  uint64_t huge = ~uint64_t(0);
  EXPECT_TRUE(asInteger(DType::U64, reinterpret_cast<const uint8_t *>(&huge)) == __int128(huge));
  EXPECT_EQ(roundedTo(DType::I8, 200.7), -56.0);
  EXPECT_EQ(roundedTo(DType::U8, -1.0), 255.0);
  EXPECT_EQ(roundedTo(DType::I32, NAN), 0.0);
  EXPECT_EQ(roundedTo(DType::I32, 1e300), 0.0);
}
