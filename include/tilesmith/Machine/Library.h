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

#ifdef __cplusplus
}
#endif

#endif
