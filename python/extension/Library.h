// Kernels of a library of compiled Ascend C: `_tilesmith.load_kernel_library(path)`; and the call streams of launches.
#ifndef TILESMITH_PYTHON_LIBRARY_H
#define TILESMITH_PYTHON_LIBRARY_H

#include <nanobind/nanobind.h>

#include "tilesmith/Machine/Launch.h"
#include "tilesmith/Target/Host/Metadata.h"
#include <memory>

namespace tilesmith::python {

bool interrupted(); // Launcher.cpp

// The calls of a launch made with `keep_calls`: has `hash`, `differs_from(other)`. `owner` keeps alive what they point
// to.
nanobind::object makeCallTrace(machine::LaunchResult result, host::Metadata metadata, isa::Arch arch,
                               std::shared_ptr<const void> owner);

void registerLibrary(nanobind::module_ &module);

} // namespace tilesmith::python

#endif // TILESMITH_PYTHON_LIBRARY_H
