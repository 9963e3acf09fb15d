#include "tilesmith/Machine/Platform.h"
#include <gtest/gtest.h>
#include <set>

using namespace tilesmith;
using namespace tilesmith::machine;

TEST(Platform, EveryNameOfThePublicListIsKnown) {
  for (std::string_view name :
       {"Ascend910B1",      "Ascend910B2",      "Ascend910B2C",     "Ascend910B3",      "Ascend910B4",
        "Ascend910B4-1",    "Ascend910_9362",   "Ascend910_9372",   "Ascend910_9381",   "Ascend910_9382",
        "Ascend910_9391",   "Ascend910_9392",   "Ascend910_9579",   "Ascend910_9589",   "Ascend910_9599",
        "Ascend950PR_950z", "Ascend950PR_9579", "Ascend950PR_957b", "Ascend950PR_957c", "Ascend950PR_957d",
        "Ascend950PR_9589", "Ascend950PR_958b", "Ascend950PR_9599"})
    EXPECT_NE(findPlatform(name), nullptr) << name;
  EXPECT_EQ(allPlatforms().size(), 23u);
  EXPECT_EQ(findPlatform("Ascend310P"), nullptr);
}

TEST(Platform, NamesAreUniqueAndSayTheArchitecture) {
  std::set<std::string_view> seen;
  for (const Platform &platform : allPlatforms()) {
    EXPECT_TRUE(seen.insert(platform.name).second) << platform.name;
    bool c310 = platform.name.starts_with("Ascend950PR_95") || platform.name.starts_with("Ascend910_95");
    EXPECT_EQ(platform.arch, c310 ? isa::Arch::C310 : isa::Arch::C220) << platform.name;
  }
}

TEST(Platform, MemoriesHaveTheirArchitecturesSizes) {
  for (const Platform &platform : allPlatforms()) {
    bool c310 = platform.arch == isa::Arch::C310;
    EXPECT_EQ(platform.capacityOf(isa::Memory::UB), c310 ? 253952 : 196608) << platform.name;
    EXPECT_EQ(platform.capacityOf(isa::Memory::L1), 524288) << platform.name;
    EXPECT_EQ(platform.capacityOf(isa::Memory::L0A), 65536) << platform.name;
    EXPECT_EQ(platform.capacityOf(isa::Memory::L0B), 65536) << platform.name;
    EXPECT_EQ(platform.capacityOf(isa::Memory::L0C), c310 ? 262144 : 131072) << platform.name;
    EXPECT_EQ(platform.capacityOf(isa::Memory::BT), c310 ? 4096 : 1024) << platform.name;
  }
}

// A derived part changes what its file says and nothing else.
TEST(Platform, DerivedPartsKeepTheNumbersOfTheirBase) {
  const Platform &b1 = *findPlatform("Ascend910B1"), &b3 = *findPlatform("Ascend910B3"),
                 &b4 = *findPlatform("Ascend910B4");
  EXPECT_EQ(b3.cubeCores, 20);
  EXPECT_EQ(b3.vectorCores, 40);
  EXPECT_EQ(b3.clockMHz, 1800);
  EXPECT_EQ(b3.hbmMBps, b1.hbmMBps);
  EXPECT_EQ(b4.l2Bytes, int64_t(96) << 20);
  EXPECT_EQ(b4.cubeCores, b3.cubeCores);
  EXPECT_EQ(baseOf(b4), &b3);
  EXPECT_EQ(baseOf(b1), nullptr);
}

TEST(Platform, EveryLineNamesItsSource) {
  for (const Platform &platform : allPlatforms()) {
    EXPECT_TRUE(baseOf(platform) || !factsOf(platform).empty()) << platform.name;
    for (const PlatformFact &fact : factsOf(platform))
      EXPECT_FALSE(fact.source.empty()) << platform.name << " " << fact.name;
  }
}

// A cost left at zero would make an instruction free without anyone noticing.
TEST(Platform, NoNumberTimingNeedsIsMissing) {
  for (const Platform &p : allPlatforms()) {
    SCOPED_TRACE(p.name);
    for (int64_t number : {int64_t(p.cubeCores),
                           int64_t(p.vectorCores),
                           int64_t(p.clockMHz),
                           p.l2Bytes,
                           p.l2Line,
                           p.hbmMBps,
                           p.hbmWriteMBps,
                           p.l2MBps,
                           int64_t(p.outstandingWindow),
                           int64_t(p.oneCoreMissBytesPerCycle),
                           int64_t(p.oneCoreWriteBytesPerCycle),
                           int64_t(p.moveIssue),
                           int64_t(p.burstCost),
                           int64_t(p.burstCostNz),
                           int64_t(p.cubeMacF16),
                           int64_t(p.cubeMacF32),
                           int64_t(p.cubeMacI8),
                           int64_t(p.queueDepth),
                           int64_t(p.scalarIssue),
                           int64_t(p.scalarAccess),
                           int64_t(p.launchNsOneCore),
                           int64_t(p.launchNsAllCores)})
      EXPECT_GT(number, 0);
    for (const MovePath &path : {p.gmToUb, p.ubToGm, p.gmToL1, p.l1ToGm, p.l0cToGm, p.l0cToL1, p.l1ToL0a, p.l1ToL0b}) {
      EXPECT_GT(path.latency, 0);
      EXPECT_GT(path.bytesPerCycle, 0);
    }
    for (unsigned i = unsigned(isa::CostClass::OneSource); i <= unsigned(isa::CostClass::ReduceMax); ++i) {
      EXPECT_GT(p.vector[i].fixed, 0) << i;
      EXPECT_GT(p.vector[i].perRepeatF32, 0) << i;
      EXPECT_GT(p.vector[i].perRepeatF16, 0) << i;
      if (p.arch == isa::Arch::C310)
        EXPECT_GT(p.vfCost[i], 0) << i;
    }
  }
}
