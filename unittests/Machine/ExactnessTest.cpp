// Execution and footprint are the same thing seen twice: what an instruction writes is exactly its write effects, and
// it is a function of its read effects only. Bounds, order and late mode rest on this.
#include "CoreTesting.h"
#include "tilesmith/Machine/Entries.h"
#include <cstring>
#include <random>

using namespace tilesmith;
using namespace tilesmith::machine;
using namespace tilesmith::machine::testing;

namespace {

constexpr int64_t globalBase = 1 << 20, globalBytes = 1 << 17;

struct Memories {
  std::vector<uint8_t> bytes[isa::numMemory];
  GlobalRange range;

  explicit Memories(const Platform &platform) {
    for (unsigned i = 0; i < isa::numMemory; ++i)
      bytes[i].resize(i == 0 ? globalBytes : size_t(platform.capacity[i]) + 4096);
    range = {globalBase, globalBytes, bytes[0].data()};
  }
  MemoryView view(Arch arch) {
    MemoryView view;
    for (unsigned i = 1; i < isa::numMemory; ++i)
      view.base[i] = bytes[i].data();
    view.global = {&range, 1};
    view.arch = arch;
    return view;
  }
};

std::mt19937_64 generator(7);
int64_t below(uint64_t bound) { return int64_t(generator() % bound); }

Instr anyCall(const isa::InstructionInfo &info, Arch arch) {
  Instr instr;
  instr.op = info.opcode;
  do
    instr.dtype = DType(below(isa::numDType));
  while (info.dtypeOperand >= 0 && !info.supports(arch, instr.dtype));
  instr.dtype2 = DType(below(isa::numDType));
  instr.numArgs = info.numOperands;
  int64_t place = 0;
  for (unsigned i = 0; i < info.numOperands; ++i) {
    const isa::OperandInfo &operand = info.operands[i];
    int64_t &arg = instr.args[i];
    if (operand.kind == isa::OperandKind::Buffer) {
      Memory memory = Memory::GM;
      do
        memory = Memory(below(isa::numMemory));
      while (!(operand.memories & isa::memoryBit(memory)));
      // Operands in the same memory stay apart: with overlap the result depends on the order inside the instruction.
      arg = memory == Memory::GM ? globalBase + below(100) : at(memory, place + below(8) * 512);
      place += memory == Memory::UB || memory == Memory::L1 ? 49152 : 0;
    } else if (operand.kind == isa::OperandKind::Attribute)
      arg = below(6);
    else if (operand.kind == isa::OperandKind::Scalar)
      arg = below(1 << 16);
    else if ((operand.name == "mask" || operand.name == "lanes") && below(3) == 0) {
      arg = TS_MASK_BITS;
      for (uint64_t &word : instr.lanes)
        word = generator() & (below(2) ? ~uint64_t(0) : generator());
      instr.lanes[0] |= 1;
    } else if (operand.name.starts_with("to") || operand.name.starts_with("from")) { // four addresses, in blocks
      for (int j = 0; j < 4; ++j)
        arg |= (operand.name.starts_with("to") ? below(1024) : 2048 + below(1024)) << (j * 16);
    } else if (operand.name == "count")
      arg = generator() % 2 ? below(8) * 128 : below(700);
    else if (operand.name == "nz" || operand.name == "subBlock" || operand.name == "dual")
      arg = below(3);
    else if (info.family == Family::LoadImage && (operand.name == "mStart" || operand.name == "kStart"))
      arg = below(3) * 32;
    else if (operand.name == "stride" || operand.name == "filter" || operand.name == "dilation") // width and height
      arg = 1 + below(3) + 256 * (1 + below(3));
    else if (operand.name == "k" && info.mnemonic.starts_with("mmad_mx"))
      arg = 64 * below(3);
    else if (operand.name == "blockLen")
      arg = below(40) * 4;
    else
      arg = generator() % 4 ? below(5) : below(64);
  }
  return instr;
}

bool fits(const std::vector<Effect> &effects, const Platform &platform) {
  for (const Effect &effect : effects) {
    int64_t begin = effect.start - (effect.memory == Memory::GM ? globalBase : 0);
    int64_t end = effect.end() - (effect.memory == Memory::GM ? globalBase : 0);
    int64_t capacity = effect.memory == Memory::GM ? globalBytes : platform.capacityOf(effect.memory);
    if (begin < 0 || end > capacity)
      return false;
  }
  return true;
}

// Rows at packed addresses are not kept apart when they are made.
bool overlap(const std::vector<Effect> &effects) {
  for (const Effect &read : effects)
    for (const Effect &write : effects)
      if (read.access == Access::Read && write.access == Access::Write && read.memory == write.memory &&
          read.start < write.end() && write.start < read.end())
        return true;
  return false;
}

template <typename Visit>
void eachRun(const std::vector<Effect> &effects, Access access, const MemoryView &view, Visit visit) {
  for (const Effect &effect : effects)
    if (effect.access == access)
      for (int64_t i = 0; i < effect.count; ++i)
        visit(unsigned(effect.memory), view.at(Address(effect.memory, effect.start + i * effect.stride)),
              size_t(effect.length));
}

// How much of what it may write it does write, the data says: bits of a pattern, offsets, the shortest list.
bool dataDecides(const Instr &instr) {
  switch (instr.info().family) {
  case Family::GatherPattern:
    return instr.op == Opcode::GatherMaskBits;
  case Family::Scatter:
    return true;
  case Family::CastDeq: // single lanes of blocks that are said as wholes
    return instr.info().form == Form::Repeat && instr.args[4] == TS_MASK_BITS;
  case Family::Merge:
    return instr.args[10] != 0;
  default:
    return false;
  }
}

} // namespace

