// Turning fractals on the way into L0, and writing L0C results out row by row.
#include "Transpose.h"

namespace tilesmith::machine::TS_EXEC_VARIANT {

namespace {
template <typename T> void transposeSquare(uint8_t *dst, int64_t dstPitch, const uint8_t *src, int64_t srcPitch) {
  Row16<T> rows[16];
#pragma clang loop unroll(full)
  for (int i = 0; i < 16; ++i)
    rows[i] = loadRow<T>(src + i * srcPitch * int64_t(sizeof(T)));
  transposeRows<T>(rows);
#pragma clang loop unroll(full)
  for (int i = 0; i < 16; ++i)
    storeRow<T>(dst + i * dstPitch * int64_t(sizeof(T)), rows[i]);
}

TS_ELEMENT Row16<float> relu(Row16<float> x) { return x <= (Row16<float>)0.0f ? (Row16<float>)0.0f : x; }
TS_ELEMENT Row16<int32_t> relu(Row16<int32_t> x) { return __builtin_elementwise_max(x, (Row16<int32_t>)0); }

TS_ELEMENT Row16<_Float16> narrow(Row16<float> x, F16) { return el::toHalves<Row16<_Float16>>(el::canonical(x)); }
TS_ELEMENT Row16<uint16_t> narrow(Row16<float> x, BF16) {
  Row16<uint32_t> bits = (Row16<uint32_t>)el::canonical(x);
  Row16<uint32_t> nearest = bits + 0x7fffu + ((bits >> 16) & 1u);
  Row16<uint32_t> rounded = x != x ? bits : nearest;
  return __builtin_convertvector(rounded >> 16, Row16<uint16_t>);
}
TS_ELEMENT Row16<float> narrow(Row16<float> x, float) { return x; }
TS_ELEMENT Row16<int32_t> narrow(Row16<int32_t> x, int32_t) { return x; }

// Pieces of a row are at least 8 elements wide and start on multiples of their width, so they never straddle a fractal
// unless they cover whole fractals.
template <typename To, typename From> void writeRows(const ResultRows &r) {
  constexpr int64_t size = sizeof(To);
  for (int64_t m = 0; m < r.mSize; ++m)
    for (int64_t n = 0; n < r.nSize; n += 16) {
      const uint8_t *source = r.src + ((n / 16) * r.srcStride + m) * 16 * 4;
      Row16<From> x = loadRow<From>(source);
      auto y = narrow(r.relu ? relu(x) : x, To{});
      int64_t left = r.nSize - n < 16 ? r.nSize - n : 16;
      if (r.columns >= 16) {
        uint8_t *target = r.dst + m * r.rowPitch + n / r.columns * r.piecePitch + n % r.columns * size;
        if (left == 16)
          __builtin_memcpy(target, &y, 16 * size);
        else
          __builtin_memcpy(target, &y, left * size);
      } else
        for (int64_t i = 0; i < left; i += r.columns) {
          int64_t width = left - i < r.columns ? left - i : r.columns;
          __builtin_memcpy(r.dst + m * r.rowPitch + (n + i) / r.columns * r.piecePitch,
                           reinterpret_cast<const uint8_t *>(&y) + i * size, width * size);
        }
    }
}
} // namespace

void transpose16(uint8_t *dst, int64_t dstPitch, const uint8_t *src, int64_t srcPitch, unsigned elementSize) {
  switch (elementSize) {
  case 1:
    return transposeSquare<uint8_t>(dst, dstPitch, src, srcPitch);
  case 2:
    return transposeSquare<uint16_t>(dst, dstPitch, src, srcPitch);
  case 4:
    return transposeSquare<uint32_t>(dst, dstPitch, src, srcPitch);
  default:
    return;
  }
}

void writeResult(const ResultRows &rows, DType to, DType from) {
  if (from == DType::I32 && to == DType::I32)
    return writeRows<int32_t, int32_t>(rows);
  if (from != DType::F32)
    return;
  switch (to) {
  case DType::F16:
    return writeRows<F16, float>(rows);
  case DType::BF16:
    return writeRows<BF16, float>(rows);
  case DType::F32:
    return writeRows<float, float>(rows);
  default:
    return;
  }
}

} // namespace tilesmith::machine::TS_EXEC_VARIANT
