// Unit flags: how a product and a write-out hand each other L0C without flags of their pipes (unitFlag of Mmad and
// Fixpipe in the manual).
//
// Every unitFlagBytes of L0C are full or empty; a block begins with all of them empty. A product with unitFlag waits
// until what it writes is empty, and with 3 makes it full. A write-out with unitFlag waits until what it reads is full,
// and with 3 makes it empty. Nothing else is ordered by them: not the factors in L0A and L0B, and no byte of L0C that
// the other call does not touch.
//
// Execution, order and time ask this one definition, each with its own kind of value that is handed over: nothing, what
// the giver knew, when it happened.
#ifndef TILESMITH_LIB_MACHINE_CORE_UNITFLAGS_H
#define TILESMITH_LIB_MACHINE_CORE_UNITFLAGS_H

#include "tilesmith/Machine/Instr.h"
#include <vector>

namespace tilesmith::machine {

// The unitFlag of a product or write-out; 0 for any other call.
inline int64_t unitFlagOf(const Instr &instr) {
  switch (instr.info().family) {
  case Family::Mmad:
    return isa::family::Mmad(instr).unitFlag();
  case Family::Fixpipe:
    return isa::family::Fixpipe(instr).unitFlag();
  default:
    return 0;
  }
}
inline bool usesUnitFlags(const Instr &instr) { return unitFlagOf(instr) != 0; }
// Whether the call makes what it touches full, or empty, for the other pipe.
inline bool handsOver(const Instr &instr) { return unitFlagOf(instr) == 3; }
// The pipe that hands over what the call waits for.
inline Pipe giverOf(const Instr &instr) { return instr.info().family == Family::Mmad ? Pipe::FIX : Pipe::M; }

// Numbers of the parts of L0C that a call with a unitFlag waits for and hands over, ascending.
using L0cUnits = std::vector<uint16_t>;
void unitsOf(const Instr &instr, Arch arch, L0cUnits &units);

template <typename Value> class UnitFlags {
public:
  void clear() { states.clear(); }

  // Whether the giver has handed over everything the call waits for.
  bool ready(const Instr &instr, Arch arch) {
    unitsOf(instr, arch, units);
    bool wants = giverOf(instr) == Pipe::M;
    for (uint16_t unit : units)
      if (stateOf(unit).full != wants)
        return false;
    return true;
  }
  // Visits what was handed over last, part after part: visit(value, number among the call's, how many it has).
  template <typename Visit> void eachTaken(const Instr &instr, Arch arch, Visit visit) {
    unitsOf(instr, arch, units);
    for (size_t i = 0; i < units.size(); ++i)
      visit(stateOf(units[i]).value, i, units.size());
  }
  // Hands over, part after part, what value(number, how many) gives.
  template <typename Make> void hand(const Instr &instr, Arch arch, Make value) {
    unitsOf(instr, arch, units);
    for (size_t i = 0; i < units.size(); ++i)
      stateOf(units[i]) = {instr.info().family == Family::Mmad, value(i, units.size())};
  }
  // How many parts are full.
  size_t full() const {
    size_t count = 0;
    for (const State &state : states)
      count += state.full;
    return count;
  }

private:
  struct State {
    bool full = false;
    Value value = {};
  };
  State &stateOf(uint16_t unit) {
    if (unit >= states.size())
      states.resize(unit + size_t(1));
    return states[unit];
  }

  std::vector<State> states;
  L0cUnits units;
};

// Of those who only ask whether.
struct NoValue {};

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_CORE_UNITFLAGS_H
