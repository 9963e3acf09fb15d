// When the register instructions of a vector function run.
//
// The vector core of the 950 takes instructions in program order, a few per cycle, runs each when its operands are
// there and a unit is free, and lets them go in program order again. What it can hold of them, and the physical
// registers their results need, bound how far it looks ahead: a long body is limited by its chain of dependences,
// several short loops over the same elements are not. Registers are renamed, so only values order instructions, and
// loads and stores wait for each other only at a barrier.
//
// A function is told instruction by instruction. The time at which a value can be used is all that is remembered of
// it, so whoever tells keeps that beside the value: the Machine in the registers of running C++ code, the descriptors
// of compiled functions (VfSteps.h) in a table, and the compiler that compares shapes of a loop likewise. Same
// instructions, same time.
//
// Invariants
//  - time never goes back: an instruction more does not make a function shorter
//  - any numbers give an end: units are limited to what the calendars can hold
#ifndef TILESMITH_SUPPORT_VFCLOCK_H
#define TILESMITH_SUPPORT_VFCLOCK_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

// One instruction of a compiled vector function, and in which loop of its nest it stands: a row runs the phases one
// after another, each a loop over columns (see VfSteps). Values are numbered; -1: none. Plain data, emitted by the JIT.
struct TsVfStep {
  uint8_t kind;     // a class of operations, or a VfStepKind
  uint8_t narrow;   // elements have less than 32 bits
  uint16_t section; // 0: once per call; then for phase p 1 + 3p before, 2 + 3p inside and 3 + 3p after its loop
  int16_t result, operands[3];
};

namespace tilesmith {

enum class VfStepKind : uint8_t {
  Load = 32,
  Store = 33,
  Join = 34,    // needs no instruction: a value that is there when its operands are
  Barrier = 35, // later loads wait for earlier stores
  Loop = 36,    // the last trip of a loop over columns begins
};

// The numbers of a vector core. Cycles, but those in hundredths.
struct VfUnits {
  static constexpr unsigned numClasses = 16;
  struct Operation {
    int32_t latency = 1; // until the result is written
    int32_t busy = 1;    // cycles its port takes no other
    bool firstPort = false;
    bool special = false; // a special function: twice as long on 16-bit elements, see narrowSpecial
  };
  std::array<Operation, numClasses> operations = {};
  int32_t ports = 2, loadPorts = 2, storePorts = 1;
  int32_t issue = 0;           // instructions taken per cycle; 0: any number
  int32_t window = 0;          // instructions taken and not yet let go; 0: as many as the model can hold
  int32_t registers = 0;       // results of instructions not yet let go; 0: any number
  int32_t forward = 0;         // cycles a result can be used before it is written
  int32_t memory = 0;          // latency of loads and stores
  int32_t load = 0, store = 0; // hundredths of a cycle of the way to UB that all accesses share
  int32_t loop = 0;            // of entering a loop over columns
  int32_t narrowSpecial = 100; // percent a special function takes on 16-bit elements
};

class VfClock {
public:
  using Cycle = int64_t;

  VfClock() { start(VfUnits()); }

  void start(const VfUnits &of) {
    units = of;
    auto limit = [](int32_t &value, int32_t most) { value = std::clamp(value, 0, most); };
    for (VfUnits::Operation &operation : units.operations) {
      limit(operation.latency, mostLatency);
      operation.busy = std::clamp(operation.busy, 1, mostBusy);
    }
    limit(units.issue, 100);
    limit(units.registers, mostInFlight);
    units.window = units.window <= 0 ? mostInFlight : std::min(units.window, mostInFlight);
    limit(units.memory, mostLatency);
    limit(units.narrowSpecial, 400);
    limit(units.loop, mostLatency);
    limit(units.load, 10000);
    limit(units.store, 10000);
    units.ports = std::clamp(units.ports, 1, mostPorts);
    units.loadPorts = std::clamp(units.loadPorts, 1, mostPorts);
    units.storePorts = std::clamp(units.storePorts, 1, mostPorts);
    for (Calendar &calendar : calendars)
      calendar.clear();
    inFlight.start(units.window);
    results.start(units.registers);
    taken = memory = 0;
    last = letGo = fence = stored = 0;
    looped = false;
  }

