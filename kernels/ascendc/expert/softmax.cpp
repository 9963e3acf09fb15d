// Softmax of each row, as an expert writes it. Rows are kept whole in UB (the host says how many elements a row takes there, and
// how many rows a tile has); each element is read once and written once.
#include "expert.h"
#if __NPU_ARCH__ != 3510
#include "rows.h"
#endif

using namespace AscendC;

namespace {

constexpr float MINUS_INFINITY = -__builtin_inff();

#if __NPU_ARCH__ == 3510

// Three passes over each row, all in one vector function: the maximum; the exponentials, kept as floats, and their sum; the
// quotients. Memory decides here.
template <typename T>
__simd_vf__ inline void SoftmaxVf(__ubuf__ T *x, __ubuf__ float *work, uint16_t rows, uint32_t columns, uint32_t pitch) {
  expert::FloatReg value, top, sum, one;
  expert::MaskReg all = Reg::CreateMask<float>(), mask;
  uint16_t trips = uint16_t(expert::CeilDiv(columns, expert::REG_LANES));
  Reg::Duplicate(one, 1.0f, all);
  for (uint16_t row = 0; row < rows; ++row) {
    uint32_t left = columns;
    Reg::Duplicate(top, MINUS_INFINITY, all);
    for (uint16_t i = 0; i < trips; ++i) {
      mask = Reg::UpdateMask<float>(left);
      expert::LoadWide(value, x + row * pitch + i * expert::REG_LANES, mask);
      Reg::Max<float, MaskMergeMode::MERGING>(top, top, value, mask);
    }
    Reg::Reduce<ReduceType::MAX>(top, top, all);
    Reg::Duplicate(top, top, all);
    left = columns;
    Reg::Duplicate(sum, 0.0f, all);
    for (uint16_t i = 0; i < trips; ++i) {
      mask = Reg::UpdateMask<float>(left);
      expert::LoadWide(value, x + row * pitch + i * expert::REG_LANES, mask);
      Reg::Sub(value, value, top, mask);
      Reg::Exp(value, value, mask);
      Reg::Add<float, MaskMergeMode::MERGING>(sum, sum, value, mask);
      Reg::StoreAlign(work + row * pitch + i * expert::REG_LANES, value, mask);
    }
    Reg::Reduce<ReduceType::SUM>(sum, sum, all);
    Reg::Duplicate(sum, sum, all);
    Reg::Div(sum, one, sum, all);
    Reg::LocalMemBar<Reg::MemType::VEC_STORE, Reg::MemType::VEC_LOAD>();
    left = columns;
    for (uint16_t i = 0; i < trips; ++i) {
      mask = Reg::UpdateMask<float>(left);
      Reg::LoadAlign(value, work + row * pitch + i * expert::REG_LANES);
      Reg::Mul(value, value, sum, mask);
      expert::StoreNarrow(x + row * pitch + i * expert::REG_LANES, value, mask);
    }
  }
}

template <typename T> class Compute {
public:
  __aicore__ inline Compute(TPipe &pipe, uint32_t columns, uint32_t pitch, uint32_t most) : columns(columns), pitch(pitch) {
    if constexpr (sizeof(T) == 2)
      pipe.InitBuffer(work, most * pitch * sizeof(float));
  }
  __aicore__ inline void operator()(const LocalTensor<T> &x, uint32_t count) {
    __ubuf__ float *exponentials;
    if constexpr (sizeof(T) == 2)
      exponentials = expert::PointerTo(work.template Get<float>());
    else
      exponentials = expert::PointerTo(x);
    asc_vf_call<SoftmaxVf<T>>(expert::PointerTo(x), exponentials, uint16_t(count), columns, pitch);
  }

private:
  TBuf<> work;
  uint32_t columns, pitch;
};

#else

// On the 910B the vector unit decides for halves, so what can be done on halves is, at twice the speed: the maximum, which is
// exact; the difference from it, whose rounding is no larger than that of x itself; the product with 1 / sum in the end.
// Exponentials and sums are floats. Each row has one division, and no row is read back by the scalar unit.
template <typename T> class Compute {
public:
  __aicore__ inline Compute(TPipe &pipe, uint32_t columns, uint32_t pitch, uint32_t most) : columns(columns), pitch(pitch) {
    uint32_t values = expert::RoundUp(most, expert::LANES<half>);
    if constexpr (sizeof(T) == 2)
      pipe.InitBuffer(workBuffer, most * pitch * sizeof(float));
    else
      pipe.InitBuffer(workBuffer, 512 + most * expert::ScratchRepeats(pitch / expert::LANES<float>) * 256);
    pipe.InitBuffer(blockBuffer, expert::RoundUp(most, 8) * 512);
    pipe.InitBuffer(valueBuffer, 3 * values * sizeof(float));
    work = workBuffer.template Get<float>();
    blocks = blockBuffer.template Get<T>();
    sums = valueBuffer.template Get<float>();
    ofRows = sums[values].template ReinterpretCast<T>();
    ones = sums[2 * values];
    Duplicate(sums, 1.0f, 3 * values); // the end of the last block of eight is spread too
  }

  __aicore__ inline void operator()(const LocalTensor<T> &x, uint32_t count) {
    expert::Rows rows{count, pitch};
    expert::FillUp(x, rows, columns, T(MINUS_INFINITY));
    expert::Reduce<expert::Largest>(ofRows, x, work.template ReinterpretCast<T>()[expert::LANES<T>], rows);
    expert::Spread(blocks, ofRows, count);
    expert::WithValues<expert::Minus>(x, x, blocks, rows);
    if constexpr (sizeof(T) == 2) {
      Cast(work, x, RoundMode::CAST_NONE, count * pitch);
      Exp(work, work, count * pitch);
      expert::Reduce<expert::Sum>(sums, work, x.template ReinterpretCast<float>()[expert::LANES<float>], rows);
      Div(sums, ones, sums, count);
      Cast(ofRows, sums, RoundMode::CAST_RINT, count);
      Cast(x, work, RoundMode::CAST_RINT, count * pitch);
    } else {
      Exp(x, x, count * pitch);
      expert::Reduce<expert::Sum>(sums, x, work[expert::LANES<float>], rows);
      Div(ofRows, ones, sums, count);
    }
    expert::Spread(blocks, ofRows, count);
    expert::WithValues<expert::Times>(x, x, blocks, rows);
  }

private:
  TBuf<> workBuffer, blockBuffer, valueBuffer;
  LocalTensor<float> work, sums, ones;
  LocalTensor<T> blocks, ofRows;
  uint32_t columns, pitch;
};

#endif

template <typename T>
__aicore__ inline void Softmax(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns, uint32_t pitch, uint32_t most) {
  TPipe pipe;
  expert::RowsInPlace<T, sizeof(T) == 2 ? 3 : 4> tiles(pipe, x, y, rows, columns, pitch, most);
  Compute<T> compute(pipe, columns, pitch, most);
  tiles.ForEachTile(compute);
}

} // namespace

extern "C" __global__ __aicore__ void softmax_half(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns, uint32_t pitch, uint32_t most) {
  Softmax<half>(x, y, rows, columns, pitch, most);
}
extern "C" __global__ __aicore__ void softmax_float(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns, uint32_t pitch, uint32_t most) {
  Softmax<float>(x, y, rows, columns, pitch, most);
}
