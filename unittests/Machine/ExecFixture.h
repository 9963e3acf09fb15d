// Memories without a core, instructions by mnemonic, and scalar element values: what the tests of execution share.
#ifndef TILESMITH_UNITTESTS_MACHINE_EXECFIXTURE_H
#define TILESMITH_UNITTESTS_MACHINE_EXECFIXTURE_H

#include "tilesmith/Machine/Core.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

namespace tilesmith::unittests {

using namespace tilesmith::machine;

struct Memories {
  static constexpr int64_t gmDevice = 0x1000;
  std::vector<uint8_t> storage[isa::numMemory];
  GlobalRange range;
  MemoryView view;

  explicit Memories(Arch arch, int64_t bytes = 64 * 1024, unsigned seed = 1) {
    std::mt19937 random(seed);
    for (unsigned i = 0; i < isa::numMemory; ++i) {
      storage[i].resize(size_t(bytes));
      for (uint8_t &byte : storage[i])
        byte = uint8_t(random());
      view.base[i] = storage[i].data();
    }
    range = {gmDevice, bytes, storage[0].data()};
    view.base[0] = nullptr;
    view.global = {&range, 1};
    view.arch = arch;
  }
  std::vector<uint8_t> &of(Memory memory) { return storage[unsigned(memory)]; }
  static int64_t at(Memory memory, int64_t offset) {
    return Address(memory, memory == Memory::GM ? gmDevice + offset : offset).bits;
  }
};

inline Instr makeInstr(std::string_view mnemonic, DType dtype, DType dtype2, std::initializer_list<int64_t> args) {
  const isa::InstructionInfo *info = isa::findInstruction(mnemonic);
  Instr instr;
  if (!info) {
    ADD_FAILURE() << "no instruction " << mnemonic;
    return instr;
  }
  EXPECT_EQ(size_t(info->numOperands), args.size()) << mnemonic;
  instr.op = info->opcode;
  instr.dtype = dtype;
  instr.dtype2 = dtype2;
  instr.numArgs = uint8_t(args.size());
  std::copy(args.begin(), args.end(), instr.args);
  return instr;
}

//===-- Scalar elements -------------------------------------------------------------------------------------------===//

inline bool isSigned(DType dtype) {
  return dtype == DType::I8 || dtype == DType::I16 || dtype == DType::I32 || dtype == DType::I64;
}

inline uint64_t readBits(const uint8_t *p, DType dtype) {
  uint64_t bits = 0;
  std::memcpy(&bits, p, isa::sizeOf(dtype));
  return bits;
}
inline void writeBits(uint8_t *p, DType dtype, uint64_t bits) { std::memcpy(p, &bits, isa::sizeOf(dtype)); }

inline double decodeFloat(uint64_t bits, DType dtype) {
  if (dtype == DType::F32)
    return std::bit_cast<float>(uint32_t(bits));
  if (dtype == DType::BF16)
    return std::bit_cast<float>(uint32_t(bits) << 16);
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double value = exponent == 31 ? (fraction ? NAN : INFINITY)
                                : std::ldexp(exponent ? fraction + 1024 : fraction, std::max(exponent, 1) - 25);
  return bits & 0x8000 ? -value : value;
}

// To nearest even, from a value that is exact or far more precise than the type.
inline uint64_t encodeFloat(double value, DType dtype) {
  if (dtype == DType::F32)
    return std::bit_cast<uint32_t>(float(value));
  int mantissa = dtype == DType::F16 ? 10 : 7, bias = dtype == DType::F16 ? 15 : 127;
  uint64_t sign = std::signbit(value) ? 0x8000 : 0, infinity = uint64_t(2 * bias + 1) << mantissa;
  if (std::isnan(value))
    return infinity | uint64_t(1) << (mantissa - 1);
  double size = std::fabs(value);
  int exponent = size == 0 ? 1 - bias : std::max(std::isinf(size) ? bias + 1 : std::ilogb(size), 1 - bias);
  if (exponent > bias)
    return sign | infinity;
  // Carries out of the mantissa raise the exponent by themselves.
  uint64_t units = uint64_t(std::nearbyint(std::ldexp(size, mantissa - exponent)));
  return sign | std::min(units + (uint64_t(exponent + bias - 1) << mantissa), infinity);
}

inline int64_t decodeInt(uint64_t bits, DType dtype) {
  unsigned shift = 64 - 8 * isa::sizeOf(dtype);
  return isSigned(dtype) ? int64_t(bits << shift) >> shift : int64_t(bits << shift >> shift);
}

// Finite values of all magnitudes that arithmetic is likely to meet, small integers for integer types.
inline uint64_t randomElement(std::mt19937 &random, DType dtype) {
  if (!isFloat(dtype))
    return random() % 4 ? random() : uint64_t(int64_t(random() % 9) - 4);
  double value = std::ldexp(double(int32_t(random())), -28 - int(random() % 8));
  if (random() % 16 == 0)
    value = std::ldexp(double(int32_t(random())), int(random() % 40) - 40);
  if (random() % 32 == 0)
    value = random() % 2 ? 0.0 : -0.0;
  return encodeFloat(value, dtype);
}

// UB full of random elements.
inline void fillElements(Memories &memories, DType dtype, std::mt19937 &random) {
  auto &ub = memories.of(Memory::UB);
  for (size_t i = 0; i + 8 <= ub.size(); i += isa::sizeOf(dtype))
    writeBits(&ub[i], dtype, randomElement(random, dtype));
}

// Whether two elements are the same, NaN equal to NaN, up to `ulps` steps.
inline bool sameElement(uint64_t a, uint64_t b, DType dtype, int64_t ulps) {
  if (a == b)
    return true;
  if (!isFloat(dtype))
    return false;
  double x = decodeFloat(a, dtype), y = decodeFloat(b, dtype);
  if (std::isnan(x) || std::isnan(y))
    return std::isnan(x) && std::isnan(y);
  return std::signbit(x) == std::signbit(y) && std::llabs(int64_t(a) - int64_t(b)) <= ulps;
}

// Every byte of the memory, element by element.
inline void expectMemory(const std::vector<uint8_t> &want, const std::vector<uint8_t> &got, DType dtype, int64_t ulps,
                         const std::string &what) {
  if (want == got)
    return;
  unsigned size = isa::sizeOf(dtype);
  for (size_t i = 0; i + size <= want.size(); i += size) {
    uint64_t w = readBits(&want[i], dtype), g = readBits(&got[i], dtype);
    ASSERT_TRUE(sameElement(w, g, dtype, ulps))
        << what << " at byte " << i << std::hex << ": want " << w << " got " << g;
  }
}

// Where element `lane` of repeat `r` of an operand lies: blocks of 32 bytes.
inline int64_t elementOffset(DType dtype, int64_t lane, int64_t r, int64_t blk, int64_t rep) {
  int64_t perBlock = 32 / isa::sizeOf(dtype);
  return (r * rep + lane / perBlock * blk) * 32 + lane % perBlock * isa::sizeOf(dtype);
}

} // namespace tilesmith::unittests

#endif
