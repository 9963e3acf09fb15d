// The matrix unit's instructions: loads into L0, Mmad, Fixpipe.
#include "Exec.h"
#include "Scalars.h"
#include "tilesmith/Isa/Chip.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace tilesmith::machine::exec {

namespace {
using isa::fractalBytes, isa::blockBytes;

// 16 x 16 elements of 16 bits. On C310 the fractals are those of one row of an NZ buffer (kStart = startIndex).
void loadData2D(const Instr &instr, uint8_t *dst, const uint8_t *src, bool oneRow) {
  int64_t start = instr.args[2], repeat = instr.args[3], srcStride = instr.args[4], dstGap = instr.args[5];
  bool transpose = instr.args[6] != 0;
  if (oneRow) {
    start *= srcStride;
    dstGap = transpose ? 0 : dstGap;
  }
  if (!transpose && srcStride == 1 && dstGap == 0) {
    std::memcpy(dst, src + start * fractalBytes, size_t(repeat * fractalBytes));
    return;
  }
  for (int64_t r = 0; r < repeat; ++r) {
    const uint8_t *from = src + (start + r * srcStride) * fractalBytes;
    uint8_t *to = dst + r * (dstGap + 1) * fractalBytes;
    if (transpose)
      hostKernels().transpose16(to, 16, from, 16, 2);
    else
      std::memcpy(to, from, fractalBytes);
  }
}

// A 16 x 16 square of 32-bit elements is two source fractals side by side (16 x 8 each) and, turned, two destination
// fractals.
void transposeSquare32(uint8_t *to0, uint8_t *to1, const uint8_t *from0, const uint8_t *from1) {
  alignas(64) uint32_t square[16][16], turned[16][16];
  for (int64_t row = 0; row < 16; ++row) {
    std::memcpy(square[row], from0 + row * blockBytes, blockBytes);
    std::memcpy(square[row] + 8, from1 + row * blockBytes, blockBytes);
  }
  hostKernels().transpose16(reinterpret_cast<uint8_t *>(turned), 16, reinterpret_cast<uint8_t *>(square), 16, 4);
  for (int64_t row = 0; row < 16; ++row) {
    std::memcpy(to0 + row * blockBytes, turned[row], blockBytes);
    std::memcpy(to1 + row * blockBytes, turned[row] + 8, blockBytes);
  }
}

// A 32 x 32 square of bytes is two source fractals one below the other (16 x 32 each).
void transposeSquare8(uint8_t *to0, uint8_t *to1, const uint8_t *from0, const uint8_t *from1) {
  for (int64_t half = 0; half < 2; ++half) {
    const uint8_t *from = half ? from1 : from0;
    hostKernels().transpose16(to0 + half * 16, 32, from, 32, 1);
    hostKernels().transpose16(to1 + half * 16, 32, from + 16, 32, 1);
  }
}

void loadDataTranspose(const Instr &instr, uint8_t *dst, const uint8_t *src) {
  int64_t start = instr.args[2], repeat = instr.args[3], srcStride = instr.args[4];
  int64_t dstGap = instr.args[5], dstFracGap = instr.args[6];
  int64_t size = isa::sizeOf(instr.dtype);
  for (int64_t r = 0; r < repeat; ++r) {
    uint8_t *to = dst + r * (dstGap + 1) * fractalBytes, *second = to + (dstFracGap + 1) * fractalBytes;
    const uint8_t *square = src + (start + r * srcStride) * fractalBytes * (size == 1 ? 2 : 1);
    if (size == 2) {
      hostKernels().transpose16(to, 16, square, 16, 2);
      continue;
    }
    if (size == 1) {
      transposeSquare8(to, second, square, square + fractalBytes);
      continue;
    }
    const uint8_t *from = src + (start + r) * fractalBytes;
    transposeSquare32(to, to + (dstFracGap + 1) * fractalBytes, from, from + srcStride * fractalBytes);
  }
}

// Fractal (m, k) of L1 is number k * srcStride + m. As it is, it becomes number k * dstStride + m of L0. Transposed, m
// becomes the outer axis; the outer axis of L0 counts 32 bytes of elements, the inner one 16 elements.
void loadData2DV2(const Instr &instr, uint8_t *dst, const uint8_t *src) {
  int64_t mStart = instr.args[2], kStart = instr.args[3], mStep = instr.args[4], kStep = instr.args[5];
  int64_t srcStride = instr.args[6], dstStride = instr.args[7];
  auto from = [&](int64_t m, int64_t k) { return src + ((kStart + k) * srcStride + mStart + m) * fractalBytes; };
  auto to = [&](int64_t outer, int64_t inner) { return dst + (outer * dstStride + inner) * fractalBytes; };

  if (!instr.args[8]) {
    for (int64_t k = 0; k < kStep; ++k)
      std::memcpy(to(k, 0), from(0, k), size_t(mStep * fractalBytes));
    return;
  }
  switch (isa::sizeOf(instr.dtype)) {
  case 2:
    for (int64_t m = 0; m < mStep; ++m)
      for (int64_t k = 0; k < kStep; ++k)
        hostKernels().transpose16(to(m, k), 16, from(m, k), 16, 2);
    return;
  case 4:
    for (int64_t m = 0; m < mStep; ++m)
      for (int64_t k = 0; k + 1 < kStep; k += 2)
        transposeSquare32(to(2 * m, k / 2), to(2 * m + 1, k / 2), from(m, k), from(m, k + 1));
    return;
  case 1:
    for (int64_t m = 0; m + 1 < mStep; m += 2)
      for (int64_t k = 0; k < kStep; ++k)
        transposeSquare8(to(m / 2, 2 * k), to(m / 2, 2 * k + 1), from(m, k), from(m + 1, k));
    return;
  }
}
} // namespace

