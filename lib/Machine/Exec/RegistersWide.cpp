// Registers of 64-bit integers, which the 950 has and computes in steps of 32 bits. Nothing but the C++ headers uses
// them, so they are plain loops and have no row in the tables of inner loops. Integers wrap; a quotient by zero is 0.
#include "CompareElements.h"
#include "Registers.h"
#include <algorithm>
#include <cstring>
#include <type_traits>

namespace tilesmith::machine {

namespace {

template <typename T> T quotient(T a, T b) {
  if (b == 0)
    return 0;
  return std::is_signed_v<T> && b == T(-1) ? T(0 - uint64_t(a)) : T(a / b);
}

template <typename T> T shiftLeft(T a, int64_t by) { return by < 0 || by > 63 ? T(0) : T(uint64_t(a) << by); }
template <typename T> T shiftRight(T a, int64_t by) {
  return by < 0 || by > 63 ? T(std::is_signed_v<T> && a < T(0) ? -1 : 0) : T(a >> by);
}

template <typename T> T combine(Opcode op, T a, T b) {
  return op == Opcode::WholeReduceSum ? T(uint64_t(a) + uint64_t(b))
                                      : (op == Opcode::WholeReduceMax ? std::max(a, b) : std::min(a, b));
}

// One lane: `d` is what dst held. False when there is no such instruction.
template <typename T> bool lane(Opcode op, T &d, T a, T b, int64_t scalar) {
  auto bits = [](T value) { return uint64_t(value); };
  T s = T(scalar);
  switch (op) {
  case Opcode::Add:
    d = T(bits(a) + bits(b));
    return true;
  case Opcode::Sub:
    d = T(bits(a) - bits(b));
    return true;
  case Opcode::Mul:
    d = T(bits(a) * bits(b));
    return true;
  case Opcode::Div:
    d = quotient(a, b);
    return true;
  case Opcode::Max:
    d = std::max(a, b);
    return true;
  case Opcode::Min:
    d = std::min(a, b);
    return true;
  case Opcode::And:
    d = a & b;
    return true;
  case Opcode::Or:
    d = a | b;
    return true;
  case Opcode::MulAddDst:
    d = T(bits(d) + bits(a) * bits(b));
    return true;
  case Opcode::FusedMulAdd:
    d = T(bits(d) * bits(a) + bits(b));
    return true;
  case Opcode::Adds:
    d = T(bits(a) + bits(s));
    return true;
  case Opcode::Muls:
    d = T(bits(a) * bits(s));
    return true;
  case Opcode::Maxs:
    d = std::max(a, s);
    return true;
  case Opcode::Mins:
    d = std::min(a, s);
    return true;
  case Opcode::Axpy:
    d = T(bits(d) + bits(a) * bits(s));
    return true;
  case Opcode::ShiftLeft:
    d = shiftLeft(a, scalar);
    return true;
  case Opcode::ShiftRight:
    d = shiftRight(a, scalar);
    return true;
  case Opcode::Not:
    d = T(~a);
    return true;
  case Opcode::Abs:
    d = a < T(0) ? T(0 - bits(a)) : a;
    return true;
  case Opcode::Neg:
    d = T(0 - bits(a));
    return true;
  case Opcode::Relu:
    d = std::max(a, T(0));
    return true;
  default:
    return false;
  }
}

template <typename T>
bool compute(Opcode op, int64_t mode, uint8_t *dst, const uint8_t *a, const uint8_t *b, int64_t scalar, int64_t lanes) {
  auto at = [](const uint8_t *bytes, int64_t i) {
    T value = 0;
    if (bytes)
      std::memcpy(&value, bytes + i * int64_t(sizeof(T)), sizeof(T));
    return value;
  };
  switch (isa::getInstruction(op).family) {
  case Family::Compare:
    for (int64_t i = 0; i < lanes; ++i)
      dst[i / 8] =
          uint8_t((dst[i / 8] & ~(1u << i % 8)) | unsigned(holds(isa::CmpMode(mode), at(a, i), at(b, i))) << i % 8);
    return true;
  case Family::WholeReduce: {
    T result = at(a, 0);
    for (int64_t i = 1; i < lanes; ++i)
      result = combine(op, result, at(a, i));
    std::memcpy(dst, &result, sizeof result);
    return true;
  }
  default:
    for (int64_t i = 0; i < lanes; ++i) {
      T value = at(dst, i);
      if (!lane(op, value, at(a, i), at(b, i), scalar))
        return false;
      std::memcpy(dst + i * int64_t(sizeof(T)), &value, sizeof value);
    }
    return true;
  }
}

} // namespace

bool computeWideRegister(Opcode op, bool isSigned, int64_t mode, void *dst, const void *a, const void *b,
                         int64_t scalar, int64_t lanes) {
  auto *to = static_cast<uint8_t *>(dst);
  auto *left = static_cast<const uint8_t *>(a), *right = static_cast<const uint8_t *>(b);
  return isSigned ? compute<int64_t>(op, mode, to, left, right, scalar, lanes)
                  : compute<uint64_t>(op, mode, to, left, right, scalar, lanes);
}

} // namespace tilesmith::machine
