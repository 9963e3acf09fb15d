#include "tilesmith/Runtime/Layout.h"
#include <algorithm>
#include <cstring>
#include <numeric>

namespace tilesmith::runtime {
namespace {

// Calls visit(first byte, number of elements, stride) for each innermost row, in row-major order.
template <typename Visit> void forEachRow(const Layout &layout, Visit visit) {
  size_t rank = layout.shape.size();
  if (std::ranges::count(layout.shape, 0))
    return;
  if (rank == 0)
    return visit(layout.origin, int64_t(1), layout.item);
  std::vector<int64_t> index(rank, 0);
  uint8_t *row = layout.origin;
  while (true) {
    visit(row, layout.shape[rank - 1], layout.strides[rank - 1]);
    size_t axis = rank - 1;
    while (axis-- > 0) {
      row += layout.strides[axis];
      if (++index[axis] < layout.shape[axis])
        break;
      row -= layout.strides[axis] * layout.shape[axis];
      index[axis] = 0;
    }
    if (axis == size_t(-1))
      return;
  }
}

// Bytes of a memory range, each marked or not.
class Marks {
public:
  explicit Marks(Extent range) : begin(range.begin), marked(size_t(range.end - range.begin)) {}

  // Marks an element; true if a byte of it was marked before.
  bool add(const uint8_t *element, int64_t bytes) {
    bool before = contains(element, bytes);
    for (int64_t i = 0; i < bytes; ++i)
      marked[size_t(element - begin) + size_t(i)] = true;
    return before;
  }
  bool contains(const uint8_t *element, int64_t bytes) const {
    for (int64_t i = 0; i < bytes; ++i)
      if (size_t at = size_t(element - begin) + size_t(i); element + i >= begin && at < marked.size() && marked[at])
        return true;
    return false;
  }

private:
  const uint8_t *begin;
  std::vector<bool> marked;
};

template <typename Visit> void forEachElement(const Layout &layout, Visit visit) {
  forEachRow(layout, [&](uint8_t *row, int64_t count, int64_t stride) {
    for (int64_t i = 0; i < count; ++i)
      visit(row + i * stride);
  });
}

// Each dimension steps over all that the smaller steps reach: then no two elements meet.
bool nests(const Layout &layout) {
  std::vector<size_t> order(layout.shape.size());
  std::iota(order.begin(), order.end(), 0);
  auto step = [&](size_t axis) { return std::abs(layout.strides[axis]); };
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return step(a) < step(b); });
  int64_t reach = layout.item;
  for (size_t axis : order) {
    if (layout.shape[axis] <= 1)
      continue;
    if (step(axis) < reach)
      return false;
    reach += step(axis) * (layout.shape[axis] - 1);
  }
  return true;
}

// Loads and stores of the usual element sizes, a loop the compiler can do well.
template <typename Item>
void copyRow(uint8_t *to, int64_t toStride, const uint8_t *from, int64_t fromStride, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * toStride, from + i * fromStride, sizeof(Item));
}
void copyRow(uint8_t *to, int64_t toStride, const uint8_t *from, int64_t fromStride, int64_t count, int64_t item) {
  if (toStride == item && fromStride == item)
    std::memcpy(to, from, size_t(count * item));
  else if (item == 1)
    copyRow<uint8_t>(to, toStride, from, fromStride, count);
  else if (item == 2)
    copyRow<uint16_t>(to, toStride, from, fromStride, count);
  else if (item == 4)
    copyRow<uint32_t>(to, toStride, from, fromStride, count);
  else
    copyRow<uint64_t>(to, toStride, from, fromStride, count);
}

} // namespace

Extent Layout::extent() const {
  if (std::ranges::count(shape, 0))
    return {origin, origin};
  Extent result{origin, origin + item};
  for (size_t axis = 0; axis < shape.size(); ++axis)
    (strides[axis] < 0 ? result.begin : result.end) += strides[axis] * (shape[axis] - 1);
  return result;
}

bool Layout::overlapsItself() const {
  if (nests(*this))
    return false;
  Marks marks(extent());
  bool found = false;
  forEachElement(*this, [&](const uint8_t *element) { found |= marks.add(element, item); });
  return found;
}

bool Layout::overlaps(const Layout &other) const {
  Extent mine = extent(), theirs = other.extent();
  if (!mine.meets(theirs))
    return false;
  Marks marks(mine);
  forEachElement(*this, [&](const uint8_t *element) { marks.add(element, item); });
  bool found = false;
  forEachElement(other, [&](const uint8_t *element) { found |= marks.contains(element, other.item); });
  return found;
}

void Layout::gather(uint8_t *to) const {
  forEachRow(*this, [&](const uint8_t *row, int64_t count, int64_t stride) {
    copyRow(to, item, row, stride, count, item);
    to += count * item;
  });
}

void Layout::scatter(const uint8_t *from) const {
  forEachRow(*this, [&](uint8_t *row, int64_t count, int64_t stride) {
    copyRow(row, stride, from, item, count, item);
    from += count * item;
  });
}

} // namespace tilesmith::runtime
