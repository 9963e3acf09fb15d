//===- Services.td - What a kernel asks of its core besides instructions ---------------------------------------------===//
//
// A service is one entry of the Machine's C ABI that is not an instruction: nothing of it is traced, takes time or waits in
// a pipe, unless it issues instructions itself (a queue's flags). Kernels compiled from C++ and kernels of the JIT reach the
// same entries: tsm_<mnemonic>(core[, loc], parameters). No argument crashes: what cannot be done is a finding.
//
//===------------------------------------------------------------------------------------------------------------------===//
#ifndef TILESMITH_ISA_SERVICES
#define TILESMITH_ISA_SERVICES

include "Enums.td"

// One parameter. Numbers, handles and addresses of the chip are int64; pointers of the host have their C type.
class Value<string valueName, string type = "int64_t"> {
  string name = valueName;
  string cType = type;
}
class Service<string irName, string of, string text, list<Value> takes = [], string gives = "void"> {
  string mnemonic = irName;
  string object = of;            // what it belongs to, in Ascend C's words
  string summary = text;
  list<Value> parameters = takes;
  string result = gives;
  bit hasPlace = 1;              // takes the location of the call
  bit hasCore = 1;
}
// One that reports nothing.
class Quiet<string irName, string of, string text, list<Value> takes = [], string gives = "void">
    : Service<irName, of, text, takes, gives> { let hasPlace = 0; }

// The platform.
def PlatformArch : Quiet<"arch", "Platform", "The architecture, as Arch numbers it.", [], "int64_t">;
def PlatformCapacity : Quiet<"capacity", "Platform", "Bytes of a memory; 0 where the core has none of it.",
  [Value<"memory">], "int64_t">;
def PlatformUb : Quiet<"ub", "Platform", "The host bytes behind UB.", [], "uint8_t *">;

// The core itself.
def CoreKinds : Quiet<"core_kinds", "Core", "Bit 0: a cube core (AIC), bit 1: a vector core (AIV); both where the kernel does not say its type.",
  [], "int64_t">;
def BlockCores : Quiet<"block_cores", "Core", "Cores of a block; more than one: the kernel is a mixed one.", [], "int64_t">;
def SubBlockIdx : Quiet<"sub_block_idx", "Core", "Which of the block's cores of its kind this one is.", [], "int64_t">;
def SubBlockNum : Quiet<"sub_block_num", "Core", "How many cores of its kind the block has.", [], "int64_t">;
def SayKernelType : Service<"kernel_type", "Core", "The kernel says its type, as KernelType numbers it, before anything that depends on it.",
  [Value<"type">]>;

// Registers of the core. A block begins with all lanes, the scale 1 and the others 0 (ndNum 1).
def MaskLanes : Quiet<"mask_lanes", "Registers", "The mask register becomes these words: bit i of low is lane i, of high lane 64 + i. In "
  "counter mode low is a number of elements.", [Value<"low">, Value<"high">]>;
def MaskFirst : Quiet<"mask_first", "Registers", "The mask register becomes the first `lanes` lanes; in counter mode that many elements.",
  [Value<"lanes">]>;
def MaskMode : Quiet<"mask_mode", "Registers", "With `counts` a mask is a number of elements for a whole call (counter mode), else lanes of "
  "each repeat.", [Value<"counts">]>;
def SetRegister : Quiet<"set_register", "Registers", "A register becomes `value`.", [Value<"which">, Value<"value">]>;
def GetRegister : Quiet<"get_register", "Registers", "What a register holds.", [Value<"which">], "int64_t">;
def Kept : Quiet<"kept", "Registers", "Elements the last gather_mask_bits kept. The caller has waited for V.", [], "int64_t">;
def Merged : Quiet<"merged", "Registers", "Records the last mrg_sort took from its four lists, 16 bits each. The caller has waited for V.",
  [], "int64_t">;
def Turn : Quiet<"turn", "Registers", "How often this was asked in this block before: the turns of WaitPreBlock.", [], "int64_t">;
def SystemCycle : Quiet<"system_cycle", "Registers", "How often this was asked in this block, from 1: a block has no clock while it runs.",
  [], "int64_t">;

