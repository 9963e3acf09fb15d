/* What the entries of matrix objects (Isa/Services.td) take: matrices, shapes and numbers by these names, and the
 * members of MatmulConfig (MatmulConfig.def). */
#ifndef TILESMITH_MACHINE_MATMUL_H
#define TILESMITH_MACHINE_MATMUL_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TsMatmulMatrix { TS_MATMUL_A, TS_MATMUL_B, TS_MATMUL_C, TS_MATMUL_BIAS } TsMatmulMatrix;

/* Whole matrices, a core's part, or the part that is there at an edge (-1: as it was). */
typedef enum TsMatmulShape { TS_MATMUL_ORG, TS_MATMUL_SINGLE, TS_MATMUL_TAIL } TsMatmulShape;

typedef enum TsMatmulNumber {
  TS_MATMUL_QUANT_SCALAR, /* the bits of a float */
  TS_MATMUL_QUANT_VECTOR, /* where a word for each column lies; 0: the one before */
  TS_MATMUL_HF32,         /* floats are multiplied with shorter mantissas */
  TS_MATMUL_WORKSPACE,    /* where tiles go that are computed ahead */
  TS_MATMUL_BATCHES_A,    /* of a call of iterate_batch */
  TS_MATMUL_BATCHES_B,
  TS_MATMUL_STRIDE_A, /* elements from batch to batch; 0: they follow each other */
  TS_MATMUL_STRIDE_B,
  TS_MATMUL_STRIDE_C,
  TS_MATMUL_NUMBERS
} TsMatmulNumber;

/* As CubeFormat and LayoutMode number them. */
typedef enum TsMatmulFormat {
  TS_MATMUL_ND = 0,
  TS_MATMUL_NZ = 1,
  TS_MATMUL_ND_ALIGN = 5,
  TS_MATMUL_SCALAR = 6,
  TS_MATMUL_VECTOR = 7
} TsMatmulFormat;
typedef enum TsMatmulLayout {
  TS_MATMUL_NO_LAYOUT = 0,
  TS_MATMUL_NORMAL = 1,
  TS_MATMUL_BSNGD = 2,
  TS_MATMUL_SBNGD = 3,
  TS_MATMUL_BNGS1S2 = 4
} TsMatmulLayout;

typedef enum TsMatmulConfig {
#define TILESMITH_MATMUL_CONFIG(TYPE, NAME, ...) TS_MATMUL_CONFIG_##NAME,
#include "tilesmith/Machine/MatmulConfig.def"
  TS_MATMUL_CONFIG_COUNT
} TsMatmulConfig;

#ifdef __cplusplus
}
#endif

#endif
