// Plan memory: gives every buffer an address.
//
// For each on-chip memory: every buffer has bytes of its own if they suffice. If not, buffers of a single slot share by
// lifetime; then rings do too; then the largest ring gives up a slot, and so on until no ring is left. What still does not
// fit is explained: the tile, the buffers live at the peak, the smallest change that fits.
//
// Afterwards all allocs stand at the start of the kernel, in order of memory and address. Buffers that came with an
// address keep it, and a memory that has such buffers must have addresses for all.
#include "Lifetimes.h"
#include "Memories.h"
#include "Overflow.h"
#include "tilesmith/Dialect/Isa/IsaDialect.h"
#include "tilesmith/Transforms/Plan/PlanPasses.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith {
#define GEN_PASS_DEF_PLANMEMORY
#include "tilesmith/Transforms/Plan/PlanPasses.h.inc"

namespace {
using namespace plan;

struct PlanMemory : impl::PlanMemoryBase<PlanMemory> {
  using PlanMemoryBase::PlanMemoryBase;

  void runOnOperation() override {
    std::array<SmallVector<AllocOp>, numMemory> allocs;
    getOperation().walk([&](AllocOp alloc) { allocs[unsigned(alloc.getResult().getType().getMemory())].push_back(alloc); });
    lives = lifetimesOf(getOperation());
    SmallVector<AllocOp> planned;
    for (Memory memory : {Memory::UB, Memory::L1, Memory::L0A, Memory::L0B, Memory::L0C}) {
      SmallVector<AllocOp> &here = allocs[unsigned(memory)];
      if (failed(plan(memory, here)))
        return signalPassFailure();
      llvm::stable_sort(here, [](AllocOp a, AllocOp b) { return *a.getAddress() < *b.getAddress(); });
      llvm::append_range(planned, here);
    }
    for (AllocOp alloc : planned)
      dropSingleSlot(alloc);
    for (AllocOp alloc : llvm::reverse(planned))
      alloc->moveBefore(&getOperation().getBody().front(), getOperation().getBody().front().begin());
  }

private:
  int64_t capacityOf(Memory memory) const {
    switch (memory) {
    case Memory::UB:
      return ub;
    case Memory::L1:
      return l1;
    case Memory::L0A:
      return l0a;
    case Memory::L0B:
      return l0b;
    default:
      return l0c;
    }
  }

  LogicalResult plan(Memory memory, MutableArrayRef<AllocOp> allocs) {
    auto hasAddress = [](AllocOp alloc) { return alloc.getAddress().has_value(); };
    if (llvm::all_of(allocs, hasAddress))
      return success();
    if (llvm::any_of(allocs, hasAddress)) {
      AllocOp without = *llvm::find_if_not(allocs, hasAddress);
      return without.emitError() << "has no address, but other buffers of " << stringify(memory) << " have one";
    }
    int64_t capacity = capacityOf(memory);
    std::vector<int64_t> slots;
    for (AllocOp alloc : allocs)
      slots.push_back(alloc.getSlots());
    std::vector<Item> items;
    while (true) {
      items = itemsFor(memory, allocs, slots, /*shareRings=*/false);
      if (placeApart(items, capacity) || placeSharing(items, capacity))
        break;
      items = itemsFor(memory, allocs, slots, /*shareRings=*/true);
      if (placeSharing(items, capacity))
        break;
      if (!giveUpSlot(allocs, slots))
        return explainOverflow({memory, platform, capacity}, allocs, items);
    }
    for (auto [alloc, item, count] : llvm::zip(allocs, items, slots)) {
      alloc.setAddress(item.address);
      alloc.setSlots(count);
    }
    return success();
  }

  std::vector<Item> itemsFor(Memory memory, MutableArrayRef<AllocOp> allocs, ArrayRef<int64_t> slots, bool shareRings) {
    std::vector<Item> items;
    for (auto [alloc, count] : llvm::zip(allocs, slots)) {
      int64_t bytes = alignUp(alloc.getBytes() * count, alignmentOf(memory));
      items.push_back({bytes, lives.lookup(alloc.getResult()), count > 1 && !shareRings, -1});
    }
    return items;
  }

  static bool giveUpSlot(MutableArrayRef<AllocOp> allocs, std::vector<int64_t> &slots) {
    int64_t largest = -1;
    for (size_t i = 0; i < allocs.size(); ++i)
      if (slots[i] > 1 && (largest < 0 || slots[i] * allocs[i].getBytes() > slots[largest] * allocs[largest].getBytes()))
        largest = i;
    if (largest < 0)
      return false;
    --slots[largest];
    return true;
  }

  static void dropSingleSlot(AllocOp alloc) {
    if (alloc.getSlots() > 1)
      return;
    for (Operation *user : llvm::make_early_inc_range(alloc.getResult().getUsers()))
      if (auto slot = dyn_cast<SlotOp>(user)) {
        slot.getResult().replaceAllUsesWith(alloc.getResult());
        slot.erase();
      }
  }

  llvm::DenseMap<Value, Interval> lives;
};

} // namespace
} // namespace tilesmith
