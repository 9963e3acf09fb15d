// The vector cores of flash attention on the 910B: scores come and probabilities go through the workspace.
#ifndef TILESMITH_EXPERT_FLASH_VECTORS_910B_H
#define TILESMITH_EXPERT_FLASH_VECTORS_910B_H

#include "flash_steps.h"
#include "rows.h"

namespace flash {

using AscendC::HardEvent;
using AscendC::LocalTensor;
using expert::Rows;

constexpr uint32_t CHUNK_ROWS = 16; // of scores that are in UB at once, twice
constexpr uint32_t LANES = expert::LANES<float>;
constexpr uint32_t MOST_HALF = MOST_ROWS / 2; // values of rows: one for each that a core can have
constexpr uint32_t MOST_REPEATS = 16; // of a row of scores
constexpr float MINUS_INFINITY = -__builtin_inff();

// Half the rows of each tile, chunk by chunk.
template <typename T> class Vectors {
public:
  __aicore__ inline Vectors(GM_ADDR o, GM_ADDR workspace, const Problem &problem)
      : problem(problem), block(AscendC::GetBlockIdx() / AscendC::GetTaskRation()), space(workspace, problem, block) {
    oGm.SetGlobalBuffer((__gm__ T *)o, uint64_t(problem.heads) * problem.queries * problem.size);
    chunkSize = CHUNK_ROWS * problem.width;
    scores = Take<float>(2 * chunkSize);
    probabilities = Take<T>(2 * chunkSize);
    result = Take<float>(CeilDiv(problem.rows, 2) * problem.size);
    products = Take<float>(CHUNK_ROWS * problem.size);
    out = Take<T>(CHUNK_ROWS * problem.size);
    blocks = Take<float>(CHUNK_ROWS * 2 * LANES);
    tops = Take<float>(2 * MOST_HALF);
    sums = Take<float>(SLOTS * MOST_HALF);
    factors = Take<float>(SLOTS * MOST_HALF);
    total = Take<float>(MOST_HALF);
    ones = Take<float>(MOST_HALF);
  }

  __aicore__ inline void Process() {
    AscendC::Duplicate(tops, 0.0f, (2 + 2 * SLOTS + 1) * MOST_HALF); // rows that do not exist are computed, too
    AscendC::Duplicate(ones, 1.0f, MOST_HALF);
    AscendC::Duplicate(blocks, 0.0f, CHUNK_ROWS * 2 * LANES);
    for (uint32_t slot = 0; slot < 2; ++slot) {
      AscendC::SetFlag<HardEvent::V_MTE2>(slot);
      AscendC::SetFlag<HardEvent::MTE3_V>(slot);
    }
    AscendC::SetFlag<HardEvent::V_MTE2>(PRODUCTS_FREE);
    AscendC::SetFlag<HardEvent::V_MTE2>(RESULT_FREE);
    AscendC::SetFlag<HardEvent::MTE3_V>(RESULT_OUT);
    Steps first(problem, block);
    if (first.More())
      Begin(first.Now(), 0);
    InTurn(problem, block, *this);
    for (uint32_t slot = 0; slot < 2; ++slot) {
      AscendC::WaitFlag<HardEvent::V_MTE2>(slot);
      AscendC::WaitFlag<HardEvent::MTE3_V>(slot);
    }
    AscendC::WaitFlag<HardEvent::V_MTE2>(PRODUCTS_FREE);
    AscendC::WaitFlag<HardEvent::V_MTE2>(RESULT_FREE);
    AscendC::WaitFlag<HardEvent::MTE3_V>(RESULT_OUT);
  }

  // Scores to probabilities.
  __aicore__ inline void First(const Step &step, uint32_t index, const Steps &next) {
    uint32_t rows = MyRows(step), pitch = RoundUp(step.keys, LANES);
    for (uint32_t row = 0; row < rows; row += CHUNK_ROWS) {
      if (row + CHUNK_ROWS < rows)
        LoadScores(step, index % SLOTS, row + CHUNK_ROWS);
      uint32_t slot = used++ % 2;
      AscendC::WaitFlag<HardEvent::MTE2_V>(slot);
      Soften(step, index, row, {Least(CHUNK_ROWS, rows - row), pitch}, slot);
    }
    if (rows > 0 && !step.isFirst) { // what the sums and the result so far are multiplied by
      LocalTensor<float> factor = factors[index % SLOTS * MOST_HALF];
      AscendC::Sub(factor, tops[(index + 1) % 2 * MOST_HALF], tops[index % 2 * MOST_HALF], MOST_HALF);
      AscendC::Muls(factor, factor, problem.scale, MOST_HALF);
      AscendC::Exp(factor, factor, MOST_HALF);
    }
    AscendC::CrossCoreSetFlag<2, PIPE_MTE3>(PROBABILITIES);
    if (next.More())
      Begin(next.Now(), index + 1);
  }

  // Products to the result.
  __aicore__ inline void Second(const Step &step, uint32_t index, const Steps &) {
    AscendC::CrossCoreWaitFlag(PRODUCTS);
    uint32_t rows = MyRows(step), slot = index % SLOTS;
    if (rows == 0)
      return;
    if (step.isFirst) {
      AscendC::WaitFlag<HardEvent::V_MTE2>(RESULT_FREE);
      AscendC::DataCopy(result, ProductsOf(step, slot), rows * problem.size);
      AscendC::SetFlag<HardEvent::MTE2_V>(RESULT_FREE);
      AscendC::WaitFlag<HardEvent::MTE2_V>(RESULT_FREE);
      AscendC::Adds(total, sums[slot * MOST_HALF], 0.0f, MOST_HALF);
    } else {
      AscendC::Mul(total, total, factors[slot * MOST_HALF], MOST_HALF);
      AscendC::Add(total, total, sums[slot * MOST_HALF], MOST_HALF);
      for (uint32_t row = 0; row < rows; row += CHUNK_ROWS)
        AddProducts(step, slot, row, {Least(CHUNK_ROWS, rows - row), problem.size});
    }
    if (step.isLast)
      WriteOut(step, rows);
  }

private:
  // Numbers of flags besides those of the two slots.
  static constexpr uint32_t PRODUCTS_FREE = 2, RESULT_FREE = 3, RESULT_OUT = 2;

  template <typename U> __aicore__ inline LocalTensor<U> Take(uint32_t count) {
    LocalTensor<U> tensor(AscendC::TPosition::VECCALC, taken, count);
    taken += RoundUp(count * sizeof(U), 256);
    return tensor;
  }

  __aicore__ inline uint32_t FirstRow(const Step &step) { return AscendC::GetSubBlockIdx() * (step.PaddedRows() / 2); }
  __aicore__ inline uint32_t MyRows(const Step &step) {
    uint32_t first = FirstRow(step);
    return step.rows > first ? Least(step.PaddedRows() / 2, step.rows - first) : 0;
  }

  // As soon as scores are there, the first of them are loaded.
  __aicore__ inline void Begin(const Step &step, uint32_t index) {
    AscendC::CrossCoreWaitFlag(SCORES);
    if (MyRows(step) > 0)
      LoadScores(step, index % SLOTS, 0);
  }
  __aicore__ inline void LoadScores(const Step &step, uint32_t ofStep, uint32_t row) {
    uint32_t slot = loaded++ % 2, pitch = RoundUp(step.keys, LANES), bytes = step.keys * sizeof(float);
    uint16_t rows = uint16_t(Least(CHUNK_ROWS, MyRows(step) - row));
    AscendC::WaitFlag<HardEvent::V_MTE2>(slot);
    AscendC::DataCopyPad(scores[slot * chunkSize],
                         space.scores[ofStep * space.scoreSlot + (FirstRow(step) + row) * problem.width],
                         {rows, bytes, uint32_t((problem.width - step.keys) * sizeof(float)),
                          uint32_t((pitch * sizeof(float) - RoundUp(bytes, 32)) / 32), 0},
                         {false, 0, 0, 0.0f});
    AscendC::SetFlag<HardEvent::MTE2_V>(slot);
  }

  // One chunk of rows. The probabilities' buffer is scratch until they are written.
  __aicore__ inline void Soften(const Step &step, uint32_t index, uint32_t row, const Rows &rows, uint32_t slot) {
    LocalTensor<float> x = scores[slot * chunkSize];
    LocalTensor<T> p = probabilities[slot * chunkSize];
    LocalTensor<float> scratch = p.template ReinterpretCast<float>(), top = tops[index % 2 * MOST_HALF + row];
    Hide(x, step, row, rows);
    AscendC::WaitFlag<HardEvent::MTE3_V>(slot);
    TakeTops(top, x, scratch, rows);
    if (!step.isFirst)
      AscendC::Max(top, top, tops[(index + 1) % 2 * MOST_HALF + row], CHUNK_ROWS);
    expert::Spread(blocks, top, rows.count);
    expert::WithValues<expert::Minus>(x, x, blocks, rows);
    AscendC::Muls(x, x, problem.scale, rows.count * rows.pitch);
    AscendC::Exp(x, x, rows.count * rows.pitch);
    AscendC::Cast(p, x, AscendC::RoundMode::CAST_RINT, rows.count * rows.pitch);
    AscendC::SetFlag<HardEvent::V_MTE3>(slot);
    SumUp(sums[index % SLOTS * MOST_HALF + row], x, rows);
    AscendC::SetFlag<HardEvent::V_MTE2>(slot);
    AscendC::WaitFlag<HardEvent::V_MTE3>(slot);
    uint32_t bytes = step.keys * sizeof(T);
    AscendC::DataCopyPad(space.probabilities[index % SLOTS * space.scoreSlot + (FirstRow(step) + row) * problem.width], p,
                         {uint16_t(rows.count), bytes, uint32_t((rows.pitch * sizeof(T) - RoundUp(bytes, 32)) / 32),
                          uint32_t((problem.width - step.keys) * sizeof(T)), 0});
    AscendC::SetFlag<HardEvent::MTE3_V>(slot);
  }
  // Keys a row does not see, and what is behind the last one, weigh nothing.
  __aicore__ inline void Hide(const LocalTensor<float> &x, const Step &step, uint32_t row, const Rows &rows) {
    uint32_t query = step.row + FirstRow(step) + row;
    for (uint32_t i = 0; i < rows.count; ++i) {
      uint32_t seen = step.keys;
      if (problem.causal)
        seen = query + i < step.key ? 0 : Least(seen, query + i + 1 - step.key);
      if (seen == rows.pitch)
        continue;
      LocalTensor<float> line = x[i * rows.pitch];
      uint32_t whole = RoundUp(seen, LANES);
      if (seen % LANES) {
        uint64_t behind[2] = {~uint64_t(0) << seen % LANES, 0};
        AscendC::Duplicate(line[whole - LANES], MINUS_INFINITY, behind, 1, 1, 8);
      }
      if (whole < rows.pitch)
        AscendC::Duplicate(line[whole], MINUS_INFINITY, int32_t(rows.pitch - whole));
    }
  }
  // Repeats [first, first + count) of each row by so many later ones, into `to`, whose rows have a step of their own.
  template <typename Op>
  __aicore__ inline void Fold(const LocalTensor<float> &to, uint32_t toStep, const LocalTensor<float> &x, uint32_t step,
                              uint32_t first, uint32_t second, uint32_t rows) {
    Op::template Two<float>(to, x[first * LANES], x[second * LANES], uint64_t(LANES), uint8_t(rows),
                            AscendC::BinaryRepeatParams(1, 1, 1, toStep * expert::BLOCKS, step * expert::BLOCKS, step * expert::BLOCKS));
  }
  // Folds rows of `count` repeats in place; what is left of each row is in repeat 0. Of a pair one is even and one odd, so that
  // they lie in different banks: what pairs leave stays in the left and the right one of them in turn.
  template <typename Op> __aicore__ inline void FoldAll(const LocalTensor<float> &x, uint32_t step, uint32_t count, uint32_t rows) {
    uint32_t at[MOST_REPEATS];
    for (uint32_t i = 0; i < count; ++i)
      at[i] = i;
    while (count > 1) {
      uint32_t left = 0;
      for (uint32_t i = 0; i < count; i += 2, ++left) {
        uint32_t stays = i + 1 < count ? at[i + left % 2] : at[i];
        if (i + 1 < count)
          Fold<Op>(x[stays * LANES], step, x, step, at[i], at[i + 1], rows);
        at[left] = stays;
      }
      count = left;
    }
  }
  // Neighbours first, which lie in different banks; x stays.
  __aicore__ inline void TakeTops(const LocalTensor<float> &to, const LocalTensor<float> &x, const LocalTensor<float> &scratch,
                                  const Rows &rows) {
    uint32_t repeats = rows.Repeats<float>(), step = CeilDiv(repeats, 2);
    for (uint32_t i = 0; i < step; ++i)
      Fold<expert::Largest>(scratch[i * LANES], step, x, repeats, 2 * i, Least(2 * i + 1, repeats - 1), rows.count);
    FoldAll<expert::Largest>(scratch, step, step, rows.count);
    AscendC::BlockReduceMax(blocks, scratch, rows.count, LANES, 1, 1, step * expert::BLOCKS);
    AscendC::BlockReduceMax(to, blocks, CeilDiv(rows.count, 8), LANES, 1, 1, expert::BLOCKS);
  }
  // x is used up.
  __aicore__ inline void SumUp(const LocalTensor<float> &to, const LocalTensor<float> &x, const Rows &rows) {
    uint32_t repeats = rows.Repeats<float>();
    FoldAll<expert::Sum>(x, repeats, repeats, rows.count);
    AscendC::BlockReduceSum(blocks, x, rows.count, LANES, 1, 1, repeats * expert::BLOCKS);
    AscendC::BlockReduceSum(to, blocks, CeilDiv(rows.count, 8), LANES, 1, 1, expert::BLOCKS);
  }

  __aicore__ inline AscendC::GlobalTensor<float> ProductsOf(const Step &step, uint32_t slot) {
    return space.products[slot * space.productSlot + FirstRow(step) * problem.size];
  }
  __aicore__ inline void AddProducts(const Step &step, uint32_t slot, uint32_t row, const Rows &rows) {
    AscendC::WaitFlag<HardEvent::V_MTE2>(PRODUCTS_FREE);
    AscendC::DataCopy(products, ProductsOf(step, slot)[row * problem.size], rows.count * problem.size);
    AscendC::SetFlag<HardEvent::MTE2_V>(PRODUCTS_FREE);
    LocalTensor<float> part = result[row * problem.size];
    expert::Spread(blocks, factors[slot * MOST_HALF + row], rows.count);
    expert::WithValues<expert::Times>(part, part, blocks, rows);
    AscendC::WaitFlag<HardEvent::MTE2_V>(PRODUCTS_FREE);
    AscendC::Add(part, part, products, rows.count * problem.size);
    AscendC::SetFlag<HardEvent::V_MTE2>(PRODUCTS_FREE);
  }

  // The result by 1 / sum of each row, chunk by chunk.
  __aicore__ inline void WriteOut(const Step &step, uint32_t rows) {
    AscendC::Div(total, ones, total, MOST_HALF);
    for (uint32_t row = 0; row < rows; row += CHUNK_ROWS) {
      Rows some{Least(CHUNK_ROWS, rows - row), problem.size};
      LocalTensor<float> part = result[row * problem.size];
      expert::Spread(blocks, total[row], some.count);
      expert::WithValues<expert::Times>(part, part, blocks, some);
      AscendC::WaitFlag<HardEvent::MTE3_V>(RESULT_OUT);
      AscendC::Cast(out, part, AscendC::RoundMode::CAST_RINT, some.count * problem.size);
      AscendC::SetFlag<HardEvent::V_MTE3>(RESULT_OUT);
      AscendC::WaitFlag<HardEvent::V_MTE3>(RESULT_OUT);
      expert::Store(oGm[(uint64_t(step.head) * problem.queries + step.row + FirstRow(step) + row) * problem.size], out,
                    some.count * problem.size);
      AscendC::SetFlag<HardEvent::MTE3_V>(RESULT_OUT);
    }
    AscendC::SetFlag<HardEvent::V_MTE2>(RESULT_FREE);
  }

  const Problem problem;
  uint32_t block, chunkSize, taken = 0, loaded = 0, used = 0;
  Workspace<T> space;
  AscendC::GlobalTensor<T> oGm;
  LocalTensor<float> scores, result, products, blocks;
  LocalTensor<float> tops;    // the maxima so far of this step and of the one before
  LocalTensor<float> sums;    // of the probabilities of a step
  LocalTensor<float> factors; // e to the growth of the maxima
  LocalTensor<float> total, ones;
  LocalTensor<T> probabilities, out;
};

} // namespace flash

#endif
