// Tilings of matrix products, and what they have to know of platforms.
#ifndef TILESMITH_PYTHON_EXTENSION_TILINGS_H
#define TILESMITH_PYTHON_EXTENSION_TILINGS_H

#include <nanobind/nanobind.h>

namespace tilesmith::python {

void registerTilings(nanobind::module_ &module);

} // namespace tilesmith::python

#endif // TILESMITH_PYTHON_EXTENSION_TILINGS_H
