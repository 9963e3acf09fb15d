// A shared object of kernels written in Ascend C (include/ascendc), loaded into this process.
//
// Loading gives it the Machine's table of functions. It stays loaded until the process ends: its thread-local state and
// the addresses of its vector functions may be in use anywhere.
#ifndef TILESMITH_RUNTIME_LIBRARY_H
#define TILESMITH_RUNTIME_LIBRARY_H

#include "tilesmith/Machine/Api.h"
#include "tilesmith/Machine/Launch.h"
#include "tilesmith/Target/Host/Metadata.h"
#include <span>
#include <string>

namespace tilesmith::runtime {

class KernelLibrary {
public:
  // Null with the reason in `error`.
  static const KernelLibrary *open(const std::string &path, std::string &error);

  std::span<const TsLibraryKernel> kernels() const { return {library->kernels, size_t(library->numKernels)}; }
  const TsLibraryKernel *find(std::string_view name) const;

  // Locations of the library are files and lines; those of a result become entries of a table like a compiled kernel's.
  host::Metadata describe(const TsLibraryKernel &kernel, isa::Arch arch, machine::LaunchResult &result) const;

private:
  const TsLibrary *library = nullptr;
};

// From now on a signal that ends the process first writes one line of JSON to `fd`: the signal, and the block and line
// that were running. For a process that runs one library of a user's kernels.
void noteCrashes(int fd);

} // namespace tilesmith::runtime

#endif // TILESMITH_RUNTIME_LIBRARY_H
