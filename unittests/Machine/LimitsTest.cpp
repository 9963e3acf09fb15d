// The limits of the records are the Machine's: what is beyond one is refused in its words, what is at one is not.
#include "CoreTesting.h"
#include "tilesmith/Isa/Layouts.h"
#include <algorithm>
#include <optional>

using namespace tilesmith;
using namespace tilesmith::machine;
using namespace tilesmith::machine::testing;

namespace {

struct Limit {
  unsigned operand;
  int64_t low, high;
};

struct Plain {
  int64_t value;
};
Plain operator-(Plain a, Plain b) { return {a.value - b.value}; }
Plain operator/(Plain a, Plain b) { return {a.value / b.value}; }
Plain choose(Plain condition, Plain yes, Plain no) { return condition.value ? yes : no; }

// Collects the limits of a call.
struct LimitList {
  using Value = Plain;
  LimitList(const Instr &instr, Arch arch) : instr(instr), arch(arch) {}

  Plain arg(unsigned operand) const { return {instr.args[operand]}; }
  Plain size() const { return {std::max<int64_t>(isa::sizeOf(instr.dtype), 1)}; }
  Plain perElement() const { return {1}; }
  Plain size2() const { return {std::max<int64_t>(isa::sizeOf(instr.dtype2), 1)}; }
  Plain c310() const { return {arch == Arch::C310}; }
  Plain perRepeat() const {
    return {256 / (instr.info().dtype2Operand >= 0 ? std::max(size().value, size2().value) : size().value)};
  }
  void between(unsigned operand, Plain low, Plain high) { list.push_back({operand, low.value, high.value}); }
  void mask(unsigned operand, Plain lanes) { list.push_back({operand, 0, lanes.value}); }
  void multiple(unsigned, Plain) {}

  const Instr &instr;
  Arch arch;
  std::vector<Limit> list;
};

std::string refusal(const Instr &instr, const Limit &limit, int64_t value, Arch arch) {
  Instr call = instr;
  call.args[limit.operand] = value;
  return validateOperands(call, arch);
}

// A call with every number at its lower limit, or the next that goes with the others, of dtypes that go together, and
// with a conversion between them.
std::optional<Instr> validCall(const isa::InstructionInfo &info, Arch arch) {
  for (unsigned dtype = 0; dtype < isa::numDType; ++dtype)
    for (unsigned both = 0; both < isa::numDType * isa::numQuantMode; ++both) {
      unsigned dtype2 = both / isa::numQuantMode, quant = both % isa::numQuantMode;
      Instr instr;
      instr.op = info.opcode;
      instr.dtype = DType(dtype);
      instr.dtype2 = DType(dtype2);
      instr.numArgs = info.numOperands;
      LimitList limits(instr, arch);
      isa::visitLimits(info.opcode, limits);
      for (const Limit &limit : limits.list)
        instr.args[limit.operand] = limit.low;
      for (unsigned i = 0; i < info.numOperands; ++i)
        if (info.operands[i].name == "bytes")
          instr.args[i] = 2;
        else if (info.operands[i].name == "quant")
          instr.args[i] = quant;
        else if (info.operands[i].name == "stride" || info.operands[i].name == "filter" ||
                 info.operands[i].name == "dilation") // one along the width and one along the height
          instr.args[i] = 0x101;
      if (validateOperands(instr, arch).empty())
        return instr;
    }
  return std::nullopt;
}

} // namespace

class Limits : public ::testing::TestWithParam<Arch> {};

