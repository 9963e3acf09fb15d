#include "SimtUnit.h"
#include "CoreImpl.h"
#include "Exec/GlobalStores.h"
#include "Late/Late.h"
#include "tilesmith/Machine/Api.h"

namespace tilesmith::machine {

void SimtUnit::run(uint32_t where, TsSimtFn fn, const void *args, TsSimtThread &state, const SimtSize &size) {
  loc = where;
  thread = &state;
  records = core.trace || core.late || core.poisoned;
  checks = core.poisoned && core.trace;
  raced = false;
  ub = gm = {};
  before.clear();
  if (records) {
    time.begin(*core.platform, size.count());
    wroteUb.assign(size_t(core.platform->capacityOf(Memory::UB)), false);
  }
  if (checks)
    races.begin(size.count());
  isActive = true;
  SimtThreads::End end = threads.run(
      state, size, [&] { fn(args); },
      [&](int64_t warp) {
        if (records)
          time.meet(warp);
        if (checks)
          races.meet(warp);
      });
  isActive = false;
  if (end == SimtThreads::End::NoMemory) {
    core.report(loc, FindingKind::SimtThreads, "the host has no memory for the stacks of so many threads that wait");
    core.ended = true;
  }
  if (end == SimtThreads::End::Parted) {
    const SimtThreads::Parting &parting = threads.parting();
    core.report(parting.firstPlace, FindingKind::SimtBarrier,
                "thread " + std::to_string(parting.first) + " waits here, thread " + std::to_string(parting.other) +
                    " at the barrier in line " + std::to_string(parting.otherPlace & ((1u << TS_LOC_LINE_BITS) - 1)));
    core.ended = true;
  }
  if (!records || core.ended)
    return;
  Instr instr;
  instr.op = Opcode::VectorFunction;
  instr.loc = loc;
  std::shared_ptr<RecordedVf> recorded = finish();
  core.traceRecorded(instr, recorded);
  if (core.late)
    hold(instr, std::move(recorded));
}

std::shared_ptr<RecordedVf> SimtUnit::finish() {
  auto result = std::make_shared<RecordedVf>();
  result->record.cycles = time.cycles();
  result->record.global = !gm.read.empty() || !gm.written.empty();
  for (Intervals *intervals : {&ub.read, &ub.written, &gm.read, &gm.written})
    normalise(*intervals);
  appendRuns(ub.read, /*write=*/false, /*global=*/false, result->runs);
  appendRuns(gm.read, /*write=*/false, /*global=*/true, result->runs);
  appendRuns(ub.written, /*write=*/true, /*global=*/false, result->runs);
  appendRuns(gm.written, /*write=*/true, /*global=*/true, result->runs);
  result->record.numRuns = int64_t(result->runs.size());
  result->record.runs = result->runs.data();
  result->desc.rows = result->desc.cols = 1;
  result->desc.recorded = &result->record;
  return result;
}

// Takes back what was written, the last first, and keeps it for the function's turn.
void SimtUnit::hold(Instr &instr, std::shared_ptr<RecordedVf> recorded) {
  auto later = std::make_unique<HeldThreads>();
  for (auto run = before.rbegin(); run != before.rend(); ++run) {
    std::vector<uint8_t> now(run->host, run->host + run->bytes.size());
    std::copy(run->bytes.begin(), run->bytes.end(), run->host);
    later->runs.push_back({run->host, std::move(now)});
  }
  std::reverse(later->runs.begin(), later->runs.end());
  held.push_back(std::move(later));
  instr.numArgs = 1;
  *instr.args = int64_t(reinterpret_cast<intptr_t>(held.back().get()));
  instr.vfFn = [](uint8_t *, const int64_t *args) {
    for (const HeldThreads::Run &run : reinterpret_cast<const HeldThreads *>(intptr_t(*args))->runs)
      std::copy(run.bytes.begin(), run.bytes.end(), run.host);
  };
  core.recordedVfs.push_back(std::move(recorded));
  core.late->push(instr, isa::AtomicOp::None);
}

// Where a pointer leads. False: it is none of the device's, the thread's own memory for example.
bool SimtUnit::find(int64_t address, int64_t bytes, bool writes, int64_t &offset, bool &global) {
  int64_t base = int64_t(reinterpret_cast<intptr_t>(core.view.base[unsigned(Memory::UB)]));
  int64_t capacity = core.platform->usableOf(Memory::UB);
  constexpr int64_t slack = 1 << 16; // behind a memory nothing else lies
  global = false;
  if (address >= base && address < base + core.platform->capacityOf(Memory::UB) + slack) {
    offset = address - base;
    if (offset + bytes <= capacity)
      return true;
    core.report(loc, FindingId::bounds(Memory::UB, writes ? Access::Write : Access::Read),
                std::string(writes ? "write" : "read") + " of " + std::to_string(bytes) + " bytes at UB offset " +
                    std::to_string(offset) + " by thread " + std::to_string(thread->number) + " leaves UB (" +
                    std::to_string(capacity) + " bytes)");
    stop();
  }
  for (const GlobalRange &range : core.view.global)
    if (address >= range.device && address < range.device + range.size &&
        address + bytes <= range.device + range.size) {
      offset = address;
      global = true;
      return true;
    }
  constexpr int64_t lastDeviceAddress = firstHeapAddress + mostHeaps * heapBytes;
  if (address < firstDeviceAddress || address >= lastDeviceAddress)
    return false;
  core.report(loc, FindingId::bounds(Memory::GM, writes ? Access::Write : Access::Read),
              std::string(writes ? "write " : "read ") +
                  core.launch->names().outOfBounds(address, address + bytes, DType::U8, {}) + " (thread " +
                  std::to_string(thread->number) + ")");
  stop();
  return false;
}

void SimtUnit::note(int64_t offset, int64_t bytes, TsSimtAccess kind, bool global) {
  Touched &touched = global ? gm : ub;
  auto add = [&](Intervals &intervals) {
    if (!intervals.empty() && intervals.back().second == offset)
      intervals.back().second += bytes;
    else
      intervals.emplace_back(offset, offset + bytes);
  };
  auto from = wroteUb.begin() + (global ? 0 : offset), to = from + (global ? 0 : bytes);
  if (kind != TS_SIMT_WRITE && (global || std::find(from, to, false) != to))
    add(touched.read);
  if (kind == TS_SIMT_READ || (global && kind == TS_SIMT_ATOMIC))
    return;
  std::fill(from, to, true);
  add(touched.written);
}

void SimtUnit::access(const void *pointer, int64_t bytes, TsSimtAccess kind, int64_t place) {
  if (!isActive || bytes <= 0)
    return;
  bool writes = kind != TS_SIMT_READ, global = false;
  int64_t address = int64_t(reinterpret_cast<intptr_t>(pointer)), offset = 0;
  if (!find(address, bytes, writes, offset, global) || !records)
    return;
  note(offset, bytes, kind, global);
  time.note(thread->number, place, global ? offset : SimtTime::ub + offset, bytes, kind != TS_SIMT_WRITE);
  if (writes && core.late)
    before.push_back({reinterpret_cast<uint8_t *>(address),
                      {static_cast<const uint8_t *>(pointer), static_cast<const uint8_t *>(pointer) + bytes}});
  if (!checks || raced)
    return;
  if (auto race = races.note(thread->number, global ? offset : SimtTime::ub + offset, bytes, kind)) {
    raced = true;
    int64_t begin = global ? race->byte : race->byte - SimtTime::ub;
    core.report(loc, FindingKind::SimtRace,
                "thread " + std::to_string(thread->number) + (writes ? " writes " : " reads ") +
                    core.launch->names().bytes(global ? Memory::GM : Memory::UB, begin, begin + 1, DType::U8) +
                    ", which thread " + std::to_string(race->other) + (race->otherWrites ? " writes" : " reads") +
                    ", and nothing orders them");
  }
}

void SimtUnit::barrier(uint32_t place) {
  if (isActive)
    threads.barrier(place);
}
const TsSimtWarp *SimtUnit::exchange(uint64_t place, int64_t bits) {
  static thread_local TsSimtWarp alone;
  alone = {1, {bits}};
  return isActive ? threads.exchange(place, bits) : &alone;
}
void SimtUnit::stop() {
  core.ended = true;
  if (isActive)
    threads.stop();
}

} // namespace tilesmith::machine

