// Where a core's time goes: which of its pipes work at the same time, and for which lines of the source.
//
// Busy times are told pipe by pipe, those of a pipe in order. When a block ends they are laid over each other, so only
// one block's are kept.
#ifndef TILESMITH_LIB_MACHINE_TIME_COREACCOUNT_H
#define TILESMITH_LIB_MACHINE_TIME_COREACCOUNT_H

#include "tilesmith/Machine/Timing.h"
#include <vector>

namespace tilesmith::machine {

class CoreAccount {
public:
  explicit CoreAccount(unsigned coresOfBlock) : busyTimes(coresOfBlock * lanesPerKind) {}

  // `core` is its place in the block.
  void busy(unsigned core, unsigned lane, Ticks begin, Ticks end);
  void endBlock(Ticks begin, Ticks end);
  // After the last block: busy times from what worked together.
  void conclude();
  // `number` counts the places of the launch as they appear.
  LineUse &line(uint32_t number) {
    if (number >= lines.size())
      lines.resize(number + 1);
    return lines[number];
  }

  CoreUse use;
  std::vector<LineUse> lines;
  int64_t lastBlock = 0;

private:
  struct OfPipe {
    unsigned lane = 0;
    std::vector<Ticks> changes; // begins and ends of its busy times, in turn
  };
  void add(uint32_t lanes, Ticks time);

  std::vector<OfPipe> busyTimes;
};

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_TIME_COREACCOUNT_H
