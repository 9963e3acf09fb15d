// No argument of any entry crashes, hangs or touches memory that is not the kernel's.
#include "CoreTesting.h"
#include "tilesmith/Machine/Api.h"
#include "tilesmith/Support/VfClock.h"
#include <deque>
#include <random>
#include <utility>

using namespace tilesmith;
using namespace tilesmith::machine;
using namespace tilesmith::machine::testing;

namespace {

std::mt19937_64 generator;
const int64_t *arrays;

int64_t below(uint64_t bound) { return int64_t(generator() % bound); }

// Half plausible (small numbers, addresses near the edges of their memories), half wild.
int64_t anything() {
  switch (generator() % 12) {
  case 0:
    return int64_t(generator());
  case 1:
    return -below(100);
  case 2:
    return int64_t(1) << below(63);
  case 3:
  case 4:
    return at(Memory(below(isa::numMemory)), below(262144) & ~511);
  case 5:
    return at(Memory(below(isa::numMemory)), 196608 - below(64) * 32);
  case 6:
    return arrays[below(2)] + below(8192);
  case 7:
    return arrays[below(2)] - below(64);
  default:
    return below(generator() % 2 ? 4 : 300);
  }
}

// Arguments as the operand wants them, often; so that calls get past the first check.
int64_t argumentFor(const isa::OperandInfo &operand) {
  if (generator() % 8 == 0)
    return anything();
  switch (operand.kind) {
  case isa::OperandKind::Buffer: {
    Memory memory = Memory(below(isa::numMemory));
    while (!(operand.memories & isa::memoryBit(memory)))
      memory = Memory(below(isa::numMemory));
    if (memory == Memory::GM)
      return arrays[below(2)] + below(1000);
    return at(memory, below(128) * 512);
  }
  case isa::OperandKind::Attribute:
    return below(5);
  default:
    return below(generator() % 2 ? 4 : 300);
  }
}

template <typename Result, typename... Args, size_t... I>
void call(TsCore *core, const isa::InstructionInfo &info, Result (*entry)(TsCore *, int64_t, Args...),
          std::index_sequence<I...>) {
  constexpr size_t count = sizeof...(Args);
  size_t types = count - info.numOperands;
  int64_t args[count + 1];
  for (size_t i = 0; i < count; ++i)
    args[i] = i < types ? (generator() % 8 ? below(12) : anything()) : argumentFor(info.operands[i - types]);
  entry(core, below(1000), args[I]...);
}
template <typename Result, typename... Args>
void call(TsCore *core, Opcode op, Result (*entry)(TsCore *, int64_t, Args...)) {
  call(core, isa::getInstruction(op), entry, std::index_sequence_for<Args...>{});
}

void callEverything(TsCore *core, const int64_t *args) {
  arrays = args;
  for (int round = 0; round < 200; ++round) {
#define TILESMITH_ABI_ENTRY(result, mnemonic, params, opcode, dt, dt2, args, issue) call(core, opcode, &tsm_##mnemonic);
#include "tilesmith/Machine/Abi.inc"
#undef TILESMITH_ABI_ENTRY
  }
}

void callVectorFunctions(TsCore *core, const int64_t *args) {
  arrays = args;
  struct Function {
    TsVfAccess accesses[4];
    TsVfStep steps[3];
    TsVfDesc desc;
  };
  static std::deque<Function> functions; // descriptors outlive the launch
  functions.clear();
  for (int round = 0; round < 2000; ++round) {
    auto &[accesses, steps, desc] = functions.emplace_back();
    for (TsVfStep &step : steps)
      step = {uint8_t(below(64)), uint8_t(below(2)), uint16_t(below(8)), int16_t(below(3)), {0, int16_t(below(3)), -1}};
    desc.steps = steps;
    desc.numSteps = uint64_t(below(4));
    desc.rows = below(3) ? below(20) : anything();
    desc.cols = below(3) ? below(200) : anything();
    desc.numAccesses = uint32_t(below(20) ? below(5) : below(100000));
    desc.accesses = desc.numAccesses <= 4 ? accesses : nullptr;
    int64_t values[16];
    for (int64_t &value : values)
      value = below(2) ? ub(below(8192) * 32) : anything();
    for (TsVfAccess &access : accesses)
      access = {uint8_t(below(18)), uint8_t(below(6)), uint8_t(below(2)), uint8_t(below(13)),
                below(3) ? below(1000) : anything()};
    auto body = [](uint8_t *, const int64_t *) {};
    tsm_vf(core, below(1000), below(50) ? &desc : nullptr, below(50) ? +body : nullptr, values,
           below(10) ? below(17) : anything());
  }
}

// Everything the table offers besides instructions, in any order with any numbers.
void callQueues(TsCore *core, const int64_t *args) {
  arrays = args;
  const TsApi *api = tilesmith_api();
  auto some = [] { return below(6) ? below(14) : anything(); };
  auto touch = [](uint8_t *, const int64_t *values) {
    auto *of = reinterpret_cast<TsCore *>(values[0]);
    for (int i = 0; i < 3; ++i)
      tilesmith_api()->tsm_vf_touch(of, values[1] + i, values[2], values[3], i == 1, values[0]);
  };
  int64_t address = 0;
  for (int round = 0; round < 60; ++round) { // a mistake ends the block: many short ones see more
    int64_t loc = below(1000), queue = below(8) ? below(6) : anything();
    switch (below(22)) {
    case 0:
      if (below(10) == 0)
        api->tsm_pipe_init(core, loc, 1);
      break;
    case 1:
      api->tsm_queue_init(core, loc, some(), some(), below(3), below(4000));
      break;
    case 2:
      api->tsm_buffer_init(core, loc, some(), below(4) ? below(4000) : anything());
      break;
    case 3:
      api->tsm_event_alloc(core, loc, below(7), below(7));
      break;
    case 4:
      api->tsm_event_fetch(core, loc, below(20) ? below(7) : anything(), below(7));
      break;
    case 5:
      api->tsm_event_release(core, loc, some(), some(), some());
      break;
    case 6:
    case 7:
      address = api->tsm_queue_alloc(core, loc, queue);
      break;
    case 8:
    case 9:
      api->tsm_queue_push(core, loc, queue, below(8) ? address : anything(), below(2) ? -1 : some(),
                          below(2) ? -1 : some());
      break;
    case 10:
    case 11:
      address = api->tsm_queue_pop(core, loc, queue, -1, -1);
      break;
    case 12:
    case 13:
      api->tsm_queue_free(core, loc, queue, below(8) ? address : anything());
      break;
    case 14:
      api->tsm_queue_filled(core, queue);
      api->tsm_queue_idle(core, queue);
      api->tsm_queue_bytes(core, queue);
      break;
    case 15: {
      int64_t values[] = {reinterpret_cast<int64_t>(core), below(2) ? below(200000) : anything(),
                          below(2) ? below(300) : anything(), 32};
      api->tsm_vf_call(core, loc, touch, values, below(8) ? 4 : 17);
      break;
    }
    case 16:
      below(2) ? api->tsm_vf_begin(core, loc) : api->tsm_vf_enter(core, loc);
      api->tsm_vf_touch(core, anything(), anything(), 1, 1, 0);
      if (below(2))
        api->tsm_vf_end(core);
      break;
    case 17:
      api->tsm_vf_end(core);
      break;
    case 18:
      api->tsm_mask_lanes(core, anything(), anything());
      api->tsm_add_r(core, loc, below(12), ub(0), ub(8192), ub(16384), TS_MASK_BITS, below(5), below(4), below(4),
                     below(4), below(40), below(40), below(40));
      break;
    case 19:
      api->tsm_print(core, loc, "text", 4);
      api->tsm_capacity(core, anything());
      break;
    case 20:
      api->tsm_mask_mode(core, below(2));
      api->tsm_mask_first(core, below(2) ? below(300) : anything());
      api->tsm_select_r(core, loc, below(13), ub(0), ub(8192), ub(16384), ub(24576),
                        below(2) ? TS_MASK_BITS : TS_MASK_GIVEN + below(200), below(5), below(4), below(4), below(4),
                        below(40), below(40), below(40));
      break;
    case 21:
      api->tsm_set_register(core, anything(), anything());
      api->tsm_get_register(core, anything());
      api->tsm_buffer_unlock(core, some(), some());
      api->tsm_buffer_lock(core, loc, some(), below(2) ? below(40) : anything());
      break;
    }
  }
  api->tsm_pipe_destroy(core, 0, 1);
}

void launchWith(TsKernelFn kernel, Arch arch, Late late, unsigned seed, Mode mode = Mode::Fast) {
  generator.seed(seed);
  std::vector<uint8_t> x(8192), y(1000);
  Bench bench(kernel, arch);
  bench.platform = *findPlatform(arch == Arch::C220 ? "Ascend910B1" : "Ascend950PR_9599");
  bench.launch.late = late;
  bench.launch.mode = mode;
  bench.arrays(x, y);
  LaunchResult result = bench.run();
  EXPECT_LE(result.findings.size(), mode < Mode::Checked ? 101u : 10000u);
  for (const Finding &finding : result.findings)
    EXPECT_FALSE(finding.id.str().empty() || finding.text.empty());
}

} // namespace

