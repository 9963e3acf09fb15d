// Kernels: how they are made and launched, and where their results go.
#ifndef TILESMITH_LINT_ENGINE_LAUNCHES_H
#define TILESMITH_LINT_ENGINE_LAUNCHES_H

#include "KernelTable.h"

namespace tilesmith::lint {

class Launches : public Part {
public:
  explicit Launches(Interpreter &interpreter) : Part(interpreter) {}

  Value makeKernel(const Value &function, Dsl dsl, llvm::StringRef path);
  Value makeLauncher(unsigned kernel, const Value &grid, Site site);
  // A kernel's function as Python runs it: on the host.
  Value callPlainly(unsigned kernel, const Arguments &arguments, Site site);
  Value launch(unsigned kernel, const Arguments &arguments, Site site);
  // Functions that Triton calls at launches: heuristics, hooks of configurations.
  void collectHooks(const Value &value, unsigned depth = 0);

  unsigned getCount() const { return count; }
  // Whether some kernel was launched from forward.
  bool hasAny() const { return any; }

private:
  void checkBody(const KernelInfo &kernel, const KernelFacts &facts);
  void callHooks(const KernelInfo &kernel, const Arguments &arguments, Site site);
  // Whether there was anything to write. Through addresses that are loaded: only into what they point to.
  bool write(const Value &value, llvm::ArrayRef<unsigned> sources, bool throughAddresses = false);

  Value hooks;
  bool isInHook = false, isInBody = false, any = false;
  unsigned count = 0;
};

} // namespace tilesmith::lint

#endif // TILESMITH_LINT_ENGINE_LAUNCHES_H
