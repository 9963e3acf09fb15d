// Vector functions: native loops that must give the bytes of the instructions they are made of.
#include "HostKernel.h"
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

using namespace tilesmith;
using namespace tilesmith::host;
using isa::DType;

namespace {

constexpr const char *platform310 = "Ascend950PR_9599";

// A kernel around `body`: `inputs` GM parameters copied to UB before, one output copied back after. Parameters are %g0, %g1
// ..., UB buffers %b0, %b1 ..., the output %o. Every buffer has `bytes` bytes. `%s` is an f32 parameter.
std::string kernelText(const std::string &body, const std::vector<std::string> &inputs, const std::string &output, int64_t bytes) {
  std::string text = "func.func @k(", copies, after;
  int64_t address = 0;
  auto alloc = [&](const std::string &name, const std::string &type) {
    text += "  %" + name + " = isa.alloc " + std::to_string(bytes) + " {address = " + std::to_string(address) +
            " : i64} : !isa.buffer<UB, " + type + ">\n";
    address += (bytes + 31) / 32 * 32 + 32;
  };
  for (size_t i = 0; i < inputs.size(); ++i)
    text += "%g" + std::to_string(i) + ": !isa.buffer<GM, i8>, ";
  text += "%go: !isa.buffer<GM, i8>, %s: f32) attributes {isa.kernel, isa.arch = \"C310\"} {\n"
          "  %c0 = arith.constant 0 : i64\n  %c1 = arith.constant 1 : i64\n  %pad = arith.constant 0 : i8\n"
          "  %bytes = arith.constant " + std::to_string(bytes) + " : i64\n";
  for (size_t i = 0; i <= inputs.size(); ++i) {
    bool isOutput = i == inputs.size();
    std::string name = isOutput ? "o" : "b" + std::to_string(i), type = isOutput ? output : inputs[i];
    alloc(name, type);
    text += "  %v" + name + " = isa.view %" + name + " : !isa.buffer<UB, " + type + "> -> !isa.buffer<UB, i8>\n";
    std::string gm = isOutput ? "%go" : "%g" + std::to_string(i);
    text += "  isa.copy_gm_to_ub %v" + name + ", " + gm + ", %c1, %bytes, %c0, %c0, %c0, %c0, %c0, %pad"
            " : !isa.buffer<UB, i8>, !isa.buffer<GM, i8>, i8\n";
  }
  text += "  isa.pipe_barrier {on = #isa.pipe<ALL>}\n" + body + "  isa.pipe_barrier {on = #isa.pipe<ALL>}\n"
          "  isa.copy_ub_to_gm %go, %vo, %c1, %bytes, %c0, %c0 : !isa.buffer<GM, i8>, !isa.buffer<UB, i8>\n  return\n}\n";
  return text;
}

std::string buffer(const std::string &type) { return "!isa.buffer<UB, " + type + ">"; }
std::string reg(const std::string &type) { return "!isa.reg<" + type + ">"; }

// An isa.vf over the inputs, the output and %s, whose block arguments are %p0, %p1 ..., %po, %ps.
std::string vfText(int64_t rows, int64_t cols, const std::vector<std::string> &inputs, const std::string &output, const std::string &body) {
  std::string args, types, params;
  for (size_t i = 0; i < inputs.size(); ++i) {
    args += "%b" + std::to_string(i) + ", ";
    types += buffer(inputs[i]) + ", ";
    params += "%p" + std::to_string(i) + ": " + buffer(inputs[i]) + ", ";
  }
  return "  isa.vf " + std::to_string(rows) + " x " + std::to_string(cols) + "(" + args + "%o, %s) : " + types + buffer(output) +
         ", f32 {\n  ^bb0(" + params + "%po: " + buffer(output) + ", %ps: f32):\n" + body + "  }\n";
}

std::string load(const std::string &name, int i, const std::string &type, const std::string &walk = "full") {
  return "    %" + name + " = isa.vf_load %p" + std::to_string(i) + " \"" + walk + "\" : " + buffer(type) + " -> " + reg(type) + "\n";
}
std::string store(const std::string &name, const std::string &type, const std::string &walk = "full") {
  return "    isa.vf_store %" + name + ", %po \"" + walk + "\" : " + reg(type) + ", " + buffer(type) + "\n";
}

using Bytes = std::vector<uint8_t>;

template <typename T> Bytes bytesOf(const std::vector<T> &values, int64_t size) {
  Bytes bytes(size, 0xee);
  std::memcpy(bytes.data(), values.data(), values.size() * sizeof(T));
  return bytes;
}
template <typename T> std::vector<T> valuesOf(const Bytes &bytes, size_t count) {
  std::vector<T> values(count);
  std::memcpy(values.data(), bytes.data(), count * sizeof(T));
  return values;
}

// Runs the text on the inputs; the output starts as 0xee bytes.
Bytes run(const std::string &text, std::vector<Bytes> inputs, int64_t bytes, float scalar = 0, CompileOptions options = {}) {
  HostKernel kernel(text, options);
  EXPECT_EQ(kernel.error, "") << text;
  if (!kernel.error.empty())
    return {};
  Bytes output(bytes, 0xee);
  std::vector<Argument> arguments;
  for (Bytes &input : inputs)
    arguments.push_back(input);
  arguments.push_back(output);
  arguments.push_back(scalar);
  machine::LaunchResult result = kernel.run(platform310, arguments, 1, machine::Mode::Checked);
  EXPECT_EQ(findingIds(result), "") << text;
  for (const machine::Finding &finding : result.findings)
    ADD_FAILURE() << finding.text;
  return output;
}

std::vector<float> ramp(size_t count, float scale = 0.01f) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = scale * (float(i * 37 % 1001) - 500);
  return values;
}

