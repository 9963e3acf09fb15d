//===- Sync.td - Flags, barriers, modes, identity of the block -------------------------------------------------------===//
#ifndef TILESMITH_ISA_SYNC
#define TILESMITH_ISA_SYNC

include "Instruction.td"

def SetFlag : Instruction<"set_flag", "SetFlag"> {
  let summary = "When everything earlier on pipe `from` is complete, raises flag `id` for pipe `to`.";
  let family = "Flag";
  let pipe = "ALL"; // travels in the queue of `from`
  let cost = "Sync";
  let operands = [Attr<"from", Pipe>, Attr<"to", Pipe>, Int<"id">];
  let dtypeOf = "";
  let pythonForms = ["set_flag(event: HardEvent, event_id: RuntimeInt = 0)"];
  let example = "AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(0);";
}
def WaitFlag : Instruction<"wait_flag", "WaitFlag"> {
  let summary = "Pipe `to` waits for flag `id` of pipe `from` and lowers it.";
  let family = "Flag";
  let pipe = "ALL"; // travels in the queue of `to`
  let cost = "Sync";
  let operands = [Attr<"from", Pipe>, Attr<"to", Pipe>, Int<"id">];
  let dtypeOf = "";
  let pythonForms = ["wait_flag(event: HardEvent, event_id: RuntimeInt = 0)"];
  let example = "AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(0);";
}
def PipeBarrier : Instruction<"pipe_barrier", "PipeBarrier"> {
  let summary = "Later instructions of the pipe wait for all earlier ones of it; ALL: every pipe, and the scalar unit.";
  let family = "Barrier";
  let pipe = "ALL";
  let cost = "Sync";
  let operands = [Attr<"on", Pipe>];
  let dtypeOf = "";
  let pythonForms = ["pipe_barrier(pipe: PipeID)"];
  let example = "AscendC::PipeBarrier<PIPE_V>();";
}
def CrossSet : Instruction<"cross_set", "CrossCoreSetFlag"> {
  let summary = "When everything earlier on pipe `from` is complete, counts one set of `key`, which all blocks of a launch share.";
  let family = "Cross";
  let pipe = "ALL"; // travels in the queue of `from`
  let cost = "Sync";
  let operands = [Attr<"from", Pipe>, Int<"key">];
  let dtypeOf = "";
  let example = "AscendC::CrossCoreSetFlag<0, PIPE_MTE3>(3);";
}
def CrossWait : Instruction<"cross_wait", "CrossCoreWaitFlag"> {
  let summary = "The core waits; the n-th wait of a block for `key` goes on when n times `sets` sets of it have been counted.";
  let family = "Cross";
  let pipe = "S";
  let cost = "Sync";
  let operands = [Int<"key">, Int<"sets">];
  let dtypeOf = "";
  let example = "AscendC::CrossCoreWaitFlag(3);";
}
def CrossCoreSet : Instruction<"cross_core_set", "CrossCoreSetFlag"> {
  let summary = "When everything earlier on pipe `from` is complete, sets cross-core flag `id`: mode 0 for all cores of this kind, 1 for "
                "the vector cores of the block, 2 between its cube core and its vector cores, 4 between the cube core and one of them.";
  let family = "Cross";
  let pipe = "ALL"; // travels in the queue of `from`
  let cost = "Sync";
  let operands = [Attr<"from", Pipe>, Int<"mode">, Int<"id">];
  let dtypeOf = "";
  let example = "AscendC::CrossCoreSetFlag<2, PIPE_FIX>(3);";
}
def CrossCoreWait : Instruction<"cross_core_wait", "CrossCoreWaitFlag"> {
  let summary = "Pipe `on` waits for cross-core flag `id` of this core and takes one set of it. Modes 0 to 2 have the same flags.";
  let family = "Cross";
  let pipe = "ALL"; // travels in the queue of `on`
  let cost = "Sync";
  let operands = [Attr<"on", Pipe>, Int<"mode">, Int<"id">];
  let dtypeOf = "";
  let example = "AscendC::CrossCoreWaitFlag<2, PIPE_V>(3);";
}
def SetAtomic : Instruction<"set_atomic", "SetAtomic"> {
  let summary = "Stores to GM from here on combine by `op`; ordered with the other pipes by hardware.";
  let family = "Control";
  let pipe = "S";
  let cost = "Free";
  let operands = [Attr<"op", AtomicOp>];
  let dtypeOf = "";
  let pythonForms = ["set_atomic_add(dtype: DataType)", "set_atomic_max(dtype: DataType)", "set_atomic_min(dtype: DataType)",
                     "set_atomic_none()"];
  let example = "AscendC::SetAtomicAdd<float>();";
}
def BlockIdx : Instruction<"block_idx", "GetBlockIdx"> {
  let summary = "Index of this block, from 0.";
  let family = "Control";
  let pipe = "S";
  let cost = "Free";
  let dtypeOf = "";
  let hasResult = 1;
  let pythonForms = ["get_block_idx() -> PlainValue"];
  let example = "int i = AscendC::GetBlockIdx();";
}
def BlockNum : Instruction<"block_num", "GetBlockNum"> {
  let summary = "Number of blocks of the launch.";
  let family = "Control";
  let pipe = "S";
  let cost = "Free";
  let dtypeOf = "";
  let hasResult = 1;
  let pythonForms = ["get_block_num() -> PlainValue"];
  let example = "int n = AscendC::GetBlockNum();";
}
def DevicePrint : Instruction<"device_print", "printf"> {
  let summary = "Element `element` of value `value` of a line to print; `site` names the line in the kernel's table. Element 0 "
                "of value 0 starts the line, and stands for nothing in a line without values.";
  let family = "Control";
  let pipe = "S";
  let cost = "Free";
  let operands = [Int<"site">, Int<"value">, Int<"element">, Scalar<"content">];
  let dtypeOf = "";
  let pythonForms = ["printf(fmt: str, *values: Scalar)"];
  let example = "AscendC::printf(\"%d\\n\", n);";
}

#endif // TILESMITH_ISA_SYNC
