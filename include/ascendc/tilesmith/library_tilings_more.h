// More tiling structs of the host's library: norms with their gradients, soft maxima, padding, transposes. The fields
// have the names kernels and hosts use; the model takes shapes from them and leaves the others 0.
#ifndef TILESMITH_ASCENDC_LIBRARY_TILINGS_MORE_H
#define TILESMITH_ASCENDC_LIBRARY_TILINGS_MORE_H

#include "register/tilingdata_base.h"
#include "tilesmith/library_tilings.h"

namespace AscendC {
namespace tiling {

#define TILESMITH_FIELD(NAME) TILING_DATA_FIELD_DEF(uint32_t, NAME)
#define TILESMITH_PART(NAME) TILESMITH_FIELD(NAME##Pos) TILESMITH_FIELD(NAME##Size)
// What norms of the last axis share.
#define TILESMITH_NORM_PARTS                                                                                           \
  TILESMITH_FIELD(inputXSize)                                                                                          \
  TILESMITH_FIELD(meanVarSize)                                                                                         \
  TILESMITH_FIELD(numberOfTmpBuf)                                                                                      \
  TILESMITH_PART(meanTmpTensor)                                                                                        \
  TILESMITH_PART(varianceTmpTensor)                                                                                    \
  TILESMITH_FIELD(tmpBufSize)                                                                                          \
  TILESMITH_FIELD(oneTmpSize)                                                                                          \
  TILESMITH_FIELD(firstTmpStartPos)                                                                                    \
  TILESMITH_FIELD(secondTmpStartPos)                                                                                   \
  TILESMITH_FIELD(thirdTmpStartPos)                                                                                    \
  TILESMITH_FIELD(loopRound)                                                                                           \
  TILESMITH_FIELD(inputRoundSize)                                                                                      \
  TILESMITH_FIELD(inputTailSize)                                                                                       \
  TILESMITH_FIELD(inputTailPos)                                                                                        \
  TILESMITH_FIELD(meanVarRoundSize)                                                                                    \
  TILESMITH_FIELD(meanVarTailSize)                                                                                     \
  TILESMITH_FIELD(meanVarTailPos)                                                                                      \
  TILESMITH_FIELD(bshCurLength)                                                                                        \
  TILESMITH_FIELD(bsCurLength)

struct LayerNormGradTiling {
  TILESMITH_FIELD(stackBufferSize)
  TILESMITH_FIELD(bLength)
  TILESMITH_FIELD(sLength)
  TILESMITH_FIELD(hLength)
  TILESMITH_FIELD(originalHLength)
  TILESMITH_FIELD(oneCalSize)
  TILESMITH_FIELD(nohCalSize)
  TILESMITH_FIELD(loopNum)
  TILESMITH_FIELD(tailSize)
  TILESMITH_FIELD(nohTailSize)
  TILESMITH_PART(tmpTensorBSH)
  TILESMITH_PART(pdVarTensor)
  TILESMITH_PART(pdMeanTensor)
  TILESMITH_PART(x1Tensor)
  TILESMITH_PART(x2Tensor)
  TILESMITH_PART(x3Tensor)
  TILESMITH_PART(tmpTensor)
  TILESMITH_PART(tmpTensor1)
  TILESMITH_PART(tmpTensor2)
  TILESMITH_FIELD(lastDimValueBack)
  TILESMITH_FIELD(lastDimValueBackMulTwo)
};

struct LayerNormGradBetaTiling {
  TILESMITH_FIELD(stackBufferSize)
  TILESMITH_FIELD(bLength)
  TILESMITH_FIELD(sLength)
  TILESMITH_FIELD(hLength)
  TILESMITH_FIELD(originalHLength)
  TILESMITH_FIELD(bshLength)
  TILESMITH_FIELD(bsLength)
  TILESMITH_FIELD(oneCalSize)
  TILESMITH_FIELD(numberOfTmpBuf)
  TILESMITH_FIELD(loopRound)
  TILESMITH_FIELD(inputTailSize)
  TILESMITH_FIELD(inputTailPos)
  TILESMITH_FIELD(bsTailSize)
  TILESMITH_FIELD(bshCurLength)
  TILESMITH_FIELD(bsCurLength)
  TILESMITH_FIELD(gammaTempTensorPos)
  TILESMITH_FIELD(betaTempTensorPos)
  TILESMITH_FIELD(inputDyTmpTensorPos)
  TILESMITH_FIELD(resForGammaTmpTensorPos)
  TILESMITH_FIELD(reserved)
};

struct BatchNormTiling {
  TILESMITH_FIELD(originalBLength)
  TILESMITH_FIELD(meanVarSize)
  TILESMITH_FIELD(meanTmpTensorPos)
  TILESMITH_FIELD(varianceTmpTensorPos)
  TILESMITH_FIELD(tmpBufSize)
  TILESMITH_FIELD(oneTmpSize)
  TILESMITH_FIELD(firstTmpStartPos)
  TILESMITH_FIELD(secondTmpStartPos)
  TILESMITH_FIELD(thirdTmpStartPos)
  TILESMITH_FIELD(loopRound)
  TILESMITH_FIELD(inputTailSize)
  TILESMITH_FIELD(inputTailPos)
  TILESMITH_FIELD(meanVarTailSize)
  TILESMITH_FIELD(meanVarTailPos)
  TILESMITH_FIELD(bshCurLength)
  TILESMITH_FIELD(shCurLength)
  TILING_DATA_FIELD_DEF(float, firstDimValueBack)
  TILESMITH_FIELD(castHalfRepStride)
  TILESMITH_FIELD(shCurLengthBlockNum)
  TILESMITH_FIELD(castHalfOutRepStride)
};

struct DeepNormTiling {
  TILESMITH_FIELD(bLength)
  TILESMITH_FIELD(sLength)
  TILESMITH_FIELD(hLength)
  TILESMITH_FIELD(originalHLength)
  TILESMITH_NORM_PARTS
  TILING_DATA_FIELD_DEF(float, lastDimValueBack)
};

struct GroupNormTiling {
  TILESMITH_FIELD(n)
  TILESMITH_FIELD(c)
  TILESMITH_FIELD(hw)
  TILESMITH_FIELD(g)
  TILESMITH_FIELD(d)
  TILESMITH_FIELD(hwAlignSize)
  TILESMITH_FIELD(dhwAlignSize)
  TILESMITH_NORM_PARTS
  TILING_DATA_FIELD_DEF(float, factor)
  TILING_DATA_FIELD_DEF(bool, smallShape)
};

struct LogSoftMaxTiling : SoftMaxTiling {};

struct PadTiling {
  TILESMITH_FIELD(srcHeight)
  TILESMITH_FIELD(srcWidth)
  TILESMITH_FIELD(srcOriWidth)
  TILESMITH_FIELD(widthWithoutLastBlock)
  TILESMITH_FIELD(blocksPerRow)
  TILESMITH_FIELD(heightTiling)
  TILESMITH_FIELD(heightFractal)
  TILESMITH_FIELD(heightFractalTail)
  TILESMITH_FIELD(mainLoopOffset)
  TILESMITH_FIELD(tailBlockOffset)
  TILESMITH_FIELD(tmpBuffer1BlockNum)
  TILESMITH_FIELD(tmpBuffer1RowNum)
  TILESMITH_FIELD(tmpBuffer2Offset)
  TILESMITH_FIELD(widthTiling)
  TILESMITH_FIELD(widthFractal)
  TILESMITH_FIELD(widthFractalTail)
  TILESMITH_FIELD(widthFractalTailAlingned)
  TILESMITH_FIELD(brcbTiling)
  TILESMITH_FIELD(brcbFractal)
  TILESMITH_FIELD(brcbFractalTail)
  TILESMITH_FIELD(maxRepeatTimes)
  TILESMITH_FIELD(brcbTilingRepeatTimes)
  TILESMITH_FIELD(brcbTilingRepeatTimesTail)
};

struct UnPadTiling {
  TILESMITH_FIELD(srcHeight)
  TILESMITH_FIELD(srcWidth)
  TILESMITH_FIELD(tmpBuffer1BlockNum)
  TILESMITH_FIELD(tmpBuffer1RowNum)
  TILESMITH_FIELD(tmpBuffer2Offset)
  TILESMITH_FIELD(widthTiling)
  TILESMITH_FIELD(widthFractal)
  TILESMITH_FIELD(widthFractalTail)
};

struct ConfusionTransposeTiling {
  TILESMITH_FIELD(param0)
  TILESMITH_FIELD(param1)
  TILESMITH_FIELD(param2)
  TILESMITH_FIELD(param3)
  TILESMITH_FIELD(param4)
  TILESMITH_FIELD(param5)
  TILESMITH_FIELD(param6)
  TILESMITH_FIELD(param7)
  TILESMITH_FIELD(param8)
  TILESMITH_FIELD(param9)
  TILESMITH_FIELD(param10)
  TILESMITH_FIELD(param11)
  TILESMITH_FIELD(param12)
  TILESMITH_FIELD(param13)
  TILESMITH_FIELD(param14)
  TILESMITH_FIELD(param15)
  TILESMITH_FIELD(param16)
  TILESMITH_FIELD(param17)
};

#undef TILESMITH_NORM_PARTS
#undef TILESMITH_PART
#undef TILESMITH_FIELD

} // namespace tiling

#define TILESMITH_TILINGS_MORE                                                                                         \
  using AscendC::tiling::LayerNormGradTiling;                                                                          \
  using AscendC::tiling::LayerNormGradBetaTiling;                                                                      \
  using AscendC::tiling::BatchNormTiling;                                                                              \
  using AscendC::tiling::DeepNormTiling;                                                                               \
  using AscendC::tiling::GroupNormTiling;                                                                              \
  using AscendC::tiling::LogSoftMaxTiling;                                                                             \
  using AscendC::tiling::PadTiling;                                                                                    \
  using AscendC::tiling::UnPadTiling;                                                                                  \
  using AscendC::tiling::ConfusionTransposeTiling;

TILESMITH_TILINGS_MORE

} // namespace AscendC

TILESMITH_TILINGS_MORE

namespace optiling {
TILESMITH_TILINGS_MORE
} // namespace optiling

#undef TILESMITH_TILINGS_MORE

#endif
