// Which bytes an instruction reads and writes.
//
// The one definition of an instruction's footprint: bounds checks, the order checker, the initialised map, late mode
// and cross-block checks all use it. Exact to the byte, masks included.
#ifndef TILESMITH_MACHINE_EFFECTS_H
#define TILESMITH_MACHINE_EFFECTS_H

#include "tilesmith/Machine/Instr.h"
#include <vector>

namespace tilesmith::machine {

// `count` runs of `length` bytes, `stride` bytes apart. Normalised: touching runs are merged (count 1), count and
// length are at least 1, and an empty footprint is no effect at all.
struct Effect {
  Access access = Access::Read; // Read or Write
  uint8_t operand = 0;          // index of the operand (VF: of the argument)
  Memory memory = Memory::UB;
  int64_t start = 0; // offset in the memory; in GM the device address
  int64_t length = 0, stride = 0, count = 1;

  int64_t end() const { return start + stride * (count - 1) + length; }
};

// Appends the effects of the instruction, reads before writes. Arguments may be anything: negative or huge sizes give
// effects that the bounds check refuses (see validate in Core), never overflow.
void effectsOf(const Instr &instr, Arch arch, std::vector<Effect> &effects);

} // namespace tilesmith::machine

#endif // TILESMITH_MACHINE_EFFECTS_H