TEST(Fuzz, EveryEntrySurvivesAnyArguments) {
  unsigned seed = 1;
  for (Arch arch : {Arch::C220, Arch::C310})
    for (Late late : {Late::None, Late::Consumers, Late::Producers})
      for (int i = 0; i < 4; ++i)
        launchWith(callEverything, arch, late, seed++);
}

TEST(Fuzz, VectorFunctionsSurviveAnyDescriptor) {
  for (unsigned seed = 0; seed < 4; ++seed)
    launchWith(callVectorFunctions, Arch::C310, seed % 2 ? Late::Consumers : Late::None, seed);
}

TEST(Fuzz, QueuesSurviveAnyUse) {
  unsigned seed = 200;
  for (Arch arch : {Arch::C220, Arch::C310})
    for (Late late : {Late::None, Late::Consumers, Late::Producers})
      for (Mode mode : {Mode::Fast, Mode::Checked})
        for (int i = 0; i < 60; ++i)
          launchWith(callQueues, arch, late, seed++, mode);
}

TEST(Fuzz, AnalysisSurvivesAnyCalls) {
  unsigned seed = 100;
  for (Arch arch : {Arch::C220, Arch::C310})
    for (int i = 0; i < 4; ++i)
      launchWith(callEverything, arch, Late::None, seed++, Mode::Traced);
}
