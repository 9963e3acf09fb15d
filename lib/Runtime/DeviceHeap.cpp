#include "tilesmith/Runtime/DeviceHeap.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

namespace tilesmith::runtime {
namespace {

constexpr int64_t KiB = 1024, MiB = 1024 * KiB;
constexpr int64_t quantum = 512, slack = 32; // bytes
constexpr int64_t smallBlock = 1 * MiB, smallSegment = 2 * MiB, mediumBlock = 10 * MiB, mediumSegment = 20 * MiB,
                  ownSegment = 2 * MiB;

constexpr int64_t roundUp(int64_t bytes, int64_t unit) { return (bytes + unit - 1) / unit * unit; }

int64_t segmentFor(int64_t size) {
  if (size <= smallBlock)
    return smallSegment;
  return size < mediumBlock ? mediumSegment : roundUp(size, ownSegment);
}

std::atomic<bool> isChild = false;

uint8_t *pointer(uintptr_t address) { return reinterpret_cast<uint8_t *>(address); }

} // namespace

DeviceHeap &DeviceHeap::of(unsigned device) {
  // They outlive the interpreter, whose tensors may be freed last.
  static auto *heaps = [] {
    auto *all = new std::array<std::unique_ptr<DeviceHeap>, most>;
    for (unsigned i = 0; i < most; ++i)
      (*all)[i] = std::make_unique<DeviceHeap>(uintptr_t(machine::firstHeapAddress + i * machine::heapBytes));
    pthread_atfork(nullptr, nullptr, [] { isChild = true; });
    return all;
  }();
  return *(*heaps)[device];
}

bool DeviceHeap::forked() { return isChild; }

DeviceHeap::~DeviceHeap() {
  for (auto &[at, segment] : segments) {
    munmap(pointer(at), size_t(segment.size));
    close(segment.file);
  }
}

// Addresses are used again only when all were used, so that a pointer into memory given back is noticed.
std::optional<uintptr_t> DeviceHeap::roomFor(int64_t size) {
  auto last = first + uintptr_t(machine::heapBytes);
  if (last - next >= uintptr_t(size)) {
    next += uintptr_t(size);
    return next - uintptr_t(size);
  }
  uintptr_t at = first;
  for (auto &[begin, segment] : segments) {
    if (begin - at >= uintptr_t(size))
      return at;
    at = begin + uintptr_t(segment.size);
  }
  return last - at >= uintptr_t(size) ? std::optional(at) : std::nullopt;
}

bool DeviceHeap::addSegment(int64_t size, bool small) {
  std::optional<uintptr_t> room = roomFor(size);
  if (!room)
    return false;
  int file = memfd_create("tilesmith-npu", MFD_CLOEXEC);
  if (file < 0)
    return false;
  void *at = MAP_FAILED;
  if (ftruncate(file, size) == 0)
    at = mmap(pointer(*room), size_t(size), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
              file, 0);
  if (at != pointer(*room)) { // no room, or a kernel that does not know MAP_FIXED_NOREPLACE
    if (at != MAP_FAILED)
      munmap(at, size_t(size));
    close(file);
    return false;
  }
  segments[*room] = {size, file, ++lastId, small};
  blocks[*room] = {size, -1, *room};
  freeIn(*room).insert({size, *room});
  now.reserved += size;
  now.reservedPeak = std::max(now.reservedPeak, now.reserved);
  return true;
}

int64_t DeviceHeap::dropUnused() {
  int64_t bytes = 0;
  for (auto at = segments.begin(); at != segments.end();) {
    auto block = blocks.find(at->first);
    if (block->second.asked >= 0 || block->second.size != at->second.size) {
      ++at;
      continue;
    }
    freeIn(at->first).erase({block->second.size, at->first});
    blocks.erase(block);
    munmap(pointer(at->first), size_t(at->second.size));
    close(at->second.file);
    bytes += at->second.size;
    at = segments.erase(at);
  }
  now.reserved -= bytes;
  return bytes;
}

// Makes a block of this size of the front of a free one that is in no set.
void DeviceHeap::cut(Blocks::iterator block, int64_t size) {
  int64_t rest = block->second.size - size;
  uintptr_t segment = block->second.segment;
  if (segments.at(segment).small ? rest < quantum : rest <= smallBlock)
    return;
  block->second.size = size;
  uintptr_t at = block->first + uintptr_t(size);
  blocks[at] = {rest, -1, segment};
  freeIn(segment).insert({rest, at});
}

uint8_t *DeviceHeap::allocate(int64_t bytes, int64_t capacity) {
  std::lock_guard lock(mutex);
  if (bytes < 0 || bytes > machine::heapBytes) {
    ++now.refused;
    return nullptr;
  }
  int64_t size = roundUp(bytes + slack, quantum);
  bool small = size <= smallBlock;
  std::set<Free> &pool = small ? freeSmall : freeLarge;
  auto found = pool.lower_bound({size, 0});
  if (found == pool.end()) {
    int64_t segment = segmentFor(size);
    bool fits = now.reserved + segment <= capacity && addSegment(segment, small);
    if (!fits) {
      ++now.retries;
      dropUnused();
      fits = now.reserved + segment <= capacity && addSegment(segment, small);
    }
    found = pool.lower_bound({size, 0});
    if (!fits || found == pool.end()) {
      ++now.refused;
      return nullptr;
    }
  }
  auto block = blocks.find(found->at);
  pool.erase(found);
  cut(block, size);
  block->second.asked = bytes;
  now.allocated += block->second.size;
  now.allocatedPeak = std::max(now.allocatedPeak, now.allocated);
  ++now.allocations;
  ++now.active;
  if (poison)
    std::memset(pointer(block->first), 0xff, size_t(block->second.size));
  return pointer(block->first);
}

void DeviceHeap::release(const uint8_t *address) {
  if (isChild) // the memory is the parent's
    return;
  std::lock_guard lock(mutex);
  auto block = blocks.find(uintptr_t(address));
  if (block == blocks.end() || block->second.asked < 0)
    return;
  now.allocated -= block->second.size;
  ++now.releases;
  --now.active;
  block->second.asked = -1;
  std::set<Free> &pool = freeIn(block->second.segment);
  auto joins = [&](Blocks::iterator other) {
    return other != blocks.end() && other->second.asked < 0 && other->second.segment == block->second.segment;
  };
  if (auto after = std::next(block); joins(after)) {
    pool.erase({after->second.size, after->first});
    block->second.size += after->second.size;
    blocks.erase(after);
  }
  if (auto before = block == blocks.begin() ? blocks.end() : std::prev(block); joins(before)) {
    pool.erase({before->second.size, before->first});
    before->second.size += block->second.size;
    blocks.erase(block);
    block = before;
  }
  pool.insert({block->second.size, block->first});
}

int64_t DeviceHeap::giveBack() {
  std::lock_guard lock(mutex);
  return dropUnused();
}

void DeviceHeap::setPoison(bool on) {
  std::lock_guard lock(mutex);
  poison = on;
}

std::optional<DeviceHeap::Extent> DeviceHeap::blockOf(const uint8_t *address) const {
  std::lock_guard lock(mutex);
  auto after = blocks.upper_bound(uintptr_t(address));
  if (after == blocks.begin())
    return std::nullopt;
  auto [at, block] = *std::prev(after);
  if (block.asked < 0 || uintptr_t(address) >= at + uintptr_t(block.size))
    return std::nullopt;
  return Extent{pointer(at), block.asked};
}

std::optional<DeviceHeap::SegmentFile> DeviceHeap::segmentOf(const uint8_t *address) const {
  std::lock_guard lock(mutex);
  auto after = segments.upper_bound(uintptr_t(address));
  if (after == segments.begin())
    return std::nullopt;
  auto [at, segment] = *std::prev(after);
  if (uintptr_t(address) >= at + uintptr_t(segment.size))
    return std::nullopt;
  return SegmentFile{pointer(at), segment.size, segment.file, segment.id};
}

DeviceHeap::Statistics DeviceHeap::statistics() const {
  std::lock_guard lock(mutex);
  Statistics result = now;
  result.segments = int64_t(segments.size());
  return result;
}

void DeviceHeap::resetPeaks() {
  std::lock_guard lock(mutex);
  now.allocatedPeak = now.allocated;
  now.reservedPeak = now.reserved;
}

} // namespace tilesmith::runtime
