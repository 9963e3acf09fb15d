// RMS norm of each row, x / sqrt(mean of squares + epsilon) * gamma, as an expert writes it.
// Rows are kept whole in UB (the host says how many elements a row takes there, and how many rows a tile has); each element is
// read once and written once.
#include "expert.h"
#if __NPU_ARCH__ != 3510
#include "rows.h"
#endif

using namespace AscendC;

namespace {

#if __NPU_ARCH__ == 3510

// Two passes over each row in one vector function. Memory decides here.
template <typename T>
__simd_vf__ inline void RmsNormVf(__ubuf__ T *x, __ubuf__ T *gamma, uint16_t rows, uint32_t columns, uint32_t pitch, float epsilon) {
  expert::FloatReg value, weight, sum, one;
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
      Reg::Mul(value, value, sum, mask);
      Reg::Mul(value, value, weight, mask);
      expert::StoreNarrow(x + row * pitch + i * expert::REG_LANES, value, mask);
    }
  }
}

template <typename T> class Compute {
public:
  __aicore__ inline Compute(TPipe &pipe, GM_ADDR gamma, uint32_t columns, uint32_t pitch, uint32_t, float epsilon)
      : columns(columns), pitch(pitch), epsilon(epsilon) {
    pipe.InitBuffer(weightBuffer, pitch * sizeof(T));
    GlobalTensor<T> weights;
    weights.SetGlobalBuffer((__gm__ T *)gamma, columns);
    expert::Load(weightBuffer.template Get<T>(), weights, columns);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID7);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID7);
  }
  __aicore__ inline void operator()(const LocalTensor<T> &x, uint32_t count) {
    __ubuf__ T *gamma = expert::PointerTo(weightBuffer.template Get<T>());
    asc_vf_call<RmsNormVf<T>>(expert::PointerTo(x), gamma, uint16_t(count), columns, pitch, epsilon);
  }

private:
  TBuf<> weightBuffer;
  uint32_t columns, pitch;
  float epsilon;
};

#else

template <typename T> class Compute {
public:
  __aicore__ inline Compute(TPipe &pipe, GM_ADDR gamma, uint32_t columns, uint32_t pitch, uint32_t most, float epsilon)
      : columns(columns), pitch(pitch), epsilon(epsilon) {
    uint32_t values = expert::RoundUp(most, expert::LANES<float>);
    pipe.InitBuffer(squareBuffer, most * pitch * sizeof(float));
    if constexpr (sizeof(T) == 2)
      pipe.InitBuffer(workBuffer, most * pitch * sizeof(float));
    pipe.InitBuffer(blockBuffer, expert::RoundUp(most, 8) * 512);
    pipe.InitBuffer(valueBuffer, 2 * values * sizeof(float));
    // Off the banks where rows begin.
    pipe.InitBuffer(weightBuffer, 256 + pitch * sizeof(float));
    square = squareBuffer.template Get<float>();
    work = workBuffer.template Get<float>();
    blocks = blockBuffer.template Get<float>();
    sums = valueBuffer.template Get<float>();
    roots = sums[values];
    gammas = weightBuffer.template Get<float>()[64];
    Duplicate(sums, 0.0f, values); // the end of the last block of eight is spread too
    Duplicate(roots, sqrt(float(columns)), values);
    LoadWeights(gamma, gammas);
  }

  __aicore__ inline void operator()(const LocalTensor<T> &x, uint32_t count) {
    expert::Rows rows{count, pitch};
    if constexpr (sizeof(T) == 2) {
      expert::FillUp(x, rows, columns, T(0));
      Cast(work, x, RoundMode::CAST_NONE, count * pitch);
      Normalise(work, rows);
      Cast(x, work, RoundMode::CAST_RINT, count * pitch);
    } else {
      expert::FillUp(x, rows, columns, T(0));
      Normalise(x, rows);
    }
  }

private:
  __aicore__ inline void LoadWeights(GM_ADDR from, const LocalTensor<float> &to) {
    GlobalTensor<T> weights;
    weights.SetGlobalBuffer((__gm__ T *)from, columns);
    LocalTensor<T> given = sizeof(T) == 2 ? square.template ReinterpretCast<T>() : to.template ReinterpretCast<T>();
    Duplicate(given, T(0), pitch);
    SetFlag<HardEvent::V_MTE2>(EVENT_ID7);
    WaitFlag<HardEvent::V_MTE2>(EVENT_ID7);
    expert::Load(given, weights, columns);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID7);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID7);
    if constexpr (sizeof(T) == 2)
      Cast(to, given, RoundMode::CAST_NONE, pitch);
  }

  __aicore__ inline void Normalise(const LocalTensor<float> &x, const expert::Rows &rows) {
    Mul(square, x, x, rows.count * rows.pitch);
    expert::ReduceInPlace<expert::Sum>(sums, square, rows);
    // 1 / sqrt(sum / columns + epsilon) with one operation less for each value.
    Adds(sums, sums, epsilon * columns, rows.count);
    Sqrt(sums, sums, rows.count);
    Div(sums, roots, sums, rows.count);
    expert::Spread(blocks, sums, rows.count);
    expert::WithValues<expert::Times>(x, x, blocks, rows);
    expert::WithColumns<expert::Times>(x, x, gammas, rows);
  }

  TBuf<> squareBuffer, workBuffer, blockBuffer, valueBuffer, weightBuffer;
  LocalTensor<float> square, work, blocks, sums, roots, gammas;
  uint32_t columns, pitch;
  float epsilon;
};

#endif

template <typename T>
__aicore__ inline void RmsNorm(GM_ADDR x, GM_ADDR gamma, GM_ADDR y, uint32_t rows, uint32_t columns, float epsilon,
                               uint32_t pitch, uint32_t most) {
  TPipe pipe;
  expert::RowsInPlace<T, sizeof(T) == 2 ? 3 : 4> tiles(pipe, x, y, rows, columns, pitch, most);
  Compute<T> compute(pipe, gamma, columns, pitch, most, epsilon);
  tiles.ForEachTile(compute);
}

} // namespace

extern "C" __global__ __aicore__ void rms_norm_half(GM_ADDR x, GM_ADDR gamma, GM_ADDR y, uint32_t rows, uint32_t columns,
                                                    float epsilon, uint32_t pitch, uint32_t most) {
  RmsNorm<half>(x, gamma, y, rows, columns, epsilon, pitch, most);
}
extern "C" __global__ __aicore__ void rms_norm_float(GM_ADDR x, GM_ADDR gamma, GM_ADDR y, uint32_t rows, uint32_t columns,
                                                    float epsilon, uint32_t pitch, uint32_t most) {
  RmsNorm<float>(x, gamma, y, rows, columns, epsilon, pitch, most);
}
