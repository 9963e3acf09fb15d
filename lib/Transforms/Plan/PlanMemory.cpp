// Plan memory: gives every buffer an address.
//
// For each on-chip memory: every buffer has bytes of its own if they suffice. If not, buffers of a single slot share by
// lifetime; then rings do too; then a ring gives up a slot, those of outer loops before those of inner ones, large ones
// before small ones and results before what is loaded, and so on until no ring is left. In UB rings of loops that
// follow each other share, and then rings give up slots, before a single buffer that a move touches shares. What still
// does not fit is explained: the tile, the buffers live at the peak, the smallest change that fits.
//
// In UB the user may choose otherwise, for buffers that are loaded or stored and for those in between apart: never to
// share, or to share from the start, in as few bytes as possible.
//
// Where UB has banks, buffers start so that what an instruction reads does not meet in them (Banks.h), as long as no
// buffer has to share for it, and lie so that what it writes does not either (Arrange.h).
//
// Afterwards all allocs stand at the start of the kernel, in order of memory and address. Buffers that came with an
// address keep it, and a memory that has such buffers must have addresses for all. Slots of channels between cores have
// theirs at the end of a memory, which the others do not touch.
#include "Accesses.h"
#include "Arrange.h"
#include "Banks.h"
#include "Lifetimes.h"
#include "Memories.h"
#include "Overflow.h"
#include "tilesmith/Dialect/Isa/IsaDialect.h"
#include "tilesmith/Transforms/Plan/PlanPasses.h"
#include "tilesmith/Transforms/Remarks.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith {
#define GEN_PASS_DEF_PLANMEMORY
#include "tilesmith/Transforms/Plan/PlanPasses.h.inc"

namespace {
using namespace plan;

// Whether buffers whose lifetimes do not meet may have the same bytes. Sharing makes the writer of the one wait for the
// readers of the other, so it costs time where memory is not short.
enum class Reuse : uint8_t {
  Never,         // every buffer has its own
  UnderPressure, // if they do not fit otherwise
  Always,        // as few bytes as possible
};

struct PlanMemory : impl::PlanMemoryBase<PlanMemory> {
  using PlanMemoryBase::PlanMemoryBase;

  void runOnOperation() override {
    std::array<SmallVector<AllocOp>, numMemory> allocs;
    getOperation().walk(
        [&](AllocOp alloc) { allocs[unsigned(alloc.getResult().getType().getMemory())].push_back(alloc); });
    lives = lifetimesOf(getOperation());
    if (bankGroups > 0)
      starts = startsOf(getOperation(), bankGroups * blockBytes);
    findInOut();
    std::optional<bool> reuse = kernelOptions.reuseUb;
    mayShare = reuseOf(reuse, Reuse::UnderPressure);
    // Without a word for them, loaded and stored buffers never share if no buffer may.
    inOutMayShare = reuseOf(kernelOptions.reuseUbInOut, reuse == false ? Reuse::Never : Reuse::UnderPressure);
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
    end = capacityOf(memory);
    if (getOperation()->hasAttr(coreAttrName)) {
      auto *slots =
          std::stable_partition(allocs.begin(), allocs.end(), [&](AllocOp alloc) { return !hasAddress(alloc); });
      for (AllocOp slot : llvm::make_range(slots, allocs.end()))
        end = std::min<int64_t>(end, *slot.getAddress());
      allocs = allocs.take_front(slots - allocs.begin());
    }
    if (llvm::any_of(allocs, hasAddress)) {
      AllocOp without = *llvm::find_if_not(allocs, hasAddress);
      return without.emitError() << "has no address, but other buffers of " << stringify(memory) << " have one";
    }
    std::vector<int64_t> wanted;
    for (AllocOp alloc : allocs)
      wanted.push_back(alloc.getSlots());
    std::vector<int64_t> slots = wanted;
    std::vector<Item> items;
    auto fits = [&](Stage last) {
      slots = wanted;
      while (!fit(memory, allocs, slots, items, last))
        if (!giveUpSlot(allocs, slots))
          return false;
      return true;
    };
    // A loaded or stored buffer that shares waits for moves of another one, which costs more than a slot less.
    if (!(memory == Memory::UB && fits(Stage::Loops)) && !fits(Stage::Rings))
      return explain(memory, allocs, slots, items);
    for (auto [alloc, count, before] : llvm::zip(allocs, slots, wanted))
      if (count != before)
        remark::missed(alloc.getLoc(), remarkOf(getArgument(), "slots"))
            << remark::metric("slots", count) << remark::reason("the ring gives up a slot to fit");
    for (auto [alloc, item, count] : llvm::zip(allocs, items, slots)) {
      alloc.setAddress(item.address);
      alloc.setBytes(count > 1 ? item.bytes / count : alloc.getBytes()); // slots follow each other
      alloc.setSlots(count);
    }
    tell(memory, allocs, items);
    return success();
  }

