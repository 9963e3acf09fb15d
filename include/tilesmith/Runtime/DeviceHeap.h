// Global memory that outlives a launch: what tensors on the device `npu` lie in.
//
// It gives memory as the vendor's caching allocator does. Blocks are multiples of 512 bytes and at least 32 bytes
// longer than what was asked for. Those up to 1 MiB are cut from segments of 2 MiB, those up to 10 MiB from segments of
// 20 MiB, larger ones have a segment of their own; a freed block is joined with its free neighbours and used again, the
// best fitting one first. Segments go back to the host only when they are asked for, or when the device has no room
// left.
//
// Invariants
//  - an address is the same in every process and every run that allocates alike
//  - a segment is one file in memory: another process can map it (segmentOf)
//  - after a fork the child has no heap: what it would write, its parent would read
#ifndef TILESMITH_RUNTIME_DEVICEHEAP_H
#define TILESMITH_RUNTIME_DEVICEHEAP_H

#include "tilesmith/Machine/Launch.h"
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>

namespace tilesmith::runtime {

class DeviceHeap {
public:
  static constexpr unsigned most = machine::mostHeaps; // devices
  static DeviceHeap &of(unsigned device);
  static bool forked(); // whether this process is a child of one that had a heap

  explicit DeviceHeap(uintptr_t first) : first(first), next(first) {}
  ~DeviceHeap();
  DeviceHeap(const DeviceHeap &) = delete;

  // Null where a device with `capacity` bytes, or the host, has no room.
  uint8_t *allocate(int64_t bytes, int64_t capacity);
  // A block that allocate gave. Any thread.
  void release(const uint8_t *block);
  // Gives back segments that hold no block; their bytes.
  int64_t giveBack();

  // New blocks are filled with bytes that are a NaN of every float and -1 of every integer.
  void setPoison(bool on);

  // The block an address is in: where it begins, and the bytes that were asked for.
  struct Extent {
    uint8_t *begin;
    int64_t bytes;
  };
  std::optional<Extent> blockOf(const uint8_t *address) const;
  // The segment an address is in, as a file of this process.
  struct SegmentFile {
    uint8_t *begin;
    int64_t size;
    int file;
    uint64_t id; // never used twice
  };
  std::optional<SegmentFile> segmentOf(const uint8_t *address) const;

  struct Statistics {
    int64_t allocated = 0, allocatedPeak = 0; // bytes of blocks
    int64_t reserved = 0, reservedPeak = 0;   // bytes of segments
    int64_t allocations = 0, releases = 0, active = 0, segments = 0, retries = 0, refused = 0;
  };
  Statistics statistics() const;
  void resetPeaks();

private:
  struct Segment {
    int64_t size;
    int file;
    uint64_t id;
    bool small;
  };
  struct Block {
    int64_t size, asked; // asked < 0: free
    uintptr_t segment;
  };
  struct Free {
    int64_t size;
    uintptr_t at;
    auto operator<=>(const Free &) const = default;
  };
  using Blocks = std::map<uintptr_t, Block>;

  std::set<Free> &freeIn(uintptr_t segment) { return segments.at(segment).small ? freeSmall : freeLarge; }
  std::optional<uintptr_t> roomFor(int64_t size);
  bool addSegment(int64_t size, bool small);
  int64_t dropUnused();
  void cut(Blocks::iterator block, int64_t size);

  mutable std::mutex mutex;
  uintptr_t first, next;
  uint64_t lastId = 0;
  bool poison = false;
  std::map<uintptr_t, Segment> segments;
  Blocks blocks;
  std::set<Free> freeSmall, freeLarge;
  Statistics now;
};

} // namespace tilesmith::runtime

#endif // TILESMITH_RUNTIME_DEVICEHEAP_H
