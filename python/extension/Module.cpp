// The extension module `_tilesmith`.
#include "Debug.h"
#include "DeviceHeap.h"
#include "DeviceServer.h"
#include "Facts.h"
#include "Findings.h"
#include "Frontend.h"
#include "Kernel.h"
#include "Library.h"
#include "Lint.h"
#include "Options.h"
#include "RemoteDevice.h"
#include "Settings.h"
#include "Tilings.h"
#include "Verify.h"

NB_MODULE(_tilesmith, module) {
  using namespace tilesmith::python;
  nanobind::set_leak_warnings(false); // types and functions live as long as the process
  registerFindings(module);
  registerFrontend(module);
  registerSettings(module);
  registerFacts(module);
  registerOptions(module);
  registerKernel(module);
  registerLauncher(module);
  registerLibrary(module);
  registerLint(module);
  registerKernelLint(module);
  registerTilings(module);
  registerVerify(module);
  registerDebug(module);
  registerDeviceHeap(module);
  registerRemoteDevice(module);
  registerDeviceServer(module);
}
