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
    uint32_t tile = step.tile % 2;
    if (step.isFirst)
      WaitFlag<HardEvent::MTE2_MTE1>(QUERIES + tile);
    for (uint32_t first = 0; first < step.keys; first += chunk) {
      if (first + chunk < step.keys)
        LoadKeys(step, first + chunk);
      else if (next.More())
        LoadKeys(next.Now(), 0);
      uint32_t slot = keysUsed++ % 2, count = Least(chunk, step.keys - first);
      WaitFlag<HardEvent::MTE2_MTE1>(KEYS + slot);
      for (uint32_t column = 0; column < count; column += BLOCK) {
        uint32_t columns = Least(BLOCK, count - column);
        BeginResult();
        for (uint32_t k = 0; k < problem.size; k += BLOCK) {
          uint32_t depth = Least(BLOCK, problem.size - k);
          WaitFlag<HardEvent::M_MTE1>(half);
          expert::LoadA(A2(), L1(QUERIES + tile), step.PaddedRows(), k, depth);
          expert::LoadTransposedB(B2(), L1(KEYS + slot), RoundUp(count, 16), column, columns, k, depth);
          Multiply(step, RoundUp(columns, 16), depth, k == 0);
        }
        EndResult();
        HandOverScores(step, index % SLOTS, first + column, columns);
        SetFlag<HardEvent::FIX_M>(result);
        result = (result + 1) % RESULTS;
      }
      SetFlag<HardEvent::MTE1_MTE2>(KEYS + slot);
    }
    if (step.isLast)
      SetFlag<HardEvent::MTE1_MTE2>(QUERIES + tile);
    CrossCoreSetFlag<2, PIPE_FIX>(SCORES);
  }

  // Products: probabilities by values, for BLOCK columns of these after others.
  __aicore__ inline void Second(const Step &step, uint32_t index, const Steps &next) {
    uint32_t chunks = CeilDiv(step.keys, chunk), pieces = parts * chunks;
    for (uint32_t piece = 0; piece < pieces; ++piece) {
      uint32_t slot = valuesUsed++ % 2, first = piece % chunks * chunk, count = Least(chunk, step.keys - first);
      if (piece == 0)
        WaitForProbabilities();
      LoadProbabilities(step, index % SLOTS, slot, first, count);
      if (piece + 1 < pieces)
        LoadValues(step, piece + 1);
      else if (next.More())
        LoadValues(next.Now(), 0);
      WaitFlag<HardEvent::MTE2_MTE1>(VALUES + slot);
      if (first == 0)
        BeginResult();
      for (uint32_t k = 0; k < count; k += BLOCK) {
        uint32_t depth = Least(BLOCK, count - k);
        WaitFlag<HardEvent::M_MTE1>(half);
        LoadProbabilitiesA(step, index % SLOTS, slot, first, k, depth);
        expert::LoadB(B2(), L1(VALUES + slot), RoundUp(count, 16), 0, partSize, k, depth);
        Multiply(step, partSize, depth, first + k == 0);
      }
      SetFlag<HardEvent::MTE1_MTE2>(VALUES + slot);
      if (first + count < step.keys)
        continue;
      EndResult();
      HandOverProducts(step, index, piece / chunks);
      SetFlag<HardEvent::FIX_M>(result);
      result = (result + 1) % RESULTS;
    }
    CrossCoreSetFlag<2, PIPE_FIX>(PRODUCTS);
  }

private:
  static constexpr uint32_t SLOT_SIZE = SLOT_BYTES / sizeof(T);
  static constexpr uint32_t RESULT_BYTES = MOST_ROWS * BLOCK * sizeof(float);
  static constexpr uint32_t RESULTS = (__NPU_ARCH__ == 3510 ? 256 : 128) * 1024 / RESULT_BYTES; // in L0C

  __aicore__ inline LocalTensor<T> L1(uint32_t slot) {
    return LocalTensor<T>(TPosition::A1, slot * SLOT_BYTES, SLOT_SIZE);
  }
  __aicore__ inline LocalTensor<T> A2() {
    constexpr uint32_t bytes = MOST_ROWS * BLOCK * sizeof(T);
    return LocalTensor<T>(TPosition::A2, half * bytes, bytes / sizeof(T));
  }
  __aicore__ inline LocalTensor<T> B2() {
    constexpr uint32_t bytes = BLOCK * BLOCK * sizeof(T);
    return LocalTensor<T>(TPosition::B2, half * bytes, bytes / sizeof(T));
  }
  __aicore__ inline LocalTensor<float> Result() {
    return LocalTensor<float>(TPosition::CO1, result * RESULT_BYTES, RESULT_BYTES / sizeof(float));
  }

  // A chunk of keys, before the first of a tile its queries.
  __aicore__ inline void LoadKeys(const Step &step, uint32_t first) {
    if (step.isFirst && first == 0) {
      uint32_t slot = QUERIES + step.tile % 2;
      WaitFlag<HardEvent::MTE1_MTE2>(slot);
      expert::LoadFractals(L1(slot), qGm[(uint64_t(step.head) * problem.queries + step.row) * problem.size], step.rows,
                           problem.size, problem.size, step.PaddedRows());
      SetFlag<HardEvent::MTE2_MTE1>(slot);
    }
    uint32_t slot = KEYS + keysLoaded++ % 2, count = Least(chunk, step.keys - first);
    WaitFlag<HardEvent::MTE1_MTE2>(slot);
    expert::LoadFractals(L1(slot), kGm[(uint64_t(step.head) * problem.keys + step.key + first) * problem.size], count,
                         problem.size, problem.size, RoundUp(count, 16));
    SetFlag<HardEvent::MTE2_MTE1>(slot);
  }
  // A chunk of a part of the columns of the values. On the 910B their probabilities follow, and the flag with them.
  __aicore__ inline void LoadValues(const Step &step, uint32_t piece) {
    uint32_t chunks = CeilDiv(step.keys, chunk), first = piece % chunks * chunk, part = piece / chunks;
    uint32_t slot = VALUES + valuesLoaded++ % 2, count = Least(chunk, step.keys - first);
    WaitFlag<HardEvent::MTE1_MTE2>(slot);
    expert::LoadFractals(L1(slot), vGm[(uint64_t(step.head) * problem.keys + step.key + first) * problem.size + part * partSize],
                         count, partSize, problem.size, RoundUp(count, 16));
#if __NPU_ARCH__ == 3510
    SetFlag<HardEvent::MTE2_MTE1>(slot);
#endif
  }

  // A result in L0C: begun when it is written out, multiplied, written out.
  __aicore__ inline void BeginResult() { WaitFlag<HardEvent::FIX_M>(result); }
  __aicore__ inline void Multiply(const Step &step, uint32_t columns, uint32_t depth, bool isFirst) {
    SetFlag<HardEvent::MTE1_M>(half);
    WaitFlag<HardEvent::MTE1_M>(half);
    MmadParams params;
    params.m = step.PaddedRows();
    params.n = columns;
    params.k = depth;
    params.cmatrixInitVal = isFirst;
    Mmad(Result(), A2(), B2(), params);
    // Small products leave the pipeline of the cube empty: one that adds to the last must wait for it.
    if ((params.m / 16) * CeilDiv(columns, 16) < 10)
      PipeBarrier<PIPE_M>();
    SetFlag<HardEvent::M_MTE1>(half);
    half ^= 1;
  }
  __aicore__ inline void EndResult() {
    SetFlag<HardEvent::M_FIX>(result);
    WaitFlag<HardEvent::M_FIX>(result);
  }

