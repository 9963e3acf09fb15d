#include "Axes.h"

using namespace mlir;

namespace tilesmith {

static bool isTile(Value value) { return llvm::isa<tile::TileType>(value.getType()); }
static ArrayRef<int64_t> shapeOf(Value tile) { return cast<tile::TileType>(tile.getType()).getShape(); }
static bool isZero(Value value) { return matchPattern(value, m_Zero()); }

Axes::Axes(func::FuncOp function, ArrayRef<std::pair<Value, int64_t>> seeds, int64_t parts) : parts(parts) {
  function.walk([&](Operation *op) { tie(op); });
  for (auto [value, axis] : seeds)
    propose(value, axis);
  settle();
}

int64_t Axes::of(Value tile) const {
  auto known = axes.find(tile);
  return known == axes.end() ? whole : known->second;
}

void Axes::tie(Value first, Value second, SmallVector<int64_t> map, bool always) {
  ties.push_back({first, second, std::move(map), always});
}

void Axes::same(Value first, Value second) {
  if (!isTile(first))
    return;
  SmallVector<int64_t> map;
  for (int64_t axis = 0; axis < int64_t(shapeOf(first).size()); ++axis)
    map.push_back(axis);
  tie(first, second, map);
}

// The axis of `to` whose parts are the parts of the elements, if those of `from` along `axis` are.
static int64_t reshapedAxis(ArrayRef<int64_t> from, ArrayRef<int64_t> to, int64_t axis, int64_t parts) {
  int64_t before = 1;
  for (int64_t i = 0; i < axis; ++i)
    before *= from[i];
  int64_t passed = 1;
  for (auto [i, size] : llvm::enumerate(to)) {
    if (passed == before && size > 1)
      // Parts of an axis are parts of what follows the dimensions before it, if these end at the same element.
      return size % parts == 0 ? int64_t(i) : Axes::whole;
    passed *= size;
    if (passed > before)
      break;
  }
  return Axes::whole;
}

void Axes::tie(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (auto [init, argument, yielded, result] :
         llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs(), loop.getYieldedValues(), loop.getResults())) {
      same(init, argument);
      same(argument, yielded);
      same(yielded, result);
    }
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    for (auto [init, argument, yielded] :
         llvm::zip_equal(loop.getInits(), loop.getBeforeArguments(), loop.getYieldOp()->getOperands())) {
      same(init, argument);
      same(argument, yielded);
    }
    for (auto [handed, argument, result] :
         llvm::zip_equal(loop.getConditionOp().getArgs(), loop.getAfterArguments(), loop.getResults())) {
      same(handed, argument);
      same(handed, result);
    }
  } else if (op->getNumRegions() && !llvm::isa<func::FuncOp>(op)) {
    for (Region &region : op->getRegions())
      if (!region.empty())
        for (auto [yielded, result] : llvm::zip_equal(region.front().getTerminator()->getOperands(), op->getResults()))
          same(yielded, result);
  } else if (auto select = dyn_cast<arith::SelectOp>(op)) {
    same(select.getTrueValue(), select.getResult());
    same(select.getFalseValue(), select.getResult());
  } else if (llvm::isa<tile::UnaryOp, tile::BinaryOp, tile::CompareOp, tile::SelectOp, tile::CastOp>(op)) {
    for (Value operand : op->getOperands())
      same(operand, op->getResult(0));
  } else if (auto reduce = dyn_cast<tile::ReduceOp>(op)) {
    tieReduction(reduce);
  } else if (auto broadcast = dyn_cast<tile::BroadcastOp>(op)) {
    tieBroadcast(broadcast);
  } else if (auto view = dyn_cast<tile::ReshapeOp>(op)) {
    SmallVector<int64_t> map;
    for (int64_t axis = 0; axis < view.getOperand().getType().getRank(); ++axis)
      map.push_back(reshapedAxis(shapeOf(view.getOperand()), shapeOf(view.getResult()), axis, parts));
    tie(view.getOperand(), view.getResult(), map);
  } else if (auto copy = dyn_cast<tile::CopyOp>(op)) {
    SmallVector<int64_t> map;
    for (auto [axis, offset] : llvm::enumerate(copy.getOffsets()))
      map.push_back(isZero(offset) && shapeOf(copy.getOperand())[axis] == shapeOf(copy.getResult())[axis]
                        ? int64_t(axis)
                        : whole);
    tie(copy.getOperand(), copy.getResult(), map);
  } else if (auto concat = dyn_cast<tile::ConcatOp>(op)) {
    SmallVector<int64_t> map = {whole}; // tiles are joined along axis 0
    for (int64_t axis = 1; axis < concat.getType().getRank(); ++axis)
      map.push_back(axis);
    for (Value operand : concat.getOperands())
      tie(operand, concat.getResult(), map);
  } else if (auto lanes = dyn_cast<tile::LanesOp>(op)) {
    kept.insert(lanes.getResult());
  } else if (!llvm::isa<tile::LoadOp, tile::StoreOp, tile::AtomicOp, tile::SplatOp, tile::SendOp, tile::ReceiveOp,
                        RegionBranchTerminatorOpInterface>(op)) {
    for (Value value : op->getOperands())
      if (isTile(value))
        kept.insert(value);
    for (Value value : op->getResults())
      if (isTile(value))
        kept.insert(value);
  } else if (auto store = dyn_cast<tile::StoreOp>(op); store && (store.getCount() || store.getBits())) {
    kept.insert(store.getValue()); // elements are chosen by their number in the whole tile
  } else if (auto atomic = dyn_cast<tile::AtomicOp>(op); atomic && (atomic.getCount() || atomic.getBits())) {
    kept.insert(atomic.getValue());
  }
}

