// The sum or the maximum of each row, as an expert writes it: y[r] of x[r, :], computed in floats. Rows are kept whole in UB.
// Short rows whose length is a power of two lie there without gaps and are reduced many at a time.
#include "expert.h"
#if __NPU_ARCH__ != 3510
#include "rows.h"
#endif

using namespace AscendC;

namespace {

enum class Kind { SUM, MAX };

template <Kind kind> constexpr float NEUTRAL = kind == Kind::SUM ? 0.0f : -__builtin_inff();

#if __NPU_ARCH__ == 3510

constexpr uint32_t MOST_DENSE = 32; // columns of rows without gaps

template <Kind kind> __aicore__ inline void Two(expert::FloatReg &to, expert::FloatReg &a, expert::FloatReg &b, expert::MaskReg &mask) {
  if constexpr (kind == Kind::SUM)
    Reg::Add(to, a, b, mask);
  else
    Reg::Max(to, a, b, mask);
}

// A register has 64 / columns rows. Even lanes meet odd ones until one is left of each row.
template <typename T, Kind kind>
__simd_vf__ inline void DenseVf(__ubuf__ float *y, __ubuf__ T *x, uint32_t count, uint16_t trips, uint16_t levels) {
  expert::FloatReg value, even, odd;
  expert::MaskReg all = Reg::CreateMask<float>(), mask;
  Reg::UnalignReg unaligned;
  uint32_t results = expert::REG_LANES >> levels;
  for (uint16_t i = 0; i < trips; ++i) {
    mask = Reg::UpdateMask<float>(count);
    expert::LoadWide(value, x + i * expert::REG_LANES, mask);
    Reg::Move(value, value, mask);
    for (uint16_t level = 0; level < levels; ++level) {
      Reg::DeInterleave(even, odd, value, value);
      Two<kind>(value, even, odd, all);
    }
    Reg::StoreUnAlign(y, value, unaligned, results);
  }
  Reg::StoreUnAlignPost(y, unaligned, 0);
}

// One row after another, two registers of partial results each, so that one need not wait for the other.
template <typename T, Kind kind>
__simd_vf__ inline void RowsVf(__ubuf__ float *y, __ubuf__ T *x, uint16_t rows, uint32_t columns, uint32_t pitch) {
  constexpr MaskMergeMode merging = MaskMergeMode::MERGING;
  expert::FloatReg value[2], result[2];
  expert::MaskReg all = Reg::CreateMask<float>(), mask;
  uint16_t trips = uint16_t(expert::CeilDiv(columns, 2 * expert::REG_LANES));
  for (uint16_t row = 0; row < rows; ++row) {
    uint32_t left = columns;
    for (uint32_t k = 0; k < 2; ++k)
      Reg::Duplicate(result[k], NEUTRAL<kind>, all);
    for (uint16_t i = 0; i < trips; ++i)
      for (uint32_t k = 0; k < 2; ++k) {
        mask = Reg::UpdateMask<float>(left);
        expert::LoadWide(value[k], x + row * pitch + (i * 2 + k) * expert::REG_LANES, mask);
        if constexpr (kind == Kind::SUM)
          Reg::Add<float, merging>(result[k], result[k], value[k], mask);
        else
          Reg::Max<float, merging>(result[k], result[k], value[k], mask);
      }
    Two<kind>(result[0], result[0], result[1], all);
    Reg::Reduce<kind == Kind::SUM ? ReduceType::SUM : ReduceType::MAX>(result[0], result[0], all);
    Reg::StoreAlign<float, Reg::StoreDist::DIST_FIRST_ELEMENT_B32>(y + row, result[0], all);
  }
}

template <typename T, Kind kind> class Compute {
public:
  __aicore__ inline Compute(TPipe &, uint32_t columns, uint32_t pitch, uint32_t) : columns(columns), pitch(pitch) {}
  __aicore__ inline void operator()(const LocalTensor<float> &y, const LocalTensor<T> &x, uint32_t rows) {
    if (pitch != columns || columns > MOST_DENSE) {
      asc_vf_call<RowsVf<T, kind>>(expert::PointerTo(y), expert::PointerTo(x), uint16_t(rows), columns, pitch);
      return;
    }
    uint16_t levels = 0;
    while (1u << levels < columns)
      ++levels;
    asc_vf_call<DenseVf<T, kind>>(expert::PointerTo(y), expert::PointerTo(x), rows * columns,
                                  uint16_t(expert::CeilDiv(rows * columns, expert::REG_LANES)), levels);
  }

private:
  uint32_t columns, pitch;
};

#else

constexpr uint32_t MOST_DENSE = 32; // columns of rows without gaps

template <typename T, Kind kind> class Compute {
  using Op = std::conditional_t<kind == Kind::SUM, expert::Sum, expert::Largest>;

public:
  __aicore__ inline Compute(TPipe &pipe, uint32_t columns, uint32_t pitch, uint32_t most) : columns(columns), pitch(pitch) {
    if constexpr (sizeof(T) == 2)
      pipe.InitBuffer(wideBuffer, most * pitch * sizeof(float));
    uint32_t scratch = expert::ScratchRepeats(expert::CeilDiv(pitch, expert::LANES<float>)) * 256;
    if (columns <= MOST_DENSE && columns == pitch)
      scratch = columns / 2 * sizeof(float);
    else if (expert::SumScratch(pitch) > scratch)
      scratch = expert::SumScratch(pitch);
    pipe.InitBuffer(scratchBuffer, 512 + most * scratch);
  }
  __aicore__ inline void operator()(const LocalTensor<float> &y, const LocalTensor<T> &x, uint32_t rows) {
    bool isDense = columns <= MOST_DENSE && columns == pitch;
    if (!isDense)
      expert::FillUp(x, {rows, pitch}, columns, T(NEUTRAL<kind>));
    if constexpr (sizeof(T) == 2) {
      LocalTensor<float> wide = wideBuffer.template Get<float>();
      Cast(wide, x, RoundMode::CAST_NONE, rows * pitch);
      isDense ? Dense(y, wide, rows) : Padded(y, wide, rows);
    } else {
      isDense ? Dense(y, x, rows) : Padded(y, x, rows);
    }
  }

private:
  __aicore__ inline void Padded(const LocalTensor<float> &y, const LocalTensor<float> &x, uint32_t rows) {
    LocalTensor<float> scratch = scratchBuffer.template Get<float>()[expert::LANES<float>];
    expert::Reduce<Op>(y, x, scratch, expert::Rows{rows, pitch});
  }
  // A row is one, two or four blocks. Even blocks meet odd ones until each row has one; then lanes of blocks meet.
  __aicore__ inline void Dense(const LocalTensor<float> &y, const LocalTensor<float> &x, uint32_t rows) {
    constexpr uint32_t inBlock = 8, inRepeat = 64;
    LocalTensor<float> from = x, to = scratchBuffer.template Get<float>();
    for (uint32_t blocks = rows * columns / inBlock / 2; blocks >= rows; blocks /= 2) {
      InRepeats(blocks, [&](uint32_t first, uint64_t lanes, uint8_t repeats) {
        Op::template Two<float>(to[first * inBlock], from[2 * first * inBlock], from[(2 * first + 1) * inBlock], lanes, repeats,
                                BinaryRepeatParams(1, 2, 2, 8, 16, 16));
      });
      from = to;
      to = to[blocks * inBlock];
    }
    InRepeats(rows, [&](uint32_t first, uint64_t lanes, uint8_t repeats) {
      if constexpr (kind == Kind::SUM)
        BlockReduceSum(y[first], from[first * inBlock], repeats, lanes, 1, 1, inRepeat / inBlock);
      else
        BlockReduceMax(y[first], from[first * inBlock], repeats, lanes, 1, 1, inRepeat / inBlock);
    });
  }
  // Whole repeats of eight blocks, then the blocks that are left.
  template <typename F> __aicore__ inline void InRepeats(uint32_t blocks, F call) {
    for (uint32_t first = 0; first < blocks / 8; first += expert::MOST_REPEATS)
      call(first * 8, uint64_t(64), uint8_t(expert::Least(expert::MOST_REPEATS, blocks / 8 - first)));
    if (blocks % 8)
      call(blocks / 8 * 8, uint64_t(blocks % 8 * 8), uint8_t(1));
  }

  TBuf<> wideBuffer, scratchBuffer;
  uint32_t columns, pitch;
};

#endif

template <typename T, Kind kind>
__aicore__ inline void ReduceRows(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns, uint32_t pitch, uint32_t most) {
  constexpr uint32_t BUFFERS = 3;
  GlobalTensor<T> xGm, yGm;
  xGm.SetGlobalBuffer((__gm__ T *)x, uint64_t(rows) * columns);
  yGm.SetGlobalBuffer((__gm__ T *)y, rows);
  TPipe pipe;
  TQue<TPosition::VECIN, BUFFERS> in;
  TQue<TPosition::VECOUT, 2> out;
  TBuf<> resultBuffer;
  uint32_t results = expert::RoundUp(most, 64) + 64;
  pipe.InitBuffer(in, BUFFERS, expert::RoundUp(most * pitch * sizeof(T), 512));
  pipe.InitBuffer(out, 2, results * sizeof(float));
  if constexpr (sizeof(T) == 2)
    pipe.InitBuffer(resultBuffer, results * sizeof(float));
  Compute<T, kind> compute(pipe, columns, pitch, most);

  expert::Share share(rows, most, expert::Least(most, 16)); // results of a core begin at a block of 32 bytes where they can
  auto load = [&](uint32_t tile) {
    LocalTensor<T> values = in.template AllocTensor<T>();
    expert::LoadRows(values, xGm[uint64_t(share.Begin(tile)) * columns], share.Size(tile), columns, pitch);
    in.EnQue(values);
  };
  for (uint32_t tile = 0; tile < expert::Least(BUFFERS - 1, share.Tiles()); ++tile)
    load(tile);
  for (uint32_t tile = 0; tile < share.Tiles(); ++tile) {
    if (tile + BUFFERS - 1 < share.Tiles())
      load(tile + BUFFERS - 1);
    LocalTensor<T> values = in.template DeQue<T>(), rounded = out.template AllocTensor<T>();
    if constexpr (sizeof(T) == 2) {
      compute(resultBuffer.template Get<float>(), values, share.Size(tile));
      Cast(rounded, resultBuffer.template Get<float>(), RoundMode::CAST_RINT, share.Size(tile));
    } else {
      compute(rounded, values, share.Size(tile));
    }
    in.FreeTensor(values);
    out.EnQue(rounded);
    rounded = out.template DeQue<T>();
    expert::Store(yGm[share.Begin(tile)], rounded, share.Size(tile));
    out.FreeTensor(rounded);
  }
}

} // namespace

// pitch: columns where they are a power of two from 8 (910B) or 2 (950) to 32, else whole repeats of 256 bytes.
extern "C" __global__ __aicore__ void reduce_sum_half(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns, uint32_t pitch, uint32_t most) {
  ReduceRows<half, Kind::SUM>(x, y, rows, columns, pitch, most);
}
extern "C" __global__ __aicore__ void reduce_sum_float(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns, uint32_t pitch, uint32_t most) {
  ReduceRows<float, Kind::SUM>(x, y, rows, columns, pitch, most);
}
extern "C" __global__ __aicore__ void reduce_max_half(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns, uint32_t pitch, uint32_t most) {
  ReduceRows<half, Kind::MAX>(x, y, rows, columns, pitch, most);
}
extern "C" __global__ __aicore__ void reduce_max_float(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns, uint32_t pitch, uint32_t most) {
  ReduceRows<float, Kind::MAX>(x, y, rows, columns, pitch, most);
}
