// A debugger follows a launch: where it stops, what it sees, what it leaves alone.
#include "tilesmith/Machine/Debugger.h"
#include "CoreTesting.h"
#include <algorithm>
#include <cstring>

using namespace tilesmith;
using namespace tilesmith::machine;
using namespace tilesmith::machine::testing;

namespace {

// Two statements of the kernel, a function of two in between: y = x + x of 64 floats per block.
void kernel(TsCore *core, const int64_t *args) {
  int64_t offset = tsm_block_idx(core, 1) * 256;
  tsm_debug_value(core, 0, offset);
  tsm_debug_statement(core, 10, 0, 1, 0);
  load(core, ub(0), args[0] + offset, 256);
  tsm_debug_statement(core, 20, 1, 2, 0);
  passFlag(core, MTE2, V);
  tsm_debug_statement(core, 21, 1, 2, 0);
  tsm_add(core, 21, F32, ub(256), ub(0), ub(0), 64);
  tsm_debug_statement(core, 12, 2, 1, 1);
  passFlag(core, V, MTE3);
  store(core, args[1] + offset, ub(256), 256);
  tsm_debug_statement(core, 13, 3, 1, 2);
}

struct Script : Stepper {
  std::vector<Resume> answers;
  std::vector<std::string> seen;
  uint32_t breakpoint = 0;

  Resume stopped(const Stop &stop) override {
    static constexpr const char *names[] = {"block", "breakpoint", "step", "call", "watch", "finding", "interrupt"};
    seen.push_back(std::string(names[unsigned(stop.reason)]) + " " + std::to_string(stop.core.block) + ":" +
                   std::to_string(stop.statement.loc));
    onStop(stop);
    return seen.size() <= answers.size() ? answers[seen.size() - 1] : Resume::Continue;
  }
  virtual void onStop(const Stop &) {}
  bool isBreakpoint(uint32_t loc) override { return breakpoint && loc == breakpoint; }
};

struct Doubling {
  std::vector<float> x = iota(64 * 4), y = std::vector<float>(64 * 4, -1);
  Bench bench{kernel};

  explicit Doubling(Debugger &debugger) {
    bench.arrays(x, y);
    bench.launch.blocks = 4;
    bench.launch.debugger = &debugger;
  }
};

using Resume = Stepper::Resume;
using Seen = std::vector<std::string>;

} // namespace

TEST(Debugger, StepsIntoFunctionsAndNextPassesThem) {
  Script step;
  step.onlyBlock = 0;
  step.answers.assign(5, Resume::Step);
  Doubling(step).bench.run();
  EXPECT_EQ(step.seen, (Seen{"block 0:10", "step 0:20", "step 0:21", "breakpoint 0:12", "step 0:13"}));

  Script next;
  next.onlyBlock = 0;
  next.answers = {Resume::Next, Resume::Next, Resume::Continue};
  Doubling(next).bench.run();
  EXPECT_EQ(next.seen, (Seen{"block 0:10", "breakpoint 0:12", "step 0:13"}));
}

TEST(Debugger, FinishLeavesTheFunction) {
  Script script;
  script.onlyBlock = 2;
  script.atStart = false;
  script.breakpoint = 20;
  script.answers = {Resume::Finish, Resume::Finish};
  Doubling(script).bench.run();
  EXPECT_EQ(script.seen, (Seen{"breakpoint 2:20", "breakpoint 2:12", "step 2:13"}));
}

TEST(Debugger, BlocksRunInOrderAndEachCanBeEntered) {
  Script script;
  script.answers.assign(10, Resume::Block);
  Doubling doubling(script);
  EXPECT_TRUE(doubling.bench.run().findings.empty());
  EXPECT_EQ(script.seen, (Seen{"block 0:10", "breakpoint 0:12", "block 1:10", "breakpoint 1:12", "block 2:10",
                               "breakpoint 2:12", "block 3:10", "breakpoint 3:12"}));
  EXPECT_EQ(doubling.y[200], 2 * doubling.x[200]);
}

