// Split rows: two vector cores share the tiles of a block.
//
// Every tile of the vector half gets an axis along which the cores share it, or none: then both cores have all of it.
// What goes from and to the cube core is shared by rows, and from there the axis follows through element-wise
// operations, broadcasts, and reductions over other axes. A tile that is shared has half of its size; loads, stores
// and channels begin half a tile further on for the second core. What both cores have is stored by the first.
//
// Operations that need elements of both halves (a reduction across the axis, say) have whole tiles, and so has what
// depends on them. If rows cannot be shared, columns are tried. If nothing that crosses can be shared, or one core
// would read an array the other one writes, the block keeps one vector core.
//
// Each element is computed from the same operands in the same order, so results have the bits they had.
#include "Matrices.h"
#include "tilesmith/Isa/Cores.h"
#include "tilesmith/Transforms/Remarks.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace tilesmith {
#define GEN_PASS_DEF_SPLITROWS
#include "tilesmith/Transforms/Passes.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;

static constexpr int64_t whole = -1;

static bool isTile(Value value) { return llvm::isa<tile::TileType>(value.getType()); }
static tile::TileType typeOf(Value tile) { return cast<tile::TileType>(tile.getType()); }
static ArrayRef<int64_t> shapeOf(Value tile) { return typeOf(tile).getShape(); }

static bool isZero(Value value) { return matchPattern(value, m_Zero()); }

// Two values of which one axis decides the other: as operand and result of an operation, or as one value under two
// names. `map[a]` is the other's axis for axis a of the first; whole: it cannot be shared along that axis.
namespace {
struct Tie {
  Value first, second;
  SmallVector<int64_t> map;
  bool always = true; // otherwise the second may be whole while the first is shared
};
} // namespace

static SmallVector<int64_t> identity(int64_t rank) {
  SmallVector<int64_t> map;
  for (int64_t axis = 0; axis < rank; ++axis)
    map.push_back(axis);
  return map;
}

// The axis of `to` whose halves are the halves of the elements, if those of `from` along `axis` are.
static int64_t reshapedAxis(ArrayRef<int64_t> from, ArrayRef<int64_t> to, int64_t axis) {
  int64_t before = 1;
  for (int64_t i = 0; i < axis; ++i)
    before *= from[i];
  int64_t passed = 1;
  for (auto [i, size] : llvm::enumerate(to)) {
    if (passed == before && size > 1)
      // Halves of an axis are halves of what follows the dimensions before it, if these end at the same element.
      return size % 2 == 0 ? int64_t(i) : whole;
    passed *= size;
    if (passed > before)
      break;
  }
  return whole;
}

namespace {
// The axes of all tiles of a half.
class Axes {
public:
  // `fromEnd`: which axis of what crosses is shared, 1 for the last.
  Axes(func::FuncOp half, int64_t fromEnd) {
    half.walk([&](Operation *op) { tie(op); });
    half.walk([&](Operation *op) {
      Value value = llvm::isa<tile::SendOp>(op)      ? op->getOperand(0)
                    : llvm::isa<tile::ReceiveOp>(op) ? op->getResult(0)
                                                     : Value();
      if (value && typeOf(value).getRank() >= fromEnd)
        propose(value, typeOf(value).getRank() - fromEnd);
    });
    settle();
  }

  int64_t of(Value tile) const {
    auto known = axes.find(tile);
    return known == axes.end() ? whole : known->second;
  }

private:
  void tie(Value first, Value second, SmallVector<int64_t> map, bool always = true) {
    ties.push_back({first, second, std::move(map), always});
  }
  void same(Value first, Value second) {
    if (isTile(first))
      tie(first, second, identity(typeOf(first).getRank()));
  }
  void keep(Value value) { kept.insert(value); } // whole

  void tie(Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      for (auto [init, argument, yielded, result] : llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs(),
                                                                    loop.getYieldedValues(), loop.getResults())) {
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
          for (auto [yielded, result] :
               llvm::zip_equal(region.front().getTerminator()->getOperands(), op->getResults()))
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
        map.push_back(reshapedAxis(shapeOf(view.getOperand()), shapeOf(view.getResult()), axis));
      tie(view.getOperand(), view.getResult(), map);
    } else if (auto copy = dyn_cast<tile::CopyOp>(op)) {
      SmallVector<int64_t> map;
      for (auto [axis, offset] : llvm::enumerate(copy.getOffsets()))
        map.push_back(isZero(offset) && shapeOf(copy.getOperand())[axis] == shapeOf(copy.getResult())[axis]
                          ? int64_t(axis)
                          : whole);
      tie(copy.getOperand(), copy.getResult(), map);
    } else if (auto lanes = dyn_cast<tile::LanesOp>(op)) {
      keep(lanes.getResult());
    } else if (!llvm::isa<tile::LoadOp, tile::StoreOp, tile::AtomicOp, tile::SplatOp, tile::SendOp, tile::ReceiveOp,
                          RegionBranchTerminatorOpInterface>(op)) {
      for (Value value : op->getOperands())
        if (isTile(value))
          keep(value);
      for (Value value : op->getResults())
        if (isTile(value))
          keep(value);
    } else if (auto store = dyn_cast<tile::StoreOp>(op); store && (store.getCount() || store.getBits())) {
      keep(store.getValue()); // elements are chosen by their number in the whole tile
    } else if (auto atomic = dyn_cast<tile::AtomicOp>(op); atomic && (atomic.getCount() || atomic.getBits())) {
      keep(atomic.getValue());
    }
  }