void Axes::tieReduction(tile::ReduceOp op) {
  ArrayRef<int64_t> from = shapeOf(op.getOperand());
  bool keepsDims = op.getType().getRank() == int64_t(from.size());
  SmallVector<int64_t> map;
  int64_t next = 0;
  for (int64_t axis = 0; axis < int64_t(from.size()); ++axis) {
    bool reduced = llvm::is_contained(op.getDims(), axis);
    map.push_back(reduced ? whole : next);
    next += keepsDims || !reduced;
  }
  tie(op.getOperand(), op.getResult(), map);
}

// Shapes are aligned at their ends. What is repeated both cores have.
void Axes::tieBroadcast(tile::BroadcastOp op) {
  ArrayRef<int64_t> from = shapeOf(op.getOperand()), to = shapeOf(op.getResult());
  SmallVector<int64_t> map;
  int64_t shift = int64_t(to.size()) - int64_t(from.size());
  for (auto [axis, size] : llvm::enumerate(from))
    map.push_back(to[axis + shift] == size ? int64_t(axis) + shift : whole);
  tie(op.getOperand(), op.getResult(), map, /*always=*/false);
}

void Axes::propose(Value value, int64_t axis) {
  if (axes.contains(value) || axis == whole || shapeOf(value)[axis] % parts)
    return;
  axes[value] = axis;
  for (const Tie &tie : ties) {
    if (tie.first == value)
      propose(tie.second, tie.map[axis]);
    if (tie.second == value)
      if (const auto *from = llvm::find(tie.map, axis); from != tie.map.end())
        propose(tie.first, from - tie.map.begin());
  }
}

// Takes axes away until no operation has parts it cannot work on.
void Axes::settle() {
  for (Value value : kept)
    axes.erase(value);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Tie &tie : ties) {
      int64_t first = of(tie.first), second = of(tie.second);
      bool fits = first == whole ? second == whole || (!tie.always && !llvm::is_contained(tie.map, second))
                                 : tie.map[first] == second && second != whole;
      if (fits)
        continue;
      axes.erase(tie.first);
      axes.erase(tie.second);
      changed = true;
    }
  }
}

} // namespace tilesmith
