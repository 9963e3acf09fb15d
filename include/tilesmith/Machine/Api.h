/* The Machine as a C++ kernel sees it: one table of functions.
 *
 * A kernel written in Ascend C and compiled by an ordinary compiler is a shared object that links against nothing of
 * ours. It is given this table when it is loaded (`tilesmith_bind`) and reaches every instruction, queue and event
 * through it, so the same object runs in any process that has a Machine. The entries are those of the C ABI (Abi.h), in
 * the order of the instruction table.
 *
 * A table is only used with the version it was compiled for. */
#ifndef TILESMITH_MACHINE_API_H
#define TILESMITH_MACHINE_API_H

#include "tilesmith/Machine/Entries.h"
#include "tilesmith/Machine/Library.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TS_API_VERSION 6

typedef struct TsApi {
  int64_t version, size; /* TS_API_VERSION and sizeof(TsApi) */

#define TILESMITH_ABI_ENTRY(result, mnemonic, params, opcode, dt, dt2, args, issue) result(*tsm_##mnemonic) params;
#define TILESMITH_SERVICE(result, mnemonic, params) result(*tsm_##mnemonic) params;
#include "tilesmith/Machine/Abi.inc"
#undef TILESMITH_SERVICE
#undef TILESMITH_ABI_ENTRY
} TsApi;

/* What a library exports as `const TsLibrary *tilesmith_bind(const TsApi *)`; null: the table has another version. */
enum TsParameterKind { TS_POINTER = 0, TS_SIGNED = 1, TS_UNSIGNED = 2, TS_FLOAT = 3, TS_BFLOAT = 4, TS_STRUCT = 5 };

typedef struct TsParameter {
  uint8_t kind;    /* TsParameterKind; a struct by value travels as a host pointer to its bytes */
  uint8_t element; /* of a pointer: the kind of what it points to; TS_STRUCT: anything */
  uint32_t size;   /* bytes of the parameter */
  uint32_t elementSize;
} TsParameter;

typedef struct TsLibraryKernel {
  const char *name;
  TsKernelFn run;
  const TsParameter *parameters;
  int64_t numParameters;
  int64_t type; /* isa::KernelType; -1: its declaration does not say */
} TsLibraryKernel;

typedef struct TsLibrary {
  int64_t version;
  const TsLibraryKernel *kernels;
  int64_t numKernels;
  /* A location of this library is a file and a line: loc = file index << 20 | line. Null: no such file. */
  const char *(*file)(int64_t index);
} TsLibrary;

typedef const TsLibrary *(*TsBindFn)(const TsApi *api);

#define TS_LOC_LINE_BITS 20

/* The table of this Machine. */
const TsApi *tilesmith_api(void);

#ifdef __cplusplus
}
#endif

#endif
