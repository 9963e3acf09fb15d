/* The Machine as a C++ kernel sees it: one table of functions.
 *
 * A kernel written in Ascend C and compiled by an ordinary compiler is a shared object that links against nothing of
 * ours. It is given this table when it is loaded (`tilesmith_bind`) and reaches every instruction, queue and event
 * through it, so the same object runs in any process that has a Machine. Instruction entries come from the instruction
 * table and mean what the C ABI means (Abi.h); the others are listed here. Nothing here throws, and no argument
 * crashes: what cannot be done is a finding.
 *
 * A table is only used with the version it was compiled for. */
#ifndef TILESMITH_MACHINE_API_H
#define TILESMITH_MACHINE_API_H

#include "tilesmith/Machine/VectorFunction.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TS_API_VERSION 2

/* As the mask operand of a repeat form: the lanes given by the last mask_bits. */
#define TS_MASK_BITS INT64_MIN

typedef struct TsCore TsCore;
typedef void (*TsKernelFn)(TsCore *core, const int64_t *args);

/* The register code of a vector function while it runs. Stores reach memory only with `writes`; counts are always kept,
 * touched bytes only with `records`. */
typedef struct TsVfContext {
  uint8_t *ub;
  int64_t ubSize;
  int64_t loc; /* of the call */
  int64_t ops[TS_VF_COST_CLASSES];
  int64_t loads, stores, nests;
  uint8_t writes, records;
} TsVfContext;

typedef struct TsApi {
  int64_t version, size; /* TS_API_VERSION and sizeof(TsApi) */

#define TILESMITH_ABI_ENTRY(result, mnemonic, params, opcode, dt, dt2, args) result(*tsm_##mnemonic) params;
#include "tilesmith/Machine/Abi.inc"
#undef TILESMITH_ABI_ENTRY

  /* Facts: the platform's architecture (isa::Arch) and bytes of a memory (isa::Memory); the host bytes behind UB. */
  int64_t (*arch)(TsCore *core);
  int64_t (*capacity)(TsCore *core, int64_t memory);
  uint8_t *(*ub)(TsCore *core);

  /* The lanes of the next repeat form whose mask operand is TS_MASK_BITS: bit i of lo is lane i, of hi lane 64 + i. */
  void (*mask_bits)(TsCore *core, uint64_t lo, uint64_t hi);

  /* Findings of the headers: a use the Machine does not model, a number that does not fit into a field of so many bits,
   * and a C++ exception that left the kernel. */
  void (*unsupported)(TsCore *core, int64_t loc, const char *what);
  void (*field)(TsCore *core, int64_t loc, int64_t value, int64_t bits, int64_t isSigned);
  void (*thrown)(TsCore *core, int64_t loc, const char *what);
  /* A finding with an id of its own that ends the block: every further call is skipped. */
  void (*fail)(TsCore *core, int64_t loc, const char *id, const char *text);
  void (*print)(TsCore *core, int64_t loc, const char *text, int64_t length);

  /* TPipe. Positions are those of AscendC::TPosition. A queue or buffer is a handle; 0 is none and does nothing but
   * findings. */
  void (*pipe_init)(TsCore *core, int64_t loc);    /* forgets all buffers, queues and events */
  void (*pipe_destroy)(TsCore *core, int64_t loc); /* consumes the events of freed buffers */
  int64_t (*queue_init)(TsCore *core, int64_t loc, int64_t from, int64_t to, int64_t buffers, int64_t bytes);
  /* A queue between two addresses of one memory, for pools; and the end of all queues between them. */
  int64_t (*queue_init_at)(TsCore *core, int64_t loc, int64_t from, int64_t to, int64_t buffers, int64_t bytes,
                           int64_t begin, int64_t end);
  void (*queues_end)(TsCore *core, int64_t loc, int64_t begin, int64_t end);
  int64_t (*buffer_init)(TsCore *core, int64_t loc, int64_t position, int64_t bytes); /* the address of a TBuf */
  int64_t (*event_alloc)(TsCore *core, int64_t loc, int64_t from, int64_t to);        /* pipes; the id */
  int64_t (*event_fetch)(TsCore *core, int64_t loc, int64_t from, int64_t to);        /* an id that is free now */
  void (*event_release)(TsCore *core, int64_t loc, int64_t from, int64_t to, int64_t id);

  /* TQue. Tensors are addresses. `from` and `to` are positions, or -1 for those of the queue. */
  int64_t (*queue_alloc)(TsCore *core, int64_t loc, int64_t queue);
  void (*queue_push)(TsCore *core, int64_t loc, int64_t queue, int64_t address, int64_t from, int64_t to);
  int64_t (*queue_pop)(TsCore *core, int64_t loc, int64_t queue, int64_t from, int64_t to);
  void (*queue_free)(TsCore *core, int64_t loc, int64_t queue, int64_t address);
  int64_t (*queue_bytes)(TsCore *core, int64_t queue);  /* of one buffer */
  int64_t (*queue_filled)(TsCore *core, int64_t queue); /* tensors that wait in it */
  int64_t (*queue_idle)(TsCore *core, int64_t queue);   /* buffers AllocTensor could give out */

  /* Elements the last GatherMask by bits kept; records the last MrgSort took from its lists, 16 bits each. Whoever asks
   * has waited for V. */
  int64_t (*kept)(TsCore *core);
  int64_t (*merged)(TsCore *core);

  /* Vector functions. vf_call runs `fn`, now or later, perhaps twice; vf_begin and vf_end enclose code that runs in
   * place. */
  void (*vf_call)(TsCore *core, int64_t loc, TsVfFn fn, const int64_t *args, int64_t numArgs);
  TsVfContext *(*vf_context)(TsCore *core);
  TsVfContext *(*vf_begin)(TsCore *core, int64_t loc);
  void (*vf_end)(TsCore *core);
  /* Bytes of UB the running function touches. Returns 0, with a finding, when they do not exist or are not aligned. */
  int64_t (*vf_touch)(TsCore *core, int64_t offset, int64_t bytes, int64_t alignment, int64_t write);
  /* One register operation on `lanes` elements: the instruction's own arithmetic. `mode` is its rounding or comparison
   * (packed bits in dst). Returns 0 when it does not take the dtype. */
  int64_t (*reg_compute)(int64_t op, int64_t dtype, int64_t dtype2, int64_t mode, void *dst, const void *a,
                         const void *b, int64_t scalar, int64_t lanes);
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
