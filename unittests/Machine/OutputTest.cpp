// device_print: what a launch keeps of it, whatever the host threads.
#include "CoreTesting.h"

using namespace tilesmith;
using namespace tilesmith::machine;
using namespace tilesmith::machine::testing;

namespace {

// args[0] lines of two values each, the block and the line.
void printKernel(TsCore *core, const int64_t *args) {
  for (int64_t line = 0; line < args[0]; ++line) {
    tsm_device_print(core, 3, 0, 0, 0, tsm_block_idx(core, 0));
    tsm_device_print(core, 3, 0, 1, 0, line);
  }
}

LaunchResult print(int64_t blocks, int64_t lines, unsigned threads = 0, Late late = Late::None) {
  Bench bench(printKernel);
  bench.args = {lines};
  bench.launch.blocks = blocks;
  bench.launch.threads = threads;
  bench.launch.late = late;
  return bench.run();
}

} // namespace

TEST(Output, ComesByBlockInProgramOrder) {
  for (unsigned threads : {1u, 2u, 8u}) {
    LaunchResult result = print(50, 3, threads);
    EXPECT_TRUE(result.findings.empty());
    ASSERT_EQ(result.output.size(), 50u);
    for (int64_t block = 0; block < 50; ++block) {
      const BlockOutput &output = result.output[size_t(block)];
      EXPECT_EQ(output.block, block);
      ASSERT_EQ(output.elements.size(), 6u);
      for (int64_t line = 0; line < 3; ++line) {
        EXPECT_TRUE(output.elements[size_t(2 * line)].startsLine());
        EXPECT_EQ(output.elements[size_t(2 * line)].bits, block);
        EXPECT_EQ(output.elements[size_t(2 * line + 1)].bits, line);
        EXPECT_EQ(output.elements[size_t(2 * line)].loc, 3u);
      }
    }
  }
}

TEST(Output, IsTheSameLate) {
  for (Late late : {Late::Consumers, Late::Producers})
    EXPECT_EQ(print(4, 10, 0, late).output[3].elements.size(), 20u);
}

TEST(Output, IsBoundedInWholeLines) {
  LaunchResult result = print(2, 1 << 20);
  int64_t kept = 0;
  for (const BlockOutput &output : result.output) {
    EXPECT_EQ(output.elements.size() % 2, 0u);
    EXPECT_EQ(int64_t(output.elements.size() / 2) + output.droppedLines, 1 << 20);
    kept += int64_t(output.elements.size());
  }
  EXPECT_LE(kept, (1 << 20) + 4);
  EXPECT_GT(kept, 1 << 19);
}

TEST(Output, OfALaunchIsNotInTheNext) {
  print(1, 1);
  EXPECT_TRUE(print(1, 0).output.empty());
}
