// What surrounds the matrix unit: the registers of Fixpipe, and modes.
#ifndef TILESMITH_ASCENDC_CUBE_H
#define TILESMITH_ASCENDC_CUBE_H

#include "tilesmith/sync.h"

namespace AscendC {

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

// A factor and its scales: two moves of MTE1. The scales go where the factor's address says.
template <typename T>
inline void LoadData(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<fp8_e8m0_t> &srcMx,
                     const LoadData2DParamsV2 &params, const LoadData2DMxParams &scales,
                     tilesmith::Where where = tilesmith::Where::here()) {
  LoadData(dst, src, params, where);
  tilesmith::api->tsm_load_scales(tilesmith::core, where.loc(), tilesmith::dtypeOf<fp8_e8m0_t>(),
                                  tilesmith::scalesAt(dst.tsAddress()), srcMx.tsAddress(), scales.xStartPosition,
                                  scales.yStartPosition, scales.xStep, scales.yStep, scales.srcStride,
                                  scales.dstStride);
}

template <typename T> struct FillParams : InitConstValueParams<T> {
  using InitConstValueParams<T>::InitConstValueParams;
};

// Products of floats with shorter mantissas, rounded to even or cut off.
inline void SetHF32Mode(bool hf32Mode) {
  tilesmith::api->tsm_set_register(tilesmith::core, int64_t(tilesmith::Register::Hf32), hf32Mode);
}
inline void SetHF32TransMode(bool hf32TransMode) {
  tilesmith::api->tsm_set_register(tilesmith::core, int64_t(tilesmith::Register::Hf32Cut), hf32TransMode);
}
// A mode the arithmetic of the model does not have a second way for.
inline void SetMMLayoutTransform(bool) {}
// Whether the unit finishes its fractals row by row or column by column; the model hands them over in the order of L0C.
inline void SetMMRowMajor() {}
inline void SetMMColumnMajor() {}

} // namespace AscendC

#endif
