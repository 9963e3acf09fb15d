#include "ReplayCore.h"
#include <algorithm>

namespace tilesmith::machine {

namespace {

unsigned flagIndex(const Instr &instr) {
  isa::family::Flag flag(instr);
  return unsigned(((flag.fromValue() & 7) * isa::numPipe + (flag.toValue() & 7)) * 8 + (flag.id() & 7));
}

} // namespace

CoreReplay::CoreReplay(const Platform &platform, KnownCosts &costs, Tally &tally, CrossTimes &cross,
                       CoreAccount &account, unsigned place)
    : platform(platform), costs(costs), tally(tally), cross(cross), account(account), place(place),
      depth(uint32_t(std::clamp<int32_t>(platform.queueDepth, 1, maxDepth))),
      moves(uint32_t(std::clamp<int32_t>(platform.movesInFlight, 1, maxMoves))) {
  static_assert((maxDepth & slots) == 0);
}

void CoreReplay::begin(const BlockTrace &block, size_t number, Ticks time) {
  trace = &block;
  core = number;
  kind = kindsOf(block, platform.arch).has(isa::CoreKind::AIC) ? isa::CoreKind::AIC : isa::CoreKind::AIV;
  pc = 0;
  scalar = started = time;
  starting = 0;
  for (Queue &queue : queues) {
    queue.pushed = queue.taken = 0;
    queue.free = queue.done = queue.counted = queue.port = time;
    queue.busy = 0;
    queue.firstMove = queue.numMoves = 0;
    queue.prepared = 0;
    queue.inFlight = queue.landing = 0;
    queue.landed = time;
  }
  usedFlags.reset();
  units.clear();
  crossWaits.clear();
}

const Instr *CoreReplay::hangsOn() {
  auto waits = [&](const Instr &instr) {
    return kindOf(instr.op) == CallKind::WaitFlag || kindOf(instr.op) == CallKind::CrossWait ||
           (usesUnitFlags(instr) && !units.ready(instr, platform.arch));
  };
  for (const Queue &queue : queues)
    if (queue.taken != queue.pushed)
      if (const Instr &head = trace->calls[queue.calls[queue.taken & slots]]; waits(head))
        return &head;
  return pc < trace->calls.size() && waits(trace->calls[pc]) ? &trace->calls[pc] : nullptr;
}

bool CoreReplay::finished() const {
  return pc == trace->calls.size() &&
         std::all_of(queues.begin(), queues.end(), [&](const Queue &q) { return drained(q); });
}

Ticks CoreReplay::endTime() const {
  Ticks end = scalar;
  for (const Queue &queue : queues)
    end = std::max({end, queue.free, queue.done});
  return end;
}

bool CoreReplay::retire() {
  Ticks worked = 0;
  for (unsigned pipe = 0; pipe < numQueues; ++pipe) {
    tally.busy[unsigned(kind)][pipe] += queues[pipe].busy;
    total[pipe] += queues[pipe].busy;
    tally.busyMax[unsigned(kind)][pipe] = std::max(tally.busyMax[unsigned(kind)][pipe], total[pipe]);
    worked += pipe ? queues[pipe].busy : 0;
  }
  account.lastBlock = trace->block;
  trace = nullptr;
  return worked > 0;
}

void CoreReplay::advance() {
  for (bool going = true; going;) {
    going = runScalar();
    for (unsigned pipe = 1; pipe < numQueues; ++pipe)
      if (queues[pipe].taken != queues[pipe].pushed)
        going |= runQueue(pipe);
  }
}

// Issues calls until one has to wait for something not known yet. Returns whether any was issued.
bool CoreReplay::runScalar() {
  size_t before = pc;
  const Ticks issue = platform.scalarIssue * ticksPerCycle;
  for (; pc < trace->calls.size(); ++pc) {
    const Instr &instr = trace->calls[pc];
    CallKind kind = kindOf(instr.op);
    unsigned pipe = unsigned(pipeOf(instr)) & 7;
    if (pipe == unsigned(Pipe::ALL)) {
      Ticks time = scalar + issue;
      bool known = true;
      for (unsigned i = 1; i < numQueues; ++i) {
        known &= drained(queues[i]);
        time = std::max({time, queues[i].free, queues[i].done});
      }
      if (!known)
        break;
      scalar = time + platform.barrier * ticksPerCycle;
      for (Queue &queue : queues)
        queue.free = queue.done = scalar;
      continue;
    }
    if (pipe == unsigned(Pipe::S)) {
      Ticks begin = scalar;
      if (kind == CallKind::WaitFlag || kind == CallKind::CrossWait) {
        Ticks time = scalar + issue;
        if (!(kind == CallKind::WaitFlag ? wait(instr, time) : crossWait(instr, time)))
          break;
        scalar = time;
        continue;
      }
      scalar += kind == CallKind::ScalarAccess ? platform.scalarAccess * ticksPerCycle : issue;
      if (kind == CallKind::SetFlag)
        set(instr, scalar);
      if (kind == CallKind::CrossSet)
        cross.set(core, this->kind, instr, scalar);
      count(0, uint32_t(pc), begin, scalar);
      continue;
    }
    Queue &queue = queues[pipe];
    if (queue.pushed - queue.taken >= depth)
      break;
    Ticks begin = scalar;
    scalar += issue;
    count(0, uint32_t(pc), begin, scalar);
    if (queue.pushed >= depth) // a full queue holds the scalar unit back
      scalar = std::max(scalar, queue.left[(queue.pushed - depth) & slots]);
    unsigned slot = unsigned(queue.pushed++ & slots);
    queue.calls[slot] = uint32_t(pc);
    queue.arrival[slot] = scalar;
  }
  return pc != before;
}

bool CoreReplay::runQueue(unsigned pipe) {
  Queue &queue = queues[pipe];
  uint64_t before = queue.taken;
  while (queue.taken != queue.pushed) {
    unsigned slot = unsigned(queue.taken & slots);
    Ticks left = 0;
    if (!takeHead(queue, pipe, trace->calls[queue.calls[slot]], queue.arrival[slot], left))
      break;
    queue.left[slot] = left;
    ++queue.taken;
  }
  return queue.taken != before;
}

// Runs the call at the head of a queue, if all it waits for is known.
bool CoreReplay::takeHead(Queue &queue, unsigned pipe, const Instr &instr, Ticks arrival, Ticks &left) {
  Ticks time = std::max(arrival, queue.free);
  switch (kindOf(instr.op)) {
  case CallKind::WaitFlag:
  case CallKind::CrossWait:
    if (!(instr.op == Opcode::WaitFlag ? wait(instr, time) : crossWait(instr, time)))
      return false;
    queue.free = left = time;
    return true;
  case CallKind::SetFlag:
  case CallKind::CrossSet:
  case CallKind::Barrier:
    if (queue.numMoves)
      return false;
    time = std::max(time, queue.done);
    if (instr.op == Opcode::SetFlag)
      set(instr, time);
    else if (kindOf(instr.op) == CallKind::CrossSet)
      cross.set(core, kind, instr, time);
    else
      time += platform.barrier * ticksPerCycle;
    queue.free = left = time;
    return true;
  case CallKind::Global: {
    if (queue.numMoves == moves)
      return false;
    if (queue.moves.empty())
      queue.moves.resize(moves);
    unsigned behind = queue.firstMove + queue.numMoves;
    Move &entry = queue.moves[behind < moves ? behind : behind - moves];
    if (std::exchange(queue.prepared, queue.taken + 1) != queue.taken + 1)
      entry.move = costs.moveOf(instr);
    int64_t landing = queue.landed > time ? queue.landing : 0;
    if (queue.inFlight + landing && queue.inFlight + landing + entry.move.inFlight > platform.moveOverlap) {
      if (queue.numMoves)
        return false;
      time = queue.landed;
    }
    entry.begin = time;
    if (!waitForUnits(instr, entry.move.port, time))
      return false;
    entry.issue = left = time;
    entry.call = queue.calls[queue.taken & slots];
    entry.first = queue.numMoves == 0;
    queue.inFlight += entry.move.inFlight;
    if (queue.numMoves++ == 0) {
      entry.start = std::max(time + entry.move.latency, queue.port);
      starting |= 1u << pipe;
    }
    queue.free = time + platform.moveIssue * ticksPerCycle;
    return true;
  }
  default: {
    if (queue.numMoves)
      return false;
    Work work = costs.workOf(instr);
    if (queue.done >= time && queue.taken)
      work.occupied += work.following;
    if (!waitForUnits(instr, work.occupied, time))
      return false;
    left = time;
    handUnits(instr, time, time + work.occupied);
    queue.free = time + work.occupied;
    queue.done = std::max(queue.done, queue.free + work.tail);
    count(pipe, queue.calls[queue.taken & slots], time, queue.free + work.tail, work.amount).conflicts +=
        work.conflicts;
    if (pipe == unsigned(Pipe::M))
      tally.cubeOps += work.amount;
    else if (pipe == unsigned(Pipe::V))
      tally.vectorOps += work.amount;
    return true;
  }
  }
}

void CoreReplay::endMove(unsigned pipe, Ticks portEnd, Ticks done) {
  Queue &queue = queues[pipe];
  Move &entry = frontMove(pipe);
  int64_t bytes = bytesOf(entry.move);
  LineUse &line = count(pipe, entry.call, entry.begin, done, bytes, tally.arrayAt(entry.move.start));
  ++line.moves;
  line.bytes += bytes;
  line.pieces += entry.move.rows * entry.move.matrices;
  handUnits(trace->calls[entry.call], entry.start, portEnd);
  queue.port = portEnd;
  queue.done = std::max(queue.done, done);
  queue.inFlight -= entry.move.inFlight;
  queue.landing = entry.move.inFlight;
  queue.landed = done;
  queue.firstMove = queue.firstMove + 1 == moves ? 0 : queue.firstMove + 1;
  if (--queue.numMoves) {
    Move &next = frontMove(pipe);
    next.start = std::max(portEnd, next.issue + next.move.latency);
    starting |= 1u << pipe;
  }
}

CoreReplay::Flag &CoreReplay::flagOf(const Instr &instr) {
  unsigned index = flagIndex(instr);
  if (!usedFlags.test(index)) {
    usedFlags.set(index);
    flags[index].count = 0;
    flags[index].more = 0;
  }
  return flags[index];
}

void CoreReplay::set(const Instr &instr, Ticks time) {
  Flag &flag = flagOf(instr);
  if (flag.count == maxPending) { // overrun many times over: the order checker says so
    --flag.count;
    ++flag.more;
  }
  flag.locs[flag.count] = instr.loc;
  flag.times[flag.count++] = time;
}

bool CoreReplay::wait(const Instr &instr, Ticks &time) {
  Flag &flag = flagOf(instr);
  if (!flag.count)
    return false;
  isa::family::Flag call(instr);
  comeTo(instr, {flag.times[0], uint32_t(core), flag.locs[0], Pipe(call.fromValue() & 7), kind}, call.toValue() & 7,
         call.id(), time);
  if (flag.more) {
    --flag.more;
    return true;
  }
  std::copy(flag.times + 1, flag.times + flag.count, flag.times);
  std::copy(flag.locs + 1, flag.locs + flag.count, flag.locs);
  --flag.count;
  return true;
}

// A wait is over when its set has come; a set for another core travels like a flag, for want of a figure.
void CoreReplay::comeTo(const Instr &wait, const CrossStamp &set, unsigned to, int64_t id, Ticks &time) {
  Ticks begin = time;
  time = std::max(time, set.time + platform.flagLatency * ticksPerCycle);
  if (time > begin)
    lineOf(wait.loc).waited(laneOf(kind, to), laneOf(set.kind, unsigned(set.from)), time - begin);
  if (!tally.flags)
    return;
  FlagEntry entry;
  entry.set = set.time / ticksPerCycle;
  entry.begin = begin / ticksPerCycle;
  entry.end = time / ticksPerCycle;
  entry.block = int32_t(trace->block);
  entry.core = uint32_t(core);
  entry.setCore = set.core;
  entry.setLoc = set.loc;
  entry.waitLoc = wait.loc;
  entry.from = set.from;
  entry.to = Pipe(to);
  entry.id = uint8_t(id);
  tally.flags->push_back(entry);
}

// A core goes on when the last set the wait needs has come.
bool CoreReplay::crossWait(const Instr &instr, Ticks &time) {
  unsigned on = unsigned(pipeOf(instr)) & 7;
  if (instr.op == Opcode::CrossCoreWait) {
    isa::CrossCoreWait call(instr);
    if (!cross.flags.ready(core, counterOf(call)))
      return false;
    comeTo(instr, cross.flags.take(core, counterOf(call)), on, call.id(), time);
    return true;
  }
  isa::CrossWait call(instr);
  int64_t needed = 0;
  const std::vector<CrossStamp> &stamps = cross.sets[call.key()];
  if (__builtin_mul_overflow(crossWaits[call.key()] + 1, call.sets(), &needed) || int64_t(stamps.size()) < needed ||
      needed < 1)
    return false;
  ++crossWaits[call.key()];
  comeTo(instr, stamps[size_t(needed - 1)], on, call.key(), time);
  return true;
}

LineUse &CoreReplay::lineOf(uint32_t place) {
  uint32_t loc = place < (1u << 24) ? place : 0;
  if (loc != lastLoc || !lastLine) {
    lastLoc = loc;
    lastLine = tally.numberOf(loc);
  }
  return account.line(lastLine);
}

// Busy time is the union of the calls' times; each call is charged what it adds.
LineUse &CoreReplay::count(unsigned pipe, uint32_t call, Ticks begin, Ticks end, int64_t amount, int16_t array) {
  const Instr &instr = trace->calls[call];
  Queue &queue = queues[pipe];
  LineUse &line = lineOf(instr.loc);
  uint32_t loc = lastLoc;
  if (pipe) {
    line.first = line.first < 0 ? begin : std::min(line.first, begin);
    line.last = std::max(line.last, end);
  }
  Ticks from = std::max(begin, queue.counted), added = end - from;
  if (added > 0) {
    queue.busy += added;
    if (loc >= tally.byLoc.size())
      tally.byLoc.resize(loc + 1);
    tally.byLoc[loc] += added;
    queue.counted = end;
    line.busy[laneOf(kind, pipe)] += added;
    account.busy(place, laneOf(kind, pipe), from, end);
  }
  if (tally.timeline && (pipe || kindOf(instr.op) == CallKind::ScalarAccess))
    tally.timeline->push_back({begin / ticksPerCycle, end / ticksPerCycle, int32_t(trace->block), uint32_t(core),
                               instr.loc, call, uint32_t(std::clamp<int64_t>(amount, 0, ~uint32_t(0))), instr.op,
                               Pipe(pipe), instr.dtype, array});
  return line;
}

} // namespace tilesmith::machine
