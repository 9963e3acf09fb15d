// The matrix unit's instructions: loads into L0, Mmad, Fixpipe.
#include "Bias.h"
#include "Exec.h"
#include "Scalars.h"
#include "ShortFloats.h"
#include "tilesmith/Isa/Chip.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace tilesmith::machine::exec {

namespace {
using isa::fractalBytes, isa::blockBytes;

// 16 x 16 elements of 16 bits. On C310 the fractals are those of one row of an NZ buffer (kStart = startIndex).
template <typename View> void loadData2D(View call, uint8_t *dst, const uint8_t *src, bool oneRow) {
  int64_t start = call.startIndex(), repeat = call.repeatTimes(), srcStride = call.srcStride(), dstGap = call.dstGap();
  bool transpose = call.ifTranspose() != 0;
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

void loadDataTranspose(isa::LoadDataTranspose call, int64_t size, uint8_t *dst, const uint8_t *src) {
  int64_t start = call.startIndex(), repeat = call.repeatTimes(), srcStride = call.srcStride();
  int64_t dstGap = call.dstGap(), dstFracGap = call.dstFracGap();
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
void loadData2DV2(isa::LoadData_2dV2 call, int64_t size, uint8_t *dst, const uint8_t *src) {
  int64_t mStart = call.mStart(), kStart = call.kStart(), mStep = call.mStep(), kStep = call.kStep();
  int64_t srcStride = call.srcStride(), dstStride = call.dstStride();
  auto from = [&](int64_t m, int64_t k) { return src + ((kStart + k) * srcStride + mStart + m) * fractalBytes; };
  auto to = [&](int64_t outer, int64_t inner) { return dst + (outer * dstStride + inner) * fractalBytes; };

  if (!call.ifTranspose()) {
    for (int64_t k = 0; k < kStep; ++k)
      std::memcpy(to(k, 0), from(0, k), size_t(mStep * fractalBytes));
    return;
  }
  switch (size) {
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
  family::LoadL0 call(instr);
  int64_t size = isa::sizeOf(instr.dtype);
  auto isEmpty = [](auto view) { return view.repeatTimes() <= 0; };
  if (instr.op == Opcode::LoadData_2dV2) {
    isa::LoadData_2dV2 view(instr);
    if (view.mStep() > 0 && view.kStep() > 0)
      loadData2DV2(view, size, memory.at(call.dst()), memory.at(call.src()));
  } else if (instr.op == Opcode::LoadData_2d) {
    isa::LoadData_2d view(instr);
    if (!isEmpty(view))
      loadData2D(view, memory.at(call.dst()), memory.at(call.src()), memory.arch == Arch::C310);
  } else {
    isa::LoadDataTranspose view(instr);
    if (!isEmpty(view))
      loadDataTranspose(view, size, memory.at(call.dst()), memory.at(call.src()));
  }
}

// Fractals straight from global memory.
void loadGlobal(const Instr &instr, const MemoryView &memory) {
  isa::LoadGmToL0 call(instr);
  if (call.repeatTimes() > 0)
    loadData2D(call, memory.at(call.dst()), memory.at(call.src()), /*oneRow=*/false);
}

void mmad(const Instr &instr, const MemoryView &memory) {
  MatrixProduct product;
  family::Mmad call(instr);
  product.m = call.m();
  product.n = call.n();
  product.k = call.k();
  if (product.m <= 0 || product.n <= 0 || product.k <= 0)
    return;
  product.c = memory.at(call.dst());
  product.a = memory.at(call.a());
  product.b = memory.at(call.b());
  product.init = call.init() != 0;
  bool isShort = instr.op == Opcode::MmadHf32 || instr.op == Opcode::MmadHf32Bias;
  if (instr.op == Opcode::MmadBias || instr.op == Opcode::MmadHf32Bias) {
    startFromBias(product, memory.at(isShort ? isa::MmadHf32Bias(instr).bias() : isa::MmadBias(instr).bias()));
    product.init = false;
  }
  if (isShort)
    shortenFactors(product, instr.op == Opcode::MmadHf32 ? isa::MmadHf32(instr).cut() : isa::MmadHf32Bias(instr).cut(),
                   memory.arch);
  product.nzOrder = memory.arch == Arch::C310;
  static thread_local std::vector<float> workspace;
  if (workspace.size() < size_t(product.workspaceSize()))
    workspace.resize(size_t(product.workspaceSize()));
  product.workspace = workspace.data();
  hostKernels().mmad(product, instr.dtype2);
}

void copyL1(const Instr &instr, const MemoryView &memory) {
  isa::CopyL1ToTable call(instr);
  int64_t size = isa::sizeOf(instr.dtype), size2 = isa::sizeOf(instr.dtype2), length = call.blockLen();
  uint8_t *dst = memory.at(call.dst());
  const uint8_t *src = memory.at(call.src());
  for (int64_t block = 0; block < call.blockCount(); ++block)
    for (int64_t i = 0; i < length; ++i)
      storeAs(instr.dtype, dst + block * (length * size + call.dstStride() * blockBytes) + i * size,
              loadAs(instr.dtype2, src + block * (length * size2 + call.srcStride() * blockBytes) + i * size2));
}

// One result as the quantisation makes it. The scale has the upper 19 bits of a float, an offset follows at bit 37.
static double quantised(double value, isa::QuantMode mode, int64_t scalar) {
  float scale = __builtin_bit_cast(float, uint32_t(scalar) & 0xffffe000u);
  int64_t offset = int64_t(uint64_t(scalar) << (64 - 46)) >> (64 - 9);
  switch (mode) {
  case isa::QuantMode::DEQF16:
  case isa::QuantMode::VDEQF16:
    return float(value) * scale;
  case isa::QuantMode::QF322B8_PRE:
  case isa::QuantMode::VQF322B8_PRE:
  case isa::QuantMode::REQ8:
  case isa::QuantMode::VREQ8:
    return std::nearbyint(double(float(value) * scale)) + double(offset);
  default:
    return value;
  }
}

namespace {
// Where a scaled result goes: matrices apart, in rows, or in columns of NZ.
struct ScaledResult {
  int64_t matrices = 1, srcMatrix = 0, dstMatrix = 0; // distances in bytes
  bool nz = true;
  int64_t columnBytes = blockBytes;
  const uint8_t *scales = nullptr; // a word for each column
  int64_t scale = 0;               // where there are none
};
} // namespace

static void writeScaled(const Instr &instr, const MemoryView &memory, const ScaledResult &result) {
  family::Fixpipe call(instr);
  int64_t size = isa::sizeOf(instr.dtype), n = call.nSize(), m = call.mSize(), columns = result.columnBytes / size;
  uint8_t *dst = memory.at(call.dst());
  const uint8_t *src = memory.at(call.src());
  bool isGlobal = call.dst().memory() == Memory::GM;
  RowsFn combine =
      isGlobal && memory.atomic != isa::AtomicOp::None ? hostKernels().atomic(memory.atomic, instr.dtype) : nullptr;
  for (int64_t matrix = 0; matrix < result.matrices; ++matrix)
    for (int64_t row = 0; row < m; ++row)
      for (int64_t i = 0; i < n; ++i) {
        const uint8_t *from = src + matrix * result.srcMatrix + ((i / 16 * call.srcStride() + row) * 16 + i % 16) * 4;
        int64_t scale = result.scale;
        if (result.scales)
          std::memcpy(&scale, result.scales + i * 8, 8);
        double value = loadAs(instr.dtype2, from);
        value = quantised(call.relu() ? std::max(value, 0.0) : value, call.quant(), scale);
        int64_t at = result.nz ? i / columns * call.dstStride() * blockBytes + (row * columns + i % columns) * size
                               : (row * call.dstStride() + i) * size;
        uint8_t *to = dst + matrix * result.dstMatrix + at, bytes[8] = {};
        storeAs(instr.dtype, bytes, value);
        if (!combine) {
          std::memcpy(to, bytes, size_t(size));
          continue;
        }
        Rows pair;
        pair.rows = pair.cols = 1;
        pair.dst = to;
        pair.src[0] = to;
        pair.src[1] = bytes;
        combine(pair);
      }
}

// Several matrices in GM.
template <typename View> static ScaledResult inGlobalMemory(View call, int64_t size) {
  return {call.ndNum(), call.srcNdStride() * 1024, call.dstNdStride() * size, call.nz() != 0, size == 4 ? 64 : 32};
}

static void fixpipeScaled(const Instr &instr, const MemoryView &memory) {
  int64_t size = isa::sizeOf(instr.dtype);
  ScaledResult result;
  switch (instr.op) {
  case Opcode::FixpipeQuant: {
    isa::FixpipeQuant call(instr);
    result = inGlobalMemory(call, size);
    result.scale = call.deqScalar();
    break;
  }
  case Opcode::FixpipeVector: {
    isa::FixpipeVector call(instr);
    result = inGlobalMemory(call, size);
    result.scales = memory.at(call.scales());
    break;
  }
  case Opcode::FixpipeVectorToL1:
    result.scales = memory.at(isa::FixpipeVectorToL1(instr).scales());
    break;
  default:
    result.scale = isa::FixpipeQuantToL1(instr).deqScalar();
  }
  writeScaled(instr, memory, result);
}

// Halves to both vector cores, or all to one.
static void fixpipeToUb(const Instr &instr, const MemoryView &memory) {
  isa::FixpipeToUb call(instr);
  int64_t size = isa::sizeOf(instr.dtype), size2 = isa::sizeOf(instr.dtype2), dual = call.dual();
  ResultRows rows;
  rows.nSize = dual == 2 ? call.nSize() / 2 : call.nSize();
  rows.mSize = dual == 1 ? call.mSize() / 2 : call.mSize();
  if (rows.nSize <= 0 || rows.mSize <= 0)
    return;
  rows.srcStride = call.srcStride();
  rows.relu = call.relu() != 0;
  rows.columns = call.nz() ? blockBytes / size : rows.nSize;
  rows.rowPitch = call.nz() ? blockBytes : call.dstStride() * size;
  rows.piecePitch = call.nz() ? call.dstStride() * blockBytes : 0;
  const uint8_t *src = memory.at(call.src());
  int64_t second = dual == 1 ? rows.mSize * 16 * size2 : rows.nSize / 16 * call.srcStride() * 16 * size2;
  for (int64_t half = 0; half < (dual ? 2 : 1); ++half) {
    rows.dst = memory.inUb(unsigned(dual ? half : call.subBlock()), call.dst().offset());
    rows.src = src + half * second;
    hostKernels().writeResult(rows, instr.dtype, instr.dtype2);
  }
}

void fixpipe(const Instr &instr, const MemoryView &memory) {
  if (instr.op == Opcode::FixpipeQuant || instr.op == Opcode::FixpipeVector || instr.op == Opcode::FixpipeQuantToL1 ||
      instr.op == Opcode::FixpipeVectorToL1)
    return fixpipeScaled(instr, memory);
  if (instr.op == Opcode::FixpipeToUb)
    return fixpipeToUb(instr, memory);
  int64_t size = isa::sizeOf(instr.dtype);
  bool toGm = instr.op == Opcode::FixpipeToGm;
  family::Fixpipe call(instr);
  ResultRows rows;
  rows.nSize = call.nSize();
  rows.mSize = call.mSize();
  if (rows.nSize <= 0 || rows.mSize <= 0)
    return;
  rows.dst = memory.at(call.dst());
  rows.src = memory.at(call.src());
  rows.srcStride = call.srcStride();
  rows.relu = call.relu() != 0;
  rows.columns = toGm ? rows.nSize : blockBytes / size;
  rows.rowPitch = toGm ? call.dstStride() * size : blockBytes;
  rows.piecePitch = toGm ? 0 : call.dstStride() * blockBytes;
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
