// One instruction call as the Machine sees it.
//
// An Instr is a plain value: everything the Machine does with a call (execute, delay, trace, check, time) needs only
// this, so a call can be copied, queued and replayed. Arguments stand in the order of the record (Isa/Isa.td); they are
// read by name, through the views of Isa/Operands.h.
#ifndef TILESMITH_MACHINE_INSTR_H
#define TILESMITH_MACHINE_INSTR_H

#include "tilesmith/Isa/Cores.h"
#include "tilesmith/Isa/Operands.h"
#include "tilesmith/Machine/VectorFunction.h"

namespace tilesmith::machine {

using isa::Access;
using isa::Address;
using isa::Arch;
using isa::DType;
using isa::Family;
using isa::Form;
using isa::Memory;
using isa::Opcode;
using isa::Pipe;

inline constexpr unsigned maxArgs = 16;

struct Instr {
  Opcode op = Opcode::BlockIdx;
  DType dtype = DType::F32, dtype2 = DType::F32;
  uint8_t numArgs = 0;
  uint32_t loc = 0; // index into the kernel's table of source locations; 0: unknown
  int64_t args[maxArgs] = {};
  // Only of Opcode::VectorFunction; both outlive the launch.
  const TsVfDesc *vf = nullptr;
  TsVfFn vfFn = nullptr;
  // The active lanes of a repeat whose mask operand is TS_MASK_BITS: lane i is bit i % 64 of word i / 64. Masks that
  // are the first lanes are numbers and leave this alone.
  uint64_t lanes[2] = {};

  const isa::InstructionInfo &info() const { return isa::getInstruction(op); }
  Address address(unsigned operand) const { return Address(args[operand]); } // for code that serves any instruction
};

// The call an instruction's view (Isa/Operands.h) makes of its operands.
template <typename View, typename... Operands> Instr makeCall(uint32_t loc, Operands... operands) {
  Instr instr;
  View::fill(instr, operands...);
  instr.loc = loc;
  return instr;
}

// Bits name 128 lanes; elements of one byte have more, and no instruction that takes bits.
inline bool isLaneActive(const Instr &instr, int64_t lane) {
  return lane < 128 && (instr.lanes[lane / 64] >> (lane % 64) & 1);
}

// Whether one of `count` lanes from `first` on is active.
inline bool anyLane(const Instr &instr, int64_t first, int64_t count) {
  for (int64_t i = first; i < first + count; ++i)
    if (isLaneActive(instr, i))
      return true;
  return false;
}

// Calls visit(first, count) for every run of active lanes among `total`, cut at multiples of `unit`.
template <typename Visit> void eachLaneRun(const Instr &instr, int64_t total, int64_t unit, Visit visit) {
  for (int64_t i = 0; i < total;) {
    int64_t end = i;
    while (end < total && isLaneActive(instr, end) && (end == i || end % unit != 0))
      ++end;
    if (end > i)
      visit(i, end - i);
    i = end > i ? end : i + 1;
  }
}

// The pipe whose queue a call travels in: that of the record, or for flags and barriers the one its operands name.
Pipe pipeOf(const Instr &instr);

// Whether the call writes into a memory of another core of its block.
inline bool isDirect(const Instr &instr) { return instr.op == Opcode::FixpipeToUb || instr.op == Opcode::CopyUbToL1; }

// The kinds of cores that have the call's pipe and memories.
inline isa::CoreKinds coresFor(const Instr &instr, Arch arch) {
  return isa::coresFor(instr.info(), arch, [&](unsigned operand) { return instr.address(operand).memory(); });
}

} // namespace tilesmith::machine

#endif // TILESMITH_MACHINE_INSTR_H