  // An operation of a class whose operands can be used from `ready` on. Returns when its result can be.
  Cycle compute(unsigned cost, bool narrow, Cycle ready) {
    const VfUnits::Operation &operation = units.operations[cost % VfUnits::numClasses];
    int32_t busy = operation.busy, latency = operation.latency;
    if (operation.special && narrow) {
      latency += busy * (units.narrowSpecial - 100) / 100;
      busy = std::clamp(busy * units.narrowSpecial / 100, 1, mostBusy);
    }
    Cycle at = std::max(take(true), ready);
    at = operation.firstPort ? reserve(0, 1, at, busy) : reserve(0, units.ports, at, busy);
    finish(at + latency, true);
    return at + std::max(latency - units.forward, 1);
  }
  Cycle load() {
    memory += units.load;
    Cycle at = reserve(loadCalendar, units.loadPorts, std::max(take(true), fence), 1);
    finish(at + units.memory, true);
    return at + units.memory;
  }
  void store(Cycle ready) {
    memory += units.store;
    Cycle at = reserve(storeCalendar, units.storePorts, std::max(take(false), ready), 1);
    finish(at + units.memory, false);
    stored = std::max(stored, at + units.memory);
  }
  // Later loads wait for earlier stores.
  void barrier() { fence = std::max(fence, stored); }
  // A loop over columns ends; the first one is part of the call.
  void loop() {
    if (looped)
      taken += 100 * int64_t(units.loop);
    looped = true;
  }
  // Any of these by its kind. Returns when the result can be used.
  Cycle step(int64_t kind, bool narrow, Cycle ready) {
    ready = std::clamp<Cycle>(ready, 0, last); // nothing is there later than that
    switch (VfStepKind(kind)) {
    case VfStepKind::Load:
      return load();
    case VfStepKind::Store:
      store(ready);
      return 0;
    case VfStepKind::Join:
      return ready;
    case VfStepKind::Barrier:
      barrier();
      return 0;
    case VfStepKind::Loop:
      loop();
      return 0;
    }
    return compute(unsigned(kind), narrow, ready);
  }

  // When everything is written.
  Cycle end() const { return last; }

private:
  static constexpr int32_t mostLatency = 512, mostBusy = 16, mostPorts = 4, mostInFlight = 1024;
  // Everything in flight fits behind it: furthest + mostInFlight * mostBusy is below the horizon.
  static constexpr int64_t furthest = 8192;
  static constexpr unsigned loadCalendar = mostPorts, storeCalendar = 2 * mostPorts;

  // Which cycles of a unit are taken. Only the next `horizon` cycles are known: more is never planned.
  class Calendar {
  public:
    void clear() {
      std::fill_n(words.begin(), std::min<Cycle>(ends / 64 + 1, horizon / 64), 0);
      ends = 0;
    }
    // The first `length` free cycles in a row from `at` on.
    Cycle find(Cycle at, int32_t length) const {
      for (;; at += 65 - length) {
        unsigned shift = unsigned(at & 63);
        uint64_t free = ~(words[word(at)] >> shift | (shift ? words[word(at + 64)] << (64 - shift) : 0));
        for (int32_t have = 1; have < length && free;) {
          int32_t more = std::min(have, length - have);
          free &= free >> more;
          have += more;
        }
        // A run that would need bits past these 64 has zeros shifted in, so what is left is whole.
        if (free)
          return at + __builtin_ctzll(free);
      }
    }
    void take(Cycle at, int32_t length) {
      ends = std::max(ends, at + length);
      for (; length > 0; --length, ++at)
        words[word(at)] |= uint64_t(1) << (at & 63);
    }
    // The words of cycles before `to` are free to be those of later ones.
    void pass(Cycle from, Cycle to) {
      for (from &= ~Cycle(63); from + 64 <= to; from += 64)
        words[word(from)] = 0;
    }

  private:
    static size_t word(Cycle at) { return size_t(at) / 64 % (horizon / 64); }
    std::array<uint64_t, 512> words = {};
    Cycle ends = 0; // of what was ever taken
  };
  static constexpr Cycle horizon = 512 * 64;

  // When the last `size` of something were let go.
  class Ring {
  public:
    void start(int32_t size) {
      times.assign(size_t(size), 0);
      next = 0;
    }
    Cycle oldest() const { return times.empty() ? 0 : times[next]; }
    void push(Cycle time) {
      if (times.empty())
        return;
      times[next] = time;
      next = next + 1 == times.size() ? 0 : next + 1;
    }

