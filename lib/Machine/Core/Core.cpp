#include "CoreImpl.h"
#include "CrossBlocks.h"
#include "Late/Late.h"
#include "Order/Footprint.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace tilesmith;
using namespace tilesmith::machine;

namespace tilesmith::machine {

uint8_t *MemoryView::at(Address address) const {
  if (address.memory() != Memory::GM)
    return base[unsigned(address.memory())] + address.offset();
  int64_t device = address.offset();
  for (const GlobalRange &range : global)
    if (device >= range.device && device - range.device < range.size)
      return range.host + (device - range.device);
  return nullptr; // only for an empty footprint: nothing is touched there
}

static constexpr size_t slack = 4096;
static constexpr int poisonByte = 0xFF; // NaN in every float type

void CoreMemory::Free::operator()(uint8_t *bytes) const { std::free(bytes); }

void CoreMemory::fit(const Platform &platform) {
  if (bytes && capacity == platform.capacity)
    return;
  capacity = platform.capacity;
  noteAnything(); // what was elsewhere is now here
  size_t offsets[isa::numMemory] = {}, needed = 0;
  for (unsigned i = 1; i < isa::numMemory; ++i) { // 0 is GM
    offsets[i] = needed;
    needed += (size_t(capacity[i]) + slack + 4095) / 4096 * 4096;
  }
  if (needed > total) {
    bytes.reset(static_cast<uint8_t *>(std::aligned_alloc(4096, needed)));
    total = needed;
    if (!bytes) {
      std::fputs("tilesmith: no host memory for the memories of a core\n", stderr);
      std::abort();
    }
    std::memset(bytes.get(), poisonByte, needed);
  }
  for (unsigned i = 1; i < isa::numMemory; ++i)
    bases[i] = bytes.get() + offsets[i];
}

void CoreMemory::poison() {
  for (unsigned i = 1; i < isa::numMemory; ++i)
    std::memset(bases[i], poisonByte, size_t(written[i]));
  written = {};
}

void PrintLog::begin(int64_t block, int64_t blocks) {
  constexpr int64_t elementsOfLaunch = 1 << 20, printingBlocks = 4096;
  share = block < printingBlocks ? size_t(elementsOfLaunch / std::min(blocks, printingBlocks)) : 0;
  dropping = false;
  output.block = block;
}

void PrintLog::add(const Instr &instr) {
  isa::DevicePrint call(instr);
  PrintedElement element{call.site(), call.value(), call.element(), call.content(), instr.loc};
  if (element.startsLine()) {
    dropping = output.elements.size() >= share;
    output.droppedLines += dropping;
  }
  if (!dropping)
    output.elements.push_back(element);
}

} // namespace tilesmith::machine

TsCore::TsCore() = default;
TsCore::~TsCore() = default;

void TsCore::beginBlock(const Launch &launch, int64_t index, std::atomic<bool> &stopFlag, BlockTrace *blockTrace,
                        CrossBlocks *others) {
  cross = others;
  kept = merged = 0;
  platform = launch.platform;
  stop = &stopFlag;
  blocks = launch.blocks;
  maxTicks = launch.maxTicks;
  interrupted = launch.interrupted;
  block = index;
  ticks = 0;
  ended = false;
  log.clear();
  queues.reset();
  recordedVfs.clear();
  scopes.clear();
  vf.active = false;
  hasMaskBits = false;
  autoSync = launch.autoSync;
  printed.clear();
  prints.begin(index, launch.blocks);
  memory.fit(*platform);
  for (unsigned i = 1; i < isa::numMemory; ++i)
    view.base[i] = memory.base(Memory(i));
  view.global = launch.global;
  view.atomic = isa::AtomicOp::None;
  view.arch = platform->arch;
  view.compareRegister[0] = view.compareRegister[1] = 0;
  trace = blockTrace;
  if (trace)
    trace->block = index;
  late = nullptr;
  if (launch.late != Late::None) {
    if (!lateQueues)
      lateQueues = std::make_unique<LateQueues>(*this);
    late = lateQueues.get();
    late->begin(launch.late);
  }
  poisoned = late || launch.mode >= Mode::Checked;
  if (poisoned)
    memory.poison();
  else
    memory.noteAnything();
}

void TsCore::noteWrites(const Instr &instr) {
  Regions regions;
  regionsOf(instr, platform->arch, regions);
  for (const Region &region : regions)
    if (region.access == Access::Write && region.memory != Memory::GM)
      memory.noteWrite(region.memory, extentOf(region).end);
}

void TsCore::endBlock() {
  if (late)
    late->drain();
  if (const Instr *wait = flags.unmatched())
    reportDeadlock(*wait);
  flags.clear();
}

int64_t TsCore::run(const Instr &instr, isa::AtomicOp atomic) {
  if (instr.op == Opcode::VectorFunction) {
    if (instr.vf->recorded) // its bytes and counts are known
      vf.begin(view.base[unsigned(Memory::UB)], platform->capacityOf(Memory::UB), instr.loc, /*writes=*/true,
               /*records=*/false);
    instr.vfFn(view.base[unsigned(Memory::UB)], instr.args);
    vf.active = false;
    return 0;
  }
  isa::AtomicOp current = view.atomic;
  view.atomic = atomic;
  int64_t result = execute(instr, view);
  view.atomic = current;
  switch (instr.info().family) {
  case Family::Gather:
  case Family::GatherBlocks:
  case Family::Scatter:
    if (result)
      reportGather(instr, result);
    return 0;
  case Family::GatherPattern:
    kept = result;
    return 0;
  case Family::Merge:
    merged = result;
    return 0;
  default:
    return result;
  }
}