// The canonical order of a sum: lane by lane, then neighbours.
float canonicalSum(const float *values, int64_t count) {
  float lanes[64] = {};
  for (int64_t i = 0; i < count; ++i)
    lanes[i % 64] = i < 64 ? values[i] : lanes[i % 64] + values[i];
  for (int width = 64; width > 1; width /= 2)
    for (int i = 0; i < width / 2; ++i)
      lanes[i] = lanes[2 * i] + lanes[2 * i + 1];
  return lanes[0];
}

// Whole chunks, a partial one at the end, and nothing written behind it.
TEST(VectorFunction, ScalesWithATail) {
  for (int64_t count : {1, 63, 64, 65, 128, 250, 1000}) {
    int64_t bytes = (count * 4 + 63) / 32 * 32;
    std::string body = load("x", 0, "f32") + "    %k = isa.vf_scalar %ps : f32 -> !isa.reg<f32>\n" +
                       "    %y = isa.vf_compute \"muls\"(%x, %k) : (!isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<f32>\n" +
                       store("y", "f32");
    std::vector<float> x = ramp(count);
    Bytes out = run(kernelText(vfText(1, count, {"f32"}, "f32", body), {"f32"}, "f32", bytes), {bytesOf(x, bytes)}, bytes, 3.0f);
    ASSERT_EQ(out.size(), size_t(bytes));
    std::vector<float> y = valuesOf<float>(out, count);
    for (int64_t i = 0; i < count; ++i)
      ASSERT_EQ(y[i], x[i] * 3.0f) << count << " " << i;
    for (int64_t i = count * 4; i < bytes; ++i)
      ASSERT_EQ(out[i], 0xee) << count << " " << i;
  }
}

