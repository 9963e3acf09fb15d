// Runs tile IR on the model: through all passes, compiled, launched in checked mode and in both late modes.
//
// A kernel that leaves a finding, or whose results depend on how late its instructions run, fails the test.
#ifndef TILESMITH_UNITTESTS_TRANSFORMS_KERNELRUN_H
#define TILESMITH_UNITTESTS_TRANSFORMS_KERNELRUN_H

#include "tilesmith/Isa/Isa.h"
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace tilesmith::testing {

using Half = _Float16;

// An array argument (its bytes, changed by the kernel) or the bits of a scalar.
struct Argument {
  std::vector<uint8_t> bytes;
  int64_t bits = 0;
  bool isArray = false;

  template <typename T> static Argument array(const std::vector<T> &values) {
    Argument argument;
    argument.isArray = true;
    argument.bytes.resize(values.size() * sizeof(T));
    if (!values.empty())
      std::memcpy(argument.bytes.data(), values.data(), argument.bytes.size());
    return argument;
  }
  static Argument scalar(int64_t bits) {
    Argument argument;
    argument.bits = bits;
    return argument;
  }
  static Argument scalar(float value) { return scalar(int64_t(std::bit_cast<uint32_t>(value))); }
  template <typename T> std::vector<T> values() const {
    std::vector<T> result(bytes.size() / sizeof(T));
    std::memcpy(result.data(), bytes.data(), bytes.size());
    return result;
  }
};

// Compiles the one kernel of `ir` and runs it. Fails the current test on any error or finding.
void run(const std::string &ir, isa::Arch arch, std::vector<Argument> &arguments, int64_t blocks = 1, bool fuse = true);

} // namespace tilesmith::testing

#endif // TILESMITH_UNITTESTS_TRANSFORMS_KERNELRUN_H
