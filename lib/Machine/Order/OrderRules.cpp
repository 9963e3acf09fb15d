#include "OrderRules.h"
#include "Time/ReplayCost.h"
#include <algorithm>

namespace tilesmith::machine {

CoreUse coreUseOf(const BlockTrace &block) {
  CoreUse use;
  for (const Instr &instr : block.calls) {
    Family family = instr.info().family;
    use.cube |= isCube(instr.op);
    bool toL1 = family == Family::MoveIn && instr.address(0).memory() == Memory::L1;
    use.cube |= toL1;
    use.vector |= instr.info().pipe == Pipe::V || (family == Family::MoveIn && !toL1) || family == Family::MoveOut;
  }
  if (!use.cube)
    use.vector = true;
  return use;
}

bool hasEvent(Pipe from, Pipe to, CoreUse use) {
  struct Event {
    Pipe from, to;
    bool both; // and the other way round
  };
  // The events of the two kinds of core, as the developer kit's headers list them.
  static constexpr Event cubeEvents[] = {
      {Pipe::MTE2, Pipe::MTE1, true}, {Pipe::MTE1, Pipe::M, true},  {Pipe::MTE3, Pipe::MTE1, true},
      {Pipe::MTE2, Pipe::M, true},    {Pipe::M, Pipe::FIX, true},   {Pipe::MTE3, Pipe::MTE2, true},
      {Pipe::S, Pipe::MTE2, true},    {Pipe::S, Pipe::MTE3, true},  {Pipe::MTE2, Pipe::FIX, true},
      {Pipe::FIX, Pipe::S, false},    {Pipe::M, Pipe::S, false},    {Pipe::FIX, Pipe::MTE3, false},
      {Pipe::MTE1, Pipe::FIX, true},  {Pipe::FIX, Pipe::FIX, false}};
  static constexpr Event vectorEvents[] = {{Pipe::MTE2, Pipe::V, true}, {Pipe::MTE3, Pipe::V, true},
                                           {Pipe::V, Pipe::V, false},   {Pipe::MTE3, Pipe::MTE2, true},
                                           {Pipe::S, Pipe::V, true},    {Pipe::S, Pipe::MTE2, true},
                                           {Pipe::S, Pipe::MTE3, true}};
  auto matches = [&](const Event &event) {
    return (event.from == from && event.to == to) || (event.both && event.from == to && event.to == from);
  };
  return (use.cube && std::any_of(std::begin(cubeEvents), std::end(cubeEvents), matches)) ||
         (use.vector && std::any_of(std::begin(vectorEvents), std::end(vectorEvents), matches));
}

bool ordersItself(Pipe pipe, Arch arch) { return pipe == Pipe::S || (pipe == Pipe::V && arch == Arch::C310); }

WriteKind writeKindOf(const Instr &instr, isa::AtomicOp atomic) {
  switch (instr.info().family) {
  case Family::Mmad: {
    auto fractals = [](int64_t n) { return (std::clamp<int64_t>(n, 0, 1 << 20) + 15) / 16; };
    return fractals(instr.args[3]) * fractals(instr.args[4]) >= 10 ? WriteKind::LongMmad : WriteKind::Plain;
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
