//===- OverloadsSync.td - Flags, barriers and modes by template arguments --------------------------------------------===//
#ifndef TILESMITH_ISA_OVERLOADSSYNC
#define TILESMITH_ISA_OVERLOADSSYNC

include "Overload.td"
include "Sync.td"

class Event<string name, Instruction to> : Overload<name, "int32_t eventID", [
  Way<to, "Plain", ["from = from(event)", "to = to(event)", "id = eventID"]>]> { let options = "HardEvent event"; }
def : Event<"SetFlag", SetFlag>;
def : Event<"WaitFlag", WaitFlag>;
// The scalar unit is in order: there is nothing to wait for.
def : Overload<"PipeBarrier", "", [Way<PipeBarrier, "Plain", ["on = pipe"], "pipe != pipe_t::PIPE_S">]> { let options = "pipe_t pipe"; }
def : Overload<"DataSyncBarrier", "", [Way<PipeBarrier, "Plain", ["on = Pipe::ALL"]>]> { let options = "MemDsbT kind"; }

// From here on stores to global memory combine with what is there.
class Atomic<string name, string how> : Overload<name, "", [Way<SetAtomic, "Plain", [!strconcat("op = AtomicOp::", how)]>]> { let options = "typename T"; }
def : Atomic<"SetAtomicAdd", "Add">;
def : Atomic<"SetAtomicType", "Add">;
def : Atomic<"SetAtomicMax", "Max">;
def : Atomic<"SetAtomicMin", "Min">;
def : Overload<"SetAtomicNone", "", [Way<SetAtomic, "Plain", ["op = AtomicOp::None"]>]>;
def : Overload<"DisableDmaAtomic", "", [Way<SetAtomic, "Plain", ["op = AtomicOp::None"]>]>;

#endif // TILESMITH_ISA_OVERLOADSSYNC
