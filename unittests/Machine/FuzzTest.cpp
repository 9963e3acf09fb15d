// No argument of any entry crashes, hangs or touches memory that is not the kernel's.
#include "CoreTesting.h"
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
    return at(Memory(below(8)), below(262144) & ~511);
  case 5:
    return at(Memory(below(8)), 196608 - below(64) * 32);
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
    Memory memory = Memory(below(8));
    while (!(operand.memories & isa::memoryBit(memory)))
      memory = Memory(below(8));
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
void call(TsCore *core, const isa::InstructionInfo &info, Result (*entry)(TsCore *, int64_t, Args...), std::index_sequence<I...>) {
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
#define TILESMITH_ABI_ENTRY(result, mnemonic, params, opcode, dt, dt2, args) call(core, opcode, &tsm_##mnemonic);
#include "tilesmith/Machine/Abi.inc"
#undef TILESMITH_ABI_ENTRY
  }
}

void callVectorFunctions(TsCore *core, const int64_t *args) {
  arrays = args;
  for (int round = 0; round < 2000; ++round) {
    TsVfAccess accesses[4];
    TsVfDesc desc = {};
    desc.rows = below(3) ? below(20) : anything();
    desc.cols = below(3) ? below(200) : anything();
    desc.numAccesses = uint32_t(below(20) ? below(5) : below(100000));
    desc.accesses = desc.numAccesses <= 4 ? accesses : nullptr;
    int64_t values[16];
    for (int64_t &value : values)
      value = below(2) ? ub(below(8192) * 32) : anything();
    for (TsVfAccess &access : accesses)
      access = {uint8_t(below(18)), uint8_t(below(6)), uint8_t(below(2)), uint8_t(below(13)), below(3) ? below(1000) : anything()};
    auto body = [](uint8_t *, const int64_t *) {};
    tsm_vf(core, below(1000), below(50) ? &desc : nullptr, below(50) ? +body : nullptr, values, below(10) ? below(17) : anything());
  }
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
    EXPECT_FALSE(finding.id.empty() || finding.text.empty());
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

TEST(Fuzz, AnalysisSurvivesAnyCalls) {
  unsigned seed = 100;
  for (Arch arch : {Arch::C220, Arch::C310})
    for (int i = 0; i < 4; ++i)
      launchWith(callEverything, arch, Late::None, seed++, Mode::Traced);
}
