// Products of floats of a byte and less: factors become f32 fractals, scaled where they have scales, and are multiplied
// as such. Every value, and every value times its scale, is an f32 (unless it leaves the range of f32), so the result
// is that of one fma per product, sequential in k, as of wider types.
#include "Bias.h"
#include "Exec.h"
#include "tilesmith/Isa/Chip.h"
#include "tilesmith/Machine/Element/Narrow.h"
#include <algorithm>
#include <cstring>
#include <vector>

namespace tilesmith::machine::exec {

namespace {
using isa::blockBytes, isa::fractalBytes, isa::fractalRows;

// One factor in L0: `rows` rows of k values in fractals of 16 rows of 32 bytes, column of fractals by column.
struct Factor {
  const uint8_t *bytes;
  const uint8_t *scales; // null: none
  DType type;
  int64_t rows, k;
};

// The same as fractals of f32, which have 8 values in a row.
void widen(const Factor &factor, float *out) {
  const std::array<float, 256> &values = narrowValues(factor.type), &powers = narrowValues(DType::F8E8M0);
  bool pairs = isa::bitsOf(factor.type) == 4;
  int64_t width = pairs ? 64 : 32, high = (factor.rows + 15) / 16 * 16;
  for (int64_t k1 = 0; k1 < factor.k; k1 += width)
    for (int64_t row = 0; row < factor.rows; ++row) {
      const uint8_t *from = factor.bytes + (k1 / width * high + row) * blockBytes;
      float line[64];
      int64_t count = std::min(width, factor.k - k1);
      for (int64_t i = 0; i < count; ++i)
        line[i] = pairs ? values[from[i / 2] >> (i % 2 * 4) & 15] : values[from[i]];
      if (factor.scales)
        for (int64_t i = 0; i < count; ++i) {
          int64_t block = (k1 + i) / isa::scaledValues;
          line[i] *= powers[factor.scales[(row / 16 * (factor.k / 64) + block / 2) * isa::scaleFractalBytes +
                                          row % 16 * 2 + block % 2]];
        }
      for (int64_t i = 0; i < count; i += 8)
        std::memcpy(out + ((k1 + i) / 8 * high + row) * 8, line + i, size_t(std::min<int64_t>(8, count - i)) * 4);
    }
}

// A single row, which becomes a plain vector.
void widenRow(const Factor &factor, float *out) {
  std::vector<float> fractals(size_t((factor.k + 7) / 8 * 16 * 8));
  widen(factor, fractals.data());
  for (int64_t i = 0; i < factor.k; ++i)
    out[i] = fractals[size_t(i / 8 * 16 * 8 + i % 8)];
}
} // namespace

void mmadNarrow(const Instr &instr, const MemoryView &memory) {
  family::Mmad call(instr);
  MatrixProduct product;
  product.m = call.m();
  product.n = call.n();
  product.k = call.k();
  if (product.m <= 0 || product.n <= 0 || product.k <= 0)
    return;
  product.c = memory.at(call.dst());
  product.init = call.init() != 0;
  product.nzOrder = true;
  const uint8_t *scales[2] = {}, *bias = nullptr;
  if (instr.op == Opcode::MmadMx || instr.op == Opcode::MmadMxBias) {
    bool biased = instr.op == Opcode::MmadMxBias;
    scales[0] = memory.at(biased ? isa::MmadMxBias(instr).aScales() : isa::MmadMx(instr).aScales());
    scales[1] = memory.at(biased ? isa::MmadMxBias(instr).bScales() : isa::MmadMx(instr).bScales());
    bias = biased ? memory.at(isa::MmadMxBias(instr).bias()) : nullptr;
  } else if (instr.op == Opcode::MmadFp8Bias)
    bias = memory.at(isa::MmadFp8Bias(instr).bias());
  if (bias) {
    startFromBias(product, bias);
    product.init = false;
  }
  Factor a{memory.at(call.a()), scales[0], instr.dtype, product.m, product.k};
  Factor b{memory.at(call.b()), scales[1], instr.dtype2, product.n, product.k};
  auto floats = [&](int64_t rows) { return size_t((rows + 15) / 16 * 16 * ((product.k + 7) / 8 * 8)); };
  static thread_local std::vector<float> wideA, wideB, workspace;
  auto atLeast = [](std::vector<float> &buffer, size_t size) {
    if (buffer.size() < size)
      buffer.resize(size);
    return buffer.data();
  };
  float *left = atLeast(wideA, floats(product.m)), *right = atLeast(wideB, floats(product.n));
  product.workspace = atLeast(workspace, size_t(product.workspaceSize()));
  bool plainVector = product.m == 1 && !scales[0]; // a matrix-vector product reads L0A as it lies there
  if (plainVector)
    std::transform(a.bytes, a.bytes + a.k, left, [&](uint8_t bits) { return narrowValues(a.type)[bits]; });
  else if (product.m == 1)
    widenRow(a, left);
  else
    widen(a, left);
  widen(b, right);
  product.a = reinterpret_cast<const uint8_t *>(left);
  product.b = reinterpret_cast<const uint8_t *>(right);
  hostKernels().mmad(product, DType::F32);
}

void loadScales(const Instr &instr, const MemoryView &memory) {
  isa::LoadScales call(instr);
  constexpr int64_t fractal = isa::scaleFractalBytes;
  if (call.xStep() <= 0 || call.yStep() <= 0)
    return;
  const uint8_t *from = memory.at(call.src()) + (call.xStart() * call.srcStride() + call.yStart()) * fractal;
  uint8_t *to = memory.at(call.dst());
  for (int64_t x = 0; x < call.xStep(); ++x)
    std::memmove(to + x * call.dstStride() * fractal, from + x * call.srcStride() * fractal,
                 size_t(call.yStep() * fractal));
}

} // namespace tilesmith::machine::exec