  // Where buffers lie and which share; how full the memory is.
  void tell(Memory memory, MutableArrayRef<AllocOp> allocs, ArrayRef<Item> items) {
    if (!getContext().getRemarkEngine() || items.empty())
      return;
    int64_t last = 0, shared = 0;
    for (auto [alloc, item] : llvm::zip(allocs, items)) {
      auto isShared = [&, &item = item](const Item &other) {
        return &other != &item && item.address < other.address + other.bytes &&
               other.address < item.address + item.bytes;
      };
      bool shares = llvm::any_of(items, isShared);
      remark::analysis(alloc.getLoc(), remarkOf(getArgument(), "buffer"))
          << remark::metric("memory", std::string(stringify(memory))) << remark::metric("address", item.address)
          << remark::metric("bytes", item.bytes) << remark::metric("slots", int64_t(alloc.getSlots()))
          << remark::metric("shares", shares);
      last = std::max(last, item.address + item.bytes);
      shared += shares;
    }
    remark::analysis(getOperation().getLoc(), remarkOf(getArgument(), "memory"))
        << remark::metric("memory", std::string(stringify(memory))) << remark::metric("buffers", items.size())
        << remark::metric("sharing", shared) << remark::metric("bytes", last) << remark::metric("capacity", end);
  }

  // How far the need to share has come. Whoever may share at one stage may at the next.
  enum class Stage { Wish, Single, Loops, Rings };

  // Addresses for rings of these sizes, sharing no more than needed; or false, and the items of the last try.
  bool fit(Memory memory, MutableArrayRef<AllocOp> allocs, ArrayRef<int64_t> slots, std::vector<Item> &items,
           Stage last = Stage::Rings) {
    int64_t capacity = end;
    items = itemsFor(memory, allocs, slots, Stage::Wish);
    bool apart = llvm::all_of(items, [](const Item &item) { return item.ownBytes; });
    auto place = apart ? placeApart : placeTight;
    if (place(items, capacity)) {
      if (apart && memory == Memory::UB && bankGroups > 0 && bankBytes > 0)
        arrange(getOperation(), allocs, slots, items, capacity, {bankGroups * blockBytes, bankBytes});
      return true;
    }
    items = itemsFor(memory, allocs, slots, Stage::Wish, /*useBanks=*/false);
    if (place(items, capacity))
      return true;
    remark::missed(getOperation().getLoc(), remarkOf(getArgument(), "own-bytes"))
        << remark::metric("memory", std::string(stringify(memory)))
        << remark::reason("{0} bytes do not hold {1} buffers side by side", capacity, items.size());
    for (Stage stage : {Stage::Single, Stage::Loops, Stage::Rings})
      for (bool useBanks : {true, false}) {
        if (stage > last)
          return false;
        items = itemsFor(memory, allocs, slots, stage, useBanks);
        if (placeSharing(items, capacity))
          return true;
      }
    // Rings of loops that follow each other may leave gaps for each other. In L0 those of one loop would share too
    // much.
    return memory == Memory::L1 && placeTight(items, capacity);
  }

  static Reuse reuseOf(std::optional<bool> wanted, Reuse otherwise) {
    return wanted ? (*wanted ? Reuse::Always : Reuse::Never) : otherwise;
  }

  Reuse reuseOf(AllocOp alloc) const {
    if (alloc.getResult().getType().getMemory() != Memory::UB)
      return Reuse::UnderPressure;
    return inOut.contains(alloc.getResult()) ? inOutMayShare : mayShare;
  }

