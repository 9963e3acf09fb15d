// Every vector instruction, dtype and form against a scalar loop; no byte outside the destination may change.
#include "ExecFixture.h"

using namespace tilesmith;
using namespace tilesmith::unittests;

namespace {

constexpr int64_t srcAt = 0, src1At = 16 * 1024, dstAt = 32 * 1024;

// What one element becomes; b is the second source or the scalar, c the old destination.
uint64_t reference(std::string_view element, DType dtype, uint64_t a, uint64_t b, uint64_t c) {
  if (isFloat(dtype)) {
    float x = float(decodeFloat(a, dtype)), y = float(decodeFloat(b, dtype)), z = float(decodeFloat(c, dtype)),
          result = 0;
    auto pick = [&](bool larger) {
      if (std::isnan(x) || std::isnan(y))
        return NAN;
      if (x == y)
        return std::signbit(x) == larger ? y : x;
      return (x > y) == larger ? x : y;
    };
    if (element == "add")
      result = x + y;
    else if (element == "sub")
      result = x - y;
    else if (element == "mul")
      result = x * y;
    else if (element == "div")
      result = x / y;
    else if (element == "max" || element == "min")
      result = pick(element == "max");
    else if (element == "mul_add_dst" || element == "fma")
      result = std::fma(x, y, z);
    else if (element == "fused_mul_add")
      result = std::fma(x, z, y);
    else if (element == "fused_mul_add_relu")
      result = std::isnan(std::fma(x, z, y)) ? NAN : std::fma(x, z, y) > 0 ? std::fma(x, z, y) : 0;
    else if (element == "add_relu" || element == "sub_relu") {
      float sum = element == "add_relu" ? x + y : x - y;
      result = std::isnan(sum) ? NAN : sum > 0 ? sum : 0;
    } else if (element == "abs")
      result = std::fabs(x);
    else if (element == "neg")
      result = -x;
    else if (element == "exp")
      result = float(std::exp(double(x)));
    else if (element == "ln")
      result = float(std::log(double(x)));
    else if (element == "sqrt")
      result = std::sqrt(x);
    else if (element == "rsqrt")
      result = 1 / std::sqrt(x);
    else if (element == "reciprocal")
      result = 1 / x;
    else if (element == "relu")
      result = x > 0 ? x : 0;
    else if (element == "leaky_relu")
      result = x >= 0 ? x : x * y;
    else
      ADD_FAILURE() << "no reference for " << element;
    return encodeFloat(result, dtype);
  }
  int64_t x = decodeInt(a, dtype), y = decodeInt(b, dtype), result = 0;
  if (element == "add")
    result = x + y;
  else if (element == "sub")
    result = x - y;
  else if (element == "add_relu" || element == "sub_relu")
    result = std::max<int64_t>(int16_t(element == "add_relu" ? x + y : x - y), 0); // only i16 has them
  else if (element == "mul")
    result = int64_t(uint64_t(x) * uint64_t(y));
  else if (element == "div")
    result = y ? x / y : 0;
  else if (element == "max")
    result = std::max(x, y);
  else if (element == "min")
    result = std::min(x, y);
  else if (element == "and")
    result = x & y;
  else if (element == "or")
    result = x | y;
  else if (element == "not")
    result = ~x;
  else if (element == "abs")
    result = std::llabs(x);
  else if (element == "neg")
    result = -x;
  else if (element == "relu")
    result = std::max<int64_t>(x, 0);
  else if (element == "shl")
    result = int64_t(uint64_t(x) << y);
  else if (element == "shr")
    result = x >> y;
  else
    ADD_FAILURE() << "no reference for " << element;
  return uint64_t(result) & (~uint64_t(0) >> (64 - 8 * isa::sizeOf(dtype)));
}

bool isShift(std::string_view element) { return element == "shl" || element == "shr"; }

struct Shape {
  int64_t mask, repeat;
  int64_t blk[3], rep[3]; // destination, sources
};

// Odd counts as one repeat with running elements; repeats with gaps, broadcast sources and partial masks.
std::vector<Shape> repeatShapes(int64_t lanes, std::mt19937 &random) {
  std::vector<Shape> shapes = {{lanes, 3, {1, 1, 1}, {8, 8, 8}},  {lanes, 4, {1, 1, 1}, {8, 8, 0}},
                               {lanes, 0, {1, 1, 1}, {8, 8, 8}},  {1, 2, {1, 1, 1}, {8, 8, 8}},
                               {lanes, 2, {2, 1, 0}, {16, 8, 1}}, {lanes / 8, 5, {1, 1, 0}, {1, 1, 1}}};
  for (int i = 0; i < 6; ++i) {
    Shape shape = {1 + int64_t(random() % uint64_t(lanes)), 1 + int64_t(random() % 5), {}, {}};
    for (int operand = 0; operand < 3; ++operand) {
      shape.blk[operand] = operand ? int64_t(random() % 3) : 1 + int64_t(random() % 3);
      shape.rep[operand] = operand ? int64_t(random() % 12) : 8 * shape.blk[operand] + int64_t(random() % 3);
    }
    shapes.push_back(shape);
  }
  return shapes;
}

// Elementwise families: `sources` buffers and possibly a scalar.
void checkElementwise(const isa::InstructionInfo &info, Arch arch, DType dtype, unsigned sources, bool hasScalar) {
  std::mt19937 random(unsigned(info.opcode) * 16 + unsigned(dtype));
  Memories memories(arch);
  fillElements(memories, dtype, random);
  int64_t lanes = 256 / isa::sizeOf(dtype);
  int64_t ulps = info.element == "exp" || info.element == "ln" ? 1 : 0;
  std::vector<Shape> shapes;
  if (info.form == Form::Repeat)
    shapes = repeatShapes(lanes, random);
  else
    for (int64_t count : {0, 1, 7, 63, 64, 65, 200, 1000})
      shapes.push_back({count, 1, {1, 1, 1}, {8, 8, 8}});

  for (const Shape &shape : shapes) {
    uint64_t scalar = isShift(info.element) ? random() % 8 : randomElement(random, dtype);
    int64_t scalarArg =
        isFloat(dtype) ? int64_t(scalar & (~uint64_t(0) >> (64 - 8 * isa::sizeOf(dtype)))) : decodeInt(scalar, dtype);
    Instr instr;
    instr.op = info.opcode;
    instr.dtype = dtype;
    const int64_t at[] = {Memories::at(Memory::UB, dstAt), Memories::at(Memory::UB, srcAt),
                          Memories::at(Memory::UB, src1At)};
    unsigned n = 0;
    for (unsigned i = 0; i <= sources; ++i)
      instr.args[n++] = at[i];
    if (hasScalar)
      instr.args[n++] = scalarArg;
    instr.args[n++] = shape.mask;
    if (info.form == Form::Repeat) {
      instr.args[n++] = shape.repeat;
      for (unsigned i = 0; i <= sources; ++i)
        instr.args[n++] = shape.blk[i];
      for (unsigned i = 0; i <= sources; ++i)
        instr.args[n++] = shape.rep[i];
    }
    instr.numArgs = uint8_t(n);
    ASSERT_EQ(unsigned(info.numOperands), n) << info.mnemonic;
    ASSERT_EQ("", validateOperands(instr, arch));

    std::vector<uint8_t> want = memories.of(Memory::UB);
    for (int64_t r = 0; r < shape.repeat; ++r)
      for (int64_t lane = 0; lane < shape.mask; ++lane) {
        auto offset = [&](int i) {
          return info.form == Form::Repeat ? elementOffset(dtype, lane, r, shape.blk[i], shape.rep[i])
                                           : lane * isa::sizeOf(dtype);
        };
        const auto &ub = memories.of(Memory::UB);
        uint64_t a = readBits(&ub[size_t(srcAt + offset(1))], dtype);
        uint64_t b = sources > 1 ? readBits(&ub[size_t(src1At + offset(2))], dtype) : scalar;
        uint8_t *dst = &want[size_t(dstAt + offset(0))];
        writeBits(dst, dtype, reference(info.element, dtype, a, b, readBits(dst, dtype)));
      }
    execute(instr, memories.view);
    expectMemory(want, memories.of(Memory::UB), dtype, ulps,
                 std::string(info.mnemonic) + " " + std::string(isa::stringify(dtype)) + " mask " +
                     std::to_string(shape.mask) + " repeat " + std::to_string(shape.repeat));
    if (testing::Test::HasFatalFailure())
      return;
  }
}

TEST(ExecVector, ElementwiseInstructionsMatchScalarLoopsInEveryFormAndDtype) {
  int checked = 0;
  for (unsigned op = 0; op < isa::numOpcodes; ++op) {
    const isa::InstructionInfo &info = isa::getInstruction(Opcode(op));
    unsigned sources = info.family == Family::VectorBinary ? 2 : 1;
    if (info.family != Family::VectorUnary && info.family != Family::VectorBinary &&
        info.family != Family::VectorScalar)
      continue;
    for (Arch arch : {Arch::C220, Arch::C310})
      for (unsigned dtype = 0; dtype < isa::numDType; ++dtype)
        if (info.supports(arch, DType(dtype))) {
          checkElementwise(info, arch, DType(dtype), sources, info.family == Family::VectorScalar);
          ++checked;
          ASSERT_FALSE(HasFatalFailure());
        }
  }
  EXPECT_GT(checked, 100);
}

// In-place use is common: the destination is one of the sources.
TEST(ExecVector, DestinationMayBeASource) {
  Memories memories(Arch::C220);
  auto *x = reinterpret_cast<float *>(memories.of(Memory::UB).data());
  for (int i = 0; i < 300; ++i)
    x[i] = float(i);
  int64_t at = Memories::at(Memory::UB, 0);
  execute(makeInstr("add", DType::F32, DType::F32, {at, at, at, 300}), memories.view);
  for (int i = 0; i < 300; ++i)
    ASSERT_EQ(2.0f * float(i), x[i]);
}

uint64_t castReference(uint64_t bits, DType from, DType to, isa::RoundMode mode) {
  auto integral = [&](double x) {
    switch (mode) {
    case isa::RoundMode::Floor:
      return std::floor(x);
    case isa::RoundMode::Ceil:
      return std::ceil(x);
    case isa::RoundMode::Round:
      return std::round(x);
    case isa::RoundMode::Trunc:
      return std::trunc(x);
    default:
      return std::nearbyint(x);
    }
  };
  uint64_t all = ~uint64_t(0) >> (64 - 8 * isa::sizeOf(to));
  if (isFloat(from)) {
    double x = decodeFloat(bits, from);
    if (from == to)
      return mode == isa::RoundMode::None ? bits : encodeFloat(integral(x), to);
    if (isFloat(to))
      return encodeFloat(x, to);
    double low = isSigned(to) ? -std::ldexp(1.0, 8 * int(isa::sizeOf(to)) - 1) : 0;
    double high = std::ldexp(1.0, 8 * int(isa::sizeOf(to)) - (isSigned(to) ? 1 : 0));
    double y = integral(x);
    if (y >= high)
      return isSigned(to) ? all >> 1 : all;
    return uint64_t(int64_t(std::max(y, low))) & all;
  }
  int64_t x = decodeInt(bits, from);
  return isFloat(to) ? encodeFloat(double(x), to) : uint64_t(x) & all;
}

TEST(ExecVector, CastsConvertEveryDocumentedPairInBothForms) {
  using isa::RoundMode;
  std::mt19937 random(3);
  int pairs = 0;
  for (Arch arch : {Arch::C220, Arch::C310})
    for (unsigned from = 0; from < isa::numDType; ++from)
      for (unsigned to = 0; to < isa::numDType; ++to)
        for (RoundMode mode : {RoundMode::None, RoundMode::Rint, RoundMode::Floor, RoundMode::Ceil, RoundMode::Round,
                               RoundMode::Trunc}) {
          DType source = DType(from), target = DType(to);
          // Directed rounding to narrow floats is tested on the element functions.
          if (mode > RoundMode::Rint && isFloat(target) && source != target)
            continue;
          Memories memories(arch);
          int64_t dst = Memories::at(Memory::UB, dstAt), src = Memories::at(Memory::UB, srcAt), round = int64_t(mode);
          Instr count = makeInstr("cast", target, source, {dst, src, round, 201});
          if (!validateOperands(count, arch).empty())
            continue;
          pairs += mode == RoundMode::Rint;
          fillElements(memories, source, random);
          auto want = memories.of(Memory::UB);
          for (int64_t i = 0; i < 201; ++i)
            writeBits(&want[size_t(dstAt) + size_t(i) * isa::sizeOf(target)], target,
                      castReference(readBits(&want[size_t(i) * isa::sizeOf(source)], source), source, target, mode));
          execute(count, memories.view);
          std::string what = std::string(isa::stringify(source)) + " to " + std::string(isa::stringify(target)) +
                             " mode " + std::to_string(round);
          expectMemory(want, memories.of(Memory::UB), target, 0, what);
          ASSERT_FALSE(HasFatalFailure());

          int64_t lanes = 256 / std::max(isa::sizeOf(source), isa::sizeOf(target)), mask = lanes - 3;
          execute(makeInstr("cast_r", target, source, {dst, src, round, mask, 3, 2, 1, 20, 9}), memories.view);
          for (int64_t r = 0; r < 3; ++r)
            for (int64_t lane = 0; lane < mask; ++lane)
              writeBits(&want[size_t(dstAt + elementOffset(target, lane, r, 2, 20))], target,
                        castReference(readBits(&want[size_t(srcAt + elementOffset(source, lane, r, 1, 9))], source),
                                      source, target, mode));
          expectMemory(want, memories.of(Memory::UB), target, 0, what + " repeat");
          ASSERT_FALSE(HasFatalFailure());
        }
  EXPECT_GE(pairs, 21 + 30);
}

} // namespace
