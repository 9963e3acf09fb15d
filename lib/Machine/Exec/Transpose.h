// 16 x 16 transposition in registers: the unit in which L0 fractals turn.
#ifndef TILESMITH_LIB_MACHINE_EXEC_TRANSPOSE_H
#define TILESMITH_LIB_MACHINE_EXEC_TRANSPOSE_H

#include "Variant.h"

namespace tilesmith::machine::TS_EXEC_VARIANT {

template <typename T> using Row16 = T __attribute__((ext_vector_type(16)));
template <typename T> struct UnalignedRow16 {
  typedef T Vector __attribute__((ext_vector_type(16), aligned(1), may_alias));
};
template <typename T> TS_ELEMENT Row16<T> loadRow(const void *source) {
  return *static_cast<const typename UnalignedRow16<T>::Vector *>(source);
}
template <typename T> TS_ELEMENT void storeRow(void *target, Row16<T> row) {
  *static_cast<typename UnalignedRow16<T>::Vector *>(target) = row;
}

// Four perfect shuffles of the rows (row i with row i + 8, element by element) are a transposition.
template <typename T> TS_ELEMENT void transposeRows(Row16<T> (&rows)[16]) {
#pragma clang loop unroll(full)
  for (int step = 0; step < 4; ++step) {
    Row16<T> next[16];
#pragma clang loop unroll(full)
    for (int i = 0; i < 8; ++i) {
      next[2 * i] =
          __builtin_shufflevector(rows[i], rows[i + 8], 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      next[2 * i + 1] =
          __builtin_shufflevector(rows[i], rows[i + 8], 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    }
#pragma clang loop unroll(full)
    for (int i = 0; i < 16; ++i)
      rows[i] = next[i];
  }
}

} // namespace tilesmith::machine::TS_EXEC_VARIANT

#endif
