// The services of a core (Isa/Services.td): entries that are not instructions.
#include "Core/CoreImpl.h"
#include "Core/SimtUnit.h"
#include "Exec/Registers.h"
#include "tilesmith/Isa/Chip.h"
#include <algorithm>

using namespace tilesmith;
using namespace tilesmith::machine;

static constexpr size_t mostPrinted = size_t(1) << 20; // of one block

extern "C" {

// The platform.
int64_t tsm_arch(TsCore *core) { return int64_t(core->platform->arch); }
int64_t tsm_capacity(TsCore *core, int64_t memory) {
  return memory > 0 && memory < int64_t(isa::numMemory) ? core->platform->usableOf(Memory(memory)) : 0;
}
uint8_t *tsm_ub(TsCore *core) { return core->view.base[unsigned(Memory::UB)]; }

// The core itself.
int64_t tsm_core_kinds(TsCore *core) { return core->kinds.empty() ? 3 : core->kinds.has(isa::CoreKind::AIC) ? 1 : 2; }
int64_t tsm_block_cores(TsCore *core) { return core->cores.block.count(); }
int64_t tsm_sub_block_idx(TsCore *core) { return core->cores.subOf(core->index); }
int64_t tsm_sub_block_num(TsCore *core) {
  const isa::BlockCores &block = core->cores.block;
  return core->cores.kindOf(core->index) == isa::CoreKind::AIC ? block.aic : block.aiv;
}
void tsm_kernel_type(TsCore *core, int64_t loc, int64_t type) {
  if (core->ended)
    return;
  if (type < 0 || type >= int64_t(isa::numKernelType))
    return core->report(uint32_t(loc), FindingKind::KernelType, "no kernel has type " + std::to_string(type));
  if (core->launch)
    core->launch->declare(*core, uint32_t(loc), isa::KernelType(type));
}

// Registers.
void tsm_mask_lanes(TsCore *core, int64_t low, int64_t high) {
  core->registers.mask.low = uint64_t(low);
  core->registers.mask.high = uint64_t(high);
}
void tsm_mask_first(TsCore *core, int64_t lanes) {
  MaskRegister &mask = core->registers.mask;
  uint64_t n = uint64_t(std::max<int64_t>(lanes, 0));
  if (mask.counts)
    mask.low = n;
  else
    mask.setFirst(n);
}
void tsm_mask_mode(TsCore *core, int64_t counts) { core->registers.mask.counts = counts != 0; }
void tsm_set_register(TsCore *core, int64_t which, int64_t value) {
  if (which >= 0 && which < int64_t(isa::numRegister))
    core->registers.values[size_t(which)] = value;
}
int64_t tsm_get_register(TsCore *core, int64_t which) {
  return which >= 0 && which < int64_t(isa::numRegister) ? core->registers.values[size_t(which)] : 0;
}
static int64_t counted(TsCore *core, int64_t count) {
  if (core->dry && !core->ended)
    core->needData(core->lastLoc == TsCore::noCall ? 0 : core->lastLoc);
  return core->dry ? 0 : count;
}
int64_t tsm_kept(TsCore *core) { return counted(core, core->kept); }
int64_t tsm_merged(TsCore *core) { return counted(core, core->merged); }
int64_t tsm_turn(TsCore *core) { return core->registers.turns++; }
int64_t tsm_system_cycle(TsCore *core) { return ++core->registers.cycles; }

// Buffer ids.
void tsm_buffer_lock(TsCore *core, int64_t loc, int64_t pipe, int64_t id) {
  if (isa::ruleOf(core->platform->arch).hasBufferIds)
    core->bufferLocks.lock(*core, loc, pipe, id);
}
void tsm_buffer_unlock(TsCore *core, int64_t pipe, int64_t id) {
  if (isa::ruleOf(core->platform->arch).hasBufferIds)
    core->bufferLocks.unlock(pipe, id);
}
int64_t tsm_buffer_id(TsCore *core) { return core->bufferLocks.nextId(); }

// TPipe.
void tsm_pipe_init(TsCore *core, int64_t loc, int64_t object) {
  core->queues.init(*core, loc);
  core->matrices.forgetBuffers();
  core->registers.pipe = object;
}
void tsm_pipe_destroy(TsCore *core, int64_t loc, int64_t object) {
  if (core->registers.pipe != object)
    return;
  core->queues.destroy(*core, loc);
  core->matrices.forgetBuffers();
  core->registers.pipe = 0;
}
int64_t tsm_pipe_current(TsCore *core) { return core->registers.pipe; }
int64_t tsm_buffer_init(TsCore *core, int64_t loc, int64_t position, int64_t bytes) {
  return core->queues.makeBuffer(*core, loc, position, bytes);
}
int64_t tsm_event_alloc(TsCore *core, int64_t loc, int64_t from, int64_t to) {
  return core->queues.allocEvent(*core, loc, from, to, /*keep=*/true);
}
int64_t tsm_event_fetch(TsCore *core, int64_t loc, int64_t from, int64_t to) {
  return core->queues.allocEvent(*core, loc, from, to, /*keep=*/false);
}
void tsm_event_release(TsCore *core, int64_t, int64_t from, int64_t to, int64_t id) {
  core->queues.releaseEvent(from, to, id);
}

// TQue.
int64_t tsm_queue_init(TsCore *core, int64_t loc, int64_t from, int64_t to, int64_t buffers, int64_t bytes) {
  return core->queues.makeQueue(*core, loc, from, to, buffers, bytes);
}
int64_t tsm_queue_init_at(TsCore *core, int64_t loc, int64_t from, int64_t to, int64_t buffers, int64_t bytes,
                          int64_t begin, int64_t end) {
  return core->queues.makeQueue(*core, loc, from, to, buffers, bytes, Address(begin).offset(), Address(end).offset());
}
void tsm_queues_end(TsCore *core, int64_t loc, int64_t begin, int64_t end) {
  core->queues.destroy(*core, loc, Address(begin).memory(), Address(begin).offset(), Address(end).offset());
}
int64_t tsm_queue_alloc(TsCore *core, int64_t loc, int64_t queue) { return core->queues.alloc(*core, loc, queue); }
void tsm_queue_push(TsCore *core, int64_t loc, int64_t queue, int64_t address, int64_t from, int64_t to) {
  core->queues.push(*core, loc, queue, address, from, to);
}
int64_t tsm_queue_pop(TsCore *core, int64_t loc, int64_t queue, int64_t from, int64_t to) {
  return core->queues.pop(*core, loc, queue, from, to);
}
void tsm_queue_free(TsCore *core, int64_t loc, int64_t queue, int64_t address) {
  core->queues.free(*core, loc, queue, address);
}
int64_t tsm_queue_bytes(TsCore *core, int64_t queue) { return core->queues.bytes(queue); }
int64_t tsm_queue_filled(TsCore *core, int64_t queue) { return core->queues.filled(queue); }
int64_t tsm_queue_idle(TsCore *core, int64_t queue) { return core->queues.idle(queue); }

// Vector functions.
void tsm_vf(TsCore *core, int64_t loc, const TsVfDesc *desc, TsVfFn fn, const int64_t *args, int64_t numArgs) {
  Instr instr;
  instr.op = Opcode::VectorFunction;
  instr.loc = uint32_t(loc);
  instr.vf = desc;
  instr.vfFn = fn;
  if (numArgs < 0 || numArgs > TS_VF_MAX_ARGS || (numArgs > 0 && !args))
    return core->reportOperand(instr, "a vector function takes at most 16 arguments, not " + std::to_string(numArgs));
  std::copy_n(args, numArgs, instr.args);
  instr.numArgs = uint8_t(numArgs);
  core->issue(instr);
}
void tsm_vf_call(TsCore *core, int64_t loc, TsVfFn fn, const int64_t *args, int64_t numArgs) {
  core->callVf(loc, fn, args, numArgs);
}
TsVfContext *tsm_vf_context(TsCore *core) { return core->vf.active() ? &core->vf.context : nullptr; }
TsVfContext *tsm_vf_begin(TsCore *core, int64_t loc) {
  core->beginVf(loc);
  return tsm_vf_context(core);
}
TsVfContext *tsm_vf_enter(TsCore *core, int64_t loc) {
  core->beginVf(loc);
  core->vf.untilNextCall = true;
  return &core->vf.context;
}
void tsm_vf_end(TsCore *core) { core->endVf(); }
int64_t tsm_vf_step(TsCore *core, int64_t kind, int64_t narrow, int64_t ready) {
  return core->vf.step(kind, narrow != 0, ready);
}
int64_t tsm_vf_touch(TsCore *core, int64_t offset, int64_t bytes, int64_t alignment, int64_t write, int64_t before) {
  return core->touchVf(offset, bytes, alignment, write, before);
}
int64_t tsm_reg_compute(int64_t op, int64_t dtype, int64_t dtype2, int64_t mode, void *dst, const void *a,
                        const void *b, int64_t scalar, int64_t lanes) {
  if (op < 0 || op >= int64_t(isa::numOpcodes) || dtype < 0 || dtype >= int64_t(isa::numDType) || dtype2 < 0 ||
      dtype2 >= int64_t(isa::numDType))
    return 0;
  return computeRegister(Opcode(op), DType(dtype), DType(dtype2), mode, dst, a, b, scalar, lanes);
}

// Functions of threads. Outside of one a thread is alone: it meets nobody, and its accesses are not its own.
void tsm_simt_call(TsCore *core, int64_t loc, TsSimtFn fn, const void *args, TsSimtThread *thread, int64_t x, int64_t y,
                   int64_t z) {
  core->callSimt(loc, fn, args, *thread, {x, y, z});
}
void tsm_simt_access(TsCore *core, const void *pointer, int64_t bytes, int64_t kind, int64_t place) {
  if (SimtUnit *unit = core->simtNow())
    unit->access(pointer, bytes, TsSimtAccess(kind), place);
}
void tsm_simt_barrier(TsCore *core, int64_t loc) {
  if (SimtUnit *unit = core->simtNow())
    unit->barrier(uint32_t(loc));
}
// Above the line of its place stands which call of the line it is.
const TsSimtWarp *tsm_simt_exchange(TsCore *core, int64_t loc, int64_t bits) {
  static const TsSimtWarp nobody = {};
  SimtUnit *unit = core->simtNow();
  return unit ? unit->exchange(uint64_t(loc) << 32 | uint64_t(loc) >> 32, bits) : &nobody;
}
void tsm_simt_stop(TsCore *core) {
  if (SimtUnit *unit = core->simtNow())
    unit->stop();
}

// Findings and prints.

// A call like any other; only the text is already made.
void tsm_print(TsCore *core, int64_t loc, const char *text, int64_t length) {
  if (core->trace && !core->ended) {
    Instr instr;
    instr.op = Opcode::DevicePrint;
    instr.loc = uint32_t(loc);
    core->trace->calls.push_back(instr);
  }
  if (!core->ended && length > 0 && core->printed.size() < mostPrinted)
    core->printed.append(text, size_t(length));
}
void tsm_unsupported(TsCore *core, int64_t loc, const char *what) {
  if (!core->ended)
    core->report(uint32_t(loc), FindingKind::OperandUnsupported, std::string("the model does not have this: ") + what);
}
void tsm_field(TsCore *core, int64_t loc, int64_t value, int64_t bits, int64_t isSigned) {
  if (!core->ended)
    core->report(uint32_t(loc), FindingKind::OperandField,
                 std::to_string(value) + " does not fit into a field of " + std::to_string(bits) +
                     (isSigned ? " signed bits" : " bits"));
}
void tsm_thrown(TsCore *core, int64_t loc, const char *what) {
  core->report(uint32_t(loc), FindingKind::KernelException, std::string("a C++ exception left the kernel: ") + what);
  core->ended = true;
}
void tsm_fail(TsCore *core, int64_t loc, int64_t finding, const char *text) {
  if (!core->ended && finding >= 0 && finding < int64_t(findingTable().size()))
    core->report(uint32_t(loc), FindingKind(finding), text);
  core->ended = true;
}
int64_t tsm_scalar_fault(TsCore *core, int64_t loc, int64_t kind) {
  core->reportScalarFault(uint32_t(loc), kind);
  return 0;
}
int64_t tsm_tick(TsCore *core, int64_t loc, int64_t goes) { return core->watch.trip(*core, uint32_t(loc), goes != 0); }

// Debugging.
void tsm_debug_value(TsCore *core, int64_t index, int64_t bits) {
  constexpr int64_t most = 1 << 16;
  if (!core->debugger || index < 0 || index >= most)
    return;
  if (size_t(index) >= core->debugValues.size())
    core->debugValues.resize(size_t(index) + 1);
  core->debugValues[size_t(index)] = bits;
}
int64_t tsm_debug_statement(TsCore *core, int64_t loc, int64_t site, int64_t depth, int64_t kind) {
  if (!core->debugger)
    return 1;
  if (core->ended)
    return 0;
  core->lastLoc = uint32_t(loc);
  auto known = kind == 1 ? StatementKind::Breakpoint : kind == 2 ? StatementKind::End : StatementKind::Statement;
  if (!core->debugger->statement(core->debugged(), {uint32_t(loc), site, depth, known, core->debugValues}))
    core->halt();
  core->debugValues.clear();
  return !core->ended;
}

} // extern "C"
