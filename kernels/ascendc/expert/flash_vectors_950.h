// The vector cores of flash attention on the 950: the cube writes scores and products straight into UB, and probabilities go
// straight into L1.
#ifndef TILESMITH_EXPERT_FLASH_VECTORS_950_H
#define TILESMITH_EXPERT_FLASH_VECTORS_950_H

#include "flash_steps.h"

namespace flash {

using AscendC::HardEvent;
using AscendC::LocalTensor;
using AscendC::RoundMode;
using expert::FloatReg;
using expert::MaskReg;
using expert::PointerTo;
using expert::REG_LANES;
namespace Reg = AscendC::Reg;

constexpr uint32_t MOST_HALF = MOST_ROWS / 2; // of the rows of a tile: a register of values of rows
constexpr uint32_t PAIR = 2 * REG_LANES;
constexpr float MINUS_INFINITY = -__builtin_inff();

// Where things lie in UB. The cube writes scores and products, so it has to know.
struct UbMap {
  static __aicore__ inline LocalTensor<float> At(uint32_t offset, uint32_t count) {
    return LocalTensor<float>(AscendC::TPosition::VECCALC, offset * sizeof(float), count);
  }
  static __aicore__ inline LocalTensor<float> Scores(const Problem &problem, uint32_t slot) {
    uint32_t size = MOST_HALF * problem.width;
    return At(slot * size, size);
  }
  static __aicore__ inline LocalTensor<float> Products(const Problem &problem) {
    return At(SLOTS * MOST_HALF * problem.width, MOST_HALF * problem.size);
  }
  // What the vectors have for themselves begins here, in bytes.
  static __aicore__ inline uint32_t Rest(const Problem &problem) {
    return MOST_HALF * (SLOTS * problem.width + problem.size) * sizeof(float);
  }
};

// Of each row, scores from the `seen`-th on weigh nothing; each row sees `more` keys more than the one before.
__simd_vf__ inline void HideVf(__ubuf__ float *scores, uint16_t rows, uint32_t pitch, uint16_t trips, int32_t seen, int32_t more) {
  FloatReg hidden;
  Reg::RegTensor<int32_t> key;
  MaskReg all = Reg::CreateMask<float>(), isHidden;
  Reg::Duplicate(hidden, MINUS_INFINITY, all);
  for (uint16_t row = 0; row < rows; ++row)
    for (uint16_t i = 0; i < trips; ++i) {
      Reg::Arange(key, int32_t(i * REG_LANES));
      Reg::Compares<int32_t, AscendC::CMPMODE::GE>(isHidden, key, seen + row * more, all);
      Reg::StoreAlign(scores + row * pitch + i * REG_LANES, hidden, isHidden);
    }
}

// The largest score of each row.
__simd_vf__ inline void TopsVf(__ubuf__ float *tops, __ubuf__ float *scores, uint16_t rows, uint32_t pitch, uint16_t trips) {
  FloatReg score, top;
  MaskReg all = Reg::CreateMask<float>();
  for (uint16_t row = 0; row < rows; ++row) {
    Reg::Duplicate(top, MINUS_INFINITY, all);
    for (uint16_t i = 0; i < trips; ++i) {
      Reg::LoadAlign(score, scores + row * pitch + i * REG_LANES);
      Reg::Max(top, top, score, all);
    }
    Reg::Reduce<AscendC::ReduceType::MAX>(top, top, all);
    Reg::StoreAlign<float, Reg::StoreDist::DIST_FIRST_ELEMENT_B32>(tops + row, top, all);
  }
}

// The maxima so far, by the scale; what results so far are multiplied by. All rows are one register.
__simd_vf__ inline void GrowVf(__ubuf__ float *maxima, __ubuf__ float *tops, __ubuf__ float *factors, float scale, uint16_t isFirst) {
  FloatReg before, now;
  MaskReg all = Reg::CreateMask<float>();
  Reg::LoadAlign(now, tops);
  Reg::Muls(now, now, scale, all);
  Reg::LoadAlign(before, maxima);
  for (uint16_t i = 0; i < isFirst; ++i)
    Reg::Duplicate(before, MINUS_INFINITY, all);
  Reg::Max(now, now, before, all);
  Reg::StoreAlign(maxima, now, all);
  Reg::ExpSub(before, before, now, all);
  Reg::StoreAlign(factors, before, all);
}

// Probabilities and their sums. Two registers of floats become one of narrow elements, whose blocks of 16 are columns of
// fractals: they lie `half` blocks apart.
template <typename T>
__simd_vf__ inline void SoftenVf(__ubuf__ T *probabilities, __ubuf__ float *sums, __ubuf__ float *scores, __ubuf__ float *maxima,
                                 uint16_t rows, uint32_t pitch, uint16_t trips, uint32_t half, float scale) {
  static constexpr Reg::CastTrait toEven = {Reg::RegLayout::ZERO, Reg::SatMode::NO_SAT, Reg::MaskMergeMode::ZEROING,
                                            RoundMode::CAST_RINT};
  static constexpr Reg::CastTrait toOdd = {Reg::RegLayout::ONE, Reg::SatMode::NO_SAT, Reg::MaskMergeMode::ZEROING,
                                           RoundMode::CAST_RINT};
  FloatReg even, odd, maximum, sum;
  Reg::RegTensor<T> narrowEven, narrowOdd;
  MaskReg all = Reg::CreateMask<float>(), allNarrow = Reg::CreateMask<T>();
  for (uint16_t row = 0; row < rows; ++row) {
    Reg::LoadAlign<float, Reg::LoadDist::DIST_BRC_B32>(maximum, maxima + row);
    Reg::Duplicate(sum, 0.0f, all);
    for (uint16_t i = 0; i < trips; ++i) {
      Reg::LoadAlign<float, Reg::LoadDist::DIST_DINTLV_B32>(even, odd, scores + row * pitch + i * PAIR);
      Reg::Muls(even, even, scale, all);
      Reg::Muls(odd, odd, scale, all);
      Reg::ExpSub(even, even, maximum, all);
      Reg::ExpSub(odd, odd, maximum, all);
      Reg::Cast<T, float, toEven>(narrowEven, even, all);
      Reg::Cast<T, float, toOdd>(narrowOdd, odd, all);
      Reg::Add(even, even, odd, all);
      Reg::Add(sum, sum, even, all);
      Reg::Or((Reg::RegTensor<uint16_t> &)narrowEven, (Reg::RegTensor<uint16_t> &)narrowEven,
              (Reg::RegTensor<uint16_t> &)narrowOdd, allNarrow);
      Reg::StoreAlign<T, Reg::DataCopyMode::DATA_BLOCK_COPY>(probabilities + row * 16 + i * (PAIR * half), narrowEven, half,
                                                            allNarrow);
    }
    Reg::Reduce<AscendC::ReduceType::SUM>(sum, sum, all);
    Reg::StoreAlign<float, Reg::StoreDist::DIST_FIRST_ELEMENT_B32>(sums + row, sum, all);
  }
}

// The sums so far, and result = result * factor + products.
__simd_vf__ inline void AddUpVf(__ubuf__ float *total, __ubuf__ float *sums, __ubuf__ float *result, __ubuf__ float *products,
                                __ubuf__ float *factors, uint16_t rows, uint16_t trips) {
  FloatReg value, more, factor;
  MaskReg all = Reg::CreateMask<float>();
  Reg::LoadAlign(value, total);
  Reg::LoadAlign(factor, factors);
  Reg::LoadAlign(more, sums);
  Reg::MulDstAdd(value, factor, more, all);
  Reg::StoreAlign(total, value, all);
  for (uint16_t row = 0; row < rows; ++row) {
    Reg::LoadAlign<float, Reg::LoadDist::DIST_BRC_B32>(factor, factors + row);
    for (uint16_t i = 0; i < trips; ++i) {
      Reg::LoadAlign(value, result + (row * trips + i) * REG_LANES);
      Reg::LoadAlign(more, products + (row * trips + i) * REG_LANES);
      Reg::MulDstAdd(value, factor, more, all);
      Reg::StoreAlign(result + (row * trips + i) * REG_LANES, value, all);
    }
  }
}
// The first of a tile.
__simd_vf__ inline void TakeVf(__ubuf__ float *total, __ubuf__ float *sums, __ubuf__ float *result, __ubuf__ float *products,
                               uint16_t registers) {
  FloatReg value;
  MaskReg all = Reg::CreateMask<float>();
  Reg::LoadAlign(value, sums);
  Reg::StoreAlign(total, value, all);
  for (uint16_t i = 0; i < registers; ++i) {
    Reg::LoadAlign(value, products + i * REG_LANES);
    Reg::StoreAlign(result + i * REG_LANES, value, all);
  }
}
template <typename T>
__simd_vf__ inline void EndVf(__ubuf__ T *out, __ubuf__ float *result, __ubuf__ float *total, uint16_t rows, uint16_t trips) {
  FloatReg value, sum;
  MaskReg all = Reg::CreateMask<float>();
  for (uint16_t row = 0; row < rows; ++row) {
    Reg::LoadAlign<float, Reg::LoadDist::DIST_BRC_B32>(sum, total + row);
    for (uint16_t i = 0; i < trips; ++i) {
      Reg::LoadAlign(value, result + (row * trips + i) * REG_LANES);
      Reg::Div(value, value, sum, all);
      expert::StoreNarrow(out + (row * trips + i) * REG_LANES, value, all);
    }
  }
}

// Half the rows of each tile. Rows that fill the last fractals are computed like others, and not stored.
template <typename T> class Vectors {
public:
  __aicore__ inline Vectors(GM_ADDR o, GM_ADDR, const Problem &problem)
      : problem(problem), block(AscendC::GetBlockIdx() / AscendC::GetTaskRation()), taken(UbMap::Rest(problem)) {
    oGm.SetGlobalBuffer((__gm__ T *)o, uint64_t(problem.heads) * problem.queries * problem.size);
    probabilities = Take<T>(MOST_HALF * problem.width);
    result = Take<float>(MOST_HALF * problem.size);
    out = Take<T>(MOST_HALF * problem.size);
    tops = Take<float>(REG_LANES);
    maxima = Take<float>(REG_LANES);
    sums = Take<float>(SLOTS * REG_LANES);
    factors = Take<float>(SLOTS * REG_LANES);
    total = Take<float>(REG_LANES);
  }

  __aicore__ inline void Process() {
    AscendC::Duplicate(tops, 0.0f, (2 + 2 * SLOTS + 1) * REG_LANES); // rows that do not exist are computed, too
    AscendC::SetFlag<HardEvent::MTE3_V>(PROBABILITIES_OUT);
    AscendC::SetFlag<HardEvent::MTE3_V>(RESULT_OUT);
    InTurn(problem, block, *this);
    AscendC::WaitFlag<HardEvent::MTE3_V>(PROBABILITIES_OUT);
    AscendC::WaitFlag<HardEvent::MTE3_V>(RESULT_OUT);
  }

  // Scores to probabilities.
  __aicore__ inline void First(const Step &step, uint32_t index, const Steps &) {
    uint32_t half = step.PaddedRows() / 2, keys = RoundUp(step.keys, PAIR);
    uint16_t rows = uint16_t(half);
    __ubuf__ float *scores = PointerTo(UbMap::Scores(problem, index % SLOTS));
    __ubuf__ float *ofStep = PointerTo(sums[index % SLOTS * REG_LANES]), *growth = PointerTo(factors[index % SLOTS * REG_LANES]);
    AscendC::CrossCoreWaitFlag<2, PIPE_V>(SCORES);
    int32_t query = int32_t(step.row + AscendC::GetSubBlockIdx() * half - step.key);
    if (problem.causal && query + 1 < int32_t(step.keys))
      asc_vf_call<HideVf>(scores, rows, problem.width, uint16_t(keys / REG_LANES), query + 1, 1);
    if (step.keys < keys)
      asc_vf_call<HideVf>(scores, rows, problem.width, uint16_t(keys / REG_LANES), int32_t(step.keys), 0);
    asc_vf_call<TopsVf>(PointerTo(tops), scores, rows, problem.width, uint16_t(keys / REG_LANES));
    asc_vf_call<GrowVf>(PointerTo(maxima), PointerTo(tops), growth, problem.scale, uint16_t(step.isFirst));
    AscendC::WaitFlag<HardEvent::MTE3_V>(PROBABILITIES_OUT);
    asc_vf_call<SoftenVf<T>>(PointerTo(probabilities), ofStep, scores, PointerTo(maxima), rows, problem.width,
                             uint16_t(keys / PAIR), half, problem.scale);
    AscendC::SetFlag<HardEvent::V_MTE3>(PROBABILITIES_OUT);
    AscendC::WaitFlag<HardEvent::V_MTE3>(PROBABILITIES_OUT);
    AscendC::DataCopy(InL1(step, index % SLOTS), probabilities,
                      AscendC::DataCopyParams(uint16_t(CeilDiv(step.keys, 16)), uint16_t(half), 0, uint16_t(half)));
    AscendC::CrossCoreSetFlag<2, PIPE_MTE3>(PROBABILITIES);
    AscendC::SetFlag<HardEvent::MTE3_V>(PROBABILITIES_OUT);
  }

  // Products to the result.
  __aicore__ inline void Second(const Step &step, uint32_t index, const Steps &) {
    uint32_t half = step.PaddedRows() / 2, first = AscendC::GetSubBlockIdx() * half;
    uint16_t rows = uint16_t(half), trips = uint16_t(problem.size / REG_LANES);
    __ubuf__ float *products = PointerTo(UbMap::Products(problem));
    __ubuf__ float *ofStep = PointerTo(sums[index % SLOTS * REG_LANES]), *growth = PointerTo(factors[index % SLOTS * REG_LANES]);
    AscendC::CrossCoreWaitFlag<2, PIPE_V>(PRODUCTS);
    if (step.isFirst)
      asc_vf_call<TakeVf>(PointerTo(total), ofStep, PointerTo(result), products, uint16_t(rows * trips));
    else
      asc_vf_call<AddUpVf>(PointerTo(total), ofStep, PointerTo(result), products, growth, rows, trips);
    AscendC::CrossCoreSetFlag<2, PIPE_V>(TAKEN);
    if (!step.isLast || step.rows <= first)
      return;
    AscendC::WaitFlag<HardEvent::MTE3_V>(RESULT_OUT);
    asc_vf_call<EndVf<T>>(PointerTo(out), PointerTo(result), PointerTo(total), rows, trips);
    AscendC::SetFlag<HardEvent::V_MTE3>(RESULT_OUT);
    AscendC::WaitFlag<HardEvent::V_MTE3>(RESULT_OUT);
    expert::Store(oGm[(uint64_t(step.head) * problem.queries + step.row + first) * problem.size], out,
                  Least(half, step.rows - first) * problem.size);
    AscendC::SetFlag<HardEvent::MTE3_V>(RESULT_OUT);
  }

private:
  static constexpr uint32_t PROBABILITIES_OUT = 0, RESULT_OUT = 1; // flags

  template <typename U> __aicore__ inline LocalTensor<U> Take(uint32_t count) {
    LocalTensor<U> tensor(AscendC::TPosition::VECCALC, taken, count);
    taken += RoundUp(count * sizeof(U), 256);
    return tensor;
  }
  __aicore__ inline LocalTensor<T> InL1(const Step &step, uint32_t slot) {
    uint32_t first = AscendC::GetSubBlockIdx() * (step.PaddedRows() / 2) * 16;
    return LocalTensor<T>(AscendC::TPosition::A1, (OF_PROBABILITIES + slot) * SLOT_BYTES, SLOT_BYTES / sizeof(T))[first];
  }

  const Problem problem;
  uint32_t block, taken;
  AscendC::GlobalTensor<T> oGm;
  LocalTensor<T> probabilities, out;
  LocalTensor<float> result;
  LocalTensor<float> tops, maxima; // of the scores of a step; of all so far, by the scale
  LocalTensor<float> sums;         // of the probabilities of a step
  LocalTensor<float> factors;      // e to the growth of the maxima
  LocalTensor<float> total;
};

} // namespace flash

#endif
