// Bits of integers of any width: the instructions take words of 16 bits, and bits do not care.
#ifndef TILESMITH_ASCENDC_BITWISE_H
#define TILESMITH_ASCENDC_BITWISE_H

#include "tilesmith/library.h"

namespace tilesmith {

template <typename T> AscendC::LocalTensor<uint16_t> wordsOf(const AscendC::LocalTensor<T> &tensor) {
  return tensor.template ReinterpretCast<uint16_t>();
}
// How many words; a half one is a finding.
template <typename T> int64_t wordCount(uint32_t count, const char *name, Where where) {
  static_assert(std::is_integral_v<T>, "bitwise functions take integers");
  if (count * sizeof(T) % 2)
    unsupported(where, name);
  return int64_t(count * sizeof(T) / 2);
}

} // namespace tilesmith

namespace AscendC {

#define TILESMITH_BITWISE(NAME, CALL)                                                                                  \
  template <const auto &...config, typename T>                                                                         \
  inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint32_t count,  \
                   tilesmith::Where where = tilesmith::Where::here()) {                                                \
    int64_t words = tilesmith::wordCount<T>(count, #NAME " of an odd number of bytes", where);                         \
    CALL(tilesmith::wordsOf(dst), tilesmith::wordsOf(src0), tilesmith::wordsOf(src1), words, where);                   \
  }
TILESMITH_BITWISE(BitwiseAnd, And)
TILESMITH_BITWISE(BitwiseOr, Or)
TILESMITH_BITWISE(BitwiseXor, Xor)
#undef TILESMITH_BITWISE
template <const auto &...config, typename T>
inline void BitwiseNot(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t count,
                       tilesmith::Where where = tilesmith::Where::here()) {
  int64_t words = tilesmith::wordCount<T>(count, "BitwiseNot of an odd number of bytes", where);
  Not(tilesmith::wordsOf(dst), tilesmith::wordsOf(src), words, where);
}

} // namespace AscendC

#endif
