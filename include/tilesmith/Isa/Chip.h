// Rules of the chip, generated from Chip.td: what holds for every part of an architecture.
//
// Plain constants and tables without reasoning: the planner, the checkers and the Machine draw their own conclusions.
#ifndef TILESMITH_ISA_CHIP_H
#define TILESMITH_ISA_CHIP_H

#include "tilesmith/Isa/Isa.h"

namespace tilesmith::isa {

constexpr uint16_t pipeBit(Pipe pipe) { return uint16_t(1u << unsigned(pipe)); }

// Start addresses in a memory, in bytes: what the chip asks of an operand, and what a planner hands out.
struct MemoryRule {
  int64_t alignment, granule;
};

// A kind of core on one architecture.
struct CoreRule {
  uint16_t pipes, memories;   // bits
  uint16_t eventsTo[numPipe]; // by the pipe that sets: bits of the pipes that may wait
};

struct ArchRule {
  uint16_t ordersItself; // bits of pipes
  uint16_t crossModes;   // bits of the modes of flags between cores
  bool hasBufferIds;
};

#include "tilesmith/Isa/Chip.h.inc"

constexpr const MemoryRule &ruleOf(Memory memory) { return memoryRules[unsigned(memory)]; }
constexpr const CoreRule &ruleOf(Arch arch, CoreKind kind) { return coreRules[unsigned(arch)][unsigned(kind)]; }
constexpr const ArchRule &ruleOf(Arch arch) { return archRules[unsigned(arch)]; }

// Whether this kind of core has flags from one pipe to the other.
constexpr bool hasEvent(Arch arch, CoreKind kind, Pipe from, Pipe to) {
  return ruleOf(arch, kind).eventsTo[unsigned(from)] & pipeBit(to);
}

// Whether an instruction sees the effects of earlier ones of its own pipe without a barrier.
constexpr bool ordersItself(Arch arch, Pipe pipe) { return ruleOf(arch).ordersItself & pipeBit(pipe); }

// The types one Cast makes of this one.
constexpr DTypeSet castTargets(Arch arch, DType from) { return castRules[unsigned(arch)][unsigned(from)]; }

// Whether an mmad of m x n results is long enough to follow, and be followed by, another long one without a barrier.
constexpr bool mmadFollowsFreely(int64_t m, int64_t n) {
  constexpr int64_t most = int64_t(1) << 20; // keeps the product of wild operands in range
  auto fractals = [](int64_t size) { return (size < 0 ? 0 : size > most ? most : size) / fractalRows; };
  return fractals(m) * fractals(n) >= mmadFollowFractals;
}

inline constexpr int64_t blocksPerRepeat = repeatBytes / blockBytes;
static_assert(fractalBytes == fractalRows * blockBytes);

} // namespace tilesmith::isa

#endif // TILESMITH_ISA_CHIP_H
