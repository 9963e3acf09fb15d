// Functions of single elements (lib/math, lib/activation). What they are composed of is the Machine's (Library.def).
#ifndef TILESMITH_ASCENDC_LIBRARY_H
#define TILESMITH_ASCENDC_LIBRARY_H

#include "tilesmith/instructions.h"

namespace tilesmith {

// A temporary buffer, or none: then a function uses what the pipe has not given out.
struct LibraryWork {
  int64_t address = 0, bytes = 0;
  LibraryWork() = default;
  LibraryWork(const AscendC::LocalTensor<uint8_t> &tensor) : address(tensor.tsAddress()), bytes(tensor.GetLength()) {}
};

// Elements beyond the tensor are not computed: the vendor's checks end the kernel.
template <typename T>
void checkCount(const AscendC::LocalTensor<T> &tensor, int64_t count, const char *name, Where where) {
  if (tensor.GetSize() == 0 || count <= int64_t(tensor.GetSize()))
    return;
  char text[160];
  __builtin_snprintf(text, sizeof text, "%s of %lld elements: a tensor has %u", name, static_cast<long long>(count),
                     tensor.GetSize());
  fail(where, TS_FINDING_LibraryOperand, text);
}

inline int64_t float32Bits(float value) { return bitsOf<float>(value); }

struct LibraryOperands {
  int64_t dst2 = 0, src1 = 0, src2 = 0, scalar0 = 0, scalar1 = 0;
};
template <typename D, typename T>
void libraryMap(TsLibraryMap function, const char *name, const AscendC::LocalTensor<D> &dst,
                const AscendC::LocalTensor<T> &src, const LibraryOperands &more, const LibraryWork &work, int64_t count,
                Where where) {
  checkCount(src, count, name, where);
  checkCount(dst, count, name, where);
  api->tsm_library_map(core, where.loc(), int64_t(function), dtypeOf<T>(), dtypeOf<D>(), dst.tsAddress(), more.dst2,
                       src.tsAddress(), more.src1, more.src2, more.scalar0, more.scalar1, work.address, work.bytes,
                       count);
}

} // namespace tilesmith

