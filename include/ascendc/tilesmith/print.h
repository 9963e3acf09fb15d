// printf of a kernel: formatted here, written by the Machine in the order of the blocks.
#ifndef TILESMITH_ASCENDC_PRINT_H
#define TILESMITH_ASCENDC_PRINT_H

#include "tilesmith/tensors.h"
#include <stdio.h>
#include <stdlib.h>
#include <string>

namespace tilesmith {

template <typename T> auto printable(const T &value) {
  if constexpr (std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>)
    return double(float(value));
  else if constexpr (std::is_class_v<T> && std::is_convertible_v<T, int64_t>)
    return int64_t(value);
  else
    return value;
}
template <size_t n> const char *printable(const char (&text)[n]) { return text; }

inline void print(const std::string &text, Where where) {
  if (!core) { // host code beside the kernels
    fwrite(text.data(), 1, text.size(), stdout);
    return;
  }
  api->tsm_print(core, where.loc(), text.data(), int64_t(text.size()));
}

} // namespace tilesmith

namespace AscendC {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-security"
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
template <typename... Args> inline void printf(const char *format, const Args &...args) {
  int length = snprintf(nullptr, 0, format, tilesmith::printable(args)...);
  if (length <= 0)
    return;
  std::string text(size_t(length) + 1, '\0');
  snprintf(&text[0], text.size(), format, tilesmith::printable(args)...);
  text.pop_back();
  tilesmith::print(text, tilesmith::Where::here());
}
template <typename... Args> inline void PRINTF(const char *format, const Args &...args) { printf(format, args...); }
#pragma GCC diagnostic pop

// Reads element by element on the scalar pipe: the tensor must be complete.
template <typename Tensor>
inline void DumpTensor(const Tensor &tensor, uint32_t desc, uint32_t dumpSize,
                       tilesmith::Where where = tilesmith::Where::here()) {
  std::string text = "DumpTensor desc=" + std::to_string(desc) + " [";
  for (uint32_t i = 0; i < dumpSize; ++i) {
    char number[40];
    snprintf(number, sizeof number, i ? ", %g" : "%g", double(tensor.GetValue(i, where)));
    text += number;
  }
  tilesmith::print(text + "]\n", where);
}
template <typename Tensor>
inline void DumpTensor(const Tensor &tensor, uint32_t desc, uint32_t dumpSize, const ShapeInfo &,
                       tilesmith::Where where = tilesmith::Where::here()) {
  DumpTensor(tensor, desc, dumpSize, where);
}

} // namespace AscendC

namespace tilesmith {

// A condition of a kernel that does not hold ends its block; one of the host program ends the program.
template <typename... Args>
[[noreturn]] void assertFailed(const char *condition, Where where, const char *format = "", const Args &...args) {
  std::string text = std::string("assertion '") + condition + "' does not hold";
  if (int length = *format ? snprintf(nullptr, 0, format, printable(args)...) : 0; length > 0) {
    std::string message(size_t(length) + 1, '\0');
    snprintf(&message[0], message.size(), format, printable(args)...);
    message.pop_back();
    text += ": " + message;
  }
  if (core)
    fail(where, TS_FINDING_KernelAssert, text.c_str());
  fprintf(stderr, "%s:%u: %s\n", where.file, where.line, text.c_str());
  abort();
}

} // namespace tilesmith

#include <assert.h> // that of this folder
#define ascendc_assert(CONDITION, ...) assert(CONDITION, ##__VA_ARGS__)
#define ASSERT_MSG(CONDITION, ...) assert(CONDITION, ##__VA_ARGS__)
#define ASCENDC_ASSERT(CONDITION, ...) assert(CONDITION)
#define ASSERT(CONDITION) assert(CONDITION)
#define KERNEL_LOG(...)

#endif
