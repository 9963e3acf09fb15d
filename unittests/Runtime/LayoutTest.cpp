// Layouts against the plain list of their elements' addresses.
#include "tilesmith/Runtime/Layout.h"
#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace tilesmith::runtime;

namespace {

uint8_t memory[256];

// Bytes of every element, in row-major order.
std::vector<std::vector<uint8_t *>> elementsOf(const Layout &layout) {
  std::vector<uint8_t *> starts = {layout.origin};
  for (size_t axis = 0; axis < layout.shape.size(); ++axis) {
    std::vector<uint8_t *> next;
    for (uint8_t *start : starts)
      for (int64_t i = 0; i < layout.shape[axis]; ++i)
        next.push_back(start + i * layout.strides[axis]);
    starts = std::move(next);
  }
  std::vector<std::vector<uint8_t *>> elements;
  for (uint8_t *start : starts) {
    std::vector<uint8_t *> &bytes = elements.emplace_back();
    for (int64_t i = 0; i < layout.item; ++i)
      bytes.push_back(start + i);
  }
  return elements;
}

Layout randomLayout(std::mt19937 &random) {
  auto pick = [&](int from, int to) { return std::uniform_int_distribution<int>(from, to)(random); };
  Layout layout{memory + pick(100, 140), 1 << pick(0, 2), {}, {}};
  for (int axis = pick(0, 3); axis > 0; --axis) {
    layout.shape.push_back(pick(0, 8) ? pick(1, 4) : 0);
    layout.strides.push_back(pick(-8, 8));
  }
  return layout;
}

TEST(Layout, OverlapIsExact) {
  std::mt19937 random(1);
  int overlapping = 0, apart = 0;
  for (int i = 0; i < 3000; ++i) {
    Layout one = randomLayout(random), other = randomLayout(random);
    std::set<uint8_t *> bytes, others;
    size_t count = 0;
    for (const auto &element : elementsOf(one)) {
      bytes.insert(element.begin(), element.end());
      count += element.size();
    }
    for (const auto &element : elementsOf(other))
      others.insert(element.begin(), element.end());
    EXPECT_EQ(one.overlapsItself(), bytes.size() != count) << i;
    bool shares = std::any_of(bytes.begin(), bytes.end(), [&](uint8_t *byte) { return others.contains(byte); });
    EXPECT_EQ(one.overlaps(other), shares) << i;
    ++(shares ? overlapping : apart);
    Extent extent = one.extent();
    EXPECT_EQ(extent.begin == extent.end, bytes.empty());
    if (!bytes.empty()) {
      EXPECT_EQ(extent.begin, *bytes.begin());
      EXPECT_EQ(extent.end, *bytes.rbegin() + 1);
    }
  }
  EXPECT_GT(overlapping, 100);
  EXPECT_GT(apart, 100);
}

TEST(Layout, GatheredElementsComeBackWhereTheyWere) {
  std::mt19937 random(2);
  for (int i = 0; i < 500; ++i) {
    Layout layout = randomLayout(random);
    if (layout.overlapsItself())
      continue;
    for (size_t byte = 0; byte < sizeof memory; ++byte)
      memory[byte] = uint8_t(byte);
    std::vector<uint8_t> expected, gathered;
    for (const auto &element : elementsOf(layout))
      for (uint8_t *byte : element)
        expected.push_back(*byte);
    gathered.resize(expected.size());
    layout.gather(gathered.data());
    EXPECT_EQ(gathered, expected) << i;
    for (uint8_t &byte : gathered)
      byte ^= 0xff;
    layout.scatter(gathered.data());
    size_t changed = 0;
    for (size_t byte = 0; byte < sizeof memory; ++byte)
      changed += memory[byte] != uint8_t(byte);
    EXPECT_EQ(changed, expected.size()) << "nothing but its elements is written";
    layout.gather(expected.data());
    EXPECT_EQ(gathered, expected) << i;
  }
}

} // namespace
