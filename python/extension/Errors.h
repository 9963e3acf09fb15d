// What goes wrong in a kernel, as Python exceptions.
#ifndef TILESMITH_PYTHON_ERRORS_H
#define TILESMITH_PYTHON_ERRORS_H

#include <nanobind/nanobind.h>

#include "tilesmith/Machine/Launch.h"
#include "tilesmith/Runtime/Specialiser.h"

namespace tilesmith::python {

// Sets the exception; the caller returns its error value.
void raiseHostError(const frontend::HostError &error);
// Without `capture` the exception behind a CodegenError is raised itself.
void raiseCompileError(const runtime::CompileError &error, bool capture = true);
void raiseSpecialiseError(const runtime::SpecialiseError &error, bool capture);
void raiseFindings(const std::vector<machine::Finding> &findings, const host::Metadata &metadata);

// A place in the kernel's source as a dict of file, line and column; empty if it is not known.
nanobind::dict describePlace(uint32_t loc, const host::Metadata &metadata);

// The facts of one launch for `asc.profile()` and `asc.check()`.
nanobind::dict describeLaunch(const machine::LaunchResult &result, const host::Metadata &metadata,
                              const machine::Platform &platform, machine::Mode mode);

} // namespace tilesmith::python

#endif // TILESMITH_PYTHON_ERRORS_H