// Buffer ids of the 950; nothing on other architectures.
def BufferLock : Service<"buffer_lock", "Mutex", "The pipe waits for all other pipes that have unlocked the id since it last did.",
  [Value<"pipe">, Value<"id">]>;
def BufferUnlock : Quiet<"buffer_unlock", "Mutex", "The pipe has unlocked the id.", [Value<"pipe">, Value<"id">]>;
def BufferId : Quiet<"buffer_id", "Mutex", "The next of the ids that programs may take, in a circle.", [], "int64_t">;

// TPipe. Positions are those of AscendC::TPosition. A queue or buffer is a handle; 0 is none and gives nothing but findings.
def PipeInit : Service<"pipe_init", "TPipe", "Forgets all buffers, queues and events; `object` (any number but 0) is the pipe from here on.",
  [Value<"object">]>;
def PipeDestroy : Service<"pipe_destroy", "TPipe", "Consumes the events of freed buffers and ends the pipe, unless another one has followed.",
  [Value<"object">]>;
def PipeCurrent : Quiet<"pipe_current", "TPipe", "The object of the last pipe_init that has not been destroyed; 0: none.", [], "int64_t">;
def BufferInit : Service<"buffer_init", "TPipe", "The address of a new TBuf; 0: none.", [Value<"position">, Value<"bytes">], "int64_t">;
def EventAlloc : Service<"event_alloc", "TPipe", "An event id between two pipes that stays taken until it is released.",
  [Value<"from">, Value<"to">], "int64_t">;
def EventFetch : Service<"event_fetch", "TPipe", "An event id between two pipes that is free now.", [Value<"from">, Value<"to">], "int64_t">;
def EventRelease : Service<"event_release", "TPipe", "Gives an event id back.", [Value<"from">, Value<"to">, Value<"id">]>;

// TQue. Tensors are addresses. `from` and `to` of push and pop are positions, or -1 for those of the queue.
def QueueInit : Service<"queue_init", "TQue", "A queue of new buffers.",
  [Value<"from">, Value<"to">, Value<"buffers">, Value<"bytes">], "int64_t">;
def QueueInitAt : Service<"queue_init_at", "TQue", "A queue whose buffers lie between two addresses of one memory, for pools.",
  [Value<"from">, Value<"to">, Value<"buffers">, Value<"bytes">, Value<"begin">, Value<"end">], "int64_t">;
def QueuesEnd : Service<"queues_end", "TQue", "Ends all queues between two addresses.", [Value<"begin">, Value<"end">]>;
def QueueAlloc : Service<"queue_alloc", "TQue", "The address of a buffer that is free (AllocTensor).", [Value<"queue">], "int64_t">;
def QueuePush : Service<"queue_push", "TQue", "Hands a tensor to the consumer (EnQue).",
  [Value<"queue">, Value<"address">, Value<"from">, Value<"to">]>;
def QueuePop : Service<"queue_pop", "TQue", "The tensor that has waited longest (DeQue).",
  [Value<"queue">, Value<"from">, Value<"to">], "int64_t">;
def QueueFree : Service<"queue_free", "TQue", "Gives a buffer back (FreeTensor).", [Value<"queue">, Value<"address">]>;
def QueueBytes : Quiet<"queue_bytes", "TQue", "Bytes of one buffer.", [Value<"queue">], "int64_t">;
def QueueFilled : Quiet<"queue_filled", "TQue", "Tensors that wait in the queue.", [Value<"queue">], "int64_t">;
def QueueIdle : Quiet<"queue_idle", "TQue", "Buffers AllocTensor could give out.", [Value<"queue">], "int64_t">;

// Calls of Ascend C that are several instructions. Each is written once, here, for both languages.
def ScalarWaits : Service<"scalar_waits_for_vector", "Compositions", "The scalar unit goes on when V is through.">;
def SortRecords : Service<"sort", "Compositions", "Squares of 32 by themselves, or with `full` all of them: then merged by four until one "
  "list is left (Sort).",
  [Value<"dtype">, Value<"dst">, Value<"scores">, Value<"index">, Value<"work">, Value<"repeat">, Value<"full">]>;
