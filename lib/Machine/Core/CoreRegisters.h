// What calls leave behind in a core for later calls: the mask register, the registers operands can be taken from,
// buffer ids, the current TPipe. Every block begins with them as they are here.
//
// Invariant: an Instr never refers to them. What a call takes from a register stands in the Instr when it is issued, so
// that delaying, tracing and replaying it need no state.
#ifndef TILESMITH_LIB_MACHINE_CORE_COREREGISTERS_H
#define TILESMITH_LIB_MACHINE_CORE_COREREGISTERS_H

#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Machine/Instr.h"
#include <array>

struct TsCore;

namespace tilesmith::machine {

// The lanes of a repeat that are active: bit i of low is lane i, of high lane 64 + i. In counter mode `low` elements of
// the whole call are.
struct MaskRegister {
  bool counts = false;
  uint64_t low = ~uint64_t(0), high = ~uint64_t(0);

  void setFirst(uint64_t n);
};

// Buffer ids of the 950: a pipe that locks an id waits for the other pipes that have unlocked it since. Flags do that
// here; they wait for all of the other pipe's work so far.
class BufferLocks {
public:
  void reset() {
    if (used)
      *this = {};
  }
  void lock(TsCore &core, int64_t loc, int64_t pipe, int64_t id);
  void unlock(int64_t pipe, int64_t id);
  int64_t nextId() { return taken++ % isa::userBufferIds; }

private:
  static constexpr int64_t ids = isa::bufferIds;
  bool used = false;
  int64_t taken = 0;
  uint32_t unlocked[ids][isa::numPipe] = {}, seen[ids][isa::numPipe][isa::numPipe] = {};
};

struct CoreRegisters {
  MaskRegister mask;
  std::array<int64_t, isa::numRegister> values = initial;
  int64_t pipe = 0;              // the object of the current TPipe
  int64_t turns = 0, cycles = 0; // of WaitPreBlock, and GetSystemCycle

  static constexpr int64_t halfOne = 0x3c00;
  static constexpr int64_t noPadValue = INT64_MIN; // padding that brings no value of its own is as the chip pleases
  // DeqScale, the quantisation, number and distances of matrices of a Fixpipe, Workspace, PadValue.
  static constexpr std::array<int64_t, isa::numRegister> initial = {halfOne, 0, 1, 0, 0, 0, noPadValue};
};

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_CORE_COREREGISTERS_H
