#include "CoreRegisters.h"
#include "CoreImpl.h"
#include "tilesmith/Isa/Chip.h"
#include <bit>
#include <iterator>

using namespace tilesmith;
using namespace tilesmith::machine;

namespace tilesmith::machine {

void MaskRegister::setFirst(uint64_t n) {
  low = n >= 64 ? ~uint64_t(0) : (uint64_t(1) << n) - 1;
  high = n >= 128 ? ~uint64_t(0) : n > 64 ? (uint64_t(1) << (n - 64)) - 1 : 0;
}

void BufferLocks::lock(TsCore &core, int64_t loc, int64_t pipe, int64_t id) {
  if (id < 0 || id >= ids || pipe < 0 || pipe >= int64_t(isa::numPipe))
    return;
  for (int64_t other = 0; other < int64_t(Pipe::ALL); ++other) {
    uint32_t &known = seen[id][pipe][other], now = unlocked[id][other];
    if (other == pipe || known == now)
      continue;
    known = now;
    tsm_set_flag(&core, loc, other, pipe, id % isa::flagIds);
    tsm_wait_flag(&core, loc, other, pipe, id % isa::flagIds);
  }
}

void BufferLocks::unlock(int64_t pipe, int64_t id) {
  if (id < 0 || id >= ids || pipe < 0 || pipe >= int64_t(isa::numPipe))
    return;
  used = true;
  ++unlocked[id][pipe];
}

// A masked call whose tensors stand first and whose repeats one operand counts.
struct Repeats {
  unsigned operand = 0; // 0: the call has no repeats
  unsigned numTensors = 0;
  uint64_t bytes[4] = {}; // from one repeat to the next; wraps on operands that validation will refuse
};

static Repeats repeatsOf(const Instr &instr, uint64_t size, uint64_t lanes) {
  uint64_t args[maxArgs];
  std::copy(std::begin(instr.args), std::end(instr.args), args);
  switch (instr.op) {
#define TILESMITH_UNWRAP(...) __VA_ARGS__
#define TILESMITH_REPEATS(opcode, repeat, perRepeat)                                                                   \
  case Opcode::opcode: {                                                                                               \
    const uint64_t bytes[] = {TILESMITH_UNWRAP perRepeat};                                                             \
    Repeats result{repeat, std::size(bytes)};                                                                          \
    std::copy(std::begin(bytes), std::end(bytes), result.bytes);                                                       \
    return result;                                                                                                     \
  }
#include "tilesmith/Machine/Abi.inc"
#undef TILESMITH_REPEATS
#undef TILESMITH_UNWRAP
  default:
    return {};
  }
}

} // namespace tilesmith::machine

// In counter mode whole repeats are one call, and the elements that are left another one behind them.
void TsCore::issueCounter(Instr &instr, unsigned index, int64_t size, int64_t lanes) {
  Repeats repeats = repeatsOf(instr, uint64_t(size), uint64_t(lanes));
  int64_t count = int64_t(registers.mask.low), whole = count / lanes, rest = count % lanes;
  if (!repeats.operand) {
    instr.args[index] = std::min(count, lanes);
    if (count)
      issue(instr);
    return;
  }
  instr.args[index] = lanes;
  instr.args[repeats.operand] = whole;
  if (whole)
    issue(instr);
  instr.args[index] = rest;
  instr.args[repeats.operand] = 1;
  for (unsigned i = 0; i < repeats.numTensors; ++i)
    instr.args[i] = int64_t(uint64_t(instr.args[i]) + uint64_t(whole) * repeats.bytes[i]);
  if (rest)
    issue(instr);
}

void TsCore::issueByRegister(Instr &instr, unsigned index) {
  MaskRegister &mask = registers.mask;
  int64_t &operand = instr.args[index];
  int64_t size = isa::sizeOf(instr.dtype);
  if (instr.info().dtype2Operand >= 0)
    size = std::max<int64_t>(size, isa::sizeOf(instr.dtype2));
  int64_t lanes = size ? isa::repeatBytes / size : 128;
  if (operand != TS_MASK_BITS) {
    int64_t given = operand - TS_MASK_GIVEN;
    if (!mask.counts) { // bytes have more lanes than the register has bits
      mask.setFirst(uint64_t(given));
      operand = std::min(given, lanes);
      issue(instr);
      return;
    }
    mask.low = uint64_t(given);
  }
  if (mask.counts)
    return issueCounter(instr, index, size, lanes);
  // Lanes beyond those of a repeat do not exist.
  uint64_t low = mask.low, high = lanes > 64 ? mask.high : 0;
  if (lanes < 64)
    low &= (uint64_t(1) << lanes) - 1;
  bool first = (low & (low + 1)) == 0 && (high & (high + 1)) == 0 && (high == 0 || low == ~uint64_t(0));
  operand = first ? std::popcount(low) + std::popcount(high) : TS_MASK_BITS;
  if (!first) {
    instr.lanes[0] = low;
    instr.lanes[1] = high;
  }
  issue(instr);
}
