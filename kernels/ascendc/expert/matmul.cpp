// C = A B on the cube cores, as an expert writes it: row-major A [m, k] and B [k, n] in float16 or bfloat16, C [m, n] in
// float32 or float16, any shape. What makes it quick:
//
//  - *The largest result L0C holds*: 128 x 256 on the 910B, 256 x 256 on the 950. Each element of A is used 256 times for
//    each time it is loaded, each of B 128 or 256 times, and that is what L2 has to deliver while the cube works.
//  - *Two rings.* A stage of L1 is 64 to 128 KiB for each matrix (a load of rows to fractals costs 780 cycles on the 910B
//    however small it is); from it come several steps of 64 in k through L0A and L0B, each of which is there twice. Loads
//    run as many stages ahead as L1 has, across the border between two results as well.
//  - *Parts of the result.* L0C is full, so the next result cannot begin before this one is out. The last stages of a
//    result are multiplied for its first columns first, and the first stages of the next one too: the first columns are
//    written out while the others are still being multiplied, and the last ones behind the next result's first.
//  - *Even rounds.* Rows are dealt out to results of nearly equal height (multiples of 16; the host says how many), so that
//    every core has the same number of them. Columns are not: rows of B and C would begin off the lines of L2.
//  - *Order for L2.* Results are taken in panels of a few columns, along a row of a panel first: what the cores load at
//    one time is a small rectangle of A and B, and the panel's part of B stays in L2 until A has passed it.
#include "cube.h"

using namespace AscendC;
using expert::CeilDiv;
using expert::FRACTAL;
using expert::Least;

