// Parameter structs that hold tensors, arrays or enumerators of Ascend C alone, or are templates over a layout; the
// others are generated (types.inc).
#ifndef TILESMITH_ASCENDC_STRUCTS_H
#define TILESMITH_ASCENDC_STRUCTS_H

#include "tilesmith/tensors.h"

namespace AscendC {

enum class BlockMode : uint8_t {
  BLOCK_MODE_NORMAL,
  BLOCK_MODE_MATRIX,
  BLOCK_MODE_VECTOR,
  BLOCK_MODE_SMALL_CHANNEL,
  BLOCK_MODE_DEPTHWISE
};
enum class pad_t : uint8_t {
  PAD_NONE,
  PAD_MODE1,
  PAD_MODE2,
  PAD_MODE3,
  PAD_MODE4,
  PAD_MODE5,
  PAD_MODE6,
  PAD_MODE7,
  PAD_MODE8
};
enum class DeqScale : uint8_t { DEQ_NONE, DEQ, VDEQ, DEQ8, VDEQ8, DEQ16, VDEQ16 };
struct DataCopyEnhancedParams {
  BlockMode blockMode = BlockMode::BLOCK_MODE_NORMAL;
  DeqScale deqScale = DeqScale::DEQ_NONE;
  uint64_t deqValue = 0;
  uint8_t sidStoreMode = 0;
  bool isRelu = false;
  pad_t padMode = pad_t::PAD_NONE;
  uint64_t padValue = 0;
};

struct TransformParamsNz2Nd {
  uint16_t ndNum = 1, srcNdStride = 0;
  uint32_t dstNdStride = 0;
};
template <CO2Layout layout = CO2Layout::ROW_MAJOR> struct FixpipeParamsArch3510 {
  uint16_t nSize = 0, mSize = 0, srcStride = 0;
  uint32_t dstStride = 0;
  QuantMode_t quantPre = QuantMode_t::NoQuant;
  uint64_t deqScalar = 0;
  bool reluEn = false;
  uint8_t unitFlag = 0, dualDstCtl = 0;
  bool subBlockId = false, isChannelSplit = false;
  TransformParamsNz2Nd params;
};
template <CO2Layout layout = CO2Layout::ROW_MAJOR> using FixpipeParamsC310 = FixpipeParamsArch3510<layout>;

template <typename T> struct LoadData3DParamsV2 {
  uint8_t padList[4] = {}; // left, right, top, bottom
  uint16_t l1H = 0, l1W = 0, channelSize = 0, kExtension = 0, mExtension = 0, kStartPt = 0, mStartPt = 0;
  uint8_t strideW = 1, strideH = 1, filterW = 1, filterH = 1, dilationFilterW = 1, dilationFilterH = 1;
  bool enTranspose = false, enSmallK = false;
  T padValue = T(0);
  bool filterSizeW = false, filterSizeH = false, fMatrixCtrl = false;
  LoadData3DParamsV2() = default;
  LoadData3DParamsV2(const uint8_t pads[4], uint16_t h, uint16_t w, uint16_t channels, uint16_t k, uint16_t m,
                     uint16_t kStart, uint16_t mStart, uint8_t alongW, uint8_t alongH, uint8_t filterWidth,
                     uint8_t filterHeight, uint8_t dilationW, uint8_t dilationH, bool transposes, bool smallK, T value,
                     bool wideW = false, bool wideH = false, bool byRegister = false)
      : l1H(h), l1W(w), channelSize(channels), kExtension(k), mExtension(m), kStartPt(kStart), mStartPt(mStart),
        strideW(alongW), strideH(alongH), filterW(filterWidth), filterH(filterHeight), dilationFilterW(dilationW),
        dilationFilterH(dilationH), enTranspose(transposes), enSmallK(smallK), padValue(value), filterSizeW(wideW),
        filterSizeH(wideH), fMatrixCtrl(byRegister) {
    for (int i = 0; i < 4; ++i)
      padList[i] = pads[i];
  }
};

template <typename T> struct MrgSortSrcList {
  LocalTensor<T> src1, src2, src3, src4;
  MrgSortSrcList() = default;
  MrgSortSrcList(const LocalTensor<T> &a, const LocalTensor<T> &b, const LocalTensor<T> &c = {},
                 const LocalTensor<T> &d = {})
      : src1(a), src2(b), src3(c), src4(d) {}
};

struct MrgSort4Info {
  uint16_t elementLengths[4] = {};
  bool ifExhaustedSuspension = false;
  uint16_t validBit = 15, repeatTimes = 1;
  MrgSort4Info() = default;
  MrgSort4Info(const uint16_t lengths[4], bool suspends, uint16_t valid, uint16_t repeats)
      : ifExhaustedSuspension(suspends), validBit(valid), repeatTimes(repeats) {
    for (int i = 0; i < 4; ++i)
      elementLengths[i] = lengths[i];
  }
};

} // namespace AscendC

#endif
