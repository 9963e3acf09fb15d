#include "Planner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <numeric>

namespace tilesmith::plan {

bool placeApart(llvm::MutableArrayRef<Item> items, int64_t capacity) {
  int64_t next = 0;
  for (Item &item : items) {
    item.address = item.start.from(next);
    next = item.address + item.bytes;
  }
  return next <= capacity;
}

static bool exclude(const Item &a, const Item &b) { return a.ownBytes || b.ownBytes || a.life.meets(b.life); }

static bool overlap(int64_t address, const Item &item, const Item &placed) {
  return address < placed.address + placed.bytes && placed.address < address + item.bytes;
}

enum class Prefer { LongestFree, Lowest };

// The best address for an item among those placed already, or -1. The longest free: fresh bytes first, then bytes whose
// last owner died earliest.
static int64_t bestAddress(const Item &item, llvm::ArrayRef<const Item *> placed, int64_t capacity, Prefer prefer) {
  int64_t best = -1, bestDeath = INT64_MAX;
  auto consider = [&](int64_t end) {
    int64_t address = item.start.from(end);
    if (address + item.bytes > capacity)
      return;
    int64_t death = -1;
    for (const Item *other : placed) {
      if (!overlap(address, item, *other))
        continue;
      if (exclude(item, *other))
        return;
      if (prefer == Prefer::LongestFree)
        death = std::max(death, other->life.end < item.life.begin ? other->life.end : INT64_MAX - 1);
    }
    if (death < bestDeath || (death == bestDeath && address < best)) {
      best = address;
      bestDeath = death;
    }
  };
  consider(0);
  for (const Item *other : placed)
    consider(other->address + other->bytes);
  return best;
}

static bool placeInOrder(llvm::MutableArrayRef<Item> items, llvm::ArrayRef<unsigned> order, int64_t capacity,
                         Prefer prefer = Prefer::LongestFree) {
  llvm::SmallVector<const Item *, 16> placed;
  for (unsigned index : order) {
    Item &item = items[index];
    item.address = bestAddress(item, placed, capacity, prefer);
    if (item.address < 0)
      return false;
    placed.push_back(&item);
  }
  return true;
}

bool placeSharing(llvm::MutableArrayRef<Item> items, int64_t capacity) {
  llvm::SmallVector<unsigned, 16> order(items.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order, [&](unsigned a, unsigned b) { return items[a].life.begin < items[b].life.begin; });
  if (placeInOrder(items, order, capacity))
    return true;
  // Small buffers in the way can leave gaps that are too short; large ones first leave none.
  llvm::stable_sort(order, [&](unsigned a, unsigned b) { return items[a].bytes > items[b].bytes; });
  return placeInOrder(items, order, capacity);
}

bool placeTight(llvm::MutableArrayRef<Item> items, int64_t capacity) {
  llvm::SmallVector<unsigned, 16> order(items.size());
  std::iota(order.begin(), order.end(), 0);
  auto top = [](llvm::ArrayRef<Item> placed) {
    int64_t end = 0;
    for (const Item &item : placed)
      end = std::max(end, item.address + item.bytes);
    return end;
  };
  // Neither order is always the better one.
  std::vector<Item> inTime(items.begin(), items.end());
  llvm::stable_sort(order, [&](unsigned a, unsigned b) { return items[a].life.begin < items[b].life.begin; });
  bool timeFits = placeInOrder(inTime, order, capacity, Prefer::Lowest);
  llvm::stable_sort(order, [&](unsigned a, unsigned b) { return items[a].bytes > items[b].bytes; });
  bool sizeFits = placeInOrder(items, order, capacity, Prefer::Lowest);
  if (timeFits && (!sizeFits || top(inTime) < top(items)))
    llvm::copy(inTime, items.begin());
  return timeFits || sizeFits;
}

int64_t peakOf(llvm::ArrayRef<Item> items) {
  int64_t peak = 0, most = -1;
  for (const Item &at : items) {
    int64_t bytes = 0;
    for (const Item &item : items)
      if (item.life.begin <= at.life.begin && at.life.begin <= item.life.end)
        bytes += item.bytes;
    if (bytes > most) {
      most = bytes;
      peak = at.life.begin;
    }
  }
  return peak;
}

} // namespace tilesmith::plan
