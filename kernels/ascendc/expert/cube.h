// Loads from L1 into L0 that both cubes do differently. Elements have 16 bits; in L1 lie columns of fractals (NZ).
#ifndef TILESMITH_EXPERT_CUBE_H
#define TILESMITH_EXPERT_CUBE_H

#include "expert.h"

namespace expert {

constexpr uint32_t FRACTAL = 16; // rows and, of 16-bit elements, columns of a fractal
constexpr uint32_t FRACTAL_SIZE = FRACTAL * FRACTAL;

// Rows of a matrix from global memory to fractals in L1, whose columns have `padded` rows.
template <typename T>
__aicore__ inline void LoadFractals(const AscendC::LocalTensor<T> &to, const AscendC::GlobalTensor<T> &from, uint32_t rows,
                                    uint32_t columns, uint32_t pitch, uint32_t padded) {
  AscendC::Nd2NzParams params;
  params.ndNum = 1;
  params.nValue = rows;
  params.dValue = columns;
  params.srcDValue = pitch;
  params.dstNzNStride = 1;
  params.dstNzC0Stride = padded;
  AscendC::DataCopy(to, from, params);
}

#if __NPU_ARCH__ == 3510

// `depth` columns from column k of `rows` rows of A, of which `stage` rows are in L1. L0A has the layout of L1 here, and one
// instruction takes a whole block.
template <typename T>
__aicore__ inline void LoadA(const AscendC::LocalTensor<T> &a2, const AscendC::LocalTensor<T> &a1, uint32_t stage, uint32_t row,
                             uint32_t rows, uint32_t k, uint32_t depth) {
  AscendC::LoadData2DParamsV2 params;
  params.mStartPosition = row / FRACTAL;
  params.mStep = rows / FRACTAL;
  params.kStep = CeilDiv(depth, FRACTAL);
  params.kStartPosition = k / FRACTAL;
  params.srcStride = stage / FRACTAL;
  params.dstStride = rows / FRACTAL;
  AscendC::LoadData(a2, a1, params);
}
// `depth` rows from row k of `columns` columns of B [k, n], of which `stage` rows are in L1.
template <typename T>
__aicore__ inline void LoadB(const AscendC::LocalTensor<T> &b2, const AscendC::LocalTensor<T> &b1, uint32_t stage,
                             uint32_t column, uint32_t columns, uint32_t k, uint32_t depth) {
  AscendC::LoadData2DParamsV2 params;
  params.mStartPosition = k / FRACTAL;
  params.kStartPosition = column / FRACTAL;
  params.mStep = CeilDiv(depth, FRACTAL);
  params.kStep = CeilDiv(columns, FRACTAL);
  params.srcStride = stage / FRACTAL;
  params.dstStride = CeilDiv(columns, FRACTAL);
  params.ifTranspose = true;
  AscendC::LoadData(b2, b1, params);
}
// The same of B that lies transposed, [n, k], with `stage` of its n in L1.
template <typename T>
__aicore__ inline void LoadTransposedB(const AscendC::LocalTensor<T> &b2, const AscendC::LocalTensor<T> &b1, uint32_t stage,
                                       uint32_t column, uint32_t columns, uint32_t k, uint32_t depth) {
  AscendC::LoadData2DParamsV2 params;
  params.mStartPosition = column / FRACTAL;
  params.kStartPosition = k / FRACTAL;
  params.mStep = CeilDiv(columns, FRACTAL);
  params.kStep = CeilDiv(depth, FRACTAL);
  params.srcStride = stage / FRACTAL;
  params.dstStride = CeilDiv(columns, FRACTAL);
  AscendC::LoadData(b2, b1, params);
}

#else

// `depth` columns from column k of `rows` rows of A, of which `stage` rows are in L1. Columns of fractals there, rows of fractals
// in L0A: one instruction for each of the few columns, with gaps between what it writes, and not one for each of the many rows.
template <typename T>
__aicore__ inline void LoadA(const AscendC::LocalTensor<T> &a2, const AscendC::LocalTensor<T> &a1, uint32_t stage, uint32_t row,
                             uint32_t rows, uint32_t k, uint32_t depth) {
  uint32_t columns = CeilDiv(depth, FRACTAL);
  AscendC::LoadData2DParams params;
  params.repeatTimes = rows / FRACTAL;
  params.srcStride = 1;
  params.dstGap = columns - 1;
  for (uint32_t i = 0; i < columns; ++i)
    AscendC::LoadData(a2[i * FRACTAL_SIZE], a1[(k + i * FRACTAL) * stage + row * FRACTAL], params);
}
// `depth` rows from row k of `columns` columns of B [k, n], of which `stage` rows are in L1.
template <typename T>
__aicore__ inline void LoadB(const AscendC::LocalTensor<T> &b2, const AscendC::LocalTensor<T> &b1, uint32_t stage,
                             uint32_t column, uint32_t columns, uint32_t k, uint32_t depth) {
  AscendC::LoadData2DParams params;
  params.repeatTimes = CeilDiv(columns, FRACTAL);
  params.srcStride = stage / FRACTAL;
  params.ifTranspose = true;
  for (uint32_t i = 0; i < CeilDiv(depth, FRACTAL); ++i)
    AscendC::LoadData(b2[i * params.repeatTimes * FRACTAL_SIZE], b1[column * stage + (k + i * FRACTAL) * FRACTAL], params);
}
// The same of B that lies transposed, [n, k], with `stage` of its n in L1.
template <typename T>
__aicore__ inline void LoadTransposedB(const AscendC::LocalTensor<T> &b2, const AscendC::LocalTensor<T> &b1, uint32_t stage,
                                       uint32_t column, uint32_t columns, uint32_t k, uint32_t depth) {
  AscendC::LoadData2DParams params;
  params.repeatTimes = CeilDiv(columns, FRACTAL);
  params.srcStride = 1;
  for (uint32_t i = 0; i < CeilDiv(depth, FRACTAL); ++i)
    AscendC::LoadData(b2[i * params.repeatTimes * FRACTAL_SIZE], b1[(k + i * FRACTAL) * stage + column * FRACTAL], params);
}

#endif

} // namespace expert

#endif
