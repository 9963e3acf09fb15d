// Sets and waits of a block, counted: a wait that no set of the whole block matches would never end.
//
// For kernels people wrote themselves, in modes that look at no order. Which set meets which wait is not asked here.
#ifndef TILESMITH_LIB_MACHINE_CORE_FLAGBALANCE_H
#define TILESMITH_LIB_MACHINE_CORE_FLAGBALANCE_H

#include "tilesmith/Machine/Instr.h"
#include <vector>

namespace tilesmith::machine {

class FlagBalance {
public:
  void clear() { flags.clear(); }

  void note(const Instr &instr) {
    Flag *flag = find(instr);
    if (instr.op == Opcode::SetFlag)
      ++flag->open;
    else if (--flag->open < 0)
      flag->wait = instr; // the last one without a set so far
  }

  // The first wait that nothing matched, or null.
  const Instr *unmatched() const {
    for (const Flag &flag : flags)
      if (flag.open < 0)
        return &flag.wait;
    return nullptr;
  }

private:
  struct Flag {
    Instr wait;       // names the flag
    int64_t open = 0; // sets without a wait
  };

  Flag *find(const Instr &instr) {
    isa::family::Flag wanted(instr);
    for (Flag &flag : flags) { // a kernel has few
      isa::family::Flag known(flag.wait);
      if (wanted.from() == known.from() && wanted.to() == known.to() && wanted.id() == known.id())
        return &flag;
    }
    flags.push_back({instr, 0});
    return &flags.back();
  }

  std::vector<Flag> flags;
};

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_CORE_FLAGBALANCE_H
