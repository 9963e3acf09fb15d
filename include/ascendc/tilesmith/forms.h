// Forms of instructions that are several instructions: what they are composed of is the Machine's (Machine/Library.h).
#ifndef TILESMITH_ASCENDC_FORMS_H
#define TILESMITH_ASCENDC_FORMS_H

#include "tilesmith/library_rows.h"
#include "tilesmith/masks.h"

namespace tilesmith {

template <typename T>
void libraryForm(TsLibraryForm form, const LibraryCall &call, int64_t work, const LibraryShape &shape, int64_t high,
                 Where where) {
  api->tsm_library_rows(core, where.loc(), int64_t(form), dtypeOf<T>(), dtypeOf<T>(), call.dst[0], call.dst[1],
                        call.dst[2], call.src[0], call.src[1], call.src[2], call.src[3], call.src[4], call.scalar, high,
                        work, 0, shape.rows, shape.columns, shape.length, call.flags);
}

} // namespace tilesmith

namespace AscendC {

// Masked repeats, srcRepStride blocks apart, into one element.
#define TILESMITH_REDUCE_REPEATS(NAME, MASK)                                                                           \
  template <typename T, bool isSetMask = true>                                                                         \
  inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &sharedTmpBuffer, MASK,  \
                   const int32_t repeatTime, const int32_t srcRepStride,                                               \
                   tilesmith::Where where = tilesmith::Where::here()) {                                                \
    tilesmith::libraryForm<T>(TS_FORM_##NAME, {{dst.tsAddress()}, {src.tsAddress()}}, sharedTmpBuffer.tsAddress(),     \
                              {repeatTime, srcRepStride, tilesmith::maskOf<true, tilesmith::lanesOf<T>()>(mask)}, 0,   \
                              where);                                                                                  \
  }
// With calIndex also where it first is, as bits of the element's width.
#define TILESMITH_REDUCE_REPEATS_INDEX(NAME, MASK)                                                                     \
  template <typename T, bool isSetMask = true>                                                                         \
  inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &sharedTmpBuffer, MASK,  \
                   const int32_t repeatTime, const int32_t srcRepStride, bool calIndex = false,                        \
                   tilesmith::Where where = tilesmith::Where::here()) {                                                \
    tilesmith::libraryForm<T>(                                                                                         \
        TS_FORM_##NAME, {{dst.tsAddress()}, {src.tsAddress()}, 0, calIndex}, sharedTmpBuffer.tsAddress(),              \
        {repeatTime, srcRepStride, tilesmith::maskOf<true, tilesmith::lanesOf<T>()>(mask)}, 0, where);                 \
  }
TILESMITH_REDUCE_REPEATS(ReduceSum, const int32_t mask)
TILESMITH_REDUCE_REPEATS(ReduceSum, const uint64_t mask[])
TILESMITH_REDUCE_REPEATS_INDEX(ReduceMax, const int32_t mask)
TILESMITH_REDUCE_REPEATS_INDEX(ReduceMax, const uint64_t mask[])
TILESMITH_REDUCE_REPEATS_INDEX(ReduceMin, const int32_t mask)
TILESMITH_REDUCE_REPEATS_INDEX(ReduceMin, const uint64_t mask[])
#undef TILESMITH_REDUCE_REPEATS_INDEX
#undef TILESMITH_REDUCE_REPEATS