namespace AscendC {

// Every call with and without a temporary buffer, for a count or all of the first source.
#define TILESMITH_WORK_AND_COUNT(NAME, RESULT, OPTIONS, OPERANDS, FIRST, MORE)                                         \
  template <TILESMITH_OPEN RESULT, TILESMITH_OPEN OPTIONS>                                                             \
  inline void NAME(TILESMITH_OPEN OPERANDS, const LocalTensor<uint8_t> &sharedTmpBuffer, uint32_t calCount,            \
                   tilesmith::Where where = tilesmith::Where::here()) {                                                \
    tilesmith::libraryMap(TS_MAP_##NAME, #NAME, dst, FIRST, MORE, sharedTmpBuffer, calCount, where);                   \
  }                                                                                                                    \
  template <TILESMITH_OPEN RESULT, TILESMITH_OPEN OPTIONS>                                                             \
  inline void NAME(TILESMITH_OPEN OPERANDS, const LocalTensor<uint8_t> &sharedTmpBuffer,                               \
                   tilesmith::Where where = tilesmith::Where::here()) {                                                \
    tilesmith::libraryMap(TS_MAP_##NAME, #NAME, dst, FIRST, MORE, sharedTmpBuffer, FIRST.GetSize(), where);            \
  }                                                                                                                    \
  template <TILESMITH_OPEN RESULT, TILESMITH_OPEN OPTIONS>                                                             \
  inline void NAME(TILESMITH_OPEN OPERANDS, uint32_t calCount, tilesmith::Where where = tilesmith::Where::here()) {    \
    tilesmith::libraryMap(TS_MAP_##NAME, #NAME, dst, FIRST, MORE, {}, calCount, where);                                \
  }                                                                                                                    \
  template <TILESMITH_OPEN RESULT, TILESMITH_OPEN OPTIONS>                                                             \
  inline void NAME(TILESMITH_OPEN OPERANDS, tilesmith::Where where = tilesmith::Where::here()) {                       \
    tilesmith::libraryMap(TS_MAP_##NAME, #NAME, dst, FIRST, MORE, {}, FIRST.GetSize(), where);                         \
  }
#define TILESMITH_OPEN(...) __VA_ARGS__
#define TILESMITH_OPTIONS (bool isReuseSource = false, const auto &...config)
#define TILESMITH_SHAPE_UnaryPrecision(NAME)                                                                           \
  TILESMITH_WORK_AND_COUNT(NAME, (typename T), (bool highPrecision = false, bool highPerformance = false),             \
                           (const LocalTensor<T> &dst, const LocalTensor<T> &src), src, tilesmith::LibraryOperands{})

#define TILESMITH_SHAPE_Unary(NAME)                                                                                    \
  TILESMITH_WORK_AND_COUNT(NAME, (typename T), TILESMITH_OPTIONS,                                                      \
                           (const LocalTensor<T> &dst, const LocalTensor<T> &src), src, tilesmith::LibraryOperands{})
#define TILESMITH_SHAPE_Truth(NAME)                                                                                    \
  TILESMITH_WORK_AND_COUNT(NAME, (typename D, typename T), TILESMITH_OPTIONS,                                          \
                           (const LocalTensor<D> &dst, const LocalTensor<T> &src), src, tilesmith::LibraryOperands{})
#define TILESMITH_SHAPE_Binary(NAME)                                                                                   \
  TILESMITH_WORK_AND_COUNT(NAME, (typename T), TILESMITH_OPTIONS,                                                      \
                           (const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1), src0,  \
                           (tilesmith::LibraryOperands{0, src1.tsAddress()}))
#define TILESMITH_SHAPE_TruthOfTwo(NAME)                                                                               \
  TILESMITH_WORK_AND_COUNT(NAME, (typename D, typename T), TILESMITH_OPTIONS,                                          \
                           (const LocalTensor<D> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1), src0,  \
                           (tilesmith::LibraryOperands{0, src1.tsAddress()}))
#define TILESMITH_SHAPE_Ternary(NAME)                                                                                  \
  TILESMITH_WORK_AND_COUNT(                                                                                            \
      NAME, (typename T), TILESMITH_OPTIONS,                                                                           \
      (const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const LocalTensor<T> &src2), \
      src0, (tilesmith::LibraryOperands{0, src1.tsAddress(), src2.tsAddress()}))
#define TILESMITH_SHAPE_Scaled(NAME)
#define TILESMITH_SHAPE_ScaledBinary(NAME)
#define TILESMITH_SHAPE_Quantise(NAME)
#define TILESMITH_SHAPE_TwoResults(NAME)
#define TILESMITH_LIBRARY_MAP(NAME, PYTHON, SHAPE, ...) TILESMITH_SHAPE_##SHAPE(NAME)
#include "tilesmith/Machine/Library.def"

// SinCos: two results of one source.
template <typename T, bool isReuseSource = false, const auto &...config>
inline void SinCos(const LocalTensor<T> &dst0, const LocalTensor<T> &dst1, const LocalTensor<T> &src,
                   const LocalTensor<uint8_t> &sharedTmpBuffer, uint32_t calCount,
                   tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::libraryMap(TS_MAP_SinCos, "SinCos", dst0, src, {dst1.tsAddress()}, sharedTmpBuffer, calCount, where);
}
template <typename T, bool isReuseSource = false, const auto &...config>
inline void SinCos(const LocalTensor<T> &dst0, const LocalTensor<T> &dst1, const LocalTensor<T> &src, uint32_t calCount,
                   tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::libraryMap(TS_MAP_SinCos, "SinCos", dst0, src, {dst1.tsAddress()}, {}, calCount, where);
}

// A power of, or to, a scalar. Integer scalars travel as floats: exactly up to 2^24.
#define TILESMITH_POWER(FUNCTION, OPERANDS)                                                                            \
  template <typename T, bool isReuseSource = false, const auto & ...config>                                            \
  inline void Power(const LocalTensor<T> &dst, TILESMITH_OPEN OPERANDS, const LocalTensor<uint8_t> &sharedTmpBuffer,   \
                    uint32_t calCount, tilesmith::Where where = tilesmith::Where::here()) {                            \
    tilesmith::libraryMap(TS_MAP_##FUNCTION, "Power", dst, src, {0, 0, 0, tilesmith::float32Bits(float(scalar))},      \
                          sharedTmpBuffer, calCount, where);                                                           \
  }                                                                                                                    \
  template <typename T, bool isReuseSource = false, const auto & ...config>                                            \
  inline void Power(const LocalTensor<T> &dst, TILESMITH_OPEN OPERANDS, const LocalTensor<uint8_t> &sharedTmpBuffer,   \
                    tilesmith::Where where = tilesmith::Where::here()) {                                               \
    Power<T>(dst, TILESMITH_ARGUMENTS_##FUNCTION, sharedTmpBuffer, src.GetSize(), where);                              \
  }                                                                                                                    \
  template <typename T, bool isReuseSource = false, const auto & ...config>                                            \
  inline void Power(const LocalTensor<T> &dst, TILESMITH_OPEN OPERANDS, uint32_t calCount,                             \
                    tilesmith::Where where = tilesmith::Where::here()) {                                               \
    tilesmith::libraryMap(TS_MAP_##FUNCTION, "Power", dst, src, {0, 0, 0, tilesmith::float32Bits(float(scalar))}, {},  \
                          calCount, where);                                                                            \
  }                                                                                                                    \
  template <typename T, bool isReuseSource = false, const auto & ...config>                                            \
  inline void Power(const LocalTensor<T> &dst, TILESMITH_OPEN OPERANDS,                                                \
                    tilesmith::Where where = tilesmith::Where::here()) {                                               \
    Power<T>(dst, TILESMITH_ARGUMENTS_##FUNCTION, src.GetSize(), where);                                               \
  }
#define TILESMITH_ARGUMENTS_PowerByScalar src, scalar
#define TILESMITH_ARGUMENTS_PowerOfScalar scalar, src
TILESMITH_POWER(PowerByScalar, (const LocalTensor<T> &src, const tilesmith::Same<T> &scalar))
TILESMITH_POWER(PowerOfScalar, (const tilesmith::Same<T> &scalar, const LocalTensor<T> &src))
#undef TILESMITH_POWER
#undef TILESMITH_ARGUMENTS_PowerByScalar
#undef TILESMITH_ARGUMENTS_PowerOfScalar

// Bounds.
#define TILESMITH_CLAMP(NAME)                                                                                          \
  template <typename T, bool isReuseSource = false>                                                                    \
  inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &sharedTmpBuffer,  \
                   const tilesmith::Same<T> scalar, uint32_t calCount,                                                 \
                   tilesmith::Where where = tilesmith::Where::here()) {                                                \
    tilesmith::libraryMap(TS_MAP_##NAME, #NAME, dst, src, {0, 0, 0, tilesmith::float32Bits(float(scalar))},            \
                          sharedTmpBuffer, calCount, where);                                                           \
  }                                                                                                                    \
  template <typename T, bool isReuseSource = false>                                                                    \
  inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const tilesmith::Same<T> scalar,              \
                   uint32_t calCount, tilesmith::Where where = tilesmith::Where::here()) {                             \
    tilesmith::libraryMap(TS_MAP_##NAME, #NAME, dst, src, {0, 0, 0, tilesmith::float32Bits(float(scalar))}, {},        \
                          calCount, where);                                                                            \
  }
TILESMITH_CLAMP(ClampMax)
TILESMITH_CLAMP(ClampMin)
#undef TILESMITH_CLAMP
template <typename T, const auto &...config>
inline void Clamp(const LocalTensor<T> &dst, const LocalTensor<T> &src, const tilesmith::Same<T> &min,
                  const tilesmith::Same<T> &max, uint32_t count, tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::libraryMap(TS_MAP_Clamp, "Clamp", dst, src,
                        {0, 0, 0, tilesmith::float32Bits(float(min)), tilesmith::float32Bits(float(max))}, {}, count,
                        where);
}

// Activations whose last arguments are a count and a factor.
template <typename T, bool isReuseSource = false>
inline void Swish(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t dataSize,
                  const tilesmith::Same<T> scalarValue, tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::libraryMap(TS_MAP_Swish, "Swish", dst, src, {0, 0, 0, tilesmith::float32Bits(float(scalarValue))}, {},
                        dataSize, where);
}
template <typename T, bool isReuseSource = false>
inline void SwiGLU(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,
                   const float &scalarValue, const LocalTensor<uint8_t> &sharedTmpBuffer, uint32_t calCount,
                   tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::libraryMap(TS_MAP_SwiGLU, "SwiGLU", dst, src0,
                        {0, src1.tsAddress(), 0, tilesmith::float32Bits(scalarValue)}, sharedTmpBuffer, calCount,
                        where);
}
template <typename T, bool isReuseSource = false>
inline void SwiGLU(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,
                   const float &scalarValue, const LocalTensor<uint8_t> &sharedTmpBuffer,
                   tilesmith::Where where = tilesmith::Where::here()) {
  SwiGLU<T>(dst, src0, src1, scalarValue, sharedTmpBuffer, src0.GetSize(), where);
}
template <typename T, bool isReuseSource = false>
inline void SwiGLU(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,
                   const float &scalarValue, uint32_t calCount, tilesmith::Where where = tilesmith::Where::here()) {
  tilesmith::libraryMap(TS_MAP_SwiGLU, "SwiGLU", dst, src0,
                        {0, src1.tsAddress(), 0, tilesmith::float32Bits(scalarValue)}, {}, calCount, where);
}
template <typename T, bool isReuseSource = false>
inline void SwiGLU(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,
                   const float &scalarValue, tilesmith::Where where = tilesmith::Where::here()) {
  SwiGLU<T>(dst, src0, src1, scalarValue, src0.GetSize(), where);
}

// Functions that are one instruction: the buffer is not needed. The level of exp's series is the chip's own business.
template <typename T, uint8_t taylorExpandLevel, bool isReuseSource = false>
inline void Exp(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &, uint32_t calCount,
                tilesmith::Where where = tilesmith::Where::here()) {
  Exp(dst, src, int64_t(calCount), where);
}
template <typename T, uint8_t taylorExpandLevel, bool isReuseSource>
inline void Exp(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t calCount,
                tilesmith::Where where = tilesmith::Where::here()) {
  Exp(dst, src, int64_t(calCount), where);
}
template <typename T, typename U, bool isReuseSource = false>
inline void Axpy(const LocalTensor<T> &dst, const LocalTensor<U> &src, const tilesmith::Same<U> scalar,
                 const LocalTensor<uint8_t> &, uint32_t calCount, tilesmith::Where where = tilesmith::Where::here()) {
  Axpy(dst, src, scalar, int64_t(calCount), where);
}

#undef TILESMITH_WORK_AND_COUNT
#undef TILESMITH_OPEN
#undef TILESMITH_OPTIONS
#undef TILESMITH_SHAPE_UnaryPrecision
#undef TILESMITH_SHAPE_Unary
#undef TILESMITH_SHAPE_Truth
#undef TILESMITH_SHAPE_Binary
#undef TILESMITH_SHAPE_TruthOfTwo
#undef TILESMITH_SHAPE_Ternary
#undef TILESMITH_SHAPE_Scaled
#undef TILESMITH_SHAPE_ScaledBinary
#undef TILESMITH_SHAPE_Quantise
#undef TILESMITH_SHAPE_TwoResults

} // namespace AscendC

#endif
