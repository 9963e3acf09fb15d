// The options of kernels (Options/Options.def) as Python objects.
#ifndef TILESMITH_PYTHON_OPTIONS_H
#define TILESMITH_PYTHON_OPTIONS_H

#include <nanobind/nanobind.h>

#include "tilesmith/Options/Options.h"

namespace tilesmith::python {

// False with a Python exception set: an option that there is not, or a value it cannot have.
bool readOptions(const nanobind::dict &given, KernelOptions &options);

void registerOptions(nanobind::module_ &module);

} // namespace tilesmith::python

#endif // TILESMITH_PYTHON_OPTIONS_H
