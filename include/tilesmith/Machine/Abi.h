/* The Machine's C ABI: one entry per instruction, every argument an int64.
 *
 * void tsm_<mnemonic>(TsCore *, int64_t loc[, int64_t dtype[, int64_t dtype2]], operands in the record's order...)
 *
 * Addresses carry their memory in the top byte; scalars travel as the bits of their dtype (floats zero-extended,
 * integers sign-extended); attributes are enumeration values. Entries never throw, never crash on any argument: a bad
 * access is a finding and is skipped. The version changes when an entry or the meaning of an argument does. */
#ifndef TILESMITH_MACHINE_ABI_H
#define TILESMITH_MACHINE_ABI_H

#include "tilesmith/Machine/VectorFunction.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TS_ABI_VERSION 1

typedef struct TsCore TsCore;

/* A compiled kernel: runs one block. args: one int64 per kernel parameter, device addresses for arrays, bits for
 * scalars. */
typedef void (*TsKernelFn)(TsCore *core, const int64_t *args);

#define TILESMITH_ABI_ENTRY(result, mnemonic, params, opcode, dt, dt2, args) result tsm_##mnemonic params;
#include "tilesmith/Machine/Abi.inc"
#undef TILESMITH_ABI_ENTRY

void tsm_vf(TsCore *core, int64_t loc, const TsVfDesc *desc, TsVfFn fn, const int64_t *args, int64_t numArgs);
/* A division (kind 0), shift (1) or loop step (2) the kernel asked for that has no value: a finding. Returns 0. */
int64_t tsm_scalar_fault(TsCore *core, int64_t loc, int64_t kind);
/* Counts loop iterations of a while loop; returns 0 when the launch must stop (a limit was reached, another block
 * failed). */
int64_t tsm_tick(TsCore *core, int64_t loc);

#ifdef __cplusplus
}
#endif

#endif
