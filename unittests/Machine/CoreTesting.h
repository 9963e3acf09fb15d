// Kernels written by hand against the C ABI, and a chip of the real sizes to run them on.
#ifndef TILESMITH_UNITTESTS_MACHINE_CORETESTING_H
#define TILESMITH_UNITTESTS_MACHINE_CORETESTING_H

#include "tilesmith/Machine/Launch.h"
#include <gtest/gtest.h>

namespace tilesmith::machine::testing {

inline constexpr int64_t F32 = int64_t(DType::F32), F16 = int64_t(DType::F16);
inline constexpr int64_t S = int64_t(Pipe::S), V = int64_t(Pipe::V), M = int64_t(Pipe::M), MTE1 = int64_t(Pipe::MTE1),
                         MTE2 = int64_t(Pipe::MTE2), MTE3 = int64_t(Pipe::MTE3), FIX = int64_t(Pipe::FIX),
                         ALL = int64_t(Pipe::ALL);

constexpr int64_t at(Memory memory, int64_t offset) { return Address(memory, offset).bits; }
constexpr int64_t ub(int64_t offset) { return at(Memory::UB, offset); }

// Sizes only; functional modes need no times.
inline Platform chip(Arch arch) {
  Platform platform;
  platform.name = "test";
  platform.arch = arch;
  bool c310 = arch == Arch::C310;
  platform.capacity = {
      int64_t(1) << 36, c310 ? 253952 : 196608, 524288, 65536, 65536, c310 ? 262144 : 131072, 1024, 2048,
      c310 ? 4096 : 0,  c310 ? 4096 : 0};
  return platform;
}

// A launch in the making: arrays become device addresses in order, and are called x, y, z.
struct Bench {
  Platform platform;
  Launch launch;
  std::vector<GlobalRange> ranges;
  std::vector<int64_t> args;

  explicit Bench(TsKernelFn kernel, Arch arch = Arch::C220) : platform(chip(arch)) { launch.kernel = kernel; }

  template <typename... T> Bench &arrays(std::vector<T> &...vectors) {
    std::vector<HostRange> inputs = {
        {reinterpret_cast<uint8_t *>(vectors.data()), int64_t(vectors.size() * sizeof(T))}...};
    args = assignDeviceAddresses(inputs, ranges);
    launch.arrays = [inputs, args = args] {
      std::vector<GlobalArray> named;
      for (size_t i = 0; i < inputs.size(); ++i)
        named.push_back({args[i], inputs[i].size, std::string(1, char('x' + i)), {}, {}});
      return named;
    };
    return *this;
  }

  LaunchResult run() {
    launch.platform = &platform;
    launch.args = args;
    launch.global = ranges;
    return machine::launch(launch);
  }
};

inline std::vector<float> iota(size_t count, float start = 0) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = start + float(i);
  return values;
}

// The only finding of the launch, as "id: text".
inline std::string only(const LaunchResult &result) {
  if (result.findings.size() != 1)
    return std::to_string(result.findings.size()) + " findings";
  return result.findings[0].id.str() + ": " + result.findings[0].text;
}

inline void load(TsCore *core, int64_t to, int64_t from, int64_t bytes, int64_t loc = 0) {
  tsm_copy_gm_to_ub(core, loc, F32, to, from, 1, bytes, 0, 0, 0, 0, 0, 0);
}
inline void store(TsCore *core, int64_t to, int64_t from, int64_t bytes, int64_t loc = 0) {
  tsm_copy_ub_to_gm(core, loc, F32, to, from, 1, bytes, 0, 0);
}
inline void passFlag(TsCore *core, int64_t from, int64_t to, int64_t id = 0) {
  tsm_set_flag(core, 0, from, to, id);
  tsm_wait_flag(core, 0, from, to, id);
}

} // namespace tilesmith::machine::testing

#endif // TILESMITH_UNITTESTS_MACHINE_CORETESTING_H
