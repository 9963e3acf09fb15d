// Tensors whose bytes are in fractals (TILEOP_NZ).
#ifndef TILESMITH_LIB_FRONTEND_PYPTO_FRACTALS_H
#define TILESMITH_LIB_FRONTEND_PYPTO_FRACTALS_H

#include "Operator.h"

namespace tilesmith::frontend::pypto {

// The array as rows of elements: a copy in the workspace, made where the builder is. The last two axes are whole
// fractals, and all sizes are known.
Value unpackFractals(Operator &o, const Value &memory, const Range &range);

// False, with an error, if what is written there would be written into such a copy.
bool mayWrite(Operator &o, const Value &memory, const Range &range);

} // namespace tilesmith::frontend::pypto

#endif // TILESMITH_LIB_FRONTEND_PYPTO_FRACTALS_H
