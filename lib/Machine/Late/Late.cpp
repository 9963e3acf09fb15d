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
  units.clear();
}

void LateQueues::note(const Instr &instr) {
  if (instr.info().family != Family::Flag)
    return handUnits(instr);
  uint32_t &raised = flag(isa::family::Flag(instr));
  if (instr.op == Opcode::SetFlag)
    ++raised;
  else if (raised)
    --raised;
}

void LateQueues::push(const Instr &instr, isa::AtomicOp atomic) {
  std::vector<Call> &calls = queues[unsigned(pipeOf(instr))].calls;
  if (calls.size() < calls.capacity() || core.watch.mayKeep(core, instr.loc, 2 * calls.size() * sizeof(Call)))
    calls.push_back({instr, atomic});
}

void LateQueues::sync(const Instr &instr) {
  Pipe pipe = pipeOf(instr);
  if (pipe == Pipe::ALL)
    return drain();
  if (pipe != Pipe::S)
    return push(instr, isa::AtomicOp::None);
  switch (instr.op) {
  case Opcode::SetFlag:
    ++flag(isa::family::Flag(instr));
    return;
  case Opcode::WaitFlag:
    for (Step step = forceFlag(instr); step != Step::Ran && !core.ended; step = forceFlag(instr))
      if (step == Step::Stuck)
        getUnstuck();
      else
        core.reportDeadlock(instr);
    return;
  default:
    return core.crossNow(instr);
  }
}

bool LateQueues::waitForOthers(const std::function<bool()> &ready, bool last) {
  for (;;) {
    makeCrossSets(); // other cores see them whether or not this one waits
    if (core.ended)
      return true;
    bool somebodyCame = core.cross->wait(
        core.turn,
        [&] {
          return ready() || std::any_of(alsoStuckOn.begin(), alsoStuckOn.end(),
                                        [&](const Instr *wait) { return core.isReady(*wait); });
        },
        last);
    if (!somebodyCame || ready())
      return somebodyCame;
  }
}

// Returns when the wait that stopped the last step can go on, or after a finding.
void LateQueues::getUnstuck() {
  const Instr &wait = *stuckOn;
  const Queue &queue = *stuckQueue;
  if (!waitForOthers([&, head = queue.head] { return queue.head != head || core.isReady(wait); }))
    core.reportDeadlock(wait);
}

void LateQueues::runTo(Queue &queue, size_t end) {
  while (!core.ended && queue.head < end) {
    queue.running = true;
    Step step = runNext(queue);
    queue.running = false;
    if (step == Step::Stuck)
      getUnstuck();
  }
}

void LateQueues::drain() {
  static constexpr Pipe consumersFirst[] = {Pipe::FIX, Pipe::MTE3, Pipe::M, Pipe::V, Pipe::MTE1, Pipe::MTE2};
  constexpr size_t count = std::size(consumersFirst);
  for (size_t i = 0; i < count; ++i) {
    Queue &queue = queues[unsigned(consumersFirst[order == Late::Consumers ? i : count - 1 - i])];
    runTo(queue, queue.calls.size());
    release(queue.held);
    queue.calls.clear();
    queue.head = 0;
  }
}

void LateQueues::catchUp(Pipe pipe) {
  Queue &queue = queues[unsigned(pipe)];
  runTo(queue, queue.calls.size());
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
    runTo(queue, last);
    if (held || last)
      release(queue.held);
  }
}

// Runs every queue as far as its last set for other cores, or to where it is stuck.
void LateQueues::makeCrossSets() {
  alsoStuckOn.clear();
  for (Queue &queue : queues) {
    size_t end = queue.head;
    for (size_t i = queue.head; i < queue.calls.size(); ++i)
      if (queue.calls[i].instr.op == Opcode::CrossSet || queue.calls[i].instr.op == Opcode::CrossCoreSet)
        end = i + 1;
    queue.running = true;
    while (!core.ended && queue.head < end)
      if (runNext(queue) == Step::Stuck) {
        alsoStuckOn.push_back(stuckOn);
        break;
      }
    queue.running = false;
  }
}

