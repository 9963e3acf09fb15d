// Bytes from 16-bit integers, scaled: CastDeq. A block of 16 integers becomes half a block of bytes.
#include "Exec.h"
#include "Scalars.h"
#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Machine/Entries.h"
#include <algorithm>
#include <cmath>
#include <cstring>

namespace tilesmith::machine::exec {

namespace {

constexpr int64_t perBlock = isa::blockBytes / 2;

// A word: the bits of a float, an offset of 9 bits from bit 37 on, and at bit 46 whether bytes have a sign.
uint8_t scaled(const uint8_t *from, int64_t word) {
  float scale = __builtin_bit_cast(float, uint32_t(word));
  int64_t offset = int64_t(uint64_t(word) << (64 - 46)) >> (64 - 9);
  double value = loadAs(DType::I16, from);
  value = std::nearbyint(double(float(value) * scale)) + double(offset);
  uint8_t result = 0;
  storeAs(word >> 46 & 1 ? DType::I8 : DType::U8, &result, value);
  return result;
}

// What both instructions share, with the words of the places of a block.
template <typename Count, typename Repeat>
void run(const Instr &instr, const MemoryView &memory, const int64_t (&words)[perBlock]) {
  auto start = [&](auto call) { return memory.at(call.dst()) + call.upper() * perBlock; };
  if (instr.info().form == Form::Count) {
    Count call(instr);
    uint8_t *dst = start(call);
    const uint8_t *src = memory.at(call.src());
    for (int64_t i = 0; i < call.count(); ++i)
      dst[i / perBlock * isa::blockBytes + i % perBlock] = scaled(src + i * 2, words[i % perBlock]);
    return;
  }
  Repeat call(instr);
  uint8_t *dst = start(call);
  const uint8_t *src = memory.at(call.src());
  for (int64_t r = 0; r < call.repeat(); ++r)
    for (int64_t i = 0; i < isa::repeatBytes / 2; ++i)
      if (call.mask() == TS_MASK_BITS ? anyLane(instr, i, 1) : i < call.mask())
        dst[(r * call.dstRep() + i / perBlock * call.dstBlk()) * isa::blockBytes + i % perBlock] =
            scaled(src + (r * call.srcRep() + i / perBlock * call.srcBlk()) * isa::blockBytes + i % perBlock * 2,
                   words[i % perBlock]);
}

} // namespace

void castDeq(const Instr &instr, const MemoryView &memory) {
  int64_t words[perBlock];
  bool counted = instr.info().form == Form::Count;
  if (instr.op == Opcode::CastDeqVector || instr.op == Opcode::CastDeqVectorR) {
    Address scales = counted ? isa::CastDeqVector(instr).scales() : isa::CastDeqVectorR(instr).scales();
    std::memcpy(words, memory.at(scales), sizeof words);
    return run<isa::CastDeqVector, isa::CastDeqVectorR>(instr, memory, words);
  }
  std::fill_n(words, perBlock, counted ? isa::CastDeq(instr).scale() : isa::CastDeqR(instr).scale());
  run<isa::CastDeq, isa::CastDeqR>(instr, memory, words);
}

} // namespace tilesmith::machine::exec
