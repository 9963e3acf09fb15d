// Rules over Python sources, for the command line.
#ifndef TILESMITH_PYTHON_LINT_H
#define TILESMITH_PYTHON_LINT_H

#include <nanobind/nanobind.h>

namespace tilesmith::python {

void registerLint(nanobind::module_ &module);
void registerKernelLint(nanobind::module_ &module);

} // namespace tilesmith::python

#endif // TILESMITH_PYTHON_LINT_H
