// The table of one variant.
#include "Variant.h"

namespace tilesmith::machine::TS_EXEC_VARIANT {

#define TS_STRING_OF(X) #X
#define TS_STRING(X) TS_STRING_OF(X)

const Kernels kernels = {
    TS_STRING(TS_EXEC_VARIANT),
    unaryKernel,
    binaryKernel,
    scalarKernel,
    castKernel,
    compareKernel,
    compareScalarKernel,
    selectKernel,
    reduceKernel,
    duplicateKernel,
    atomicKernel,
    transpose16,
    stream,
    mmad,
    writeResult,
};

} // namespace tilesmith::machine::TS_EXEC_VARIANT