def ExtractRecords : Service<"extract", "Compositions", "Scores and indices of sorted records, apart again: every other word (Extract).",
  [Value<"dtype">, Value<"scores">, Value<"index">, Value<"sorted">, Value<"repeat">]>;
def CopyRowsOut : Service<"copy_nz_to_nd", "Compositions", "Fractals in UB to rows in GM: every 32-byte column is one strided copy "
  "(DataCopy with Nz2NdParamsFull).",
  [Value<"dtype">, Value<"dst">, Value<"src">, Value<"ndNum">, Value<"nValue">, Value<"dValue">, Value<"srcNdMatrixStride">,
   Value<"srcNStride">, Value<"dstDStride">, Value<"dstNdMatrixStride">]>;
def CrossFlagSet : Service<"cross_flag_set", "Compositions", "CrossCoreSetFlag. Kernels whose blocks are one core count sets by key.",
  [Value<"mode">, Value<"pipe">, Value<"id">]>;
def CrossFlagWait : Service<"cross_flag_wait", "Compositions", "CrossCoreWaitFlag. The 910B waits on the scalar unit, whatever the call names.",
  [Value<"mode">, Value<"pipe">, Value<"id">]>;
def SyncAllCores : Service<"sync_all", "Compositions", "Everything of every core before it is complete when any core goes on: of the vector "
  "cores, or of all (SyncAll).", [Value<"onlyVector">]>;
def SyncSomeCores : Service<"sync_some", "Compositions", "SyncAll by counters in global memory; the first `cores` cores take part, 0: all. "
  "The model counts without the memory.", [Value<"workspace">, Value<"cores">]>;
def BlockSet : Service<"block_set", "Compositions", "A signal of a block to whoever waits for it (IBSet).",
  [Value<"workspace">, Value<"block">, Value<"event">]>;
def BlockWait : Service<"block_wait", "Compositions", "Waits for a signal of a block (IBWait).",
  [Value<"workspace">, Value<"block">, Value<"event">]>;
def BlockBefore : Service<"wait_pre_block", "Compositions", "Goes on when the block before has called notify_next_block. The first one starts.",
  [Value<"workspace">]>;
def BlockAfter : Service<"notify_next_block", "Compositions", "Lets the next block's wait_pre_block go on.", [Value<"workspace">]>;

// The library of functions above instructions. Which function is its number in Machine/Library.def; each is issued as
// instructions. `work` is memory for what is between them, of `workBytes` bytes; 0: what the pipe has not given out. Scalars
// are the bits of float32.
def LibraryMap : Service<"library_map", "Library", "A function of single elements: `dtype` are the sources', `dtype2` the results'.",
  [Value<"function">, Value<"dtype">, Value<"dtype2">, Value<"dst">, Value<"dst2">, Value<"src0">, Value<"src1">, Value<"src2">,
   Value<"scalar0">, Value<"scalar1">, Value<"work">, Value<"workBytes">, Value<"count">]>;
def LibraryRows : Service<"library_rows", "Library", "A function of rows, `columns` elements apart, of which the first `length` count. `dtype` "
  "are the rows', `dtype2` that of what belongs to a row or to all rows. `flags` are the function's own.",
  [Value<"function">, Value<"dtype">, Value<"dtype2">, Value<"dst">, Value<"dst2">, Value<"dst3">, Value<"src0">, Value<"src1">,
   Value<"src2">, Value<"src3">, Value<"src4">, Value<"scalar0">, Value<"scalar1">, Value<"work">, Value<"workBytes">, Value<"rows">,
   Value<"columns">, Value<"length">, Value<"flags">]>;

// Matrix objects. Their numbers, shapes and members: Machine/Matmul.h. Positions, formats and layouts are those of Ascend C;
// addresses say where a tensor lies.
def MatmulNew : Quiet<"matmul_new", "Matmul", "A new matrix object.", [], "int64_t">;
def MatmulTypeOf : Service<"matmul_type", "Matmul", "What the type of an object says of one of its matrices (MatmulType).",
  [Value<"object">, Value<"matrix">, Value<"position">, Value<"format">, Value<"dtype">, Value<"turned">, Value<"layout">]>;
