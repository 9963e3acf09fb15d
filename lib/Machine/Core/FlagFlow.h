// Flags of a block as its pipes meet them: a wait whose set does not come would never end.
//
// For kernels people wrote themselves, in modes that keep no trace. Only sets, waits, barriers and calls with unitFlag
// are followed: a wait whose flag is down holds its pipe, and what is issued to a held pipe waits behind it. Whether a
// flag is set twice is not asked here.
#ifndef TILESMITH_LIB_MACHINE_CORE_FLAGFLOW_H
#define TILESMITH_LIB_MACHINE_CORE_FLAGFLOW_H

#include "UnitFlags.h"
#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Machine/Trace.h"
#include <array>
#include <deque>
#include <optional>

namespace tilesmith::machine {

class FlagFlow {
public:
  void clear(Arch of) {
    arch = of;
    if (!used)
      return;
    for (std::deque<Instr> &calls : held)
      calls.clear();
    raised = {};
    units.clear();
    scalar.reset();
    used = false;
  }

  void note(const Instr &instr) {
    if (scalar)
      return;
    used = true;
    Pipe pipe = pipeOf(instr);
    if (pipe == Pipe::ALL) {
      if (const Instr *wait = unmatched()) // it waits for all pipes, and nothing is issued that could free one
        scalar = *wait;
      return;
    }
    std::deque<Instr> &behind = held[unsigned(pipe)];
    if (!behind.empty() || !run(instr)) {
      if (pipe == Pipe::S)
        scalar = instr; // nothing is issued after it
      else
        behind.push_back(instr);
    }
  }

  // A wait the scalar unit can never get past: the block ends here.
  const Instr *blocked() const { return scalar ? &*scalar : nullptr; }
  // When the block is over: a wait that still holds its pipe, or null.
  const Instr *unmatched() const {
    for (const std::deque<Instr> &calls : held)
      if (!calls.empty())
        return &calls.front();
    return nullptr;
  }

private:
  static constexpr size_t numPipes = size_t(Pipe::ALL);

  int64_t &flagOf(const Instr &instr) {
    isa::family::Flag flag(instr);
    return raised[(size_t(flag.from()) * numPipes + size_t(flag.to())) * isa::flagIds + size_t(flag.id())];
  }

  // False when it is a wait whose flag is down.
  bool run(const Instr &instr) {
    if (instr.op == Opcode::WaitFlag) {
      int64_t &flag = flagOf(instr);
      return flag > 0 && flag-- > 0;
    }
    if (instr.op == Opcode::SetFlag) {
      ++flagOf(instr);
      release(isa::SetFlag(instr).to());
    }
    if (usesUnitFlags(instr)) {
      if (!units.ready(instr, arch))
        return false;
      if (handsOver(instr)) {
        units.hand(instr, arch, [](auto...) { return NoValue(); });
        release(giverOf(instr));
      }
    }
    return true;
  }

  void release(Pipe pipe) {
    std::deque<Instr> &calls = held[unsigned(pipe)];
    while (!calls.empty()) {
      Instr first = calls.front();
      if ((first.op == Opcode::WaitFlag && flagOf(first) == 0) || (usesUnitFlags(first) && !units.ready(first, arch)))
        return;
      calls.pop_front();
      run(first);
    }
  }

  std::array<std::deque<Instr>, numPipes> held;
  std::array<int64_t, numPipes * numPipes * size_t(isa::flagIds)> raised = {};
  UnitFlags<NoValue> units;
  std::optional<Instr> scalar;
  Arch arch = Arch::C220;
  bool used = false;
};

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_CORE_FLAGFLOW_H
