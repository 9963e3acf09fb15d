// The table of functions C++ kernels are given (Api.h).
#include "tilesmith/Machine/Api.h"
#include "Core/CoreImpl.h"
#include "Exec/Registers.h"

using namespace tilesmith;
using namespace tilesmith::machine;

namespace {

constexpr size_t mostPrinted = size_t(1) << 20; // of one block

int64_t arch(TsCore *core) { return int64_t(core->platform->arch); }

int64_t capacity(TsCore *core, int64_t memory) {
  return memory > 0 && memory < isa::numMemory ? core->platform->capacityOf(Memory(memory)) : 0;
}

uint8_t *ub(TsCore *core) { return core->view.base[unsigned(Memory::UB)]; }

void maskBits(TsCore *core, uint64_t lo, uint64_t hi) {
  core->hasMaskBits = true;
  core->maskBits[0] = lo;
  core->maskBits[1] = hi;
}

void unsupported(TsCore *core, int64_t loc, const char *what) {
  if (!core->ended)
    core->reportQueue(uint32_t(loc), "operand.unsupported", std::string("the model does not have this: ") + what);
}

void field(TsCore *core, int64_t loc, int64_t value, int64_t bits, int64_t isSigned) {
  if (!core->ended)
    core->reportQueue(uint32_t(loc), "operand.field",
                      std::to_string(value) + " does not fit into a field of " + std::to_string(bits) +
                          (isSigned ? " signed bits" : " bits"));
}

void thrown(TsCore *core, int64_t loc, const char *what) {
  core->reportQueue(uint32_t(loc), "kernel.exception", std::string("a C++ exception left the kernel: ") + what);
  core->ended = true;
}

void fail(TsCore *core, int64_t loc, const char *id, const char *text) {
  if (!core->ended)
    core->reportQueue(uint32_t(loc), id, text);
  core->ended = true;
}

int64_t kept(TsCore *core) { return core->kept; }
int64_t merged(TsCore *core) { return core->merged; }

// A call like any other; only the text is already made.
void print(TsCore *core, int64_t loc, const char *text, int64_t length) {
  if (core->trace && !core->ended) {
    Instr instr;
    instr.op = Opcode::DevicePrint;
    instr.loc = uint32_t(loc);
    core->trace->calls.push_back(instr);
  }
  if (!core->ended && length > 0 && core->printed.size() < mostPrinted)
    core->printed.append(text, size_t(length));
}

void pipeInit(TsCore *core, int64_t loc) { core->queues.init(*core, loc); }
void pipeDestroy(TsCore *core, int64_t loc) { core->queues.destroy(*core, loc); }
int64_t queueInit(TsCore *core, int64_t loc, int64_t from, int64_t to, int64_t buffers, int64_t bytes) {
  return core->queues.makeQueue(*core, loc, from, to, buffers, bytes);
}
int64_t queueInitAt(TsCore *core, int64_t loc, int64_t from, int64_t to, int64_t buffers, int64_t bytes, int64_t begin,
                    int64_t end) {
  return core->queues.makeQueue(*core, loc, from, to, buffers, bytes, Address(begin).offset(), Address(end).offset());
}
void queuesEnd(TsCore *core, int64_t loc, int64_t begin, int64_t end) {
  core->queues.destroy(*core, loc, Address(begin).memory(), Address(begin).offset(), Address(end).offset());
}
int64_t bufferInit(TsCore *core, int64_t loc, int64_t position, int64_t bytes) {
  return core->queues.makeBuffer(*core, loc, position, bytes);
}
int64_t eventAlloc(TsCore *core, int64_t loc, int64_t from, int64_t to) {
  return core->queues.allocEvent(*core, loc, from, to, true);
}
int64_t eventFetch(TsCore *core, int64_t loc, int64_t from, int64_t to) {
  return core->queues.allocEvent(*core, loc, from, to, false);
}
void eventRelease(TsCore *core, int64_t, int64_t from, int64_t to, int64_t id) {
  core->queues.releaseEvent(from, to, id);
}

int64_t queueAlloc(TsCore *core, int64_t loc, int64_t queue) { return core->queues.alloc(*core, loc, queue); }
void queuePush(TsCore *core, int64_t loc, int64_t queue, int64_t address, int64_t from, int64_t to) {
  core->queues.push(*core, loc, queue, address, from, to);
}
int64_t queuePop(TsCore *core, int64_t loc, int64_t queue, int64_t from, int64_t to) {
  return core->queues.pop(*core, loc, queue, from, to);
}
void queueFree(TsCore *core, int64_t loc, int64_t queue, int64_t address) {
  core->queues.free(*core, loc, queue, address);
}
int64_t queueBytes(TsCore *core, int64_t queue) { return core->queues.bytes(queue); }
int64_t queueFilled(TsCore *core, int64_t queue) { return core->queues.filled(queue); }
int64_t queueIdle(TsCore *core, int64_t queue) { return core->queues.idle(queue); }

void vfCall(TsCore *core, int64_t loc, TsVfFn fn, const int64_t *args, int64_t numArgs) {
  core->callVf(loc, fn, args, numArgs);
}
TsVfContext *vfContext(TsCore *core) { return core->vf.active ? &core->vf.context : nullptr; }
TsVfContext *vfBegin(TsCore *core, int64_t loc) {
  core->beginVf(loc);
  return vfContext(core);
}
void vfEnd(TsCore *core) { core->endVf(); }
int64_t vfTouch(TsCore *core, int64_t offset, int64_t bytes, int64_t alignment, int64_t write) {
  return core->touchVf(offset, bytes, alignment, write);
}
int64_t regCompute(int64_t op, int64_t dtype, int64_t dtype2, int64_t mode, void *dst, const void *a, const void *b,
                   int64_t scalar, int64_t lanes) {
  if (op < 0 || op >= isa::numOpcodes || dtype < 0 || dtype >= isa::numDType || dtype2 < 0 || dtype2 >= isa::numDType)
    return 0;
  return computeRegister(Opcode(op), DType(dtype), DType(dtype2), mode, dst, a, b, scalar, lanes);
}

} // namespace

extern "C" const TsApi *tilesmith_api(void) {
  static const TsApi api = {
      TS_API_VERSION,
      int64_t(sizeof(TsApi)),
#define TILESMITH_ABI_ENTRY(result, mnemonic, params, opcode, dt, dt2, args) &tsm_##mnemonic,
#include "tilesmith/Machine/Abi.inc"
#undef TILESMITH_ABI_ENTRY
      arch,
      capacity,
      ub,
      maskBits,
      unsupported,
      field,
      thrown,
      fail,
      print,
      pipeInit,
      pipeDestroy,
      queueInit,
      queueInitAt,
      queuesEnd,
      bufferInit,
      eventAlloc,
      eventFetch,
      eventRelease,
      queueAlloc,
      queuePush,
      queuePop,
      queueFree,
      queueBytes,
      queueFilled,
      queueIdle,
      kept,
      merged,
      vfCall,
      vfContext,
      vfBegin,
      vfEnd,
      vfTouch,
      regCompute,
  };
  return &api;
}