// Rows with a pitch: the bytes between them stay; broadcasts over rows, over columns and over all.
TEST(VectorFunction, WalksRowsElementsAndOne) {
  constexpr int64_t rows = 5, cols = 70, pitch = 320, bytes = rows * pitch;
  std::string full = " {pitch = 320 : i64}";
  std::string body = "    %x = isa.vf_load %p0 \"full\"" + full + " : !isa.buffer<UB, f32> -> !isa.reg<f32>\n" +
                     load("r", 1, "f32", "row") + load("e", 2, "f32", "element") + load("q", 3, "f32", "one") + R"(
    %0 = isa.vf_compute "add"(%x, %r) : (!isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<f32>
    %1 = isa.vf_compute "mul"(%0, %e) : (!isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<f32>
    %2 = isa.vf_compute "sub"(%1, %q) : (!isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<f32>
    isa.vf_store %2, %po "full")" + full + " : !isa.reg<f32>, !isa.buffer<UB, f32>\n";
  std::vector<std::string> types(4, "f32");
  std::vector<float> x = ramp(bytes / 4), r = ramp(cols, 0.5f), e = {1, 2, 3, 4, 5}, q = {0.25f};
  Bytes out = run(kernelText(vfText(rows, cols, types, "f32", body), types, "f32", bytes),
                  {bytesOf(x, bytes), bytesOf(r, bytes), bytesOf(e, bytes), bytesOf(q, bytes)}, bytes);
  ASSERT_EQ(out.size(), size_t(bytes));
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < pitch / 4; ++j) {
      float value;
      std::memcpy(&value, &out[i * pitch + j * 4], 4);
      if (j < cols)
        ASSERT_EQ(value, (x[i * pitch / 4 + j] + r[j]) * e[i] - 0.25f) << i << " " << j;
      else
        ASSERT_EQ(std::bit_cast<uint32_t>(value), 0xeeeeeeeeu) << i << " " << j;
    }
}

// Sums in the canonical order, bit for bit, for rows shorter, equal and longer than the lanes; one rounding for f16.
TEST(VectorFunction, SumsInTheCanonicalOrder) {
  for (int64_t cols : {1, 5, 64, 100, 128, 515}) {
    constexpr int64_t rows = 3;
    int64_t bytes = (rows * cols * 4 + 31) / 32 * 32;
    std::string body = load("x", 0, "f32") + "    isa.vf_reduce \"sum\" %x, %po : !isa.reg<f32>, !isa.buffer<UB, f32>\n";
    std::vector<float> x = ramp(rows * cols, 0.013f);
    Bytes out = run(kernelText(vfText(rows, cols, {"f32"}, "f32", body), {"f32"}, "f32", bytes), {bytesOf(x, bytes)}, bytes);
    std::vector<float> sums = valuesOf<float>(out, rows);
    for (int64_t i = 0; i < rows; ++i)
      EXPECT_EQ(sums[i], canonicalSum(&x[i * cols], cols)) << cols << " " << i;

    std::vector<_Float16> half(x.begin(), x.end());
    std::string narrow = load("x", 0, "f16") + "    isa.vf_reduce \"sum\" %x, %po : !isa.reg<f16>, !isa.buffer<UB, f16>\n";
    out = run(kernelText(vfText(rows, cols, {"f16"}, "f16", narrow), {"f16"}, "f16", bytes), {bytesOf(half, bytes)}, bytes);
    std::vector<_Float16> halfSums = valuesOf<_Float16>(out, rows);
    for (int64_t i = 0; i < rows; ++i) {
      std::vector<float> wide(half.begin() + i * cols, half.begin() + (i + 1) * cols);
      EXPECT_EQ(halfSums[i], _Float16(canonicalSum(wide.data(), cols))) << cols << " " << i;
    }
  }
}

// The first chunk initialises: a row of 64 negative zeros sums to minus zero, a shorter one meets the neutral +0.
TEST(VectorFunction, SumOfNegativeZeros) {
  for (int64_t cols : {63, 64, 128}) {
    std::string body = load("x", 0, "f32") + "    isa.vf_reduce \"sum\" %x, %po : !isa.reg<f32>, !isa.buffer<UB, f32>\n";
    std::vector<float> x(cols, -0.0f);
    Bytes out = run(kernelText(vfText(1, cols, {"f32"}, "f32", body), {"f32"}, "f32", 512), {bytesOf(x, 512)}, 512);
    EXPECT_EQ(std::signbit(valuesOf<float>(out, 1)[0]), cols != 63) << cols;
  }
}

TEST(VectorFunction, MaximaAndMinimaOfSmallTypes) {
  constexpr int64_t rows = 2, cols = 71, bytes = 160;
  std::vector<int8_t> x(rows * cols);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = int8_t(i * 29 % 100 - 120);
  for (const char *kind : {"max", "min", "sum"}) {
    std::string body = load("x", 0, "i8") + "    isa.vf_reduce \"" + kind + "\" %x, %po : !isa.reg<i8>, !isa.buffer<UB, i8>\n";
    Bytes out = run(kernelText(vfText(rows, cols, {"i8"}, "i8", body), {"i8"}, "i8", bytes), {bytesOf(x, bytes)}, bytes);
    std::vector<int8_t> got = valuesOf<int8_t>(out, rows);
    for (int64_t i = 0; i < rows; ++i) {
      auto begin = x.begin() + i * cols, end = begin + cols;
      int expected = kind == std::string("max")   ? *std::max_element(begin, end)
                     : kind == std::string("min") ? *std::min_element(begin, end)
                                                  : int8_t(std::accumulate(begin, end, 0));
      EXPECT_EQ(got[i], expected) << kind << " " << i;
    }
  }
}

// Masks live in UB as packed bits: written by one function, read by another, with a tail of odd length.
TEST(VectorFunction, MasksArePackedBits) {
  constexpr int64_t cols = 133, bytes = 544;
  std::string compare = load("x", 0, "f32") + R"(
    %k = isa.vf_constant 0.0 : f32 : !isa.reg<f32>
    %m = isa.vf_compute "compare"(%x, %k) {mode = #isa.cmp_mode<LT>} : (!isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<i1>
)" + store("m", "i1", "bits");
  std::vector<float> x = ramp(cols);
  Bytes mask = run(kernelText(vfText(1, cols, {"f32"}, "i1", compare), {"f32"}, "i1", bytes), {bytesOf(x, bytes)}, bytes);
  ASSERT_EQ(mask.size(), size_t(bytes));
  for (int64_t i = 0; i < cols; ++i)
    ASSERT_EQ(mask[i / 8] >> (i % 8) & 1, x[i] < 0) << i;
  EXPECT_EQ(mask[(cols + 7) / 8], 0xee);

  std::string select = load("x", 0, "f32") + load("m", 1, "i1", "bits") + R"(
    %k = isa.vf_constant 0.5 : f32 : !isa.reg<f32>
    %y = isa.vf_compute "select"(%m, %k, %x) : (!isa.reg<i1>, !isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<f32>
)" + store("y", "f32");
  Bytes out = run(kernelText(vfText(1, cols, {"f32", "i1"}, "f32", select), {"f32", "i1"}, "f32", bytes), {bytesOf(x, bytes), mask}, bytes);
  std::vector<float> y = valuesOf<float>(out, cols);
  for (int64_t i = 0; i < cols; ++i)
    ASSERT_EQ(y[i], x[i] < 0 ? 0.5f : x[i]) << i;
}

// The same bytes from every instruction set: AVX2 against whatever this host has.
TEST(VectorFunction, SameBytesOnEveryCpu) {
  constexpr int64_t cols = 1000, bytes = 4000;
  std::string body = load("x", 0, "f32") + R"(
    %e = isa.vf_compute "exp"(%x) : (!isa.reg<f32>) -> !isa.reg<f32>
    %k = isa.vf_constant 1.0 : f32 : !isa.reg<f32>
    %d = isa.vf_compute "adds"(%e, %k) : (!isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<f32>
    %q = isa.vf_compute "div"(%x, %d) : (!isa.reg<f32>, !isa.reg<f32>) -> !isa.reg<f32>
    %l = isa.vf_compute "abs"(%q) : (!isa.reg<f32>) -> !isa.reg<f32>
    %n = isa.vf_compute "ln"(%l) : (!isa.reg<f32>) -> !isa.reg<f32>
)" + store("n", "f32");
  std::string text = kernelText(vfText(1, cols, {"f32"}, "f32", body), {"f32"}, "f32", bytes);
  std::vector<float> x = ramp(cols, 0.2f);
  Bytes host = run(text, {bytesOf(x, bytes)}, bytes);
  CompileOptions avx2;
  avx2.cpu = "x86-64-v3";
  EXPECT_EQ(host, run(text, {bytesOf(x, bytes)}, bytes, 0, avx2));
}

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
  return bytes;
}

