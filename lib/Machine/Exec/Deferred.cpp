#include "Deferred.h"
#include "GlobalStores.h"
#include "tilesmith/Isa/Chip.h"
#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>

namespace tilesmith::machine::exec {

namespace {
constexpr int64_t least = 1024;        // bytes of a tile worth the bookkeeping
constexpr int64_t stripElements = 128; // all of a strip stays in the innermost cache
constexpr int64_t line = 64;
constexpr int64_t prefetchDistance = 8192; // bytes: what is wanted so much later has come when it is

// The blocks of a move that follow each other on both sides, in bytes; 0: another move.
int64_t contiguousBytes(int64_t blocks, int64_t length, int64_t srcStride, int64_t dstStride) {
  bool follow = srcStride == 0 && dstStride == 0 && length % isa::blockBytes == 0;
  return follow ? blocks * length : 0;
}

// A tile that is read from its first byte to its last, and then the next one.
struct Walk {
  const uint8_t *tile = nullptr, *next = nullptr; // null: the next one is not known
  int64_t bytes = 0;

  // Lines of the bytes that are wanted so much later than those from `at` on; where they are.
  struct Lines {
    const uint8_t *from;
    int64_t bytes;
  };
  Lines later(int64_t at, int64_t length) const {
    int64_t begin = at + prefetchDistance;
    if (begin < bytes)
      return {tile + begin, std::min(length, bytes - begin)};
    if (!next || begin >= 2 * bytes)
      return {nullptr, 0};
    return {next + (begin - bytes), std::min(length, 2 * bytes - begin)};
  }
};

void prefetch(Walk::Lines lines, int64_t from = 0) {
  for (int64_t i = from; i < lines.bytes; i += line)
    __builtin_prefetch(lines.from + i);
}

// Of two arrays in turn: when too many prefetches are under way a host drops some, which should not be all of one
// array.
void prefetch(Walk::Lines one, Walk::Lines other) {
  int64_t common = std::min(one.bytes, other.bytes);
  for (int64_t i = 0; i < common; i += line) {
    __builtin_prefetch(one.from + i);
    __builtin_prefetch(other.from + i);
  }
  prefetch(one, common);
  prefetch(other, common);
}
} // namespace

// A step on its way through the strips: where its operands begin, and which of them lie where a strip's result goes.
class Deferred::StripRun {
public:
  // What the step has in `kept` of UB lies where each strip says.
  StripRun(const Step &step, int64_t *vfArgs, uint8_t *ub, const Range *kept)
      : kernel(step.kernel), part(step.part), args(vfArgs), num(step.num) {
    rows.scalar = step.scalar;
    rows.mode = step.mode;
    for (unsigned i = 0; i < num; ++i) {
      const Operand &operand = step.operands[i];
      bool moves = kept && !operand.host && operand.ub == *kept;
      moving |= unsigned(moves) << i;
      begins[i] = operand.host ? const_cast<uint8_t *>(operand.host) : ub + operand.ub.begin; // views are only read
      sizes[i] = operand.size;
      argOf[i] = operand.arg;
      if (part && !moves)
        args[operand.arg] = reinterpret_cast<intptr_t>(begins[i]);
    }
  }

