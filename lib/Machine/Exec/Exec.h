// Execution of one instruction, by family. Operands were validated: enumerations and dtypes are known, every byte of
// the footprint (Effects.h) exists.
#ifndef TILESMITH_LIB_MACHINE_EXEC_EXEC_H
#define TILESMITH_LIB_MACHINE_EXEC_EXEC_H

#include "Kernels.h"
#include "tilesmith/Machine/Core.h"

namespace tilesmith::machine::exec {

void vector(const Instr &instr, const MemoryView &memory); // element-wise, compare, select, reduce
void reduce(const Instr &instr, const MemoryView &memory); // with index, by block, of a whole tensor
int64_t gather(const Instr &instr, const MemoryView &memory); // the number of offsets that leave the source
void gatherPattern(const Instr &instr, const MemoryView &memory);
void sort(const Instr &instr, const MemoryView &memory);
void transpose(const Instr &instr, const MemoryView &memory);
void duplicate(const Instr &instr, const MemoryView &memory);
void copy(const Instr &instr, const MemoryView &memory);
void brcb(const Instr &instr, const MemoryView &memory);
void moveIn(const Instr &instr, const MemoryView &memory);
void moveOut(const Instr &instr, const MemoryView &memory);
void moveNz(const Instr &instr, const MemoryView &memory);
void fillL1(const Instr &instr, const MemoryView &memory);
void loadL0(const Instr &instr, const MemoryView &memory);
void mmad(const Instr &instr, const MemoryView &memory);
void fixpipe(const Instr &instr, const MemoryView &memory);
int64_t scalarAccess(const Instr &instr, const MemoryView &memory);

} // namespace tilesmith::machine::exec

#endif
