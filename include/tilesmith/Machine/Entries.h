/* What all entries of the Machine share, whether a kernel of the JIT links against them (Abi.h) or a C++ kernel is
 * given them in a table (Api.h). */
#ifndef TILESMITH_MACHINE_ENTRIES_H
#define TILESMITH_MACHINE_ENTRIES_H

#include "tilesmith/Machine/Simt.h"
#include "tilesmith/Machine/VectorFunction.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TsCore TsCore;

/* A compiled kernel: runs one block. args: one int64 per kernel parameter, device addresses for arrays, bits for
 * scalars. */
typedef void (*TsKernelFn)(TsCore *core, const int64_t *args);

/* As a mask operand: the lanes, or in counter mode the elements, that the mask register names. TS_MASK_GIVEN + n, where
 * n is at most TS_MASK_MOST: the register becomes n first. Numbers from 0 on are first lanes, whatever the register
 * holds, and leave it alone. */
#define TS_MASK_BITS INT64_MIN
#define TS_MASK_GIVEN (INT64_MIN + 1)
#define TS_MASK_MOST ((int64_t)1 << 32)
/* What a kernel may report about itself: the rows of the table. */
typedef enum TsFinding {
#define TILESMITH_FINDING(name, ...) TS_FINDING_##name,
#include "tilesmith/Machine/Findings.def"
} TsFinding;

/* As an operand that has a register (Isa/Enums.td): what that holds. */
#define TS_AS_SET INT64_MIN

#ifdef __cplusplus
}
#endif

#endif
