/* TCubeTiling: how a product of matrices is cut, and what computes it.
 *
 * The result is cut into parts of singleCoreM x singleCoreN, one for each core, and these into tiles of baseM x baseN
 * that fit into L0C. A tile is summed in steps of baseK, whose factors fit into L0A and L0B; stepKa and stepKb of them
 * are fetched into L1 at once, and depthA1 and depthB1 are there at a time. */
#ifndef TILESMITH_MACHINE_CUBETILING_H
#define TILESMITH_MACHINE_CUBETILING_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TsCubeTiling {
#define TILESMITH_CUBE_TILING(NAME, PYTHON) int32_t NAME;
#include "tilesmith/Machine/CubeTiling.def"
} TsCubeTiling;

typedef struct TsCubeProblem {
#define TILESMITH_CUBE_PROBLEM(NAME, VALUE) int32_t NAME;
#include "tilesmith/Machine/CubeTiling.def"
} TsCubeProblem;

/* A problem without sizes, in which everything is free. */
void tilesmith_cube_problem(TsCubeProblem *problem);
/* 0, or -1 where sizes are missing or nothing fits; the tiling is then as it was. */
int64_t tilesmith_cube_tiling(const TsCubeProblem *problem, TsCubeTiling *tiling);
/* How the cores share it: (cores, m, n, k of one), also where no tile fits. */
void tilesmith_cube_parts(const TsCubeProblem *problem, int32_t parts[4]);

#ifdef __cplusplus
}
#endif

#endif
