// Mmad: the matrix unit.
//
// C[m,n] accumulates in f32, one fma per product, sequential in k; n is the vector direction, so the order does not
// depend on the register block. Fractals are widened to f32 panels once per instruction: A row by row, B turned so that
// a row of the panel holds one k. int8 products run through the same loops in slices of k short enough that every
// partial sum is an integer below 2^24, hence exact.
#include "Transpose.h"
#include "tilesmith/Isa/Chip.h"

namespace tilesmith::machine::TS_EXEC_VARIANT {

namespace {
// Register block: the accumulators and one row of B fill the vector registers.
#ifdef __AVX512F__
constexpr int blockRows = 8, blockCols = 32;
#else
constexpr int blockRows = 4, blockCols = 16;
#endif
constexpr int64_t fractal = isa::fractalRows;
// The A panel (16 rows) stays in L1; its pitch is not a power of two so that rows do not compete for the same cache
// sets.
constexpr int64_t sliceK = MatrixProduct::sliceK, panelPitch = MatrixProduct::panelPitch;

template <int width> using Accumulator = float __attribute__((ext_vector_type(width)));
template <int width> struct UnalignedAccumulator {
  typedef float Vector __attribute__((ext_vector_type(width), aligned(4), may_alias));
};

// `rows` rows of C, `width` columns. C rows are 16 columns apart in pieces of one fractal column each.
template <int rows, int width>
TS_ELEMENT void multiplyBlock(const float *a, const float *b, int64_t k, float *c, int64_t fractalColumn, bool load) {
  using Vector = Accumulator<width>;
  Vector sum[rows];
#pragma clang loop unroll(full)
  for (int i = 0; i < rows; ++i) {
    if (load) {
      alignas(64) float row[width];
      for (int piece = 0; piece < width / fractal; ++piece)
        __builtin_memcpy(row + piece * fractal, c + piece * fractalColumn + i * fractal, fractal * sizeof(float));
      __builtin_memcpy(&sum[i], row, sizeof row);
    } else
      sum[i] = (Vector)0.0f;
  }
  for (int64_t kk = 0; kk < k; ++kk) {
    Vector right = *reinterpret_cast<const typename UnalignedAccumulator<width>::Vector *>(b + kk * width);
#pragma clang loop unroll(full)
    for (int i = 0; i < rows; ++i)
      sum[i] = __builtin_elementwise_fma((Vector)a[i * panelPitch + kk], right, sum[i]);
  }
#pragma clang loop unroll(full)
  for (int i = 0; i < rows; ++i) {
    alignas(64) float row[width];
    Vector result = el::canonical(sum[i]);
    __builtin_memcpy(row, &result, sizeof row);
    for (int piece = 0; piece < width / fractal; ++piece)
      __builtin_memcpy(c + piece * fractalColumn + i * fractal, row + piece * fractal, fractal * sizeof(float));
  }
}

// One row of a fractal (32 bytes) as floats.
template <typename T> constexpr int64_t elementsPerRow = isa::blockBytes / int64_t(sizeof(T));
TS_ELEMENT void widenRow(float *target, const uint8_t *source, F16) {
  storeRow<float>(target, el::fromHalves<Row16<float>>(loadRow<_Float16>(source)));
}
TS_ELEMENT void widenRow(float *target, const uint8_t *source, BF16) {
  auto bits = __builtin_convertvector(loadRow<uint16_t>(source), Row16<uint32_t>) << 16;
  storeRow<float>(target, (Row16<float>)bits);
}
TS_ELEMENT void widenRow(float *target, const uint8_t *source, float) { __builtin_memcpy(target, source, 32); }
TS_ELEMENT void widenRow(float *target, const uint8_t *source, int8_t) {
  storeRow<float>(target, __builtin_convertvector(loadRow<int8_t>(source), Row16<float>));
  storeRow<float>(target + 16, __builtin_convertvector(loadRow<int8_t>(source + 16), Row16<float>));
}

// Rows m1 * 16 ... of A, values k0 ... k0 + k of each; k0 is a multiple of a fractal's width.
template <typename T> void widenA(const MatrixProduct &p, int64_t m1, int64_t k0, int64_t k, float *panel) {
  constexpr int64_t width = elementsPerRow<T>;
  int64_t rows = p.m - m1 * fractal < fractal ? p.m - m1 * fractal : fractal;
  int64_t fractalRows = (p.m + fractal - 1) / fractal, fractalCols = (p.k + width - 1) / width;
  for (int64_t row = rows; row < fractal; ++row)
    __builtin_memset(panel + row * panelPitch, 0, k * sizeof(float));
  for (int64_t kk = 0; kk < k; kk += width) {
    int64_t k1 = (k0 + kk) / width;
    // A single row is a matrix-vector product, for which the chip reads L0A as a plain vector.
    const uint8_t *source = p.m == 1
                                ? p.a + k1 * isa::blockBytes
                                : p.a + isa::fractalBytes * (p.nzOrder ? k1 * fractalRows + m1 : m1 * fractalCols + k1);
    for (int64_t row = 0; row < rows; ++row)
      widenRow(panel + row * panelPitch + kk, source + row * isa::blockBytes, T{});
  }
}

// Turns B (fractals [n0][k0], k1 outer, n1 inner) into panels [k][blockCols].
template <typename T> void widenB(const MatrixProduct &p, int64_t k0, int64_t k, float *panels) {
  constexpr int64_t width = elementsPerRow<T>;
  int64_t fractalCols = (p.n + fractal - 1) / fractal;
  for (int64_t n1 = 0; n1 < fractalCols; ++n1) {
    int64_t columns = p.n - n1 * fractal < fractal ? p.n - n1 * fractal : fractal;
    float *panel = panels + n1 * fractal / blockCols * k * blockCols + n1 * fractal % blockCols;
    for (int64_t kk = 0; kk < k; kk += width) {
      const uint8_t *source = p.b + isa::fractalBytes * ((k0 + kk) / width * fractalCols + n1);
      alignas(64) float rows[fractal][width < 16 ? 16 : width];
      for (int64_t n0 = 0; n0 < fractal; ++n0)
        if (n0 < columns)
          widenRow(rows[n0], source + n0 * isa::blockBytes, T{});
        else
          __builtin_memset(rows[n0], 0, sizeof rows[n0]);
      for (int64_t part = 0; part < width; part += 16) {
        Row16<float> square[16];
#pragma clang loop unroll(full)
        for (int i = 0; i < 16; ++i)
          square[i] = loadRow<float>(&rows[i][part]);
        transposeRows<float>(square);
#pragma clang loop unroll(full)
        for (int i = 0; i < 16; ++i)
          if (i < width && kk + part + i < k)
            storeRow<float>(panel + (kk + part + i) * blockCols, square[i]);
      }
    }
  }
}

// One slice of k into f32 fractals of C (rows beyond m exist only in the last fractal row of `c`).
TS_ELEMENT void multiplyRows(const float *a, const float *b, int64_t k, float *c, int64_t fractalColumn,
                             int64_t columns, bool load) {
  int64_t n = 0;
  for (; n + blockCols <= columns; n += blockCols)
    for (int64_t row = 0; row < fractal; row += blockRows)
      multiplyBlock<blockRows, blockCols>(a + row * panelPitch, b + n * k, k,
                                          c + n / fractal * fractalColumn + row * fractal, fractalColumn, load);
}

// The block is computed on a copy of 16 rows of C whose column count is rounded up to the register block, so that
// nothing beyond m and n is touched in L0C.
template <typename T, bool isInteger> void multiply(const MatrixProduct &p) {
  static_assert(sliceK * 128 * 128 <= 1 << 24, "sums of int8 products must stay exact in f32");
  int64_t fractalRows = (p.m + fractal - 1) / fractal, columns = p.columns();
  int64_t fractalColumn = fractalRows * fractal * fractal; // elements of C between fractal columns
  float *panelA = p.workspace, *rowBuffer = panelA + fractal * panelPitch, *panelsB = rowBuffer + columns * fractal;

  for (int64_t k0 = 0; k0 < p.k; k0 += sliceK) {
    int64_t k = p.k - k0 < sliceK ? p.k - k0 : sliceK;
    widenB<T>(p, k0, k, panelsB);
    bool load = !(p.init && k0 == 0);
    for (int64_t m1 = 0; m1 < fractalRows; ++m1) {
      widenA<T>(p, m1, k0, k, panelA);
      int64_t rows = p.m - m1 * fractal < fractal ? p.m - m1 * fractal : fractal;
      bool whole = rows == fractal && columns == p.n && !isInteger;
      float *c = reinterpret_cast<float *>(p.c) + m1 * fractal * fractal;
      if (whole) {
        multiplyRows(panelA, panelsB, k, c, fractalColumn, columns, load);
        continue;
      }
      constexpr int64_t bufferColumn = fractal * fractal;
      for (int64_t n = 0; n < columns && load && !isInteger; n += fractal)
        for (int64_t row = 0; row < fractal; ++row)
          for (int64_t i = 0; i < fractal; ++i)
            rowBuffer[n / fractal * bufferColumn + row * fractal + i] =
                row < rows && n + i < p.n ? c[n / fractal * fractalColumn + row * fractal + i] : 0.0f;
      multiplyRows(panelA, panelsB, k, rowBuffer, bufferColumn, columns, load && !isInteger);
      for (int64_t n = 0; n < p.n; n += fractal) {
        int64_t valid = p.n - n < fractal ? p.n - n : fractal;
        for (int64_t row = 0; row < rows; ++row) {
          float *target = c + n / fractal * fractalColumn + row * fractal;
          const float *source = rowBuffer + n / fractal * bufferColumn + row * fractal;
          if constexpr (isInteger)
            for (int64_t i = 0; i < valid; ++i) {
              int32_t old = 0, sum;
              if (load)
                __builtin_memcpy(&old, target + i, 4);
              if (__builtin_add_overflow(old, int32_t(source[i]), &sum))
                sum = old < 0 ? INT32_MIN : INT32_MAX; // the chip saturates
              __builtin_memcpy(target + i, &sum, 4);
            }
          else
            __builtin_memcpy(target, source, valid * sizeof(float));
        }
      }
    }
  }
}
} // namespace

void mmad(const MatrixProduct &product, DType input) {
  switch (input) {
  case DType::F16:
    return multiply<F16, false>(product);
  case DType::BF16:
    return multiply<BF16, false>(product);
  case DType::F32:
    return multiply<float, false>(product);
  case DType::I8:
    return multiply<int8_t, true>(product);
  default:
    return;
  }
}

} // namespace tilesmith::machine::TS_EXEC_VARIANT
