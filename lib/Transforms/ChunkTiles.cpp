// Chunk tiles: what vector cores do with a tile that UB does not hold is done part by part.
//
// A result of a product is as large as L0C, and what follows it on a vector core may need several tiles of that size at
// once. Where a tile comes out of a channel and goes through operations that work on its rows alone into stores and
// other channels, all in one block, the operations become the body of a loop over groups of rows, as many in a group as
// fit. The core waits for the tile before the loop and gives its slot back behind it.
//
// Each element is computed as before. What is carried by a loop around, or needs all rows, stays as it is.
#include "Arrays.h"
#include "Axes.h"
#include "mlir/IR/IRMapping.h"
#include "tilesmith/Transforms/Remarks.h"
#include "llvm/ADT/SetVector.h"

namespace tilesmith {
#define GEN_PASS_DEF_CHUNKTILES
#include "tilesmith/Transforms/Passes.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;

static bool isTile(Value value) { return llvm::isa<tile::TileType>(value.getType()); }
static tile::TileType typeOf(Value tile) { return cast<tile::TileType>(tile.getType()); }
static int64_t bytesOf(Value tile) {
  return (typeOf(tile).getNumElements() * typeOf(tile).getElementType().getIntOrFloatBitWidth() + 7) / 8;
}

// Whether the tile comes out of a channel.
static bool isReceived(tile::LoadOp load) {
  auto argument = dyn_cast<BlockArgument>(arrayOf(load.getTensor()));
  auto half = argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : func::FuncOp();
  return half && half.getArgAttr(argument.getArgNumber(), isa::channelAttrName);
}

namespace {
// The operations a received tile goes through.
struct Group {
  llvm::SetVector<Value> tiles;
  llvm::SetVector<Operation *> ops;
  bool closed = true; // all in one block, and nothing else reads the tiles

  Group(tile::LoadOp load, const Axes &axes) {
    tiles.insert(load.getResult());
    Block *block = load->getBlock();
    for (size_t i = 0; i < tiles.size() && closed; ++i) {
      if (!tiles[i].getDefiningOp()) {
        closed = false;
        return;
      }
      add(tiles[i].getDefiningOp(), block, axes);
      for (Operation *user : tiles[i].getUsers())
        add(user, block, axes);
    }
    if (!closed)
      return;
    auto inOrder = ops.takeVector();
    llvm::sort(inOrder, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    ops.insert(inOrder.begin(), inOrder.end());
  }

  // Whether something between the operations touches arrays, so that these may not be done later.
  bool isApart() const {
    for (Operation *op = ops.front(); op != ops.back(); op = op->getNextNode()) {
      if (ops.contains(op))
        continue;
      bool touches = false;
      op->walk([&](Operation *inner) {
        Value tensor = tensorOf(inner);
        touches |= llvm::isa<tile::PrintOp>(inner) || (tensor && writesTensor(inner));
        touches |= tensor && llvm::any_of(ops, [&](Operation *own) {
                     Value written = tensorOf(own);
                     return written && writesTensor(own) && arrayOf(written) == arrayOf(tensor);
                   });
      });
      if (touches)
        return false;
    }
    return true;
  }

  void add(Operation *op, Block *block, const Axes &axes) {
    if (op->getBlock() != block || op->getNumRegions() || op->hasTrait<OpTrait::IsTerminator>()) {
      closed = false;
      return;
    }
    ops.insert(op);
    for (Value value : llvm::concat<Value>(llvm::to_vector(op->getOperands()), llvm::to_vector(op->getResults())))
      if (isTile(value) && axes.of(value) != Axes::whole)
        tiles.insert(value);
  }

  // Bytes of UB the tiles take: those that live at once, and a second one of each that comes or goes.
  int64_t bytes() const {
    int64_t most = 0, live = 0, rings = 0;
    llvm::DenseMap<Value, Operation *> last;
    for (Operation *op : ops)
      for (Value operand : op->getOperands())
        if (tiles.contains(operand))
          last[operand] = op;
    for (Operation *op : ops) {
      for (Value result : op->getResults())
        live += tiles.contains(result) ? bytesOf(result) : 0;
      most = std::max(most, live);
      if (llvm::isa<tile::LoadOp>(op))
        rings += bytesOf(op->getResult(0));
      if (llvm::isa<tile::StoreOp, tile::AtomicOp>(op))
        rings += bytesOf(op->getOperand(0));
      for (auto [tile, reader] : last)
        if (reader == op)
          live -= bytesOf(tile);
    }
    return most + rings;
  }
};

struct ChunkTilesPass : tilesmith::impl::ChunkTilesBase<ChunkTilesPass> {
  using ChunkTilesBase::ChunkTilesBase;
  void runOnOperation() override {
    func::FuncOp half = getOperation();
    auto core = half->getAttrOfType<StringAttr>(isa::coreAttrName);
    if (!core || core.getValue() != StringRef(isa::stringify(isa::CoreKind::AIV)))
      return;
    SmallVector<tile::LoadOp> loads;
    half.walk([&](tile::LoadOp load) {
      if (isReceived(load))
        loads.push_back(load);
    });
    llvm::DenseSet<Operation *> done;
    for (tile::LoadOp load : loads)
      if (!done.contains(load))
        chunk(load, done);
  }

private:
  void chunk(tile::LoadOp load, llvm::DenseSet<Operation *> &done) {
    if (load.getType().getRank() < 2)
      return;
    int64_t axis = load.getType().getRank() - 2;
    for (int64_t parts = 2; load.getType().getShape()[axis] % parts == 0; parts *= 2) {
      Axes axes(getOperation(), {{load.getResult(), axis}}, parts);
      if (axes.of(load.getResult()) == Axes::whole)
        return;
      Group group(load, axes);
      if (!group.closed || !group.isApart())
        return;
      int64_t bytes = group.bytes();
      if (parts == 2 && bytes <= ub)
        return;
      if (bytes / parts > ub)
        continue;
      remark::passed(load.getLoc(), remarkOf(getArgument(), "tile"))
          << remark::metric("parts", parts) << remark::metric("bytes", bytes);
      done.insert(group.ops.begin(), group.ops.end());
      rewrite(group, axes, parts);
      return;
    }
  }

