// Traces of whole kernels, as the compiler would make them, for replay to time.
#ifndef TILESMITH_UNITTESTS_MACHINE_TRACEKERNELS_H
#define TILESMITH_UNITTESTS_MACHINE_TRACEKERNELS_H

#include "TraceBuilder.h"
#include <algorithm>

namespace tilesmith::machine::test {

inline constexpr int64_t KiB = 1024, MiB = 1024 * KiB;

// z = x + y over `total` f16, tile by tile through `buffers` sets of UB tiles, as queues do it: a full and an empty
// flag each way.
inline std::vector<BlockTrace> addKernel(int64_t total, int64_t tile, int64_t blocks, int64_t buffers) {
  std::vector<BlockTrace> traces;
  int64_t tiles = total / tile, bytes = tile * 2, x = MiB, y = x + total * 2, z = y + total * 2;
  for (int64_t block = 0; block < blocks; ++block) {
    TraceBuilder b(block);
    for (int64_t i = 0; i < buffers; ++i)
      b.set(Pipe::V, Pipe::MTE2, i).set(Pipe::V, Pipe::MTE2, i + 2).set(Pipe::MTE3, Pipe::V, i);
    int64_t first = tiles * block / blocks, last = tiles * (block + 1) / blocks;
    for (int64_t t = first; t < last; ++t) {
      int64_t i = (t - first) % buffers, ux = i * bytes * 3, uy = ux + bytes, uz = uy + bytes;
      b.wait(Pipe::V, Pipe::MTE2, i).load(ux, x + t * bytes, bytes).set(Pipe::MTE2, Pipe::V, i);
      b.wait(Pipe::V, Pipe::MTE2, i + 2).load(uy, y + t * bytes, bytes).set(Pipe::MTE2, Pipe::V, i + 2);
      b.wait(Pipe::MTE2, Pipe::V, i)
          .wait(Pipe::MTE2, Pipe::V, i + 2)
          .wait(Pipe::MTE3, Pipe::V, i)
          .add(uz, ux, uy, tile);
      b.set(Pipe::V, Pipe::MTE2, i).set(Pipe::V, Pipe::MTE2, i + 2).flag(Pipe::V, Pipe::MTE3, i);
      b.store(z + t * bytes, uz, bytes).set(Pipe::MTE3, Pipe::V, i);
    }
    for (int64_t i = 0; i < buffers; ++i)
      b.wait(Pipe::V, Pipe::MTE2, i).wait(Pipe::V, Pipe::MTE2, i + 2).wait(Pipe::MTE3, Pipe::V, i);
    traces.push_back(std::move(b.trace));
  }
  return traces;
}

// Reads an n x n f16 matrix in blocks of rows x cols.
inline std::vector<BlockTrace> readKernel(int64_t n, int64_t rows, int64_t cols, int64_t blocks, bool toL1 = false) {
  std::vector<BlockTrace> traces;
  int64_t across = n / cols, tiles = n / rows * across;
  for (int64_t block = 0; block < blocks; ++block) {
    TraceBuilder b(block);
    for (int64_t t = tiles * block / blocks; t < tiles * (block + 1) / blocks; ++t) {
      int64_t at = MiB + (t / across * rows * n + t % across * cols) * 2;
      toL1 ? b.loadNz(0, at, rows, cols, n) : b.load(0, at, cols * 2, rows, (n - cols) * 2);
    }
    traces.push_back(std::move(b.trace));
  }
  return traces;
}

// c = a * b, n cubed, f16: tiles of m x n, 256 deep in L1 and 64 deep in L0, everything double buffered.
inline std::vector<BlockTrace> matmulKernel(int64_t n, int64_t tileM, int64_t tileN, int64_t blocks, Arch arch) {
  constexpr int64_t deepL1 = 256, deepL0 = 64;
  std::vector<BlockTrace> traces;
  int64_t a = MiB, b1 = a + n * n * 2, c = b1 + n * n * 2, down = n / tileM, tiles = down * (n / tileN);
  for (int64_t block = 0; block < blocks; ++block) {
    TraceBuilder b(block);
    for (int i = 0; i < 2; ++i)
      b.set(Pipe::MTE1, Pipe::MTE2, i).set(Pipe::M, Pipe::MTE1, i);
    b.set(Pipe::FIX, Pipe::M);
    int64_t step = 0, half = 0;
    for (int64_t t = block; t < tiles; t += blocks) {
      int64_t row = t % down * tileM, col = t / down * tileN;
      b.wait(Pipe::FIX, Pipe::M);
      for (int64_t k = 0; k < n; k += deepL1, ++step) {
        int64_t i = step % 2, at = i * (tileM + tileN) * deepL1 * 2;
        b.wait(Pipe::MTE1, Pipe::MTE2, i).loadNz(at, a + (row * n + k) * 2, tileM, deepL1, n);
        b.loadNz(at + tileM * deepL1 * 2, b1 + (k * n + col) * 2, deepL1, tileN, n).flag(Pipe::MTE2, Pipe::MTE1, i);
        for (int64_t kk = 0; kk < deepL1; kk += deepL0, ++half) {
          int64_t j = half % 2, deep = deepL0 / 16;
          b.wait(Pipe::M, Pipe::MTE1, j);
          if (arch == Arch::C310)
            b.call(Opcode::LoadData_2dV2, {l0a(j * 32 * KiB), l1(at), 0, 0, tileM / 16, deep, 1, 1, 0})
                .call(Opcode::LoadData_2dV2, {l0b(j * 32 * KiB), l1(at), 0, 0, tileN / 16, deep, 1, 1, 0});
          else
            b.call(Opcode::LoadData_2d, {l0a(j * 32 * KiB), l1(at), 0, tileM / 16 * deep, 1, 0, 0})
                .call(Opcode::LoadData_2d, {l0b(j * 32 * KiB), l1(at), 0, tileN / 16 * deep, 1, 0, 0});
          b.flag(Pipe::MTE1, Pipe::M, j).mmad(tileM, tileN, deepL0, k + kk == 0).set(Pipe::M, Pipe::MTE1, j);
        }
        b.set(Pipe::MTE1, Pipe::MTE2, i);
      }
      b.flag(Pipe::M, Pipe::FIX);
      b.call(Opcode::FixpipeToGm, {gm(c + (row * n + col) * 2), l0c(0), tileN, tileM, tileM, n, 1, 0, 0}, DType::F16,
             DType::F32);
      b.set(Pipe::FIX, Pipe::M);
    }
    for (int i = 0; i < 2; ++i)
      b.wait(Pipe::MTE1, Pipe::MTE2, i).wait(Pipe::M, Pipe::MTE1, i);
    b.wait(Pipe::FIX, Pipe::M);
    traces.push_back(std::move(b.trace));
  }
  return traces;
}

// One array in, one out (`shrink` times smaller), through a vector function on tiles of 8192 elements, double buffered.
inline std::vector<BlockTrace> vectorKernel(int64_t total, int64_t size, int64_t blocks, const TsVfDesc &desc,
                                            int64_t shrink = 1) {
  constexpr int64_t tile = 8192;
  std::vector<BlockTrace> traces;
  int64_t share = (total + blocks - 1) / blocks, x = MiB, z = x + total * size;
  for (int64_t block = 0; block < blocks; ++block) {
    TraceBuilder b(block);
    for (int i = 0; i < 2; ++i)
      b.set(Pipe::V, Pipe::MTE2, i).set(Pipe::MTE3, Pipe::V, i);
    int64_t end = std::min(total, (block + 1) * share), i = 0;
    for (int64_t at = block * share; at < end; at += tile, i = 1 - i) {
      int64_t bytes = std::min(tile, end - at) * size;
      b.wait(Pipe::V, Pipe::MTE2, i).load(i * 65536, x + at * size, bytes).flag(Pipe::MTE2, Pipe::V, i);
      b.wait(Pipe::MTE3, Pipe::V, i).vf(desc, {}).set(Pipe::V, Pipe::MTE2, i).flag(Pipe::V, Pipe::MTE3, i);
      b.store(z + at * size / shrink, 131072, bytes / shrink).set(Pipe::MTE3, Pipe::V, i);
    }
    for (int i = 0; i < 2; ++i)
      b.wait(Pipe::V, Pipe::MTE2, i).wait(Pipe::MTE3, Pipe::V, i);
    traces.push_back(std::move(b.trace));
  }
  return traces;
}

} // namespace tilesmith::machine::test

#endif // TILESMITH_UNITTESTS_MACHINE_TRACEKERNELS_H
