/* What a compiled vector function (VF) tells the Machine about itself.
 *
 * A VF of the JIT is one loop nest: `rows` rows of `cols` elements, 64 elements per trip, each in one 32-bit lane
 * whatever its type. The native code does the arithmetic; this descriptor says which bytes it touches (bounds, order,
 * late mode) and which register instructions it would be on the chip, with what depends on what (time; see
 * Support/VfClock.h). Plain C: emitted as constant data by the JIT.
 *
 * A VF written in C++ may be any register code: what it touches and counts is found by running it (`recorded`). */
#ifndef TILESMITH_MACHINE_VECTORFUNCTION_H
#define TILESMITH_MACHINE_VECTORFUNCTION_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TS_VF_LANES 64
#define TS_VF_MAX_ARGS 16
#define TS_VF_COST_CLASSES 16

/* Register instructions that are not operations of a cost class (VfStepKind of Support/VfClock.h). */
enum TsVfStepKind { TS_VF_LOAD = 32, TS_VF_STORE = 33, TS_VF_BARRIER = 35, TS_VF_LOOP = 36 };

/* How one argument is walked. */
enum TsVfWalk {
  TS_VF_FULL = 0,    /* element (r, c) at r * pitch + c * size: `cols` elements of each row */
  TS_VF_ROW = 1,     /* element (0, c) for every row: one row, broadcast over rows */
  TS_VF_ELEMENT = 2, /* element r: one per row, broadcast over (or reduced from) the columns */
  TS_VF_ONE = 3,     /* a single element */
  TS_VF_BITS = 4,    /* packed bits: bit r * cols + c, cols a multiple of 8 unless rows is 1 */
  TS_VF_GROUP = 5    /* element c / pitch: one for `pitch` neighbouring columns of the only row */
};

typedef struct TsVfAccess {
  uint8_t arg;   /* index of the address in args */
  uint8_t walk;  /* TsVfWalk */
  uint8_t write; /* 1: written, 0: read */
  uint8_t dtype; /* isa::DType */
  int64_t pitch; /* bytes between rows (TS_VF_FULL), columns of an element (TS_VF_GROUP) */
} TsVfAccess;

/* What running a function showed: total counts, and the bytes it read and wrote, sorted and disjoint. Register code
 * reaches UB only, functions of threads (Simt.h) global memory, too. */
typedef struct TsVfRun {
  int64_t start, length, stride, count; /* count pieces of length bytes, stride apart */
  uint8_t write, global;
} TsVfRun;

typedef struct TsVfRecord {
  int64_t ops[TS_VF_COST_CLASSES];
  int64_t loads, stores, nests; /* nests: loops over columns */
  int64_t cycles;               /* of its instructions, on the platform it ran on */
  uint8_t global;               /* whether a run lies in global memory */
  int64_t numRuns;
  const TsVfRun *runs; /* reads first */
} TsVfRecord;

struct TsVfStep; /* one register instruction: Support/VfClock.h */

/* The elements from begin to end, multiples of 64, of a body whose elements have nothing to do with each other. */
typedef void (*TsVfPartFn)(uint8_t *ub, const int64_t *args, int64_t begin, int64_t end);

typedef struct TsVfDesc {
  int64_t rows, cols;
  uint32_t numAccesses;
  uint32_t narrowest; /* bytes of the narrowest element type touched */
  const TsVfAccess *accesses;
  const struct TsVfStep *steps; /* in program order */
  uint64_t numSteps;
  uint64_t digest;            /* of steps, rows and columns: equal ones take equal time */
  const TsVfRecord *recorded; /* null: the steps and accesses above are the function's */
  TsVfPartFn part;            /* null: it runs as a whole */
} TsVfDesc;

/* The register code of a vector function written in C++ while it runs. Stores reach memory only with `writes`; touched
 * bytes and instructions are told only with `records`. */
typedef struct TsVfContext {
  uint8_t *ub;
  int64_t ubSize;
  int64_t loc;     /* of the call */
  int64_t written; /* writes it has told so far */
  uint8_t writes, records;
  uint8_t open; /* 0: it is over */
} TsVfContext;

/* The native body. `ub` is the base of UB, args are those of the call; offsets were checked before. */
typedef void (*TsVfFn)(uint8_t *ub, const int64_t *args);

#ifdef __cplusplus
}
#endif

#endif
