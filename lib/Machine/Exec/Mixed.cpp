// Arithmetic that changes the element type, choosing by a scalar or by the compare register, and counting up.
//
// Sums and products are formed in float, where those of halves are exact, and of integers in 64 bits; the result rounds
// once. These instructions are rare: plain loops.
#include "Exec.h"
#include "Scalars.h"
#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Machine/Entries.h"
#include <algorithm>
#include <cmath>

namespace tilesmith::machine::exec {

namespace {

using isa::blockBytes, isa::repeatBytes;

double factorOf(const Instr &instr) { return scalarOf(DType::F16, instr.args[3]); }

bool isActive(const Instr &instr, int64_t mask, int64_t lane) {
  return mask == TS_MASK_BITS ? anyLane(instr, lane, 1) : lane < mask;
}

// Where lane i of repeat r of an operand starts.
int64_t laneAt(int64_t r, int64_t i, int64_t size, int64_t blk, int64_t rep) {
  int64_t perBlock = blockBytes / size;
  return (r * rep + i / perBlock * blk) * blockBytes + i % perBlock * size;
}

// One element. Halves, bytes, words and 16-bit numbers are exact in a double, and so are sums and products of two.
double compute(const Instr &instr, double old, double a, double b) {
  switch (instr.op) {
  case Opcode::AxpyWide:
  case Opcode::AxpyWideR:
    return std::fma(float(a), float(factorOf(instr)), float(old));
  case Opcode::MulAddDstWide:
  case Opcode::MulAddDstWideR:
    return std::fma(float(a), float(b), float(old));
  case Opcode::CastDequant:
  case Opcode::CastDequantR:
    return float(a) * float(factorOf(instr));
  case Opcode::AddDeqRelu:
  case Opcode::AddDeqReluR:
    return std::max(float(a + b) * float(factorOf(instr)), 0.0f);
  case Opcode::AddReluCast:
  case Opcode::AddReluCastR:
    return roundTo(instr.dtype2, std::max(a + b, 0.0));
  case Opcode::SubReluCast:
  case Opcode::SubReluCastR:
    return roundTo(instr.dtype2, std::max(a - b, 0.0));
  default: // MulCast
    return roundTo(instr.dtype2, a * b);
  }
}

} // namespace

void mixed(const Instr &instr, const MemoryView &memory) {
  int64_t size = isa::sizeOf(instr.dtype), size2 = isa::sizeOf(instr.dtype2);
  uint8_t *dst = memory.at(instr.address(0));
  const uint8_t *src0 = memory.at(instr.address(1)), *src1 = memory.at(instr.address(2));
  auto one = [&](int64_t to, int64_t from0, int64_t from1) {
    storeAs(instr.dtype, dst + to,
            compute(instr, loadAs(instr.dtype, dst + to), loadAs(instr.dtype2, src0 + from0),
                    loadAs(instr.dtype2, src1 + from1)));
  };
  if (instr.info().form != Form::Repeat) {
    for (int64_t i = 0; i < instr.args[4]; ++i)
      one(i * size, i * size2, i * size2);
    return;
  }
  int64_t mask = instr.args[4], lanes = repeatBytes / std::max(size, size2);
  for (int64_t r = 0; r < instr.args[5]; ++r)
    for (int64_t i = 0; i < lanes; ++i) {
      if (!isActive(instr, mask, i))
        continue;
      auto at = [&](unsigned operand, int64_t bytes) {
        return laneAt(r, i, bytes, instr.args[6 + operand], instr.args[9 + operand]);
      };
      one(at(0, size), at(1, size2), at(2, size2));
    }
}

namespace {

bool compares(isa::CmpMode mode, double a, double b) {
  switch (mode) {
  case isa::CmpMode::LT:
    return a < b;
  case isa::CmpMode::GT:
    return a > b;
  case isa::CmpMode::EQ:
    return a == b;
  case isa::CmpMode::LE:
    return a <= b;
  case isa::CmpMode::GE:
    return a >= b;
  default:
    return a != b;
  }
}

} // namespace

void selectScalar(const Instr &instr, const MemoryView &memory) {
  int64_t size = isa::sizeOf(instr.dtype), lanes = repeatBytes / size;
  uint8_t *dst = memory.at(instr.address(0));
  const uint8_t *bits = memory.at(instr.address(1)), *src = memory.at(instr.address(2));
  bool repeats = instr.info().form == Form::Repeat;
  auto one = [&](int64_t bit, int64_t to, int64_t from) {
    const void *chosen = bits[bit / 8] >> (bit % 8) & 1 ? static_cast<const void *>(src + from) : &instr.args[3];
    __builtin_memmove(dst + to, chosen, size_t(size));
  };
  for (int64_t i = 0; !repeats && i < instr.args[4]; ++i)
    one(i, i * size, i * size);
  for (int64_t r = 0; repeats && r < instr.args[5]; ++r)
    for (int64_t i = 0; i < lanes; ++i)
      if (isActive(instr, instr.args[4], i))
        one(r * lanes + i, laneAt(r, i, size, instr.args[6], instr.args[8]),
            laneAt(r, i, size, instr.args[7], instr.args[9]));
}

void compareRegister(const Instr &instr, const MemoryView &memory) {
  int64_t size = isa::sizeOf(instr.dtype), lanes = std::min<int64_t>(repeatBytes / size, 128);
  uint8_t *first = memory.at(instr.address(0));
  switch (instr.op) {
  case Opcode::GetCmpMask:
    __builtin_memcpy(first, memory.compareRegister, sizeof memory.compareRegister);
    return;
  case Opcode::SetCmpMask:
    __builtin_memcpy(memory.compareRegister, first, sizeof memory.compareRegister);
    return;
  case Opcode::CompareToRegister: {
    const uint8_t *second = memory.at(instr.address(1));
    memory.compareRegister[0] = memory.compareRegister[1] = 0;
    for (int64_t i = 0; i < lanes; ++i)
      if (isActive(instr, instr.args[3], i) &&
          compares(isa::CmpMode(instr.args[2]), loadAs(instr.dtype, first + laneAt(0, i, size, instr.args[4], 0)),
                   loadAs(instr.dtype, second + laneAt(0, i, size, instr.args[5], 0))))
        memory.compareRegister[i / 64] |= uint64_t(1) << (i % 64);
    return;
  }
  default: { // SelectByRegister
    const uint8_t *sources[2] = {memory.at(instr.address(2)), memory.at(instr.address(1))};
    for (int64_t r = 0; r < instr.args[4]; ++r)
      for (int64_t i = 0; i < lanes; ++i) {
        if (!isActive(instr, instr.args[3], i))
          continue;
        bool bit = memory.compareRegister[i / 64] >> (i % 64) & 1;
        unsigned source = bit ? 1 : 2;
        __builtin_memmove(first + laneAt(r, i, size, instr.args[5], instr.args[8]),
                          sources[bit] + laneAt(r, i, size, instr.args[5 + source], instr.args[8 + source]),
                          size_t(size));
      }
    return;
  }
  }
}

void arange(const Instr &instr, const MemoryView &memory) {
  int64_t size = isa::sizeOf(instr.dtype);
  uint8_t *dst = memory.at(instr.address(0));
  for (int64_t i = 0; i < instr.args[3]; ++i)
    if (isFloat(instr.dtype)) {
      double step = roundTo(instr.dtype, double(i) * scalarOf(instr.dtype, instr.args[2]));
      storeAs(instr.dtype, dst + i * size, scalarOf(instr.dtype, instr.args[1]) + step);
    } else {
      uint64_t value = uint64_t(instr.args[1]) + uint64_t(i) * uint64_t(instr.args[2]); // wraps
      __builtin_memcpy(dst + i * size, &value, size_t(size));
    }
}

} // namespace tilesmith::machine::exec
