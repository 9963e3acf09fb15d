/* The functions of the library (Library.def), by the numbers the entries library_map and library_rows know them by. */
#ifndef TILESMITH_MACHINE_LIBRARY_H
#define TILESMITH_MACHINE_LIBRARY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TsLibraryMap {
#define TILESMITH_LIBRARY_MAP(NAME, ...) TS_MAP_##NAME,
#include "tilesmith/Machine/Library.def"
  TS_MAP_COUNT
} TsLibraryMap;

typedef enum TsLibraryRows {
#define TILESMITH_LIBRARY_ROWS(NAME, ...) TS_ROWS_##NAME,
#include "tilesmith/Machine/Library.def"
  TS_ROWS_COUNT
} TsLibraryRows;

/* Forms of instructions that are several, which library_rows takes as well.
 *   reductions of `rows` repeats, `columns` blocks apart, with the mask operand `length`, by way of `work`; with
 * `flags` the result is two elements: the value and where it first is Transpose: `length` matrices of `rows` x
 * `columns` elements, turned GatherBits: `rows` repeats, results `columns` blocks apart; src1 offsets, src2 the base,
 * src3 bytes of the source, scalar0 and scalar1 the lanes */
typedef enum TsLibraryForm {
  TS_FORM_ReduceSum = 1024,
  TS_FORM_ReduceMax,
  TS_FORM_ReduceMin,
  TS_FORM_Transpose,
  TS_FORM_GatherBits,
  TS_FORM_END
} TsLibraryForm;

/* The rule for the temporary buffer of a function of rows (`ofRows`) or elements, whose source has elements of `size`
 * bytes: what it needs at least, and with what it takes everything at once. The Machine checks by the same rule. */
void tilesmith_library_bytes(int64_t ofRows, int64_t function, int64_t size, int64_t rows, int64_t columns,
                             int64_t *least, int64_t *most);

#ifdef __cplusplus
}
#endif

#endif
