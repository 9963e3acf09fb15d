// What the rules of the chip (Isa/Chip.h) mean for a block and its calls.
#ifndef TILESMITH_LIB_MACHINE_ORDER_ORDERRULES_H
#define TILESMITH_LIB_MACHINE_ORDER_ORDERRULES_H

#include "tilesmith/Machine/Trace.h"

namespace tilesmith::machine {

// Whether a core of one of the kinds has an event from one pipe to the other.
bool hasEvent(Pipe from, Pipe to, Arch arch, isa::CoreKinds kinds);

// Whether a call may read or write GM, as its record says.
bool touchesGlobal(const Instr &instr, Access access);

// What a write may be followed by on its own pipe without a barrier; part of a cell's history.
enum class WriteKind : uint8_t { Plain, AtomicAdd, AtomicMax, AtomicMin, LongMmad };
WriteKind writeKindOf(const Instr &instr, isa::AtomicOp atomic);
// Two such accesses of one pipe to the same bytes need no barrier: equal atomics commute, and accumulations into L0C
// long enough to be complete when the next one arrives follow each other.
bool followFreely(WriteKind earlier, WriteKind later);

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_ORDER_ORDERRULES_H
