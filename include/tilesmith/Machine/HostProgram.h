/* What a host program with kernels of its own links against: global memory and launches on the Machine. */
#ifndef TILESMITH_MACHINE_HOSTPROGRAM_H
#define TILESMITH_MACHINE_HOSTPROGRAM_H

#include "tilesmith/Machine/Api.h"
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Memory a kernel may be given; its address means the same to kernel and host. Null: there is none left. */
void *tilesmith_gm_alloc(size_t size);
void tilesmith_gm_free(void *data);
/* Runs all blocks; `args` as for a kernel of the library, `file` names the file of a location, `type` is an
 * isa::KernelType, or -1 where the kernel itself says it. Returns how many errors were found and written to stderr. */
int64_t tilesmith_run(const char *kernel, TsKernelFn run, int64_t blocks, const int64_t *args, int64_t numArgs,
                      const char *(*file)(int64_t), int64_t type);

/* Facts of a platform; sizes in bytes. */
typedef struct TsPlatformFacts {
  const char *name;
  int64_t arch; /* as isa::Arch numbers it */
  int64_t cubeCores, vectorCores, clockMHz, hbmMBps, l2MBps;
  int64_t gm, l2, ub, l1, l0a, l0b, l0c, bt, fb;
} TsPlatformFacts;
/* Those of the platform of this name; null: of the one the program runs on. 0 when there is none. */
int64_t tilesmith_platform(const char *name, TsPlatformFacts *facts);

#ifdef __cplusplus
}
#endif

#endif
