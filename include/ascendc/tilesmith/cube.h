// Mmad and Fixpipe: which of the Machine's instructions a call is, its parameters decide.
#ifndef TILESMITH_ASCENDC_CUBE_H
#define TILESMITH_ASCENDC_CUBE_H

#include "tilesmith/sync.h"

namespace tilesmith {

// Whether the product adds to what is in L0C: said by cmatrixInitVal, in older code by isBias.
inline bool startsFromZero(const AscendC::MmadParams &params) { return params.cmatrixInitVal && !params.isBias; }

inline bool takes(const AscendC::MmadParams &params, Where where) {
  if (params.enSsparse || params.enWinogradA || params.enWinogradB || params.fmOffset) {
    unsupported(where, "Mmad with sparse or Winograd operands, or with MmadParams::fmOffset");
    return false;
  }
  return true;
}

} // namespace tilesmith

namespace AscendC {

// The vendor's template names the types of both factors; they are one type here.
template <typename T, typename U, typename V>
inline void Mmad(const LocalTensor<T> &dst, const LocalTensor<U> &fm, const LocalTensor<V> &filter,
                 const MmadParams &params, tilesmith::Where where = tilesmith::Where::here()) {
  static_assert(std::is_same_v<U, V>, "Mmad: both factors have one element type");
  if (params.cmatrixSource)
    return tilesmith::unsupported(where, "Mmad with MmadParams::cmatrixSource and without a bias tensor");
  if (tilesmith::takes(params, where))
    tilesmith::api->tsm_mmad(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), tilesmith::dtypeOf<U>(),
                             dst.tsAddress(), fm.tsAddress(), filter.tsAddress(), params.m, params.n, params.k,
                             params.unitFlag, tilesmith::startsFromZero(params));
}

// With a bias in the bias table (C2), or added to what is in L0C (a tensor of CO1).
template <typename T, typename U, typename V, typename B>
inline void Mmad(const LocalTensor<T> &dst, const LocalTensor<U> &fm, const LocalTensor<V> &filter,
                 const LocalTensor<B> &bias, const MmadParams &params,
                 tilesmith::Where where = tilesmith::Where::here()) {
  static_assert(std::is_same_v<U, V>, "Mmad: both factors have one element type");
  static_assert(std::is_same_v<T, B>, "Mmad: the bias has the element type of the result");
  if (tilesmith::memoryAt(bias.tsAddress()) != tilesmith::Memory::BT)
    return tilesmith::unsupported(where, "Mmad with a bias outside the bias table (TPosition::C2)");
  if (tilesmith::takes(params, where))
    tilesmith::api->tsm_mmad_bias(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), tilesmith::dtypeOf<U>(),
                                  dst.tsAddress(), fm.tsAddress(), filter.tsAddress(), params.m, params.n, params.k,
                                  params.unitFlag, 1, bias.tsAddress());
}

// The scale and offset a Fixpipe without one of its own uses.
inline void SetFixpipePreQuantFlag(uint64_t config) {
  tilesmith::api->tsm_set_register(tilesmith::core, int64_t(tilesmith::Register::FixpipeQuant), int64_t(config));
}
inline void SetFixPipePreQuantFlag(uint64_t config) { SetFixpipePreQuantFlag(config); }
// Several matrices of one L0C tensor: their number and distances.
inline void SetFixpipeNz2ndFlag(uint16_t ndNum, uint16_t srcNdStride, uint16_t dstNdStride) {
  using tilesmith::Register;
  tilesmith::api->tsm_set_register(tilesmith::core, int64_t(Register::FixpipeNdNum), ndNum);
  tilesmith::api->tsm_set_register(tilesmith::core, int64_t(Register::FixpipeSrcNdStride), srcNdStride);
  tilesmith::api->tsm_set_register(tilesmith::core, int64_t(Register::FixpipeDstNdStride), dstNdStride);
}

template <typename T, typename U, const FixpipeConfig &config = CFG_ROW_MAJOR>
inline void Fixpipe(const GlobalTensor<T> &dst, const LocalTensor<U> &src, const FixpipeParamsV220 &params,
                    tilesmith::Where where = tilesmith::Where::here()) {
  if (params.isChannelSplit)
    return tilesmith::unsupported(where, "Fixpipe with isChannelSplit");
  constexpr bool nz = config.format == CO2Layout::NZ;
  static_assert(config.format != CO2Layout::COLUMN_MAJOR, "Fixpipe: CFG_COLUMN_MAJOR is not in the model yet");
  bool plain = !nz && params.ndNum <= 1 && params.quantPre <= QuantMode_t::F322BF16;
  if (plain)
    return tilesmith::api->tsm_fixpipe_to_gm(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(),
                                             tilesmith::dtypeOf<U>(), dst.tsAddress(), src.tsAddress(), params.nSize,
                                             params.mSize, params.srcStride, params.dstStride, int64_t(params.quantPre),
                                             params.reluEn);
  int64_t scalar = params.deqScalar ? params.deqScalar : TS_AS_SET;
  tilesmith::api->tsm_fixpipe_quant(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), tilesmith::dtypeOf<U>(),
                                    dst.tsAddress(), src.tsAddress(), params.nSize, params.mSize, params.srcStride,
                                    params.dstStride, int64_t(params.quantPre), params.reluEn, scalar, params.ndNum,
                                    params.srcNdStride, params.dstNdStride, nz);
}
template <typename T, typename U, const FixpipeConfig &config = CFG_NZ>
inline void Fixpipe(const LocalTensor<T> &dst, const LocalTensor<U> &src, const FixpipeParamsV220 &params,
                    tilesmith::Where where = tilesmith::Where::here()) {
  if (config.format != CO2Layout::NZ || params.ndNum > 1 || params.isChannelSplit || params.deqScalar ||
      params.quantPre > QuantMode_t::F322BF16)
    return tilesmith::unsupported(where, "Fixpipe to L1 other than one matrix in NZ, cast and relu");
  tilesmith::api->tsm_fixpipe_to_l1(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), tilesmith::dtypeOf<U>(),
                                    dst.tsAddress(), src.tsAddress(), params.nSize, params.mSize, params.srcStride,
                                    params.dstStride, int64_t(params.quantPre), params.reluEn);
}
template <typename T, typename U, const FixpipeConfig &config = CFG_ROW_MAJOR, typename W>
inline void Fixpipe(const GlobalTensor<T> &, const LocalTensor<U> &, const LocalTensor<W> &,
                    const FixpipeParamsV220 &) {
  static_assert(tilesmith::alwaysFalse<W>, "Fixpipe with a vector of scales is not in the model yet; scalars are");
}