namespace {

constexpr uint32_t STEP_K = 64; // of one Mmad: with 256 columns half of L0B
constexpr uint32_t MOST_N = 256;
// L1 has two rings. A slot of A is deep, because a row of A costs a burst however short it is; a row of B is 512 bytes long.
#if __NPU_ARCH__ == 3510
constexpr uint32_t MOST_M = 256;
constexpr uint32_t DEPTH_A = 256, SLOTS_A = 2; // of 128 KiB
constexpr uint32_t DEPTH_B = 128, SLOTS_B = 4; // of 64 KiB
constexpr uint32_t BY_PARTS = 2; // stages of B: writing half a result takes longer than multiplying it by one
#else
constexpr uint32_t MOST_M = 128;
constexpr uint32_t DEPTH_A = 512, SLOTS_A = 2; // of 128 KiB
constexpr uint32_t DEPTH_B = 256, SLOTS_B = 2; // of 128 KiB
constexpr uint32_t BY_PARTS = 1; // here about half as long
#endif
constexpr uint32_t PER_A = DEPTH_A / DEPTH_B; // slots of B that go with one of A
constexpr uint32_t PARTS = 2, PART_N = MOST_N / PARTS;

struct Shape {
  uint32_t m, n, k;
  uint32_t rowTiles; // results over the height of C, nearly equal
  uint32_t panel;    // results over the width of a panel
};

// Where a result lies in C.
struct Tile {
  uint32_t row, column, rows, columns;
  __aicore__ inline uint32_t PaddedRows() const { return CeilDiv(rows, FRACTAL) * FRACTAL; }
  __aicore__ inline uint32_t PartColumns(uint32_t part) const {
    return columns <= part * PART_N ? 0 : Least(PART_N, columns - part * PART_N);
  }
};

__aicore__ inline Tile TileAt(const Shape &shape, uint32_t index) {
  uint32_t columnTiles = CeilDiv(shape.n, MOST_N);
  uint32_t inPanel = shape.panel * shape.rowTiles, firstColumn = index / inPanel * shape.panel;
  uint32_t width = Least(shape.panel, columnTiles - firstColumn);
  uint32_t inside = index % inPanel, tileColumn = firstColumn + inside % width;
  // Each panel begins a row further down: otherwise some cores would get a row of higher tiles in every panel.
  uint32_t tileRow = (inside / width + index / inPanel) % shape.rowTiles;
  uint32_t fractals = CeilDiv(shape.m, FRACTAL);
  uint32_t begin = fractals * tileRow / shape.rowTiles * FRACTAL, end = fractals * (tileRow + 1) / shape.rowTiles * FRACTAL;
  return {begin, tileColumn * MOST_N, Least(end, shape.m) - begin, Least(MOST_N, shape.n - tileColumn * MOST_N)};
}

// A place in the sequence of all stages of all results of this core: a stage is a slot of B, and a part of one of A.
struct Cursor {
  uint32_t tile, stage = 0, slotA = 0, slotB = 0;
};

template <typename In, typename Out> class Matmul {
public:
  __aicore__ inline Matmul(GM_ADDR a, GM_ADDR b, GM_ADDR c, const Shape &shape) : shape(shape) {
    aGm.SetGlobalBuffer((__gm__ In *)a, uint64_t(shape.m) * shape.k);
    bGm.SetGlobalBuffer((__gm__ In *)b, uint64_t(shape.k) * shape.n);
    cGm.SetGlobalBuffer((__gm__ Out *)c, uint64_t(shape.m) * shape.n);
    tiles = shape.rowTiles * CeilDiv(shape.n, MOST_N);
    stages = CeilDiv(shape.k, DEPTH_B);
  }

  __aicore__ inline void Process() {
    for (uint32_t id = 0; id < SLOTS_A + SLOTS_B; ++id)
      SetFlag<HardEvent::MTE1_MTE2>(id);
    for (uint32_t id = 0; id < 2; ++id)
      SetFlag<HardEvent::M_MTE1>(id);
    for (uint32_t id = 0; id < PARTS; ++id)
      SetFlag<HardEvent::FIX_M>(id);
    Cursor load{uint32_t(GetBlockIdx())}, use = load;
    while (use.tile < tiles) {
      while (load.tile < tiles && aheadB < SLOTS_B && (aheadA < SLOTS_A || !BeginsA(load)))
        LoadStage(load);
      UseStages(use);
    }
    for (uint32_t id = 0; id < SLOTS_A + SLOTS_B; ++id)
      WaitFlag<HardEvent::MTE1_MTE2>(id);
    for (uint32_t id = 0; id < 2; ++id)
      WaitFlag<HardEvent::M_MTE1>(id);
    for (uint32_t id = 0; id < PARTS; ++id)
      WaitFlag<HardEvent::FIX_M>(id);
  }

private:
  // L1: the slots of A, then those of B. L0A and L0B: two steps each. L0C: one result.
  __aicore__ inline LocalTensor<In> A1(uint32_t slot) {
    constexpr uint32_t bytes = MOST_M * DEPTH_A * sizeof(In);
    return LocalTensor<In>(TPosition::A1, slot * bytes, bytes / sizeof(In));
  }
  __aicore__ inline LocalTensor<In> B1(uint32_t slot) {
    constexpr uint32_t first = SLOTS_A * MOST_M * DEPTH_A * sizeof(In), bytes = DEPTH_B * MOST_N * sizeof(In);
    return LocalTensor<In>(TPosition::B1, first + slot * bytes, bytes / sizeof(In));
  }
  __aicore__ inline LocalTensor<In> A2(uint32_t slot) {
    constexpr uint32_t bytes = MOST_M * STEP_K * sizeof(In);
    return LocalTensor<In>(TPosition::A2, slot * bytes, bytes / sizeof(In));
  }
  __aicore__ inline LocalTensor<In> B2(uint32_t slot, uint32_t part) {
    constexpr uint32_t bytes = STEP_K * PART_N * sizeof(In);
    return LocalTensor<In>(TPosition::B2, (slot * PARTS + part) * bytes, bytes / sizeof(In));
  }
  __aicore__ inline LocalTensor<float> C1(uint32_t part) {
    constexpr uint32_t bytes = MOST_M * PART_N * sizeof(float);
    return LocalTensor<float>(TPosition::CO1, part * bytes, bytes / sizeof(float));
  }

  __aicore__ inline bool BeginsA(const Cursor &at) { return at.stage % PER_A == 0; }
  __aicore__ inline bool EndsA(const Cursor &at) { return at.stage % PER_A == PER_A - 1 || at.stage + 1 == stages; }
  __aicore__ inline void Advance(Cursor &at) {
    at.slotB = (at.slotB + 1) % SLOTS_B;
    if (EndsA(at))
      at.slotA = (at.slotA + 1) % SLOTS_A;
    if (++at.stage == stages) {
      at.stage = 0;
      at.tile += GetBlockNum();
    }
  }
  __aicore__ inline uint32_t DepthOf(const Cursor &at) { return Least(DEPTH_B, shape.k - at.stage * DEPTH_B); }

  // One stage to L1, with the slot of A that begins with it.
  __aicore__ inline void LoadStage(Cursor &at) {
    Tile tile = TileAt(shape, at.tile);
    uint32_t first = at.stage * DEPTH_B, depth = DepthOf(at);
    if (BeginsA(at)) {
      WaitFlag<HardEvent::MTE1_MTE2>(at.slotA);
      expert::LoadFractals(A1(at.slotA), aGm[uint64_t(tile.row) * shape.k + first], tile.rows, Least(DEPTH_A, shape.k - first),
                           shape.k, tile.PaddedRows());
      SetFlag<HardEvent::MTE2_MTE1>(at.slotA);
      ++aheadA;
    }
    WaitFlag<HardEvent::MTE1_MTE2>(SLOTS_A + at.slotB);
    expert::LoadFractals(B1(at.slotB), bGm[uint64_t(first) * shape.n + tile.column], depth, tile.columns, shape.n,
                         expert::RoundUp(depth, FRACTAL));
    SetFlag<HardEvent::MTE2_MTE1>(SLOTS_A + at.slotB);
    ++aheadB;
    Advance(at);
  }

  // Multiplies by the stage at the cursor, or by those of the first or the last slot of A, part after part.
  __aicore__ inline void UseStages(Cursor &at) {
    Tile tile = TileAt(shape, at.tile);
    bool isFirst = at.stage == 0, isLast = at.stage + BY_PARTS >= stages && at.stage % BY_PARTS == 0;
    uint32_t count = isFirst || isLast ? Least(BY_PARTS, stages - at.stage) : 1;
    if (isFirst || isLast) {
      for (uint32_t part = 0; part < PARTS; ++part) {
        if (isFirst)
          WaitFlag<HardEvent::FIX_M>(part);
        Multiply(at, count, tile, part, part + 1, part == 0);
        if (!isLast)
          continue;
        SetFlag<HardEvent::M_FIX>(part);
        WaitFlag<HardEvent::M_FIX>(part);
        WriteOut(tile, part);
        SetFlag<HardEvent::FIX_M>(part);
      }
    } else {
      Multiply(at, count, tile, 0, PARTS, true);
    }
    for (uint32_t i = 0; i < count; ++i, Advance(at)) {
      SetFlag<HardEvent::MTE1_MTE2>(SLOTS_A + at.slotB);
      --aheadB;
      if (EndsA(at)) {
        SetFlag<HardEvent::MTE1_MTE2>(at.slotA);
        --aheadA;
      }
    }
  }

  // Parts [begin, end) of the result by `count` stages, step after step. Stages that are used for the first time are
  // waited for.
  __aicore__ inline void Multiply(Cursor at, uint32_t count, const Tile &tile, uint32_t begin, uint32_t end, bool waits) {
    for (uint32_t i = 0; i < count && tile.PartColumns(begin) > 0; ++i, Advance(at)) {
      if (waits && BeginsA(at))
        WaitFlag<HardEvent::MTE2_MTE1>(at.slotA);
      if (waits)
        WaitFlag<HardEvent::MTE2_MTE1>(SLOTS_A + at.slotB);
      uint32_t depth = DepthOf(at), paddedDepth = CeilDiv(depth, FRACTAL) * FRACTAL;
      uint32_t firstInA = at.stage % PER_A * DEPTH_B;
      for (uint32_t k = 0; k < depth; k += STEP_K) {
        MmadParams params;
        params.m = tile.rows == 1 ? FRACTAL : tile.rows; // one row alone would be read as a plain vector
        params.k = Least(STEP_K, depth - k);
        params.cmatrixInitVal = at.stage == 0 && k == 0;
        WaitFlag<HardEvent::M_MTE1>(step);
        expert::LoadA(A2(step), A1(at.slotA), tile.PaddedRows(), 0, tile.PaddedRows(), firstInA + k, params.k);
        for (uint32_t part = begin; part < end && tile.PartColumns(part) > 0; ++part)
          expert::LoadB(B2(step, part), B1(at.slotB), paddedDepth, part * PART_N, tile.PartColumns(part), k, params.k);
        SetFlag<HardEvent::MTE1_M>(step);
        WaitFlag<HardEvent::MTE1_M>(step);
        for (uint32_t part = begin; part < end && tile.PartColumns(part) > 0; ++part) {
          params.n = tile.PartColumns(part);
          Mmad(C1(part), A2(step), B2(step, part), params);
          // Small products leave the pipeline of the cube empty: one that adds to the last must wait for it.
          if ((params.m / FRACTAL) * (params.n / FRACTAL) < 10)
            PipeBarrier<PIPE_M>();
        }
        SetFlag<HardEvent::M_MTE1>(step);
        step ^= 1;
      }
    }
  }

  __aicore__ inline void WriteOut(const Tile &tile, uint32_t part) {
    if (tile.PartColumns(part) == 0)
      return;
    FixpipeParamsV220 params;
    params.nSize = tile.PartColumns(part);
    params.mSize = tile.rows;
    params.srcStride = tile.PaddedRows();
    params.dstStride = shape.n;
    if constexpr (sizeof(Out) == 2)
      params.quantPre = QuantMode_t::F322F16;
    Fixpipe(cGm[uint64_t(tile.row) * shape.n + tile.column + part * PART_N], C1(part), params);
  }

  const Shape shape;
  GlobalTensor<In> aGm, bGm;
  GlobalTensor<Out> cGm;
  uint32_t tiles, stages;
  uint32_t aheadA = 0, aheadB = 0; // slots that are loaded, or being loaded, and not used up
  uint32_t step = 0; // the half of L0A and L0B that is next
};

} // namespace

// rowTiles: at least m / 128 (910B) or m / 256 (950), at most m / 16, rounded up. panel: 1 to n / 256, rounded up.
extern "C" __global__ __aicore__ void matmul_half_float(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t m, uint32_t n, uint32_t k,
                                                        uint32_t rowTiles, uint32_t panel) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  Matmul<half, float>(a, b, c, {m, n, k, rowTiles, panel}).Process();
}

extern "C" __global__ __aicore__ void matmul_half_half(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t m, uint32_t n, uint32_t k,
                                                       uint32_t rowTiles, uint32_t panel) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  Matmul<half, half>(a, b, c, {m, n, k, rowTiles, panel}).Process();
}