#if __NPU_ARCH__ == 3510
  // The vectors write probabilities where L0A wants them; the upper half of a result goes to the first of them.
  __aicore__ inline void WaitForProbabilities() { CrossCoreWaitFlag<2, PIPE_MTE1>(PROBABILITIES); }
  __aicore__ inline void LoadProbabilities(const Step &, uint32_t, uint32_t, uint32_t, uint32_t) {}
  __aicore__ inline void LoadProbabilitiesA(const Step &step, uint32_t ofStep, uint32_t, uint32_t first, uint32_t k, uint32_t depth) {
    expert::LoadA(A2(), L1(OF_PROBABILITIES + ofStep), step.PaddedRows(), first + k, depth);
  }
  __aicore__ inline void HandOverScores(const Step &step, uint32_t slot, uint32_t column, uint32_t columns) {
    ToVectors(UbMap::Scores(problem, slot)[column], step, RoundUp(columns, 16), problem.width);
  }
  __aicore__ inline void HandOverProducts(const Step &step, uint32_t index, uint32_t part) {
    if (part == 0 && index > 0)
      CrossCoreWaitFlag<2, PIPE_FIX>(TAKEN);
    ToVectors(UbMap::Products(problem)[part * partSize], step, partSize, problem.size);
  }
  __aicore__ inline void ToVectors(const LocalTensor<float> &to, const Step &step, uint32_t columns, uint32_t pitch) {
    static constexpr FixpipeConfig toUb = {CO2Layout::ROW_MAJOR, true};
    FixpipeParamsC310<CO2Layout::ROW_MAJOR> params;
    params.nSize = columns;
    params.mSize = params.srcStride = step.PaddedRows();
    params.dstStride = pitch;
    params.dualDstCtl = 1;
    Fixpipe<float, float, toUb>(to, Result(), params);
  }
#else
  __aicore__ inline void WaitForProbabilities() { CrossCoreWaitFlag(PROBABILITIES); }
  __aicore__ inline void LoadProbabilities(const Step &step, uint32_t ofStep, uint32_t slot, uint32_t first, uint32_t count) {
    expert::LoadFractals(L1(OF_PROBABILITIES + slot), space.probabilities[ofStep * space.scoreSlot + first], step.rows, count,
                         problem.width, step.PaddedRows());
    SetFlag<HardEvent::MTE2_MTE1>(VALUES + slot);
  }
  __aicore__ inline void LoadProbabilitiesA(const Step &step, uint32_t, uint32_t slot, uint32_t, uint32_t k, uint32_t depth) {
    expert::LoadA(A2(), L1(OF_PROBABILITIES + slot), step.PaddedRows(), k, depth);
  }
  __aicore__ inline void HandOverScores(const Step &step, uint32_t slot, uint32_t column, uint32_t columns) {
    WriteOut(space.scores[slot * space.scoreSlot + column], step, columns, problem.width);
  }
  __aicore__ inline void HandOverProducts(const Step &step, uint32_t index, uint32_t part) {
    WriteOut(space.products[index % SLOTS * space.productSlot + part * partSize], step, partSize, problem.size);
  }
  __aicore__ inline void WriteOut(const GlobalTensor<float> &to, const Step &step, uint32_t columns, uint32_t pitch) {
    FixpipeParamsV220 params;
    params.nSize = columns;
    params.mSize = step.rows;
    params.srcStride = step.PaddedRows();
    params.dstStride = pitch;
    Fixpipe(to, Result(), params);
  }
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

// width: keys of a step, a multiple of 128. rows: queries of a tile, at most 128. workspace: for each block, on the 910B,
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
