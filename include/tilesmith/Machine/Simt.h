/* Functions of many threads (SIMT) as C++ kernels start them on the Machine.
 *
 * The threads of a block run on one thread of the host, one until it waits, then the next. What stands in TsSimtThread
 * while code runs is the thread it runs for. Plain C, for the headers of C++ kernels. */
#ifndef TILESMITH_MACHINE_SIMT_H
#define TILESMITH_MACHINE_SIMT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TS_SIMT_WARP 32
#define TS_SIMT_THREADS 2048 /* at most, of a block */

typedef struct TsSimtThread {
  uint32_t x, y, z; /* its place in the block */
  uint32_t number;  /* x + y * sizeX + z * sizeX * sizeY; lane i of warp w is number 32 w + i */
  uint8_t runs;     /* 0: no function of threads is running */
} TsSimtThread;

/* What the threads of a warp that met at an operation of warps brought, until the thread's next one. */
typedef struct TsSimtWarp {
  uint32_t active; /* bit i: lane i takes part */
  int64_t values[TS_SIMT_WARP];
} TsSimtWarp;

enum TsSimtAccess { TS_SIMT_READ = 0, TS_SIMT_WRITE = 1, TS_SIMT_ATOMIC = 2 };

/* What one thread does. */
typedef void (*TsSimtFn)(const void *args);

#ifdef __cplusplus
}
#endif

#endif