  std::vector<Item> itemsFor(Memory memory, MutableArrayRef<AllocOp> allocs, ArrayRef<int64_t> slots, Stage stage,
                             bool useBanks = true) {
    std::vector<Item> items;
    for (auto [alloc, count] : llvm::zip(allocs, slots)) {
      Start start = useBanks ? starts.lookup(alloc.getResult()) : Start();
      // The slots of a ring all start alike.
      int64_t bytes = alignUp(alloc.getBytes(), count > 1 ? std::max(alignmentOf(memory), start.every) : 1) * count;
      bytes = alignUp(bytes, alignmentOf(memory));
      Reuse may = reuseOf(alloc);
      // A ring lives as long as the loop that counts it, so who shares with it belongs to another loop.
      Stage first = count > 1 ? Stage::Loops : inOut.contains(alloc.getResult()) ? Stage::Rings : Stage::Single;
      bool shares = may == Reuse::Always || (may == Reuse::UnderPressure && stage >= first);
      const Lifetime &life = lives.find(alloc.getResult())->second;
      items.push_back({bytes, count > 1 ? life.ring : life.one, !shares, -1, start});
    }
    return items;
  }

  // `items` is what did not fit.
  LogicalResult explain(Memory memory, MutableArrayRef<AllocOp> allocs, ArrayRef<int64_t> slots,
                        std::vector<Item> &items) {
    std::string wayOut;
    if (memory == Memory::UB && (mayShare == Reuse::Never || inOutMayShare == Reuse::Never)) {
      const char *name = mayShare == Reuse::Never ? "reuse_ub" : "reuse_ub_in_out";
      mayShare = inOutMayShare = Reuse::UnderPressure;
      std::vector<Item> sharing;
      if (fit(memory, allocs, slots, sharing))
        wayOut =
            (Twine("with ") + name + "=True it fits: buffers that are not needed at the same time then share bytes")
                .str();
    }
    for (Item &item : items)
      if (item.ownBytes) // from the start to the end nobody else may have these bytes
        item.life = {0, INT64_MAX};
    return explainOverflow({memory, platform, end}, allocs, items, wayOut);
  }

  // Buffers in UB that moves from or to global memory touch.
  void findInOut() {
    getOperation().walk([&](Operation *op) {
      std::optional<Pipe> pipe = pipeOf(op);
      if (pipe == Pipe::MTE2 || pipe == Pipe::MTE3)
        for (const plan::Access &access : accessesOf(op))
          if (access.place.root) {
            inOut.insert(access.place.root);
            if (pipe == Pipe::MTE2 && access.write)
              loaded.insert(access.place.root);
          }
    });
  }

  bool giveUpSlot(MutableArrayRef<AllocOp> allocs, std::vector<int64_t> &slots) {
    int64_t least = -1; // what an inner loop waits for it waits for more often
    std::tuple<int64_t, int64_t, bool> leastRank;
    for (size_t i = 0; i < allocs.size(); ++i) {
      std::tuple rank(-depthOf(allocs[i]), slots[i] * int64_t(allocs[i].getBytes()),
                      !loaded.contains(allocs[i].getResult())); // everything waits for loads, and nobody for stores
      if (slots[i] > 1 && (least < 0 || rank > leastRank)) {
        least = i;
        leastRank = rank;
      }
    }
    if (least < 0)
      return false;
    --slots[least];
    return true;
  }

  // How many loops are around the loop that counts the slots of a ring.
  static int64_t depthOf(AllocOp ring) {
    int64_t deepest = 0;
    for (Operation *user : ring.getResult().getUsers())
      if (auto slot = dyn_cast<SlotOp>(user)) {
        int64_t depth = 0;
        for (Operation *parent = slot->getParentOp(); parent; parent = parent->getParentOp())
          depth += llvm::isa<scf::ForOp, scf::WhileOp>(parent);
        deepest = std::max(deepest, depth);
      }
    return deepest;
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

  int64_t end = 0; // of the memory that is planned
  llvm::DenseMap<Value, Lifetime> lives;
  llvm::DenseMap<Value, Start> starts; // where banks ask for one
  llvm::DenseSet<Value> inOut, loaded; // of them that loads fill
  Reuse mayShare = Reuse::UnderPressure, inOutMayShare = Reuse::UnderPressure;
};

} // namespace
} // namespace tilesmith
