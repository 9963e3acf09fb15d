// Functions of rows: what issues them, and the rule for their temporary buffers.
#ifndef TILESMITH_LIB_MACHINE_LIBRARY_ROWS_H
#define TILESMITH_LIB_MACHINE_LIBRARY_ROWS_H

#include "Issue.h"
#include "tilesmith/Machine/Library.h"

namespace tilesmith::machine::library {

// As the entry library_rows has it.
struct RowsCall {
  int64_t function, dtype, dtype2, dst[3], src[5], scalar[2], work, workBytes, rows, columns, length, flags;
};
void issueRows(TsCore &core, int64_t loc, const RowsCall &given);
// A TsLibraryForm.
void issueForm(TsCore &core, int64_t loc, const RowsCall &call);

// The bytes a function needs at least, and with which it takes all rows at once.
struct RowsRule {
  int64_t least, most;
};
RowsRule ruleOfRows(int64_t function, DType dtype, int64_t rows, int64_t columns);

} // namespace tilesmith::machine::library

#endif // TILESMITH_LIB_MACHINE_LIBRARY_ROWS_H
