// Adds, Muls, Maxs, Mins, LeakyRelu, Axpy, ShiftLeft, ShiftRight: a tile and a scalar. Duplicate: a scalar alone.
#include "Variant.h"

namespace tilesmith::machine::TS_EXEC_VARIANT {

namespace {
template <typename T> TS_ELEMENT LaneOf<T> shiftedRight(LaneOf<T> x, LaneOf<T> amount) {
  if constexpr (isUnsigned32<T>)
    return el::shiftRightUnsigned(x, amount);
  else
    return el::shiftRight(x, amount);
}

#define TS_SCALAR(NAME, EXPR)                                                                                          \
  template <typename T> struct NAME {                                                                                  \
    static void run(const Rows &r) {                                                                                   \
      LaneOf<T> b = splatBits<T>(r.scalar);                                                                            \
      eachChunk(r, [&](int64_t row, int64_t column, int64_t count) __attribute__((always_inline)) {                    \
        LaneOf<T> a = el::load<T>(source<T>(r, 0, row, column), count);                                                \
        el::storeResult<T>(target<T>(r, row, column), EXPR, count);                                                    \
      });                                                                                                              \
    }                                                                                                                  \
  };
TS_SCALAR(Adds, el::add(a, b))
TS_SCALAR(Muls, el::mul(a, b))
TS_SCALAR(Maxs, el::max(a, b))
TS_SCALAR(Mins, el::min(a, b))
TS_SCALAR(LeakyRelu, el::leakyRelu(a, b))
TS_SCALAR(ShiftLeft, el::shiftLeft(a, b))
TS_SCALAR(ShiftRight, shiftedRight<T>(a, b))
#undef TS_SCALAR

template <typename T> struct Axpy {
  static void run(const Rows &r) {
    LaneOf<T> b = splatBits<T>(r.scalar);
    eachChunk(r, [&](int64_t row, int64_t column, int64_t count) __attribute__((always_inline)) {
      LaneOf<T> a = el::load<T>(source<T>(r, 0, row, column), count);
      uint8_t *dst = target<T>(r, row, column);
      el::storeResult<T>(dst, el::fma(a, b, el::load<T>(dst, count)), count);
    });
  }
};

// In pieces of 256 bytes that hold the pattern already.
template <typename Word> void duplicateRows(const Rows &r) {
  alignas(64) uint8_t pattern[256];
  for (unsigned i = 0; i < sizeof pattern; i += sizeof(Word))
    __builtin_memcpy(pattern + i, &r.scalar, sizeof(Word));
  int64_t bytes = r.cols * int64_t(sizeof(Word));
  for (int64_t row = 0; row < r.rows; ++row) {
    uint8_t *dst = r.dst + row * r.dstPitch;
    int64_t done = 0;
    for (; done + 256 <= bytes; done += 256)
      __builtin_memcpy(dst + done, pattern, 256);
    for (; done + 32 <= bytes; done += 32)
      __builtin_memcpy(dst + done, pattern, 32);
    __builtin_memcpy(dst + done, pattern, bytes - done);
  }
}
} // namespace

RowsFn scalarKernel(Opcode op, DType dtype) {
  switch (op) {
  case Opcode::Adds:
  case Opcode::AddsR:
    return pick<Adds, F16, BF16, float, int8_t, uint8_t, int16_t, int32_t>(dtype);
  case Opcode::Muls:
  case Opcode::MulsR:
    return pick<Muls, F16, BF16, float, int16_t, int32_t>(dtype);
  case Opcode::Maxs:
  case Opcode::MaxsR:
    return pick<Maxs, F16, BF16, float, int8_t, uint8_t, int16_t, int32_t>(dtype);
  case Opcode::Mins:
  case Opcode::MinsR:
    return pick<Mins, F16, BF16, float, int8_t, uint8_t, int16_t, int32_t>(dtype);
  case Opcode::LeakyRelu:
  case Opcode::LeakyReluR:
    return pick<LeakyRelu, F16, BF16, float>(dtype);
  case Opcode::Axpy:
  case Opcode::AxpyR:
    return pick<Axpy, F16, float>(dtype);
  case Opcode::ShiftLeft:
  case Opcode::ShiftLeftR:
    return pick<ShiftLeft, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t>(dtype);
  case Opcode::ShiftRight:
  case Opcode::ShiftRightR:
    return pick<ShiftRight, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t>(dtype);
  default:
    return nullptr;
  }
}

RowsFn duplicateKernel(unsigned elementSize) {
  switch (elementSize) {
  case 1:
    return duplicateRows<uint8_t>;
  case 2:
    return duplicateRows<uint16_t>;
  case 4:
    return duplicateRows<uint32_t>;
  case 8:
    return duplicateRows<uint64_t>;
  default:
    return nullptr;
  }
}

} // namespace tilesmith::machine::TS_EXEC_VARIANT
