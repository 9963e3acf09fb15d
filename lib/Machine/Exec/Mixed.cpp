// Arithmetic that changes the element type, choosing by a scalar or by the compare register, and counting up.
//
// Sums and products are formed in float, where those of halves are exact, and of integers in 64 bits; the result rounds
// once. These instructions are rare: plain loops.
#include "CompareElements.h"
#include "Exec.h"
#include "Scalars.h"
#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Machine/Entries.h"
#include <algorithm>
#include <cmath>

namespace tilesmith::machine::exec {

namespace {

using isa::blockBytes, isa::repeatBytes;

double factorOf(const Instr &instr) { return scalarOf(DType::F16, family::Mixed(instr).scale()); }

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
  family::Mixed operands(instr);
  uint8_t *dst = memory.at(operands.dst());
  const uint8_t *src0 = memory.at(operands.src0()), *src1 = memory.at(operands.src1());
  auto one = [&](int64_t to, int64_t from0, int64_t from1) {
    storeAs(instr.dtype, dst + to,
            compute(instr, loadAs(instr.dtype, dst + to), loadAs(instr.dtype2, src0 + from0),
                    loadAs(instr.dtype2, src1 + from1)));
  };
  if (instr.info().form != Form::Repeat) {
    for (int64_t i = 0; i < family::MixedCount(instr).count(); ++i)
      one(i * size, i * size2, i * size2);
    return;
  }
  family::MixedRepeat call(instr);
  int64_t lanes = repeatBytes / std::max(size, size2);
  for (int64_t r = 0; r < call.repeat(); ++r)
    for (int64_t i = 0; i < lanes; ++i)
      if (isActive(instr, call.mask(), i))
        one(laneAt(r, i, size, call.dstBlk(), call.dstRep()), laneAt(r, i, size2, call.src0Blk(), call.src0Rep()),
            laneAt(r, i, size2, call.src1Blk(), call.src1Rep()));
}

void selectScalar(const Instr &instr, const MemoryView &memory) {
  int64_t size = isa::sizeOf(instr.dtype), lanes = repeatBytes / size;
  family::SelectScalar operands(instr);
  uint8_t *dst = memory.at(operands.dst());
  const uint8_t *bits = memory.at(operands.mask()), *src = memory.at(operands.src());
  int64_t scalar = operands.scalar();
  auto one = [&](int64_t bit, int64_t to, int64_t from) {
    const void *chosen = bits[bit / 8] >> (bit % 8) & 1 ? static_cast<const void *>(src + from) : &scalar;
    __builtin_memmove(dst + to, chosen, size_t(size));
  };
  if (instr.info().form == Form::Count) {
    for (int64_t i = 0; i < family::SelectScalarCount(instr).count(); ++i)
      one(i, i * size, i * size);
    return;
  }
  family::SelectScalarRepeat call(instr);
  for (int64_t r = 0; r < call.repeat(); ++r)
    for (int64_t i = 0; i < lanes; ++i)
      if (isActive(instr, call.lanes(), i))
        one(r * lanes + i, laneAt(r, i, size, call.dstBlk(), call.dstRep()),
            laneAt(r, i, size, call.srcBlk(), call.srcRep()));
}

void compareRegister(const Instr &instr, const MemoryView &memory) {
  int64_t size = isa::sizeOf(instr.dtype), lanes = std::min<int64_t>(repeatBytes / size, 128);
  switch (instr.op) {
  case Opcode::GetCmpMask:
    __builtin_memcpy(memory.at(isa::GetCmpMask(instr).dst()), memory.compareRegister, sizeof memory.compareRegister);
    return;
  case Opcode::SetCmpMask:
    __builtin_memcpy(memory.compareRegister, memory.at(isa::SetCmpMask(instr).src()), sizeof memory.compareRegister);
    return;
  case Opcode::CompareToRegister: {
    isa::CompareToRegister call(instr);
    const uint8_t *src0 = memory.at(call.src0()), *src1 = memory.at(call.src1());
    memory.compareRegister[0] = memory.compareRegister[1] = 0;
    for (int64_t i = 0; i < lanes; ++i)
      if (isActive(instr, call.mask(), i) &&
          holds(call.mode(), loadAs(instr.dtype, src0 + laneAt(0, i, size, call.src0Blk(), 0)),
                loadAs(instr.dtype, src1 + laneAt(0, i, size, call.src1Blk(), 0))))
        memory.compareRegister[i / 64] |= uint64_t(1) << (i % 64);
    return;
  }
  case Opcode::SelectScalarByRegister: {
    isa::SelectScalarByRegister call(instr);
    uint8_t *dst = memory.at(call.dst());
    const uint8_t *bits = memory.at(call.bits()), *src = memory.at(call.src());
    for (int64_t r = 0; r < call.repeat(); ++r)
      for (int64_t i = 0; i < lanes; ++i) {
        if (!isActive(instr, call.lanes(), i))
          continue;
        int64_t bit = r * lanes + i;
        const void *chosen = bits[bit / 8] >> (bit % 8) & 1
                                 ? static_cast<const void *>(src + laneAt(r, i, size, call.srcBlk(), call.srcRep()))
                                 : memory.compareRegister;
        __builtin_memmove(dst + laneAt(r, i, size, call.dstBlk(), call.dstRep()), chosen, size_t(size));
      }
    return;
  }
  default: { // SelectByRegister
    isa::SelectByRegister call(instr);
    uint8_t *dst = memory.at(call.dst());
    const uint8_t *src0 = memory.at(call.src0()), *src1 = memory.at(call.src1());
    for (int64_t r = 0; r < call.repeat(); ++r)
      for (int64_t i = 0; i < lanes; ++i) {
        if (!isActive(instr, call.mask(), i))
          continue;
        bool bit = memory.compareRegister[i / 64] >> (i % 64) & 1;
        const uint8_t *chosen = bit ? src0 + laneAt(r, i, size, call.src0Blk(), call.src0Rep())
                                    : src1 + laneAt(r, i, size, call.src1Blk(), call.src1Rep());
        __builtin_memmove(dst + laneAt(r, i, size, call.dstBlk(), call.dstRep()), chosen, size_t(size));
      }
    return;
  }
  }
}

void arange(const Instr &instr, const MemoryView &memory) {
  int64_t size = isa::sizeOf(instr.dtype);
  isa::Arange call(instr);
  uint8_t *dst = memory.at(call.dst());
  for (int64_t i = 0; i < call.count(); ++i)
    if (isFloat(instr.dtype)) {
      double step = roundTo(instr.dtype, double(i) * scalarOf(instr.dtype, call.step()));
      storeAs(instr.dtype, dst + i * size, scalarOf(instr.dtype, call.first()) + step);
    } else {
      uint64_t value = uint64_t(call.first()) + uint64_t(i) * uint64_t(call.step()); // wraps
      __builtin_memcpy(dst + i * size, &value, size_t(size));
    }
}

} // namespace tilesmith::machine::exec
