// See Registers.cpp.
#ifndef TILESMITH_LIB_MACHINE_EXEC_REGISTERS_H
#define TILESMITH_LIB_MACHINE_EXEC_REGISTERS_H

#include "tilesmith/Machine/Instr.h"

namespace tilesmith::machine {

// False when the instruction does not take the dtype. Sources and dst may be the same register.
bool computeRegister(Opcode op, DType dtype, DType dtype2, int64_t mode, void *dst, const void *a, const void *b,
                     int64_t scalar, int64_t lanes);

// The same for 64-bit integers (RegistersWide.cpp).
bool computeWideRegister(Opcode op, bool isSigned, int64_t mode, void *dst, const void *a, const void *b,
                         int64_t scalar, int64_t lanes);

} // namespace tilesmith::machine

#endif
