// Where bytes come from, against a plain array with an entry for each byte.
#include "tilesmith/Runtime/Origins.h"
#include <gtest/gtest.h>
#include <random>
#include <vector>

using tilesmith::runtime::Origins;

namespace {

constexpr uintptr_t base = 1000, size = 64;

struct Reference {
  std::vector<int64_t> of = std::vector<int64_t>(size, Origins::none);

  static std::vector<int64_t> seen(const Origins &origins) {
    std::vector<int64_t> bytes;
    uintptr_t next = base;
    origins.each(base, base + size, [&](uintptr_t begin, uintptr_t end, int64_t origin) {
      EXPECT_EQ(begin, next);
      EXPECT_LT(begin, end);
      bytes.insert(bytes.end(), end - begin, origin);
      next = end;
    });
    EXPECT_EQ(next, base + size);
    return bytes;
  }
};

TEST(Origins, FollowEveryByte) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    Origins origins;
    Reference reference;
    for (int step = 0; step < 40; ++step) {
      uintptr_t begin = random() % size, end = begin + random() % (size - begin + 1);
      int64_t origin = int64_t(random() % 4);
      uintptr_t target = random() % (size - (end - begin) + 1);
      switch (random() % 3) {
      case 0:
        origins.assign(base + begin, base + end, origin);
        std::fill(reference.of.begin() + long(begin), reference.of.begin() + long(end), origin);
        break;
      case 1: {
        origins.move(base + target, base + begin, end - begin);
        std::vector<int64_t> moved(reference.of.begin() + long(begin), reference.of.begin() + long(end));
        std::copy(moved.begin(), moved.end(), reference.of.begin() + long(target));
        break;
      }
      case 2:
        origins.forget(base + begin, base + end);
        std::fill(reference.of.begin() + long(begin), reference.of.begin() + long(end), Origins::none);
        break;
      }
      ASSERT_EQ(Reference::seen(origins), reference.of);
    }
  }
}

TEST(Origins, NeighboursOfOneOriginAreOneRange) {
  Origins origins;
  for (uintptr_t at = 0; at < size; at += 2)
    origins.assign(base + at, base + at + 2, 5);
  for (uintptr_t at = size; at-- > 0;)
    origins.assign(base + at, base + at + 1, 5);
  EXPECT_EQ(origins.size(), 1u);
  origins.change([](uintptr_t, int64_t origin) { return origin + 1; });
  EXPECT_EQ(Reference::seen(origins), std::vector<int64_t>(size, 6));
}

} // namespace