// Sets count when their pipe is through with what came before; a wait holds the whole core.
void TsCore::crossBlocks(const Instr &instr) {
  if (!cross)
    return reportCross(instr, "cross.unsupported",
                       "blocks of this launch run beside each other and cannot wait for each other");
  if (blocks > platform->vectorCores)
    return reportCross(instr, "cross.waves",
                       "blocks that wait for each other must all run at once: the launch has " +
                           std::to_string(blocks) + " and the chip " + std::to_string(platform->vectorCores) +
                           " cores");
  if (late)
    return late->sync(instr);
  if (instr.op == Opcode::CrossSet)
    return cross->set(isa::CrossSet(instr).key());
  isa::CrossWait wait(instr);
  if (!cross->wait(block, wait.key(), wait.sets()))
    reportDeadlock(instr);
}

int64_t TsCore::issue(const Instr &instr) {
  lastLoc = instr.loc;
  if (ended || !check(instr))
    return 0;
  if (trace)
    trace->calls.push_back(instr);
  if (poisoned)
    noteWrites(instr);
  switch (instr.info().family) {
  case Family::Flag:
  case Family::Barrier:
    if (late)
      late->sync(instr);
    else if (autoSync && !trace && instr.info().family == Family::Flag)
      flags.note(instr);
    return 0;
  case Family::Cross:
    crossBlocks(instr);
    return 0;
  case Family::Control:
    switch (instr.op) {
    case Opcode::BlockIdx:
      return block;
    case Opcode::BlockNum:
      return blocks;
    case Opcode::DevicePrint:
      prints.add(instr);
      return 0;
    default: // set_atomic
      view.atomic = isa::SetAtomic(instr).op();
      return 0;
    }
  default:
    if (late && autoSync && instr.info().family == Family::ScalarAccess) {
      Address element = instr.op == Opcode::SetValue ? isa::SetValue(instr).dst() : isa::GetValue(instr).src();
      if (element.memory() == Memory::UB)
        late->settle(element.offset(), element.offset() + int64_t(isa::sizeOf(instr.dtype)));
    }
    // The scalar unit acts when it issues; everything else waits in its queue.
    if (late && instr.info().pipe != Pipe::S) {
      late->push(instr, view.atomic);
      return 0;
    }
    return run(instr, view.atomic);
  }
}

// The C ABI.

template <typename... Args>
static Instr pack(TsCore *core, int64_t loc, Opcode op, int64_t dtype, int64_t dtype2, Args... args) {
  static_assert(sizeof...(Args) <= maxArgs);
  Instr instr;
  instr.op = op;
  // Values no dtype has stay recognisable in a byte.
  instr.dtype = DType(dtype < 0 || dtype > 255 ? 255 : dtype);
  instr.dtype2 = DType(dtype2 < 0 || dtype2 > 255 ? 255 : dtype2);
  instr.loc = uint32_t(loc);
  unsigned i = 0;
  ((instr.args[i++] = args), ...);
  instr.numArgs = uint8_t(sizeof...(Args));
  if (core->hasMaskBits) {
    core->hasMaskBits = false;
    instr.lanes[0] = core->maskBits[0];
    instr.lanes[1] = core->maskBits[1];
  }
  return instr;
}

extern "C" {

#define TILESMITH_ABI_UNWRAP(...) __VA_ARGS__
#define TILESMITH_ABI_ENTRY(result, mnemonic, params, opcode, dt, dt2, args)                                           \
  result tsm_##mnemonic params {                                                                                       \
    return result(core->issue(pack(core, loc, opcode, dt, dt2, TILESMITH_ABI_UNWRAP args)));                           \
  }
#include "tilesmith/Machine/Abi.inc"
#undef TILESMITH_ABI_ENTRY
#undef TILESMITH_ABI_UNWRAP

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

int64_t tsm_scalar_fault(TsCore *core, int64_t loc, int64_t kind) {
  core->reportScalarFault(uint32_t(loc), kind);
  return 0;
}

int64_t tsm_tick(TsCore *core, int64_t loc) {
  if (core->ended || core->stop->load(std::memory_order_relaxed))
    return 0;
  if (++core->ticks <= core->maxTicks) {
    constexpr int64_t askEvery = 1 << 16;
    if (core->ticks % askEvery != 0 || !core->interrupted || !core->interrupted())
      return 1;
    core->stop->store(true, std::memory_order_relaxed);
    return 0;
  }
  core->reportLimit(uint32_t(loc));
  return 0;
}

} // extern "C"

namespace tilesmith::machine {

std::span<const AbiSymbol> abiSymbols() {
  static const AbiSymbol symbols[] = {
#define TILESMITH_ABI_ENTRY(result, mnemonic, params, opcode, dt, dt2, args)                                           \
  {"tsm_" #mnemonic, reinterpret_cast<void *>(&tsm_##mnemonic)},
#include "tilesmith/Machine/Abi.inc"
#undef TILESMITH_ABI_ENTRY
      {"tsm_vf", reinterpret_cast<void *>(&tsm_vf)},
      {"tsm_scalar_fault", reinterpret_cast<void *>(&tsm_scalar_fault)},
      {"tsm_tick", reinterpret_cast<void *>(&tsm_tick)},
  };
  return symbols;
}

} // namespace tilesmith::machine
