// What the files of one variant share: element types by dtype and the row loops.
#ifndef TILESMITH_LIB_MACHINE_EXEC_VARIANT_H
#define TILESMITH_LIB_MACHINE_EXEC_VARIANT_H

#include "Kernels.h"
#include "tilesmith/Machine/Element/Cast.h"
#include "tilesmith/Machine/Element/Compare.h"
#include "tilesmith/Machine/Element/Reduce.h"

namespace tilesmith::machine::TS_EXEC_VARIANT {

namespace el = tilesmith::element;
using el::F32x64, el::I32x64, el::LaneOf, el::kLanes, el::F16, el::BF16;
using isa::DType, isa::Opcode;

template <typename T> struct TypeInfo;
#define TS_TYPE(TYPE, DTYPE, FLOAT, UNSIGNED32)                                                                        \
  template <> struct TypeInfo<TYPE> {                                                                                  \
    static constexpr DType dtype = DType::DTYPE;                                                                       \
    static constexpr bool isFloat = FLOAT, isUnsigned32 = UNSIGNED32;                                                  \
  };
TS_TYPE(F16, F16, true, false)
TS_TYPE(BF16, BF16, true, false)
TS_TYPE(float, F32, true, false)
TS_TYPE(int8_t, I8, false, false)
TS_TYPE(int16_t, I16, false, false)
TS_TYPE(int32_t, I32, false, false)
TS_TYPE(uint8_t, U8, false, false)
TS_TYPE(uint16_t, U16, false, false)
TS_TYPE(uint32_t, U32, false, true)
#undef TS_TYPE

template <typename T> inline constexpr bool isFloat = TypeInfo<T>::isFloat;
// Lanes narrower than 32 bits are zero-extended, so only u32 needs unsigned comparison, division and shift.
template <typename T> inline constexpr bool isUnsigned32 = TypeInfo<T>::isUnsigned32;

// The larger and the smaller of two lanes, and of all lanes.
template <typename T> TS_ELEMENT LaneOf<T> maximum(LaneOf<T> a, LaneOf<T> b) {
  if constexpr (isUnsigned32<T>)
    return el::maxUnsigned(a, b);
  else
    return el::max(a, b);
}
template <typename T> TS_ELEMENT LaneOf<T> minimum(LaneOf<T> a, LaneOf<T> b) {
  if constexpr (isUnsigned32<T>)
    return el::minUnsigned(a, b);
  else
    return el::min(a, b);
}
template <typename T> TS_ELEMENT auto maximumOf(LaneOf<T> x) {
  if constexpr (isUnsigned32<T>)
    return el::treeMaxUnsigned(x);
  else
    return el::treeMax(x);
}
template <typename T> TS_ELEMENT auto minimumOf(LaneOf<T> x) {
  if constexpr (isUnsigned32<T>)
    return el::treeMinUnsigned(x);
  else
    return el::treeMin(x);
}

// The scalar operand in every lane.
template <typename T> TS_ELEMENT LaneOf<T> splatBits(int64_t bits) {
  T value;
  __builtin_memcpy(&value, &bits, sizeof(T));
  alignas(64) T lanes[kLanes];
  for (int i = 0; i < kLanes; ++i)
    lanes[i] = value;
  return el::load<T>(lanes);
}

// Calls body(row pointers, column, count of lanes) over all chunks; full chunks pass the constant 64.
template <typename Body> TS_ELEMENT void eachChunk(const Rows &r, Body body) {
  for (int64_t row = 0; row < r.rows; ++row) {
    int64_t column = 0;
    for (; column + kLanes <= r.cols; column += kLanes)
      body(row, column, kLanes);
    if (column < r.cols)
      body(row, column, r.cols - column);
  }
}

template <typename T> TS_ELEMENT const uint8_t *source(const Rows &r, int i, int64_t row, int64_t column) {
  return r.src[i] + row * r.srcPitch[i] + column * int64_t(sizeof(T));
}
template <typename T> TS_ELEMENT uint8_t *target(const Rows &r, int64_t row, int64_t column) {
  return r.dst + row * r.dstPitch + column * int64_t(sizeof(T));
}

// The rows in registers: no store of the loop can change them.
template <RowsFn kernel> __attribute__((flatten)) void onCopy(const Rows &given) {
  const Rows rows = given;
  kernel(rows);
}

// The kernel of the type among Ts that has this dtype, or null.
template <template <typename> class Kernel, typename... Ts> RowsFn pick(DType dtype) {
  RowsFn found = nullptr;
  ((dtype == TypeInfo<Ts>::dtype ? void(found = onCopy<Kernel<Ts>::run>) : void()), ...);
  return found;
}

RowsFn unaryKernel(Opcode op, DType dtype);
RowsFn binaryKernel(Opcode op, DType dtype);
RowsFn scalarKernel(Opcode op, DType dtype);
RowsFn castKernel(DType to, DType from, isa::RoundMode mode);
RowsFn compareKernel(DType dtype, isa::CmpMode mode);
RowsFn compareScalarKernel(DType dtype, isa::CmpMode mode);
RowsFn selectKernel(DType dtype);
RowsFn reduceKernel(Opcode op, DType dtype);
RowsFn duplicateKernel(unsigned elementSize);
RowsFn atomicKernel(isa::AtomicOp op, DType dtype);
void transpose16(uint8_t *dst, int64_t dstPitch, const uint8_t *src, int64_t srcPitch, unsigned elementSize);
void stream(uint8_t *dst, const uint8_t *src, int64_t bytes);
void mmad(const MatrixProduct &product, DType input);
void writeResult(const ResultRows &rows, DType to, DType from);

} // namespace tilesmith::machine::TS_EXEC_VARIANT

#endif
