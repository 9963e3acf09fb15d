// The least time of a block: what its busiest pipe has to do, had it nothing to wait for and the shared memories for
// itself. Added up call by call, so that nothing is kept; never more than replay gives.
#ifndef TILESMITH_LIB_MACHINE_TIME_LEAST_H
#define TILESMITH_LIB_MACHINE_TIME_LEAST_H

#include "ReplayMemory.h"

namespace tilesmith::machine {

class LeastTime {
public:
  explicit LeastTime(const Platform &platform) : platform(platform), bandwidth(platform) {}

  void add(const Instr &instr);
  // Of a launch in which a core makes the calls so far.
  int64_t cycles() const;
  int64_t calls() const { return count; }

private:
  const Platform &platform;
  Bandwidth bandwidth;
  // Of each pipe: what holds its queue, and what its moves need of the way to GM. The two may overlap.
  Ticks queues[isa::numPipe] = {}, ways[isa::numPipe] = {};
  int64_t inFlight[isa::numPipe] = {}; // of the last move
  bool moved[isa::numPipe] = {};
  int64_t count = 0;
};

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_TIME_LEAST_H