  void tieReduction(tile::ReduceOp op) {
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
  void tieBroadcast(tile::BroadcastOp op) {
    ArrayRef<int64_t> from = shapeOf(op.getOperand()), to = shapeOf(op.getResult());
    SmallVector<int64_t> map;
    int64_t shift = int64_t(to.size()) - int64_t(from.size());
    for (auto [axis, size] : llvm::enumerate(from))
      map.push_back(to[axis + shift] == size ? int64_t(axis) + shift : whole);
    tie(op.getOperand(), op.getResult(), map, /*always=*/false);
  }

  //===- From what crosses to the rest
  //------------------------------------------------------------------------------===//

  void propose(Value value, int64_t axis) {
    if (axes.contains(value) || axis == whole || shapeOf(value)[axis] % 2)
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

  // Takes axes away until no operation has halves it cannot work on.
  void settle() {
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

  std::vector<Tie> ties;
  llvm::DenseSet<Value> kept;
  llvm::DenseMap<Value, int64_t> axes;
};

class SplitRows {
public:
  explicit SplitRows(func::FuncOp half) : half(half), b(half.getContext()) {}

  // Why one core has to do it all; empty: two share it.
  std::string run() {
    if (std::string why = sharedArray(); !why.empty())
      return why;
    for (int64_t fromEnd : {2, 1}) {
      Axes axes(half, fromEnd);
      if (!sharesCrossing(axes))
        continue;
      rewrite(axes);
      return "";
    }
    return "nothing that crosses between the cores can be shared";
  }

private:
  // An array one core could write while the other one reads it.
  std::string sharedArray() {
    llvm::MapVector<Value, std::pair<bool, bool>> touched;
    Value aliased;
    half.walk([&](Operation *op) {
      auto tensor = [&]() -> Value {
        if (auto load = dyn_cast<tile::LoadOp>(op))
          return load.getTensor();
        if (auto get = dyn_cast<tile::GetOp>(op))
          return get.getTensor();
        if (auto store = dyn_cast<tile::StoreOp>(op))
          return store.getTensor();
        if (auto atomic = dyn_cast<tile::AtomicOp>(op))
          return atomic.getTensor();
        if (auto set = dyn_cast<tile::SetOp>(op))
          return set.getTensor();
        return {};
      }();
      if (!tensor)
        return;
      Value array = tensor;
      if (auto described = tensor.getDefiningOp<tile::TensorOp>())
        array = described.getBase();
      if (auto argument = dyn_cast<BlockArgument>(array);
          argument && argument.getOwner() == &half.getBody().front() &&
          half.getArgAttr(argument.getArgNumber(), isa::mayAliasAttrName) &&
          !half.getArgAttr(argument.getArgNumber(), isa::noaliasAttrName))
        array = aliased = aliased ? aliased : array;
      (llvm::isa<tile::LoadOp, tile::GetOp>(op) ? touched[array].first : touched[array].second) = true;
    });
    for (auto &[array, how] : touched)
      if (how.first && how.second)
        return "an array is read and written";
    return "";
  }

  bool sharesCrossing(const Axes &axes) {
    return half
        .walk([&](Operation *op) {
          bool shared = (llvm::isa<tile::SendOp>(op) && axes.of(op->getOperand(0)) != whole) ||
                        (llvm::isa<tile::ReceiveOp>(op) && axes.of(op->getResult(0)) != whole);
          return shared ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  //===- Rewriting
  //--------------------------------------------------------------------------------------------------===//

  void rewrite(const Axes &axes) {
    SmallVector<tile::BlockIdxOp> indices;
    half.walk([&](tile::BlockIdxOp op) { indices.push_back(op); });
    b.setInsertionPointToStart(&half.getBody().front());
    Location loc = half.getLoc();
    Value cores = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(isa::vectorCoresPerCube));
    Value index = tile::BlockIdxOp::create(b, loc, b.getI32Type());
    Value block = arith::DivUIOp::create(b, loc, index, cores);
    sub = arith::RemUIOp::create(b, loc, index, cores);
    for (tile::BlockIdxOp op : indices) {
      op.replaceAllUsesWith(block);
      op.erase();
    }
    SmallVector<Operation *> ops;
    half.walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops)
      move(op, axes);
    for (Operation *op : ops) {
      for (Value result : op->getResults())
        halve(result, axes);
      for (Region &region : op->getRegions())
        for (BlockArgument argument : region.getArguments())
          halve(argument, axes);
    }
    half->setAttr(isa::vectorCoresAttrName, b.getI64IntegerAttr(isa::vectorCoresPerCube));
  }

  void halve(Value value, const Axes &axes) {
    int64_t axis = isTile(value) ? axes.of(value) : whole;
    if (axis == whole)
      return;
    SmallVector<int64_t> shape(shapeOf(value));
    shape[axis] /= isa::vectorCoresPerCube;
    value.setType(typeOf(value).withShape(shape));
  }

  // Accesses begin at the core's part, and what both cores have leaves from the first. Types are still whole.
  void move(Operation *op, const Axes &axes) {
    if (auto load = dyn_cast<tile::LoadOp>(op))
      return moveOffset(op, load.getOffsetsMutable(), load.getResult(), axes.of(load.getResult()));
    if (auto store = dyn_cast<tile::StoreOp>(op))
      return axes.of(store.getValue()) == whole
                 ? guard(op)
                 : moveOffset(op, store.getOffsetsMutable(), store.getValue(), axes.of(store.getValue()));
    if (auto atomic = dyn_cast<tile::AtomicOp>(op))
      return axes.of(atomic.getValue()) == whole
                 ? guard(op)
                 : moveOffset(op, atomic.getOffsetsMutable(), atomic.getValue(), axes.of(atomic.getValue()));
    if (llvm::isa<tile::SetOp, tile::PrintOp>(op))
      return guard(op);
    if (auto send = dyn_cast<tile::SendOp>(op))
      op->setAttr("axis", b.getI64IntegerAttr(axes.of(send.getValue())));
    if (auto receive = dyn_cast<tile::ReceiveOp>(op))
      op->setAttr("axis", b.getI64IntegerAttr(axes.of(receive.getResult())));
  }

  void moveOffset(Operation *op, MutableOperandRange offsets, Value tile, int64_t axis) {
    if (axis == whole)
      return;
    b.setInsertionPoint(op);
    Value rows = arith::ConstantOp::create(b, op->getLoc(),
                                           b.getI32IntegerAttr(shapeOf(tile)[axis] / isa::vectorCoresPerCube));
    Value further = arith::MulIOp::create(b, op->getLoc(), sub, rows);
    offsets[axis].set(arith::AddIOp::create(b, op->getLoc(), offsets[axis].get(), further));
  }

  void guard(Operation *op) {
    b.setInsertionPoint(op);
    Value zero = arith::ConstantOp::create(b, op->getLoc(), b.getI32IntegerAttr(0));
    Value isFirst = arith::CmpIOp::create(b, op->getLoc(), arith::CmpIPredicate::eq, sub, zero);
    auto branch = scf::IfOp::create(b, op->getLoc(), isFirst);
    op->moveBefore(branch.thenBlock(), branch.thenBlock()->begin());
  }

  func::FuncOp half;
  OpBuilder b;
  Value sub; // which of the block's vector cores runs
};

struct SplitRowsPass : tilesmith::impl::SplitRowsBase<SplitRowsPass> {
  using SplitRowsBase::SplitRowsBase;
  void runOnOperation() override {
    func::FuncOp half = getOperation();
    auto core = half->getAttrOfType<StringAttr>(isa::coreAttrName);
    if (!core || core.getValue() != StringRef(isa::stringify(isa::CoreKind::AIV)))
      return;
    std::optional<isa::KernelType> wanted = kernelOptions.kernelType;
    if (wanted && isa::coresOf(*wanted).aiv == 1)
      return;
    std::string why = SplitRows(half).run();
    if (why.empty()) {
      remark::passed(half.getLoc(), remarkOf(getArgument(), "tiles"));
      return;
    }
    remark::missed(half.getLoc(), remarkOf(getArgument(), "tiles")) << remark::reason("{0}", why);
    if (wanted && isa::coresOf(*wanted).aiv > 1) {
      half.emitError() << "kernel_type " << isa::stringify(*wanted)
                       << " asks for two vector cores in each block, which cannot share the work: " << why;
      signalPassFailure();
    }
  }
};
} // namespace
