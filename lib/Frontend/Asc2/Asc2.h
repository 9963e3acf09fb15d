// asc2, the language of tiles.
#ifndef TILESMITH_LIB_FRONTEND_ASC2_ASC2_H
#define TILESMITH_LIB_FRONTEND_ASC2_ASC2_H

#include "Python/Language.h"

namespace tilesmith::frontend::asc2 {

const Language &language();

} // namespace tilesmith::frontend::asc2

#endif // TILESMITH_LIB_FRONTEND_ASC2_ASC2_H
