// asc, the language of instructions: one line of Python is one call of Ascend C.
#ifndef TILESMITH_LIB_FRONTEND_ASC_ASC_H
#define TILESMITH_LIB_FRONTEND_ASC_ASC_H

#include "Python/Language.h"

namespace tilesmith::frontend::asc {

const Language &language();
// Whether a builtin is of this language, or of both.
bool isOurs(llvm::StringRef builtin);

} // namespace tilesmith::frontend::asc

#endif // TILESMITH_LIB_FRONTEND_ASC_ASC_H