TEST_P(Limits, BeyondIsRefusedInWords) {
  int checked = 0;
  for (unsigned op = 0; op + 1 < isa::numOpcodes; ++op) {
    const isa::InstructionInfo &info = isa::getInstruction(Opcode(op));
    if (info.pipe == Pipe::ALL || info.cost == isa::CostClass::Free || info.cost == isa::CostClass::Sync ||
        (info.dtypeOperand >= 0 && !info.dtypes[unsigned(GetParam())]))
      continue;
    std::optional<Instr> instr = validCall(info, GetParam());
    ASSERT_TRUE(instr) << info.mnemonic;
    LimitList limits(*instr, GetParam());
    isa::visitLimits(info.opcode, limits);
    for (const Limit &limit : limits.list) {
      std::string subject =
          std::string(info.operands[limit.operand].name) + " of " + std::string(info.mnemonic) + " is ";
      std::string allowed = ", allowed are " + std::to_string(limit.low) + " to " + std::to_string(limit.high);
      for (int64_t value : {limit.low - 1, limit.high + 1})
        EXPECT_EQ(refusal(*instr, limit, value, GetParam()), subject + std::to_string(value) + allowed);
      EXPECT_EQ(refusal(*instr, limit, limit.high, GetParam()).find(allowed), std::string::npos) << subject;
      ++checked;
    }
  }
  EXPECT_GT(checked, 300);
}

INSTANTIATE_TEST_SUITE_P(Machine, Limits, ::testing::Values(Arch::C220, Arch::C310),
                         [](const auto &info) { return std::string(isa::stringify(info.param)); });

// Numbers of the manual, by hand: a wrong one in a record would be wrong everywhere.
TEST(LimitNumbers, AreThoseOfTheManual) {
  auto limitsOf = [](Opcode op, DType dtype, Arch arch, std::string_view operand) {
    Instr instr;
    instr.op = op;
    instr.dtype = instr.dtype2 = dtype;
    LimitList limits(instr, arch);
    isa::visitLimits(op, limits);
    for (const Limit &limit : limits.list)
      if (isa::getInstruction(op).operands[limit.operand].name == operand)
        return std::pair(limit.low, limit.high);
    return std::pair<int64_t, int64_t>(1, 0);
  };
  using Range = std::pair<int64_t, int64_t>;
  EXPECT_EQ(limitsOf(Opcode::AddR, DType::F16, Arch::C220, "mask"), Range(0, 128));
  EXPECT_EQ(limitsOf(Opcode::AddR, DType::F32, Arch::C220, "src0Blk"), Range(0, 255));
  EXPECT_EQ(limitsOf(Opcode::AbsR, DType::F32, Arch::C220, "srcBlk"), Range(0, 65535));
  EXPECT_EQ(limitsOf(Opcode::CopyGmToUb, DType::F16, Arch::C220, "blockCount"), Range(0, 4095));
  EXPECT_EQ(limitsOf(Opcode::CopyGmToUb, DType::F16, Arch::C220, "leftPad"), Range(0, 16));
  EXPECT_EQ(limitsOf(Opcode::CopyUbToGm, DType::F16, Arch::C220, "dstStride"), Range(0, 4294967295));
  EXPECT_EQ(limitsOf(Opcode::CopyUbToGm, DType::F16, Arch::C310, "dstStride"), Range(0, 1099511627775));
  EXPECT_EQ(limitsOf(Opcode::CopyGmToL1Nz, DType::F16, Arch::C220, "nValue"), Range(0, 16384));
  EXPECT_EQ(limitsOf(Opcode::CopyGmToL1Nz, DType::F16, Arch::C310, "srcDValue"), Range(0, 1099511627775));
  EXPECT_EQ(limitsOf(Opcode::FillL1, DType::F16, Arch::C220, "blockNum"), Range(0, 32767));
  EXPECT_EQ(limitsOf(Opcode::LoadData_2d, DType::F16, Arch::C220, "repeatTimes"), Range(0, 255));
  EXPECT_EQ(limitsOf(Opcode::Mmad, DType::F32, Arch::C220, "k"), Range(0, 4095));
  EXPECT_EQ(limitsOf(Opcode::FixpipeToGm, DType::F32, Arch::C220, "mSize"), Range(0, 65535));
  EXPECT_EQ(limitsOf(Opcode::MrgSort, DType::F32, Arch::C220, "count3"), Range(0, 4095));
  EXPECT_EQ(limitsOf(Opcode::GatherMask, DType::F32, Arch::C220, "pattern"), Range(1, 7));
}
