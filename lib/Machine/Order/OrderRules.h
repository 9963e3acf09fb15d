// What the rules of the chip (Isa/Chip.h) mean for a block and its calls.
#ifndef TILESMITH_LIB_MACHINE_ORDER_ORDERRULES_H
#define TILESMITH_LIB_MACHINE_ORDER_ORDERRULES_H

#include "tilesmith/Machine/Trace.h"

namespace tilesmith::machine {

// What the block's calls say about the core it runs on. A kernel that uses both runs on a pair of cores as one.
struct CoreUse {
  bool cube = false, vector = false;
};
CoreUse coreUseOf(const BlockTrace &block);

// Whether a core has an event from one pipe to the other.
bool hasEvent(Pipe from, Pipe to, Arch arch, CoreUse use);

// What a write may be followed by on its own pipe without a barrier; part of a cell's history.
enum class WriteKind : uint8_t { Plain, AtomicAdd, AtomicMax, AtomicMin, LongMmad };
WriteKind writeKindOf(const Instr &instr, isa::AtomicOp atomic);
// Two such accesses of one pipe to the same bytes need no barrier: equal atomics commute, and accumulations into L0C
// long enough to be complete when the next one arrives follow each other.
bool followFreely(WriteKind earlier, WriteKind later);

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_ORDER_ORDERRULES_H
