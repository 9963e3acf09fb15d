#include "Deferred.h"
#include "GlobalStores.h"
#include "tilesmith/Isa/Chip.h"
#include <algorithm>
#include <cstring>
#include <span>

namespace tilesmith::machine::exec {

namespace {
constexpr int64_t least = 1024;        // bytes of a tile worth the bookkeeping
constexpr int64_t stripElements = 128; // all of a strip stays in the innermost cache
constexpr int64_t line = 64;

// The blocks of a move that follow each other on both sides, in bytes; 0: another move.
int64_t contiguousBytes(int64_t blocks, int64_t length, int64_t srcStride, int64_t dstStride) {
  bool follow = srcStride == 0 && dstStride == 0 && length % isa::blockBytes == 0;
  return follow ? blocks * length : 0;
}

// Into the innermost cache alone: the bytes are read once, and a host drops fewer of such prefetches.
inline void prefetchLine(const uint8_t *from) { __builtin_prefetch(from, 0, 0); }

void prefetch(const uint8_t *from, int64_t bytes) {
  for (int64_t i = 0; i < bytes; i += line)
    prefetchLine(from + i);
}

// Elements that will be wanted.
struct Ahead {
  const uint8_t *from;
  int64_t size;
};

// Of two arrays in turn: when too many prefetches are under way a host drops some, which should not be all of one
// array.
void prefetch(std::span<const Ahead> arrays, int64_t first, int64_t elements) {
  for (; arrays.size() > 1; arrays = arrays.subspan(2)) {
    const uint8_t *one = arrays[0].from + first * arrays[0].size, *other = arrays[1].from + first * arrays[1].size;
    int64_t bytes = elements * arrays[0].size, common = std::min(bytes, elements * arrays[1].size);
    for (int64_t i = 0; i < common; i += line) {
      prefetchLine(one + i);
      prefetchLine(other + i);
    }
    prefetch(one + common, bytes - common);
    prefetch(other + common, elements * arrays[1].size - common);
  }
  if (!arrays.empty())
    prefetch(arrays[0].from + first * arrays[0].size, elements * arrays[0].size);
}
} // namespace

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
  Operand &operand = operands[num++];
  operand = {};
  operand.ub = {address.offset(), address.offset() + elements * size};
  operand.size = size;
  operand.reads = reads;
  operand.writes = writes;
  operand.arg = uint8_t(arg);
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
    const uint8_t *from = view->host + (range.begin - view->ub.begin);
    if (view->ahead)
      prefetch(view->ahead + (range.begin - view->ub.begin), bytes);
    storeBytes(dst, from, bytes, isStreamed(dst, bytes, memory));
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

void Deferred::materialise(unsigned i, const MemoryView &memory) {
  const View view = views[i];
  uint8_t *ub = memory.base[unsigned(Memory::UB)] + view.ub.begin;
  int64_t bytes = view.ub.end - view.ub.begin;
  written = std::max(written, view.ub.end);
  constexpr int64_t piece = 2048;
  for (int64_t done = 0; done < bytes; done += piece) {
    int64_t length = std::min(piece, bytes - done);
    if (view.ahead)
      prefetch(view.ahead + done, length);
    std::memcpy(ub + done, view.host + done, size_t(length));
  }
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

// Elements of one step. What it has in `kept` of UB lies at `instead`, if that is not null.
void Deferred::runStrip(const Step &step, int64_t first, int64_t elements, uint8_t *ub, const Range *kept,
                        uint8_t *instead) {
  auto place = [&](const Operand &operand) {
    if (operand.host)
      return const_cast<uint8_t *>(operand.host) + first * operand.size; // only read
    return kept && operand.ub == *kept ? instead : ub + operand.ub.begin + first * operand.size;
  };
  if (step.part) { // counts from its first element, and its addresses from the base of UB: here there is none
    int64_t args[TS_VF_MAX_ARGS];
    std::copy_n(step.args, TS_VF_MAX_ARGS, args);
    for (const Operand &operand : step.all())
      args[operand.arg] = reinterpret_cast<intptr_t>(place(operand)) - first * operand.size;
    return step.part(nullptr, args, first, first + elements);
  }
  Rows rows;
  rows.dst = place(step.operands[0]);
  for (unsigned i = 1; i < step.num; ++i)
    rows.src[i - 1] = place(step.operands[i]);
  rows.cols = elements;
  rows.scalar = step.scalar;
  rows.mode = step.mode;
  step.kernel(rows);
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
  Ahead ahead[maxViews];
  unsigned numAhead = 0;
  for (const Step &step : std::span(steps, numSteps))
    for (const Operand &operand : step.all()) {
      if (operand.writes && !(bypassed && operand.ub == *stored))
        written = std::max(written, operand.ub.end);
      if (operand.ahead && numAhead < maxViews &&
          std::none_of(ahead, ahead + numAhead, [&](const Ahead &other) { return other.from == operand.ahead; }))
        ahead[numAhead++] = {operand.ahead, operand.size};
    }

  const Kernels &kernels = hostKernels();
  alignas(line) uint8_t buffer[stripElements * 8 + line];
  int64_t held = 0;
  uint8_t *next = dst; // where what is held belongs
  for (int64_t first = 0; first < count; first += stripElements) {
    int64_t elements = std::min(stripElements, count - first), half = elements / 2;
    prefetch({ahead, numAhead}, first, half);
    uint8_t *instead = streamed ? buffer + held : dst + first * size;
    for (const Step &step : std::span(steps, numSteps))
      runStrip(step, first, elements, ub, bypassed ? stored : nullptr, instead);
    prefetch({ahead, numAhead}, first + half, elements - half);
    if (bypassed && streamed) {
      held += elements * size;
      int64_t open = first + elements < count ? int64_t(reinterpret_cast<uintptr_t>(next + held) % line) : 0;
      int64_t whole = std::max<int64_t>(held - open, 0);
      kernels.stream(next, buffer, whole);
      next += whole;
      held -= whole;
      std::memmove(buffer, buffer + whole, size_t(held));
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
