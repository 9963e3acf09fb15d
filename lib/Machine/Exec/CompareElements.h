// Whether two elements compare as a mode says, one element at a time. A NaN is unequal to everything.
//
// The loops over whole tiles are in CompareSelect.cpp, where the mode is chosen once for all elements.
#ifndef TILESMITH_LIB_MACHINE_EXEC_COMPAREELEMENTS_H
#define TILESMITH_LIB_MACHINE_EXEC_COMPAREELEMENTS_H

#include "tilesmith/Isa/Isa.h"

namespace tilesmith::machine {

template <typename T> bool holds(isa::CmpMode mode, T a, T b) {
  switch (mode) {
  case isa::CmpMode::LT:
    return a < b;
  case isa::CmpMode::GT:
    return a > b;
  case isa::CmpMode::EQ:
    return a == b;
  case isa::CmpMode::LE:
    return a <= b;
  case isa::CmpMode::GE:
    return a >= b;
  case isa::CmpMode::NE:
    return a != b;
  }
  return false;
}

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_EXEC_COMPAREELEMENTS_H
