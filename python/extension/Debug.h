// A launch under a debugger written in Python (asc.runtime.debug): where it stops Python is asked, and says how to go
// on.
//
// The debugger has `begin(control, facts)`, `stopped(control, facts)`, which returns a word, and `breaks_at(file,
// line)`. `control` (_tilesmith.DebugControl) reads the memories of the core that stopped; it is good until
// `stopped` returns. What it raises ends the launch and leaves it.
#ifndef TILESMITH_PYTHON_DEBUG_H
#define TILESMITH_PYTHON_DEBUG_H

#include <nanobind/nanobind.h>

#include "Kernel.h"
#include "tilesmith/Machine/Debugger.h"

namespace tilesmith::python {

class DebuggedLaunch final : public machine::Stepper {
public:
  DebuggedLaunch(nanobind::object debugger, const host::Metadata &metadata);
  ~DebuggedLaunch() override;

  // Tells the debugger what is launched. False with a Python exception set.
  bool begin(const Binding &binding, int64_t blocks, const machine::Platform &platform);
  using Stepper::begin;
  // After the launch: false with the exception set that the debugger raised.
  bool end();

  Resume stopped(const Stop &stop) override;
  bool isBreakpoint(uint32_t loc) override;
  bool isInterrupted() override;
  bool isSameLine(uint32_t a, uint32_t b) override;

  const machine::DebuggedCore *core = nullptr; // the one that stopped
  void forgetBreakpoints() { breakpoints.clear(); }

private:
  const host::SourceLocation &placeOf(uint32_t loc) const {
    return metadata.locations[loc < metadata.locations.size() ? loc : 0];
  }
  void keepError(nanobind::python_error &error);

  nanobind::object debugger, control;
  const host::Metadata &metadata;
  llvm::DenseMap<uint32_t, bool> breakpoints; // as the debugger said
  nanobind::object raised;                    // what it raised
};

// Whether the debugger wants kernels compiled for it, or as they are.
bool needsDebugInfo(const nanobind::object &debugger);

// The debugger for a launch of a kernel with breakpoints when there is none. Null: no user can be asked, and the launch
// goes on without.
nanobind::object debuggerForBreakpoints(const Binding &binding);

// The launch again, compiled for a debugger.
PyObject *runDebugged(const Binding &binding, int64_t blocks, nanobind::object debugger);

void registerDebug(nanobind::module_ &module);

} // namespace tilesmith::python

#endif // TILESMITH_PYTHON_DEBUG_H
