// A call by count whose elements have nothing to do with each other: element i of the destination comes of element i of
// the sources (and of what was there), so any part of it may be computed by itself, in ascending order.
#ifndef TILESMITH_LIB_MACHINE_EXEC_ROWCALL_H
#define TILESMITH_LIB_MACHINE_EXEC_ROWCALL_H

#include "Kernels.h"
#include "tilesmith/Machine/Instr.h"

namespace tilesmith::machine::exec {

struct RowCall {
  RowsFn kernel = nullptr; // null: the instruction does not take the dtype
  Address dst, src[2];
  unsigned sources = 1;
  int64_t dstSize = 0, srcSize = 0; // bytes of an element
  int64_t count = 0;
  int64_t scalar = 0, mode = 0;
  bool readsDst = false;
};

// False for every other kind of call.
bool rowCallOf(const Instr &instr, RowCall &call);

} // namespace tilesmith::machine::exec

#endif // TILESMITH_LIB_MACHINE_EXEC_ROWCALL_H
