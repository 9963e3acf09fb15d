// The C API: registers of the 950. They are those of AscendC::Reg, and so are the functions.
#ifndef TILESMITH_ASCENDC_CAPI_REGISTERS_H
#define TILESMITH_ASCENDC_CAPI_REGISTERS_H

#include "tilesmith/capi_moves.h"

using vector_bool = AscendC::Reg::MaskReg;
using vector_half = AscendC::Reg::RegTensor<half>;
using vector_f16 = vector_half;
using vector_bfloat16_t = AscendC::Reg::RegTensor<bfloat16_t>;
using vector_bf16 = vector_bfloat16_t;
using vector_float = AscendC::Reg::RegTensor<float>;
using vector_f32 = vector_float;
using vector_int8_t = AscendC::Reg::RegTensor<int8_t>;
using vector_uint8_t = AscendC::Reg::RegTensor<uint8_t>;
using vector_int16_t = AscendC::Reg::RegTensor<int16_t>;
using vector_uint16_t = AscendC::Reg::RegTensor<uint16_t>;
using vector_int32_t = AscendC::Reg::RegTensor<int32_t>;
using vector_uint32_t = AscendC::Reg::RegTensor<uint32_t>;
using vector_int64_t = AscendC::Reg::RegTensor<int64_t>;
using vector_uint64_t = AscendC::Reg::RegTensor<uint64_t>;
using vector_load_align = AscendC::Reg::UnalignRegForLoad;
using vector_store_align = AscendC::Reg::UnalignRegForStore;
using vector_address = AscendC::Reg::AddrReg;
using iter_reg = AscendC::Reg::AddrReg;

inline constexpr uint32_t asc_get_vf_len() { return AscendC::Reg::VECTOR_REG_WIDTH; }

//===- Masks
//-------------------------------------------------------------------------------------------------------===//

// Which lanes a mask begins with.
enum tsMaskPattern {
  PAT_ALL = int(AscendC::Reg::MaskPattern::ALL),
  PAT_VL1 = int(AscendC::Reg::MaskPattern::VL1),
  PAT_VL2 = int(AscendC::Reg::MaskPattern::VL2),
  PAT_VL3 = int(AscendC::Reg::MaskPattern::VL3),
  PAT_VL4 = int(AscendC::Reg::MaskPattern::VL4),
  PAT_VL8 = int(AscendC::Reg::MaskPattern::VL8),
  PAT_VL16 = int(AscendC::Reg::MaskPattern::VL16),
  PAT_VL32 = int(AscendC::Reg::MaskPattern::VL32),
  PAT_VL64 = int(AscendC::Reg::MaskPattern::VL64),
  PAT_VL128 = int(AscendC::Reg::MaskPattern::VL128),
  PAT_M3 = int(AscendC::Reg::MaskPattern::M3),
  PAT_M4 = int(AscendC::Reg::MaskPattern::M4),
  PAT_H = int(AscendC::Reg::MaskPattern::H),
  PAT_Q = int(AscendC::Reg::MaskPattern::Q),
  PAT_ALLF = int(AscendC::Reg::MaskPattern::ALLF),
};

namespace tilesmith {
template <typename T> vector_bool maskOfPattern(int pattern) {
  using Pattern = AscendC::Reg::MaskPattern;
  switch (Pattern(pattern)) {
#define TILESMITH_PATTERN(NAME)                                                                                        \
  case Pattern::NAME:                                                                                                  \
    return AscendC::Reg::CreateMask<T, Pattern::NAME>();
    TILESMITH_PATTERN(VL1)
    TILESMITH_PATTERN(VL2)
    TILESMITH_PATTERN(VL3)
    TILESMITH_PATTERN(VL4)
    TILESMITH_PATTERN(VL8)
    TILESMITH_PATTERN(VL16)
    TILESMITH_PATTERN(VL32)
    TILESMITH_PATTERN(VL64)
    TILESMITH_PATTERN(VL128)
    TILESMITH_PATTERN(M3)
    TILESMITH_PATTERN(M4)
    TILESMITH_PATTERN(H)
    TILESMITH_PATTERN(Q)
    TILESMITH_PATTERN(ALLF)
#undef TILESMITH_PATTERN
  default:
    return AscendC::Reg::CreateMask<T>();
  }
}
} // namespace tilesmith

