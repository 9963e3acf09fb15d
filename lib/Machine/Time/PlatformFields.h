// The numbers a platform has, by the names its file gives them.
#ifndef TILESMITH_LIB_MACHINE_TIME_PLATFORMFIELDS_H
#define TILESMITH_LIB_MACHINE_TIME_PLATFORMFIELDS_H

#include "tilesmith/Machine/Platform.h"
#include <optional>

namespace tilesmith::machine {

struct PlatformField {
  // How its value is written: 21, 8.30, 205 + bytes / 119.00, 31 + 2.00 or 4.00 per repeat, 17 every 4. Decimals are
  // hundredths.
  enum class Shape : uint8_t { Whole, Decimal, Path, Vector, Latency } shape = Shape::Whole;
  void (*apply)(Platform &, unsigned index, const int64_t *numbers) = nullptr; // puts the numbers into a platform
  unsigned index = 0;
  int64_t most = 0; // that each of the numbers may be
};

std::optional<PlatformField> findPlatformField(std::string_view name);
std::vector<std::string> platformFieldNames();

// The first number that timing needs and the platform does not have; empty: all are there.
std::string missingNumber(const Platform &platform);

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_TIME_PLATFORMFIELDS_H