def MatmulConfigOf : Service<"matmul_config", "Matmul", "A member of its MatmulConfig.", [Value<"object">, Value<"member">, Value<"value">]>;
def MatmulTiling : Service<"matmul_tiling", "Matmul", "A member of its TCubeTiling, by number.",
  [Value<"object">, Value<"member">, Value<"value">]>;
def MatmulInit : Service<"matmul_init", "Matmul", "The tiling is complete; shapes are those it says (Init).", [Value<"object">]>;
def MatmulServe : Service<"matmul_serve", "Matmul", "All objects are registered. The cube core of a mixed kernel computes for the vector cores of its "
  "block until they are through, and what its kernel calls afterwards is skipped (REGIST_MATMUL_OBJ).",
  [Value<"workspace">, Value<"cubeOnly">]>;
def MatmulFactor : Service<"matmul_factor", "Matmul", "Where a factor or the bias lies; 0: there is no bias (SetTensorA, SetTensorB, SetBias).",
  [Value<"object">, Value<"matrix">, Value<"address">, Value<"turned">]>;
def MatmulShape : Service<"matmul_shape", "Matmul", "SetOrgShape, SetSingleShape or SetTail.",
  [Value<"object">, Value<"which">, Value<"m">, Value<"n">, Value<"ka">, Value<"kb">, Value<"kc">]>;
def MatmulSet : Service<"matmul_set", "Matmul", "A number of the object.", [Value<"object">, Value<"number">, Value<"value">]>;
def MatmulIterate : Service<"matmul_iterate", "Matmul", "Whether there is another tile; without `sync` all are computed ahead (Iterate).",
  [Value<"object">, Value<"partial">, Value<"sync">], "int64_t">;
def MatmulGet : Service<"matmul_get", "Matmul", "The tile of the last iterate, to global memory or UB (GetTensorC).",
  [Value<"object">, Value<"dst">, Value<"atomic">, Value<"sequential">, Value<"sync">]>;
def MatmulAll : Service<"matmul_all", "Matmul", "All tiles (IterateAll). Without `sync` it is not waited for; matmul_wait does when `waits`.",
  [Value<"object">, Value<"dst">, Value<"atomic">, Value<"sequential">, Value<"sync">, Value<"waits">]>;
def MatmulBatch : Service<"matmul_batch", "Matmul", "Products of several pairs of matrices (IterateBatch); how many and how far apart are numbers of the object.",
  [Value<"object">, Value<"dst">, Value<"atomic">, Value<"sync">, Value<"waits">]>;
def MatmulWait : Service<"matmul_wait", "Matmul", "Goes on when all that was asked of the object is there (WaitIterateAll).", [Value<"object">]>;
def MatmulEnd : Service<"matmul_end", "Matmul", "Waits for what is left, and gives its buffers back (End).", [Value<"object">]>;

// Vector functions.
def VfRun : Service<"vf", "Vector functions", "Issues a compiled vector function with the description of what it touches.",
  [Value<"desc", "const TsVfDesc *">, Value<"fn", "TsVfFn">, Value<"args", "const int64_t *">, Value<"numArgs">]>;
def VfCall : Service<"vf_call", "Vector functions", "Runs `fn`, now or later, perhaps twice: what it touches is found by running it.",
  [Value<"fn", "TsVfFn">, Value<"args", "const int64_t *">, Value<"numArgs">]>;
def VfContextOf : Quiet<"vf_context", "Vector functions", "The vector function that is running; null: none.", [], "TsVfContext *">;
def VfBegin : Service<"vf_begin", "Vector functions", "Begins register code that runs in place.", [], "TsVfContext *">;
def VfEnter : Service<"vf_enter", "Vector functions", "Begins register code that runs in place and ends with the next instruction of "
  "the core: that of a vector function that is called by its name.", [], "TsVfContext *">;
def VfEnd : Quiet<"vf_end", "Vector functions", "Ends register code that runs in place.">;
def VfTouch : Quiet<"vf_touch", "Vector functions", "Bytes of UB the running function touches. 0, with a finding, when they do not exist or "
  "are not aligned. Of a read, `before` is how many writes came before the load: what those wrote is not read from outside.",
  [Value<"offset">, Value<"bytes">, Value<"alignment">, Value<"write">, Value<"before">], "int64_t">;
