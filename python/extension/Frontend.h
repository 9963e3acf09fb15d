// The front end as Python sees it, and its errors as Python exceptions.
#ifndef TILESMITH_PYTHON_FRONTEND_H
#define TILESMITH_PYTHON_FRONTEND_H

#include <nanobind/nanobind.h>

#include "tilesmith/Frontend/Diagnostic.h"

namespace tilesmith::python {

// The CodegenError (or UnsupportedSyntaxError) of a diagnostic, with the exception it stands for as its cause.
nanobind::object makeCodegenError(const frontend::Diagnostic &diagnostic);

// Adds `lower_to_tile` to the module.
void registerFrontend(nanobind::module_ &module);

} // namespace tilesmith::python

#endif // TILESMITH_PYTHON_FRONTEND_H
