#include "tilesmith/Machine/Platform.h"
#include <filesystem>
#include <fstream>
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
  for (const Platform *each : allPlatforms()) {
    const Platform &platform = *each;
    EXPECT_TRUE(seen.insert(platform.name).second) << platform.name;
    bool c310 = platform.name.starts_with("Ascend950PR_95") || platform.name.starts_with("Ascend910_95");
    EXPECT_EQ(platform.arch, c310 ? isa::Arch::C310 : isa::Arch::C220) << platform.name;
  }
}

TEST(Platform, MemoriesHaveTheirArchitecturesSizes) {
  for (const Platform *each : allPlatforms()) {
    const Platform &platform = *each;
    bool c310 = platform.arch == isa::Arch::C310;
    EXPECT_EQ(platform.usableOf(isa::Memory::UB), c310 ? 253952 : 196608) << platform.name;
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
  for (const Platform *each : allPlatforms()) {
    const Platform &platform = *each;
    EXPECT_TRUE(baseOf(platform) || !factsOf(platform).empty()) << platform.name;
    for (const PlatformFact &fact : factsOf(platform))
      EXPECT_FALSE(fact.source.empty()) << platform.name << " " << fact.name;
  }
}

// A cost left at zero would make an instruction free without anyone noticing.
TEST(Platform, NoNumberTimingNeedsIsMissing) {
  for (const Platform *each : allPlatforms()) {
    const Platform &p = *each;
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
                           int64_t(p.l2BacklogPart),
                           int64_t(p.boundPercent),
                           int64_t(p.launchNsOneCore),
                           int64_t(p.launchNsAllCores)})
      EXPECT_GT(number, 0);
    for (const MovePath &path : {p.gmToUb, p.ubToGm, p.gmToL1, p.l1ToGm, p.l0cToGm, p.l0cToL1, p.l1ToL0a, p.l1ToL0b}) {
      EXPECT_GT(path.latency, 0);
      EXPECT_GT(path.bytesPerCycle, 0);
    }
    for (unsigned i = unsigned(isa::CostClass::OneSource); i < isa::numCostClass; ++i) {
      if (i > unsigned(isa::CostClass::ReduceMax) && i != unsigned(isa::CostClass::ReduceBlock))
        continue;
      EXPECT_GT(p.vector[i].fixed, 0) << i;
      EXPECT_GT(p.vector[i].perRepeatF32, 0) << i;
      EXPECT_GT(p.vector[i].perRepeatF16, 0) << i;
      if (p.arch == isa::Arch::C310) {
        EXPECT_GT(p.vfCost[i].latency, 0) << i;
        EXPECT_GT(p.vfCost[i].busy, 0) << i;
      }
    }
  }
}

namespace {

// A platform file of a test; its name stands for its path in errors.
class PlatformText {
public:
  explicit PlatformText(const std::string &text, const char *name = "Mine.platform")
      : folder(std::filesystem::path(testing::TempDir()) / "platforms"), path(folder / name) {
    std::filesystem::create_directories(folder);
    std::ofstream(path) << text;
  }
  ~PlatformText() { std::filesystem::remove(path); }

  std::string add() const {
    std::string error = addPlatforms(path.string());
    for (size_t at; (at = error.find(folder.string() + "/")) != std::string::npos;)
      error.erase(at, folder.string().size() + 1);
    return error;
  }

  std::filesystem::path folder, path;
};

std::string errorOf(const std::string &text) { return PlatformText(text).add(); }

} // namespace

TEST(PlatformFile, APartOfItsOwnTakesItsBase) {
  EXPECT_EQ(errorOf("platform Own1\nbase Ascend910B1\n\nclockMHz = 2000  # a guess\n"
                    "gmToUb = 7 + bytes / 12.5 # one decimal\ncapacity.UB = 256 KiB # unit\n"
                    "vector.Divide = 30 + 3 or 3.25 per repeat # no decimals\nburstCost = 8.3 # x\n"),
            "");
  const Platform *own = findPlatform("Own1"), *b1 = findPlatform("Ascend910B1");
  ASSERT_TRUE(own);
  EXPECT_EQ(own->clockMHz, 2000);
  EXPECT_EQ(own->gmToUb.latency, 7);
  EXPECT_EQ(own->gmToUb.bytesPerCycle, 1250);
  EXPECT_EQ(own->capacityOf(isa::Memory::UB), 262144);
  EXPECT_EQ(own->vector[unsigned(isa::CostClass::Divide)].perRepeatF32, 300);
  EXPECT_EQ(own->vector[unsigned(isa::CostClass::Divide)].perRepeatF16, 325);
  EXPECT_EQ(own->burstCost, 830);
  EXPECT_EQ(own->hbmMBps, b1->hbmMBps);
  EXPECT_EQ(baseOf(*own), b1);
  EXPECT_NE(own->digest, b1->digest);
  EXPECT_EQ(factsOf(*own)[1].value, "7 + bytes / 12.5");
  EXPECT_EQ(factsOf(*own)[1].source, "one decimal");
}

