// Abs, Neg, Exp, Ln, Sqrt, Rsqrt, Reciprocal, Relu, Not.
#include "Variant.h"

namespace tilesmith::machine::TS_EXEC_VARIANT {

namespace {
#define TS_UNARY(NAME, EXPR)                                                                                           \
  template <typename T> struct NAME {                                                                                  \
    static void run(const Rows &r) {                                                                                   \
      eachChunk(r, [&](int64_t row, int64_t column, int64_t count) __attribute__((always_inline)) {                    \
        LaneOf<T> x = el::load<T>(source<T>(r, 0, row, column), count);                                                \
        el::storeResult<T>(target<T>(r, row, column), EXPR, count);                                                    \
      });                                                                                                              \
    }                                                                                                                  \
  };
TS_UNARY(Abs, el::abs(x))
TS_UNARY(Neg, el::neg(x))
TS_UNARY(Exp, el::exp(x))
TS_UNARY(Ln, el::ln(x))
TS_UNARY(Sqrt, el::sqrt(x))
TS_UNARY(Rsqrt, el::rsqrt(x))
TS_UNARY(Reciprocal, el::reciprocal(x))
TS_UNARY(Relu, el::relu(x))
TS_UNARY(Not, el::bitNot(x))
#undef TS_UNARY
} // namespace

RowsFn unaryKernel(Opcode op, DType dtype) {
  switch (op) {
  case Opcode::Abs:
  case Opcode::AbsR:
    return pick<Abs, F16, BF16, float, int8_t, int16_t, int32_t>(dtype);
  case Opcode::Neg:
  case Opcode::NegR:
    return pick<Neg, F16, BF16, float, int8_t, int16_t, int32_t>(dtype);
  case Opcode::Exp:
  case Opcode::ExpR:
    return pick<Exp, F16, BF16, float>(dtype);
  case Opcode::Ln:
  case Opcode::LnR:
    return pick<Ln, F16, BF16, float>(dtype);
  case Opcode::Sqrt:
  case Opcode::SqrtR:
    return pick<Sqrt, F16, BF16, float>(dtype);
  case Opcode::Rsqrt:
  case Opcode::RsqrtR:
    return pick<Rsqrt, F16, BF16, float>(dtype);
  case Opcode::Reciprocal:
  case Opcode::ReciprocalR:
    return pick<Reciprocal, F16, BF16, float>(dtype);
  case Opcode::Relu:
  case Opcode::ReluR:
    return pick<Relu, F16, BF16, float, int32_t>(dtype);
  case Opcode::Not:
  case Opcode::NotR:
    return pick<Not, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t>(dtype);
  default:
    return nullptr;
  }
}

} // namespace tilesmith::machine::TS_EXEC_VARIANT