#define TILESMITH_CAPI_MASK(WIDTH, T)                                                                                  \
  inline vector_bool asc_create_mask_##WIDTH(int pattern) { return tilesmith::maskOfPattern<T>(pattern); }             \
  inline vector_bool asc_update_mask_##WIDTH(uint32_t &count, tilesmith::Where where = tilesmith::Where::here()) {     \
    return AscendC::Reg::UpdateMask<T>(count, where);                                                                  \
  }
TILESMITH_CAPI_MASK(b8, uint8_t)
TILESMITH_CAPI_MASK(b16, uint16_t)
TILESMITH_CAPI_MASK(b32, uint32_t)
#undef TILESMITH_CAPI_MASK

//===- Loads and stores
//--------------------------------------------------------------------------------------------===//

template <typename T>
inline void asc_loadalign(AscendC::Reg::RegTensor<T> &dst, const T *src,
                          tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::Reg::LoadAlign(dst, src, where);
}
template <typename T>
inline void asc_loadalign(AscendC::Reg::RegTensor<T> &dst, const T *src, iter_reg offset,
                          tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::Reg::LoadAlign<T>(dst, src, offset, where);
}
template <typename T>
inline void asc_loadalign_postupdate(AscendC::Reg::RegTensor<T> &dst, T *&src, int32_t stride,
                                     tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::Reg::LoadAlign<T, AscendC::Reg::PostLiteral::POST_MODE_UPDATE>(dst, src, stride, where);
}
template <typename T>
inline void asc_storealign(T *dst, const AscendC::Reg::RegTensor<T> &src, const vector_bool &mask,
                           tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::Reg::StoreAlign(dst, src, mask, where);
}
template <typename T>
inline void asc_storealign(T *dst, const AscendC::Reg::RegTensor<T> &src, iter_reg offset, const vector_bool &mask,
                           tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::Reg::StoreAlign<T>(dst, src, offset, mask, where);
}
template <typename T>
inline void asc_storealign_postupdate(T *&dst, const AscendC::Reg::RegTensor<T> &src, int32_t stride,
                                      const vector_bool &mask, tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::Reg::StoreAlign<T, AscendC::Reg::PostLiteral::POST_MODE_UPDATE>(dst, src, stride, mask, where);
}

// The distributions, each as a name of its own.
#define TILESMITH_CAPI_LOAD(NAME, DIST)                                                                                \
  template <typename T>                                                                                                \
  inline void asc_loadalign_##NAME(AscendC::Reg::RegTensor<T> &dst, const T *src,                                      \
                                   tilesmith::Where where = tilesmith::Where::here()) {                                \
    AscendC::Reg::LoadAlign<T, DIST>(dst, src, where);                                                                 \
  }
