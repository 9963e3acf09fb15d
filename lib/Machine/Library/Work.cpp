// What the host's library of tilings says about temporary buffers.
#include "Map.h"
#include "Rows.h"

using namespace tilesmith;
using namespace tilesmith::machine;
using namespace tilesmith::machine::library;

extern "C" void tilesmith_library_bytes(int64_t ofRows, int64_t function, int64_t size, int64_t rows, int64_t columns,
                                        int64_t *least, int64_t *most) {
  *least = *most = 0;
  if (function < 0 || function >= (ofRows ? int64_t(TS_ROWS_COUNT) : int64_t(TS_MAP_COUNT)) || rows <= 0 ||
      columns <= 0)
    return;
  if (ofRows) {
    RowsRule rule = ruleOfRows(function, size == 2 ? DType::F16 : DType::F32, rows, columns);
    *least = rule.least;
    *most = rule.most;
    return;
  }
  for (unsigned i = 0; i < isa::numDType; ++i) {
    auto dtype = DType(i);
    if (!(typesOf(TsLibraryMap(function)) & isa::dtypeBit(dtype)) || int64_t(isa::sizeOf(dtype)) != size)
      continue;
    WorkRule rule = ruleOf(TsLibraryMap(function), dtype); // the largest of the types of this size
    *least = std::max(*least, rule.bytes);
    *most = std::max(*most, (rows * columns + rule.elements - 1) / rule.elements * rule.bytes);
  }
}
