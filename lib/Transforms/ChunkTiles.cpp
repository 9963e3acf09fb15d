// Chunk tiles: what vector cores do with tiles that UB does not hold is done part by part.
//
// A result of a product is as large as L0C, or larger, and what follows it on a vector core may need several tiles of
// that size at once. Where a tile comes out of a channel and goes through operations that work on its rows alone, the
// operations on tiles of that size, and what lies between them, become the body of a loop over groups of rows. The core
// waits for the tile before the loop and gives its slot back behind it.
//
// Of a tile that comes from outside, the loop reads the rows it works on; what is needed afterwards (a maximum of each
// row, a sum that is carried on) is put together in the loop, where the old tile lies if nobody else reads that.
// Values of rows alone that nothing of that size waits for are computed for all rows at once, behind the loop.
//
// All tiles of a half share UB, so groups become smaller until those that need most fit beside each other and beside
// what loops carry. Each element is computed as before.
#include "Arrays.h"
#include "DirectChannels.h"
#include "RowGroup.h"
#include "tilesmith/Transforms/Remarks.h"
#include "llvm/ADT/MapVector.h"

namespace tilesmith {
#define GEN_PASS_DEF_CHUNKTILES
#include "tilesmith/Transforms/Passes.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;

namespace {
// All groups of a half, and how many parts each has.
class Chunking {
public:
  Chunking(func::FuncOp half, int64_t ub) : half(half), ub(ub) {
    half.walk([&](tile::LoadOp load) {
      bool isKnown = llvm::any_of(groups, [&](auto &group) { return group->contains(load); });
      if (isKnown || !isReceived(load) || load.getType().getRank() < 2)
        return;
      auto group = groupOf(load, 2);
      if (group && llvm::none_of(groups, [&](auto &other) { return other->sharesWith(*group); }))
        groups.push_back(std::move(group));
    });
    for (std::unique_ptr<RowGroup> &group : groups)
      if (auto whole = groupOf(group->load, 1))
        group = std::move(whole);
  }

  // Makes groups smaller until their tiles fit; false: they never do.
  bool choose() {
    while (bytes() > ub) {
      std::unique_ptr<RowGroup> *largest = nullptr, next;
      for (std::unique_ptr<RowGroup> &group : groups)
        if (auto smaller = groupOf(group->load, 2 * group->parts);
            smaller && (!largest || size(*group) > size(**largest))) {
          largest = &group;
          next = std::move(smaller);
        }
      if (!largest)
        return false;
      *largest = std::move(next);
    }
    return true;
  }

  void rewrite() {
    for (const std::unique_ptr<RowGroup> &group : groups) {
      if (group->parts == 1) {
        group->gather();
        continue;
      }
      remark::passed(group->load.getLoc(), remarkOf("chunk-tiles", "tile"))
          << remark::metric("parts", group->parts) << remark::metric("bytes", size(*group));
      group->rewrite(groups);
    }
  }

private:
  std::unique_ptr<RowGroup> groupOf(tile::LoadOp load, int64_t parts) const {
    int64_t axis = load.getType().getRank() - 2;
    if (load.getType().getShape()[axis] % parts)
      return {};
    Axes axes(half, {{load.getResult(), axis}}, parts);
    auto group = std::make_unique<RowGroup>(load, axes, parts);
    return *group ? std::move(group) : nullptr;
  }

  // Bytes of UB that all tiles need. Groups of one channel (a loop and what was taken out of it) are not there at once.
  int64_t bytes() const {
    int64_t bytes = 0, live = 0;
    func::FuncOp(half).walk([&](scf::ForOp loop) {
      for (Value argument : loop.getRegionIterArgs())
        bytes += bytesOf(argument.getType());
    });
    llvm::MapVector<Value, int64_t> besides;
    for (const std::unique_ptr<RowGroup> &group : groups) {
      int64_t &most = besides[arrayOf(group->load.getTensor())];
      most = std::max(most, group->rings() + group->kept());
      live = std::max(live, group->live());
    }
    for (auto [channel, each] : besides)
      bytes += each;
    return bytes + live;
  }
  static int64_t bytesOf(Type type) {
    auto tile = dyn_cast<tile::TileType>(type);
    return tile ? (tile.getNumElements() * tile.getElementType().getIntOrFloatBitWidth() + 7) / 8 : 0;
  }
  static int64_t size(const RowGroup &group) { return group.live() + group.rings(); }

  func::FuncOp half;
  int64_t ub;
  std::vector<std::unique_ptr<RowGroup>> groups;
};

struct ChunkTilesPass : tilesmith::impl::ChunkTilesBase<ChunkTilesPass> {
  using ChunkTilesBase::ChunkTilesBase;
  void runOnOperation() override {
    auto core = getOperation()->getAttrOfType<StringAttr>(isa::coreAttrName);
    if (!core || core.getValue() != StringRef(isa::stringify(isa::CoreKind::AIV)))
      return;
    // Slots of channels are there in any case.
    if (Chunking chunking(getOperation(), ub - directBytes(getOperation(), isa::Memory::UB)); chunking.choose())
      chunking.rewrite();
  }
};
} // namespace
