#include "tilesmith/Machine/Launch.h"
#include <algorithm>

namespace tilesmith::machine {

static constexpr int64_t deviceAlignment = 512;

// How far after an aligned address a range of the host begins on the device.
static int64_t offsetOf(const uint8_t *data) {
  auto address = int64_t(uintptr_t(data));
  bool inHeap = address >= firstHeapAddress && address - firstHeapAddress < mostHeaps * heapBytes;
  return inHeap ? address % deviceAlignment : 0;
}

std::vector<int64_t> assignDeviceAddresses(std::span<const HostRange> inputs, std::vector<GlobalRange> &ranges) {
  ranges.clear();
  ranges.reserve(inputs.size());
  std::vector<size_t> byHost;
  byHost.reserve(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].size > 0)
      byHost.push_back(i);
  std::sort(byHost.begin(), byHost.end(), [&](size_t a, size_t b) { return inputs[a].data < inputs[b].data; });

  // Overlapping inputs form one group; its device range starts where the first of them does.
  struct Group {
    uint8_t *begin, *end;
    int64_t device = -1;
  };
  std::vector<Group> groups;
  groups.reserve(inputs.size());
  std::vector<size_t> groupOf(inputs.size());
  for (size_t i : byHost) {
    uint8_t *begin = inputs[i].data, *end = begin + inputs[i].size;
    if (!groups.empty() && begin < groups.back().end)
      groups.back().end = std::max(groups.back().end, end);
    else
      groups.push_back({begin, end});
    groupOf[i] = groups.size() - 1;
  }

  // In the order of the arguments, so that addresses do not depend on where the host placed the arrays.
  std::vector<int64_t> addresses(inputs.size());
  int64_t next = firstDeviceAddress;
  auto take = [&](int64_t size) {
    int64_t device = next;
    next = (next + size + deviceGuard + deviceAlignment - 1) / deviceAlignment * deviceAlignment;
    return device;
  };
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].size <= 0) { // an address of its own, and nothing behind it
      addresses[i] = take(0);
      continue;
    }
    Group &group = groups[groupOf[i]];
    if (group.device < 0) {
      int64_t offset = offsetOf(group.begin);
      group.device = take(offset + (group.end - group.begin)) + offset;
      ranges.push_back({group.device, group.end - group.begin, group.begin});
    }
    addresses[i] = group.device + (inputs[i].data - group.begin);
  }
  return addresses;
}

} // namespace tilesmith::machine
