// Layer norm of each row, (x - mean) / sqrt(variance + epsilon) * gamma + beta, as an expert writes it. The variance is that of the
// differences from the mean: a mean of squares less the square of the mean would lose all digits where the mean is large.
// Rows are kept whole in UB (the host says how many elements a row takes there, and how many rows a tile has); each element is
// read once and written once.
#include "expert.h"
#if __NPU_ARCH__ != 3510
#include "rows.h"
#endif

using namespace AscendC;

namespace {

#if __NPU_ARCH__ == 3510

// Three passes over each row in one vector function: mean, variance, result. Memory decides here.
template <typename T>
__simd_vf__ inline void LayerNormVf(__ubuf__ T *x, __ubuf__ T *gamma, __ubuf__ T *beta, uint16_t rows, uint32_t columns, uint32_t pitch, float epsilon) {
  expert::FloatReg value, weight, offset, mean, sum, one;
  expert::MaskReg all = Reg::CreateMask<float>(), mask;
  uint16_t trips = uint16_t(expert::CeilDiv(columns, expert::REG_LANES));
  Reg::Duplicate(one, 1.0f, all);
  for (uint16_t row = 0; row < rows; ++row) {
    uint32_t left;
    left = columns;
    Reg::Duplicate(sum, 0.0f, all);
    for (uint16_t i = 0; i < trips; ++i) {
      mask = Reg::UpdateMask<float>(left);
      expert::LoadWide(value, x + row * pitch + i * expert::REG_LANES, mask);
      Reg::Add<float, MaskMergeMode::MERGING>(sum, sum, value, mask);
    }
    Reg::Reduce<ReduceType::SUM>(sum, sum, all);
    Reg::Duplicate(mean, sum, all);
    Reg::Muls(mean, mean, 1.0f / columns, all);
    left = columns;
    Reg::Duplicate(sum, 0.0f, all);
    for (uint16_t i = 0; i < trips; ++i) {
      mask = Reg::UpdateMask<float>(left);
      expert::LoadWide(value, x + row * pitch + i * expert::REG_LANES, mask);
      Reg::Sub(value, value, mean, mask);
      Reg::MulAddDst<float, MaskMergeMode::MERGING>(sum, value, value, mask);
    }
    Reg::Reduce<ReduceType::SUM>(sum, sum, all);
    Reg::Duplicate(sum, sum, all);
    Reg::Muls(sum, sum, 1.0f / columns, all);
    Reg::Adds(sum, sum, epsilon, all);
    Reg::Sqrt(sum, sum, all);
    Reg::Div(sum, one, sum, all);
    left = columns;
    for (uint16_t i = 0; i < trips; ++i) {
      mask = Reg::UpdateMask<float>(left);
      expert::LoadWide(value, x + row * pitch + i * expert::REG_LANES, mask);
      expert::LoadWide(weight, gamma + i * expert::REG_LANES, mask);
      Reg::Sub(value, value, mean, mask);
      Reg::Mul(value, value, sum, mask);
      expert::LoadWide(offset, beta + i * expert::REG_LANES, mask);
      Reg::FusedMulDstAdd(value, weight, offset, mask);
      expert::StoreNarrow(x + row * pitch + i * expert::REG_LANES, value, mask);
    }
  }
}

template <typename T> class Compute {
public:
  __aicore__ inline Compute(TPipe &pipe, GM_ADDR gamma, GM_ADDR beta, uint32_t columns, uint32_t pitch, uint32_t, float epsilon)
      : columns(columns), pitch(pitch), epsilon(epsilon) {
    pipe.InitBuffer(weightBuffer, 2 * pitch * sizeof(T));
    GlobalTensor<T> weights;
    weights.SetGlobalBuffer((__gm__ T *)gamma, columns);
    expert::Load(weightBuffer.template Get<T>(), weights, columns);
    weights.SetGlobalBuffer((__gm__ T *)beta, columns);
    expert::Load(weightBuffer.template Get<T>()[pitch], weights, columns);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID7);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID7);
  }
  __aicore__ inline void operator()(const LocalTensor<T> &x, uint32_t count) {
    __ubuf__ T *gamma = expert::PointerTo(weightBuffer.template Get<T>());
    asc_vf_call<LayerNormVf<T>>(expert::PointerTo(x), gamma, gamma + pitch, uint16_t(count), columns, pitch, epsilon);
  }

private:
  TBuf<> weightBuffer;
  uint32_t columns, pitch;
  float epsilon;
};

#else

