// The key of a call: which differences of arguments make other code, and which do not.
#include "tilesmith/Runtime/CallKey.h"
#include "tilesmith/Machine/Platform.h"
#include <gtest/gtest.h>

using namespace tilesmith;
using namespace tilesmith::runtime;

namespace {

const machine::Platform &platform() { return *machine::findPlatform("Ascend910B1"); }

template <typename Add> std::string keyOf(Add add) {
  CallKey key;
  add(key);
  key.finish(platform());
  return key.text().str();
}

std::vector<bool> aloneOf(std::initializer_list<std::pair<int, int>> ranges) {
  static uint8_t bytes[64];
  CallKey key;
  for (auto [begin, end] : ranges)
    key.addArray(isa::DType::I8, {bytes + begin, bytes + end});
  key.finish(platform());
  return std::vector<bool>(key.noalias().begin(), key.noalias().end());
}

TEST(CallKey, ArraysThatShareAByteAreNotAlone) {
  using Flags = std::vector<bool>;
  EXPECT_EQ(aloneOf({{0, 8}, {8, 16}}), (Flags{true, true})) << "touching is not sharing";
  EXPECT_EQ(aloneOf({{0, 9}, {8, 16}}), (Flags{false, false}));
  EXPECT_EQ(aloneOf({{0, 8}, {0, 8}, {32, 40}}), (Flags{false, false, true}));
  EXPECT_EQ(aloneOf({{0, 64}, {8, 16}, {16, 24}}), (Flags{false, false, false}));
  EXPECT_EQ(aloneOf({{8, 8}, {16, 64}}), (Flags{true, true}));
}

TEST(CallKey, OverlapIsPartOfTheKey) {
  uint8_t bytes[16];
  auto two = [&](int begin) {
    return keyOf([&](CallKey &key) {
      key.addArray(isa::DType::F32, {bytes, bytes + 8});
      key.addArray(isa::DType::F32, {bytes + begin, bytes + begin + 8});
    });
  };
  EXPECT_EQ(two(0), two(4)) << "how much is shared does not matter";
  EXPECT_NE(two(0), two(8));
}

TEST(CallKey, ConstantsOfDifferentKindsAreDifferent) {
  std::vector<std::string> keys = {
      keyOf([](CallKey &key) { key.addInt(1); }),
      keyOf([](CallKey &key) { key.addInt(4607182418800017408); }), // the bits of 1.0
      keyOf([](CallKey &key) { key.addFloat(1.0); }),
      keyOf([](CallKey &key) { key.addFloat(-0.0); }),
      keyOf([](CallKey &key) { key.addFloat(0.0); }),
      keyOf([](CallKey &key) { key.addBool(true); }),
      keyOf([](CallKey &key) { key.addBool(false); }),
      keyOf([](CallKey &key) { key.addNone(); }),
      keyOf([](CallKey &key) { key.addFingerprint("1"); }),
      keyOf([](CallKey &key) { key.addAddress(&platform()); }),
      keyOf([](CallKey &key) { key.addScalar(isa::DType::F32); }),
      keyOf([](CallKey &key) { key.addScalar(isa::DType::I32); }),
      keyOf([](CallKey &key) { key.addArray(isa::DType::F32, {}); }),
  };
  for (size_t i = 0; i < keys.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      EXPECT_NE(keys[i], keys[j]) << i << " and " << j;
}

TEST(CallKey, AFingerprintDoesNotRunIntoTheNext) {
  auto two = [](const char *a, const char *b) {
    return keyOf([&](CallKey &key) {
      key.addFingerprint(a);
      key.addFingerprint(b);
    });
  };
  EXPECT_NE(two("ab", "c"), two("a", "bc"));
}

TEST(CallKey, KindsLeaveOutWhatIsThisProcess) {
  CallKey here, there, known;
  here.addInt(1);
  there.addInt(1);
  known.addAddress(&here);
  here.finish(platform());
  there.finish(*machine::findPlatform("Ascend950PR_9599"));
  known.finish(platform());
  EXPECT_NE(here.text(), there.text());
  EXPECT_EQ(here.kinds(), there.kinds());
  EXPECT_TRUE(here.isPersistent());
  EXPECT_FALSE(known.isPersistent());
}

} // namespace
