// Add, Sub, Mul, Div, Max, Min, And, Or, MulAddDst; and the same arithmetic as atomics on global memory.
#include "Variant.h"

namespace tilesmith::machine::TS_EXEC_VARIANT {

namespace {
template <typename T> TS_ELEMENT LaneOf<T> divide(LaneOf<T> a, LaneOf<T> b) {
  if constexpr (isUnsigned32<T>)
    return el::divUnsigned(a, b);
  else
    return el::div(a, b);
}
#define TS_BINARY(NAME, EXPR)                                                                                          \
  template <typename T> struct NAME {                                                                                  \
    static void run(const Rows &r) {                                                                                   \
      eachChunk(r, [&](int64_t row, int64_t column, int64_t count) __attribute__((always_inline)) {                    \
        LaneOf<T> a = el::load<T>(source<T>(r, 0, row, column), count);                                                \
        LaneOf<T> b = el::load<T>(source<T>(r, 1, row, column), count);                                                \
        el::storeResult<T>(target<T>(r, row, column), EXPR, count);                                                    \
      });                                                                                                              \
    }                                                                                                                  \
  };
TS_BINARY(Add, el::add(a, b))
TS_BINARY(Sub, el::sub(a, b))
TS_BINARY(Mul, el::mul(a, b))
TS_BINARY(Div, divide<T>(a, b))
TS_BINARY(Max, maximum<T>(a, b))
TS_BINARY(Min, minimum<T>(a, b))
TS_BINARY(And, el::bitAnd(a, b))
TS_BINARY(Or, el::bitOr(a, b))
// The sum is rounded to its type (wrapped, for integers) before the comparison with zero.
TS_BINARY(AddRelu, el::relu(el::Storage<T>::wrap(el::add(a, b))))
TS_BINARY(SubRelu, el::relu(el::Storage<T>::wrap(el::sub(a, b))))
#undef TS_BINARY

template <typename T> struct MulAddDst {
  static void run(const Rows &r) {
    eachChunk(r, [&](int64_t row, int64_t column, int64_t count) __attribute__((always_inline)) {
      LaneOf<T> a = el::load<T>(source<T>(r, 0, row, column), count);
      LaneOf<T> b = el::load<T>(source<T>(r, 1, row, column), count);
      uint8_t *dst = target<T>(r, row, column);
      el::storeResult<T>(dst, el::fma(a, b, el::load<T>(dst, count)), count);
    });
  }
};

template <typename T> struct FusedMulAdd {
  static void run(const Rows &r) {
    eachChunk(r, [&](int64_t row, int64_t column, int64_t count) __attribute__((always_inline)) {
      LaneOf<T> a = el::load<T>(source<T>(r, 0, row, column), count);
      LaneOf<T> b = el::load<T>(source<T>(r, 1, row, column), count);
      uint8_t *dst = target<T>(r, row, column);
      el::storeResult<T>(dst, el::fma(a, el::load<T>(dst, count), b), count);
    });
  }
};
template <typename T> struct FusedMulAddRelu {
  static void run(const Rows &r) {
    eachChunk(r, [&](int64_t row, int64_t column, int64_t count) __attribute__((always_inline)) {
      LaneOf<T> a = el::load<T>(source<T>(r, 0, row, column), count);
      LaneOf<T> b = el::load<T>(source<T>(r, 1, row, column), count);
      uint8_t *dst = target<T>(r, row, column);
      el::storeResult<T>(dst, el::relu(el::fma(a, el::load<T>(dst, count), b)), count);
    });
  }
};
} // namespace

RowsFn binaryKernel(Opcode op, DType dtype) {
  switch (op) {
  case Opcode::Add:
  case Opcode::AddR:
    return pick<Add, F16, BF16, float, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t>(dtype);
  case Opcode::Sub:
  case Opcode::SubR:
    return pick<Sub, F16, BF16, float, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t>(dtype);
  case Opcode::Mul:
  case Opcode::MulR:
    return pick<Mul, F16, BF16, float, int16_t, uint16_t, int32_t, uint32_t>(dtype);
  case Opcode::Div:
  case Opcode::DivR:
    return pick<Div, F16, BF16, float, int16_t, uint16_t, int32_t, uint32_t>(dtype);
  case Opcode::Max:
  case Opcode::MaxR:
    return pick<Max, F16, BF16, float, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t>(dtype);
  case Opcode::Min:
  case Opcode::MinR:
    return pick<Min, F16, BF16, float, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t>(dtype);
  case Opcode::And:
  case Opcode::AndR:
    return pick<And, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t>(dtype);
  case Opcode::Or:
  case Opcode::OrR:
    return pick<Or, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t>(dtype);
  case Opcode::MulAddDst:
  case Opcode::MulAddDstR:
    return pick<MulAddDst, F16, BF16, float>(dtype);
  case Opcode::FusedMulAdd:
  case Opcode::FusedMulAddR:
    return pick<FusedMulAdd, F16, float>(dtype);
  case Opcode::FusedMulAddRelu:
  case Opcode::FusedMulAddReluR:
    return pick<FusedMulAddRelu, F16, float>(dtype);
  case Opcode::AddRelu:
  case Opcode::AddReluR:
    return pick<AddRelu, F16, float, int16_t>(dtype);
  case Opcode::SubRelu:
  case Opcode::SubReluR:
    return pick<SubRelu, F16, float, int16_t>(dtype);
  default:
    return nullptr;
  }
}

RowsFn atomicKernel(isa::AtomicOp op, DType dtype) {
  switch (op) {
  case isa::AtomicOp::Add:
    return pick<Add, F16, BF16, float, int8_t, int16_t, int32_t>(dtype);
  case isa::AtomicOp::Max:
    return pick<Max, F16, BF16, float, int8_t, int16_t, int32_t>(dtype);
  case isa::AtomicOp::Min:
    return pick<Min, F16, BF16, float, int8_t, int16_t, int32_t>(dtype);
  case isa::AtomicOp::None:
    return nullptr;
  }
  return nullptr;
}

} // namespace tilesmith::machine::TS_EXEC_VARIANT
