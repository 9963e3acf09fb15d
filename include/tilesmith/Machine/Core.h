// One AI core of the model: its memories, pipes and flags, running the calls of one block.
//
// A core executes calls in program order. Each call is validated (operands, alignment, bounds); a bad one is a finding
// and is skipped. A good one is executed at once, or in late mode queued on its pipe until something waits for it. With
// tracing it is appended to the block's trace; time and order are computed from the trace afterwards, so nothing here
// depends on host threads.
//
// Invariants
//  - an access that leaves its memory never touches host memory
//  - device addresses, not host addresses, identify global memory
#ifndef TILESMITH_MACHINE_CORE_H
#define TILESMITH_MACHINE_CORE_H

#include "tilesmith/Machine/Abi.h"
#include "tilesmith/Machine/Effects.h"
#include "tilesmith/Machine/Finding.h"
#include "tilesmith/Machine/Platform.h"
#include <atomic>
#include <memory>
#include <span>
#include <vector>

namespace tilesmith::machine {

// A kernel argument in global memory: device addresses [device, device + size) are the host bytes at `host`.
struct GlobalRange {
  int64_t device = 0, size = 0;
  uint8_t *host = nullptr;
  int64_t slack = 0;                    // of the size: bytes behind the array, which belong to nobody
  std::atomic<bool> *reached = nullptr; // set when an instruction uses them; null: nobody asks
  bool constant = false; // the bytes are there and the kernel does not write them: a dry launch may read them
};

// The memories of a core as execution sees them. Offsets were validated before.
struct MemoryView {
  uint8_t *base[isa::numMemory] = {}; // base[GM] is unused: global memory is reached through `global`
  std::span<const GlobalRange> global;
  isa::AtomicOp atomic = isa::AtomicOp::None;
  Arch arch = Arch::C220;
  mutable uint64_t compareRegister[2] = {}; // of V, by lanes
  // Of the other cores of the block, where they have them: direct paths write there.
  uint8_t *ubOf[2] = {}, *l1OfCube = nullptr;

  // Host pointer of an address whose footprint was validated.
  uint8_t *at(Address address) const;
  // The same where a direct path leads: in UB of a vector core, in L1 of the cube core.
  uint8_t *inUb(unsigned subBlock, int64_t offset) const {
    return (ubOf[subBlock] ? ubOf[subBlock] : base[unsigned(Memory::UB)]) + offset;
  }
  uint8_t *inL1(int64_t offset) const { return (l1OfCube ? l1OfCube : base[unsigned(Memory::L1)]) + offset; }
};

// Executes one validated instruction on the memories (lib/Machine/Exec). Returns the bits of the result, or 0.
int64_t execute(const Instr &instr, const MemoryView &memory);

// What execution needs besides the footprint: dtype supported on the architecture, strides and counts in range, enum
// values known. Returns an empty string or the reason (one sentence with the numbers).
std::string validateOperands(const Instr &instr, Arch arch);

} // namespace tilesmith::machine

#endif // TILESMITH_MACHINE_CORE_H
