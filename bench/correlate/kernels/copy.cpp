// Reads of global memory, as the vendor's sample of data copies varies them. Nothing consumes what was read.
#include "kernel_operator.h"

using namespace AscendC;

// The tiles a core reads in turn: a run of them, or all from a place of its own on.
struct Share {
  int64_t first, last;
  __aicore__ inline explicit Share(int64_t tiles)
      : first(tiles * GetBlockIdx() / GetBlockNum()), last(tiles * (GetBlockIdx() + 1) / GetBlockNum()) {}
};

// `height` rows of n halves in blocks of rows x cols into UB; `shift` elements past the alignment of the array.
extern "C" __global__ __aicore__ void read_ub(GM_ADDR x, int32_t height, int32_t n, int32_t rows, int32_t cols,
                                              int32_t shift) {
  GlobalTensor<half> xGm;
  xGm.SetGlobalBuffer((__gm__ half *)x + shift);
  int64_t across = n / cols;
  int32_t size = rows * cols, slots = 65536 / size > 1 ? 65536 / size : 1, slot = 0;
  slots = slots > 16 ? 16 : slots;
  DataCopyParams params(rows, cols * sizeof(half) / 32, (n - cols) * sizeof(half) / 32, 0);
  Share share(height / rows * across);
  for (int64_t i = share.first; i < share.last; ++i) {
    LocalTensor<half> to(TPosition::VECIN, slot * size * sizeof(half), size);
    int64_t at = i / across * rows * n + i % across * cols;
    if (rows == 1)
      DataCopy(to, xGm[at], cols);
    else
      DataCopy(to, xGm[at], params);
    slot = slot + 1 == slots ? 0 : slot + 1;
  }
}

// The same into L1, ND to NZ.
extern "C" __global__ __aicore__ void read_l1(GM_ADDR x, int32_t height, int32_t n, int32_t rows, int32_t cols,
                                              int32_t shift) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  GlobalTensor<half> xGm;
  xGm.SetGlobalBuffer((__gm__ half *)x + shift);
  int64_t across = n / cols;
  int32_t size = rows * cols, slots = 262144 / size > 16 ? 16 : 262144 / size, slot = 0;
  Nd2NzParams params(1, rows, cols, 0, n, rows, 1, 0);
  Share share(height / rows * across);
  for (int64_t i = share.first; i < share.last; ++i) {
    LocalTensor<half> to(TPosition::A1, slot * size * sizeof(half), size);
    DataCopy(to, xGm[i / across * rows * n + i % across * cols], params);
    slot = slot + 1 == slots ? 0 : slot + 1;
  }
}

// Every core reads all of a rows x cols matrix, tile by tile, past L2: in the same order, or each from its own place on.
template <TPosition to>
__aicore__ inline void readSame(GM_ADDR x, int32_t rows, int32_t cols, int32_t tileRows, int32_t stagger) {
  GlobalTensor<half> xGm;
  xGm.SetGlobalBuffer((__gm__ half *)x, int64_t(rows) * cols);
  xGm.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);
  int32_t tiles = rows / tileRows, size = tileRows * cols;
  int32_t begin = stagger ? tiles * GetBlockIdx() / GetBlockNum() : 0;
  for (int32_t i = 0; i < tiles; ++i) {
    LocalTensor<half> local(to, i % 2 * size * sizeof(half), size);
    DataCopy(local, xGm[int64_t((begin + i) % tiles) * size], size);
  }
}

extern "C" __global__ __aicore__ void same_ub(GM_ADDR x, int32_t rows, int32_t cols, int32_t tileRows, int32_t stagger) {
  readSame<TPosition::VECIN>(x, rows, cols, tileRows, stagger);
}

extern "C" __global__ __aicore__ void same_l1(GM_ADDR x, int32_t rows, int32_t cols, int32_t tileRows, int32_t stagger) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  readSame<TPosition::A1>(x, rows, cols, tileRows, stagger);
}

// A matrix of n x n halves in `slices` of rows, each read `times` times before the next: all but the first from L2.
extern "C" __global__ __aicore__ void read_again(GM_ADDR x, int32_t n, int32_t slices, int32_t times, int32_t tile) {
  GlobalTensor<half> xGm;
  xGm.SetGlobalBuffer((__gm__ half *)x, int64_t(n) * n);
  int64_t perSlice = int64_t(n) * n / slices / tile;
  Share share(perSlice);
  for (int32_t slice = 0; slice < slices; ++slice)
    for (int32_t time = 0; time < times; ++time)
      for (int64_t i = share.first; i < share.last; ++i) {
        LocalTensor<half> to(TPosition::VECIN, i % 2 * tile * sizeof(half), tile);
        DataCopy(to, xGm[(slice * perSlice + i) * tile], tile);
      }
}