#define TILESMITH_BY_WIDTH(KIND)                                                                                       \
  (sizeof(T) == 1 ? AscendC::Reg::KIND##_B8 : sizeof(T) == 2 ? AscendC::Reg::KIND##_B16 : AscendC::Reg::KIND##_B32)
TILESMITH_CAPI_LOAD(brc, TILESMITH_BY_WIDTH(LoadDist::DIST_BRC))
TILESMITH_CAPI_LOAD(unpack, TILESMITH_BY_WIDTH(LoadDist::DIST_UNPACK))
TILESMITH_CAPI_LOAD(brc_v1, TILESMITH_BY_WIDTH(LoadDist::DIST_BRC))
TILESMITH_CAPI_LOAD(unpack_v1, TILESMITH_BY_WIDTH(LoadDist::DIST_UNPACK))
TILESMITH_CAPI_LOAD(blk, AscendC::Reg::LoadDist::DIST_BLK)
#undef TILESMITH_CAPI_LOAD
template <typename T>
inline void asc_storealign_1st(T *dst, const AscendC::Reg::RegTensor<T> &src, const vector_bool &mask,
                               tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::Reg::StoreAlign<T, TILESMITH_BY_WIDTH(StoreDist::DIST_FIRST_ELEMENT)>(dst, src, mask, where);
}
#undef TILESMITH_BY_WIDTH
template <typename T>
inline void asc_storealign_pack(T *dst, const AscendC::Reg::RegTensor<T> &src, const vector_bool &mask,
                                tilesmith::Where where = tilesmith::Where::here()) {
  constexpr auto dist =
      sizeof(T) <= 2 ? AscendC::Reg::StoreDist::DIST_PACK_B32 : AscendC::Reg::StoreDist::DIST_PACK_B64;
  AscendC::Reg::StoreAlign<T, dist>(dst, src, mask, where);
}
template <typename T> inline void asc_loadunalign_pre(vector_load_align &helper, const T *src) {
  AscendC::Reg::LoadUnAlignPre(helper, src);
}
template <typename T>
inline void asc_loadunalign(AscendC::Reg::RegTensor<T> &dst, vector_load_align &helper, const T *src,
                            tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::Reg::LoadUnAlign(dst, helper, src, where);
}
template <typename T>
inline void asc_loadunalign_postupdate(AscendC::Reg::RegTensor<T> &dst, vector_load_align &helper, T *&src,
                                       uint32_t stride, tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::Reg::LoadUnAlign(dst, helper, src, stride, where);
}

//===- Arithmetic
//--------------------------------------------------------------------------------------------------===//

#define TILESMITH_CAPI_BINARY(NAME, CALL)                                                                              \
  template <typename T>                                                                                                \
  inline void asc_##NAME(AscendC::Reg::RegTensor<T> &dst, const AscendC::Reg::RegTensor<T> &src0,                      \
                         const AscendC::Reg::RegTensor<T> &src1, const vector_bool &mask,                              \
                         tilesmith::Where where = tilesmith::Where::here()) {                                          \
    AscendC::Reg::CALL(dst, src0, src1, mask, where);                                                                  \
  }
TILESMITH_CAPI_BINARY(add, Add)
TILESMITH_CAPI_BINARY(sub, Sub)
TILESMITH_CAPI_BINARY(mul, Mul)
TILESMITH_CAPI_BINARY(div, Div)
TILESMITH_CAPI_BINARY(max, Max)
TILESMITH_CAPI_BINARY(min, Min)
TILESMITH_CAPI_BINARY(and, And)
TILESMITH_CAPI_BINARY(or, Or)
TILESMITH_CAPI_BINARY(xor, Xor)
TILESMITH_CAPI_BINARY(mul_add, MulAddDst)
TILESMITH_CAPI_BINARY(select, Select)
TILESMITH_CAPI_BINARY(prelu, Prelu)
TILESMITH_CAPI_BINARY(abs_sub, AbsSub)
TILESMITH_CAPI_BINARY(exp_sub, ExpSub)
TILESMITH_CAPI_BINARY(madd, MulDstAdd)
#undef TILESMITH_CAPI_BINARY

#define TILESMITH_CAPI_UNARY(NAME, CALL)                                                                               \
  template <typename T>                                                                                                \
  inline void asc_##NAME(AscendC::Reg::RegTensor<T> &dst, const AscendC::Reg::RegTensor<T> &src,                       \
                         const vector_bool &mask, tilesmith::Where where = tilesmith::Where::here()) {                 \
    AscendC::Reg::CALL(dst, src, mask, where);                                                                         \
  }
TILESMITH_CAPI_UNARY(abs, Abs)
TILESMITH_CAPI_UNARY(exp, Exp)
TILESMITH_CAPI_UNARY(ln, Ln)
TILESMITH_CAPI_UNARY(log, Ln)
TILESMITH_CAPI_UNARY(sqrt, Sqrt)
TILESMITH_CAPI_UNARY(relu, Relu)
TILESMITH_CAPI_UNARY(neg, Neg)
TILESMITH_CAPI_UNARY(not, Not)
TILESMITH_CAPI_UNARY(reduce_add, ReduceSum)
TILESMITH_CAPI_UNARY(reduce_sum, ReduceSum)
TILESMITH_CAPI_UNARY(reduce_max, ReduceMax)
TILESMITH_CAPI_UNARY(reduce_min, ReduceMin)
TILESMITH_CAPI_UNARY(squeeze, Squeeze)
#undef TILESMITH_CAPI_UNARY

