// Text of kernels around vector functions, and running them on bytes.
#ifndef TILESMITH_UNITTESTS_TARGET_VECTORTEXT_H
#define TILESMITH_UNITTESTS_TARGET_VECTORTEXT_H

#include "HostKernel.h"
#include <cstring>
#include <gtest/gtest.h>

namespace tilesmith::host {

inline constexpr const char *platform310 = "Ascend950PR_9599";

// A kernel around `body`: `inputs` GM parameters copied to UB before, one output copied back after. Parameters are %g0,
// %g1
// ..., UB buffers %b0, %b1 ..., the output %o. Every buffer has `bytes` bytes. `%s` is an f32 parameter.
inline std::string kernelText(const std::string &body, const std::vector<std::string> &inputs,
                              const std::string &output, int64_t bytes) {
  std::string text = "func.func @k(", copies, after;
  int64_t address = 0;
  auto alloc = [&](const std::string &name, const std::string &type) {
    text += "  %" + name + " = isa.alloc " + std::to_string(bytes) + " {address = " + std::to_string(address) +
            " : i64} : !isa.buffer<UB, " + type + ">\n";
    address += (bytes + 31) / 32 * 32 + 32;
  };
  for (size_t i = 0; i < inputs.size(); ++i)
    text += "%g" + std::to_string(i) + ": !isa.buffer<GM, i8>, ";
  text += "%go: !isa.buffer<GM, i8>, %s: f32) attributes {isa.kernel, isa.arch = \"C310\"} {\n"
          "  %c0 = arith.constant 0 : i64\n  %c1 = arith.constant 1 : i64\n  %pad = arith.constant 0 : i8\n"
          "  %bytes = arith.constant " +
          std::to_string(bytes) + " : i64\n";
  for (size_t i = 0; i <= inputs.size(); ++i) {
    bool isOutput = i == inputs.size();
    std::string name = isOutput ? "o" : "b" + std::to_string(i), type = isOutput ? output : inputs[i];
    alloc(name, type);
    text += "  %v" + name + " = isa.view %" + name + " : !isa.buffer<UB, " + type + "> -> !isa.buffer<UB, i8>\n";
    std::string gm = isOutput ? "%go" : "%g" + std::to_string(i);
    text += "  isa.copy_gm_to_ub %v" + name + ", " + gm +
            ", %c1, %bytes, %c0, %c0, %c0, %c0, %c0, %pad"
            " : !isa.buffer<UB, i8>, !isa.buffer<GM, i8>, i8\n";
  }
  text +=
      "  isa.pipe_barrier {on = #isa.pipe<ALL>}\n" + body +
      "  isa.pipe_barrier {on = #isa.pipe<ALL>}\n"
      "  isa.copy_ub_to_gm %go, %vo, %c1, %bytes, %c0, %c0 : !isa.buffer<GM, i8>, !isa.buffer<UB, i8>\n  return\n}\n";
  return text;
}

inline std::string buffer(const std::string &type) { return "!isa.buffer<UB, " + type + ">"; }
inline std::string reg(const std::string &type) { return "!isa.reg<" + type + ">"; }

// An isa.vf over the inputs, the output and %s, whose block arguments are %p0, %p1 ..., %po, %ps.
inline std::string vfText(int64_t rows, int64_t cols, const std::vector<std::string> &inputs, const std::string &output,
                          const std::string &body) {
  std::string args, types, params;
  for (size_t i = 0; i < inputs.size(); ++i) {
    args += "%b" + std::to_string(i) + ", ";
    types += buffer(inputs[i]) + ", ";
    params += "%p" + std::to_string(i) + ": " + buffer(inputs[i]) + ", ";
  }
  return "  isa.vf " + std::to_string(rows) + " x " + std::to_string(cols) + "(" + args + "%o, %s) : " + types +
         buffer(output) + ", f32 {\n  ^bb0(" + params + "%po: " + buffer(output) + ", %ps: f32):\n" + body + "  }\n";
}

inline std::string load(const std::string &name, int i, const std::string &type, const std::string &walk = "full") {
  return "    %" + name + " = isa.vf_load %p" + std::to_string(i) + " " + walk + " : " + buffer(type) + " -> " +
         reg(type) + "\n";
}
inline std::string store(const std::string &name, const std::string &type, const std::string &walk = "full") {
  return "    isa.vf_store %" + name + ", %po " + walk + " : " + reg(type) + ", " + buffer(type) + "\n";
}

using Bytes = std::vector<uint8_t>;

template <typename T> Bytes bytesOf(const std::vector<T> &values, int64_t size) {
  Bytes bytes(size, 0xee);
  std::memcpy(bytes.data(), values.data(), values.size() * sizeof(T));
  return bytes;
}
template <typename T> std::vector<T> valuesOf(const Bytes &bytes, size_t count) {
  std::vector<T> values(count);
  std::memcpy(values.data(), bytes.data(), count * sizeof(T));
  return values;
}

// Runs the text on the inputs; the output starts as 0xee bytes.
inline Bytes run(const std::string &text, std::vector<Bytes> inputs, int64_t bytes, float scalar = 0,
                 CompileOptions options = {}) {
  HostKernel kernel(text, options);
  EXPECT_EQ(kernel.error, "") << text;
  if (!kernel.error.empty())
    return {};
  Bytes output(bytes, 0xee);
  std::vector<Argument> arguments;
  for (Bytes &input : inputs)
    arguments.push_back(input);
  arguments.push_back(output);
  arguments.push_back(scalar);
  machine::LaunchResult result = kernel.run(platform310, arguments, 1, machine::Mode::Checked);
  EXPECT_EQ(findingIds(result), "") << text;
  for (const machine::Finding &finding : result.findings)
    ADD_FAILURE() << finding.text;
  return output;
}

} // namespace tilesmith::host

#endif // TILESMITH_UNITTESTS_TARGET_VECTORTEXT_H