void loadL0(const Instr &instr, const MemoryView &memory) {
  bool isV2 = instr.op == Opcode::LoadData_2dV2;
  if (isV2 ? instr.args[4] <= 0 || instr.args[5] <= 0 : instr.args[3] <= 0)
    return;
  uint8_t *dst = memory.at(instr.address(0));
  const uint8_t *src = memory.at(instr.address(1));
  if (isV2)
    loadData2DV2(instr, dst, src);
  else if (instr.op == Opcode::LoadData_2d)
    loadData2D(instr, dst, src, memory.arch == Arch::C310);
  else
    loadDataTranspose(instr, dst, src);
}

void mmad(const Instr &instr, const MemoryView &memory) {
  MatrixProduct product;
  product.m = instr.args[3];
  product.n = instr.args[4];
  product.k = instr.args[5];
  if (product.m <= 0 || product.n <= 0 || product.k <= 0)
    return;
  product.c = memory.at(instr.address(0));
  product.a = memory.at(instr.address(1));
  product.b = memory.at(instr.address(2));
  product.init = instr.args[7] != 0;
  if (instr.op == Opcode::MmadBias) {
    // Every row starts from the bias; L0C holds columns of 16 elements.
    const uint8_t *bias = memory.at(instr.address(8));
    int64_t column = (product.m + 15) / 16 * fractalBytes * 2;
    for (int64_t n = 0; n < product.n; n += 16)
      for (int64_t row = 0; row < product.m; ++row)
        std::memcpy(product.c + n / 16 * column + row * 64, bias + n * 4,
                    size_t(std::min<int64_t>(product.n - n, 16) * 4));
    product.init = false;
  }
  product.nzOrder = memory.arch == Arch::C310;
  static thread_local std::vector<float> workspace;
  if (workspace.size() < size_t(product.workspaceSize()))
    workspace.resize(size_t(product.workspaceSize()));
  product.workspace = workspace.data();
  hostKernels().mmad(product, instr.dtype2);
}

void copyL1(const Instr &instr, const MemoryView &memory) {
  int64_t size = isa::sizeOf(instr.dtype), size2 = isa::sizeOf(instr.dtype2), length = instr.args[3];
  uint8_t *dst = memory.at(instr.address(0));
  const uint8_t *src = memory.at(instr.address(1));
  for (int64_t block = 0; block < instr.args[2]; ++block)
    for (int64_t i = 0; i < length; ++i)
      storeAs(instr.dtype, dst + block * (length * size + instr.args[5] * blockBytes) + i * size,
              loadAs(instr.dtype2, src + block * (length * size2 + instr.args[4] * blockBytes) + i * size2));
}

