#include "Arrange.h"

#include "Accesses.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith::plan {

namespace {

// One operand of an instruction: bytes from a place of an item on.
struct Side {
  unsigned item;
  int64_t offset, bytes;
};

struct Use {
  SmallVector<Side, 3> reads;
  Side write;
  int64_t weight; // repeats, more for inner loops
};

class Search {
public:
  Search(func::FuncOp func, ArrayRef<AllocOp> allocs, ArrayRef<int64_t> slots, ArrayRef<Item> items, int64_t capacity,
         const Banks &banks)
      : banks(banks), capacity(capacity), slots(slots), items(items.begin(), items.end()), numOwn(items.size()) {
    llvm::DenseMap<Value, unsigned> indices;
    for (auto [i, alloc] : llvm::enumerate(allocs))
      indices[AllocOp(alloc).getResult()] = i;
    func.walk([&](Operation *op) { collect(op, indices); });
    // What is free lies somewhere, too.
    int64_t free = capacity - std::accumulate(items.begin(), items.end(), int64_t(0),
                                              [](int64_t sum, const Item &item) { return sum + item.bytes; });
    if (int64_t part = free / 2 / banks.turn * banks.turn; part > 0)
      this->items.insert(this->items.end(), 2, Item{part, {}, true});
    this->slots.resize(this->items.size(), 1);
    order.resize(this->items.size());
    std::iota(order.begin(), order.end(), 0);
  }

  // False: it stays as it is.
  bool run() {
    constexpr size_t mostItems = 24, mostRounds = 4;
    if (uses.empty() || items.size() > mostItems)
      return false;
    std::optional<int64_t> best = cost();
    if (!best)
      return false;
    const int64_t before = *best;
    auto keeps = [&] {
      std::optional<int64_t> now = cost();
      if (!now || *now >= *best)
        return false;
      best = now;
      return true;
    };
    bool better = true;
    for (size_t round = 0; round < mostRounds && better && *best; ++round) {
      better = false;
      for (size_t i = 0; i < items.size(); ++i) {
        for (size_t j = i + 1; j < items.size(); ++j) {
          std::swap(order[i], order[j]);
          if (keeps())
            better = true;
          else
            std::swap(order[i], order[j]);
        }
        Item &item = items[i];
        if (item.start.every != banks.turn)
          continue;
        item.start.rest = banks.turn / 2 - item.start.rest;
        if (keeps())
          better = true;
        else
          item.start.rest = banks.turn / 2 - item.start.rest;
      }
    }
    return *best < before && place();
  }

  ArrayRef<Item> placed() const { return items; }

private:
  void collect(Operation *op, const llvm::DenseMap<Value, unsigned> &indices) {
    if (pipeOf(op) != Pipe::V)
      return;
    Use use;
    bool writes = false;
    for (const plan::Access &access : accessesOf(op)) {
      const Place &place = access.place;
      auto found = place.root ? indices.find(place.root) : indices.end();
      if (access.memory != Memory::UB || access.size.value_or(0) < banks.turn || found == indices.end() ||
          !place.offset || place.offset->constant % (banks.turn / 2) ||
          llvm::any_of(place.offset->terms, [&](const Term &term) { return term.coefficient % banks.turn != 0; }))
        continue;
      Side side = {found->second, place.offset->constant, *access.size};
      if (!access.write)
        use.reads.push_back(side);
      else if (!std::exchange(writes, true))
        use.write = side;
    }
    if (!writes || use.reads.empty())
      return;
    use.weight = std::max(use.write.bytes, use.reads.front().bytes) / (banks.turn / 2);
    for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
      if (llvm::isa<scf::ForOp, scf::WhileOp>(parent))
        use.weight = std::min<int64_t>(use.weight * 8, int64_t(1) << 40);
    uses.push_back(use);
  }

  bool place() {
    int64_t next = 0;
    for (unsigned index : order) {
      Item &item = items[index];
      item.address = item.start.from(next);
      next = item.address + item.bytes;
    }
    // Free bytes at the end need not be there.
    for (unsigned index : llvm::reverse(order)) {
      const Item &item = items[index];
      if (index < numOwn)
        return item.address + item.bytes <= capacity;
    }
    return true;
  }

  // Repeats that wait, of a few turns of the rings; none: the order does not fit.
  std::optional<int64_t> cost() {
    if (!place())
      return std::nullopt;
    int64_t sum = 0;
    for (const Use &use : uses)
      sum += use.weight * lost(use);
    return sum;
  }

  // How often the operands of an instruction meet: at four places of their length, in two turns of the rings.
  int64_t lost(const Use &use) const {
    int64_t count = 0;
    for (int64_t turn : {0, 1}) {
      auto startOf = [&](const Side &side) {
        const Item &item = items[side.item];
        int64_t slot = slots[side.item];
        return item.address + turn % slot * (item.bytes / slot) + side.offset;
      };
      int64_t to = startOf(use.write);
      if (use.reads.size() > 1 && (startOf(use.reads[0]) - startOf(use.reads[1])) % banks.turn == 0 &&
          startOf(use.reads[0]) != startOf(use.reads[1]))
        count += 4;
      for (const Side &read : use.reads) {
        int64_t from = startOf(read);
        bool alike = read.bytes == use.write.bytes; // else they meet now and then
        if (alike && (to - from) % banks.turn == 0)
          continue;
        int64_t meets = 0;
        for (int64_t eighth : {1, 3, 5, 7})
          meets += (from + read.bytes * eighth / 8) / banks.bytes == (to + use.write.bytes * eighth / 8) / banks.bytes;
        count += alike ? meets : (meets + 1) / 2;
      }
    }
    return count;
  }

  Banks banks;
  int64_t capacity;
  SmallVector<int64_t> slots;
  std::vector<Item> items; // and two of free bytes
  size_t numOwn;           // of them buffers
  std::vector<unsigned> order;
  std::vector<Use> uses;
};

} // namespace

void arrange(func::FuncOp func, ArrayRef<AllocOp> allocs, ArrayRef<int64_t> slots, std::vector<Item> &items,
             int64_t capacity, const Banks &banks) {
  Search search(func, allocs, slots, items, capacity, banks);
  if (!search.run())
    return;
  for (auto [item, placed] : llvm::zip(items, search.placed()))
    item = placed;
}

} // namespace tilesmith::plan
