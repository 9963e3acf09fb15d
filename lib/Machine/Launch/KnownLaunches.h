// Launches whose time and order are known, because one with the same calls was observed before.
//
// Both are functions of the calls, the platform and the options, to the last operand and address. A program launches a
// kernel again and again on arrays in the same places: its blocks run, their calls are counted and compared, and what
// follows from them is taken from here. Calls are compared by a number of 128 bits, kept are times of launches without
// findings, and launches with different numbers of host threads have nothing in common, so that asking whether threads
// matter still asks.
#ifndef TILESMITH_LIB_MACHINE_LAUNCH_KNOWNLAUNCHES_H
#define TILESMITH_LIB_MACHINE_LAUNCH_KNOWNLAUNCHES_H

#include "tilesmith/Machine/Launch.h"
#include <array>

namespace tilesmith::machine {

// A number for some words. Equal words have equal numbers; different ones have not, but by a chance nobody will see.
class Number128 {
public:
  void add(uint64_t a, uint64_t b = 0, uint64_t c = 0, uint64_t d = 0) {
    mix(lanes[0], a);
    mix(lanes[1], b);
    mix(lanes[2], c);
    mix(lanes[3], d);
  }
  using Value = std::array<uint64_t, 2>;
  Value value() const;

private:
  static void mix(uint64_t &lane, uint64_t word) {
    lane = (lane ^ word) * 0x9fb21c651e98df25u;
    lane ^= lane >> 29;
  }

  // They begin as no program knows: a kernel whose author could tell them might be made to have another one's number.
  static const std::array<uint64_t, 4> &beginning();
  std::array<uint64_t, 4> lanes = beginning();
};

// Of everything in the trace that time and order follow from; 0: a vector function in it says too little.
Number128::Value numberOf(const BlockTrace &trace);

// Of a launch, from the numbers of its cores' traces; none: it is not to be known.
using LaunchKey = std::optional<Number128::Value>;
LaunchKey keyOf(const Launch &launch, isa::BlockCores cores, std::span<const Number128::Value> traces);

struct KnownLaunch {
  Timing timing;
  int64_t calls;
};
// By any number of threads.
std::optional<KnownLaunch> knownLaunch(const LaunchKey &key);
void keepLaunch(const LaunchKey &key, KnownLaunch launch);

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_LAUNCH_KNOWNLAUNCHES_H
