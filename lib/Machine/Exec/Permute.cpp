// Instructions that move elements about: gather by offsets and by pattern, sorting, turning a square.
#include "../Footprint.h"
#include "Exec.h"
#include <algorithm>
#include <cstring>

namespace tilesmith::machine::exec {

static constexpr int64_t blockBytes = 32;

int64_t gather(const Instr &instr, const MemoryView &memory) {
  int64_t size = isa::sizeOf(instr.dtype), base = instr.args[3], bytes = instr.args[4], outside = 0;
  uint8_t *dst = memory.at(instr.address(0));
  const uint8_t *src = memory.at(instr.address(1)), *offsets = memory.at(instr.address(2));
  for (int64_t i = 0; i < instr.args[5]; ++i) {
    uint32_t offset;
    std::memcpy(&offset, offsets + i * 4, 4);
    int64_t at = base + int64_t(offset);
    if (at + size <= bytes) {
      std::memmove(dst + i * size, src + at, size_t(size)); // a destination may lie over the source
    } else {
      std::memset(dst + i * size, 0, size_t(size));
      ++outside;
    }
  }
  return outside;
}

void gatherPattern(const Instr &instr, const MemoryView &memory) {
  int64_t size = isa::sizeOf(instr.dtype), perBlock = blockBytes / size;
  uint8_t *dst = memory.at(instr.address(0));
  const uint8_t *src = memory.at(instr.address(1));
  for (int64_t r = 0; r < instr.args[4]; ++r)
    for (int64_t i = 0; i < instr.args[3]; ++i)
      if (keeps(instr.args[2], i)) {
        std::memmove(dst, src + (r * instr.args[6] + i / perBlock * instr.args[5]) * blockBytes + i % perBlock * size,
                     size_t(size));
        dst += size;
      }
}

// Scores as numbers that compare like them, NaN above everything.
static int32_t orderOf(const uint8_t *at, DType dtype) {
  int32_t bits = 0;
  std::memcpy(&bits, at, isa::sizeOf(dtype));
  if (dtype == DType::F16)
    bits = int32_t(uint32_t(bits) << 16);
  int32_t nan = dtype == DType::F16 ? 0x7c000000 : 0x7f800000, magnitude = bits & 0x7fffffff;
  if (magnitude > nan)
    return INT32_MAX;
  return bits < 0 ? -magnitude : magnitude;
}

void sort(const Instr &instr, const MemoryView &memory) {
  int64_t size = isa::sizeOf(instr.dtype);
  uint8_t *dst = memory.at(instr.address(0));
  const uint8_t *src = memory.at(instr.address(1)), *index = memory.at(instr.address(2));
  for (int64_t r = 0; r < instr.args[3]; ++r) {
    uint8_t records[32][8] = {};
    int32_t keys[32], order[32];
    for (int i = 0; i < 32; ++i) {
      std::memcpy(records[i], src + (r * 32 + i) * size, size_t(size));
      std::memcpy(records[i] + 4, index + (r * 32 + i) * 4, 4);
      keys[i] = orderOf(records[i], instr.dtype);
      order[i] = i;
    }
    std::sort(order, order + 32, [&](int32_t a, int32_t b) { return keys[a] != keys[b] ? keys[a] > keys[b] : a < b; });
    for (int i = 0; i < 32; ++i)
      std::memcpy(dst + (r * 32 + i) * 8, records[order[i]], 8);
  }
}

void transpose(const Instr &instr, const MemoryView &memory) {
  uint8_t square[512];
  std::memcpy(square, memory.at(instr.address(1)), sizeof square);
  hostKernels().transpose16(memory.at(instr.address(0)), 16, square, 16, 2);
}

} // namespace tilesmith::machine::exec
