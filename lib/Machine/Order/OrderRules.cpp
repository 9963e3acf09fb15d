#include "OrderRules.h"
#include "Time/ReplayCost.h"
#include "tilesmith/Isa/Chip.h"

namespace tilesmith::machine {

CoreUse coreUseOf(const BlockTrace &block) {
  CoreUse use;
  for (const Instr &instr : block.calls) {
    Family family = instr.info().family;
    use.cube |= isCube(instr.op);
    bool toL1 = family == Family::MoveIn && isa::family::MoveIn(instr).dst().memory() == Memory::L1;
    use.cube |= toL1;
    use.vector |= instr.info().pipe == Pipe::V || (family == Family::MoveIn && !toL1) || family == Family::MoveOut;
  }
  if (!use.cube)
    use.vector = true;
  return use;
}

bool hasEvent(Pipe from, Pipe to, Arch arch, CoreUse use) {
  return (use.cube && isa::hasEvent(arch, isa::CoreKind::AIC, from, to)) ||
         (use.vector && isa::hasEvent(arch, isa::CoreKind::AIV, from, to));
}

WriteKind writeKindOf(const Instr &instr, isa::AtomicOp atomic) {
  switch (instr.info().family) {
  case Family::Mmad: {
    isa::family::Mmad call(instr);
    return isa::mmadFollowsFreely(call.m(), call.n()) ? WriteKind::LongMmad : WriteKind::Plain;
  }
  case Family::MoveOut:
  case Family::Fixpipe:
    switch (instr.op == Opcode::FixpipeToL1 ? isa::AtomicOp::None : atomic) {
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
  default:
    return WriteKind::Plain;
  }
}

bool followFreely(WriteKind earlier, WriteKind later) { return earlier == later && later != WriteKind::Plain; }

} // namespace tilesmith::machine
