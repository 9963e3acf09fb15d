// Moves between global memory and a core, fills, and scalar accesses. Rows are copied whole.
#include "Exec.h"
#include "GlobalStores.h"
#include "tilesmith/Isa/Chip.h"
#include <algorithm>
#include <cstring>

namespace tilesmith::machine::exec {

namespace {
using isa::blockBytes;

int64_t roundUp(int64_t bytes) { return (bytes + blockBytes - 1) / blockBytes * blockBytes; }

void fill(uint8_t *dst, int64_t bytes, int64_t value, int64_t size) {
  for (int64_t i = 0; i + size <= bytes; i += size)
    std::memcpy(dst + i, &value, size_t(size));
}

// Stores one run to global memory as the core's atomic mode says.
void storeRun(uint8_t *dst, const uint8_t *src, int64_t bytes, RowsFn combine, int64_t size, const MemoryView &memory) {
  if (!combine)
    return storeBytes(dst, src, bytes, isStreamed(dst, bytes, memory));
  Rows rows;
  rows.dst = dst;
  rows.src[0] = dst;
  rows.src[1] = src;
  rows.cols = bytes / size;
  combine(rows);
}

RowsFn atomicOf(const Instr &instr, const MemoryView &memory) {
  return memory.atomic == isa::AtomicOp::None ? nullptr : hostKernels().atomic(memory.atomic, instr.dtype);
}
} // namespace

void moveIn(const Instr &instr, const MemoryView &memory) {
  isa::CopyGmToUb call(instr);
  int64_t size = isa::sizeOf(instr.dtype), count = call.blockCount(), length = call.blockLen();
  int64_t srcStride = call.srcStride(), dstStride = call.dstStride();
  bool isPad = call.isPad() != 0;
  int64_t left = call.leftPad() * size, right = call.rightPad() * size, value = call.padValue();
  if (count <= 0 || length <= 0)
    return;
  const uint8_t *src = memory.at(call.src());
  uint8_t *dst = memory.at(call.dst());
  int64_t padded = roundUp(left + length + right), tail = padded - left - length;
  if (tail == 0 && left == 0 && srcStride == 0 && dstStride == 0) {
    std::memcpy(dst, src, size_t(count * length));
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    uint8_t *block = dst + i * (padded + dstStride * blockBytes);
    const uint8_t *from = src + i * (length + srcStride);
    std::memcpy(block + left, from, size_t(length));
    if (left == 0 && tail == 0)
      continue;
    // Without a pad value the filler is undefined on the chip; it is the block's first element where the manual says
    // anything.
    if (!isPad)
      std::memcpy(&value, from, size_t(std::min(size, length)));
    fill(block, left, value, size);
    fill(block + left + length, tail, value, size);
  }
}

void moveOut(const Instr &instr, const MemoryView &memory) {
  isa::family::MoveOut call(instr);
  int64_t count = call.blockCount(), length = call.blockLen();
  int64_t srcStride = call.srcStride(), dstStride = call.dstStride();
  if (count <= 0 || length <= 0)
    return;
  uint8_t *dst = memory.at(call.dst());
  const uint8_t *src = memory.at(call.src());
  RowsFn combine = atomicOf(instr, memory);
  int64_t size = isa::sizeOf(instr.dtype);
  if (srcStride == 0 && dstStride == 0 && length % blockBytes == 0)
    return storeRun(dst, src, count * length, combine, size, memory);
  for (int64_t i = 0; i < count; ++i)
    storeRun(dst + i * (length + dstStride), src + i * (roundUp(length) + srcStride * blockBytes), length, combine,
             size, memory);
}

void moveNz(const Instr &instr, const MemoryView &memory) {
  isa::CopyGmToL1Nz call(instr);
  int64_t size = isa::sizeOf(instr.dtype);
  int64_t matrices = call.ndNum(), rows = call.nValue(), rowBytes = call.dValue() * size;
  int64_t srcMatrix = call.srcNdMatrixStride() * size, srcRow = call.srcDValue() * size;
  int64_t dstColumn = call.dstNzC0Stride() * blockBytes, dstRow = call.dstNzNStride() * blockBytes;
  int64_t dstMatrix = call.dstNzMatrixStride() * size;
  if (matrices <= 0 || rows <= 0 || rowBytes <= 0)
    return;
  uint8_t *dst = memory.at(call.dst());
  const uint8_t *src = memory.at(call.src());
  int64_t whole = rowBytes / blockBytes, rest = rowBytes % blockBytes;
  for (int64_t matrix = 0; matrix < matrices; ++matrix)
    for (int64_t row = 0; row < rows; ++row) {
      const uint8_t *from = src + matrix * srcMatrix + row * srcRow;
      uint8_t *to = dst + matrix * dstMatrix + row * dstRow;
      for (int64_t column = 0; column < whole; ++column)
        std::memcpy(to + column * dstColumn, from + column * blockBytes, blockBytes);
      if (rest) {
        std::memcpy(to + whole * dstColumn, from + whole * blockBytes, size_t(rest));
        std::memset(to + whole * dstColumn + rest, 0, size_t(blockBytes - rest));
      }
    }
}

void moveDirect(const Instr &instr, const MemoryView &memory) {
  isa::CopyUbToL1 call(instr);
  int64_t length = call.blockLen() * blockBytes;
  uint8_t *dst = memory.inL1(call.dst().offset());
  const uint8_t *src = memory.at(call.src());
  for (int64_t i = 0; i < call.blockCount() && length > 0; ++i)
    std::memcpy(dst + i * (length + call.dstStride() * blockBytes), src + i * (length + call.srcStride() * blockBytes),
                size_t(length));
}

template <typename Call> static void fillRuns(const Instr &instr, const MemoryView &memory, int64_t block) {
  Call call(instr);
  int64_t repeat = call.repeatTimes(), blocks = call.blockNum(), gap = call.dstGap();
  if (repeat <= 0 || blocks <= 0)
    return;
  uint8_t *dst = memory.at(call.dst());
  for (int64_t r = 0; r < repeat; ++r)
    fill(dst + r * (blocks + gap) * block, blocks * block, call.value(), isa::sizeOf(instr.dtype));
}

void fillL1(const Instr &instr, const MemoryView &memory) { fillRuns<isa::FillL1>(instr, memory, blockBytes); }

void fillL0(const Instr &instr, const MemoryView &memory) { fillRuns<isa::FillL0>(instr, memory, isa::fractalBytes); }

void setValue(const Instr &instr, const MemoryView &memory) {
  isa::SetValue call(instr);
  int64_t value = call.value();
  std::memcpy(memory.at(call.dst()), &value, isa::sizeOf(instr.dtype));
}

int64_t getValue(const Instr &instr, const MemoryView &memory) {
  uint64_t bits = 0;
  std::memcpy(&bits, memory.at(isa::GetValue(instr).src()), isa::sizeOf(instr.dtype));
  // Integers travel sign-extended, floats and unsigned integers as plain bits.
  switch (instr.dtype) {
  case DType::I8:
    return int8_t(bits);
  case DType::I16:
    return int16_t(bits);
  case DType::I32:
    return int32_t(bits);
  default:
    return int64_t(bits);
  }
}

} // namespace tilesmith::machine::exec
