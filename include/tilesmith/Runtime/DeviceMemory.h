// The arrays of a launch, placed at their device addresses.
//
// C++ kernels may read global memory through plain pointers (tiling structs). For such a launch the bytes of every
// range are copied to where their addresses say, and back at the end. One launch at a time has the addresses.
//
// Watched, the bytes lie elsewhere, and their pages at the device addresses are open to nobody until a pointer of C
// reads or writes one: so a launch can say that it did what takes no time on the model.
#ifndef TILESMITH_RUNTIME_DEVICEMEMORY_H
#define TILESMITH_RUNTIME_DEVICEMEMORY_H

#include "tilesmith/Machine/Core.h"
#include <mutex>
#include <utility>
#include <vector>

namespace tilesmith::runtime {

class DeviceMemory {
public:
  // The ranges point at the placed bytes from now on. Where the host has no room the range stays as it was.
  explicit DeviceMemory(std::vector<machine::GlobalRange> &ranges, bool watched = false);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory &) = delete;

  // Copies the placed bytes to where they came from.
  void writeBack() const;
  // Watched: pages that were read, and those that were written, through pointers.
  std::pair<int64_t, int64_t> plainAccesses() const;

private:
  struct Placed {
    uint8_t *original, *at;
    size_t size, mapped;
    uintptr_t page;               // the first one at the device address
    uint8_t *elsewhere = nullptr; // watched: the first page of the same bytes
  };
  bool place(machine::GlobalRange &range, bool watched);

  std::unique_lock<std::mutex> turn;
  std::vector<Placed> placed;
};

} // namespace tilesmith::runtime

#endif // TILESMITH_RUNTIME_DEVICEMEMORY_H
