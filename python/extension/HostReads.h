// The host values a compilation read, and whether they are still the same.
//
// A read is a path from the kernel ("SIZE", "cfg.tile", "helper>SCALE", "$mode.tile") and the fingerprint of what was
// there. In memory we also remember the object itself: when the same object is still there and cannot change, nothing
// has to be computed, which keeps a repeated launch cheap.
#ifndef TILESMITH_PYTHON_HOSTREADS_H
#define TILESMITH_PYTHON_HOSTREADS_H

#include <nanobind/nanobind.h>

#include "tilesmith/Frontend/HostEval.h"
#include "tilesmith/Runtime/HostReads.h"
#include <functional>
#include <string>
#include <vector>

namespace tilesmith::python {

// Finds the value a path leads to, starting at a jit function. `constant` gives the values of ConstExpr parameters.
using ConstantValue = std::function<PyObject *(llvm::StringRef name)>;

class HostReads final : public runtime::RememberedReads {
public:
  // Takes over the reads of a compilation, or of a cache entry after holds() confirmed it.
  HostReads(frontend::HostEval &host, PyObject *function, std::vector<runtime::HostRead> reads,
            const ConstantValue &constant);
  HostReads() = default;

  bool unchanged(frontend::HostEval &host, PyObject *function, const ConstantValue &constant) const;

private:
  struct Read {
    runtime::HostRead recorded;
    nanobind::object dict, name; // the root: a name in a dict of globals ...
    nanobind::object cell;       // ... or a closure's cell
    nanobind::object root;       // what was there
    bool plain = false;          // the root is all there is to check: it is the value, or a module of this package
    bool constantValue = false;  // the value cannot change while it is the same object
  };
  std::vector<Read> reads;
};

// Whether every read still has its fingerprint.
bool holds(frontend::HostEval &host, PyObject *function, const std::vector<runtime::HostRead> &reads,
           const ConstantValue &constant);

} // namespace tilesmith::python

#endif // TILESMITH_PYTHON_HOSTREADS_H
