// TCubeTiling: how a product of matrices is cut, as the host's tilings fill it and matrix objects get it.
#ifndef TILESMITH_ASCENDC_MATMUL_TILINGS_H
#define TILESMITH_ASCENDC_MATMUL_TILINGS_H

#include "register/tilingdata_base.h"

namespace AscendC {
namespace tiling {

struct TCubeTiling {
#define TILESMITH_CUBE_TILING(NAME, PYTHON) TILING_DATA_FIELD_DEF(int32_t, NAME)
#include "tilesmith/Machine/CubeTiling.def"
};

} // namespace tiling
using tiling::TCubeTiling;
} // namespace AscendC

using AscendC::tiling::TCubeTiling;
namespace optiling {
using AscendC::tiling::TCubeTiling;
}

#endif
