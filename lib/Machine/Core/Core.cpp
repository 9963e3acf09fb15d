#include "CoreImpl.h"
#include "CrossBlocks.h"
#include "Exec/GlobalStores.h"
#include "Late/Late.h"
#include "Order/Footprint.h"
#include "PlainFlag.h"
#include "SimtUnit.h"
#include "Time/Least.h"
#include "UnitFlags.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>

using namespace tilesmith;
using namespace tilesmith::machine;
using isa::Register;

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

void TsCore::standAt(const CorePlace &place) {
  launch = place.launch;
  cores = place.cores;
  index = place.index;
  turn = place.turn;
  setKinds(place.kinds);
  block = cores.blockOf(index);
  bool counted = cores.block.mixed() && cores.kindOf(index) == isa::CoreKind::AIV;
  blockIdx = counted ? block * cores.block.aiv + cores.subOf(index) : block;
}

void TsCore::writeTo(BlockTrace *blockTrace) {
  trace = blockTrace;
  if (trace)
    trace->block = block;
}

// Cores of mixed blocks may need them at any time (crossCores).
void TsCore::prepareQueues(Late order) {
  late = nullptr;
  if (order == Late::None && !cores.block.mixed())
    return;
  if (!lateQueues)
    lateQueues = std::make_unique<LateQueues>(*this);
  lateQueues->begin(order == Late::None ? Late::Producers : order);
  if (order != Late::None)
    late = lateQueues.get();
}

std::string TsCore::name() const {
  std::string core = cores.nameOf(index);
  return (core.empty() ? "" : core + " of ") + "block " + std::to_string(block);
}

void TsCore::begin(const Launch &launch, const CorePlace &place, std::atomic<bool> &stopFlag, BlockTrace *blockTrace,
                   CrossBlocks *others) {
  autoSync = launch.autoSync;
  knowsSlack = launch.autoSync && launch.compiled;
  standAt(place);
  lastLoc = noCall;
  cross = others;
  kept = merged = 0;
  platform = launch.platform;
  blocks = launch.blocks;
  maxCalls = launch.maxCalls;
  watch.begin(launch, stopFlag);
  ended = isCut = served = over = false;
  debugger = launch.debugger;
  debugValues.clear();
  log.clear();
  flags.clear(platform->arch);
  queues.reset();
  matrices.reset();
  recordedVfs.clear();
  scopes.clear();
  if (simt)
    simt->begin();
  vf.close();
  registers = {};
  bufferLocks.reset();
  printed.clear();
  prints.begin(block, launch.blocks);
  dry = launch.dry;
  least = nullptr;
  if (!dry)
    memory.fit(*platform);
  for (unsigned i = 1; i < isa::numMemory; ++i)
    view.base[i] = dry ? nullptr : memory.base(Memory(i));
  if (dry && !launch.compiled && platform->arch == Arch::C310) { // vector functions of C++ run to be counted
    memory.fit(*platform);
    memory.noteAnything();
    view.base[unsigned(Memory::UB)] = memory.base(Memory::UB);
  }
  view.global = launch.global;
  view.atomic = isa::AtomicOp::None;
  view.arch = platform->arch;
  view.compareRegister[0] = view.compareRegister[1] = 0;
  view.ubOf[0] = view.ubOf[1] = view.l1OfCube = nullptr;
  group = {};
  writeTo(blockTrace);
  prepareQueues(launch.late);
  deferred.begin();
  defers = launch.compiled && !dry && !late && !debugger && !cores.block.mixed();
  plain = launch.compiled && !autoSync && !trace && !late && !debugger && !cores.block.mixed();
  poisoned = !dry && (late || debugger || launch.mode >= Mode::Checked);
  if (poisoned)
    memory.poison();
  else if (!dry)
    memory.noteAnything();
  if (debugger && !debugger->begin(debugged()))
    halt();
}

void TsCore::joinGroup(std::span<TsCore *const> all) {
  group = all;
  for (size_t place = 0; place < all.size(); ++place)
    if (place < cores.block.aic)
      view.l1OfCube = all[place]->memory.base(Memory::L1);
    else
      view.ubOf[place - cores.block.aic] = all[place]->memory.base(Memory::UB);
}

void TsCore::noteWrites(const Instr &instr) {
  Regions regions;
  regionsOf(instr, platform->arch, regions);
  for (const Region &region : regions)
    if (region.access == Access::Write && region.memory != Memory::GM) {
      if (!isDirect(instr) || group.empty()) {
        memory.noteWrite(region.memory, extentOf(region).end);
        continue;
      }
      cores.eachTarget(index, instr, [&](size_t target) {
        group[cores.placeOf(target)]->memory.noteWrite(region.memory, extentOf(region).end);
      });
    }
}

void TsCore::end() {
  leaveVf();
  if (late)
    late->drain();
  exec::showStores();
  memory.noteWrite(Memory::UB, deferred.takeWritten());
  if (const Instr *wait = late || ended ? nullptr : flags.unmatched())
    reportDeadlock(*wait);
  over = true;
}