// One instruction has figures of its own, its kind keeps those it had; what is no vector instruction has none.
TEST(PlatformFile, AnInstructionHasFiguresOfItsOwn) {
  ASSERT_EQ(errorOf("platform Own8\nbase Ascend910B1\n\ninstruction.exp = 7 + 1.50 or 2.50 per repeat # x\n"), "");
  const Platform *own = findPlatform("Own8");
  EXPECT_EQ(own->costOf(isa::Opcode::Exp).perRepeatF16, 250);
  EXPECT_EQ(own->costOf(isa::Opcode::Ln).perRepeatF16,
            own->vector[unsigned(isa::CostClass::Transcendental)].perRepeatF16);
  EXPECT_EQ(errorOf("platform Wrong\nbase Ascend910B1\n\ninstruction.gathr = 7 + 1.50 or 2.50 per repeat # x\n"),
            "Mine.platform:4:1: error: a platform has no number called 'instruction.gathr'; did you mean "
            "'instruction.gather'?\n"
            "    4 | instruction.gathr = 7 + 1.50 or 2.50 per repeat # x\n"
            "      | ^~~~~~~~~~~~~~~~~");
  EXPECT_NE(errorOf("platform Wrong\nbase Ascend910B1\n\ninstruction.mmad = 7 + 1.50 or 2.50 per repeat # x\n"), "");
}

// Compilations and launches in flight keep the old numbers, later ones get the new; what did not change stays the same.
TEST(PlatformFile, AChangedFileIsAnotherPartOfTheSameName) {
  std::string first = "platform Own2\nbase Ascend910B1\n\nclockMHz = 2000  # a guess\n";
  ASSERT_EQ(errorOf(first), "");
  ASSERT_EQ(errorOf("platform Own3\nbase Own2\n"), "");
  const Platform *before = findPlatform("Own2"), *derived = findPlatform("Own3");
  EXPECT_EQ(errorOf(first), "");
  EXPECT_EQ(findPlatform("Own2"), before);
  EXPECT_EQ(findPlatform("Own3"), derived);
  EXPECT_EQ(errorOf("platform Own2\nbase Ascend910B1\n\nclockMHz = 2001  # a better guess\n"), "");
  EXPECT_EQ(before->clockMHz, 2000);
  EXPECT_EQ(findPlatform("Own2")->clockMHz, 2001);
  EXPECT_EQ(findPlatform("Own3")->clockMHz, 2001) << "a base is asked again";
  EXPECT_NE(findPlatform("Own3")->digest, derived->digest);
}

// All or nothing: a folder with one wrong file adds no part and changes none.
TEST(PlatformFile, AFolderIsReadAsAWhole) {
  PlatformText good("platform Own4\nbase Ascend910B1\n", "a.platform"),
      last("platform Own5\nbase Own4\n", "b.platform");
  {
    PlatformText bad("platform Own6\nbase Own7\n", "c.platform");
    EXPECT_NE(addPlatforms(good.folder.string()), "");
    EXPECT_EQ(findPlatform("Own4"), nullptr);
  }
  EXPECT_EQ(addPlatforms(good.folder.string()), "");
  EXPECT_EQ(baseOf(*findPlatform("Own5")), findPlatform("Own4"));
}

