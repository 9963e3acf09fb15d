// Triton's language: programs of a grid that compute with tiles and pointers.
#ifndef TILESMITH_LIB_FRONTEND_TRITON_TRITON_H
#define TILESMITH_LIB_FRONTEND_TRITON_TRITON_H

#include "Python/Language.h"

namespace tilesmith::frontend::triton {

const Language &language();

} // namespace tilesmith::frontend::triton

#endif // TILESMITH_LIB_FRONTEND_TRITON_TRITON_H
