// Rows of a matrix side by side in UB of the 910B: reductions of each row and operations with one value for each row.
//
// A repeat is 256 bytes. Rows have whole repeats (`pitch`), the last of which is filled up with what changes nothing. Long
// rows are taken one after another, short ones side by side: an instruction then has the same repeat of all rows, so that
// either way it is long. Instructions for different rows do not depend on each other and follow in 3 cycles; one that needs
// the result of the last waits about 25. So rows are the inner loop, and a tile has as many rows as fit.
#ifndef TILESMITH_EXPERT_ROWS_H
#define TILESMITH_EXPERT_ROWS_H

#include "expert.h"

namespace expert {

using AscendC::BinaryRepeatParams;
using AscendC::LocalTensor;

template <typename T> constexpr uint32_t LANES = 256 / sizeof(T);
constexpr uint32_t BLOCKS = 8; // of a repeat
constexpr uint32_t MOST_REPEATS = 248;

struct Rows {
  uint32_t count, pitch; // pitch in elements

  template <typename T> __aicore__ inline uint32_t Repeats() const { return pitch / LANES<T>; }
  // Whether instructions go down the rows. Strides between repeats have 8 bits.
  template <typename T> __aicore__ inline bool Short() const { return Repeats<T>() <= 8 && count >= Repeats<T>(); }
};

// What is behind the columns of each row becomes `value`: lanes of the last repeat with columns, and a whole one where
// the pitch is that of halves and these are floats.
template <typename T>
__aicore__ inline void FillUp(const LocalTensor<T> &x, const Rows &rows, uint32_t columns, T value) {
  for (uint32_t repeat = columns / LANES<T>; repeat < rows.Repeats<T>(); ++repeat) {
    uint32_t first = repeat * LANES<T>, used = columns > first ? columns - first : 0;
    uint64_t behind[2] = {used < 64 ? ~uint64_t(0) << used : 0, used < 64 ? ~uint64_t(0) : ~uint64_t(0) << (used - 64)};
    if (LANES<T> == 64)
      behind[1] = 0;
    uint32_t blocks = rows.Repeats<T>() * BLOCKS;
    if (blocks < 256)
      AscendC::Duplicate(x[first], value, behind, rows.count, 1, blocks);
    else
      for (uint32_t row = 0; row < rows.count; ++row)
        AscendC::Duplicate(x[row * rows.pitch + first], value, behind, 1, 1, BLOCKS);
  }
}

struct Sum {
  template <typename T, typename... Args> static __aicore__ inline void Two(Args... args) { AscendC::Add<T>(args...); }
  template <typename T>
  static __aicore__ inline void Whole(const LocalTensor<T> &to, const LocalTensor<T> &from, uint32_t rows, uint32_t step) {
    AscendC::WholeReduceSum<T>(to, from, LANES<T>, rows, 1, 1, step);
  }
};
struct Largest {
  template <typename T, typename... Args> static __aicore__ inline void Two(Args... args) { AscendC::Max<T>(args...); }
  template <typename T>
  static __aicore__ inline void Whole(const LocalTensor<T> &to, const LocalTensor<T> &from, uint32_t rows, uint32_t step) {
    AscendC::WholeReduceMax<T>(to, from, LANES<T>, rows, 1, 1, step, AscendC::ReduceOrder::ORDER_ONLY_VALUE);
  }
};

// Repeats of scratch that Reduce needs for each row: a third of the row. It must begin 256 bytes off the banks where x begins.
__aicore__ inline uint32_t ScratchRepeats(uint32_t repeats) {
  return repeats <= 1 ? 0 : RoundUp(CeilDiv(repeats, 3) | 1, 2);
}

// One value for each row. Repeats are added to each other before the lanes of the last one are: a sum of repeats takes 1
// cycle for each of them, a sum of lanes 3 or 7. The two sources of an addition are an odd number of repeats apart where it
// is long, because those an even number apart lie in the same banks.
// `pitch` is that of the rows of scratch.
template <typename Op, typename T>
__aicore__ inline void ReduceInto(const LocalTensor<T> &values, const LocalTensor<T> &x, const LocalTensor<T> &scratch,
                                  uint32_t pitch, const Rows &rows) {
  constexpr uint32_t lanes = LANES<T>;
  uint32_t repeats = rows.Repeats<T>(), scratchStep = pitch / lanes * BLOCKS;
  if (repeats == 1) {
    Op::template Whole<T>(values, x, rows.count, BLOCKS);
    return;
  }
  if (rows.Short<T>()) {
    uint8_t step = repeats * BLOCKS;
    Op::template Two<T>(scratch, x, x[lanes], uint64_t(lanes), uint8_t(rows.count),
                        BinaryRepeatParams(1, 1, 1, scratchStep, step, step));
    for (uint32_t i = 2; i < repeats; ++i)
      Op::template Two<T>(scratch, scratch, x[i * lanes], uint64_t(lanes), uint8_t(rows.count),
                          BinaryRepeatParams(1, 1, 1, scratchStep, scratchStep, step));
    Op::template Whole<T>(values, scratch, rows.count, scratchStep);
    return;
  }
  uint32_t left = CeilDiv(repeats, 3) | 1;
  if (2 * left > repeats)
    left = repeats / 2;
  uint32_t second = Least(left, repeats - left), third = repeats - left - second;
  for (uint32_t row = 0; row < rows.count; ++row)
    Op::template Two<T>(scratch[row * pitch], x[row * rows.pitch], x[row * rows.pitch + left * lanes], int32_t(second * lanes));
  for (uint32_t row = 0; row < rows.count && third; ++row)
    Op::template Two<T>(scratch[row * pitch], scratch[row * pitch], x[row * rows.pitch + 2 * left * lanes], int32_t(third * lanes));
  while (left > 1) {
    uint32_t from = CeilDiv(left, 2);
    if (from % 2 == 0 && left >= 16)
      ++from;
    for (uint32_t row = 0; row < rows.count; ++row)
      Op::template Two<T>(scratch[row * pitch], scratch[row * pitch], scratch[row * pitch + from * lanes], int32_t((left - from) * lanes));
    left = from;
  }
  Op::template Whole<T>(values, scratch, rows.count, scratchStep);
}
// x stays as it is.
template <typename Op, typename T>
__aicore__ inline void Reduce(const LocalTensor<T> &values, const LocalTensor<T> &x, const LocalTensor<T> &scratch,
                              const Rows &rows) {
  uint32_t repeats = rows.Short<T>() ? 1 : ScratchRepeats(rows.Repeats<T>());
  ReduceInto<Op>(values, x, scratch, repeats * LANES<T>, rows);
}
// The sum of each row of floats; x stays as it is. Sums of blocks take a cycle for each repeat, whatever lies in one; two rounds
// of them leave at most a repeat for each row. `scratch` has an eighth of the rows twice.
__aicore__ inline void SumRows(const LocalTensor<float> &values, const LocalTensor<float> &x, const LocalTensor<float> &scratch,
                               const Rows &rows) {
  constexpr uint32_t lanes = LANES<float>;
  uint32_t repeats = rows.Repeats<float>(), left = rows.count * repeats;
  LocalTensor<float> from = x, to = scratch;
  for (uint32_t floats = rows.pitch; floats > lanes; floats /= 8) {
    for (uint32_t i = 0; i < left; i += MOST_REPEATS)
      AscendC::BlockReduceSum(to[i * 8], from[i * lanes], Least(MOST_REPEATS, left - i), lanes, 1, 1, BLOCKS);
    from = to;
    to = to[left * 8];
    left /= 8;
  }
  uint32_t last = repeats == 1 ? lanes : repeats <= 8 ? repeats * 8 : repeats;
  AscendC::WholeReduceSum<float>(values, from, last, rows.count, 1, 1, last / 8);
}
// Which pitches SumRows takes.
__aicore__ inline bool HasSumRows(uint32_t pitch) {
  uint32_t repeats = pitch / LANES<float>;
  return repeats <= 8 || (repeats % 8 == 0 && repeats <= 64);
}
// Bytes of scratch the sum of one row needs.
__aicore__ inline uint32_t SumScratch(uint32_t pitch) {
  return HasSumRows(pitch) ? RoundUp((pitch / 8 + pitch / 64) * sizeof(float), 32) : ScratchRepeats(pitch / LANES<float>) * 256;
}
template <> __aicore__ inline void Reduce<Sum, float>(const LocalTensor<float> &values, const LocalTensor<float> &x,
                                                      const LocalTensor<float> &scratch, const Rows &rows) {
  if (HasSumRows(rows.pitch))
    return SumRows(values, x, scratch, rows);
  uint32_t repeats = rows.Short<float>() ? 1 : ScratchRepeats(rows.Repeats<float>());
  ReduceInto<Sum>(values, x, scratch, repeats * LANES<float>, rows);
}

// One value for each row as blocks of equal ones, twice: 512 bytes for each row, the copies 256 apart.
template <typename T>
__aicore__ inline void Spread(const LocalTensor<T> &blocks, const LocalTensor<T> &values, uint32_t rows) {
  AscendC::Brcb(blocks, values, CeilDiv(rows, 8), {2 * BLOCKS, 2 * BLOCKS * 8});
  AscendC::Brcb(blocks[LANES<T>], values, CeilDiv(rows, 8), {2 * BLOCKS, 2 * BLOCKS * 8});
}

// y = x op (the value of its row). The block of a row is read by all lanes, which costs nothing if it lies in other banks
// than x: even repeats of a row use one copy, odd ones the other.
template <typename Op, typename T>
__aicore__ inline void WithValues(const LocalTensor<T> &y, const LocalTensor<T> &x, const LocalTensor<T> &blocks, const Rows &rows) {
  constexpr uint32_t lanes = LANES<T>;
  uint32_t repeats = rows.Repeats<T>();
  if (rows.Short<T>()) {
    uint8_t step = repeats * BLOCKS;
    for (uint32_t i = 0; i < repeats; ++i)
      Op::template Two<T>(y[i * lanes], x[i * lanes], blocks[(i + 1) % 2 * lanes], uint64_t(lanes), uint8_t(rows.count),
                          BinaryRepeatParams(1, 1, 0, step, step, 2 * BLOCKS));
    return;
  }
  for (uint32_t row = 0; row < rows.count; ++row)
    for (uint32_t odd = 0; odd < Least(repeats, 2); ++odd)
      Op::template Two<T>(y[row * rows.pitch + odd * lanes], x[row * rows.pitch + odd * lanes],
                          blocks[(row * 2 + 1 - (odd + row * repeats) % 2) * lanes], uint64_t(lanes),
                          uint8_t((repeats + 1 - odd) / 2), BinaryRepeatParams(1, 1, 0, 2 * BLOCKS, 2 * BLOCKS, 0));
}

// y = x op (the value of its column).
template <typename Op, typename T>
__aicore__ inline void WithColumns(const LocalTensor<T> &y, const LocalTensor<T> &x, const LocalTensor<T> &values, const Rows &rows) {
  constexpr uint32_t lanes = LANES<T>;
  uint32_t repeats = rows.Repeats<T>();
  if (rows.Short<T>()) {
    uint8_t step = repeats * BLOCKS;
    for (uint32_t i = 0; i < repeats; ++i)
      Op::template Two<T>(y[i * lanes], x[i * lanes], values[i * lanes], uint64_t(lanes), uint8_t(rows.count),
                          BinaryRepeatParams(1, 1, 1, step, step, 0));
    return;
  }
  for (uint32_t row = 0; row < rows.count; ++row)
    Op::template Two<T>(y[row * rows.pitch], x[row * rows.pitch], values, int32_t(rows.pitch));
}

struct Plus {
  template <typename T, typename... Args> static __aicore__ inline void Two(Args... args) { AscendC::Add<T>(args...); }
};
struct Minus {
  template <typename T, typename... Args> static __aicore__ inline void Two(Args... args) { AscendC::Sub<T>(args...); }
};
struct Times {
  template <typename T, typename... Args> static __aicore__ inline void Two(Args... args) { AscendC::Mul<T>(args...); }
};

} // namespace expert

#endif
