// What both kinds of core of flash attention agree on: the sequence of steps, and where their results lie.
#ifndef TILESMITH_EXPERT_FLASH_STEPS_H
#define TILESMITH_EXPERT_FLASH_STEPS_H

#include "expert.h"

namespace flash {

using expert::CeilDiv;
using expert::Least;
using expert::RoundUp;

struct Problem {
  uint32_t heads;         // of all batches
  uint32_t queries, keys; // of each
  uint32_t size;          // of a head
  float scale;
  bool causal;           // query i sees the keys up to i
  uint32_t rows, width;  // queries of a tile, at most MOST_ROWS; keys of a step, whole blocks
};

constexpr uint32_t BLOCK = 128; // queries by keys, or by columns of values, are one result in L0C

// L1 has slots of this size: two of keys, of values, of probabilities, and of queries.
constexpr uint32_t SLOT_BYTES = 64 * 1024;
constexpr uint32_t KEYS = 0, VALUES = 2, OF_PROBABILITIES = 4, QUERIES = 6;

// The vectors are so many steps behind the first product, and so is the cube's second one: scores, probabilities and products
// have a slot for each of them and one more. A slot needs no flag that says it is free. Scores of step i are written after
// the cube has waited for the probabilities of step i - LAG - 1, made from the scores that were in the same slot; in the
// same way probabilities follow the product of step i - LAG - 1, and products the probabilities after it.
#if __NPU_ARCH__ == 3510
constexpr uint32_t LAG = 1;
constexpr uint32_t MOST_ROWS = BLOCK;
#else
constexpr uint32_t LAG = 2;
constexpr uint32_t MOST_ROWS = 2 * BLOCK; // keys and values come so much less often
#endif
constexpr uint32_t SLOTS = LAG + 1;

// Cross-core flags: scores are there, probabilities, products with the values; products are taken (950).
constexpr uint16_t SCORES = 0, PROBABILITIES = 1, PRODUCTS = 2, TAKEN = 3;

// A step multiplies a tile of queries by some of the keys it sees, and the result by their values.
struct Step {
  uint32_t head, row, rows; // the tile
  uint32_t key, keys;       // from here on so many
  uint32_t tile;            // of those this block has, counted from 0
  bool isFirst, isLast;     // of its tile

  // Rows in fractals, half of which each vector core has.
  __aicore__ inline uint32_t PaddedRows() const { return RoundUp(rows, 16); }
};

// The steps of a block. Neighbouring blocks have neighbouring tiles, so that what they read is in L2; tiles that see
// most come first.
class Steps {
public:
  __aicore__ inline Steps(const Problem &problem, uint32_t block) : problem(problem), index(block) {
    tiles = CeilDiv(problem.queries, problem.rows);
    Begin();
  }
  __aicore__ inline bool More() const { return index < tiles * problem.heads; }
  __aicore__ inline const Step &Now() const { return step; }
  __aicore__ inline void Advance() {
    if (!step.isLast)
      return Enter(step.key + step.keys);
    index += AscendC::GetBlockNum();
    ++step.tile;
    Begin();
  }

private:
  __aicore__ inline void Begin() {
    if (!More())
      return;
    step.head = index / tiles;
    uint32_t tile = (index + step.head * tiles / AscendC::GetBlockNum()) % tiles; // a block has a different one in each round
    step.row = (problem.causal ? tiles - 1 - tile : tile) * problem.rows;
    step.rows = Least(problem.rows, problem.queries - step.row);
    seen = problem.causal ? Least(problem.keys, step.row + step.rows) : problem.keys;
    Enter(0);
  }
  __aicore__ inline void Enter(uint32_t key) {
    step.key = key;
    step.keys = Least(problem.width, seen - key);
    step.isFirst = key == 0;
    step.isLast = key + step.keys == seen;
  }

  const Problem problem;
  uint32_t tiles, index, seen = 0;
  Step step{};
};

// Goes through the steps as both kinds of core do: step i of the first kind of work, then step i - LAG of the second.
template <typename Work> __aicore__ inline void InTurn(const Problem &problem, uint32_t block, Work &work) {
  Steps ahead(problem, block), behind = ahead;
  uint32_t begun = 0, ended = 0;
  while (ended < begun || ahead.More()) {
    if (ahead.More()) {
      Step step = ahead.Now();
      ahead.Advance();
      work.First(step, begun++, ahead);
    }
    if (begun - ended > LAG || !ahead.More()) {
      Step step = behind.Now();
      behind.Advance();
      work.Second(step, ended++, behind);
    }
  }
}

// The workspace of a block on the 910B: slots of scores, of probabilities, and of products.
template <typename T> struct Workspace {
  AscendC::GlobalTensor<float> scores, products;
  AscendC::GlobalTensor<T> probabilities;
  uint32_t scoreSlot, productSlot;

  __aicore__ inline Workspace(GM_ADDR workspace, const Problem &problem, uint32_t block)
      : scoreSlot(problem.rows * problem.width), productSlot(problem.rows * problem.size) {
    uint64_t ofBlock = uint64_t(SLOTS) * (scoreSlot * (sizeof(float) + sizeof(T)) + productSlot * sizeof(float));
    __gm__ uint8_t *at = (__gm__ uint8_t *)workspace + block * ofBlock;
    scores.SetGlobalBuffer((__gm__ float *)at, SLOTS * scoreSlot);
    at += SLOTS * scoreSlot * sizeof(float);
    products.SetGlobalBuffer((__gm__ float *)at, SLOTS * productSlot);
    at += SLOTS * productSlot * sizeof(float);
    probabilities.SetGlobalBuffer((__gm__ T *)at, SLOTS * scoreSlot);
  }
};

} // namespace flash

#endif
