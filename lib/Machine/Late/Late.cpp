#include "Late.h"
#include "Core/CrossBlocks.h"
#include "Order/OrderRules.h"
#include "tilesmith/Isa/Chip.h"
#include <algorithm>
#include <cstring>

namespace tilesmith::machine {

void LateQueues::begin(Late launchOrder) {
  order = launchOrder;
  for (Queue &queue : queues) {
    queue.calls.clear();
    queue.head = 0;
    queue.running = false;
    queue.held.runs.clear();
    queue.held.bytes.clear();
  }
  std::memset(flags, 0, sizeof flags);
}

void LateQueues::push(const Instr &instr, isa::AtomicOp atomic) {
  queues[unsigned(pipeOf(instr))].calls.push_back({instr, atomic});
}

void LateQueues::sync(const Instr &instr) {
  Pipe pipe = pipeOf(instr);
  if (pipe == Pipe::ALL)
    return drain();
  if (pipe != Pipe::S)
    return push(instr, isa::AtomicOp::None);
  if (instr.op == Opcode::CrossSet)
    return core.cross->set(isa::CrossSet(instr).key());
  if (instr.op == Opcode::CrossWait) {
    isa::CrossWait wait(instr);
    makeCrossSets(); // other blocks see them whether or not this one waits
    if (!core.ended && !core.cross->wait(core.block, wait.key(), wait.sets()))
      core.reportDeadlock(instr);
    return;
  }
  if (instr.op == Opcode::SetFlag)
    ++flag(isa::family::Flag(instr));
  else if (!forceFlag(instr) && !core.ended)
    core.reportDeadlock(instr);
}

void LateQueues::drain() {
  static constexpr Pipe consumersFirst[] = {Pipe::FIX, Pipe::MTE3, Pipe::M, Pipe::V, Pipe::MTE1, Pipe::MTE2};
  constexpr size_t count = std::size(consumersFirst);
  for (size_t i = 0; i < count; ++i) {
    Queue &queue = queues[unsigned(consumersFirst[order == Late::Consumers ? i : count - 1 - i])];
    queue.running = true;
    while (!core.ended && queue.head < queue.calls.size())
      runNext(queue);
    queue.running = false;
    release(queue.held);
    queue.calls.clear();
    queue.head = 0;
  }
}

void LateQueues::catchUp(Pipe pipe) {
  Queue &queue = queues[unsigned(pipe)];
  queue.running = true;
  while (!core.ended && queue.head < queue.calls.size())
    runNext(queue);
  queue.running = false;
  release(queue.held);
}

bool LateQueues::touches(const Instr &instr, Arch arch, int64_t begin, int64_t end, std::vector<Effect> &effects) {
  effects.clear();
  effectsOf(instr, arch, effects);
  return std::any_of(effects.begin(), effects.end(), [&](const Effect &effect) {
    return effect.memory == Memory::UB && effect.start < end && effect.end() > begin;
  });
}

void LateQueues::settle(int64_t begin, int64_t end) {
  for (Pipe pipe : {Pipe::V, Pipe::MTE2, Pipe::MTE3}) {
    Queue &queue = queues[unsigned(pipe)];
    size_t last = queue.head;
    for (size_t i = queue.head; i < queue.calls.size(); ++i)
      if (touches(queue.calls[i].instr, core.platform->arch, begin, end, effects))
        last = i + 1;
    bool held = std::any_of(queue.held.runs.begin(), queue.held.runs.end(), [&](const HeldBack::Run &run) {
      const uint8_t *ub = core.view.base[unsigned(Memory::UB)];
      return run.host < ub + end && run.host + run.size > ub + begin;
    });
    queue.running = true;
    while (!core.ended && queue.head < last)
      runNext(queue);
    queue.running = false;
    if (held || last)
      release(queue.held);
  }
}

// Runs every queue as far as its last set for other blocks.
void LateQueues::makeCrossSets() {
  for (Queue &queue : queues) {
    size_t end = queue.head;
    for (size_t i = queue.head; i < queue.calls.size(); ++i)
      if (queue.calls[i].instr.op == Opcode::CrossSet)
        end = i + 1;
    queue.running = true;
    while (!core.ended && queue.head < end)
      runNext(queue);
    queue.running = false;
  }
}

// Pulls the pipe a wait looks at up to the matching set, then lowers the flag. False: nothing issued so far sets it.
bool LateQueues::forceFlag(const Instr &wait) {
  isa::family::Flag call(wait);
  uint32_t &raised = flag(call);
  Queue &from = queues[unsigned(call.from())];
  if (!raised && !from.running) {
    from.running = true;
    while (!raised && from.head < from.calls.size() && runNext(from))
      ;
    from.running = false;
  }
  if (!raised)
    return false;
  --raised;
  return true;
}

// False: the block has ended in a deadlock.
bool LateQueues::runNext(Queue &queue) {
  const Call &call = queue.calls[queue.head++];
  switch (call.instr.op) {
  case Opcode::SetFlag:
    release(queue.held);
    ++flag(isa::family::Flag(call.instr));
    return true;
  case Opcode::WaitFlag:
    if (forceFlag(call.instr))
      return true;
    if (!core.ended)
      core.reportDeadlock(call.instr);
    return false;
  case Opcode::CrossSet:
    release(queue.held);
    core.cross->set(isa::CrossSet(call.instr).key());
    return true;
  case Opcode::PipeBarrier:
    release(queue.held);
    return true;
  default:
    execute(queue, call);
    return true;
  }
}

template <typename Visit>
static void forEachRun(const std::vector<Effect> &effects, const MemoryView &view, Visit visit) {
  for (const Effect &effect : effects)
    if (effect.access == Access::Write)
      for (int64_t i = 0; i < effect.count; ++i)
        visit(view.at(Address(effect.memory, effect.start + i * effect.stride)), size_t(effect.length));
}

void LateQueues::execute(Queue &queue, const Call &call) {
  // Atomic stores combine at the memory in any order, and a long mmad is complete when the next one arrives.
  bool ordered = isa::ordersItself(core.platform->arch, call.instr.info().pipe) ||
                 (core.autoSync && call.instr.info().pipe == Pipe::V);
  if (ordered || writeKindOf(call.instr, call.atomic) != WriteKind::Plain) {
    core.run(call.instr, call.atomic);
    return;
  }
  effects.clear();
  effectsOf(call.instr, core.platform->arch, effects);
  before.clear();
  forEachRun(effects, core.view, [&](uint8_t *host, size_t size) { before.insert(before.end(), host, host + size); });
  core.run(call.instr, call.atomic);
  HeldBack &held = queue.held;
  forEachRun(effects, core.view, [&](uint8_t *host, size_t size) {
    held.runs.push_back({host, size});
    held.bytes.insert(held.bytes.end(), host, host + size);
  });
  const uint8_t *old = before.data();
  forEachRun(effects, core.view, [&](uint8_t *host, size_t size) {
    std::memcpy(host, old, size);
    old += size;
  });
}

void LateQueues::release(HeldBack &held) {
  const uint8_t *bytes = held.bytes.data();
  for (const HeldBack::Run &run : held.runs) {
    std::memcpy(run.host, bytes, run.size);
    bytes += run.size;
  }
  held.runs.clear();
  held.bytes.clear();
}

} // namespace tilesmith::machine