// Pulls the pipe a wait looks at up to the matching set, then lowers the flag. Never: nothing issued so far sets it.
LateQueues::Step LateQueues::forceFlag(const Instr &wait) {
  isa::family::Flag call(wait);
  uint32_t &raised = flag(call);
  Queue &from = queues[unsigned(call.from())];
  if (!raised && !from.running) {
    from.running = true;
    Step step = Step::Ran;
    while (!raised && from.head < from.calls.size() && step == Step::Ran)
      step = runNext(from);
    from.running = false;
    if (!raised && step == Step::Stuck)
      return step;
  }
  if (!raised)
    return Step::Never;
  --raised;
  return Step::Ran;
}

// Pulls the pipe that hands over what the call waits for up to there.
LateQueues::Step LateQueues::forceUnits(const Instr &call) {
  Queue &from = queues[unsigned(giverOf(call))];
  Arch arch = core.platform->arch;
  if (units.ready(call, arch))
    return Step::Ran;
  Step step = Step::Ran;
  if (!from.running) {
    from.running = true;
    while (step == Step::Ran && from.head < from.calls.size() && !units.ready(call, arch))
      step = runNext(from);
    from.running = false;
  }
  return units.ready(call, arch) ? Step::Ran : step == Step::Stuck ? Step::Stuck : Step::Never;
}

void LateQueues::handUnits(const Instr &call) {
  if (handsOver(call))
    units.hand(call, core.platform->arch, [](auto...) { return NoValue(); });
}

// Never: the core has ended in a deadlock.
LateQueues::Step LateQueues::runNext(Queue &queue) {
  const Call &call = queue.calls[queue.head];
  switch (call.instr.op) {
  case Opcode::WaitFlag: {
    Step step = forceFlag(call.instr);
    if (step == Step::Never && !core.ended)
      core.reportDeadlock(call.instr);
    queue.head += step != Step::Stuck;
    return step;
  }
  case Opcode::CrossCoreWait:
    if (!core.isReady(call.instr)) {
      stuckOn = &call.instr;
      stuckQueue = &queue;
      return Step::Stuck;
    }
    core.crossNow(call.instr);
    break;
  case Opcode::SetFlag:
    release(queue.held);
    ++flag(isa::family::Flag(call.instr));
    break;
  case Opcode::CrossSet:
  case Opcode::CrossCoreSet:
    release(queue.held);
    core.crossNow(call.instr);
    break;
  case Opcode::PipeBarrier:
    release(queue.held);
    break;
  default:
    if (usesUnitFlags(call.instr))
      if (Step step = forceUnits(call.instr); step != Step::Ran) {
        if (step == Step::Never && !core.ended)
          core.reportDeadlock(call.instr);
        queue.head += step != Step::Stuck;
        return step;
      }
    execute(queue, call);
    if (handsOver(call.instr)) {
      if (pipeOf(call.instr) == Pipe::M) // what it hands over is there
        release(queue.held);
      handUnits(call.instr);
    }
    break;
  }
  ++queue.head;
  return Step::Ran;
}

// Host bytes the call writes: in its own memories, or in those of the cores a direct path leads to.
template <typename Visit>
static void forEachRun(const TsCore &core, const Instr &instr, const std::vector<Effect> &effects, Visit visit) {
  for (const Effect &effect : effects)
    if (effect.access == Access::Write)
      for (int64_t i = 0; i < effect.count; ++i) {
        Address address(effect.memory, effect.start + i * effect.stride);
        if (!isDirect(instr) || core.group.empty())
          visit(core.view.at(address), size_t(effect.length));
        else
          core.cores.eachTarget(core.index, instr, [&](size_t target) {
            visit(core.group[core.cores.placeOf(target)]->view.at(address), size_t(effect.length));
          });
      }
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
  forEachRun(core, call.instr, effects,
             [&](uint8_t *host, size_t size) { before.insert(before.end(), host, host + size); });
  core.run(call.instr, call.atomic);
  HeldBack &held = queue.held;
  forEachRun(core, call.instr, effects, [&](uint8_t *host, size_t size) {
    held.runs.push_back({host, size});
    held.bytes.insert(held.bytes.end(), host, host + size);
  });
  const uint8_t *old = before.data();
  forEachRun(core, call.instr, effects, [&](uint8_t *host, size_t size) {
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
