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

/* The rule for the temporary buffer of a function of rows (`ofRows`) or elements, whose source has elements of `size`
 * bytes: what it needs at least, and with what it takes everything at once. The Machine checks by the same rule. */
void tilesmith_library_bytes(int64_t ofRows, int64_t function, int64_t size, int64_t rows, int64_t columns,
                             int64_t *least, int64_t *most);

#ifdef __cplusplus
}
#endif

#endif