// One result as the quantisation makes it. The scale has the upper 19 bits of a float, an offset follows at bit 37.
static double quantised(double value, isa::QuantMode mode, int64_t scalar) {
  float scale = __builtin_bit_cast(float, uint32_t(scalar) & 0xffffe000u);
  int64_t offset = int64_t(uint64_t(scalar) << (64 - 46)) >> (64 - 9);
  switch (mode) {
  case isa::QuantMode::DEQF16:
    return float(value) * scale;
  case isa::QuantMode::QF322B8_PRE:
  case isa::QuantMode::REQ8:
    return std::nearbyint(double(float(value) * scale)) + double(offset);
  default:
    return value;
  }
}

static void fixpipeQuant(const Instr &instr, const MemoryView &memory) {
  int64_t size = isa::sizeOf(instr.dtype), n = instr.args[2], m = instr.args[3], columns = (size == 4 ? 64 : 32) / size;
  auto mode = isa::QuantMode(instr.args[6]);
  uint8_t *dst = memory.at(instr.address(0));
  const uint8_t *src = memory.at(instr.address(1));
  RowsFn combine = memory.atomic == isa::AtomicOp::None ? nullptr : hostKernels().atomic(memory.atomic, instr.dtype);
  for (int64_t matrix = 0; matrix < instr.args[9]; ++matrix)
    for (int64_t row = 0; row < m; ++row)
      for (int64_t i = 0; i < n; ++i) {
        const uint8_t *from = src + matrix * instr.args[10] * 1024 + ((i / 16 * instr.args[4] + row) * 16 + i % 16) * 4;
        double value = loadAs(instr.dtype2, from);
        value = quantised(instr.args[7] ? std::max(value, 0.0) : value, mode, instr.args[8]);
        int64_t at = instr.args[12] ? i / columns * instr.args[5] * blockBytes + (row * columns + i % columns) * size
                                    : (row * instr.args[5] + i) * size;
        uint8_t *to = dst + matrix * instr.args[11] * size + at, result[8] = {};
        storeAs(instr.dtype, result, value);
        if (!combine) {
          std::memcpy(to, result, size_t(size));
          continue;
        }
        Rows pair;
        pair.rows = pair.cols = 1;
        pair.dst = to;
        pair.src[0] = to;
        pair.src[1] = result;
        combine(pair);
      }
}

void fixpipe(const Instr &instr, const MemoryView &memory) {
  if (instr.op == Opcode::FixpipeQuant)
    return fixpipeQuant(instr, memory);
  int64_t size = isa::sizeOf(instr.dtype);
  bool toGm = instr.op == Opcode::FixpipeToGm;
  ResultRows rows;
  rows.nSize = instr.args[2];
  rows.mSize = instr.args[3];
  if (rows.nSize <= 0 || rows.mSize <= 0)
    return;
  rows.dst = memory.at(instr.address(0));
  rows.src = memory.at(instr.address(1));
  rows.srcStride = instr.args[4];
  rows.relu = instr.args[7] != 0;
  rows.columns = toGm ? rows.nSize : blockBytes / size;
  rows.rowPitch = toGm ? instr.args[5] * size : blockBytes;
  rows.piecePitch = toGm ? 0 : instr.args[5] * blockBytes;
  if (!toGm || memory.atomic == isa::AtomicOp::None)
    return hostKernels().writeResult(rows, instr.dtype, instr.dtype2);

  // Atomic stores combine row by row what would have been written.
  RowsFn combine = hostKernels().atomic(memory.atomic, instr.dtype);
  if (!combine)
    return;
  Rows pair;
  pair.rows = rows.mSize;
  pair.cols = rows.nSize;
  pair.dst = rows.dst;
  pair.src[0] = rows.dst;
  pair.dstPitch = pair.srcPitch[0] = rows.rowPitch;
  std::vector<uint8_t> result(size_t(rows.mSize * rows.nSize * size));
  rows.dst = result.data();
  rows.rowPitch = rows.nSize * size;
  hostKernels().writeResult(rows, instr.dtype, instr.dtype2);
  pair.src[1] = result.data();
  pair.srcPitch[1] = rows.rowPitch;
  combine(pair);
}

} // namespace tilesmith::machine::exec
