// Tiling structs of functions of rows, as the host's library of tilings fills them and kernels get them. The model
// takes the shape from them; how rows are cut follows from the temporary buffer.
#ifndef TILESMITH_ASCENDC_LIBRARY_TILINGS_H
#define TILESMITH_ASCENDC_LIBRARY_TILINGS_H

#include "register/tilingdata_base.h"

namespace tilesmith {

// What TopK keeps of a row: scores, places, records twice, and both sorted.
constexpr int64_t topKBytes(int64_t inner, int64_t size) { return inner * (2 * size + 2 * 4 + 2 * 8); }

} // namespace tilesmith

namespace AscendC {
enum class TopKMode { TOPK_NORMAL, TOPK_NSMALL };

namespace tiling {

#define TILESMITH_FIELD(NAME) TILING_DATA_FIELD_DEF(uint32_t, NAME)

struct SoftMaxTiling {
  TILESMITH_FIELD(srcM)
  TILESMITH_FIELD(srcK)
  TILESMITH_FIELD(srcSize)
  TILESMITH_FIELD(outMaxM)
  TILESMITH_FIELD(outMaxK)
  TILESMITH_FIELD(outMaxSize)
  TILESMITH_FIELD(splitM)
  TILESMITH_FIELD(splitK)
  TILESMITH_FIELD(splitSize)
  TILESMITH_FIELD(reduceM)
  TILESMITH_FIELD(reduceK)
  TILESMITH_FIELD(reduceSize)
  TILESMITH_FIELD(rangeM)
  TILESMITH_FIELD(tailM)
  TILESMITH_FIELD(tailSplitSize)
  TILESMITH_FIELD(tailReduceSize)
};

struct RmsNormTiling {
  TILESMITH_FIELD(bLength)
  TILESMITH_FIELD(sLength)
  TILESMITH_FIELD(hLength)
  TILESMITH_FIELD(originalHLength)
  TILING_DATA_FIELD_DEF(float, reciprocalOfHLength)
  TILESMITH_FIELD(mainBshLength)
  TILESMITH_FIELD(mainBsLength)
  TILESMITH_FIELD(mainBsLengthAlign)
  TILESMITH_FIELD(loopRound)
  TILESMITH_FIELD(inputTailPos)
  TILESMITH_FIELD(tailBshLength)
  TILESMITH_FIELD(tailBsLength)
};

struct LayerNormTiling {
  TILESMITH_FIELD(bLength)
  TILESMITH_FIELD(sLength)
  TILESMITH_FIELD(hLength)
  TILESMITH_FIELD(originalHLength)
  TILESMITH_FIELD(inputXSize)
  TILESMITH_FIELD(meanVarSize)
  TILESMITH_FIELD(numberOfTmpBuf)
  TILESMITH_FIELD(meanTmpTensorPos)
  TILESMITH_FIELD(meanTmpTensorSize)
  TILESMITH_FIELD(varianceTmpTensorPos)
  TILESMITH_FIELD(varianceTmpTensorSize)
  TILESMITH_FIELD(tmpBufSize)
  TILESMITH_FIELD(oneTmpSize)
  TILESMITH_FIELD(firstTmpStartPos)
  TILESMITH_FIELD(secondTmpStartPos)
  TILESMITH_FIELD(thirdTmpStartPos)
  TILESMITH_FIELD(loopRound)
  TILESMITH_FIELD(inputRoundSize)
  TILESMITH_FIELD(inputTailSize)
  TILESMITH_FIELD(inputTailPos)
  TILESMITH_FIELD(meanVarRoundSize)
  TILESMITH_FIELD(meanVarTailSize)
  TILESMITH_FIELD(meanVarTailPos)
  TILESMITH_FIELD(bshCurLength)
  TILESMITH_FIELD(bsCurLength)
  TILING_DATA_FIELD_DEF(float, lastDimValueBack)
};

struct LayerNormSeparateTiling {
  TILESMITH_FIELD(aLength)
  TILESMITH_FIELD(rLength)
  TILESMITH_FIELD(halfAddRepeatTimes)
  TILESMITH_FIELD(rHeadLength)
  TILING_DATA_FIELD_DEF(float, k2Rec)
  TILING_DATA_FIELD_DEF(float, k2RRec)
  TILESMITH_FIELD(inputXSize)
  TILESMITH_FIELD(meanVarSize)
  TILESMITH_FIELD(numberOfTmpBuf)
  TILESMITH_FIELD(varianceTmpTensorPos)
  TILESMITH_FIELD(varianceTmpTensorSize)
  TILESMITH_FIELD(tmpBufSize)
  TILESMITH_FIELD(oneTmpSize)
  TILESMITH_FIELD(firstTmpStartPos)
  TILESMITH_FIELD(secondTmpStartPos)
  TILESMITH_FIELD(thirdTmpStartPos)
  TILESMITH_FIELD(loopRound)
  TILESMITH_FIELD(inputRoundSize)
  TILESMITH_FIELD(inputTailSize)
  TILESMITH_FIELD(inputTailPos)
  TILESMITH_FIELD(meanVarRoundSize)
  TILESMITH_FIELD(meanVarTailSize)
  TILESMITH_FIELD(meanVarTailPos)
  TILESMITH_FIELD(arCurLength)
  TILESMITH_FIELD(aCurLength)
  TILING_DATA_FIELD_DEF(float, rValueBack)
};

struct TopkTiling {
  TILESMITH_FIELD(tmpLocalSize)
  TILESMITH_FIELD(allDataSize)
  TILESMITH_FIELD(innerDataSize)
  TILESMITH_FIELD(sortRepeat)
};

#undef TILESMITH_FIELD

} // namespace tiling

using tiling::LayerNormSeparateTiling;
using tiling::LayerNormTiling;
using tiling::RmsNormTiling;
using tiling::SoftMaxTiling;
using tiling::TopkTiling;

} // namespace AscendC

using AscendC::tiling::LayerNormSeparateTiling;
using AscendC::tiling::LayerNormTiling;
using AscendC::tiling::RmsNormTiling;
using AscendC::tiling::SoftMaxTiling;
using AscendC::tiling::TopkTiling;

namespace optiling {
using AscendC::tiling::LayerNormSeparateTiling;
using AscendC::tiling::LayerNormTiling;
using AscendC::tiling::RmsNormTiling;
using AscendC::tiling::SoftMaxTiling;
using AscendC::tiling::TopkTiling;
} // namespace optiling

#endif
