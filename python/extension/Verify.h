// The accuracy gate: `_tilesmith.compare` and its companions.
#ifndef TILESMITH_PYTHON_VERIFY_H
#define TILESMITH_PYTHON_VERIFY_H

#include <nanobind/nanobind.h>

namespace tilesmith::python {

void registerVerify(nanobind::module_ &module);

} // namespace tilesmith::python

#endif // TILESMITH_PYTHON_VERIFY_H
