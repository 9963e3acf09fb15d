// What a launch leaves behind for Python: one dict of facts for who records launches, and an exception for what it
// found.
#ifndef TILESMITH_PYTHON_OBSERVE_H
#define TILESMITH_PYTHON_OBSERVE_H

#include "Arguments.h"
#include "Settings.h"
#include "tilesmith/Machine/Launch.h"
#include "tilesmith/Target/Host/Metadata.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilesmith::python {

// The arrays of a launch, in the order of its parameters.
class ArrayFacts {
public:
  void add(const std::string &name, const Argument &array);
  void write(nanobind::dict &facts) const;

private:
  nanobind::list arrays;
  int64_t elements = 0; // of the largest
  const char *dtype = "";
};

// A launch that has run, and how: as the settings were when it began, since another thread may have changed them.
struct Launched {
  const machine::Platform &platform;
  const host::Metadata &metadata;
  int64_t blocks;
  runtime::LaunchSettings how;
  nanobind::object recorder, clock;
  bool raises;
  std::shared_ptr<const void> owner; // keeps alive what the calls of the launch point to
  nanobind::object stream;           // the launch names, or null

  Launched(const Settings &now, const host::Metadata &metadata, int64_t blocks)
      : platform(*now.platform), metadata(metadata), blocks(blocks), how(now.launch), recorder(now.recorder),
        clock(now.clock), raises(now.raiseFindings) {}
};

// Records the facts and raises the findings; the calls of the launch are taken out of `result` if they are kept. False
// with a Python exception set.
bool observe(machine::LaunchResult &result, const Launched &launch, llvm::function_ref<void(ArrayFacts &)> arrays);

// What the kernel printed, as Python's own output. Python knows the formats.
void showOutput(const std::vector<machine::BlockOutput> &output, const host::Metadata &metadata);

} // namespace tilesmith::python

#endif // TILESMITH_PYTHON_OBSERVE_H
