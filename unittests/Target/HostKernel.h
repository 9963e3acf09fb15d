// A kernel given as isa IR text, compiled, loaded and run on the Machine.
#ifndef TILESMITH_UNITTESTS_TARGET_HOSTKERNEL_H
#define TILESMITH_UNITTESTS_TARGET_HOSTKERNEL_H

#include "tilesmith/Machine/Launch.h"
#include "tilesmith/Target/Host/Jit.h"
#include <bit>

namespace tilesmith::host {

// A kernel argument: bytes in global memory, or the bits of a scalar.
struct Argument {
  machine::HostRange range;
  int64_t bits = 0;

  Argument(int64_t bits) : bits(bits) {}
  Argument(float value) : bits(std::bit_cast<uint32_t>(value)) {}
  template <typename T>
  Argument(std::vector<T> &data) : range{reinterpret_cast<uint8_t *>(data.data()), int64_t(data.size() * sizeof(T))} {}
};

class HostKernel {
public:
  // The kernel of this name, or the only one of the text. `error` holds the text when compilation or loading fails.
  explicit HostKernel(const std::string &text, CompileOptions options = {}, const std::string &name = "");

  machine::LaunchResult run(const char *platform, std::vector<Argument> arguments, int64_t blocks = 1,
                            machine::Mode mode = machine::Mode::Fast, int64_t maxTicks = 1000);

  CompiledKernel compiled;
  std::string error;

private:
  LoadedKernel loaded;
};

// The text of the findings, one per line; for comparing with what is expected.
std::string findingIds(const machine::LaunchResult &result);

} // namespace tilesmith::host

#endif // TILESMITH_UNITTESTS_TARGET_HOSTKERNEL_H