template <typename T> class Compute {
public:
  __aicore__ inline Compute(TPipe &pipe, GM_ADDR gamma, GM_ADDR beta, uint32_t columns, uint32_t pitch, uint32_t most, float epsilon)
      : columns(columns), pitch(pitch), most(most), epsilon(epsilon) {
    uint32_t values = expert::RoundUp(most, expert::LANES<float>);
    if constexpr (sizeof(T) == 2)
      pipe.InitBuffer(workBuffer, most * pitch * sizeof(float));
    atOnce = SquaresInTile() ? most / 2 : most;
    pipe.InitBuffer(squareBuffer, SquaresInTile() ? 32 : most * pitch * sizeof(float));
    pipe.InitBuffer(scratchBuffer, expert::RoundUp(256 + atOnce * expert::SumScratch(pitch), 512));
    pipe.InitBuffer(blockBuffer, expert::RoundUp(most, 8) * 512);
    pipe.InitBuffer(valueBuffer, 2 * values * sizeof(float));
    // Off the banks where rows begin.
    pipe.InitBuffer(weightBuffer, 256 + 2 * pitch * sizeof(float));
    scratch = scratchBuffer.template Get<float>()[expert::LANES<float>]; // off the banks where rows begin
    work = workBuffer.template Get<float>();
    blocks = blockBuffer.template Get<float>();
    sums = valueBuffer.template Get<float>();
    roots = sums[values];
    gammas = weightBuffer.template Get<float>()[64];
    betas = gammas[pitch];
    Duplicate(sums, 0.0f, values); // the end of the last block of eight is spread too
    Duplicate(roots, sqrt(float(columns)), values);
    LoadWeights(gamma, gammas);
    PipeBarrier<PIPE_ALL>(); // the first weights must be read before the others arrive
    LoadWeights(beta, betas);
  }

  __aicore__ inline void operator()(const LocalTensor<T> &x, uint32_t count) {
    expert::Rows rows{count, pitch};
    expert::FillUp(x, rows, columns, T(0));
    LocalTensor<float> room = SquaresInTile() ? x.template ReinterpretCast<float>() : squareBuffer.template Get<float>();
    if constexpr (sizeof(T) == 2) {
      Cast(work, x, RoundMode::CAST_NONE, count * pitch);
      Normalise(work, room, rows);
      Cast(x, work, RoundMode::CAST_RINT, count * pitch);
    } else {
      Normalise(x, room, rows);
    }
  }

private:
  __aicore__ inline void LoadWeights(GM_ADDR from, const LocalTensor<float> &to) {
    GlobalTensor<T> weights;
    weights.SetGlobalBuffer((__gm__ T *)from, columns);
    LocalTensor<T> given = sizeof(T) == 2 ? work.template ReinterpretCast<T>() : to.template ReinterpretCast<T>();
    Duplicate(given, T(0), pitch);
    SetFlag<HardEvent::V_MTE2>(EVENT_ID7);
    WaitFlag<HardEvent::V_MTE2>(EVENT_ID7);
    expert::Load(given, weights, columns);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID7);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID7);
    if constexpr (sizeof(T) == 2)
      Cast(to, given, RoundMode::CAST_NONE, pitch);
  }

  // Halves come in a buffer that is free once they are floats: it has room for the squares of half of them at a time.
  __aicore__ inline bool SquaresInTile() const { return sizeof(T) == 2 && most >= 2; }

  __aicore__ inline void Normalise(const LocalTensor<float> &x, const LocalTensor<float> &room, const expert::Rows &rows) {
    expert::Reduce<expert::Sum>(sums, x, room[expert::LANES<float>], rows);
    Muls(sums, sums, 1.0f / columns, rows.count);
    expert::Spread(blocks, sums, rows.count);
    expert::WithValues<expert::Minus>(x, x, blocks, rows);
    expert::FillUp(x, rows, columns, 0.0f);
    for (uint32_t first = 0; first < rows.count; first += atOnce) {
      expert::Rows some{expert::Least(atOnce, rows.count - first), pitch};
      Mul(room, x[first * pitch], x[first * pitch], some.count * pitch);
      expert::Reduce<expert::Sum>(sums[first], room, scratch, some);
    }
    // 1 / sqrt(sum / columns + epsilon) with one operation less for each value.
    Adds(sums, sums, epsilon * columns, rows.count);
    Sqrt(sums, sums, rows.count);
    Div(sums, roots, sums, rows.count);
    expert::Spread(blocks, sums, rows.count);
    expert::WithValues<expert::Times>(x, x, blocks, rows);
    expert::WithColumns<expert::Times>(x, x, gammas, rows);
    expert::WithColumns<expert::Plus>(x, x, betas, rows);
  }

  TBuf<> squareBuffer, workBuffer, scratchBuffer, blockBuffer, valueBuffer, weightBuffer;
  LocalTensor<float> scratch, work, blocks, sums, roots, gammas, betas;
  uint32_t columns, pitch, most, atOnce;
  float epsilon;
};

#endif

template <typename T>
__aicore__ inline void LayerNorm(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y, uint32_t rows, uint32_t columns, float epsilon,
                               uint32_t pitch, uint32_t most) {
  TPipe pipe;
  expert::RowsInPlace<T, sizeof(T) == 2 ? 3 : 4> tiles(pipe, x, y, rows, columns, pitch, most);
  Compute<T> compute(pipe, gamma, beta, columns, pitch, most, epsilon);
  tiles.ForEachTile(compute);
}

} // namespace

extern "C" __global__ __aicore__ void layer_norm_half(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y, uint32_t rows, uint32_t columns,
                                                    float epsilon, uint32_t pitch, uint32_t most) {
  LayerNorm<half>(x, gamma, beta, y, rows, columns, epsilon, pitch, most);
}
extern "C" __global__ __aicore__ void layer_norm_float(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y, uint32_t rows, uint32_t columns,
                                                    float epsilon, uint32_t pitch, uint32_t most) {
  LayerNorm<float>(x, gamma, beta, y, rows, columns, epsilon, pitch, most);
}
