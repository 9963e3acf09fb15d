// A vector function of one operation writes the bytes that the instruction of that name writes: for every instruction
// of the table with an element function, every dtype, and every conversion the chip has.
#include "VectorText.h"
#include <random>

using namespace tilesmith;
using namespace tilesmith::host;
using isa::DType;

namespace {

std::string typeName(DType dtype) {
  switch (dtype) {
  case DType::F16:
    return "f16";
  case DType::BF16:
    return "bf16";
  case DType::F32:
    return "f32";
  case DType::I8:
    return "i8";
  case DType::I16:
    return "i16";
  case DType::I32:
    return "i32";
  case DType::U8:
    return "ui8";
  case DType::U16:
    return "ui16";
  case DType::U32:
    return "ui32";
  default:
    return "";
  }
}

// Bytes that hold special values of every type among arbitrary ones.
Bytes anyBytes(int64_t size, unsigned seed) {
  std::mt19937 random(seed);
  Bytes bytes(size);
  for (uint8_t &byte : bytes)
    byte = random() % 5 ? uint8_t(random()) : std::array<uint8_t, 4>{0x00, 0xff, 0x80, 0x7f}[random() % 4];
  // In every seventh word NaNs of each float type, quiet and signalling, of both signs: they meet each other.
  for (int64_t at = 0; at + 4 <= size; at += 28) {
    uint32_t nan = std::array<uint32_t, 4>{0x7fc17e01, 0xff837f81, 0xfe55ffc3, 0x7d017f85}[random() % 4];
    std::memcpy(&bytes[at], &nan, 4);
  }
  return bytes;
}

struct ElementCase {
  const isa::InstructionInfo *info;
  DType dtype;
};
void PrintTo(const ElementCase &test, std::ostream *os) {
  *os << test.info->mnemonic << " " << isa::stringify(test.dtype);
}

std::vector<ElementCase> elementCases() {
  std::vector<ElementCase> cases;
  for (unsigned i = 0; i < isa::numOpcodes; ++i) {
    const isa::InstructionInfo &info = isa::getInstruction(isa::Opcode(i));
    bool family = info.family == isa::Family::VectorUnary || info.family == isa::Family::VectorBinary;
    if (!family || info.form != isa::Form::Count || !info.inRegisters)
      continue;
    for (unsigned dtype = 0; dtype < isa::numDType; ++dtype)
      if (info.supports(isa::Arch::C310, DType(dtype)) && !typeName(DType(dtype)).empty())
        cases.push_back({&info, DType(dtype)});
  }
  return cases;
}

class ElementSameAsInstruction : public testing::TestWithParam<ElementCase> {};

// A vector function of one operation writes the bytes that the instruction of that name writes.
TEST_P(ElementSameAsInstruction, ByteForByte) {
  auto [info, dtype] = GetParam();
  std::string type = typeName(dtype), mnemonic(info->mnemonic);
  constexpr int64_t count = 250, bytes = 1024;
  bool binary = info->family == isa::Family::VectorBinary;
  bool accumulates = info->operands[0].access == isa::Access::ReadWrite;
  std::vector<std::string> types(binary ? 2 : 1, type);
  std::string types3 = buffer(type) + ", " + buffer(type) + (binary ? ", " + buffer(type) : "");
  std::string instruction = "  %n = arith.constant 250 : i64\n  isa." + mnemonic + " %o, %b0" +
                            (binary ? ", %b1" : "") + ", %n : " + types3 + "\n";
  std::string regs = reg(type) + (binary ? ", " + reg(type) : "") + (accumulates ? ", " + reg(type) : "");
  std::string body = load("x", 0, type) + (binary ? load("y", 1, type) : "");
  if (accumulates)
    body += "    %d = isa.vf_load %po full : " + buffer(type) + " -> " + reg(type) + "\n";
  body += "    %z = isa.vf_compute \"" + mnemonic + "\"(" + (accumulates ? "%d, " : "") + "%x" +
          (binary ? ", %y" : "") + ") : (" + regs + ") -> " + reg(type) + "\n" + store("z", type);
  std::vector<Bytes> inputs = {anyBytes(bytes, 1)};
  if (binary)
    inputs.push_back(anyBytes(bytes, 2));
  Bytes expected = run(kernelText(instruction, types, type, bytes), inputs, bytes);
  Bytes got = run(kernelText(vfText(1, count, types, type, body), types, type, bytes), inputs, bytes);
  EXPECT_EQ(got, expected);
}

INSTANTIATE_TEST_SUITE_P(Elements, ElementSameAsInstruction, testing::ValuesIn(elementCases()));

struct ScalarCase {
  const isa::InstructionInfo *info;
  DType dtype;
};
void PrintTo(const ScalarCase &test, std::ostream *os) {
  *os << test.info->mnemonic << " " << isa::stringify(test.dtype);
}

std::vector<ScalarCase> scalarCases() {
  std::vector<ScalarCase> cases;
  for (unsigned i = 0; i < isa::numOpcodes; ++i) {
    const isa::InstructionInfo &info = isa::getInstruction(isa::Opcode(i));
    if (info.family != isa::Family::VectorScalar || info.form != isa::Form::Count || !info.inRegisters)
      continue;
    for (unsigned dtype = 0; dtype < isa::numDType; ++dtype)
      if (info.supports(isa::Arch::C310, DType(dtype)) && !typeName(DType(dtype)).empty())
        cases.push_back({&info, DType(dtype)});
  }
  return cases;
}

class ScalarSameAsInstruction : public testing::TestWithParam<ScalarCase> {};

// Of a tile and a scalar: the instruction takes a constant, the vector function an argument.
TEST_P(ScalarSameAsInstruction, ByteForByte) {
  auto [info, dtype] = GetParam();
  std::string type = typeName(dtype), mnemonic(info->mnemonic);
  std::string plain = type.substr(type[0] == 'u'); // arith has only signless integers
  constexpr int64_t bytes = 1024;
  std::string number = dtype <= DType::F32 ? "1.3" : "3";
  std::string constants = "  %n = arith.constant 250 : i64\n  %k = arith.constant " + number + " : " + plain + "\n";
  std::string instruction = constants + "  isa." + mnemonic + " %o, %b0, %k, %n : " + buffer(type) + ", " +
                            buffer(type) + ", " + plain + "\n";
  std::string vf = constants + "  isa.vf 1 x 250(%b0, %o, %k) : " + buffer(type) + ", " + buffer(type) + ", " + plain +
                   " {\n  ^bb0(%p0: " + buffer(type) + ", %po: " + buffer(type) + ", %pk: " + plain + "):\n" +
                   load("x", 0, type) + "    %y = isa.vf_scalar %pk : " + plain + " -> " + reg(type) +
                   "\n    %z = isa.vf_compute \"" + mnemonic + "\"(%x, %y) : (" + reg(type) + ", " + reg(type) +
                   ") -> " + reg(type) + "\n" + store("z", type) + "  }\n";
  std::vector<Bytes> inputs = {anyBytes(bytes, 4)};
  Bytes expected = run(kernelText(instruction, {type}, type, bytes), inputs, bytes);
  Bytes got = run(kernelText(vf, {type}, type, bytes), inputs, bytes);
  EXPECT_EQ(got, expected);
}

INSTANTIATE_TEST_SUITE_P(Scalars, ScalarSameAsInstruction, testing::ValuesIn(scalarCases()));

// Choosing moves bits: no NaN changes, not even a signalling one of 16 bits, unless arithmetic made it.
TEST(SameAsInstruction, Selections) {
  constexpr int64_t count = 256, bytes = 1024;
  for (DType dtype : {DType::F16, DType::BF16, DType::F32, DType::I16, DType::I32}) {
    std::string type = typeName(dtype);
    std::vector<Bytes> inputs = {anyBytes(bytes, 7), anyBytes(bytes, 8), anyBytes(bytes, 9)};
    std::string instruction = "  %n = arith.constant 256 : i64\n  isa.select %o, %b0, %b1, %b2, %n : " + buffer(type) +
                              ", " + buffer("ui8") + ", " + buffer(type) + ", " + buffer(type) + "\n";
    std::string body = load("m", 0, "i1", "bits") + load("x", 1, type) + load("y", 2, type) +
                       "    %z = isa.vf_compute \"select\"(%m, %x, %y) : (" + reg("i1") + ", " + reg(type) + ", " +
                       reg(type) + ") -> " + reg(type) + "\n" + store("z", type);
    Bytes expected = run(kernelText(instruction, {"ui8", type, type}, type, bytes), inputs, bytes);
    Bytes got = run(kernelText(vfText(1, count, {"i1", type, type}, type, body), {"i1", type, type}, type, bytes),
                    inputs, bytes);
    EXPECT_EQ(got, expected) << type;
  }
}

// Comparisons of every type in every mode, as packed bits.
TEST(SameAsInstruction, Comparisons) {
  const isa::InstructionInfo &info = *isa::findInstruction("compare");
  constexpr int64_t count = 256, bytes = 1024;
  for (unsigned d = 0; d < isa::numDType; ++d) {
    std::string type = typeName(DType(d));
    if (!info.supports(isa::Arch::C310, DType(d)) || type.empty())
      continue;
    std::vector<Bytes> inputs = {anyBytes(bytes, 5), anyBytes(bytes, 6)};
    std::copy(inputs[0].begin(), inputs[0].begin() + 200, inputs[1].begin()); // some are equal
    for (const char *mode : {"LT", "GT", "EQ", "LE", "GE", "NE"}) {
      std::string attr = std::string(" {mode = #isa.cmp_mode<") + mode + ">}";
      std::string instruction = "  %n = arith.constant 256 : i64\n  isa.compare %o, %b0, %b1, %n" + attr + " : " +
                                buffer("ui8") + ", " + buffer(type) + ", " + buffer(type) + "\n";
      std::string body = load("x", 0, type) + load("y", 1, type) + "    %m = isa.vf_compute \"compare\"(%x, %y)" +
                         attr + " : (" + reg(type) + ", " + reg(type) + ") -> " + reg("i1") + "\n" +
                         store("m", "i1", "bits");
      Bytes expected = run(kernelText(instruction, {type, type}, "ui8", bytes), inputs, bytes);
      Bytes got = run(kernelText(vfText(1, count, {type, type}, "i1", body), {type, type}, "i1", bytes), inputs, bytes);
      EXPECT_EQ(got, expected) << type << " " << mode;
    }
  }
}

struct CastCase {
  DType from, to;
  const char *round;
};
void PrintTo(const CastCase &test, std::ostream *os) {
  *os << isa::stringify(test.from) << " to " << isa::stringify(test.to) << " " << test.round;
}

std::vector<CastCase> castCases() {
  std::vector<CastCase> cases;
  for (DType from : {DType::F16, DType::BF16, DType::F32, DType::I8, DType::U8, DType::I16, DType::I32})
    for (DType to : {DType::F16, DType::BF16, DType::F32, DType::I8, DType::U8, DType::I16, DType::I32})
      for (const char *round : {"None", "Rint", "Floor", "Ceil", "Round", "Trunc"}) {
        machine::Instr instr;
        instr.op = isa::Opcode::Cast;
        instr.dtype = to;
        instr.dtype2 = from;
        instr.numArgs = 4;
        instr.args[2] = int64_t(*isa::symbolize<isa::RoundMode>(round));
        instr.args[3] = 250;
        if (machine::validateOperands(instr, isa::Arch::C310).empty()) // conversions the chip has
          cases.push_back({from, to, round});
      }
  return cases;
}

class CastSameAsInstruction : public testing::TestWithParam<CastCase> {};

TEST_P(CastSameAsInstruction, ByteForByte) {
  auto [from, to, round] = GetParam();
  constexpr int64_t count = 250, bytes = 1024;
  std::string source = typeName(from), target = typeName(to),
              mode = std::string(" {round = #isa.round_mode<") + round + ">}";
  std::string instruction = "  %n = arith.constant 250 : i64\n  isa.cast %o, %b0, %n" + mode + " : " + buffer(target) +
                            ", " + buffer(source) + "\n";
  HostKernel plain(kernelText(instruction, {source}, target, bytes));
  ASSERT_EQ(plain.error, "");
  Bytes input = anyBytes(bytes, 3), expected(bytes, 0xee);
  if (from == DType::F32 || from == DType::F16) // make most values moderate, so that rounding matters
    for (int64_t i = 0; i < count; ++i)
      if (i % 3) {
        float value = float(int(i * 7919 % 5001) - 2500) / 16;
        _Float16 half = _Float16(value);
        from == DType::F32 ? std::memcpy(&input[i * 4], &value, 4) : std::memcpy(&input[i * 2], &half, 2);
      }
  EXPECT_EQ(findingIds(plain.run(platform310, {input, expected, 0.0f})), "");
  std::string body = load("x", 0, source) + "    %y = isa.vf_compute \"cast\"(%x)" + mode + " : (" + reg(source) +
                     ") -> " + reg(target) + "\n" + store("y", target);
  Bytes got = run(kernelText(vfText(1, count, {source}, target, body), {source}, target, bytes), {input}, bytes);
  EXPECT_EQ(got, expected);
}

INSTANTIATE_TEST_SUITE_P(Casts, CastSameAsInstruction, testing::ValuesIn(castCases()));

} // namespace
