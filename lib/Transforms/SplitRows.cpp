// Split rows: two vector cores share the tiles of a block.
//
// Every tile of the vector half gets an axis along which the cores share it, or none: then both cores have all of it.
// What goes from and to the cube core is shared by rows, and from there the axis follows through element-wise
// operations, broadcasts, and reductions over other axes. A tile that is shared has half of its size; loads, stores
// and channels begin half a tile further on for the second core. What both cores have is stored by the first.
//
// Operations that need elements of both halves (a reduction across the axis, say) have whole tiles, and so has what
// depends on them. If rows cannot be shared, columns are tried. If nothing that crosses can be shared, if one core
// would read an array the other one writes, or if an array is stored to by both cores at one place and by one core, or
// in other parts, at another, the block keeps one vector core: the order of these accesses would be lost.
//
// Each element is computed from the same operands in the same order, so results have the bits they had.
#include "Arrays.h"
#include "Axes.h"
#include "tilesmith/Isa/Cores.h"
#include "tilesmith/Transforms/Remarks.h"
#include "llvm/ADT/MapVector.h"

namespace tilesmith {
#define GEN_PASS_DEF_SPLITROWS
#include "tilesmith/Transforms/Passes.h.inc"
} // namespace tilesmith

using namespace mlir;
using namespace tilesmith;

static bool isTile(Value value) { return llvm::isa<tile::TileType>(value.getType()); }
static tile::TileType typeOf(Value tile) { return cast<tile::TileType>(tile.getType()); }
static ArrayRef<int64_t> shapeOf(Value tile) { return typeOf(tile).getShape(); }

namespace {
class SplitRows {
public:
  explicit SplitRows(func::FuncOp half) : half(half), b(half.getContext()) {}

  // Why one core has to do it all; empty: two share it.
  std::string run() {
    if (std::string why = sharedArray(); !why.empty())
      return why;
    std::string why = "nothing that crosses between the cores can be shared";
    for (int64_t fromEnd : {2, 1}) {
      Axes axes(half, crossing(fromEnd), isa::vectorCoresPerCube);
      if (!sharesCrossing(axes))
        continue;
      if (storesDiffer(axes)) {
        why = "the cores would share an array in two ways";
        continue;
      }
      rewrite(axes);
      return "";
    }
    return why;
  }

private:
  // An array one core could write while the other one reads it.
  std::string sharedArray() {
    llvm::MapVector<Value, std::pair<bool, bool>> touched;
    half.walk([&](Operation *op) {
      if (Value tensor = tensorOf(op))
        (writesTensor(op) ? touched[arrayOf(tensor)].second : touched[arrayOf(tensor)].first) = true;
    });
    for (auto &[array, how] : touched)
      if (how.first && how.second)
        return "an array is read and written";
    return "";
  }

  // Whether what one core stores at one place the other core would store at another.
  bool storesDiffer(const Axes &axes) {
    llvm::MapVector<Value, std::pair<int64_t, int64_t>> ways; // axis, and elements along it
    return half
        .walk([&](Operation *op) {
          Value tensor = tensorOf(op);
          if (!tensor || !writesTensor(op) || llvm::isa<tile::AtomicOp>(op))
            return WalkResult::advance();
          auto store = dyn_cast<tile::StoreOp>(op);
          int64_t axis = store ? axes.of(store.getValue()) : Axes::whole;
          std::pair<int64_t, int64_t> way(axis, axis == Axes::whole ? 0 : shapeOf(store.getValue())[axis]);
          return ways.try_emplace(arrayOf(tensor), way).first->second == way ? WalkResult::advance()
                                                                             : WalkResult::interrupt();
        })
        .wasInterrupted();
  }

  // What crosses, with the axis that is `fromEnd` from its end.
  SmallVector<std::pair<Value, int64_t>> crossing(int64_t fromEnd) {
    SmallVector<std::pair<Value, int64_t>> seeds;
    half.walk([&](Operation *op) {
      Value value = llvm::isa<tile::SendOp>(op)      ? op->getOperand(0)
                    : llvm::isa<tile::ReceiveOp>(op) ? op->getResult(0)
                                                     : Value();
      if (value && typeOf(value).getRank() >= fromEnd)
        seeds.push_back({value, typeOf(value).getRank() - fromEnd});
    });
    return seeds;
  }

  bool sharesCrossing(const Axes &axes) {
    return half
        .walk([&](Operation *op) {
          bool shared = (llvm::isa<tile::SendOp>(op) && axes.of(op->getOperand(0)) != Axes::whole) ||
                        (llvm::isa<tile::ReceiveOp>(op) && axes.of(op->getResult(0)) != Axes::whole);
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
    int64_t axis = isTile(value) ? axes.of(value) : Axes::whole;
    if (axis == Axes::whole)
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
      return axes.of(store.getValue()) == Axes::whole
                 ? guard(op)
                 : moveOffset(op, store.getOffsetsMutable(), store.getValue(), axes.of(store.getValue()));
    if (auto atomic = dyn_cast<tile::AtomicOp>(op))
      return axes.of(atomic.getValue()) == Axes::whole
                 ? guard(op)
                 : moveOffset(op, atomic.getOffsetsMutable(), atomic.getValue(), axes.of(atomic.getValue()));
    if (llvm::isa<tile::SetOp, tile::ScatterRowsOp, tile::PrintOp, tile::AssertOp>(op))
      return guard(op);
    if (auto send = dyn_cast<tile::SendOp>(op))
      op->setAttr("axis", b.getI64IntegerAttr(axes.of(send.getValue())));
    if (auto receive = dyn_cast<tile::ReceiveOp>(op))
      op->setAttr("axis", b.getI64IntegerAttr(axes.of(receive.getResult())));
  }

  void moveOffset(Operation *op, MutableOperandRange offsets, Value tile, int64_t axis) {
    if (axis == Axes::whole)
      return;
    b.setInsertionPoint(op);
    Value rows =
        arith::ConstantOp::create(b, op->getLoc(), b.getI32IntegerAttr(shapeOf(tile)[axis] / isa::vectorCoresPerCube));
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
