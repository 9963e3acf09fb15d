// Whether a set or a wait is one there can be.
#ifndef TILESMITH_LIB_MACHINE_CORE_PLAINFLAG_H
#define TILESMITH_LIB_MACHINE_CORE_PLAINFLAG_H

#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Machine/Instr.h"

namespace tilesmith::machine {

inline bool isPlainFlag(const Instr &instr) {
  isa::family::Flag flag(instr);
  auto pipe = [](int64_t value) { return uint64_t(value) < uint64_t(Pipe::ALL); };
  return pipe(flag.fromValue()) && pipe(flag.toValue()) && flag.fromValue() != flag.toValue() &&
         uint64_t(flag.id()) < uint64_t(isa::flagIds);
}

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_CORE_PLAINFLAG_H