// The older call for the same: rows with nz2ndEn, else fractals.
struct DataCopyCO12DstParams {
  uint16_t nSize = 0, mSize = 0;
  uint32_t dstStride = 0;
  uint16_t srcStride = 0;
  QuantMode_t quantPre = QuantMode_t::NoQuant;
  uint8_t reluPre = 0;
  bool channelSplit = false, nz2ndEn = false;
  DataCopyCO12DstParams() = default;
  DataCopyCO12DstParams(uint16_t n, uint16_t m, uint32_t dst, uint16_t src, QuantMode_t quant, uint8_t relu, bool split,
                        bool nd)
      : nSize(n), mSize(m), dstStride(dst), srcStride(src), quantPre(quant), reluPre(relu), channelSplit(split),
        nz2ndEn(nd) {}
};
template <typename T, typename U>
inline void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<U> &src, const DataCopyCO12DstParams &params,
                     tilesmith::Where where = tilesmith::Where::here()) {
  FixpipeParamsV220 same(params.nSize, params.mSize, params.srcStride, params.dstStride, params.reluPre != 0);
  same.quantPre = params.quantPre;
  same.isChannelSplit = params.channelSplit;
  if (!params.nz2ndEn)
    return Fixpipe<T, U, CFG_NZ>(dst, src, same, where);
  auto set = [](tilesmith::Register which) {
    return uint16_t(tilesmith::api->tsm_get_register(tilesmith::core, int64_t(which)));
  };
  same.ndNum = set(tilesmith::Register::FixpipeNdNum);
  same.srcNdStride = set(tilesmith::Register::FixpipeSrcNdStride);
  same.dstNdStride = set(tilesmith::Register::FixpipeDstNdStride);
  Fixpipe<T, U, CFG_ROW_MAJOR>(dst, src, same, where);
}

// The 950's parameters: dstStride counts elements in NZ, too.
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

template <typename T, typename U, const FixpipeConfig &config = CFG_ROW_MAJOR, CO2Layout layout>
inline void Fixpipe(const GlobalTensor<T> &dst, const LocalTensor<U> &src, const FixpipeParamsArch3510<layout> &params,
                    tilesmith::Where where = tilesmith::Where::here()) {
  if (params.dualDstCtl)
    return tilesmith::unsupported(where, "Fixpipe with dualDstCtl: a block has no second vector core");
  FixpipeParamsV220 same;
  same.nSize = params.nSize;
  same.mSize = params.mSize;
  same.srcStride = params.srcStride;
  same.dstStride = config.format == CO2Layout::NZ ? uint32_t(params.dstStride * sizeof(T) / 32) : params.dstStride;
  same.reluEn = params.reluEn;
  same.quantPre = params.quantPre;
  same.deqScalar = int64_t(params.deqScalar);
  same.ndNum = params.params.ndNum;
  same.srcNdStride = params.params.srcNdStride;
  same.dstNdStride = uint16_t(params.params.dstNdStride);
  same.unitFlag = params.unitFlag;
  same.isChannelSplit = params.isChannelSplit;
  Fixpipe<T, U, config>(dst, src, same, where);
}

template <typename T> struct FillParams : InitConstValueParams<T> {
  using InitConstValueParams<T>::InitConstValueParams;
};
template <typename T, typename U = T>
inline void Fill(const LocalTensor<T> &dst, const InitConstValueParams<T> &params,
                 tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::api->tsm_fill_l1(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), dst.tsAddress(),
                              params.repeatTimes, params.blockNum, params.dstGap,
                              tilesmith::bitsOf<T>(params.initValue));
}

// Modes the arithmetic of the model does not have a second way for.
inline void SetHF32Mode(bool hf32Mode, tilesmith::Where where = tilesmith::Where::here()) {
  if (hf32Mode)
    tilesmith::unsupported(where, "SetHF32Mode(true): the matrix unit of the model multiplies whole floats");
}
inline void SetHF32TransMode(bool) {}
inline void SetMMLayoutTransform(bool) {}

} // namespace AscendC

#endif