TEST(Debugger, QuittingLeavesTheRestUndone) {
  Script script;
  script.answers = {Resume::Quit};
  Doubling doubling(script);
  doubling.bench.run();
  EXPECT_EQ(script.seen.size(), 1u);
  EXPECT_EQ(doubling.y[0], -1);
}

// A condition that does not hold must not turn `next` into `continue`, nor move where it started from.
TEST(Debugger, ABreakpointThatIsPassedChangesNothing) {
  Script script;
  script.onlyBlock = 0;
  script.breakpoint = 21;
  script.answers = {Resume::Next, Resume::Same, Resume::Next, Resume::Continue};
  Doubling(script).bench.run();
  EXPECT_EQ(script.seen, (Seen{"block 0:10", "breakpoint 0:21", "breakpoint 0:12", "step 0:13"}));
}

TEST(Debugger, WatchedBytesStopTheCallThatChangesThem) {
  struct Watching : Script {
    const float *element = nullptr;
    std::string by;
    float was = 0, is = 0;
    void onStop(const Stop &stop) override {
      if (seen.size() == 1)
        return watch(7, {std::span(reinterpret_cast<const uint8_t *>(element), 4)});
      if (!stop.watch)
        return;
      by = describeCall(*stop.call, stop.core.platform.arch);
      std::memcpy(&was, stop.watch->old.data(), 4);
      is = *element;
    }
  } script;
  script.onlyBlock = 0;
  Doubling doubling(script);
  script.element = &doubling.y[5];
  script.answers = {Resume::Continue, Resume::Continue, Resume::Continue};
  doubling.bench.run();
  EXPECT_EQ(script.seen.front(), "block 0:10");
  EXPECT_EQ(std::count(script.seen.begin(), script.seen.end(), "watch 0:12"), 1);
  EXPECT_EQ(script.by.substr(0, 13), "copy_ub_to_gm");
  EXPECT_EQ(script.was, -1);
  EXPECT_EQ(script.is, 2 * doubling.x[5]);
}

// What nobody waited for is in flight; a flag that was set and not waited for is raised.
TEST(Debugger, CallsAreInFlightUntilSomebodyWaits) {
  InFlight flight;
  auto count = [&](Pipe pipe) {
    int64_t calls = 0;
    flight.of(pipe, 8, calls);
    return calls;
  };
  Instr copy;
  copy.op = Opcode::CopyGmToUb;
  flight.note(copy);
  flight.note(makeCall<isa::SetFlag>(3, Pipe::MTE2, Pipe::V, int64_t(0)));
  flight.note(copy);
  EXPECT_EQ(count(Pipe::MTE2), 2);
  ASSERT_EQ(flight.flags().size(), 1u);
  EXPECT_EQ(flight.flags()[0].loc, 3u);
  flight.note(makeCall<isa::WaitFlag>(4, Pipe::MTE2, Pipe::V, int64_t(0)));
  EXPECT_EQ(count(Pipe::MTE2), 1); // the one after the set
  EXPECT_TRUE(flight.flags().empty());
  flight.note(makeCall<isa::PipeBarrier>(5, Pipe::ALL));
  EXPECT_EQ(count(Pipe::MTE2), 0);
}

// Looking at values is work of the thread that runs the kernel; a user must not run into a limit by it.
TEST(Debugger, NoTimeLimitHoldsWhileSomebodyDebugs) {
  Bench bench([](TsCore *core, const int64_t *) {
    for (int64_t i = 0; tsm_tick(core, 5, i < 100000); ++i)
      ;
  });
  std::vector<float> x(8);
  bench.arrays(x);
  bench.launch.timeLimit = 1e-9;
  EXPECT_EQ(bench.run().findings.size(), 1u);
  Script script;
  bench.launch.debugger = &script;
  EXPECT_TRUE(bench.run().findings.empty());
}
