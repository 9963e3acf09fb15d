// Flash attention, O = softmax(scale Q K^T) V for each head, as an expert writes it: float16 or bfloat16 in and out, floats in
// between, heads of 64, 128 or 256 elements, any number of queries and keys, causal or not. What makes it quick:
//
//  - *Three works at once.* A block is a cube core and two vector cores. While the vectors make the probabilities of a step,
//    the cube multiplies the queries by the keys of a later one and probabilities of an earlier one by values. The sequence
//    of steps goes on across tiles of queries: only its begin and its end wait.
//  - *Slots without flags of their own.* What one kind of core waits for anyway says that the slot it writes next is free
//    (flash_steps.h), so that a step costs three flags.
//  - *What crosses.* On the 910B scores, probabilities and products go through a workspace that stays in L2; long steps make
//    the products few. On the 950 scores and products go from L0C to UB and probabilities from UB to L1.
//  - *The result stays with the vectors,* who multiply it by what the growth of the maximum asks for, once for each step.
#include "cube.h"
#include "flash_steps.h"
#if __NPU_ARCH__ == 3510
#include "flash_vectors_950.h"
#else
#include "flash_vectors_910b.h"
#endif

using namespace AscendC;

namespace flash {

// The cube core. The flags of a slot of L1 have its number.
template <typename T> class Cube {
public:
  __aicore__ inline Cube(GM_ADDR q, GM_ADDR k, GM_ADDR v, GM_ADDR workspace, const Problem &problem)
      : problem(problem), block(GetBlockIdx()), space(workspace, problem, block) {
    qGm.SetGlobalBuffer((__gm__ T *)q, uint64_t(problem.heads) * problem.queries * problem.size);
    kGm.SetGlobalBuffer((__gm__ T *)k, uint64_t(problem.heads) * problem.keys * problem.size);
    vGm.SetGlobalBuffer((__gm__ T *)v, uint64_t(problem.heads) * problem.keys * problem.size);
    chunk = Least(256, SLOT_SIZE / problem.size);
    partSize = Least(BLOCK, problem.size);
    parts = problem.size / partSize;
  }

  __aicore__ inline void Process() {
    for (uint32_t id = 0; id < 6; ++id)
      SetFlag<HardEvent::MTE1_MTE2>(id);
    for (uint32_t id = 0; id < 2; ++id)
      SetFlag<HardEvent::M_MTE1>(id);
    for (uint32_t id = 0; id < RESULTS; ++id)
      SetFlag<HardEvent::FIX_M>(id);
    Steps first(problem, block);
    if (first.More()) {
      LoadKeys(first.Now(), 0);
      LoadValues(first.Now(), 0);
    }
    InTurn(problem, block, *this);
#if __NPU_ARCH__ == 3510
    if (first.More())
      CrossCoreWaitFlag<2, PIPE_FIX>(TAKEN);
#endif
    for (uint32_t id = 0; id < 6; ++id)
      WaitFlag<HardEvent::MTE1_MTE2>(id);
    for (uint32_t id = 0; id < 2; ++id)
      WaitFlag<HardEvent::M_MTE1>(id);
    for (uint32_t id = 0; id < RESULTS; ++id)
      WaitFlag<HardEvent::FIX_M>(id);
  }

  // Scores: the tile by the keys of the step, block by block.
  __aicore__ inline void First(const Step &step, uint32_t index, const Steps &next) {
    for (uint32_t first = 0; first < step.keys; first += chunk) {
      if (first + chunk < step.keys)
        LoadKeys(step, first + chunk);
      else if (next.More())
        LoadKeys(next.Now(), 0);
      uint32_t slot = KEYS + keysUsed++ % 2, count = Least(chunk, step.keys - first);
      WaitFlag<HardEvent::MTE2_MTE1>(slot);
      for (uint32_t column = 0; column < count; column += BLOCK) {
        uint32_t columns = Least(BLOCK, count - column);
        for (uint32_t row = 0; row < step.rows; row += BLOCK) {
          uint32_t rows = PaddedRows(step, row);
          WaitFlag<HardEvent::FIX_M>(result);
          for (uint32_t k = 0; k < problem.size; k += BLOCK) {
            uint32_t depth = Least(BLOCK, problem.size - k);
            WaitFlag<HardEvent::M_MTE1>(half);
            expert::LoadA(A2(), L1(QUERIES + step.tile % 2), step.PaddedRows(), row, rows, k, depth);
            expert::LoadTransposedB(B2(), L1(slot), RoundUp(count, 16), column, columns, k, depth);
            Multiply(result, rows, RoundUp(columns, 16), depth, k == 0);
          }
          SetFlag<HardEvent::M_FIX>(result);
          WaitFlag<HardEvent::M_FIX>(result);
          HandOverScores(step, index % SLOTS, row, first + column, columns);
          SetFlag<HardEvent::FIX_M>(result);
          result = (result + 1) % RESULTS;
        }
      }
      SetFlag<HardEvent::MTE1_MTE2>(slot);
    }
    CrossCoreSetFlag<2, PIPE_FIX>(SCORES);
  }

  // Products: probabilities by values. For some columns of these, chunk after chunk; of each, for both blocks of rows.
  __aicore__ inline void Second(const Step &step, uint32_t index, const Steps &next) {
    uint32_t chunks = CeilDiv(step.keys, chunk), blocks = CeilDiv(step.rows, BLOCK), pieces = parts * chunks;
    WaitForProbabilities();
    LoadProbabilities(step, index % SLOTS, 0, 0);
    for (uint32_t piece = 0; piece < pieces; ++piece) {
      uint32_t first = piece % chunks * chunk, count = Least(chunk, step.keys - first), slot = VALUES + valuesUsed++ % 2;
      WaitFlag<HardEvent::MTE2_MTE1>(slot);
      for (uint32_t i = 0; i < blocks; ++i) {
        if (i + 1 < blocks)
          LoadProbabilities(step, index % SLOTS, first, i + 1);
        else
          LoadPiece(step, index % SLOTS, piece + 1, next);
        uint32_t rows = PaddedRows(step, i * BLOCK), at = (result + i) % RESULTS;
        if (first == 0)
          WaitFlag<HardEvent::FIX_M>(at);
        WaitForBlock();
        for (uint32_t k = 0; k < count; k += BLOCK) {
          uint32_t depth = Least(BLOCK, count - k);
          WaitFlag<HardEvent::M_MTE1>(half);
          LoadProbabilitiesA(step, index % SLOTS, rows, first, k, depth);
          expert::LoadB(B2(), L1(slot), RoundUp(count, 16), 0, partSize, k, depth);
          Multiply(at, rows, partSize, depth, first + k == 0);
        }
        EndBlock();
        if (first + count < step.keys)
          continue;
        SetFlag<HardEvent::M_FIX>(at);
        WaitFlag<HardEvent::M_FIX>(at);
        HandOverProducts(step, index, at, i * BLOCK, piece / chunks);
        SetFlag<HardEvent::FIX_M>(at);
      }
      SetFlag<HardEvent::MTE1_MTE2>(slot);
      if (first + count == step.keys)
        result = (result + blocks) % RESULTS;
    }
    CrossCoreSetFlag<2, PIPE_FIX>(PRODUCTS);
  }

private:
  static constexpr uint32_t SLOT_SIZE = SLOT_BYTES / sizeof(T);
  static constexpr uint32_t RESULT_BYTES = BLOCK * BLOCK * sizeof(float);
  static constexpr uint32_t RESULTS = (__NPU_ARCH__ == 3510 ? 256 : 128) * 1024 / RESULT_BYTES; // in L0C

  __aicore__ inline LocalTensor<T> L1(uint32_t slot) {
    return LocalTensor<T>(TPosition::A1, slot * SLOT_BYTES, SLOT_SIZE);
  }
  __aicore__ inline LocalTensor<T> A2() {
    constexpr uint32_t bytes = BLOCK * BLOCK * sizeof(T);
    return LocalTensor<T>(TPosition::A2, half * bytes, bytes / sizeof(T));
  }
  __aicore__ inline LocalTensor<T> B2() {
    constexpr uint32_t bytes = BLOCK * BLOCK * sizeof(T);
    return LocalTensor<T>(TPosition::B2, half * bytes, bytes / sizeof(T));
  }
  __aicore__ inline LocalTensor<float> Result(uint32_t at) {
    return LocalTensor<float>(TPosition::CO1, at * RESULT_BYTES, RESULT_BYTES / sizeof(float));
  }
  // Rows of the block that begins at this one, in fractals.
  __aicore__ inline uint32_t PaddedRows(const Step &step, uint32_t row) { return Least(BLOCK, step.PaddedRows() - row); }

  // A chunk of keys, before the first of a tile its queries. A slot of queries is free when the one of keys is: what used it
  // came before the chunk that was in this one.
  __aicore__ inline void LoadKeys(const Step &step, uint32_t first) {
    uint32_t slot = KEYS + keysLoaded++ % 2, count = Least(chunk, step.keys - first);
    WaitFlag<HardEvent::MTE1_MTE2>(slot);
    if (step.isFirst && first == 0)
      expert::LoadFractals(L1(QUERIES + step.tile % 2),
                           qGm[(uint64_t(step.head) * problem.queries + step.row) * problem.size], step.rows, problem.size,
                           problem.size, step.PaddedRows());
    expert::LoadFractals(L1(slot), kGm[(uint64_t(step.head) * problem.keys + step.key + first) * problem.size], count,
                         problem.size, problem.size, RoundUp(count, 16));
    SetFlag<HardEvent::MTE2_MTE1>(slot);
  }
  // A chunk of some columns of the values.
  __aicore__ inline void LoadValues(const Step &step, uint32_t piece) {
    uint32_t chunks = CeilDiv(step.keys, chunk), first = piece % chunks * chunk, part = piece / chunks;
    uint32_t slot = VALUES + valuesLoaded++ % 2, count = Least(chunk, step.keys - first);
    WaitFlag<HardEvent::MTE1_MTE2>(slot);
    expert::LoadFractals(L1(slot), vGm[(uint64_t(step.head) * problem.keys + step.key + first) * problem.size + part * partSize],
                         count, partSize, problem.size, RoundUp(count, 16));
    SetFlag<HardEvent::MTE2_MTE1>(slot);
  }
  // Values and the first of their probabilities; at the end of a step the first values of the next one.
  __aicore__ inline void LoadPiece(const Step &step, uint32_t ofStep, uint32_t piece, const Steps &next) {
    uint32_t chunks = CeilDiv(step.keys, chunk);
    if (piece < parts * chunks) {
      LoadValues(step, piece);
      LoadProbabilities(step, ofStep, piece % chunks * chunk, 0);
    } else if (next.More()) {
      LoadValues(next.Now(), 0);
    }
  }

  __aicore__ inline void Multiply(uint32_t at, uint32_t rows, uint32_t columns, uint32_t depth, bool isFirst) {
    SetFlag<HardEvent::MTE1_M>(half);
    WaitFlag<HardEvent::MTE1_M>(half);
    MmadParams params;
    params.m = rows;
    params.n = columns;
    params.k = depth;
    params.cmatrixInitVal = isFirst;
    Mmad(Result(at), A2(), B2(), params);
    // Small products leave the pipeline of the cube empty: one that adds to the last must wait for it.
    if ((rows / 16) * (columns / 16) < 10)
      PipeBarrier<PIPE_M>();
    SetFlag<HardEvent::M_MTE1>(half);
    half ^= 1;
  }

#if __NPU_ARCH__ == 3510
  // The vectors write probabilities where L0A takes them from; the upper half of a result goes to the first of them.
  __aicore__ inline void WaitForProbabilities() { CrossCoreWaitFlag<2, PIPE_MTE1>(PROBABILITIES); }
  __aicore__ inline void LoadProbabilities(const Step &, uint32_t, uint32_t, uint32_t) {}
  __aicore__ inline void WaitForBlock() {}
  __aicore__ inline void EndBlock() {}
  __aicore__ inline void LoadProbabilitiesA(const Step &step, uint32_t ofStep, uint32_t rows, uint32_t first, uint32_t k,
                                            uint32_t depth) {
    expert::LoadA(A2(), L1(OF_PROBABILITIES + ofStep), rows, 0, rows, first + k, depth);
  }
  __aicore__ inline void HandOverScores(const Step &step, uint32_t slot, uint32_t, uint32_t column, uint32_t columns) {
    ToVectors(UbMap::Scores(problem, slot)[column], result, step, RoundUp(columns, 16), problem.width);
  }
  __aicore__ inline void HandOverProducts(const Step &step, uint32_t index, uint32_t at, uint32_t, uint32_t part) {
    if (part == 0 && index > 0)
      CrossCoreWaitFlag<2, PIPE_FIX>(TAKEN);
    ToVectors(UbMap::Products(problem)[part * partSize], at, step, partSize, problem.size);
  }
  __aicore__ inline void ToVectors(const LocalTensor<float> &to, uint32_t at, const Step &step, uint32_t columns, uint32_t pitch) {
    static constexpr FixpipeConfig toUb = {CO2Layout::ROW_MAJOR, true};
    FixpipeParamsC310<CO2Layout::ROW_MAJOR> params;
    params.nSize = columns;
    params.mSize = params.srcStride = step.PaddedRows();
    params.dstStride = pitch;
    params.dualDstCtl = 1;
    Fixpipe<float, float, toUb>(to, Result(at), params);
  }
#else
  // A block of probabilities at a time is in L1.
  __aicore__ inline void WaitForProbabilities() { CrossCoreWaitFlag(PROBABILITIES); }
  __aicore__ inline void LoadProbabilities(const Step &step, uint32_t ofStep, uint32_t first, uint32_t block) {
    uint32_t slot = OF_PROBABILITIES + blocksLoaded++ % 2, row = block * BLOCK;
    WaitFlag<HardEvent::MTE1_MTE2>(slot);
    expert::LoadFractals(L1(slot), space.probabilities[ofStep * space.scoreSlot + row * problem.width + first],
                         Least(BLOCK, step.rows - row), Least(chunk, step.keys - first), problem.width, PaddedRows(step, row));
    SetFlag<HardEvent::MTE2_MTE1>(slot);
  }
  __aicore__ inline uint32_t BlockSlot() { return OF_PROBABILITIES + blocksUsed % 2; }
  __aicore__ inline void WaitForBlock() { WaitFlag<HardEvent::MTE2_MTE1>(BlockSlot()); }
  __aicore__ inline void EndBlock() {
    SetFlag<HardEvent::MTE1_MTE2>(BlockSlot());
    ++blocksUsed;
  }
  __aicore__ inline void LoadProbabilitiesA(const Step &, uint32_t, uint32_t rows, uint32_t, uint32_t k, uint32_t depth) {
    expert::LoadA(A2(), L1(BlockSlot()), rows, 0, rows, k, depth);
  }
  __aicore__ inline void HandOverScores(const Step &step, uint32_t slot, uint32_t row, uint32_t column, uint32_t columns) {
    WriteOut(space.scores[slot * space.scoreSlot + row * problem.width + column], result, step, row, columns, problem.width);
  }
  __aicore__ inline void HandOverProducts(const Step &step, uint32_t index, uint32_t at, uint32_t row, uint32_t part) {
    WriteOut(space.products[index % SLOTS * space.productSlot + row * problem.size + part * partSize], at, step, row, partSize,
             problem.size);
  }
  __aicore__ inline void WriteOut(const GlobalTensor<float> &to, uint32_t at, const Step &step, uint32_t row, uint32_t columns,
                                  uint32_t pitch) {
    FixpipeParamsV220 params;
    params.nSize = columns;
    params.mSize = Least(BLOCK, step.rows - row);
    params.srcStride = PaddedRows(step, row);
    params.dstStride = pitch;
    Fixpipe(to, Result(at), params);
  }
  uint32_t blocksLoaded = 0, blocksUsed = 0; // of probabilities
#endif

  const Problem problem;
  uint32_t block;
  Workspace<T> space;
  GlobalTensor<T> qGm, kGm, vGm;
  uint32_t chunk, partSize, parts; // keys that are loaded at once; columns of values of a result, and their number
  uint32_t keysLoaded = 0, keysUsed = 0, valuesLoaded = 0, valuesUsed = 0;
  uint32_t half = 0, result = 0; // of L0A and L0B, and of L0C, that are next
};

template <typename T>
__aicore__ inline void Attention(GM_ADDR q, GM_ADDR k, GM_ADDR v, GM_ADDR o, GM_ADDR workspace, const Problem &problem) {
  if ASCEND_IS_AIC {
    Cube<T>(q, k, v, workspace, problem).Process();
  }
  if ASCEND_IS_AIV {
    Vectors<T>(o, workspace, problem).Process();
  }
}

} // namespace flash

// width: keys of a step, a multiple of 128. rows: queries of a tile, at most 256 (910B) or 128 (950). workspace: for each block, on the 910B,
// 3 rows (6 width + 4 size) bytes.
extern "C" __global__ __aicore__ void flash_attention_half(GM_ADDR q, GM_ADDR k, GM_ADDR v, GM_ADDR o, GM_ADDR workspace,
                                                           uint32_t heads, uint32_t queries, uint32_t keys, uint32_t size,
                                                           float scale, uint32_t causal, uint32_t rows, uint32_t width) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  flash::Attention<half>(q, k, v, o, workspace, {heads, queries, keys, size, scale, causal != 0, rows, width});
}

extern "C" __global__ __aicore__ void flash_attention_bfloat(GM_ADDR q, GM_ADDR k, GM_ADDR v, GM_ADDR o, GM_ADDR workspace,
                                                             uint32_t heads, uint32_t queries, uint32_t keys, uint32_t size,
                                                             float scale, uint32_t causal, uint32_t rows, uint32_t width) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  flash::Attention<bfloat16_t>(q, k, v, o, workspace, {heads, queries, keys, size, scale, causal != 0, rows, width});
}
