#include "OrderRules.h"
#include "tilesmith/Isa/Chip.h"
#include <array>

namespace tilesmith::machine {

bool hasEvent(Pipe from, Pipe to, Arch arch, isa::CoreKinds kinds) {
  return (kinds.has(isa::CoreKind::AIC) && isa::hasEvent(arch, isa::CoreKind::AIC, from, to)) ||
         (kinds.has(isa::CoreKind::AIV) && isa::hasEvent(arch, isa::CoreKind::AIV, from, to));
}

bool touchesGlobal(const Instr &instr, Access access) {
  static const std::array<uint8_t, isa::numOpcodes> accesses = [] {
    std::array<uint8_t, isa::numOpcodes> table{};
    for (unsigned op = 0; op < isa::numOpcodes; ++op) {
      const isa::InstructionInfo &info = isa::getInstruction(Opcode(op));
      for (unsigned i = 0; i < info.numOperands; ++i)
        if (info.operands[i].memories & isa::memoryBit(Memory::GM))
          table[op] |= uint8_t(info.operands[i].access);
    }
    return table;
  }();
  if (instr.op == Opcode::VectorFunction)
    return instr.vf && instr.vf->recorded && instr.vf->recorded->global;
  return accesses[unsigned(instr.op)] & uint8_t(access);
}

WriteKind writeKindOf(const Instr &instr, isa::AtomicOp atomic) {
  switch (instr.info().family) {
  case Family::Mmad: {
    isa::family::Mmad call(instr);
    return isa::mmadFollowsFreely(call.m(), call.n()) ? WriteKind::LongMmad : WriteKind::Plain;
  }
  case Family::MoveOut:
  case Family::Fixpipe: {
    bool isFixpipe = instr.info().family == Family::Fixpipe;
    Address to = isFixpipe ? isa::family::Fixpipe(instr).dst() : isa::family::MoveOut(instr).dst();
    switch (to.memory() != Memory::GM ? isa::AtomicOp::None : atomic) {
    case isa::AtomicOp::Add:
      return WriteKind::AtomicAdd;
    case isa::AtomicOp::Max:
      return WriteKind::AtomicMax;
    case isa::AtomicOp::Min:
      return WriteKind::AtomicMin;
    case isa::AtomicOp::None:
      return WriteKind::Plain;
    }
    return WriteKind::Plain;
  }
  default:
    return WriteKind::Plain;
  }
}

bool followFreely(WriteKind earlier, WriteKind later) { return earlier == later && later != WriteKind::Plain; }

} // namespace tilesmith::machine