TEST(PlatformFile, ErrorsShowTheirPlace) {
  std::string head = "platform Wrong\nbase Ascend910B1\n\n";
  EXPECT_EQ(errorOf(head + "clockMhz = 2000  # a guess\n"),
            "Mine.platform:4:1: error: a platform has no number called 'clockMhz'; did you mean 'clockMHz'?\n"
            "    4 | clockMhz = 2000  # a guess\n"
            "      | ^~~~~~~~");
  EXPECT_EQ(errorOf(head + "clockMHz = fast # really\n"),
            "Mine.platform:4:12: error: expected a whole number, which may be followed by KiB, MiB or GiB\n"
            "    4 | clockMHz = fast # really\n"
            "      |            ^~~~");
  EXPECT_EQ(errorOf(head + "clockMHz = 2000\n"),
            "Mine.platform:4:16: error: expected '#' and the source of the number\n"
            "    4 | clockMHz = 2000\n"
            "      |                ^");
  EXPECT_EQ(errorOf(head + "\n\nclockMHz = 1 # a\nclockMHz = 2 # b\n"),
            "Mine.platform:7:1: error: 'clockMHz' is set twice\n"
            "    7 | clockMHz = 2 # b\n"
            "      | ^~~~~~~~");
  EXPECT_EQ(errorOf(head + "gmToUb = 205 + bytes * 119.00 # x\n"),
            "Mine.platform:4:22: error: expected a path, such as 205 + bytes / 119.00\n"
            "    4 | gmToUb = 205 + bytes * 119.00 # x\n"
            "      |                      ^");
  EXPECT_EQ(errorOf(head + "burstCost = 1.234 # x\n"),
            "Mine.platform:4:13: error: a number of a platform has at most two decimals\n"
            "    4 | burstCost = 1.234 # x\n"
            "      |             ^~~~~");
  EXPECT_EQ(errorOf(head + "vf.Divide = 17 each 4 # x\n"),
            "Mine.platform:4:16: error: expected a latency and the cycles a port is busy, such as 17 every 4\n"
            "    4 | vf.Divide = 17 each 4 # x\n"
            "      |                ^~~~");
  EXPECT_EQ(errorOf(head + "clockMHz = 4 GiB # x\n"), "Mine.platform:4:12: error: the number is too large\n"
                                                      "    4 | clockMHz = 4 GiB # x\n"
                                                      "      |            ^");
  EXPECT_EQ(errorOf(head + "hbmMBps = 99999999999999999999 # x\n"),
            "Mine.platform:4:11: error: the number is too large\n"
            "    4 | hbmMBps = 99999999999999999999 # x\n"
            "      |           ^~~~~~~~~~~~~~~~~~~~");
  // The compiler leaves out tests that cannot fail below this number of blocks.
  EXPECT_EQ(errorOf(head + "maxBlocks = 65536 # x\n"), "Mine.platform:4:13: error: the number is too large\n"
                                                       "    4 | maxBlocks = 65536 # x\n"
                                                       "      |             ^~~~~");
  EXPECT_EQ(errorOf("platform Wrong\nbase Ascend910B9\n"),
            "Mine.platform:2:6: error: no platform is called 'Ascend910B9'; did you mean 'Ascend910B1'?\n"
            "    2 | base Ascend910B9\n"
            "      |      ^~~~~~~~~~~");
  EXPECT_EQ(errorOf("platform Wrong\nbase Wrong\n"), "Mine.platform:2:6: error: the part is its own base\n"
                                                     "    2 | base Wrong\n"
                                                     "      |      ^~~~~");
  EXPECT_EQ(errorOf("platform Wrong\narch C221\n"),
            "Mine.platform:2:6: error: no architecture is called 'C221'; did you mean 'C220'?\n"
            "    2 | arch C221\n"
            "      |      ^~~~");
  EXPECT_EQ(errorOf("platform Wrong\narch C220\nclockMHz = 1 # x\n"),
            "Mine.platform:1:10: error: the part does not say what 'cubeCores' is, and has no base that does\n"
            "    1 | platform Wrong\n"
            "      |          ^~~~~");
  EXPECT_EQ(errorOf("clockMHz = 1 # x\n"),
            "Mine.platform:1:1: error: a platform file begins with 'platform' and the name of the part\n"
            "    1 | clockMHz = 1 # x\n"
            "      | ^~~~~~~~");
  EXPECT_EQ(errorOf(""), "Mine.platform:1:1: error: a platform file begins with 'platform' and the name of the part");
  EXPECT_EQ(addPlatforms("/no/such/file"),
            "/no/such/file: error: cannot be read as a platform file or a folder of them");
  EXPECT_EQ(findPlatform("Wrong"), nullptr);
}
