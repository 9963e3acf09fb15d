// What becomes of the sources of bytes: in copies, conversions and launches, and from call to call.
#include "tilesmith/Runtime/Provenance.h"
#include "tilesmith/Runtime/DeviceHeap.h"
#include <cstring>
#include <gtest/gtest.h>

using namespace tilesmith::runtime;

namespace {

uint8_t memory[4096];
const uintptr_t base = reinterpret_cast<uintptr_t>(memory);
const std::vector<int64_t> shape{4}, halves{2}, floats{4}, spread{8}; // strides but the first

Provenance::Elements at(uintptr_t offset, const std::vector<int64_t> &strides = floats, int64_t item = 4) {
  return {base + offset, strides, item};
}

Touched touched(uintptr_t read, uintptr_t wrote) {
  Touched result;
  result.reads = {{memory + read, memory + read + 16}};
  result.writes = {{memory + wrote, memory + wrote + 16}};
  return result;
}

// Bytes of four elements that are of a source.
int64_t of(const Provenance &provenance, uintptr_t offset, Provenance::Source source) {
  return provenance.sourcesOf(at(offset), shape).bytes[source];
}

TEST(Provenance, ALaunchDerivesFromWhatItReads) {
  Provenance provenance;
  provenance.begin(true);
  provenance.assign(at(0), shape, Provenance::Input);
  provenance.did("first", touched(0, 100));
  provenance.did("second", touched(100, 200));
  Provenance::Sources sources = provenance.sourcesOf(at(200), shape);
  EXPECT_EQ(sources.launched, 16);
  EXPECT_EQ(sources.derives, uint64_t(1) << Provenance::Input);
}

TEST(Provenance, AConversionOfOwnDataIsOwnData) {
  Provenance provenance;
  provenance.begin(true);
  provenance.assign(at(0), shape, Provenance::Given);
  provenance.converted(at(100, halves, 2), at(0), shape, false);
  EXPECT_EQ(provenance.sourcesOf(at(100, halves, 2), shape).bytes[Provenance::Given], 8);
}

TEST(Provenance, AConversionOfWhatALaunchWroteIsTheLaunchsUnlessItComputes) {
  Provenance provenance;
  provenance.begin(true);
  provenance.assign(at(0), shape, Provenance::Input);
  provenance.did("kernel", touched(0, 100));
  provenance.converted(at(200), at(100), shape, false);
  EXPECT_EQ(provenance.sourcesOf(at(200), shape).launched, 16);
  provenance.converted(at(300), at(100), shape, true);
  EXPECT_EQ(of(provenance, 300, Provenance::Cut), 16);
}

TEST(Provenance, ElementsOfSeveralSourcesAreConvertedOneByOne) {
  Provenance provenance;
  provenance.begin(true);
  provenance.assign(at(0), shape, Provenance::Input);
  provenance.assign(base + 4, base + 12, Provenance::Given);
  provenance.converted(at(100, spread, 8), at(0), shape, false);
  Provenance::Sources sources = provenance.sourcesOf(at(100, spread, 8), shape);
  EXPECT_EQ(sources.bytes[Provenance::Given], 16);
  EXPECT_EQ(sources.bytes[Provenance::Converted], 16);
}

TEST(Provenance, AFillBeforeACallIsOwnData) {
  Provenance provenance;
  provenance.begin(true);
  provenance.assign(at(0), shape, Provenance::Filled);
  provenance.begin(true);
  EXPECT_EQ(of(provenance, 0, Provenance::Given), 16);
}

TEST(Provenance, OnlyWhatLaunchesMadeOfOwnDataMayBeKept) {
  Provenance provenance;
  provenance.begin(true);
  provenance.assign(at(0), shape, Provenance::Given);
  provenance.assign(at(100), shape, Provenance::Input);
  provenance.did("prepares", touched(0, 200));
  provenance.did("works", touched(100, 300));
  provenance.begin(true);
  EXPECT_EQ(of(provenance, 200, Provenance::Prepared), 16);
  EXPECT_EQ(of(provenance, 300, Provenance::Old), 16);
}

// Own data is known by the block it lies in: it has to be on a device.
struct OnDevice : ::testing::Test {
  void SetUp() override {
    block = DeviceHeap::of(0).allocate(4096, int64_t(1) << 30);
    begin = reinterpret_cast<uintptr_t>(block);
    std::memset(block, 7, 4096);
    provenance.begin(true);
    provenance.assign(begin, begin + 256, Provenance::Given);
  }
  void TearDown() override { DeviceHeap::of(0).release(block); }

  Touched launch(uintptr_t read, uintptr_t wrote, bool looksUp = false) const {
    Touched result;
    result.reads = {{block + read, block + read + 256}};
    result.writes = {{block + wrote, block + wrote + 256}};
    if (looksUp)
      result.tables = result.reads;
    return result;
  }
  int64_t lookedUp() const {
    int64_t sum = 0;
    for (const OwnData::Block &each : provenance.ownData())
      sum += each.lookedUp;
    return sum;
  }

  uint8_t *block;
  uintptr_t begin;
  Provenance provenance;
};

TEST_F(OnDevice, WhatIsLookedUpIsOwnDataThroughLaunchesToo) {
  provenance.did("copies", launch(0, 512));
  provenance.did("copies again", launch(512, 1024));
  EXPECT_EQ(lookedUp(), 0);
  provenance.did("looks up", launch(1024, 2048, true));
  EXPECT_EQ(lookedUp(), 256);
  EXPECT_EQ(provenance.lookedUpMade(), 256);
}

TEST_F(OnDevice, OwnDataStaysAsItWasRead) {
  provenance.did("reads", launch(0, 512));
  provenance.aboutToChange(begin, begin + 256);
  std::memset(block, 0, 256);
  std::vector<OwnData::Block> blocks = provenance.ownData();
  ASSERT_EQ(blocks.size(), 1u);
  ASSERT_EQ(blocks[0].ranges.size(), 1u);
  EXPECT_EQ(blocks[0].ranges[0].end - blocks[0].ranges[0].begin, 256u);
  EXPECT_EQ(*reinterpret_cast<const uint8_t *>(blocks[0].ranges[0].begin), 7);
}

TEST_F(OnDevice, ALaunchThatWritesOverWhatItReadsIsToldBeforehandOrLies) {
  provenance.aboutToLaunch(begin, begin + 4096);
  std::memset(block, 0, 256);
  provenance.did("wipes", launch(0, 0));
  std::vector<OwnData::Block> blocks = provenance.ownData();
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_TRUE(blocks[0].isKnown);
  EXPECT_EQ(*reinterpret_cast<const uint8_t *>(blocks[0].ranges[0].begin), 7);

  provenance.begin(true);
  provenance.assign(begin, begin + 256, Provenance::Given);
  provenance.did("wipes without a word", launch(0, 0));
  blocks = provenance.ownData();
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_FALSE(blocks[0].isKnown);
}

TEST(Provenance, ACopyThatNobodyWatchesKeepsOneSourceAndNoMixture) {
  Provenance provenance;
  provenance.begin(false);
  provenance.assign(at(0), shape, Provenance::Given);
  provenance.moved(at(100), at(0), shape);
  EXPECT_EQ(of(provenance, 100, Provenance::Given), 16);
  provenance.assign(base, base + 4, Provenance::Input);
  provenance.moved(at(100), at(0), shape);
  EXPECT_EQ(of(provenance, 100, Provenance::Old), 16);
}

} // namespace
