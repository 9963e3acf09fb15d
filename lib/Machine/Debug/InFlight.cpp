#include "tilesmith/Machine/Debugger.h"
#include <algorithm>

namespace tilesmith::machine {

static constexpr size_t kept = 256; // calls of a pipe that can be shown

void InFlight::clear() {
  for (Queue &queue : queues)
    queue = {};
  raised.clear();
}

void InFlight::note(const Instr &call) {
  auto complete = [](Queue &queue, int64_t position) { queue.complete = std::max(queue.complete, position); };
  switch (call.op) {
  case Opcode::SetFlag: {
    isa::SetFlag set(call);
    Raised &flag = raised[{set.from(), set.to(), set.id()}];
    ++flag.sets;
    flag.position = queues[unsigned(set.from())].issued;
    flag.loc = call.loc;
    return;
  }
  case Opcode::WaitFlag: {
    isa::WaitFlag wait(call);
    auto flag = raised.find({wait.from(), wait.to(), wait.id()});
    if (flag == raised.end())
      return;
    complete(queues[unsigned(wait.from())], flag->second.position);
    if (--flag->second.sets <= 0)
      raised.erase(flag);
    return;
  }
  case Opcode::PipeBarrier:
    for (unsigned pipe = 0; pipe < isa::numPipe; ++pipe)
      if (isa::PipeBarrier(call).on() == Pipe::ALL || isa::PipeBarrier(call).on() == Pipe(pipe))
        complete(queues[pipe], queues[pipe].issued);
    return;
  default:
    Pipe pipe = pipeOf(call);
    if (pipe == Pipe::S || pipe == Pipe::ALL) // the scalar unit waits for its own
      return;
    Queue &queue = queues[unsigned(pipe)];
    if (queue.calls.size() == kept)
      queue.calls.erase(queue.calls.begin(), queue.calls.begin() + kept / 2);
    queue.calls.push_back({call, ++queue.issued});
  }
}

std::vector<InFlight::Call> InFlight::of(Pipe pipe, size_t most, int64_t &count) const {
  const Queue &queue = queues[unsigned(pipe)];
  count = queue.issued - queue.complete;
  size_t shown = std::min({size_t(count), most, queue.calls.size()});
  return {queue.calls.end() - int64_t(shown), queue.calls.end()};
}

std::vector<InFlight::Flag> InFlight::flags() const {
  std::vector<Flag> result;
  for (const auto &[key, flag] : raised)
    result.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), flag.sets, flag.loc});
  return result;
}

} // namespace tilesmith::machine
