// The inner loops of execution, built once per CPU.
//
// Everything behind `Kernels` works on host pointers whose ranges were validated; forms, addresses and strides are
// resolved before (Execute.cpp). Files that implement it are compiled once per variant, inside the namespace
// TS_EXEC_VARIANT, and use nothing of the standard library that could be emitted as a shared inline function: such a
// function, built for AVX-512, might be the copy the linker keeps for everybody.
#ifndef TILESMITH_LIB_MACHINE_EXEC_KERNELS_H
#define TILESMITH_LIB_MACHINE_EXEC_KERNELS_H

#include "tilesmith/Isa/Isa.h"

namespace tilesmith::machine {

// `rows` rows of `cols` elements. Pitches are bytes between rows, 0 repeats a row. Packed bits (comparison results and
// selection masks) have a pitch in bytes too and start each row in bit 0.
struct Rows {
  uint8_t *dst = nullptr;
  const uint8_t *src[3] = {};
  int64_t dstPitch = 0, srcPitch[3] = {};
  int64_t rows = 1, cols = 0;
  int64_t scalar = 0; // bits of the instruction's dtype
  int64_t mode = 0;   // CmpMode or RoundMode
};
using RowsFn = void (*)(const Rows &);

// C[m,n] (+)= A[m,k] B[k,n] on L0 buffers in their fractal layouts (hardware.md 1.3, c310.md 3.1).
struct MatrixProduct {
  uint8_t *c = nullptr;
  const uint8_t *a = nullptr, *b = nullptr;
  int64_t m = 0, n = 0, k = 0;
  bool init = true;     // start from zero
  bool nzOrder = false; // L0A fractals column-major (C310) instead of row-major (C220)
  float *workspace = nullptr;

  // Values of k handled at once, and the floats of workspace that takes: A panel, B panels, rows of C.
  static constexpr int64_t sliceK = 512, panelPitch = sliceK + 16, columnBlock = 32;
  int64_t columns() const { return (n + columnBlock - 1) / columnBlock * columnBlock; }
  int64_t workspaceSize() const { return 16 * panelPitch + columns() * ((k < sliceK ? k : sliceK) + 16); }
};

// mSize x nSize of an L0C buffer; element (m, n) at ((n / 16) * srcStride + m) * 16 + n % 16.
struct ResultRows {
  uint8_t *dst = nullptr;
  const uint8_t *src = nullptr;
  int64_t mSize = 0, nSize = 0, srcStride = 0;
  int64_t columns = 0;                  // elements per piece of a row: nSize row-major, 32 bytes in NZ
  int64_t rowPitch = 0, piecePitch = 0; // bytes
  bool relu = false;
};

struct Kernels {
  const char *name;
  // Null where the instruction does not take the dtype. Repeat and count opcodes share a kernel.
  RowsFn (*unary)(isa::Opcode, isa::DType);
  RowsFn (*binary)(isa::Opcode, isa::DType);
  RowsFn (*scalar)(isa::Opcode, isa::DType);
  RowsFn (*cast)(isa::DType to, isa::DType from, isa::RoundMode);
  RowsFn (*compare)(isa::DType, isa::CmpMode);
  RowsFn (*compareScalar)(isa::DType, isa::CmpMode);
  RowsFn (*select)(isa::DType);
  // One result per row, at dst + row * dstPitch.
  RowsFn (*reduce)(isa::Opcode, isa::DType);
  RowsFn (*duplicate)(unsigned elementSize);
  // dst and dst combined with src[0], for atomics.
  RowsFn (*atomic)(isa::AtomicOp, isa::DType);
  // 16 x 16 elements of 2 or 4 bytes, pitches in elements.
  void (*transpose16)(uint8_t *dst, int64_t dstPitch, const uint8_t *src, int64_t srcPitch, unsigned elementSize);
  // Copies past the host's caches; what was copied so is visible to other threads after a fence.
  void (*stream)(uint8_t *dst, const uint8_t *src, int64_t bytes);
  void (*mmad)(const MatrixProduct &, isa::DType input);
  void (*writeResult)(const ResultRows &, isa::DType to, isa::DType from);
};

namespace baseline {
extern const Kernels kernels;
}
namespace avx2 {
extern const Kernels kernels;
}
namespace avx512 {
extern const Kernels kernels;
}

// The variant for this host, chosen once.
const Kernels &hostKernels();

} // namespace tilesmith::machine

#endif
