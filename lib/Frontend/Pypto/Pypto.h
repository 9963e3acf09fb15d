// pypto, the language of whole tensors.
#ifndef TILESMITH_LIB_FRONTEND_PYPTO_PYPTO_H
#define TILESMITH_LIB_FRONTEND_PYPTO_PYPTO_H

#include "Python/Language.h"

namespace tilesmith::frontend::pypto {

const Language &language();

} // namespace tilesmith::frontend::pypto

#endif // TILESMITH_LIB_FRONTEND_PYPTO_PYPTO_H