// What is exchanged. The others are only named.
enum class TransposeType : uint8_t {
  TRANSPOSE_TYPE_NONE,
  TRANSPOSE_NZ2ND_0213,
  TRANSPOSE_NZ2NZ_0213,
  TRANSPOSE_NZ2NZ_012_WITH_N,
  TRANSPOSE_NZ2ND_012_WITH_N,
  TRANSPOSE_NZ2ND_012_WITHOUT_N,
  TRANSPOSE_NZ2NZ_012_WITHOUT_N,
  TRANSPOSE_ND2ND_ONLY,
  TRANSPOSE_ND_UB_GM,
  TRANSPOSE_GRAD_ND_UB_GM,
  TRANSPOSE_ND2ND_B16,
  TRANSPOSE_NCHW2NHWC,
  TRANSPOSE_NHWC2NCHW
};
struct TransposeParamsExt {
  TransposeParamsExt() = default;
  TransposeParamsExt(uint16_t n, uint16_t c, uint16_t h, uint16_t w, TransposeType type)
      : nSize(n), cSize(c), hSize(h), wSize(w), transposeType(type) {}
  uint16_t nSize = 0, cSize = 0, hSize = 0, wSize = 0;
  TransposeType transposeType = TransposeType::TRANSPOSE_ND2ND_B16;
};
// Channels and pixels change places.
template <typename T>
inline void Transpose(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &,
                      const TransposeParamsExt &params, tilesmith::Where where = tilesmith::Where::here()) {
  int64_t pixels = int64_t(params.hSize) * params.wSize, channels = params.cSize;
  bool toPixels = params.transposeType == TransposeType::TRANSPOSE_NCHW2NHWC;
  if (params.transposeType == TransposeType::TRANSPOSE_ND2ND_B16)
    tilesmith::api->tsm_transpose(tilesmith::core, where.loc(), tilesmith::dtypeOf<T>(), dst.tsAddress(),
                                  src.tsAddress());
  else if (toPixels || params.transposeType == TransposeType::TRANSPOSE_NHWC2NCHW)
    tilesmith::libraryForm<T>(TS_FORM_Transpose, {{dst.tsAddress()}, {src.tsAddress()}}, 0,
                              {toPixels ? channels : pixels, toPixels ? pixels : channels, params.nSize}, 0, where);
  else
    tilesmith::unsupported(where, "Transpose with this TransposeType");
}

// Lanes whose bit is set.
template <typename T>
inline void Gather(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &srcOffset,
                   const uint32_t srcBaseAddr, const uint64_t mask[], const uint8_t repeatTime,
                   const uint16_t dstRepStride, tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::libraryForm<T>(TS_FORM_GatherBits,
                            {{dst.tsAddress()},
                             {src.tsAddress(), srcOffset.tsAddress(), srcBaseAddr, int64_t(src.GetSize() * sizeof(T))},
                             int64_t(mask[0])},
                            0, {repeatTime, dstRepStride}, int64_t(mask[1]), where);
}

// Those of each of the 16 places of a block, in a tensor the caller gives.
constexpr int VDEQ_TENSOR_SIZE = 16;
struct VdeqInfo {
  VdeqInfo() = default;
  VdeqInfo(const float scales[], const int16_t offsets[], const bool signs[]) {
    for (int i = 0; i < VDEQ_TENSOR_SIZE; ++i) {
      vdeqScale[i] = scales[i];
      vdeqOffset[i] = offsets[i];
      vdeqSignMode[i] = signs[i];
    }
  }
  float vdeqScale[VDEQ_TENSOR_SIZE] = {};
  int16_t vdeqOffset[VDEQ_TENSOR_SIZE] = {};
  bool vdeqSignMode[VDEQ_TENSOR_SIZE] = {};
};
template <typename T>
inline void SetDeqScale(const LocalTensor<T> &vdeq, const VdeqInfo &info,
                        tilesmith::Where where = tilesmith::Where::here()) {
  constexpr int64_t pipeS = 0, pipeV = 1;
  for (int i = 0; i < VDEQ_TENSOR_SIZE; ++i)
    tilesmith::api->tsm_set_value(tilesmith::core, where.loc(), tilesmith::dtypeOf<uint64_t>(),
                                  vdeq.tsAddress() + i * 8,
                                  int64_t(tsDeqWord(info.vdeqScale[i], info.vdeqOffset[i], info.vdeqSignMode[i])));
  int64_t id = tilesmith::api->tsm_event_fetch(tilesmith::core, where.loc(), pipeS, pipeV);
  tilesmith::api->tsm_set_flag(tilesmith::core, where.loc(), pipeS, pipeV, id);
  tilesmith::api->tsm_wait_flag(tilesmith::core, where.loc(), pipeS, pipeV, id);
  tilesmith::api->tsm_set_register(tilesmith::core, int64_t(tilesmith::Register::DeqScale), vdeq.tsAddress());
}

} // namespace AscendC

#endif
