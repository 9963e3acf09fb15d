#include "Exec.h"

namespace tilesmith::machine {

int64_t execute(const Instr &instr, const MemoryView &memory) {
  switch (instr.info().family) {
  case Family::VectorUnary:
  case Family::VectorBinary:
  case Family::VectorScalar:
  case Family::Cast:
  case Family::Compare:
  case Family::CompareScalar:
  case Family::Select:
  case Family::WholeReduce:
    exec::vector(instr, memory);
    return 0;
  case Family::WholeReduceIndex:
  case Family::BlockReduce:
  case Family::ReduceAll:
    exec::reduce(instr, memory);
    return 0;
  case Family::Gather:
    return exec::gather(instr, memory);
  case Family::GatherPattern:
    return exec::gatherPattern(instr, memory);
  case Family::GatherBlocks:
    return exec::gatherBlocks(instr, memory);
  case Family::Scatter:
    return exec::scatter(instr, memory);
  case Family::Merge:
    return exec::merge(instr, memory);
  case Family::Trans5hd:
    exec::transposeRows(instr, memory);
    return 0;
  case Family::Mixed:
    exec::mixed(instr, memory);
    return 0;
  case Family::Arange:
    exec::arange(instr, memory);
    return 0;
  case Family::SelectScalar:
    exec::selectScalar(instr, memory);
    return 0;
  case Family::CmpMask:
    exec::compareRegister(instr, memory);
    return 0;
  case Family::CopyL1:
    exec::copyL1(instr, memory);
    return 0;
  case Family::Sort:
    exec::sort(instr, memory);
    return 0;
  case Family::Transpose:
    exec::transpose(instr, memory);
    return 0;
  case Family::Duplicate:
    exec::duplicate(instr, memory);
    return 0;
  case Family::Copy:
    exec::copy(instr, memory);
    return 0;
  case Family::Brcb:
    exec::brcb(instr, memory);
    return 0;
  case Family::MoveIn:
    exec::moveIn(instr, memory);
    return 0;
  case Family::MoveOut:
    exec::moveOut(instr, memory);
    return 0;
  case Family::MoveNz:
    exec::moveNz(instr, memory);
    return 0;
  case Family::FillL1:
    exec::fillL1(instr, memory);
    return 0;
  case Family::LoadL0:
    exec::loadL0(instr, memory);
    return 0;
  case Family::Mmad:
    exec::mmad(instr, memory);
    return 0;
  case Family::Fixpipe:
    exec::fixpipe(instr, memory);
    return 0;
  case Family::ScalarAccess:
    return exec::scalarAccess(instr, memory);
  case Family::VectorFunction:
    instr.vfFn(memory.base[unsigned(Memory::UB)], instr.args);
    return 0;
  case Family::Flag:
  case Family::Barrier:
  case Family::Cross:
  case Family::Control:
    return 0; // the core's own business
  }
  return 0;
}

} // namespace tilesmith::machine