// Whether a signalling NaN that passes through an operation becomes quiet is left to the compiler.
void quietNaNs(Bytes &bytes, DType dtype) {
  if (dtype != DType::F16 && dtype != DType::BF16)
    return;
  uint16_t infinity = dtype == DType::F16 ? 0x7c00 : 0x7f80, quiet = dtype == DType::F16 ? 0x0200 : 0x0040;
  for (size_t i = 0; i + 1 < bytes.size(); i += 2) {
    uint16_t bits;
    std::memcpy(&bits, &bytes[i], 2);
    if ((bits & 0x7fff) > infinity)
      bits |= quiet;
    std::memcpy(&bytes[i], &bits, 2);
  }
}

struct ElementCase {
  const isa::InstructionInfo *info;
  DType dtype;
};
void PrintTo(const ElementCase &test, std::ostream *os) { *os << test.info->mnemonic << " " << isa::stringify(test.dtype); }

std::vector<ElementCase> elementCases() {
  std::vector<ElementCase> cases;
  for (unsigned i = 0; i < isa::numOpcodes; ++i) {
    const isa::InstructionInfo &info = isa::getInstruction(isa::Opcode(i));
    bool family = info.family == isa::Family::VectorUnary || info.family == isa::Family::VectorBinary;
    if (!family || info.form != isa::Form::Count)
      continue;
    for (unsigned dtype = 0; dtype < isa::numDType; ++dtype)
      if (info.supports(isa::Arch::C310, DType(dtype)) && !typeName(DType(dtype)).empty())
        cases.push_back({&info, DType(dtype)});
  }
  return cases;
}

