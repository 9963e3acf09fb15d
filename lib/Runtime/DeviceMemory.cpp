#include "tilesmith/Runtime/DeviceMemory.h"
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace tilesmith::runtime {

static std::mutex &turns() {
  static auto *instance = new std::mutex;
  return *instance;
}

DeviceMemory::DeviceMemory(std::vector<machine::GlobalRange> &ranges) : turn(turns()) {
  auto page = size_t(sysconf(_SC_PAGESIZE));
  for (machine::GlobalRange &range : ranges) {
    // Ranges begin on 512 bytes and are a guard apart, so that the pages of two never overlap.
    uintptr_t start = uintptr_t(range.device), first = start / page * page;
    size_t mapped = (start + size_t(range.size) - first + page - 1) / page * page;
    void *at = mmap(reinterpret_cast<void *>(first), mapped, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (at == MAP_FAILED)
      continue;
    if (at != reinterpret_cast<void *>(first)) { // a kernel that does not know MAP_FIXED_NOREPLACE
      munmap(at, mapped);
      continue;
    }
    auto *bytes = reinterpret_cast<uint8_t *>(start);
    std::memcpy(bytes, range.host, size_t(range.size));
    placed.push_back({range.host, bytes, size_t(range.size), mapped});
    range.host = bytes;
  }
}

DeviceMemory::~DeviceMemory() {
  auto page = uintptr_t(sysconf(_SC_PAGESIZE));
  for (const Placed &range : placed)
    munmap(reinterpret_cast<void *>(reinterpret_cast<uintptr_t>(range.at) / page * page), range.mapped);
}

void DeviceMemory::writeBack() const {
  for (const Placed &range : placed)
    std::memcpy(range.original, range.at, range.size);
}

} // namespace tilesmith::runtime