def VfStep : Quiet<"vf_step", "Vector functions", "One instruction of the running function: a cost class or a VfStepKind, whether its elements "
  "are narrower than 32 bits, and the cycle from which its operands can be used. Returns that of its result.",
  [Value<"kind">, Value<"narrow">, Value<"ready">], "int64_t">;
def RegCompute : Quiet<"reg_compute", "Vector functions", "One register operation on `lanes` elements: the instruction's own arithmetic. "
  "`mode` is its rounding or comparison (packed bits in dst). 0 when it does not take the dtype.",
  [Value<"op">, Value<"dtype">, Value<"dtype2">, Value<"mode">, Value<"dst", "void *">, Value<"a", "const void *">,
   Value<"b", "const void *">, Value<"scalar">, Value<"lanes">], "int64_t"> { let hasCore = 0; }

// Functions of threads.
def SimtCall : Service<"simt_call", "SIMT", "Runs `fn` once for each of x * y * z threads, now: a vector function of threads. `thread` is always "
  "the one that runs.", [Value<"fn", "TsSimtFn">, Value<"args", "const void *">, Value<"thread", "TsSimtThread *">,
  Value<"x">, Value<"y">, Value<"z">]>;
def SimtAccess : Quiet<"simt_access", "SIMT", "The running thread is about to touch bytes at a pointer; `kind` is a TsSimtAccess, `place` tells the "
  "instruction. Where nothing lies there the thread does not go on.",
  [Value<"pointer", "const void *">, Value<"bytes">, Value<"kind">, Value<"place">]>;
def SimtBarrier : Service<"simt_barrier", "SIMT", "The running thread goes on when all threads of its block have come to a barrier or have ended.">;
def SimtExchange : Service<"simt_exchange", "SIMT", "The running thread brings a value to an operation of its warp: what all of them brought.",
  [Value<"bits">], "const TsSimtWarp *">;
def SimtStop : Quiet<"simt_stop", "SIMT", "The running thread has failed: neither it nor its block goes on.">;

// What a kernel says about itself.
def Print : Service<"print", "Findings and prints", "Text of a line, already formatted.", [Value<"text", "const char *">, Value<"length">]>;
def Unsupported : Service<"unsupported", "Findings and prints", "A finding: a use that the Machine does not model.",
  [Value<"what", "const char *">]>;
def FieldFinding : Service<"field", "Findings and prints", "A finding: a number that does not fit into a field of so many bits.",
  [Value<"value">, Value<"bits">, Value<"isSigned">]>;
def Thrown : Service<"thrown", "Findings and prints", "A finding that ends the block: a C++ exception left the kernel.",
  [Value<"what", "const char *">]>;
def Fail : Service<"fail", "Findings and prints", "A finding of the table (TsFinding) that ends the block: every further call is skipped.",
  [Value<"finding">, Value<"text", "const char *">]>;
def ScalarFault : Service<"scalar_fault", "Findings and prints", "A finding: a division (kind 0), shift (1) or loop step (2) that has no "
  "value. Gives 0.", [Value<"kind">], "int64_t">;
def Tick : Service<"tick", "Findings and prints", "Before a trip of a while loop; `goes` is its condition. 0 when the loop ends: the "
  "condition does not hold, a limit was reached, or another block failed.", [Value<"goes">], "int64_t">;

// Debugging. Nothing happens without a debugger.
def DebugValue : Quiet<"debug_value", "Debugger", "Value `index` of the next debug_statement: an address, or the bits of a scalar.",
  [Value<"index">, Value<"bits">]>;
def DebugStatement : Service<"debug_statement", "Debugger", "A statement begins; `site` says what its values are, `depth` in how many "
  "functions it stands, `kind` is a statement (0), a breakpoint of the source (1) or the end of the kernel (2). 0: the "
  "launch ends, and the kernel returns.",
  [Value<"site">, Value<"depth">, Value<"kind">], "int64_t">;

#endif // TILESMITH_ISA_SERVICES