class SameAsInstruction : public testing::TestWithParam<ElementCase> {};

// A vector function of one operation writes the bytes that the instruction of that name writes.
TEST_P(SameAsInstruction, ByteForByte) {
  auto [info, dtype] = GetParam();
  std::string type = typeName(dtype), mnemonic(info->mnemonic);
  constexpr int64_t count = 250, bytes = 1024;
  bool binary = info->family == isa::Family::VectorBinary;
  bool accumulates = info->operands[0].access == isa::Access::ReadWrite;
  std::vector<std::string> types(binary ? 2 : 1, type);
  std::string types3 = buffer(type) + ", " + buffer(type) + (binary ? ", " + buffer(type) : "");
  std::string instruction = "  %n = arith.constant 250 : i64\n  isa." + mnemonic + " %o, %b0" + (binary ? ", %b1" : "") +
                            ", %n : " + types3 + "\n";
  std::string regs = reg(type) + (binary ? ", " + reg(type) : "") + (accumulates ? ", " + reg(type) : "");
  std::string body = load("x", 0, type) + (binary ? load("y", 1, type) : "");
  if (accumulates)
    body += "    %d = isa.vf_load %po \"full\" : " + buffer(type) + " -> " + reg(type) + "\n";
  body += "    %z = isa.vf_compute \"" + mnemonic + "\"(" + (accumulates ? "%d, " : "") + "%x" + (binary ? ", %y" : "") + ") : (" +
          regs + ") -> " + reg(type) + "\n" + store("z", type);
  std::vector<Bytes> inputs = {anyBytes(bytes, 1)};
  if (binary)
    inputs.push_back(anyBytes(bytes, 2));
  Bytes expected = run(kernelText(instruction, types, type, bytes), inputs, bytes);
  Bytes got = run(kernelText(vfText(1, count, types, type, body), types, type, bytes), inputs, bytes);
  quietNaNs(got, dtype);
  quietNaNs(expected, dtype);
  EXPECT_EQ(got, expected);
}

INSTANTIATE_TEST_SUITE_P(Elements, SameAsInstruction, testing::ValuesIn(elementCases()));

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
  std::string source = typeName(from), target = typeName(to), mode = std::string(" {round = #isa.round_mode<") + round + ">}";
  std::string instruction = "  %n = arith.constant 250 : i64\n  isa.cast %o, %b0, %n" + mode + " : " + buffer(target) + ", " +
                            buffer(source) + "\n";
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
  std::string body = load("x", 0, source) + "    %y = isa.vf_compute \"cast\"(%x)" + mode + " : (" + reg(source) + ") -> " + reg(target) +
                     "\n" + store("y", target);
  Bytes got = run(kernelText(vfText(1, count, {source}, target, body), {source}, target, bytes), {input}, bytes);
  quietNaNs(got, to);
  quietNaNs(expected, to);
  EXPECT_EQ(got, expected);
}

INSTANTIATE_TEST_SUITE_P(Casts, CastSameAsInstruction, testing::ValuesIn(castCases()));

TEST(VectorFunction, RefusesWhatHasNoMeaning) {
  auto errorOf = [](const std::string &body, const std::string &type) {
    return HostKernel(kernelText(vfText(2, 9, {type}, type, body), {type}, type, 64)).error;
  };
  EXPECT_NE(errorOf(load("x", 0, "i64") + store("x", "i64"), "i64").find("do not fit into the lanes of a vector function"), std::string::npos);
  EXPECT_NE(errorOf(load("x", 0, "f32") + store("x", "f32", "element"), "f32").find("walk 'element' would write different values to one element"),
            std::string::npos);
  EXPECT_NE(errorOf(load("x", 0, "i1") + store("x", "i1", "bits"), "i1").find("masks, and only masks, are walked as bits"), std::string::npos);
}

} // namespace
