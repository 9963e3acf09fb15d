// Instructions that move elements about: gather by offsets and by pattern, sorting, turning a square.
#include "Exec.h"
#include "Order/Footprint.h"
#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Machine/Entries.h"
#include <algorithm>
#include <cstring>

namespace tilesmith::machine::exec {

using isa::blockBytes;

int64_t gather(const Instr &instr, const MemoryView &memory) {
  isa::Gather call(instr);
  int64_t size = isa::sizeOf(instr.dtype), base = call.base(), bytes = call.srcBytes(), outside = 0;
  uint8_t *dst = memory.at(call.dst());
  const uint8_t *src = memory.at(call.src()), *offsets = memory.at(call.offset());
  for (int64_t i = 0; i < call.count(); ++i) {
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

// The elements of each repeat that `chooses` names, at most `room` of them.
template <typename View, typename Chooses>
static int64_t gatherChosen(View call, int64_t size, const MemoryView &memory, int64_t room, Chooses chooses) {
  int64_t perBlock = blockBytes / size, kept = 0;
  uint8_t *dst = memory.at(call.dst());
  const uint8_t *src = memory.at(call.src());
  for (int64_t r = 0; r < call.repeat(); ++r)
    for (int64_t i = 0; i < call.elements() && kept < room; ++i)
      if (chooses(r, i))
        std::memmove(dst + kept++ * size,
                     src + (r * call.srcRep() + i / perBlock * call.srcBlk()) * blockBytes + i % perBlock * size,
                     size_t(size));
  return kept;
}

int64_t gatherPattern(const Instr &instr, const MemoryView &memory) {
  int64_t size = isa::sizeOf(instr.dtype);
  if (instr.op == Opcode::GatherMask) {
    isa::GatherMask call(instr);
    return gatherChosen(call, size, memory, INT64_MAX, [&](int64_t, int64_t i) { return keeps(call.pattern(), i); });
  }
  isa::GatherMaskBits call(instr);
  const uint8_t *bits = memory.at(call.pattern());
  return gatherChosen(call, size, memory, call.room(), [&](int64_t r, int64_t i) {
    return (bits[r * call.patternRep() * blockBytes + i / 8] >> (i % 8) & 1) != 0;
  });
}

int64_t gatherBlocks(const Instr &instr, const MemoryView &memory) {
  isa::Gatherb call(instr);
  int64_t bytes = call.srcBytes(), outside = 0;
  uint8_t *dst = memory.at(call.dst());
  const uint8_t *src = memory.at(call.src()), *offsets = memory.at(call.offset());
  for (int64_t r = 0; r < call.repeat(); ++r)
    for (int64_t i = 0; i < 8; ++i) {
      uint32_t offset;
      std::memcpy(&offset, offsets + (r * 8 + i) * 4, 4);
      uint8_t *to = dst + (r * call.dstRep() + i * call.dstBlk()) * blockBytes;
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
  family::Scatter call(instr);
  int64_t size = isa::sizeOf(instr.dtype), base = call.base(), bytes = call.dstBytes(), outside = 0;
  uint8_t *dst = memory.at(call.dst());
  const uint8_t *src = memory.at(call.src()), *offsets = memory.at(call.offset());
  auto one = [&](int64_t number, int64_t from) {
    uint32_t offset;
    std::memcpy(&offset, offsets + number * 4, 4);
    int64_t at = base + int64_t(offset);
    if (at + size <= bytes)
      std::memmove(dst + at, src + from, size_t(size));
    else
      ++outside;
  };
  if (instr.info().form == Form::Count) {
    for (int64_t i = 0; i < isa::Scatter(instr).count(); ++i)
      one(i, i * size);
    return outside;
  }
  isa::ScatterR repeats(instr);
  int64_t lanes = isa::repeatBytes / size;
  for (int64_t r = 0; r < repeats.repeat(); ++r)
    for (int64_t i = 0; i < lanes; ++i)
      if (repeats.mask() == TS_MASK_BITS ? anyLane(instr, i, 1) : i < repeats.mask())
        one(r * lanes + i, r * repeats.srcRep() * blockBytes + i * size);
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
  isa::Sort32 call(instr);
  int64_t size = isa::sizeOf(instr.dtype);
  uint8_t *dst = memory.at(call.dst());
  const uint8_t *src = memory.at(call.src()), *index = memory.at(call.index());
  for (int64_t r = 0; r < call.repeat(); ++r) {
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
  isa::MrgSort call(instr);
  const int64_t counts[] = {call.count0(), call.count1(), call.count2(), call.count3()};
  const Address sources[] = {call.src0(), call.src1(), call.src2(), call.src3()};
  int64_t total = counts[0] + counts[1] + counts[2] + counts[3], taken[4] = {};
  uint8_t *dst = memory.at(call.dst());
  for (int64_t r = 0; r < call.repeat(); ++r) {
    const uint8_t *lists[4];
    for (int i = 0; i < 4; ++i) {
      lists[i] = memory.at(sources[i]) + r * total * 8;
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
      if (best < 0 || (call.stops() && empty))
        break;
      std::memcpy(dst + (r * total + written) * 8, lists[best] + taken[best]++ * 8, 8);
    }
  }
  return taken[0] | taken[1] << 16 | taken[2] << 32 | taken[3] << 48;
}

// Address i of the 16 in four words.
static uint8_t *rowAt(const int64_t (&words)[4], const MemoryView &memory, int64_t i) {
  return memory.at(Address(Memory::UB, int64_t(uint64_t(words[i / 4]) >> (i % 4 * 16) & 0xffff) * blockBytes));
}

void transposeRows(const Instr &instr, const MemoryView &memory) {
  isa::TransDataRows call(instr);
  const int64_t targets[4] = {call.to0(), call.to1(), call.to2(), call.to3()};
  const int64_t sources[4] = {call.from0(), call.from1(), call.from2(), call.from3()};
  int64_t size = call.bytes();
  for (int64_t r = 0; r < call.repeat(); ++r) {
    alignas(64) uint8_t from[16][32], to[16][32];
    for (int64_t i = 0; i < 16; ++i)
      std::memcpy(from[i], rowAt(sources, memory, i) + r * call.srcRep() * blockBytes, sizeof from[i]);
    for (int64_t i = 0; i < 16; ++i)
      for (int64_t j = 0; j < (size == 4 ? 8 : 16); ++j) {
        int64_t place = size == 4 ? (j * 16 + i) * 4 : j * blockBytes + i * size;
        std::memcpy(&to[0][0] + place, from[i] + (size == 1 && call.srcHigh() ? 16 : 0) + j * size, size_t(size));
      }
    for (int64_t i = 0; i < 16; ++i)
      std::memcpy(rowAt(targets, memory, i) + r * call.dstRep() * blockBytes + (size == 1 && call.dstHigh() ? 16 : 0),
                  to[i], size == 1 ? 16 : 32);
  }
}

void transpose(const Instr &instr, const MemoryView &memory) {
  isa::Transpose call(instr);
  uint8_t square[512];
  std::memcpy(square, memory.at(call.src()), sizeof square);
  hostKernels().transpose16(memory.at(call.dst()), 16, square, 16, 2);
}

} // namespace tilesmith::machine::exec
