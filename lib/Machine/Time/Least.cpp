#include "Least.h"
#include "tilesmith/Machine/Trace.h"
#include <algorithm>
#include <utility>

namespace tilesmith::machine {

void LeastTime::add(const Instr &instr) {
  ++count;
  CallKind kind = kindOf(instr.op);
  unsigned pipe = unsigned(pipeOf(instr)) & 7;
  Ticks &scalar = queues[unsigned(Pipe::S)];
  scalar += (kind == CallKind::ScalarAccess ? platform.scalarAccess : platform.scalarIssue) * ticksPerCycle;
  switch (kind) {
  case CallKind::Barrier:
    (pipe == unsigned(Pipe::ALL) ? scalar : queues[pipe]) += platform.barrier * ticksPerCycle;
    break;
  case CallKind::Global: {
    GlobalMove move = globalMoveOf(instr, platform);
    queues[pipe] += platform.moveIssue * ticksPerCycle;
    ways[pipe] += std::max(move.port, bandwidth.leastTicks(move.path, bytesOf(move)));
    if (std::exchange(inFlight[pipe], move.inFlight) + move.inFlight > platform.moveOverlap && moved[pipe])
      ways[pipe] += move.latency; // it began when the last one was complete
    moved[pipe] = true;
    ways[pipe] += std::max<int64_t>((bytesOf(move) - 1) / move.window, 0) * move.latency * platform.windowLatency / 100;
    break;
  }
  case CallKind::Local:
    queues[pipe] += workOf(instr, platform).occupied;
    break;
  default: // flags take no time of their own, scalar work is counted
    break;
  }
}

int64_t LeastTime::cycles() const {
  Ticks least = 0;
  for (unsigned pipe = 0; pipe < isa::numPipe; ++pipe)
    least = std::max({least, queues[pipe], ways[pipe]});
  least += int64_t(platform.launchNsOneCore) * platform.clockMHz * ticksPerCycle / 1000;
  return (least + ticksPerCycle - 1) / ticksPerCycle;
}

int64_t leastCycles(const BlockTrace &block, const Platform &platform) {
  LeastTime least(platform);
  for (const Instr &instr : block.calls)
    least.add(instr);
  return least.cycles();
}

} // namespace tilesmith::machine
