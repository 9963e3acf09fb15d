// Functions of single elements: what issues them, and the rule for their temporary buffers.
#ifndef TILESMITH_LIB_MACHINE_LIBRARY_MAP_H
#define TILESMITH_LIB_MACHINE_LIBRARY_MAP_H

#include "Formula.h"
#include "Issue.h"

namespace tilesmith::machine::library {

// As the entry library_map has it.
struct MapCall {
  int64_t function, dtype, dtype2, dst[2], src[3], scalar[2], work, workBytes, count;
};
void issueMap(TsCore &core, int64_t loc, const MapCall &given);

// `bytes` for every `elements` that are computed at once; 0: none is needed. The 950 needs none.
struct WorkRule {
  int64_t bytes, elements;
};
WorkRule ruleOf(TsLibraryMap function, DType dtype);

} // namespace tilesmith::machine::library

#endif // TILESMITH_LIB_MACHINE_LIBRARY_MAP_H
