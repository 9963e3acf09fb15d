#include "tilesmith/Runtime/SourceText.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace tilesmith;
using runtime::Place;
using runtime::renderPlace;

namespace {

struct SourceText : testing::Test {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("tilesmith-source-" + std::to_string(::getpid()) + ".py");
  void SetUp() override { std::ofstream(path) << "first\n\tx = load(gm)\n# \xc3\xa4\xc3\xb6 + y\n"; }
  void TearDown() override { std::filesystem::remove(path); }
};

TEST_F(SourceText, TheCaretStandsUnderTheExpression) {
  EXPECT_EQ(renderPlace({path, 2, 6, 14}, "error", "no"),
            path.string() + ":2:6: error: no\n    2 | \tx = load(gm)\n      | \t    ^~~~~~~~");
}
TEST_F(SourceText, BytesOfOneCharacterAreOneColumn) {
  EXPECT_EQ(renderPlace({path, 3, 10, 0}, "note", "n"),
            path.string() + ":3:10: note: n\n    3 | # \xc3\xa4\xc3\xb6 + y\n      |        ^");
}
TEST_F(SourceText, WhatCannotBeShownIsLeftOut) {
  EXPECT_EQ(renderPlace({}, "error", "no place"), "error: no place");
  EXPECT_EQ(renderPlace({"/no/such/file.py", 3, 1, 0}, "error", "e"), "/no/such/file.py:3:1: error: e");
  EXPECT_EQ(renderPlace({path, 99, 1, 0}, "error", "e"), path.string() + ":99:1: error: e");
  EXPECT_EQ(renderPlace({path, 1, 400, 500}, "error", "e"), path.string() + ":1:400: error: e\n    1 | first");
}

TEST_F(SourceText, AFindingNamesItsPlacesItsKernelAndItsCount) {
  host::Metadata metadata;
  metadata.kernel = "copy";
  metadata.locations.push_back({path, 1, 1, "", 2});
  metadata.locations.push_back({path, 2, 2, "", 0});
  machine::Finding finding;
  finding.id = machine::FindingKind::OrderRaw;
  finding.text = "read before written";
  finding.loc = 1;
  finding.otherLoc = 2;
  finding.block = 3;
  finding.count = 5;
  std::string p = path.string();
  EXPECT_EQ(runtime::renderFinding(finding, metadata),
            p + ":1:1: error: read before written [order.raw]\n    1 | first\n      | ^\n" + p +
                ":2:2: note: the other access is here\n    2 | \tx = load(gm)\n      | \t^\n" + p +
                ":2:2: note: called from here\n    2 | \tx = load(gm)\n      | \t^\n"
                "note: in kernel 'copy', block 3; seen 5 times");
}

} // namespace
