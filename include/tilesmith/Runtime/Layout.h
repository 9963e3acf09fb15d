// Where the elements of an array lie that is not contiguous.
//
// Elements are numbered in row-major order, as kernels see them. Strides are bytes and may be zero or negative.
#ifndef TILESMITH_RUNTIME_LAYOUT_H
#define TILESMITH_RUNTIME_LAYOUT_H

#include <cstdint>
#include <vector>

namespace tilesmith::runtime {

// A range of host memory; empty without bytes.
struct Extent {
  const uint8_t *begin = nullptr, *end = nullptr;

  bool meets(const Extent &other) const { return begin < other.end && other.begin < end; }
};

struct Layout {
  uint8_t *origin = nullptr; // of element [0, 0, ...]
  int64_t item = 1;          // bytes of an element
  std::vector<int64_t> shape, strides;

  bool operator==(const Layout &) const = default;

  // The smallest range that holds all elements; empty without elements.
  Extent extent() const;
  // Whether two elements share a byte. Exact.
  bool overlapsItself() const;
  bool overlaps(const Layout &other) const;

  void gather(uint8_t *to) const;
  void scatter(const uint8_t *from) const;

  static Layout contiguous(uint8_t *data, int64_t bytes) { return {data, 1, {bytes}, {1}}; }
};

} // namespace tilesmith::runtime

#endif // TILESMITH_RUNTIME_LAYOUT_H
