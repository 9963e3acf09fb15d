/* The Machine's C ABI: one entry per instruction, every argument an int64, and one per service (Isa/Services.td).
 *
 * void tsm_<mnemonic>(TsCore *, int64_t loc[, int64_t dtype[, int64_t dtype2]], operands in the record's order...)
 *
 * Addresses carry their memory in the top byte; scalars travel as the bits of their dtype (floats zero-extended,
 * integers sign-extended); attributes are enumeration values. What the core keeps in a register an operand can name
 * instead of a number (TS_MASK_BITS, TS_AS_SET). Entries never throw, never crash on any argument: a bad access is a
 * finding and is skipped. The version changes when an entry or the meaning of an argument does. */
#ifndef TILESMITH_MACHINE_ABI_H
#define TILESMITH_MACHINE_ABI_H

#include "tilesmith/Machine/Entries.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TS_ABI_VERSION 3

#define TILESMITH_ABI_ENTRY(result, mnemonic, params, opcode, dt, dt2, args, issue) result tsm_##mnemonic params;
#define TILESMITH_SERVICE(result, mnemonic, params) result tsm_##mnemonic params;
#include "tilesmith/Machine/Abi.inc"
#undef TILESMITH_SERVICE
#undef TILESMITH_ABI_ENTRY

#ifdef __cplusplus
}
#endif

#endif
