// The extension module `_tilesmith`.
#include "Frontend.h"

#ifdef TILESMITH_WITH_RUNTIME
#include "Kernel.h"
#include "Settings.h"
#endif

NB_MODULE(_tilesmith, module) {
  using namespace tilesmith::python;
  nanobind::set_leak_warnings(false); // types and functions live as long as the process
  registerFrontend(module);
#ifdef TILESMITH_WITH_RUNTIME
  registerSettings(module);
  registerKernel(module);
  registerLauncher(module);
#endif
}
