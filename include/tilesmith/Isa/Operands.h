// The operands of a call by name: `isa::Mmad call(instr); call.m()`.
//
// A call is anything with an opcode `op`, arguments `args` and their number `numArgs`, in the order of the record. Each
// instruction form has a view; it costs nothing and lives as long as the call it looks at. A buffer reads as an
// Address, an attribute as its enumeration (`quantValue()` is the number, which may be no enumerator in a call that was
// not validated), everything else as int64. `fill` makes a call out of operands.
//
// Code that serves a family uses the view of what all its members begin with, in namespace `family`: of all forms
// (`family::Cast`), or of one (`family::CastRepeat`).
#ifndef TILESMITH_ISA_OPERANDS_H
#define TILESMITH_ISA_OPERANDS_H

#include "tilesmith/Isa/Isa.h"
#include <cassert>

namespace tilesmith::isa {

// How a move uses L2: as usual, past it, as the first lines to leave, or as the last ones.
enum class CacheHint : uint8_t { Normal, Bypass, Last, Persistent };

// An address: the memory in the top byte, the byte offset below. In GM the offset is the device address.
struct Address {
  int64_t bits = 0;

  static constexpr int memoryShift = 56;
  static constexpr int64_t offsetMask = (int64_t(1) << memoryShift) - 1;

  constexpr Address() = default;
  constexpr explicit Address(int64_t bits) : bits(bits) {}
  constexpr Address(Memory memory, int64_t offset)
      : bits(int64_t(uint64_t(memory) << memoryShift | (uint64_t(offset) & uint64_t(offsetMask)))) {}

  // What is no memory is refused where calls are checked; until then it reads as GM.
  constexpr Memory memory() const {
    uint64_t number = uint64_t(bits) >> memoryShift & 15;
    return number < numMemory ? Memory(number) : Memory::GM;
  }
  constexpr int64_t offset() const { return bits & offsetMask; }

  // Of addresses in GM: the hints travel above the memory, that of writes above that of reads.
  static constexpr int hintShift = 60;
  constexpr CacheHint hint(bool write) const { return CacheHint(uint64_t(bits) >> (hintShift + 2 * write) & 3); }
  constexpr Address withoutHints() const {
    return memory() == Memory::GM ? Address(int64_t(uint64_t(bits) & ~(uint64_t(15) << hintShift))) : *this;
  }
};

struct CallView {
  template <typename Call> explicit CallView(const Call &call) : args(call.args) {}

  const int64_t *args;
};

#include "tilesmith/Isa/Operands.h.inc"

} // namespace tilesmith::isa

#endif // TILESMITH_ISA_OPERANDS_H