  void operator()(int64_t first, int64_t elements, uint8_t *instead) {
    if (part) { // counts from its first element, and its addresses from the base of UB: here there is none
      for (unsigned i = 0; moving >> i; ++i)
        if (moving >> i & 1)
          args[argOf[i]] = reinterpret_cast<intptr_t>(instead) - first * sizes[i];
      return part(nullptr, args, first, first + elements);
    }
    rows.dst = moving & 1 ? instead : begins[0] + first * sizes[0];
    for (unsigned i = 1; i < num; ++i)
      rows.src[i - 1] = moving >> i & 1 ? instead : begins[i] + first * sizes[i];
    rows.cols = elements;
    kernel(rows);
  }

private:
  RowsFn kernel;
  TsVfPartFn part;
  int64_t *args; // of the vector function
  Rows rows;
  uint8_t *begins[Step::maxOperands];
  int64_t sizes[Step::maxOperands];
  uint8_t argOf[Step::maxOperands];
  unsigned num, moving = 0; // moving: a bit for each operand
};

bool Deferred::take(const Instr &instr, const MemoryView &memory) {
  if (instr.op == Opcode::CopyGmToUb)
    return load(instr, memory);
  if (instr.op == Opcode::CopyUbToGm)
    return store(instr, memory);
  if (instr.op == Opcode::VectorFunction)
    return vectorFunction(instr, memory);
  return rows(instr, memory);
}

bool Deferred::load(const Instr &instr, const MemoryView &memory) {
  isa::CopyGmToUb call(instr);
  if (call.dst().memory() != Memory::UB || call.leftPad() || call.rightPad())
    return false;
  int64_t bytes = contiguousBytes(call.blockCount(), call.blockLen(), call.srcStride(), call.dstStride());
  if (bytes < least)
    return false;
  View view;
  view.ub = {call.dst().offset(), call.dst().offset() + bytes};
  view.host = memory.at(call.src());
  view.ahead = foresee(instr.loc, view.host, bytes, memory);
  if (touchesUb(view.ub))
    runSteps(memory);
  makeRoom(view.ub, /*isOverwritten=*/true, memory);
  addView(view, memory);
  return true;
}

void Deferred::Step::add(Address address, int64_t size, int64_t elements, bool reads, bool writes, unsigned arg) {
  operands[num++] = {.ub = {address.offset(), address.offset() + elements * size},
                     .size = size,
                     .host = nullptr,
                     .ahead = nullptr,
                     .reads = reads,
                     .writes = writes,
                     .arg = uint8_t(arg)};
}

void Deferred::Step::operator=(const Step &other) {
  kernel = other.kernel;
  part = other.part;
  num = other.num;
  scalar = other.scalar;
  mode = other.mode;
  args = other.args;
  std::copy_n(other.operands, num, operands);
}

bool Deferred::rows(const Instr &instr, const MemoryView &memory) {
  RowCall call;
  if (!rowCallOf(instr, call) || !call.kernel)
    return false;
  Step step;
  step.kernel = call.kernel;
  step.scalar = call.scalar;
  step.mode = call.mode;
  step.add(call.dst, call.dstSize, call.count, call.readsDst, true);
  for (unsigned i = 0; i < call.sources; ++i)
    step.add(call.src[i], call.srcSize, call.count, true, false);
  return wait(step, call.count, memory);
}

// One whose elements have nothing to do with each other: the compiler made a part of it callable.
bool Deferred::vectorFunction(const Instr &instr, const MemoryView &memory) {
  const TsVfDesc &vf = *instr.vf;
  if (vf.recorded || !vf.part)
    return false;
  Step step;
  step.part = vf.part;
  int64_t elements = vf.rows * vf.cols;
  for (uint32_t i = 0; i < vf.numAccesses; ++i) {
    const TsVfAccess &access = vf.accesses[i];
    auto same = std::find_if(step.operands, step.operands + step.num,
                             [&](const Operand &operand) { return operand.arg == access.arg; });
    int64_t size = isa::sizeOf(DType(access.dtype));
    if (same != step.operands + step.num) {
      if (same->size != size)
        return false;
      (access.write ? same->writes : same->reads) = true;
      continue;
    }
    if (step.num == Step::maxOperands)
      return false;
    step.add(instr.address(access.arg), size, elements, !access.write, access.write != 0, access.arg);
  }
  if (numSteps == maxSteps)
    runSteps(memory);
  step.args = instr.args;
  return wait(step, elements, memory);
}

bool Deferred::wait(Step &step, int64_t elements, const MemoryView &memory) {
  for (const Operand &operand : step.all()) {
    if (operand.ub.end - operand.ub.begin < least)
      return false;
    // Element i must not lie over element j of another operand.
    for (const Operand &other : step.all())
      if ((operand.writes || other.writes) && operand.ub.overlaps(other.ub) && operand.ub != other.ub)
        return false;
  }
  if (numSteps && !fits(step, elements))
    runSteps(memory);
  for (Operand &operand : step.all()) {
    if (operand.writes)
      continue;
    if (const View *view = viewOf(operand.ub)) {
      int64_t offset = operand.ub.begin - view->ub.begin;
      operand.host = view->host + offset;
      operand.ahead = view->ahead ? view->ahead + offset : nullptr;
    } else {
      makeRoom(operand.ub, /*isOverwritten=*/false, memory);
    }
  }
  for (const Operand &operand : step.all())
    if (operand.writes)
      makeRoom(operand.ub, /*isOverwritten=*/!operand.reads, memory);
  count = elements;
  if (step.args)
    step.args = std::copy_n(step.args, TS_VF_MAX_ARGS, vfArgs[numSteps]) - TS_VF_MAX_ARGS;
  steps[numSteps++] = step;
  return true;
}

bool Deferred::store(const Instr &instr, const MemoryView &memory) {
  isa::CopyUbToGm call(instr);
  if (memory.atomic != isa::AtomicOp::None || call.src().memory() != Memory::UB)
    return false;
  int64_t bytes = contiguousBytes(call.blockCount(), call.blockLen(), call.srcStride(), call.dstStride());
  if (bytes < least)
    return false;
  Range range = {call.src().offset(), call.src().offset() + bytes};
  uint8_t *dst = memory.at(call.dst());
  if (needs(dst, bytes))
    return false;
  if (const View *view = viewOf(range)) {
    copyView(*view, range, dst, isStreamed(dst, bytes, memory));
    return true;
  }
  if (writesUb(range)) {
    runSteps(memory, &range, dst);
    return true;
  }
  makeRoom(range, /*isOverwritten=*/false, memory);
  storeBytes(dst, memory.at(call.src()), bytes, isStreamed(dst, bytes, memory));
  return true;
}

// Kernels walk through their arrays in equal steps.
const uint8_t *Deferred::foresee(uint32_t loc, const uint8_t *from, int64_t bytes, const MemoryView &memory) {
  Habit &habit = habits[loc % numHabits];
  const uint8_t *last = habit.loc == loc ? habit.last : nullptr;
  habit = {loc, from};
  if (!last || last == from)
    return nullptr;
  for (const GlobalRange &range : memory.global)
    if (uintptr_t begin = uintptr_t(range.host), end = begin + uintptr_t(range.size), at = uintptr_t(from);
        at >= begin && at < end) {
      uintptr_t next = at + (at - uintptr_t(last));
      bool inside = next >= begin && next < end && end - next >= uintptr_t(bytes);
      return inside ? from + (from - last) : nullptr;
    }
  return nullptr;
}

// Whether the step may wait with the others: where it touches what they write, or writes what they touch, element i of
// one is element i of the other.
bool Deferred::fits(const Step &step, int64_t elements) const {
  if (elements != count || numSteps == maxSteps)
    return false;
  for (const Step &other : std::span(steps, numSteps))
    for (const Operand &ours : step.all())
      for (const Operand &theirs : other.all())
        if ((ours.writes || theirs.writes) && !theirs.host && ours.ub.overlaps(theirs.ub) && ours.ub != theirs.ub)
          return false;
  return true;
}

bool Deferred::touchesUb(const Range &range) const {
  for (const Step &step : std::span(steps, numSteps))
    for (const Operand &operand : step.all())
      if (!operand.host && operand.ub.overlaps(range))
        return true;
  return false;
}

bool Deferred::writesUb(const Range &range) const {
  for (const Step &step : std::span(steps, numSteps))
    for (const Operand &operand : step.all())
      if (operand.writes && operand.ub.overlaps(range))
        return true;
  return false;
}

// Whether bytes of global memory are still to be read.
bool Deferred::needs(const uint8_t *host, int64_t bytes) const {
  for (const View &view : std::span(views, numViews))
    if (view.standsFor(host, bytes))
      return true;
  for (const Step &step : std::span(steps, numSteps))
    for (const Operand &operand : step.all())
      if (operand.host && operand.host < host + bytes && host < operand.host + (operand.ub.end - operand.ub.begin))
        return true;
  return false;
}

// Whether the steps write the range, as elements of this size, before any of them reads it.
bool Deferred::isOnlyResult(const Range &range, int64_t size) const {
  for (const Step &step : std::span(steps, numSteps)) {
    bool written = false;
    for (const Operand &operand : step.all()) {
      if (operand.host || !operand.ub.overlaps(range))
        continue;
      if (operand.reads || operand.ub != range || operand.size != size)
        return false;
      written = true;
    }
    if (written)
      return true;
  }
  return false;
}

const Deferred::View *Deferred::viewOf(const Range &range) const {
  for (unsigned i = 0; i < numViews; ++i)
    if (views[i].ub.covers(range))
      return &views[i];
  return nullptr;
}

void Deferred::addView(const View &view, const MemoryView &memory) {
  if (numViews == maxViews)
    materialise(0, memory);
  views[numViews++] = view;
}

void Deferred::removeView(unsigned i) {
  std::copy(views + i + 1, views + numViews, views + i);
  --numViews;
}

// Bytes of UB that the view stands for, piece by piece. Those of the next tile come meanwhile.
void Deferred::copyView(const View &view, const Range &range, uint8_t *to, bool streamed) {
  constexpr int64_t piece = 1024;
  int64_t first = range.begin - view.ub.begin, end = range.end - view.ub.begin;
  Walk walk{view.host, view.ahead, view.ub.end - view.ub.begin};
  for (int64_t at = first; at < end; at += piece) {
    int64_t length = std::min(piece, end - at);
    prefetch(walk.later(at, length));
    storeBytes(to + (at - first), view.host + at, length, streamed);
  }
}

void Deferred::materialise(unsigned i, const MemoryView &memory) {
  const View view = views[i];
  written = std::max(written, view.ub.end);
  copyView(view, view.ub, memory.base[unsigned(Memory::UB)] + view.ub.begin, /*streamed=*/false);
  removeView(i);
}

// No view overlaps the range any more. What is about to be overwritten as a whole need not be there before.
void Deferred::makeRoom(const Range &range, bool isOverwritten, const MemoryView &memory) {
  for (unsigned i = 0; i < numViews;)
    if (!views[i].ub.overlaps(range))
      ++i;
    else if (isOverwritten && range.covers(views[i].ub))
      removeView(i);
    else
      materialise(i, memory);
}

// Strip by strip, in the order they came. With `stored` their result goes to `dst` in global memory, too: straight
// there, or, if it is stored past the caches, by whole cache lines through a buffer that keeps what does not fill one
// yet.
void Deferred::runSteps(const MemoryView &memory, const Range *stored, uint8_t *dst) {
  uint8_t *ub = memory.base[unsigned(Memory::UB)];
  int64_t size = 0, bytes = 0;
  bool streamed = false, bypassed = false; // bypassed: the result need not be in UB
  if (stored) {
    bytes = stored->end - stored->begin;
    streamed = isStreamed(dst, bytes, memory);
    size = bytes / count;
    bypassed = bytes % count == 0 && isOnlyResult(*stored, size);
  }
  struct Source {
    Walk walk;
    int64_t size; // bytes of an element

    Walk::Lines later(int64_t first, int64_t elements) const { return walk.later(first * size, elements * size); }
  };
  Source sources[maxViews];
  unsigned numSources = 0;
  alignas(StripRun) std::byte room[maxSteps * sizeof(StripRun)]; // most tiles have few steps
  auto *runs = reinterpret_cast<StripRun *>(room);
  for (unsigned i = 0; i < numSteps; ++i) {
    std::construct_at(runs + i, steps[i], vfArgs[i], ub, bypassed ? stored : nullptr);
    for (const Operand &operand : steps[i].all()) {
      if (operand.writes && !(bypassed && operand.ub == *stored))
        written = std::max(written, operand.ub.end);
      bool isNew = operand.host && std::none_of(sources, sources + numSources,
                                                [&](const Source &other) { return other.walk.tile == operand.host; });
      if (isNew && numSources < maxViews)
        sources[numSources++] = {{operand.host, operand.ahead, operand.ub.end - operand.ub.begin}, operand.size};
    }
  }

  const Kernels &kernels = hostKernels();
  alignas(line) uint8_t buffer[stripElements * 8 + 2 * line];
  int64_t held = 0;
  uint8_t *next = dst; // where what is held belongs
  for (int64_t first = 0; first < count; first += stripElements) {
    int64_t elements = std::min(stripElements, count - first);
    unsigned source = 0;
    for (; source + 1 < numSources; source += 2)
      prefetch(sources[source].later(first, elements), sources[source + 1].later(first, elements));
    if (source < numSources)
      prefetch(sources[source].later(first, elements));
    uint8_t *instead = streamed ? buffer + held : dst + first * size;
    for (StripRun &run : std::span(runs, numSteps))
      run(first, elements, instead);
    if (bypassed && streamed) {
      held += elements * size;
      int64_t open = first + elements < count ? int64_t(reinterpret_cast<uintptr_t>(next + held) % line) : 0;
      int64_t whole = std::max<int64_t>(held - open, 0);
      kernels.stream(next, buffer, whole);
      next += whole;
      held -= whole;
      __builtin_memcpy(buffer, buffer + whole, line); // what is held, and bytes that the next strip overwrites
    }
  }
  numSteps = 0;
  if (stored && !bypassed)
    storeBytes(dst, ub + stored->begin, bytes, streamed);
  if (bypassed)
    addView({*stored, dst}, memory);
}

void Deferred::settleAll(const MemoryView &memory) {
  if (numSteps)
    runSteps(memory);
  while (numViews)
    materialise(numViews - 1, memory);
}

} // namespace tilesmith::machine::exec
