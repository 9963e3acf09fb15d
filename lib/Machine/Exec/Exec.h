// Execution of one instruction, by family. Operands were validated: enumerations and dtypes are known, every byte of
// the footprint (Effects.h) exists.
#ifndef TILESMITH_LIB_MACHINE_EXEC_EXEC_H
#define TILESMITH_LIB_MACHINE_EXEC_EXEC_H

#include "Kernels.h"
#include "tilesmith/Machine/Core.h"

namespace tilesmith::machine::exec {

namespace family = isa::family;

void vector(const Instr &instr, const MemoryView &memory);           // element-wise, compare, select, reduce
void reduce(const Instr &instr, const MemoryView &memory);           // with index, by block, of a whole tensor
int64_t gather(const Instr &instr, const MemoryView &memory);        // the number of offsets that leave the source
int64_t gatherPattern(const Instr &instr, const MemoryView &memory); // the number of elements kept
int64_t gatherBlocks(const Instr &instr, const MemoryView &memory);  // the number of offsets that leave the source
int64_t scatter(const Instr &instr, const MemoryView &memory);       // the number of offsets that leave the destination
void sort(const Instr &instr, const MemoryView &memory);
int64_t merge(const Instr &instr, const MemoryView &memory); // records taken from each list, 16 bits each
void transposeRows(const Instr &instr, const MemoryView &memory);
void mixed(const Instr &instr, const MemoryView &memory);
void arange(const Instr &instr, const MemoryView &memory);
void selectScalar(const Instr &instr, const MemoryView &memory);
void compareRegister(const Instr &instr, const MemoryView &memory); // to it, by it, to and from UB
void copyL1(const Instr &instr, const MemoryView &memory);
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
