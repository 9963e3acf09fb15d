// Instructions that move elements about: gather by offsets and by pattern, sorting, turning a square.
#include "Exec.h"
#include "Order/Footprint.h"
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

int64_t gatherPattern(const Instr &instr, const MemoryView &memory) {
  int64_t size = isa::sizeOf(instr.dtype), perBlock = blockBytes / size, kept = 0;
  bool byBits = instr.op == Opcode::GatherMaskBits;
  int64_t room = byBits ? instr.args[8] : INT64_MAX;
  uint8_t *dst = memory.at(instr.address(0));
  const uint8_t *src = memory.at(instr.address(1)), *bits = byBits ? memory.at(instr.address(2)) : nullptr;
  auto chooses = [&](int64_t r, int64_t i) {
    return byBits ? (bits[r * instr.args[7] * blockBytes + i / 8] >> (i % 8) & 1) != 0 : keeps(instr.args[2], i);
  };
  for (int64_t r = 0; r < instr.args[4]; ++r)
    for (int64_t i = 0; i < instr.args[3] && kept < room; ++i)
      if (chooses(r, i))
        std::memmove(dst + kept++ * size,
                     src + (r * instr.args[6] + i / perBlock * instr.args[5]) * blockBytes + i % perBlock * size,
                     size_t(size));
  return kept;
}

int64_t gatherBlocks(const Instr &instr, const MemoryView &memory) {
  int64_t bytes = instr.args[3], outside = 0;
  uint8_t *dst = memory.at(instr.address(0));
  const uint8_t *src = memory.at(instr.address(1)), *offsets = memory.at(instr.address(2));
  for (int64_t r = 0; r < instr.args[4]; ++r)
    for (int64_t i = 0; i < 8; ++i) {
      uint32_t offset;
      std::memcpy(&offset, offsets + (r * 8 + i) * 4, 4);
      uint8_t *to = dst + (r * instr.args[6] + i * instr.args[5]) * blockBytes;
      if (int64_t(offset) + blockBytes <= bytes) {
        std::memmove(to, src + offset, size_t(blockBytes));
      } else {
        std::memset(to, 0, size_t(blockBytes));
        ++outside;
      }
    }
  return outside;
}

int64_t scatter(const Instr &instr, const MemoryView &memory) {
  int64_t size = isa::sizeOf(instr.dtype), base = instr.args[3], bytes = instr.args[4], outside = 0;
  uint8_t *dst = memory.at(instr.address(0));
  const uint8_t *src = memory.at(instr.address(1)), *offsets = memory.at(instr.address(2));
  for (int64_t i = 0; i < instr.args[5]; ++i) {
    uint32_t offset;
    std::memcpy(&offset, offsets + i * 4, 4);
    int64_t at = base + int64_t(offset);
    if (at + size <= bytes)
      std::memmove(dst + at, src + i * size, size_t(size));
    else
      ++outside;
  }
  return outside;
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

int64_t merge(const Instr &instr, const MemoryView &memory) {
  const int64_t *counts = instr.args + 5;
  int64_t total = counts[0] + counts[1] + counts[2] + counts[3], taken[4] = {};
  uint8_t *dst = memory.at(instr.address(0));
  for (int64_t r = 0; r < instr.args[9]; ++r) {
    const uint8_t *lists[4];
    for (int i = 0; i < 4; ++i) {
      lists[i] = memory.at(instr.address(unsigned(1 + i))) + r * total * 8;
      taken[i] = 0;
    }
    for (int64_t written = 0; written < total; ++written) {
      int best = -1;
      bool empty = false;
      for (int i = 0; i < 4; ++i) {
        empty |= counts[i] > 0 && taken[i] == counts[i];
        if (taken[i] < counts[i] && (best < 0 || orderOf(lists[i] + taken[i] * 8, instr.dtype) >
                                                     orderOf(lists[best] + taken[best] * 8, instr.dtype)))
          best = i;
      }
      if (best < 0 || (instr.args[10] && empty))
        break;
      std::memcpy(dst + (r * total + written) * 8, lists[best] + taken[best]++ * 8, 8);
    }
  }
  return taken[0] | taken[1] << 16 | taken[2] << 32 | taken[3] << 48;
}

// Address i of the 16 that begin with operand `first`.
static uint8_t *rowAt(const Instr &instr, const MemoryView &memory, unsigned first, int64_t i) {
  return memory.at(
      Address(Memory::UB, int64_t(uint64_t(instr.args[first + i / 4]) >> (i % 4 * 16) & 0xffff) * blockBytes));
}

void transposeRows(const Instr &instr, const MemoryView &memory) {
  int64_t size = instr.args[13];
  for (int64_t r = 0; r < instr.args[10]; ++r) {
    alignas(64) uint8_t from[16][32], to[16][32];
    for (int64_t i = 0; i < 16; ++i)
      std::memcpy(from[i], rowAt(instr, memory, 4, i) + r * instr.args[12] * blockBytes, sizeof from[i]);
    for (int64_t i = 0; i < 16; ++i)
      for (int64_t j = 0; j < (size == 4 ? 8 : 16); ++j) {
        int64_t place = size == 4 ? (j * 16 + i) * 4 : j * blockBytes + i * size;
        std::memcpy(&to[0][0] + place, from[i] + (size == 1 && instr.args[9] ? 16 : 0) + j * size, size_t(size));
      }
    for (int64_t i = 0; i < 16; ++i)
      std::memcpy(rowAt(instr, memory, 0, i) + r * instr.args[11] * blockBytes + (size == 1 && instr.args[8] ? 16 : 0),
                  to[i], size == 1 ? 16 : 32);
  }
}

void transpose(const Instr &instr, const MemoryView &memory) {
  uint8_t square[512];
  std::memcpy(square, memory.at(instr.address(1)), sizeof square);
  hostKernels().transpose16(memory.at(instr.address(0)), 16, square, 16, 2);
}

} // namespace tilesmith::machine::exec
