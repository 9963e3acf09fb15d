// The arrays of a launch, placed at their device addresses.
//
// C++ kernels may read global memory through plain pointers (tiling structs). For such a launch the bytes of every
// range are copied to where their addresses say, and back at the end. One launch at a time has the addresses.
#ifndef TILESMITH_RUNTIME_DEVICEMEMORY_H
#define TILESMITH_RUNTIME_DEVICEMEMORY_H

#include "tilesmith/Machine/Core.h"
#include <mutex>
#include <vector>

namespace tilesmith::runtime {

class DeviceMemory {
public:
  // The ranges point at the placed bytes from now on. Where the host has no room the range stays as it was.
  explicit DeviceMemory(std::vector<machine::GlobalRange> &ranges);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory &) = delete;

  // Copies the placed bytes to where they came from.
  void writeBack() const;

private:
  struct Placed {
    uint8_t *original, *at;
    size_t size, mapped;
  };
  std::unique_lock<std::mutex> turn;
  std::vector<Placed> placed;
};

} // namespace tilesmith::runtime

#endif // TILESMITH_RUNTIME_DEVICEMEMORY_H
