// Registers: older names of loads and stores in all their forms, and calls that say how exact they must be.
#ifndef TILESMITH_ASCENDC_REGISTER_NAMES_H
#define TILESMITH_ASCENDC_REGISTER_NAMES_H

#include "tilesmith/register_integers.h"
#include "tilesmith/register_permute.h"

namespace AscendC {
namespace Reg {

using AscendC::GetVecLen;

template <typename T, PostLiteral post, LoadDist dist = LoadDist::DIST_NORM, typename X, const RegTrait &trait>
void DataCopy(RegTensor<X, trait> &dst, X *&p, int32_t stride, tilesmith::Where where = tilesmith::Where::here()) {
  LoadAlign<T, post, dist>(dst, p, stride, where);
}
template <typename T, PostLiteral post, StoreDist dist = StoreDist::DIST_NORM, typename X, const RegTrait &trait>
void DataCopy(X *&p, const RegTensor<X, trait> &src, int32_t stride, const MaskReg &mask,
              tilesmith::Where where = tilesmith::Where::here()) {
  StoreAlign<T, post, dist>(p, src, stride, mask, where);
}
template <typename T = void, LoadDist dist = LoadDist::DIST_NORM, typename X, const RegTrait &trait>
void DataCopy(RegTensor<X, trait> &dst, const X *p, AddrReg offset, tilesmith::Where where = tilesmith::Where::here()) {
  LoadAlign<T, dist>(dst, p, offset, where);
}
template <typename T = void, StoreDist dist = StoreDist::DIST_NORM, typename X, const RegTrait &trait>
void DataCopy(X *p, const RegTensor<X, trait> &src, AddrReg offset, const MaskReg &mask,
              tilesmith::Where where = tilesmith::Where::here()) {
  StoreAlign<T, dist>(p, src, offset, mask, where);
}
template <typename T, LoadDist dist, typename X, const RegTrait &trait>
void DataCopy(RegTensor<X, trait> &even, RegTensor<X, trait> &odd, const X *p,
              tilesmith::Where where = tilesmith::Where::here()) {
  LoadAlign<T, dist>(even, odd, p, where);
}
template <typename T, LoadDist dist, typename X, const RegTrait &trait>
void LoadAlign(RegTensor<X, trait> &even, RegTensor<X, trait> &odd, const X *p, AddrReg offset,
               tilesmith::Where where = tilesmith::Where::here()) {
  LoadAlign<T, dist>(even, odd, p + offset.offset, where);
}
template <typename T, PostLiteral post, LoadDist dist, typename X, const RegTrait &trait>
void LoadAlign(RegTensor<X, trait> &even, RegTensor<X, trait> &odd, X *&p, int32_t stride,
               tilesmith::Where where = tilesmith::Where::here()) {
  static_assert(post == PostLiteral::POST_MODE_UPDATE, "LoadAlign: only POST_MODE_UPDATE exists here");
  LoadAlign<T, dist>(even, odd, const_cast<const X *>(p), where);
  p += stride;
}
template <typename T, StoreDist dist, typename X, const RegTrait &trait>
void StoreAlign(X *p, const RegTensor<X, trait> &src0, const RegTensor<X, trait> &src1, AddrReg offset,
                const MaskReg &mask, tilesmith::Where where = tilesmith::Where::here()) {
  StoreAlign<T, dist>(p + offset.offset, src0, src1, mask, where);
}
template <typename T, PostLiteral post, StoreDist dist, typename X, const RegTrait &trait>
void StoreAlign(X *&p, const RegTensor<X, trait> &src0, const RegTensor<X, trait> &src1, int32_t stride,
                const MaskReg &mask, tilesmith::Where where = tilesmith::Where::here()) {
  static_assert(post == PostLiteral::POST_MODE_UPDATE, "StoreAlign: only POST_MODE_UPDATE exists here");
  StoreAlign<T, dist>(p, src0, src1, mask, where);
  p += stride;
}
template <typename T, StoreDist dist, typename X, const RegTrait &trait>
void DataCopy(X *p, const RegTensor<X, trait> &src0, const RegTensor<X, trait> &src1, const MaskReg &mask,
              tilesmith::Where where = tilesmith::Where::here()) {
  StoreAlign<T, dist>(p, src0, src1, mask, where);
}
template <typename T, DataCopyMode mode, typename X, const RegTrait &trait>
void DataCopy(RegTensor<X, trait> &dst, const X *p, uint32_t blockStride, const MaskReg &mask,
              tilesmith::Where where = tilesmith::Where::here()) {
  LoadAlign<T, mode>(dst, p, blockStride, mask, where);
}
template <typename T, DataCopyMode mode, PostLiteral post, typename X, const RegTrait &trait>
void DataCopy(RegTensor<X, trait> &dst, X *&p, uint32_t blockStride, uint32_t repeatStride, const MaskReg &mask,
              tilesmith::Where where = tilesmith::Where::here()) {
  LoadAlign<T, mode, post>(dst, p, blockStride, repeatStride, mask, where);
}
template <typename T, DataCopyMode mode, typename X, const RegTrait &trait>
void DataCopy(X *p, const RegTensor<X, trait> &src, uint32_t blockStride, const MaskReg &mask,
              tilesmith::Where where = tilesmith::Where::here()) {
  StoreAlign<T, mode>(p, src, blockStride, mask, where);
}
template <typename T, DataCopyMode mode, PostLiteral post, typename X, const RegTrait &trait>
void DataCopy(X *&p, const RegTensor<X, trait> &src, uint32_t blockStride, uint32_t repeatStride, const MaskReg &mask,
              tilesmith::Where where = tilesmith::Where::here()) {
  StoreAlign<T, mode, post>(p, src, blockStride, repeatStride, mask, where);
}
// Masks.
template <typename T = void, MaskDist dist = MaskDist::DIST_NORM, typename X>
void DataCopy(MaskReg &dst, const X *p, tilesmith::Where where = tilesmith::Where::here()) {
  LoadAlign<T, dist>(dst, p, where);
}
template <typename T = void, MaskDist dist = MaskDist::DIST_NORM, typename X>
void DataCopy(X *p, const MaskReg &src, tilesmith::Where where = tilesmith::Where::here()) {
  StoreAlign<T, dist>(p, src, where);
}
template <typename T = void, MaskDist dist = MaskDist::DIST_NORM, typename X>
void LoadAlign(MaskReg &dst, const X *p, AddrReg offset, tilesmith::Where where = tilesmith::Where::here()) {
  LoadAlign<T, dist>(dst, p + offset.offset, where);
}
template <typename T = void, MaskDist dist = MaskDist::DIST_NORM, typename X>
void StoreAlign(X *p, const MaskReg &src, AddrReg offset, tilesmith::Where where = tilesmith::Where::here()) {
  StoreAlign<T, dist>(p + offset.offset, src, where);
}

// How exact a result must be, and whether subnormal numbers count. The model's way is exact enough for all of them.
enum class DivAlgo {
  INTRINSIC = 0,
  DIFF_COMPENSATION,
  PRECISION_0ULP_FTZ_TRUE,
  PRECISION_0ULP_FTZ_FALSE,
  PRECISION_1ULP_FTZ_TRUE,
  PRECISION_1ULP_FTZ_FALSE
};
enum class ExpAlgo { INTRINSIC = 0, PRECISION_1ULP_FTZ_TRUE, PRECISION_1ULP_FTZ_FALSE };
enum class LnAlgo { INTRINSIC = 0, PRECISION_1ULP_FTZ_TRUE, PRECISION_1ULP_FTZ_FALSE };
enum class SqrtAlgo {
  INTRINSIC = 0,
  FAST_INVERSE,
  PRECISION_0ULP_FTZ_TRUE,
  PRECISION_0ULP_FTZ_FALSE,
  PRECISION_1ULP_FTZ_TRUE,
  PRECISION_1ULP_FTZ_FALSE
};
enum class LogAlgo { INTRINSIC = 0, PRECISION_1ULP_FTZ_TRUE, PRECISION_1ULP_FTZ_FALSE };
struct DivSpecificMode {
  MaskMergeMode mrgMode = MaskMergeMode::ZEROING;
  bool precisionMode = false;
  DivAlgo algo = DivAlgo::INTRINSIC;
};
struct SqrtSpecificMode {
  MaskMergeMode mrgMode = MaskMergeMode::ZEROING;
  bool precisionMode = false;
  SqrtAlgo algo = SqrtAlgo::INTRINSIC;
};
struct ExpSpecificMode {
  MaskMergeMode mrgMode = MaskMergeMode::ZEROING;
  ExpAlgo algo = ExpAlgo::INTRINSIC;
};
struct LnSpecificMode {
  MaskMergeMode mrgMode = MaskMergeMode::ZEROING;
  LnAlgo algo = LnAlgo::INTRINSIC;
};
struct LogSpecificMode {
  MaskMergeMode mrgMode = MaskMergeMode::ZEROING;
  LogAlgo algo = LogAlgo::INTRINSIC;
};
template <typename T, const DivSpecificMode *mode, typename X, const RegTrait &trait>
void Div(RegTensor<X, trait> &dst, const RegTensor<X, trait> &a, const RegTensor<X, trait> &b, const MaskReg &mask,
         tilesmith::Where where = tilesmith::Where::here()) {
  Div<T, mode->mrgMode>(dst, a, b, mask, where);
}
#define TILESMITH_REG_SPECIFIC(NAME, MODE)                                                                             \
  template <typename T, const MODE *mode, typename X, const RegTrait &trait>                                           \
  void NAME(RegTensor<X, trait> &dst, const RegTensor<X, trait> &src, const MaskReg &mask,                             \
            tilesmith::Where where = tilesmith::Where::here()) {                                                       \
    NAME<T, mode->mrgMode>(dst, src, mask, where);                                                                     \
  }
TILESMITH_REG_SPECIFIC(Exp, ExpSpecificMode)
TILESMITH_REG_SPECIFIC(Sqrt, SqrtSpecificMode)
TILESMITH_REG_SPECIFIC(Ln, LnSpecificMode)
TILESMITH_REG_SPECIFIC(Log, LogSpecificMode)
#undef TILESMITH_REG_SPECIFIC

// One address after the other needs no count behind it.
template <typename X> void StoreUnAlignPost(X *&p, UnalignReg &helper) { StoreUnAlignPost(p, helper, 0); }

} // namespace Reg
} // namespace AscendC

#endif
