// How launches run in this process: platform, mode, and who listens to their results; and what tests put in their way.
//
// Process-wide and guarded by Python's lock.
#ifndef TILESMITH_PYTHON_SETTINGS_H
#define TILESMITH_PYTHON_SETTINGS_H

#include <nanobind/nanobind.h>

#include "tilesmith/Runtime/Cache.h"
#include "tilesmith/Runtime/Launch.h"

namespace tilesmith::python {

// What users set, through asc.runtime.config and the context managers of asc.runtime.profile.
struct Settings {
  const machine::Platform *platform = nullptr;
  runtime::LaunchSettings launch;
  bool raiseFindings = true;
  bool dryRun = false;       // compile, do not launch
  nanobind::object emitter;  // called with each launch as Ascend C, which is not run here then; or null
  nanobind::object listener; // called with kernel, blocks and a dict of arguments before each launch; or null
  nanobind::object debugger; // follows each launch (Debug.h), or null
  nanobind::object recorder; // a list that receives one dict per launch, or null
  nanobind::object clock;    // called with the stream and the microseconds of each timed launch after it; or null
};
Settings &settings();

// For tests and programs that look at the IR, or want nothing launched.
struct Hooks {
  // Methods of JITFunction that somebody replaced: they are called instead.
  bool compilerReplaced = false, launcherReplaced = false;
  bool keepIr = false; // `ir` receives the tile IR of each compilation
  std::string ir;
};
Hooks &hooks();

// Prints the cache's warning, if there is one, through Python's `warnings`.
runtime::DiskCache &diskCache();
void reportCacheWarning();

void registerSettings(nanobind::module_ &module);

} // namespace tilesmith::python

#endif // TILESMITH_PYTHON_SETTINGS_H