void TsCore::leaveServed() {
  if (late)
    late->drain();
  ended = served = true;
}

int64_t TsCore::run(const Instr &instr, isa::AtomicOp atomic) {
  if (instr.op == Opcode::VectorFunction) {
    if (instr.vf->recorded) // its bytes and counts are known
      vf.begin(view.base[unsigned(Memory::UB)], platform->capacityOf(Memory::UB), instr.loc, /*writes=*/true,
               /*records=*/false);
    instr.vfFn(view.base[unsigned(Memory::UB)], instr.args);
    vf.close();
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

int64_t TsCore::cutBlock() {
  trace->calls.pop_back();
  ended = isCut = true;
  if (launch)
    launch->cut();
  return 0;
}

void TsCore::addLeast(const Instr &instr) {
  constexpr int64_t lookEvery = 256;
  least->add(instr);
  if (maxCycles > 0 && least->calls() % lookEvery == 0 && least->cycles() > maxCycles)
    ended = true;
}

int64_t TsCore::foresee(const Instr &instr) {
  if (instr.op != Opcode::GetValue)
    return 0;
  Address from = isa::GetValue(instr).src();
  if (from.memory() == Memory::GM)
    for (const GlobalRange &range : view.global)
      if (range.constant && from.offset() >= range.device && from.offset() - range.device < range.size) {
        if (launch)
          launch->dataWasRead();
        return execute(instr, view);
      }
  needData(instr.loc);
  return 0;
}

void TsCore::needData(uint32_t loc) {
  ended = true;
  watch.stopLaunch();
  if (launch)
    launch->needData(*this, loc);
}

// Sets count when their pipe is through with what came before. A wait holds its pipe, and on S the whole core: a core
// whose pipe is held goes on in queues, like in late mode.
void TsCore::crossCores(const Instr &instr) {
  deferred.settle(view);
  exec::showStores();
  auto refuse = [&](FindingKind id, std::string why) {
    if (trace) // only calls that took place are in it
      trace->calls.pop_back();
    reportCross(instr, id, std::move(why));
  };
  if (!cross)
    return refuse(FindingKind::CrossUnsupported,
                  "blocks of this launch run beside each other and cannot wait for each other");
  bool sets = instr.op == Opcode::CrossCoreSet, waits = instr.op == Opcode::CrossCoreWait;
  int64_t mode = sets ? isa::CrossCoreSet(instr).mode() : waits ? isa::CrossCoreWait(instr).mode() : 0;
  if (sets || waits) {
    std::string why;
    int64_t id = sets ? isa::CrossCoreSet(instr).id() : isa::CrossCoreWait(instr).id();
    bool ofChip = mode < 0 || mode > 4 || isa::ruleOf(platform->arch).crossModes >> mode & 1;
    if (!ofChip)
      why = std::string(platform->name) + " has no cross-core flags of mode " + std::to_string(mode);
    // A wait names the counter: only mode 4 has other ones.
    if (!ofChip || !routeOf(cores, index, sets || mode == 4 ? mode : 0, id, why))
      return refuse(FindingKind::CrossNoFlag, std::move(why));
  }
  int32_t atOnce = kinds.empty() ? platform->vectorCores : platform->blocksAtOnce(cores.block);
  int64_t counted = instr.op == Opcode::CrossSet    ? isa::CrossSet(instr).key()
                    : instr.op == Opcode::CrossWait ? isa::CrossWait(instr).key()
                                                    : 0;
  bool amongBlocks = !waits && mode == 0 && !(counted & countedInBlock);
  if (blocks > atOnce && amongBlocks)
    return refuse(FindingKind::CrossWaves, "blocks that wait for each other must all run at once: the launch has " +
                                               std::to_string(blocks) + " and the chip " + std::to_string(atOnce) +
                                               " cores");
  if (!late && instr.op == Opcode::CrossCoreWait && pipeOf(instr) != Pipe::S && !isReady(instr))
    late = lateQueues.get();
  if (late)
    return late->sync(instr);
  crossNow(instr);
}

bool TsCore::isReady(const Instr &wait) const { return cross->flags.ready(index, counterOf(isa::CrossCoreWait(wait))); }

bool TsCore::waitForOthers(const std::function<bool()> &ready, bool last) {
  return cross && (late ? late->waitForOthers(ready, last) : cross->wait(turn, ready, last));
}

void TsCore::crossNow(const Instr &instr) {
  auto waitUntil = [&](const std::function<bool()> &ready) {
    bool came = waitForOthers(ready);
    if (!came && !ended)
      reportDeadlock(instr);
    return came && !ended;
  };
  switch (instr.op) {
  case Opcode::CrossSet:
    return cross->set(isa::CrossSet(instr).key());
  case Opcode::CrossCoreSet:
    return cross->setFlag(index, isa::CrossCoreSet(instr).mode(), isa::CrossCoreSet(instr).id());
  case Opcode::CrossWait: {
    isa::CrossWait wait(instr);
    int64_t needed = cross->needed(turn, wait.key(), wait.sets());
    waitUntil([&] { return cross->counted(wait.key()) >= needed; });
    return;
  }
  default: // CrossCoreWait
    if (isReady(instr) || waitUntil([&] { return isReady(instr); }))
      cross->flags.take(index, counterOf(isa::CrossCoreWait(instr)));
    return;
  }
}

DebuggedCore TsCore::debugged() const { return {block, blocks, index, name(), view, *platform}; }

void TsCore::halt() {
  ended = true;
  watch.stopLaunch();
}

int64_t TsCore::issueFollowed(const Instr &instr) {
  // A core that has ended leaves its kernel from within issueNow: nothing that has to be destroyed may live here then.
  if (!ended && !debugger->before(debugged(), instr))
    halt();
  if (ended)
    return issueNow(instr);
  size_t known = log.findings.size();
  int64_t result = issueNow(instr);
  if (!watch.isStopped() &&
      !debugger->after(debugged(), instr, log.findings.size() > known ? &log.findings.back() : nullptr))
    halt();
  return result;
}

int64_t TsCore::issueNow(const Instr &instr) {
  lastLoc = instr.loc;
  if (!ended)
    watch.call(*this);
  if (ended) { // code that cannot be left goes on until it returns: loops over blocks must end
    watch.leave();
    return instr.op == Opcode::BlockNum ? blocks : instr.op == Opcode::BlockIdx ? blockIdx : 0;
  }
  if (vf.untilNextCall && instr.op != Opcode::BlockNum && instr.op != Opcode::BlockIdx)
    leaveVf();
  if (instr.op == Opcode::CopyGmToUb && padsAsSet(instr)) {
    Instr padded = instr;
    isa::CopyGmToUb call(instr);
    isa::CopyGmToUb::fill(padded, call.dst(), call.src(), call.blockCount(), call.blockLen(), call.srcStride(),
                          call.dstStride(), 1, call.leftPad(), call.rightPad(),
                          registers.values[unsigned(isa::Register::PadValue)]);
    return issueNow(padded);
  }
  if (!check(instr))
    return 0;
  Family family = instr.info().family;
  if (plain && !least && (family == Family::Flag || family == Family::Barrier))
    return 0;
  if (trace) {
    if (size_t count = trace->calls.size();
        count == trace->calls.capacity() && !watch.mayKeep(*this, instr.loc, 2 * count * sizeof(Instr)))
      return 0;
    trace->calls.push_back(instr);
    if (maxCalls > 0 && int64_t(trace->calls.size()) > maxCalls)
      return cutBlock();
  }
  if (least)
    addLeast(instr);
  if (poisoned && !defers)
    noteWrites(instr);
  switch (family) {
  case Family::Flag:
  case Family::Barrier:
    if (late) {
      late->sync(instr);
      return 0;
    }
    if (autoSync && !trace) {
      flags.note(instr);
      if (const Instr *wait = flags.blocked())
        reportDeadlock(*wait);
    }
    if (instr.info().family == Family::Flag && cores.block.mixed())
      lateQueues->note(instr);
    return 0;
  case Family::Cross:
    crossCores(instr);
    return 0;
  case Family::Control:
    switch (instr.op) {
    case Opcode::BlockIdx:
      return blockIdx;
    case Opcode::BlockNum:
      return blocks;
    case Opcode::DevicePrint:
      if (!dry)
        prints.add(instr);
      return 0;
    default: // set_atomic
      view.atomic = isa::SetAtomic(instr).op();
      return 0;
    }
  default:
    if (dry)
      return foresee(instr);
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
    if (usesUnitFlags(instr)) {
      if (autoSync && !trace)
        flags.note(instr);
      if (cores.block.mixed())
        lateQueues->note(instr);
    }
    if (defers) {
      if (deferred.take(instr, view))
        return 0;
      deferred.settle(view);
      if (poisoned)
        noteWrites(instr);
    }
    return run(instr, view.atomic);
  }
}

// The C ABI.

template <typename... Args> static Instr pack(int64_t loc, Opcode op, int64_t dtype, int64_t dtype2, Args... args) {
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
  return instr;
}

// A flag on a core where flags have nothing to do: half of all calls.
static bool isIdle(const TsCore &core, const Instr &instr) {
  return (instr.op == Opcode::SetFlag || instr.op == Opcode::WaitFlag) && core.plain && !core.ended && !core.least &&
         isPlainFlag(instr);
}

extern "C" {

#define TILESMITH_ABI_UNWRAP(...) __VA_ARGS__
#define TILESMITH_ABI_ENTRY(result, mnemonic, params, opcode, dt, dt2, args, issue)                                    \
  result tsm_##mnemonic params {                                                                                       \
    Instr instr = pack(loc, opcode, dt, dt2, TILESMITH_ABI_UNWRAP args);                                               \
    return result(isIdle(*core, instr) ? 0 : core->issue(instr));                                                      \
  }
#include "tilesmith/Machine/Abi.inc"
#undef TILESMITH_ABI_ENTRY
#undef TILESMITH_ABI_UNWRAP

} // extern "C"