  void rewrite(const Group &group, const Axes &axes, int64_t parts) {
    Operation *first = group.ops.front(), *last = group.ops.back();
    OpBuilder b(last);
    Location loc = first->getLoc();
    auto number = [&](int64_t value) -> Value { return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(value)); };
    // Flags that say what is behind them is over move behind the loop.
    SmallVector<Operation *> sets;
    for (Operation *op = first; op != last; op = op->getNextNode())
      if (llvm::isa<isa::CrossCoreSetOp>(op))
        sets.push_back(op);
    auto loop = scf::ForOp::create(b, loc, number(0), number(parts), number(1));
    Operation *behind = loop;
    for (Operation *set : sets) {
      set->moveAfter(behind);
      behind = set;
    }
    Operation *end = loop.getBody()->getTerminator();
    for (Operation *op : group.ops)
      op->moveBefore(end);
    for (Operation *op : group.ops) {
      b.setInsertionPoint(op);
      if (auto load = dyn_cast<tile::LoadOp>(op))
        moveOn(b, op, load.getOffsetsMutable(), load.getResult(), axes, parts, loop.getInductionVar());
      else if (auto store = dyn_cast<tile::StoreOp>(op))
        moveOn(b, op, store.getOffsetsMutable(), store.getValue(), axes, parts, loop.getInductionVar());
      else if (auto atomic = dyn_cast<tile::AtomicOp>(op))
        moveOn(b, op, atomic.getOffsetsMutable(), atomic.getValue(), axes, parts, loop.getInductionVar());
    }
    for (Value tile : group.tiles) {
      SmallVector<int64_t> shape(typeOf(tile).getShape());
      shape[axes.of(tile)] /= parts;
      tile.setType(typeOf(tile).withShape(shape));
    }
  }

  static void moveOn(OpBuilder &b, Operation *op, MutableOperandRange offsets, Value tile, const Axes &axes,
                     int64_t parts, Value part) {
    int64_t axis = axes.of(tile);
    if (axis == Axes::whole)
      return;
    Value rows = arith::ConstantOp::create(b, op->getLoc(), b.getI32IntegerAttr(typeOf(tile).getShape()[axis] / parts));
    Value further = arith::MulIOp::create(b, op->getLoc(), part, rows);
    offsets[axis].set(arith::AddIOp::create(b, op->getLoc(), offsets[axis].get(), further));
  }
};
} // namespace