#define TILESMITH_CAPI_SCALAR(NAME, CALL)                                                                              \
  template <typename T>                                                                                                \
  inline void asc_##NAME(AscendC::Reg::RegTensor<T> &dst, const AscendC::Reg::RegTensor<T> &src,                       \
                         tilesmith::Same<T> value, const vector_bool &mask,                                            \
                         tilesmith::Where where = tilesmith::Where::here()) {                                          \
    AscendC::Reg::CALL(dst, src, value, mask, where);                                                                  \
  }
TILESMITH_CAPI_SCALAR(add_scalar, Adds)
TILESMITH_CAPI_SCALAR(adds, Adds)
TILESMITH_CAPI_SCALAR(mul_scalar, Muls)
TILESMITH_CAPI_SCALAR(muls, Muls)
TILESMITH_CAPI_SCALAR(max_scalar, Maxs)
TILESMITH_CAPI_SCALAR(min_scalar, Mins)
TILESMITH_CAPI_SCALAR(leaky_relu, LeakyRelu)
TILESMITH_CAPI_SCALAR(leakyrelu, LeakyRelu)
TILESMITH_CAPI_SCALAR(axpy, Axpy)
#undef TILESMITH_CAPI_SCALAR

template <typename T> inline void asc_duplicate(AscendC::Reg::RegTensor<T> &dst, tilesmith::Same<T> value) {
  AscendC::Reg::Duplicate(dst, value);
}
template <typename T>
inline void asc_duplicate(AscendC::Reg::RegTensor<T> &dst, tilesmith::Same<T> value, const vector_bool &mask) {
  AscendC::Reg::Duplicate(dst, value, mask);
}
template <typename T> inline void asc_arange(AscendC::Reg::RegTensor<T> &dst, tilesmith::Same<T> start) {
  AscendC::Reg::Arange(dst, start);
}
template <typename T>
inline void asc_intlv(AscendC::Reg::RegTensor<T> &dst0, AscendC::Reg::RegTensor<T> &dst1,
                      const AscendC::Reg::RegTensor<T> &src0, const AscendC::Reg::RegTensor<T> &src1) {
  AscendC::Reg::Interleave(dst0, dst1, src0, src1);
}
template <typename T>
inline void asc_deintlv(AscendC::Reg::RegTensor<T> &dst0, AscendC::Reg::RegTensor<T> &dst1,
                        const AscendC::Reg::RegTensor<T> &src0, const AscendC::Reg::RegTensor<T> &src1,
                        tilesmith::Where where = tilesmith::Where::here()) {
  AscendC::Reg::DeInterleave(dst0, dst1, src0, src1, where);
}

#define TILESMITH_CAPI_COMPARE(NAME, MODE)                                                                             \
  template <typename T>                                                                                                \
  inline void asc_##NAME(vector_bool &dst, const AscendC::Reg::RegTensor<T> &src0,                                     \
                         const AscendC::Reg::RegTensor<T> &src1, const vector_bool &mask,                              \
                         tilesmith::Where where = tilesmith::Where::here()) {                                          \
    AscendC::Reg::Compare<T, AscendC::CMPMODE::MODE>(dst, src0, src1, mask, where);                                    \
  }                                                                                                                    \
  template <typename T>                                                                                                \
  inline void asc_##NAME##_scalar(vector_bool &dst, const AscendC::Reg::RegTensor<T> &src, tilesmith::Same<T> value,   \
                                  const vector_bool &mask, tilesmith::Where where = tilesmith::Where::here()) {        \
    AscendC::Reg::Compares<T, AscendC::CMPMODE::MODE>(dst, src, value, mask, where);                                   \
  }
TILESMITH_CAPI_COMPARE(eq, EQ)
TILESMITH_CAPI_COMPARE(ne, NE)
TILESMITH_CAPI_COMPARE(lt, LT)
TILESMITH_CAPI_COMPARE(le, LE)
TILESMITH_CAPI_COMPARE(gt, GT)
TILESMITH_CAPI_COMPARE(ge, GE)
#undef TILESMITH_CAPI_COMPARE

#endif
