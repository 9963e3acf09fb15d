// Tiling structs of custom operators: the macros a host's tiling header is written with. Fields follow each other as in
// a plain struct, so that the bytes the host writes are what a kernel reads.
#ifndef TILESMITH_ASCENDC_TILINGDATA_BASE_H
#define TILESMITH_ASCENDC_TILINGDATA_BASE_H

#include <stdint.h>

#define BEGIN_TILING_DATA_DEF(NAME) struct NAME {
#define TILING_DATA_FIELD_DEF(TYPE, FIELD)                                                                             \
  TYPE FIELD = {};                                                                                                     \
  TYPE get_##FIELD() const { return FIELD; }                                                                           \
  void set_##FIELD(TYPE value) { FIELD = value; }
#define TILING_DATA_FIELD_DEF_ARR(TYPE, SIZE, FIELD)                                                                   \
  TYPE FIELD[SIZE] = {};                                                                                               \
  const TYPE *get_##FIELD() const { return FIELD; }                                                                    \
  void set_##FIELD(const TYPE *values) {                                                                               \
    for (int i = 0; i < int(SIZE); ++i)                                                                                \
      FIELD[i] = values[i];                                                                                            \
  }
#define TILING_DATA_FIELD_DEF_STRUCT(TYPE, FIELD) TYPE FIELD = {};
#define END_TILING_DATA_DEF                                                                                            \
  }                                                                                                                    \
  ;
#define REGISTER_TILING_DATA_CLASS(OPERATOR, TYPE)                                                                     \
  }                                                                                                                    \
  optiling::TYPE tilesmithTilingStruct();                                                                              \
  namespace optiling {

#endif