  private:
    std::vector<Cycle> times;
    size_t next = 0;
  };

  // The cycle in which the next instruction is taken.
  Cycle take(bool writes) {
    Cycle before = taken / 100;
    if (units.issue)
      taken += 100 / units.issue;
    taken = std::max({taken, memory, 100 * inFlight.oldest(), writes ? 100 * results.oldest() : 0});
    Cycle now = taken / 100;
    pass(before, now);
    return now;
  }
  void pass(Cycle from, Cycle to) {
    if (from / 64 == to / 64)
      return;
    from = std::max(from, to - horizon);
    for (unsigned first : {0u, loadCalendar, storeCalendar})
      for (int32_t port = 0, count = portsOf(first); port < count; ++port)
        calendars[first + unsigned(port)].pass(from, to);
  }
  int32_t portsOf(unsigned first) const {
    return first == 0 ? units.ports : first == loadCalendar ? units.loadPorts : units.storePorts;
  }
  Cycle reserve(unsigned first, int32_t count, Cycle at, int32_t length) {
    if (Cycle now = taken / 100; at > now + furthest) { // so far ahead it waits outside
      taken = 100 * (at - furthest);
      pass(now, taken / 100);
    }
    unsigned best = first;
    Cycle start = calendars[first].find(at, length);
    for (unsigned port = first + 1; port < first + unsigned(count); ++port)
      if (Cycle other = calendars[port].find(at, length); other <= start) {
        start = other;
        best = port;
      }
    calendars[best].take(start, length);
    return start;
  }
  void finish(Cycle done, bool writes) {
    last = std::max(last, done);
    letGo = std::max(letGo, done);
    inFlight.push(letGo);
    if (writes)
      results.push(letGo);
  }

  VfUnits units;
  std::array<Calendar, 3 * mostPorts> calendars;
  Ring inFlight, results;
  int64_t taken = 0, memory = 0; // hundredths of a cycle
  Cycle last = 0, letGo = 0, fence = 0, stored = 0;
  bool looped = false;
};

// The instructions of a compiled function in the order in which they run: `rows` rows of `trips` trips through the loop
// of each phase.
class VfSteps {
public:
  VfSteps(const TsVfStep *steps, size_t count, int64_t rows, int64_t trips)
      : steps(steps), count(count), rows(rows), trips(trips) {
    for (size_t i = 0; i < count; ++i)
      phases = std::max(phases, (steps[i].section + 2) / 3);
  }

  // How often the section of a step runs.
  int64_t times(const TsVfStep &step) const {
    return step.section == 0 ? 1 : step.section % 3 == 2 ? rows * trips : rows;
  }
  int64_t numLoops() const { return rows * phases; }

  VfClock::Cycle run(const VfUnits &units) const {
    VfClock clock;
    clock.start(units);
    std::vector<VfClock::Cycle> values(numValues(), 0);
    auto runSection = [&](int section) {
      for (size_t i = 0; i < count; ++i) {
        const TsVfStep &step = steps[i];
        if (step.section != section)
          continue;
        VfClock::Cycle ready = 0;
        for (int16_t operand : step.operands)
          if (operand >= 0)
            ready = std::max(ready, values[size_t(operand)]);
        VfClock::Cycle result = clock.step(step.kind, step.narrow, ready);
        if (step.result >= 0)
          values[size_t(step.result)] = result;
      }
    };
    runSection(0);
    for (int64_t row = 0; row < rows; ++row)
      for (int phase = 0; phase < phases; ++phase) {
        runSection(1 + 3 * phase);
        for (int64_t trip = 0; trip < trips; ++trip) {
          if (trip == trips - 1)
            clock.loop();
          runSection(2 + 3 * phase);
        }
        runSection(3 + 3 * phase);
      }
    return clock.end();
  }

private:
  size_t numValues() const {
    int most = -1;
    for (size_t i = 0; i < count; ++i)
      most = std::max({most, int(steps[i].result), int(steps[i].operands[0]), int(steps[i].operands[1]),
                       int(steps[i].operands[2])});
    return size_t(most + 1);
  }

  const TsVfStep *steps;
  size_t count;
  int64_t rows, trips;
  int phases = 1;
};

} // namespace tilesmith

#endif // TILESMITH_SUPPORT_VFCLOCK_H
