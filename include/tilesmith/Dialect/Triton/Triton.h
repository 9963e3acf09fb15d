// The triton dialect: access to global memory by tiles of offsets. See TritonOps.td.
//
// A kernel with these operations is a func.func with `tile.kernel`. The passes of Transforms/Triton leave none of them:
// the result is ordinary tile IR.
#ifndef TILESMITH_DIALECT_TRITON_TRITON_H
#define TILESMITH_DIALECT_TRITON_TRITON_H

#include "tilesmith/Dialect/Tile/Tile.h"

#include "tilesmith/Dialect/Triton/TritonDialect.h.inc"
#include "tilesmith/Dialect/Triton/TritonEnums.h.inc"
#define GET_OP_CLASSES
#include "tilesmith/Dialect/Triton/TritonOps.h.inc"

#endif // TILESMITH_DIALECT_TRITON_TRITON_H
