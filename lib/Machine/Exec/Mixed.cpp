// Arithmetic that changes the element type, and counting up.
//
// Sums and products are formed in float, where those of halves are exact, and of integers in 64 bits; the result rounds
// once. These instructions are rare: plain loops.
#include "Exec.h"
#include "Scalars.h"
#include "tilesmith/Machine/Api.h"
#include <algorithm>
#include <cmath>

namespace tilesmith::machine::exec {

namespace {

constexpr int64_t blockBytes = 32, repeatBytes = 256;

double factorOf(const Instr &instr) { return scalarOf(DType::F16, instr.args[3]); }

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
      if (mask == TS_MASK_BITS ? !anyLane(instr, i, 1) : i >= mask)
        continue;
      auto at = [&](unsigned operand, int64_t bytes) {
        int64_t perBlock = blockBytes / bytes;
        return (r * instr.args[9 + operand] + i / perBlock * instr.args[6 + operand]) * blockBytes + i % perBlock * bytes;
      };
      one(at(0, size), at(1, size2), at(2, size2));
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