class Exactness : public ::testing::TestWithParam<Arch> {};

TEST_P(Exactness, ExecutionTouchesItsFootprint) {
  Platform platform = chip(GetParam());
  Memories first(platform), second(platform);
  MemoryView firstView = first.view(GetParam()), secondView = second.view(GetParam());
  for (auto &memory : first.bytes)
    for (uint8_t &byte : memory)
      byte = uint8_t(generator());

  std::vector<uint8_t> before[isa::numMemory];
  for (unsigned i = 0; i < isa::numMemory; ++i)
    before[i] = second.bytes[i];
  for (unsigned op = 0; op + 1 < isa::numOpcodes; ++op) {
    const isa::InstructionInfo &info = isa::getInstruction(Opcode(op));
    if (info.family == Family::Flag || info.family == Family::Barrier || info.family == Family::Cross ||
        info.family == Family::Control || (info.dtypeOperand >= 0 && !info.dtypes[unsigned(GetParam())]))
      continue;
    int executed = 0;
    for (int round = 0; round < 400000 && executed < 25; ++round) {
      Instr instr = anyCall(info, GetParam());
      std::vector<Effect> effects;
      if (!validateOperands(instr, GetParam()).empty())
        continue;
      effectsOf(instr, GetParam(), effects);
      if (!fits(effects, platform) || effects.empty())
        continue;
      if (instr.op == Opcode::TransDataRows && overlap(effects))
        continue;
      ++executed;

      // The second memory agrees only where the instruction reads. Memories it does not name need not be prepared.
      bool named[isa::numMemory] = {};
      for (const Effect &effect : effects)
        named[unsigned(effect.memory)] = true;
      for (unsigned i = 0; i < isa::numMemory; ++i)
        for (size_t j = 0; named[i] && j < first.bytes[i].size(); ++j)
          second.bytes[i][j] = uint8_t(~first.bytes[i][j]);
      eachRun(effects, Access::Read, firstView, [&](unsigned memory, uint8_t *from, size_t size) {
        std::memcpy(second.bytes[memory].data() + (from - first.bytes[memory].data()), from, size);
      });
      for (unsigned i = 0; i < isa::numMemory; ++i)
        if (named[i])
          before[i] = second.bytes[i];

      int64_t one = execute(instr, firstView), two = execute(instr, secondView);
      EXPECT_EQ(one, two) << info.mnemonic;
      bool determined = true;
      eachRun(effects, Access::Write, firstView, [&](unsigned memory, uint8_t *from, size_t size) {
        uint8_t *other = second.bytes[memory].data() + (from - first.bytes[memory].data());
        determined &= std::memcmp(from, other, size) == 0;
      });
      eachRun(effects, Access::Write, secondView,
              [&](unsigned memory, uint8_t *written, size_t size) { // what is left is too much
                std::memcpy(written, before[memory].data() + (written - second.bytes[memory].data()), size);
              });
      EXPECT_TRUE(determined || dataDecides(instr))
          << info.mnemonic << " depends on more than it reads, or does not write all it says";
      for (unsigned i = 0; i < isa::numMemory; ++i)
        EXPECT_TRUE(second.bytes[i] == before[i])
            << info.mnemonic << " writes more than it says, in " << isa::stringify(Memory(i));
      if (HasFailure()) {
        for (unsigned i = 0; i < info.numOperands; ++i)
          ADD_FAILURE() << info.operands[i].name << " = " << instr.args[i];
        ADD_FAILURE() << isa::stringify(instr.dtype) << " " << isa::stringify(instr.dtype2);
        return;
      }
    }
    EXPECT_GE(executed, 10) << info.mnemonic << " was hardly executed";
  }
}

INSTANTIATE_TEST_SUITE_P(Machine, Exactness, ::testing::Values(Arch::C220, Arch::C310),
                         [](const auto &info) { return std::string(isa::stringify(info.param)); });