using namespace tilesmith;
using namespace tilesmith::machine;

// Runs in place, when all that V has to do before is done.
void TsCore::callSimt(int64_t loc, TsSimtFn fn, const void *args, TsSimtThread &thread, const SimtSize &size) {
  if (ended)
    return;
  leaveVf();
  lastLoc = uint32_t(loc);
  Instr instr;
  instr.op = Opcode::VectorFunction;
  instr.loc = uint32_t(loc);
  if (platform->simtStart <= 0)
    return reportOperand(instr, std::string(platform->name) + " has no functions of threads (SIMT)");
  if (vf.active() || (simt && simt->active()))
    return reportOperand(instr, "a vector function cannot start another one");
  if (checksKinds && !kinds.has(isa::CoreKind::AIV))
    return report(uint32_t(loc), FindingKind::CoreNoUnit, "threads run on vector cores; this is a cube core");
  if (dry)
    return needData(uint32_t(loc));
  bool fits = size.x > 0 && size.y > 0 && size.z > 0 && size.x <= TS_SIMT_THREADS && size.y <= TS_SIMT_THREADS &&
              size.z <= TS_SIMT_THREADS && size.count() <= TS_SIMT_THREADS;
  if (!fits) {
    report(uint32_t(loc), FindingKind::SimtThreads,
           std::to_string(size.x) + " x " + std::to_string(size.y) + " x " + std::to_string(size.z) +
               " threads; a block has 1 to " + std::to_string(TS_SIMT_THREADS));
    ended = true;
    return;
  }
  if (late)
    late->catchUp(Pipe::V);
  deferred.settle(view);
  exec::showStores();
  if (!simt)
    simt = std::make_unique<SimtUnit>(*this);
  simt->run(uint32_t(loc), fn, args, thread, size);
}
